/* The dictionaries that array interfaces are: read, and viewed. */
#include "import.h"

/* --- reading a dictionary ------------------------------------------------- */

PyObject *svpy_ask(PyObject *object, PyObject *name)
{
    PyObject *dict = PyObject_GetAttr(object, name);

    if (dict == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    return dict;
}

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
