/* The dictionaries that array interfaces are: read, and viewed. */
#include "protocols/interface_dict.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/errors.h"
#include "base/helper.h"
#include "execution/release.h"
#include "execution/stream.h"

/* --- reading a dictionary ------------------------------------------------- */

PyObject *svpy_dict_get(PyObject *dict, const char *key)
{
    PyObject *name = PyUnicode_FromString(key);
    PyObject *value = name == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(dict, name));

    Py_XDECREF(name);
    if (value == Py_None)
        Py_CLEAR(value);
    return value;
}

int svpy_dict_int64(PyObject *dict, const char *key, int64_t *out)
{
    PyObject *value = svpy_dict_get(dict, key);
    int failed = PyErr_Occurred() != NULL;

    if (value != NULL)
        failed = svpy_int64(value, out) < 0;
    Py_XDECREF(value);
    return failed ? -1 : 0;
}

/* Raise an error about a key unless one is pending. Returns -1. */
static int refuse_key(PyObject *error, const char *key, const char *why)
{
    if (!PyErr_Occurred())
        PyErr_Format(error, "%s %s", key, why);
    return -1;
}

/* A tuple of ints under a key. Returns how many; absent where there is no such key. */
static int32_t read_tuple(PyObject *dict, const char *key, int64_t *out, int32_t absent)
{
    PyObject *value = svpy_dict_get(dict, key);
    int32_t count = absent;

    if (value == NULL && absent >= 0)
        return PyErr_Occurred() ? -1 : absent;
    if (value == NULL || !PyTuple_Check(value))
        count = refuse_key(PyExc_TypeError, key, "must be a tuple of ints");
    else
        count = svpy_extents(value, out);
    Py_XDECREF(value);
    return count;
}

static int read_version(PyObject *dict)
{
    PyObject *version = svpy_dict_get(dict, "version");
    bool told = version != NULL && PyIndex_Check(version);

    Py_XDECREF(version);
    return told ? 0 : refuse_key(PyExc_TypeError, "version", "must be an int");
}

/* Whoever knows only the bytes of an element must not be told of Python objects among them. */
static int check_descr(PyObject *dict, const char *typestr)
{
    PyObject *descr = typestr[0] == '\0' || typestr[1] != 'V' ? NULL : svpy_dict_get(dict, "descr");
    PyObject *function, *answer;

    if (descr == NULL)
        return PyErr_Occurred() ? -1 : 0;
    function = svpy_helper("strideview._interface", "check_descr");
    answer = function == NULL ? NULL : PyObject_CallFunction(function, "Os", descr, typestr);
    Py_XDECREF(function);
    Py_XDECREF(answer);
    Py_DECREF(descr);
    return answer == NULL ? -1 : 0;
}

static int read_typestr(PyObject *dict, struct svpy_fields *f)
{
    Py_ssize_t length;

    f->holder = svpy_dict_get(dict, "typestr");
    if (f->holder == NULL || !PyUnicode_Check(f->holder))
        return refuse_key(PyExc_TypeError, "typestr", "must be a str");
    f->typestr = PyUnicode_AsUTF8AndSize(f->holder, &length);
    if (f->typestr == NULL)
        return -1;
    if (strlen(f->typestr) != (size_t)length)
        return refuse_key(PyExc_ValueError, "typestr", "holds a NUL");
    return check_descr(dict, f->typestr);
}

static int read_axes(PyObject *dict, struct svpy_fields *f)
{
    int32_t count;

    f->ndim = read_tuple(dict, "shape", f->shape, -1);
    count = f->ndim < 0 ? -1 : read_tuple(dict, "strides", f->strides, SV_MAX_NDIM + 1);
    if (count < 0)
        return -1;
    f->strided = count <= SV_MAX_NDIM;
    if (f->strided && count != f->ndim)
        return refuse_key(PyExc_ValueError, "strides", "must be as many as shape has extents");
    return 0;
}

/* (address, read-only), the address an int or None. */
static int read_pointer(PyObject *data, struct svpy_fields *f)
{
    PyObject *address, *number;
    int readonly;

    if (PyTuple_GET_SIZE(data) != 2)
        return refuse_key(PyExc_TypeError, "data", "must be a pair of an address and a bool");
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
    if (svpy_dict_int64(dict, "offset", &f->offset) < 0)
        return -1;
    f->buffer = svpy_hold_buffer(source, PyBUF_SIMPLE);
    if (f->buffer == NULL)
        return -1;
    if (f->offset < 0 || f->offset > f->buffer->len)
        return refuse_key(PyExc_ValueError, "offset", "lies outside the buffer of data");
    f->pointer = (char *)f->buffer->buf + f->offset;
    f->flags = f->buffer->readonly ? SV_READ_ONLY : 0;
    return 0;
}

static int read_data(PyObject *object, PyObject *dict, struct svpy_fields *f, bool host)
{
    PyObject *data = svpy_dict_get(dict, "data");
    int failed;

    if (PyErr_Occurred())
        return -1;
    if (data != NULL && PyTuple_Check(data))
        failed = read_pointer(data, f);
    else if (!host)
        failed = refuse_key(PyExc_TypeError, "data", "must be a pair of an address and a bool");
    else
        failed = read_buffer(data == NULL ? object : data, dict, f);
    Py_XDECREF(data);
    return failed;
}

static int refuse_mask(PyObject *dict)
{
    PyObject *mask = svpy_dict_get(dict, "mask");

    if (mask == NULL)
        return PyErr_Occurred() ? -1 : 0;
    Py_DECREF(mask);
    return refuse_key(PyExc_BufferError, "mask", "cannot be kept in a view");
}

int svpy_read_fields(PyObject *object, PyObject *dict, struct svpy_fields *f, bool host)
{
    if (read_version(dict) < 0)
        return -1;
    if (read_typestr(dict, f) < 0)
        return -1;
    if (read_axes(dict, f) < 0)
        return -1;
    if (refuse_mask(dict) < 0)
        return -1;
    return read_data(object, dict, f, host);
}

void svpy_end_fields(struct svpy_fields *f)
{
    if (f->buffer != NULL)
        svpy_end_buffer(f->buffer);
    Py_XDECREF(f->holder);
}

/* --- making the view ------------------------------------------------------ */

/* Where data is a buffer, its size is known. */
static int check_bounds(const sv_view *view, const struct svpy_fields *f, int64_t nbytes)
{
    int64_t lower = 0, upper = 0;

    sv_layout_byte_bounds(sv_view_layout(view), &lower, &upper);
    if (lower >= -f->offset && upper <= nbytes - f->offset)
        return 0;
    PyErr_Format(PyExc_ValueError, "elements occupy bytes %lld to %lld of a buffer of %lld bytes",
                 (long long)(lower + f->offset), (long long)(upper + f->offset), (long long)nbytes);
    return -1;
}

static sv_status view_as_typestr(PyObject *object, const struct svpy_fields *f, const char *typestr,
                                 int32_t device_type, int32_t device_id, sv_view **out)
{
    Py_buffer *buffer = f->buffer;

    return sv_view_from_array_interface(
        typestr, f->ndim, f->shape, f->strided ? f->strides : NULL, f->pointer, device_type, device_id, f->flags,
        buffer != NULL ? svpy_end_buffer : svpy_end_object, buffer != NULL ? (void *)buffer : object, out);
}

sv_view *svpy_view_of_fields(PyObject *object, struct svpy_fields *f, int32_t device_type, int32_t device_id)
{
    Py_buffer *buffer = f->buffer;
    sv_view *view = NULL;
    sv_status status = view_as_typestr(object, f, f->typestr, device_type, device_id, &view);
    char opaque[32];

    if (status == SV_ERROR_UNSUPPORTED && f->any_order) {
        PyOS_snprintf(opaque, sizeof opaque, "|V%.20s", f->typestr + 2);
        status = view_as_typestr(object, f, opaque, device_type, device_id, &view);
    }
    if (status != SV_OK)
        return svpy_raise_exchange(status);
    f->buffer = NULL; /* now the view's */
    if (buffer == NULL)
        Py_INCREF(object);
    if (buffer == NULL || check_bounds(view, f, buffer->len) == 0)
        return view;
    sv_view_release(view);
    return NULL;
}

/* --- the stream --------------------------------------------------------------- */

int svpy_read_stream(PyObject *dict, int64_t *theirs)
{
    PyObject *told = svpy_dict_get(dict, "stream");
    int failed = PyErr_Occurred() != NULL;

    *theirs = SVPY_NOTHING;
    if (told != NULL && told != Py_None)
        failed = svpy_stream(told, theirs) < 0;
    Py_XDECREF(told);
    return failed ? -1 : svpy_stream_told(SV_DEVICE_CUDA, *theirs, theirs);
}

int svpy_interface_stream(const struct svpy_state *state, PyObject *object, int64_t *out)
{
    PyObject *dict = svpy_try_attribute(object, state->names.cuda_array_interface);
    const int told = dict != NULL && PyDict_Check(dict) && svpy_read_stream(dict, out) == 0 && *out >= 0;

    Py_XDECREF(dict);
    return svpy_clear_exception() < 0 ? -1 : told;
}
