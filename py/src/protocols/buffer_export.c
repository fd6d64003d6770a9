/* The memory of a Buffer handed on: as a view, to the buffer protocol, by DLPack, by the CUDA array interface. */
#include "protocols/buffer_export.h"

#include "base/errors.h"
#include "base/helper.h"
#include "base/state.h"
#include "execution/thread_stream.h"
#include "objects/buffer_object.h"
#include "objects/buffer_stream.h"
#include "objects/buffer_struct.h"
#include "objects/lending.h"
#include "objects/view_object.h"
#include "protocols/dlpack.h"

#define SELF(object) ((svpy_buffer *)(object))

/* --- views ------------------------------------------------------------------------ */

/* Views of memory that the host can touch are at its address there, as sv_view_from_buffer() makes them. Devices may use
 * the same memory at another one. */
static char *address_of(const sv_buffer *handle)
{
    char *for_host = sv_buffer_host_data(handle);

    return for_host != NULL ? for_host : sv_buffer_data(handle);
}

/*
 * Where libsv has a reference to a Python object because of this memory, a view
 * has one to the Buffer in place of its handle, so that the garbage collector
 * sees who needs the memory. like is a view by the handle.
 */
static sv_status lend_buffer(svpy_buffer *self, const sv_view *like, int64_t offset, sv_view **out)
{
    sv_buffer *handle = self->handle;
    sv_status status = sv_buffer_begin_export(handle);

    if (status != SV_OK)
        return status;
    status = sv_view_new(sv_view_layout(like), sv_view_dtype(like), address_of(handle) + offset, -offset,
                         sv_buffer_nbytes(handle) - offset, sv_view_device_type(like), sv_view_device_id(like),
                         sv_view_is_readonly(like) ? SV_READ_ONLY : 0, svpy_end_lending, self, out);
    if (status != SV_OK) {
        sv_buffer_end_export(handle);
        return status;
    }
    self->lent++;
    Py_INCREF((PyObject *)self);
    return SV_OK;
}

sv_view *svpy_buffer_handle(svpy_buffer *self, const sv_layout *layout, sv_dtype dtype, int64_t offset,
                            uint32_t flags)
{
    sv_view *view = NULL, *lent = NULL;
    sv_status status;

    if (svpy_buffer_check_still(self) < 0)
        return NULL;
    status = sv_view_from_buffer(self->handle, layout, dtype, offset, flags, &view);
    if (status == SV_OK && !svpy_buffer_holds(self))
        return view;
    if (status == SV_OK)
        status = lend_buffer(self, view, offset, &lent);
    sv_view_release(view);
    return status == SV_OK ? lent : svpy_raise(status);
}

PyObject *svpy_buffer_bytes(svpy_buffer *self)
{
    sv_view *view = svpy_buffer_handle(self, NULL, SV_UINT8, 0, 0);

    return view == NULL ? NULL : svpy_view_wrap(self->state, view, (PyObject *)self, self->stream);
}

/* --- the buffer protocol ------------------------------------------------------------ */

static int refuse_bytes_buffer(Py_buffer *buffer, const char *reason)
{
    buffer->obj = NULL;
    if (reason != NULL)
        PyErr_SetString(PyExc_BufferError, reason);
    return -1;
}

/* Why memory that is lent, and so stays what it is, does not serve a request; NULL: it does. */
static const char *lending_refusal(const sv_buffer *handle, int flags)
{
    if ((sv_buffer_traits(handle) & SV_TRAIT_HOST) == 0)
        return "the memory of the Buffer cannot be read by the host: buffer.tobytes() copies it, and "
               "buffer.copy_to(host) copies it to host memory";
    if ((sv_buffer_traits(handle) & SV_TRAIT_READ_ONLY) != 0 && (flags & PyBUF_WRITABLE) != 0)
        return "the Buffer is read-only";
    return NULL;
}

/* Of memory that is lent. 0, or -1 with an exception. */
static int fill_info(svpy_buffer *self, Py_buffer *buffer, int flags)
{
    static char nothing[1]; /* some consumers end the process over NULL */
    const char *reason = lending_refusal(self->handle, flags);
    void *data = sv_buffer_host_data(self->handle);

    if (reason != NULL)
        return refuse_bytes_buffer(buffer, reason);
    if (svpy_buffer_await_work(self) < 0)
        return refuse_bytes_buffer(buffer, NULL);
    return PyBuffer_FillInfo(buffer, (PyObject *)self, data == NULL ? nothing : data, sv_buffer_nbytes(self->handle),
                             (sv_buffer_traits(self->handle) & SV_TRAIT_READ_ONLY) != 0, flags);
}

int svpy_buffer_getbuffer(PyObject *object, Py_buffer *buffer, int flags)
{
    svpy_buffer *self = SELF(object);

    if (self->handle == NULL || sv_buffer_is_closed(self->handle))
        return refuse_bytes_buffer(buffer, "the Buffer is closed");
    if (svpy_buffer_begin_lending(self) < 0)
        return refuse_bytes_buffer(buffer, NULL);
    if (fill_info(self, buffer, flags) == 0)
        return 0;
    svpy_buffer_end_lending(self);
    return -1;
}

void svpy_buffer_releasebuffer(PyObject *object, Py_buffer *Py_UNUSED(buffer))
{
    svpy_buffer_end_lending(SELF(object));
}

/* --- DLPack ---------------------------------------------------------------------------- */

static PyObject *buffer_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *view = svpy_buffer_bytes(SELF(self));
    PyObject *capsule = view == NULL ? NULL : svpy_dlpack(view, args, nargs, kwnames);

    Py_XDECREF(view);
    return capsule;
}

static PyObject *buffer_dlpack_device(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const sv_buffer *handle = SELF(self)->handle;

    if (handle != NULL && !sv_buffer_is_closed(handle))
        return Py_BuildValue("(ii)", (int)sv_buffer_device_type(handle), (int)sv_buffer_device_id(handle));
    PyErr_SetString(PyExc_BufferError, "the Buffer is closed");
    return NULL;
}

/* --- the CUDA array interface ------------------------------------------------------------- */

PyObject *svpy_buffer_cuda_interface(PyObject *object, void *Py_UNUSED(unused))
{
    const svpy_buffer *self = SELF(object);
    const uint32_t traits = sv_buffer_traits(self->handle);
    PyObject *stream, *dict;

    if ((traits & SV_TRAIT_CUDA) == 0 || sv_buffer_is_closed(self->handle)) {
        PyErr_SetString(PyExc_AttributeError, "the memory of the Buffer is not that of a CUDA device");
        return NULL;
    }
    stream = self->stream < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(svpy_recall(self->stream));
    dict = Py_BuildValue("{sss(L)sOs(KO)sisO}", "typestr", "|u1", "shape",
                         (long long)sv_buffer_nbytes(self->handle), "strides", Py_None, "data",
                         (unsigned long long)(uintptr_t)sv_buffer_data(self->handle),
                         traits & SV_TRAIT_READ_ONLY ? Py_True : Py_False, "version", 3, "stream", stream);
    Py_XDECREF(stream);
    return dict;
}

/* --- NumPy -------------------------------------------------------------------------------- */

/* NumPy asks the buffer protocol first, and does not tell why that refused: memory of a device, a closed Buffer. */
static PyObject *buffer_array(PyObject *self, PyObject *args, PyObject *keywords)
{
    const sv_buffer *handle = SELF(self)->handle;
    PyObject *view, *method, *array;

    if (handle == NULL || sv_buffer_is_closed(handle)) {
        PyErr_SetString(PyExc_BufferError, "the Buffer is closed");
        return NULL;
    }
    view = svpy_buffer_bytes(SELF(self));
    method = view == NULL ? NULL : PyObject_GetAttrString(view, "__array__");
    array = method == NULL ? NULL : PyObject_Call(method, args, keywords);
    Py_XDECREF(method);
    Py_XDECREF(view);
    return array;
}

PyMethodDef svpy_buffer_exporting[] = {
    {"__array__", (PyCFunction)(void (*)(void))buffer_array, METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("__array__($self, /, dtype=None, copy=None)\n--\n\n"
               "The bytes as a numpy.ndarray. NumPy asks the buffer protocol first.")},
    {"__dlpack__", SVPY_NAMED(buffer_dlpack),
     PyDoc_STR("__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
               "Hand the bytes on as a DLPack capsule, by the array API standard: one axis of uint8.")},
    {"__dlpack_device__", buffer_dlpack_device, METH_NOARGS,
     PyDoc_STR("__dlpack_device__($self, /)\n--\n\nThe device as (DLPack device type, ordinal).")},
    {NULL, NULL, 0, NULL},
};
