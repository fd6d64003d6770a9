/* __array_interface__ and __cuda_array_interface__, in and out. */
#include "protocols/interface.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/dtype.h"
#include "base/state.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/kept_dtype.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/current.h"
#include "protocols/interface_dict.h"

/* --- in ------------------------------------------------------------------- */

/* The type strings know too few types: obj.dtype may tell which one of "|V1" it is. Takes the view; NULL only where
 * an exception was raised that must not be cleared (attribute.c). */
static sv_view *name_type(sv_view *view, PyObject *object)
{
    PyObject *told = svpy_try_attribute_text(object, "dtype");
    sv_view *named = NULL;
    sv_dtype dtype = SV_OPAQUE;

    if (told != NULL && svpy_dtype(told, &dtype) == 0 && dtype != SV_OPAQUE &&
        sv_view_with_dtype(view, dtype, &named) == SV_OK) {
        sv_view_release(view);
        view = named;
    }
    Py_XDECREF(told);
    if (svpy_clear_exception() == 0)
        return view;
    sv_view_release(view);
    return NULL;
}

static sv_view *view_interface(PyObject *object, PyObject *name, PyObject *dict, bool host, int32_t device_id)
{
    struct svpy_fields f = {.any_order = host};
    sv_view *view = NULL;

    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%U of %.100s is no dict but %.100s", name, Py_TYPE(object)->tp_name,
                     Py_TYPE(dict)->tp_name);
        return NULL;
    }
    if (svpy_read_fields(object, dict, &f, host) == 0)
        view = svpy_view_of_fields(object, &f, host ? SV_DEVICE_CPU : SV_DEVICE_CUDA, device_id);
    svpy_end_fields(&f);
    return view != NULL && sv_view_dtype(view) == SV_OPAQUE ? name_type(view, object) : view;
}

sv_view *svpy_from_interface(struct svpy_state *state, PyObject *object)
{
    PyObject *name = state->names.array_interface, *dict = svpy_get_attribute(object, name);
    sv_view *view = dict == NULL ? NULL : view_interface(object, name, dict, true, 0);

    Py_XDECREF(dict);
    return view;
}

/* --- CUDA ----------------------------------------------------------------- */

/* Work that the producer left on a stream is waited for by the caller's stream; if that is -1, by who comes next. Who
 * names no stream works on the producer's. */
static int order_streams(const sv_view *view, PyObject *dict, struct svpy_streams *streams)
{
    int64_t theirs, ours;

    if (svpy_read_stream(dict, &theirs) < 0)
        return -1;
    if (streams->given == SVPY_ABSENT && theirs >= 0) {
        streams->ready = SVPY_THEIRS;
        return 0;
    }
    if (svpy_stream_on(SV_DEVICE_CUDA, streams->given, &ours) < 0)
        return -1;
    if (svpy_wait(view, ours, theirs) < 0)
        return -1;
    streams->ready = ours < 0 || theirs < 0 ? theirs : ours;
    return 0;
}

/* The protocol does not tell the device; CuPy's device.id and PyTorch's device.index do. Otherwise 0. -1: exception. */
static int32_t find_device_number(PyObject *object)
{
    static const char *const names[] = {"id", "index"};
    PyObject *device = svpy_try_attribute_text(object, "device");
    bool found = false;
    int64_t id = 0;

    for (int i = 0; device != NULL && !found && !PyErr_Occurred() && i < 2; i++) {
        PyObject *number = svpy_try_attribute_text(device, names[i]);

        found = number != NULL && PyLong_Check(number) && svpy_int64(number, &id) == 0;
        Py_XDECREF(number);
        svpy_clear_exception();
    }
    Py_XDECREF(device);
    if (PyErr_Occurred())
        return -1;
    return found && id > 0 && id <= INT32_MAX ? (int32_t)id : 0;
}

sv_view *svpy_from_cuda_interface(struct svpy_state *state, PyObject *object, struct svpy_streams *streams)
{
    PyObject *name = state->names.cuda_array_interface, *dict = svpy_get_attribute(object, name);
    const int32_t device = dict == NULL ? -1 : find_device_number(object);
    sv_view *view = device < 0 ? NULL : view_interface(object, name, dict, false, device);

    if (view != NULL && order_streams(view, dict, streams) < 0) {
        sv_view_release(view);
        view = NULL;
    }
    Py_XDECREF(dict);
    return view;
}

/* --- out ------------------------------------------------------------------ */

/* "<f4"; of opaque items what their dtype says, or "|V7". Types that a type string does not tell apart have none. */
static PyObject *typestr_of(const sv_view *view, PyObject *kept)
{
    char text[64];
    PyObject *name;

    if (kept != NULL)
        return PyObject_GetAttrString(kept, "str");
    if (sv_view_dtype(view) == SV_OPAQUE)
        return PyUnicode_FromFormat("|V%lld", (long long)sv_layout_itemsize(sv_view_layout(view)));
    if (sv_dtype_typestr(sv_view_dtype(view), sizeof text, text, NULL) == SV_OK && text[1] != 'V')
        return PyUnicode_FromString(text);
    name = svpy_dtype_name(sv_view_dtype(view));
    if (name != NULL)
        PyErr_Format(PyExc_AttributeError, "the array interface has no type string for %U; DLPack has", name);
    Py_XDECREF(name);
    return NULL;
}

static PyObject *strides_of(const sv_layout *layout)
{
    if (sv_layout_is_contiguous(layout, SV_ORDER_C))
        Py_RETURN_NONE;
    return svpy_tuple(sv_layout_byte_strides(layout), sv_layout_ndim(layout));
}

/* The fields of a record, where the protocol can say them. */
static int add_descr(PyObject *dict, PyObject *kept)
{
    PyObject *names = svpy_try_attribute_text(kept, "names"), *descr = NULL;

    if (names != NULL && names != Py_None)
        descr = svpy_try_attribute_text(kept, "descr");
    if (descr != NULL)
        PyDict_SetItemString(dict, "descr", descr);
    Py_XDECREF(descr);
    Py_XDECREF(names);
    return PyErr_Occurred() ? -1 : 0;
}

/* nowhere: the address told where there is no element. */
static PyObject *fields_of(const sv_view *view, const void *nowhere, PyObject *typestr)
{
    const void *data = sv_view_data(view);
    const sv_layout *layout = sv_view_layout(view);

    if (typestr == NULL)
        return NULL;
    return Py_BuildValue("{sNsNsNs(KO)si}", "typestr", typestr, "shape",
                         svpy_tuple(sv_layout_shape(layout), sv_layout_ndim(layout)), "strides", strides_of(layout),
                         "data", (unsigned long long)(uintptr_t)(data == NULL ? nowhere : data),
                         sv_view_is_readonly(view) ? Py_True : Py_False, "version", 3);
}

static PyObject *interface_of(const svpy_view *self, const void *nowhere)
{
    PyObject *kept = svpy_kept_dtype(self);
    PyObject *dict = PyErr_Occurred() ? NULL : fields_of(self->handle, nowhere, typestr_of(self->handle, kept));

    if (dict != NULL && kept != NULL && add_descr(dict, kept) < 0)
        Py_CLEAR(dict);
    Py_XDECREF(kept);
    return dict;
}

PyObject *svpy_array_interface(PyObject *self, void *Py_UNUSED(closure))
{
    const sv_view *view = ((svpy_view *)self)->handle;

    if (svpy_is_host(view)) /* NumPy 1.26 takes no NULL */
        return svpy_await_work(view, ((svpy_view *)self)->stream) < 0 ? NULL : interface_of((svpy_view *)self, view);
    PyErr_SetString(PyExc_AttributeError, SVPY_UNREADABLE);
    return NULL;
}

PyObject *svpy_cuda_array_interface(PyObject *self, void *Py_UNUSED(closure))
{
    const int32_t device_type = sv_view_device_type(((svpy_view *)self)->handle);
    PyObject *dict, *told;
    int64_t stream;

    /* Pinned memory has no stream to tell, and is NumPy's to read. */
    if (!svpy_has_streams(device_type) || !(sv_device_traits(device_type) & SV_TRAIT_CUDA)) {
        PyErr_SetString(PyExc_AttributeError, "the memory of the view is not that of a CUDA device");
        return NULL;
    }
    if (svpy_ready_stream((svpy_view *)self, &stream) < 0)
        return NULL;
    dict = interface_of((svpy_view *)self, NULL);
    told = stream < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(stream);
    if (dict != NULL && (told == NULL || PyDict_SetItemString(dict, "stream", told) < 0))
        Py_CLEAR(dict);
    Py_XDECREF(told);
    return dict;
}
