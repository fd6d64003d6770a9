/* __array_interface__ and __cuda_array_interface__: dictionaries in, dictionaries out. */
#include "import.h"

static PyObject *name_host, *name_cuda;

int svpy_interface_init(void)
{
    name_host = PyUnicode_InternFromString("__array_interface__");
    name_cuda = PyUnicode_InternFromString("__cuda_array_interface__");
    return name_host != NULL && name_cuda != NULL ? 0 : -1;
}

/* --- reading a dictionary ------------------------------------------------- */

PyObject *svpy_dict_get(PyObject *dict, const char *key)
{
    PyObject *name = PyUnicode_FromString(key);
    PyObject *value = name == NULL ? NULL : PyDict_GetItemWithError(dict, name);

    Py_XDECREF(name);
    return value == Py_None ? NULL : value;
}

/* -1 without an exception on top of one: returns -1 always. */
static int refuse(PyObject *error, const char *key, const char *why)
{
    if (!PyErr_Occurred())
        PyErr_Format(error, "%s %s", key, why);
    return -1;
}

/* A tuple of ints. Returns how many. */
static int32_t read_tuple(PyObject *value, const char *key, int64_t *out)
{
    if (value == NULL || !PyTuple_Check(value))
        return refuse(PyExc_TypeError, key, "must be a tuple of ints");
    return svpy_extents(value, out);
}

static int read_version(PyObject *dict)
{
    PyObject *version = svpy_dict_get(dict, "version");

    if (version == NULL || !PyIndex_Check(version))
        return refuse(PyExc_TypeError, "version", "must be an int");
    return 0;
}

/* Whoever knows only the bytes of an element must not be told of Python objects among them. */
static int check_descr(PyObject *dict, const char *typestr)
{
    PyObject *descr = svpy_dict_get(dict, "descr"), *function, *answer;

    if (descr == NULL || typestr[0] == '\0' || typestr[1] != 'V')
        return PyErr_Occurred() ? -1 : 0;
    function = svpy_helper("strideview._interface", "check_descr");
    answer = function == NULL ? NULL : PyObject_CallFunction(function, "Os", descr, typestr);
    Py_XDECREF(function);
    Py_XDECREF(answer);
    return answer == NULL ? -1 : 0;
}

static int read_typestr(PyObject *dict, struct svpy_fields *f)
{
    PyObject *typestr = svpy_dict_get(dict, "typestr");
    Py_ssize_t length;

    if (typestr == NULL || !PyUnicode_Check(typestr))
        return refuse(PyExc_TypeError, "typestr", "must be a str");
    f->typestr = PyUnicode_AsUTF8AndSize(typestr, &length);
    if (f->typestr == NULL)
        return -1;
    if (strlen(f->typestr) != (size_t)length)
        return refuse(PyExc_ValueError, "typestr", "holds a NUL");
    return check_descr(dict, f->typestr);
}

static int read_axes(PyObject *dict, struct svpy_fields *f)
{
    PyObject *strides;
    int32_t count;

    f->ndim = read_tuple(svpy_dict_get(dict, "shape"), "shape", f->shape);
    if (f->ndim < 0)
        return -1;
    strides = svpy_dict_get(dict, "strides");
    if (strides == NULL)
        return PyErr_Occurred() ? -1 : 0;
    count = read_tuple(strides, "strides", f->strides);
    if (count >= 0 && count != f->ndim)
        return refuse(PyExc_ValueError, "strides", "must be as many as shape has extents");
    f->strided = true;
    return count < 0 ? -1 : 0;
}

/* (address, read-only), the address an int or None. */
static int read_pointer(PyObject *data, struct svpy_fields *f)
{
    PyObject *address, *number;
    int readonly;

    if (PyTuple_GET_SIZE(data) != 2)
        return refuse(PyExc_TypeError, "data", "must be a pair of an address and a bool");
    address = PyTuple_GET_ITEM(data, 0);
    readonly = PyObject_IsTrue(PyTuple_GET_ITEM(data, 1));
    if (readonly < 0)
        return -1;
    f->flags = readonly ? SV_READ_ONLY : 0;
    if (address == Py_None)
        return 0;
    number = PyNumber_Index(address);
    if (number == NULL)
        return -1;
    f->pointer = PyLong_AsVoidPtr(number);
    Py_DECREF(number);
    return f->pointer == NULL && PyErr_Occurred() ? -1 : 0;
}

/* Bytes of another object, or of the exporter itself, from an offset. */
static int read_buffer(PyObject *source, PyObject *dict, struct svpy_fields *f)
{
    PyObject *offset = svpy_dict_get(dict, "offset");

    if (PyErr_Occurred() || (offset != NULL && svpy_int64(offset, &f->offset) < 0))
        return -1;
    f->buffer = svpy_hold_buffer(source, PyBUF_SIMPLE);
    if (f->buffer == NULL)
        return -1;
    if (f->offset < 0 || f->offset > f->buffer->len)
        return refuse(PyExc_ValueError, "offset", "lies outside the buffer of data");
    f->pointer = (char *)f->buffer->buf + f->offset;
    f->flags = f->buffer->readonly ? SV_READ_ONLY : 0;
    return 0;
}

static int read_data(PyObject *object, PyObject *dict, struct svpy_fields *f, bool host)
{
    PyObject *data = svpy_dict_get(dict, "data");

    if (PyErr_Occurred())
        return -1;
    if (data != NULL && PyTuple_Check(data))
        return read_pointer(data, f);
    if (!host)
        return refuse(PyExc_TypeError, "data", "must be a pair of an address and a bool");
    return read_buffer(data == NULL ? object : data, dict, f);
}

int svpy_read_fields(PyObject *object, PyObject *dict, struct svpy_fields *f, bool host)
{
    if (read_version(dict) < 0 || read_typestr(dict, f) < 0 || read_axes(dict, f) < 0)
        return -1;
    if (svpy_dict_get(dict, "mask") != NULL || PyErr_Occurred())
        return refuse(PyExc_BufferError, "mask", "cannot be kept in a view");
    return read_data(object, dict, f, host);
}

/* --- making the view ------------------------------------------------------ */

/* Where data is a buffer, its size is known. */
static int check_bounds(const sv_view *view, const struct svpy_fields *f)
{
    int64_t lower = 0, upper = 0;

    if (f->buffer == NULL)
        return 0;
    sv_layout_byte_bounds(sv_view_layout(view), &lower, &upper);
    if (lower >= -f->offset && upper <= f->buffer->len - f->offset)
        return 0;
    PyErr_Format(PyExc_ValueError, "elements occupy bytes %lld to %lld of a buffer of %zd bytes",
                 (long long)(lower + f->offset), (long long)(upper + f->offset), f->buffer->len);
    return -1;
}

sv_view *svpy_view_of_fields(PyObject *object, const struct svpy_fields *f, int32_t device_type, int32_t device_id)
{
    sv_view *view = NULL;
    sv_status status = sv_view_from_array_interface(
        f->typestr, f->ndim, f->shape, f->strided ? f->strides : NULL, f->pointer, device_type, device_id, f->flags,
        f->buffer != NULL ? svpy_end_buffer : svpy_end_object, f->buffer != NULL ? (void *)f->buffer : object, &view);

    if (status != SV_OK) {
        if (f->buffer != NULL)
            svpy_end_buffer(f->buffer);
        return svpy_raise_exchange(status);
    }
    if (f->buffer == NULL)
        Py_INCREF(object);
    if (check_bounds(view, f) < 0) {
        sv_view_release(view);
        return NULL;
    }
    return view;
}

/* The type strings know too few types: obj.dtype may tell which one of "|V1" it is. Never fails. */
static sv_view *name_type(sv_view *view, PyObject *object)
{
    PyObject *told = PyObject_GetAttrString(object, "dtype");
    sv_view *named = NULL;
    sv_dtype dtype = SV_OPAQUE;

    if (told != NULL && svpy_dtype(told, &dtype) == 0 && dtype != SV_OPAQUE &&
        sv_view_with_dtype(view, dtype, &named) == SV_OK) {
        sv_view_release(view);
        view = named;
    }
    PyErr_Clear();
    Py_XDECREF(told);
    return view;
}

static sv_view *view_of(PyObject *object, PyObject *dict, bool host, int32_t device_id)
{
    struct svpy_fields f = {0};
    sv_view *view;

    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%U of %.100s is no dict but %.100s", host ? name_host : name_cuda,
                     Py_TYPE(object)->tp_name, Py_TYPE(dict)->tp_name);
        return NULL;
    }
    if (svpy_read_fields(object, dict, &f, host) < 0) {
        if (f.buffer != NULL)
            svpy_end_buffer(f.buffer);
        return NULL;
    }
    view = svpy_view_of_fields(object, &f, host ? SV_DEVICE_CPU : SV_DEVICE_CUDA, device_id);
    return view != NULL && sv_view_dtype(view) == SV_OPAQUE ? name_type(view, object) : view;
}

PyObject *svpy_ask(PyObject *object, PyObject *name)
{
    PyObject *dict = PyObject_GetAttr(object, name);

    if (dict == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    return dict;
}

sv_view *svpy_from_interface(PyObject *object)
{
    PyObject *dict = svpy_ask(object, name_host);
    sv_view *view = dict == NULL ? NULL : view_of(object, dict, true, 0);

    Py_XDECREF(dict);
    return view;
}

/* --- CUDA ----------------------------------------------------------------- */

/* Work that the producer left on a stream is waited for by the caller's stream; if that is -1, by who comes next. */
static int order_streams(const sv_view *view, PyObject *dict, struct svpy_streams *streams)
{
    PyObject *told = svpy_dict_get(dict, "stream");
    int64_t theirs = SVPY_NOTHING, ours;

    if (PyErr_Occurred() || (told != NULL && svpy_stream(told, &theirs) < 0) ||
        svpy_stream_on(SV_DEVICE_CUDA, theirs, &theirs) < 0 ||
        svpy_stream_on(SV_DEVICE_CUDA, streams->given, &ours) < 0 || svpy_wait(view, ours, theirs) < 0)
        return -1;
    streams->ready = ours < 0 || theirs < 0 ? theirs : ours;
    return 0;
}

/* The protocol does not tell the device; CuPy's device.id and PyTorch's device.index do. Else 0. */
static int32_t device_of(PyObject *object)
{
    static const char *const names[] = {"id", "index"};
    PyObject *device = PyObject_GetAttrString(object, "device");
    int64_t id = 0;

    for (int i = 0; device != NULL && i < 2; i++) {
        PyObject *number = PyObject_GetAttrString(device, names[i]);
        bool found = number != NULL && PyLong_Check(number) && svpy_int64(number, &id) == 0;

        PyErr_Clear();
        Py_XDECREF(number);
        if (found)
            break;
    }
    PyErr_Clear();
    Py_XDECREF(device);
    return id > 0 && id <= INT32_MAX ? (int32_t)id : 0;
}

sv_view *svpy_from_cuda_interface(PyObject *object, struct svpy_streams *streams)
{
    PyObject *dict = svpy_ask(object, name_cuda);
    sv_view *view = dict == NULL ? NULL : view_of(object, dict, false, device_of(object));

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
    PyObject *names = PyObject_GetAttrString(kept, "names"), *descr = NULL;
    int failed = 0;

    if (names != NULL && names != Py_None)
        descr = PyObject_GetAttrString(kept, "descr");
    PyErr_Clear();
    if (descr != NULL)
        failed = PyDict_SetItemString(dict, "descr", descr);
    Py_XDECREF(descr);
    Py_XDECREF(names);
    return failed;
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
    PyObject *dict = fields_of(self->handle, nowhere, typestr_of(self->handle, kept));

    if (dict != NULL && kept != NULL && add_descr(dict, kept) < 0)
        Py_CLEAR(dict);
    Py_XDECREF(kept);
    return dict;
}

PyObject *svpy_array_interface(PyObject *self, void *Py_UNUSED(closure))
{
    const sv_view *view = ((svpy_view *)self)->handle;

    if (svpy_is_host(view)) /* NumPy 1.26 takes no NULL */
        return svpy_settle(view, ((svpy_view *)self)->stream) < 0 ? NULL : interface_of((svpy_view *)self, view);
    PyErr_SetString(PyExc_AttributeError, "the memory of the view cannot be read by the host");
    return NULL;
}

PyObject *svpy_cuda_array_interface(PyObject *self, void *Py_UNUSED(closure))
{
    const sv_view *view = ((svpy_view *)self)->handle;
    int64_t stream = ((svpy_view *)self)->stream;
    PyObject *dict, *told;

    switch (sv_view_device_type(view)) {
    case SV_DEVICE_CUDA:
    case SV_DEVICE_CUDA_MANAGED:
        break;
    default:
        PyErr_SetString(PyExc_AttributeError, "the memory of the view is not that of a CUDA device");
        return NULL;
    }
    dict = interface_of((svpy_view *)self, NULL);
    told = stream < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(stream);
    if (dict != NULL && (told == NULL || PyDict_SetItemString(dict, "stream", told) < 0))
        Py_CLEAR(dict);
    Py_XDECREF(told);
    return dict;
}
