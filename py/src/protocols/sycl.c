/* __sycl_usm_array_interface__, dpctl's: an array interface whose strides and offset count elements. */
#include "protocols/sycl.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/errors.h"
#include "base/state.h"
#include "protocols/interface_dict.h"

/* The dictionary does not tell which kind of memory it is; the object does. 1, 0 for device memory and when it does not
 * say, or -1. */
static int is_shared(const struct svpy_names *names, PyObject *object)
{
    PyObject *kind = svpy_get_attribute(object, names->usm_type);
    int shared;

    if (kind == NULL && !PyErr_Occurred() && svpy_has_attribute(object, names->get_usm_type) > 0)
        kind = PyObject_CallMethodNoArgs(object, names->get_usm_type);
    if (kind == NULL)
        return PyErr_Occurred() ? -1 : 0;
    shared = PyUnicode_Check(kind) && (PyUnicode_CompareWithASCIIString(kind, "shared") == 0 ||
                                       PyUnicode_CompareWithASCIIString(kind, "host") == 0);
    Py_DECREF(kind);
    return shared;
}

/* The device's number, as DLPack tells it; 0 where it does not; -1 with an exception. */
static int32_t find_sycl_device(const struct svpy_names *names, PyObject *object)
{
    PyObject *pair = PyObject_CallMethodNoArgs(object, names->dlpack_device);
    int64_t id = 0;

    if (pair != NULL && PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2)
        svpy_int64(PyTuple_GET_ITEM(pair, 1), &id);
    Py_XDECREF(pair);
    if (svpy_clear_exception() < 0)
        return -1;
    return id > 0 && id <= INT32_MAX ? (int32_t)id : 0;
}

static int refuse_overflow(const char *key)
{
    PyErr_Format(PyExc_OverflowError, "%s does not fit int64 in bytes", key);
    return -1;
}

/* The first version is 1. */
static int check_version(PyObject *dict)
{
    int64_t version = 0;

    if (svpy_dict_int64(dict, "version", &version) < 0)
        return -1;
    if (version >= 1)
        return 0;
    PyErr_Format(PyExc_BufferError, "version %lld of the dictionary does not exist", (long long)version);
    return -1;
}

/* Convert offset and strides from elements to bytes. */
static int scale_to_bytes(PyObject *dict, struct svpy_fields *f)
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
        return refuse_overflow("offset");
    for (int32_t i = 0; f->strided && i < f->ndim; i++) {
        if (__builtin_mul_overflow(f->strides[i], itemsize, &f->strides[i]))
            return refuse_overflow("strides");
    }
    if (f->pointer != NULL)
        f->pointer = (void *)((uintptr_t)f->pointer + (uintptr_t)bytes);
    return 0;
}

static sv_view *view_usm(const struct svpy_names *names, PyObject *object, PyObject *dict, bool shared)
{
    struct svpy_fields f = {0};
    sv_view *view = NULL;
    int32_t device;
    int failed;

    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%U of %.100s is no dict but %.100s", names->sycl_usm_array_interface,
                     Py_TYPE(object)->tp_name, Py_TYPE(dict)->tp_name);
        return NULL;
    }
    device = shared ? 0 : find_sycl_device(names, object);
    if (device < 0)
        return NULL;
    failed = svpy_read_fields(object, dict, &f, false) < 0;
    if (!failed)
        failed = check_version(dict) < 0;
    if (!failed)
        failed = scale_to_bytes(dict, &f) < 0;
    if (!failed)
        view = svpy_view_of_fields(object, &f, shared ? SV_DEVICE_CPU : SV_DEVICE_ONEAPI, device);
    svpy_end_fields(&f);
    return view;
}

sv_view *svpy_from_sycl(struct svpy_state *state, PyObject *object, bool shared)
{
    const struct svpy_names *names = &state->names;
    PyObject *name = names->sycl_usm_array_interface;
    PyObject *dict = is_shared(names, object) == shared ? svpy_get_attribute(object, name) : NULL;
    sv_view *view = dict == NULL ? NULL : view_usm(names, object, dict, shared);

    Py_XDECREF(dict);
    return view;
}
