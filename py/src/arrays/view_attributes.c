/* The attributes of StridedMemoryView. */
#include "arrays/view_attributes.h"

#include "arrays/layout_attributes.h"
#include "arrays/rearrange.h"
#include "base/arguments.h"
#include "base/dtype.h"
#include "base/state.h"
#include "execution/stream.h"
#include "objects/kept_dtype.h"
#include "objects/layout_object.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/current.h"
#include "protocols/dlpack.h"
#include "protocols/interface.h"

#define HANDLE(object) (((svpy_view *)(object))->handle)
#define LAYOUT(object) sv_view_layout(HANDLE(object))

static PyObject *get_ptr(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong((uintptr_t)sv_view_data(HANDLE(self)));
}

static PyObject *get_view_shape(PyObject *self, void *Py_UNUSED(closure))
{
    svpy_view *view = (svpy_view *)self;

    if (view->shape == NULL)
        view->shape = svpy_tuple(sv_layout_shape(LAYOUT(self)), sv_layout_ndim(LAYOUT(self)));
    return Py_XNewRef(view->shape);
}

static PyObject *get_view_strides(PyObject *self, void *Py_UNUSED(closure))
{
    svpy_view *view = (svpy_view *)self;

    if (view->strides == NULL)
        view->strides = svpy_layout_strides(LAYOUT(self));
    return Py_XNewRef(view->strides);
}

static PyObject *get_view_ndim(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(sv_layout_ndim(LAYOUT(self)));
}

static PyObject *get_view_size(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(sv_layout_size(LAYOUT(self)));
}

static PyObject *get_itemsize(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(sv_layout_itemsize(LAYOUT(self)));
}

static PyObject *get_nbytes(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(sv_layout_nbytes(LAYOUT(self)));
}

static PyObject *get_view_handle(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr(HANDLE(self));
}

static PyObject *get_layout(PyObject *self, void *Py_UNUSED(closure))
{
    svpy_view *view = (svpy_view *)self;

    if (view->layout == NULL)
        view->layout = svpy_layout_wrap(view->state, sv_layout_retain(LAYOUT(self)));
    return Py_XNewRef(view->layout);
}

static PyObject *get_is_contiguous_c(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(sv_layout_is_contiguous(LAYOUT(self), SV_ORDER_C));
}

static PyObject *get_is_contiguous_f(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(sv_layout_is_contiguous(LAYOUT(self), SV_ORDER_F));
}

static PyObject *get_dtype(PyObject *self, void *Py_UNUSED(closure))
{
    svpy_view *view = (svpy_view *)self;

    if (view->dtype == NULL) {
        PyObject *found = svpy_kept_dtype(view);

        if (found == NULL && !PyErr_Occurred())
            found = svpy_dtype_object(view->state, sv_view_dtype(HANDLE(self)));
        if (view->dtype == NULL)
            view->dtype = found;
        else
            Py_XDECREF(found); /* another thread was faster */
    }
    return PyErr_Occurred() ? NULL : Py_NewRef(view->dtype);
}

static PyObject *get_device(PyObject *self, void *Py_UNUSED(closure))
{
    return svpy_dlpack_device(self, NULL);
}

static PyObject *get_view_device_id(PyObject *self, void *Py_UNUSED(closure))
{
    const sv_view *view = HANDLE(self);

    return PyLong_FromLong(sv_view_device_type(view) == SV_DEVICE_CPU ? -1 : sv_view_device_id(view));
}

static PyObject *get_view_is_device_accessible(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(sv_view_device_type(HANDLE(self)) != SV_DEVICE_CPU);
}

static PyObject *get_view_is_host_accessible(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(svpy_is_host(HANDLE(self)));
}

static PyObject *get_view_stream(PyObject *self, void *Py_UNUSED(closure))
{
    const svpy_side side = svpy_side_of((svpy_view *)self);
    int64_t streams[3], stream;
    const int count = svpy_list_streams(((svpy_view *)self)->state, &side, false, streams);

    if (count < 0)
        return NULL;
    stream = count == 0 ? SVPY_NOTHING : streams[0];
    return stream < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(stream);
}

static PyObject *get_exporting_obj(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *exporter = ((svpy_view *)self)->exporter;

    return Py_NewRef(exporter == NULL ? Py_None : exporter);
}

static PyObject *device_text(const sv_view *view)
{
    int32_t type = sv_view_device_type(view), id = sv_view_device_id(view);

    if (type == SV_DEVICE_CPU)
        return PyUnicode_FromString(sv_device_name(type));
    return PyUnicode_FromFormat("%s:%d", sv_device_name(type), (int)id);
}

static PyObject *dtype_text(const svpy_view *view)
{
    PyObject *kept = svpy_kept_dtype(view), *text;

    if (kept == NULL)
        return PyErr_Occurred() ? NULL : svpy_dtype_name(sv_view_dtype(view->handle));
    text = PyObject_Str(kept);
    Py_DECREF(kept);
    return text;
}

PyObject *svpy_view_repr(PyObject *self)
{
    const sv_layout *layout = LAYOUT(self);
    int32_t ndim = sv_layout_ndim(layout);
    const int64_t *elements;
    int whole = sv_layout_strides(layout, &elements) == SV_OK;
    PyObject *shape = svpy_tuple(sv_layout_shape(layout), ndim);
    PyObject *strides = svpy_tuple(whole ? elements : sv_layout_byte_strides(layout), ndim);
    PyObject *dtype = dtype_text((svpy_view *)self), *device = device_text(HANDLE(self)), *text = NULL;

    if (shape != NULL && strides != NULL && dtype != NULL && device != NULL)
        text = PyUnicode_FromFormat("StridedMemoryView(shape=%R, %s=%R, dtype=%U, device=%U%s)", shape,
                                    whole ? "strides" : "strides_in_bytes", strides, dtype, device,
                                    sv_view_is_readonly(HANDLE(self)) ? ", readonly" : "");
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    Py_XDECREF(dtype);
    Py_XDECREF(device);
    return text;
}

PyObject *svpy_view_sizeof(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const int64_t memory = ((svpy_view *)self)->owns ? sv_layout_nbytes(LAYOUT(self)) : 0;

    return PyLong_FromLongLong(Py_TYPE(self)->tp_basicsize + memory);
}

PyGetSetDef svpy_view_getset[] = {
    {"T", svpy_get_transposed, NULL, PyDoc_STR("The view with its axes reversed."), NULL},
    {"ptr", get_ptr, NULL, PyDoc_STR("Address of the element with all indices 0, as an int."), NULL},
    {"shape", get_view_shape, NULL, PyDoc_STR("Extent of each axis."), NULL},
    {"strides", get_view_strides, NULL,
     PyDoc_STR("Strides in elements. ValueError when a stride is no multiple of the item size."), NULL},
    {"ndim", get_view_ndim, NULL, PyDoc_STR("Number of axes."), NULL},
    {"size", get_view_size, NULL, PyDoc_STR("Number of elements."), NULL},
    {"itemsize", get_itemsize, NULL, PyDoc_STR("Bytes of one element."), NULL},
    {"nbytes", get_nbytes, NULL, PyDoc_STR("Bytes of all elements: size * itemsize."), NULL},
    {"handle", get_view_handle, NULL,
     PyDoc_STR("Address of the sv_view, for callers of C; it lives as long as this object."), NULL},
    {"layout", get_layout, NULL, PyDoc_STR("The StridedLayout of the view."), NULL},
    {"_layout", get_layout, NULL, PyDoc_STR("The same as layout, which cuda.core calls so."), NULL},
    {"is_contiguous_c", get_is_contiguous_c, NULL, PyDoc_STR("Whether the layout is dense in C order."), NULL},
    {"is_contiguous_f", get_is_contiguous_f, NULL, PyDoc_STR("Whether the layout is dense in Fortran order."), NULL},
    {"c_contiguous", get_is_contiguous_c, NULL, PyDoc_STR("is_contiguous_c under memoryview's name."), NULL},
    {"f_contiguous", get_is_contiguous_f, NULL, PyDoc_STR("is_contiguous_f under memoryview's name."), NULL},
    {"dtype", get_dtype, NULL,
     PyDoc_STR("The element type: a numpy.dtype where NumPy is installed and has it, else its name.\n"
               "Of records and other items that are no number: the dtype that the exporter tells by any\n"
               "protocol, or 'opaque'."),
     NULL},
    {"device", get_device, NULL, PyDoc_STR("The device as (DLPack device type, ordinal)."), NULL},
    {"device_id", get_view_device_id, NULL, PyDoc_STR("Ordinal of the device; -1 for ordinary host memory."), NULL},
    {"is_device_accessible", get_view_is_device_accessible, NULL,
     PyDoc_STR("Whether a device can read the memory."), NULL},
    {"is_host_accessible", get_view_is_host_accessible, NULL,
     PyDoc_STR("Whether the host can read the memory."), NULL},
    {"stream", get_view_stream, NULL,
     PyDoc_STR("The stream on which the memory is ready, which may be the one that the producer works on now;\n"
               "None where there is nothing to wait for, or nothing is known. After copies and fills that a stream orders, that stream. Stream 2 is the calling\n"
               "thread's default stream: on other threads than the one that named it this is 1, the legacy\n"
               "default stream, which waits for those of all threads."),
     NULL},
    {"exporting_obj", get_exporting_obj, NULL,
     PyDoc_STR("The object that the memory came from; None for memory made by empty()."), NULL},
    {"__array_interface__", svpy_array_interface, NULL,
     PyDoc_STR("NumPy's array interface, version 3, of memory that the host can read."), NULL},
    {"__cuda_array_interface__", svpy_cuda_array_interface, NULL,
     PyDoc_STR("The CUDA array interface, version 3, of memory of a CUDA device."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
