/* Where memory is and how much of it: arguments, and what resources say of themselves. */
#include "objects/place.h"

#include "base/arguments.h"
#include "base/helper.h"
#include "objects/resource_struct.h"

#define SELF(object) ((svpy_resource *)(object))

/* --- arguments ---------------------------------------------------------------- */

int svpy_size(PyObject *object, const char *name, int64_t *out)
{
    if (PyBool_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be an int, not bool", name);
        return -1;
    }
    if (svpy_int64(object, out) < 0)
        return -1;
    if (*out >= 0)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s must not be negative, but is %lld", name, (long long)*out);
    return -1;
}

int svpy_memory_kind(PyObject *text, sv_memory *out)
{
    if (PyUnicode_Check(text)) {
        for (*out = SV_MEMORY_HOST; sv_memory_name(*out) != NULL; ++*out)
            if (PyUnicode_CompareWithASCIIString(text, sv_memory_name(*out)) == 0)
                return 0;
    }
    PyErr_Format(PyUnicode_Check(text) ? PyExc_ValueError : PyExc_TypeError,
                 "kind must be 'host', 'pinned', 'device', 'managed' or 'foreign', not %R", text);
    return -1;
}

int svpy_device_number(PyObject *object, int64_t *out)
{
    PyObject *function, *number;
    int failed;

    if (PyIndex_Check(object))
        return svpy_int64(object, out);
    function = svpy_helper("strideview._arguments", "device_number");
    number = function == NULL ? NULL : PyObject_CallOneArg(function, object);
    failed = number == NULL || svpy_int64(number, out) < 0;
    Py_XDECREF(number);
    Py_XDECREF(function);
    return failed ? -1 : 0;
}

static int read_ordinal(PyObject *object, int64_t *out)
{
    if (PyIndex_Check(object))
        return svpy_size(object, "device_id", out);
    if (svpy_device_number(object, out) < 0)
        return -1;
    if (*out >= 0)
        return 0;
    PyErr_Format(PyExc_ValueError, "device_id must be a CUDA device, not %R", object);
    return -1;
}

int svpy_ordinal(PyObject *object, int32_t *out)
{
    int64_t wide = 0;

    if (object != NULL && read_ordinal(object, &wide) < 0)
        return -1;
    if (wide > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "there is no device %lld", (long long)wide);
        return -1;
    }
    *out = (int32_t)wide;
    return 0;
}

/* --- resources ------------------------------------------------------------------- */

int svpy_resource_kind(PyObject *self, sv_memory *out)
{
    PyObject *told = PyObject_GetAttrString(self, "kind");
    const int failed = told == NULL || svpy_memory_kind(told, out) < 0;

    Py_XDECREF(told);
    return failed ? -1 : 0;
}

int32_t svpy_device_type_of(sv_memory kind)
{
    switch (kind) {
    case SV_MEMORY_PINNED: return SV_DEVICE_CUDA_HOST;
    case SV_MEMORY_DEVICE: return SV_DEVICE_CUDA;
    case SV_MEMORY_MANAGED: return SV_DEVICE_CUDA_MANAGED;
    case SV_MEMORY_FOREIGN: return SV_DEVICE_EXT;
    default: return SV_DEVICE_CPU;
    }
}

int svpy_resource_place(PyObject *self, sv_memory *kind, int32_t *device_type, int32_t *device_id)
{
    const sv_allocator *native = SELF(self)->native;
    PyObject *told;
    int64_t id = 0;
    int failed;

    if (native != NULL) {
        *kind = sv_allocator_kind(native);
        *device_type = sv_allocator_device_type(native);
        *device_id = sv_allocator_device_id(native);
        return 0;
    }
    if (svpy_resource_kind(self, kind) < 0)
        return -1;
    told = PyObject_GetAttrString(self, "device_id");
    failed = told == NULL || svpy_int64(told, &id) < 0;
    Py_XDECREF(told);
    if (failed)
        return -1;
    if (id > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "there is no device %lld", (long long)id);
        return -1;
    }
    *device_type = svpy_device_type_of(*kind);
    *device_id = id < 0 ? 0 : (int32_t)id; /* -1 is the host's */
    return 0;
}
