/* __sycl_usm_array_interface__, dpctl's: an array interface whose strides and offset count elements. */
#include "import.h"

static PyObject *name_sycl, *name_kind, *name_get_kind, *name_device;

int svpy_sycl_init(void)
{
    name_sycl = PyUnicode_InternFromString("__sycl_usm_array_interface__");
    name_kind = PyUnicode_InternFromString("usm_type");
    name_get_kind = PyUnicode_InternFromString("get_usm_type");
    name_device = PyUnicode_InternFromString("__dlpack_device__");
    return name_sycl && name_kind && name_get_kind && name_device ? 0 : -1;
}

/* The dictionary does not tell which kind of memory it is; the object does. 1, 0 for device memory and when it does not
 * say, or -1. */
static int is_shared(PyObject *object)
{
    PyObject *kind = svpy_ask(object, name_kind);
    int shared;

    if (kind == NULL && !PyErr_Occurred() && svpy_has(object, name_get_kind) > 0)
        kind = PyObject_CallMethodNoArgs(object, name_get_kind);
    if (kind == NULL)
        return PyErr_Occurred() ? -1 : 0;
    shared = PyUnicode_Check(kind) && (PyUnicode_CompareWithASCIIString(kind, "shared") == 0 ||
                                       PyUnicode_CompareWithASCIIString(kind, "host") == 0);
    Py_DECREF(kind);
    return shared;
}

/* The device's number, as DLPack tells it; 0 where it does not; -1 with an exception. */
static int32_t device_of(PyObject *object)
{
    PyObject *pair = PyObject_CallMethodNoArgs(object, name_device);
    int64_t id = 0;

    if (pair != NULL && PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2)
        svpy_int64(PyTuple_GET_ITEM(pair, 1), &id);
    Py_XDECREF(pair);
    if (svpy_forget() < 0)
        return -1;
    return id > 0 && id <= INT32_MAX ? (int32_t)id : 0;
}

static int overflow(const char *key)
{
    PyErr_Format(PyExc_OverflowError, "%s does not fit int64 in bytes", key);
    return -1;
}

/* Elements to bytes. */
static int scale(PyObject *dict, struct svpy_fields *f)
{
    sv_dtype dtype = SV_OPAQUE;
    int64_t bytes = 0, itemsize;
    sv_status status;

    if (svpy_dict_int64(dict, "offset", &bytes) < 0)
        return -1;
    status = sv_dtype_from_typestr(f->typestr, &dtype);
    if (status != SV_OK) {
        svpy_raise_exchange(status);
        return -1;
    }
    itemsize = sv_dtype_itemsize(dtype);
    if (__builtin_mul_overflow(bytes, itemsize, &bytes))
        return overflow("offset");
    for (int32_t i = 0; f->strided && i < f->ndim; i++) {
        if (__builtin_mul_overflow(f->strides[i], itemsize, &f->strides[i]))
            return overflow("strides");
    }
    if (f->pointer != NULL)
        f->pointer = (void *)((uintptr_t)f->pointer + (uintptr_t)bytes);
    return 0;
}

static sv_view *view_of(PyObject *object, PyObject *dict, bool shared)
{
    struct svpy_fields f = {0};
    sv_view *view = NULL;
    int32_t device;

    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%U of %.100s is no dict but %.100s", name_sycl, Py_TYPE(object)->tp_name,
                     Py_TYPE(dict)->tp_name);
        return NULL;
    }
    device = shared ? 0 : device_of(object);
    if (device >= 0 && svpy_read_fields(object, dict, &f, false) == 0 && scale(dict, &f) == 0)
        view = svpy_view_of_fields(object, &f, shared ? SV_DEVICE_CPU : SV_DEVICE_ONEAPI, device);
    svpy_end_fields(&f);
    return view;
}

sv_view *svpy_from_sycl(PyObject *object, bool shared)
{
    PyObject *dict = is_shared(object) == shared ? svpy_ask(object, name_sycl) : NULL;
    sv_view *view = dict == NULL ? NULL : view_of(object, dict, shared);

    Py_XDECREF(dict);
    return view;
}
