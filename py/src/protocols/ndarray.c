/* NumPy's arrays, read in place: as extensions compiled with its headers do, only without NumPy. */
#include "protocols/ndarray.h"

#include "base/attribute.h"
#include "execution/release.h"
#include "strideview.h"

/* The fields that NumPy's binary interface has kept where they are since 1.7. */
struct descriptor {
    PyObject_HEAD
    PyTypeObject *scalar;
    char kind, letter, byteorder, flags;
    int number;
};

struct array {
    PyObject_HEAD
    char *data;
    int ndim;
    Py_ssize_t *shape, *strides;
    PyObject *base;
    struct descriptor *dtype;
    int flags;
};

enum { WRITEABLE = 0x400, AXES = sizeof((strideview_array *)0)->numbers / sizeof(int64_t) / 2 };
#define FAR ((int64_t)1 << 46) /* bytes: no element lies further away in memory that exists */
#define WARN_ON_WRITE INT_MIN /* the top bit: NumPy says read-only to others */

/* By NumPy's numbers of its types; those with 0 are left to the buffer protocol, and so are all others. */
static const sv_dtype dtypes[] = {
    SV_BOOL, SV_INT8, SV_UINT8, SV_INT16, SV_UINT16, SV_INT32, SV_UINT32,
    sizeof(long) == 8 ? SV_INT64 : SV_INT32, sizeof(long) == 8 ? SV_UINT64 : SV_UINT32, SV_INT64, SV_UINT64,
    SV_FLOAT32, SV_FLOAT64, 0, SV_COMPLEX64, SV_COMPLEX128, 0, 0, 0, 0, 0, 0, 0, SV_FLOAT16,
};

/* The table of NumPy's C API, which names of its modules cannot change, unlike numpy.ndarray. */
static void **find_numpy_table(void)
{
    static const char *const modules[] = {"numpy._core._multiarray_umath", "numpy.core._multiarray_umath"};
    void **table = NULL;

    for (int i = 0; table == NULL && !PyErr_Occurred() && i < 2; i++) {
        PyObject *module = svpy_loaded_module(modules[i]);
        PyObject *capsule = module == NULL ? NULL : svpy_try_attribute_text(module, "_ARRAY_API");

        if (capsule != NULL && PyCapsule_IsValid(capsule, NULL))
            table = PyCapsule_GetPointer(capsule, NULL);
        Py_XDECREF(capsule);
        Py_XDECREF(module);
    }
    return table;
}

PyTypeObject *svpy_ndarray_type(unsigned int *version)
{
    enum { INTERFACE_VERSION = 0, ARRAY_TYPE = 2 }; /* places in the table, the same in NumPy 1.x and 2.x */
    void **table = find_numpy_table();

    if (table == NULL)
        return NULL;
    *version = ((unsigned int (*)(void))table[INTERFACE_VERSION])();
    return table[ARRAY_TYPE];
}

bool svpy_ndarray_is_readable(const PyTypeObject *type, const PyTypeObject *ndarray, unsigned int version)
{
    return type->tp_as_buffer->bf_getbuffer == ndarray->tp_as_buffer->bf_getbuffer &&
           ndarray->tp_basicsize >= (Py_ssize_t)sizeof(struct array) &&
           (version == 0x1000009 || version == 0x2000000); /* of NumPy 1.x and 2.x */
}

/* SV_OPAQUE for what is no number of ours in native order. */
static sv_dtype dtype_of(const struct array *array)
{
    const struct descriptor *dtype = array->dtype;
    size_t number = (size_t)dtype->number;

    if (number >= sizeof dtypes / sizeof *dtypes || (dtype->byteorder != '=' && dtype->byteorder != '|'))
        return SV_OPAQUE;
    return dtypes[number];
}

static bool is_readonly(const struct array *array)
{
    return (array->flags & (WRITEABLE | WARN_ON_WRITE)) != WRITEABLE;
}

sv_view *svpy_from_ndarray(PyObject *object)
{
    const struct array *array = (const struct array *)object;
    sv_dtype dtype = dtype_of(array);
    sv_view *view = NULL;

    if (dtype != SV_OPAQUE &&
        sv_view_from_array(dtype, array->ndim, (const int64_t *)array->shape, (const int64_t *)array->strides,
                           array->data, SV_DEVICE_CPU, 0, is_readonly(array) ? SV_READ_ONLY : 0, svpy_end_object,
                           object, &view) == SV_OK)
        Py_INCREF(object);
    return view;
}

PyObject *svpy_ndarray_dtype(PyObject *object)
{
    return (PyObject *)((struct array *)object)->dtype;
}

/* Copies, because NumPy lets an array's shape change. False when there are many axes, or addresses go far. */
static bool copy_axes(const struct array *array, strideview_array *out)
{
    int64_t size = 1, way = 0;

    if (array->ndim > AXES)
        return false;
    for (int i = 0; i < array->ndim; i++) {
        int64_t extent = array->shape[i], stride = array->strides[i], reach;

        if (__builtin_mul_overflow(extent, stride, &reach) || reach > FAR || reach < -FAR)
            return false;
        way += reach < 0 ? -reach : reach;
        size *= extent; /* NumPy keeps it in range */
        out->numbers[i] = extent;
        out->numbers[AXES + i] = stride;
    }
    out->ndim = array->ndim;
    out->shape = out->numbers;
    out->byte_strides = out->numbers + AXES;
    out->size = size;
    out->data = size == 0 ? NULL : array->data;
    return way <= FAR;
}

bool svpy_read_ndarray(PyObject *object, bool writable, strideview_array *out)
{
    const struct array *array = (const struct array *)object;

    out->dtype = dtype_of(array);
    out->readonly = is_readonly(array);
    if (out->dtype == SV_OPAQUE || (writable && out->readonly) || !copy_axes(array, out))
        return false;
    out->itemsize = (out->dtype >> 8 & 0xff) / 8;
    out->device_type = SV_DEVICE_CPU;
    out->device_id = 0;
    out->view = NULL;
    return true;
}
