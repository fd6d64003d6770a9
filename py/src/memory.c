/* Functions of the package: view, empty, copy. */
#include "svpy.h"

#include <stdlib.h>

enum {
    ALIGNMENT = 64,
    LONG_COPY = 32768 /* bytes from which other threads may run meanwhile */
};

sv_status svpy_allocate_plain(const sv_layout *layout, sv_dtype dtype, sv_view **out)
{
    int64_t nbytes = sv_layout_nbytes(layout);
    sv_status status;
    void *base;

    if (nbytes > PY_SSIZE_T_MAX - ALIGNMENT)
        return SV_ERROR_MEMORY;
    base = aligned_alloc(ALIGNMENT, ((size_t)nbytes / ALIGNMENT + 1) * ALIGNMENT);
    if (base == NULL)
        return SV_ERROR_MEMORY;
    status = sv_view_new(layout, base, 0, nbytes, dtype, SV_DEVICE_CPU, 0, 0, free, base, out);
    if (status != SV_OK)
        free(base);
    return status;
}

sv_view *svpy_allocate(const sv_layout *layout, sv_dtype dtype)
{
    sv_view *view = NULL;
    sv_status status = svpy_allocate_plain(layout, dtype, &view);

    if (status == SV_ERROR_MEMORY)
        return (void *)PyErr_NoMemory();
    return status == SV_OK ? view : svpy_raise(status);
}

/* The device whose streams a copy goes by: CUDA's rules hold where the host alone copies. */
static const svpy_view *side_on_device(const svpy_view *target, const svpy_view *source)
{
    return svpy_is_host(target->handle) ? source : target;
}

/* What the copy waits for: the host all that was put on streams, a stream the others. */
static int order_copy(const svpy_view *target, const svpy_view *source, int64_t stream)
{
    if (svpy_is_host(target->handle) && svpy_is_host(source->handle))
        return svpy_settle(target->handle, target->stream) < 0 ? -1 : svpy_settle(source->handle, source->stream);
    return svpy_wait(target->handle, stream, target->stream) < 0
               ? -1
               : svpy_wait(source->handle, stream, source->stream);
}

/* By a plan, which has flags of its own, or without. */
static sv_status run(const sv_plan *plan, const sv_view *target, const sv_view *source, uint32_t flags, int64_t stream)
{
    if (plan != NULL)
        return sv_plan_execute_views(plan, target, source, (uintptr_t)stream);
    return sv_copy(target, source, flags, (uintptr_t)stream);
}

static sv_status copy(const sv_plan *plan, const sv_view *target, const sv_view *source, uint32_t flags, int64_t stream)
{
    sv_status status;

    if (sv_layout_nbytes(sv_view_layout(target)) < LONG_COPY)
        return run(plan, target, source, flags, stream);
    Py_BEGIN_ALLOW_THREADS
    status = run(plan, target, source, flags, stream);
    Py_END_ALLOW_THREADS
    return status;
}

/* NumPy's word for which dtypes may meet; NULL: equal ones. */
static int casting_flag(PyObject *casting, uint32_t *flags)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } words[] = {{"no", 0}, {"same_kind", SV_COPY_CAST}, {"unsafe", SV_COPY_CAST_UNSAFE}};

    if (casting == NULL)
        return 0;
    for (size_t i = 0; PyUnicode_Check(casting) && i < sizeof words / sizeof *words; i++)
        if (PyUnicode_CompareWithASCIIString(casting, words[i].word) == 0) {
            *flags |= words[i].flag;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "casting must be 'no', 'same_kind' or 'unsafe', not %R", casting);
    return -1;
}

/* options: stream, casting, byteswap. */
int svpy_copy_flags(PyObject *const options[3], uint32_t *flags)
{
    int swaps = options[2] == NULL ? 0 : PyObject_IsTrue(options[2]);

    *flags = swaps > 0 ? SV_COPY_SWAP : 0;
    return swaps < 0 ? -1 : casting_flag(options[1], flags);
}

int svpy_copy_views(const sv_plan *plan, const svpy_view *target, const svpy_view *source,
                    PyObject *const options[3])
{
    int64_t given, handle;
    uint32_t flags;
    sv_status status;

    if (svpy_stream(options[0], &given) < 0 || svpy_copy_flags(options, &flags) < 0 ||
        svpy_stream_on(sv_view_device_type(side_on_device(target, source)->handle), given, &handle) < 0)
        return -1;
    if (given == SVPY_NOTHING) {
        PyErr_SetString(PyExc_ValueError, "stream -1 orders nothing; a copy needs a stream or None");
        return -1;
    }
    if (order_copy(target, source, handle) < 0)
        return -1;
    flags |= given == SVPY_ABSENT ? SV_COPY_BLOCKING : 0;
    status = copy(plan, target->handle, source->handle, flags, handle < 0 ? 0 : handle);
    if (status == SV_OK)
        return 0;
    svpy_raise(status);
    return -1;
}

static PyObject *view_function(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"view", 2, 1, {"obj", "stream"}};
    PyObject *values[2];

    if (nargs == 1 && kwnames == NULL)
        return svpy_import(args[0], NULL);
    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return svpy_import(values[0], values[1]);
}

static PyObject *new_empty(PyObject *shape, PyObject *dtype_given, PyObject *order_given)
{
    int64_t extents[SV_MAX_NDIM];
    int32_t axes[SV_MAX_NDIM], count = 0, ndim = svpy_extents(shape, extents);
    sv_order order = SV_ORDER_C;
    sv_dtype dtype = SV_FLOAT32;
    sv_layout *layout = NULL;
    sv_view *view;
    sv_status status;

    if (ndim < 0 || (dtype_given != NULL && svpy_dtype(dtype_given, &dtype) < 0))
        return NULL;
    if (order_given != NULL && svpy_order(order_given, 0, &order, &count, axes) < 0)
        return NULL;
    if (order == SV_ORDER_AXES && count != ndim) {
        PyErr_Format(PyExc_ValueError, "an order of %d axes for %d", count, ndim);
        return NULL;
    }
    if (sv_dtype_itemsize(dtype) == 0) {
        PyErr_SetString(PyExc_TypeError, "opaque items have no size of their own");
        return NULL;
    }
    status = sv_layout_new_dense(ndim, extents, order, axes, sv_dtype_itemsize(dtype), &layout);
    if (status != SV_OK)
        return svpy_raise(status);
    view = svpy_allocate(layout, dtype);
    sv_layout_release(layout);
    return view == NULL ? NULL : svpy_view_wrap(view, NULL, SVPY_NOTHING);
}

static PyObject *empty_function(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"empty", 3, 1, {"shape", "dtype", "order"}};
    PyObject *values[3];

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    return new_empty(values[0], values[1], values[2]);
}

static PyObject *copy_function(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy", 3, 2, {"dst", "src", "stream", "casting", "byteswap"}};
    PyObject *values[5], *target, *source = NULL;
    int failed = 1;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    target = svpy_import(values[0], values[2]);
    if (target != NULL)
        source = svpy_import(values[1], values[2]);
    if (source != NULL)
        failed = svpy_copy_views(NULL, (svpy_view *)target, (svpy_view *)source, values + 2) < 0;
    Py_XDECREF(source);
    Py_XDECREF(target);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

PyMethodDef svpy_functions[] = {
    {"view", FAST(view_function),
     PyDoc_STR("view($module, /, obj, stream=None)\n--\n\n"
               "View the memory of an array. Nothing is copied.\n\n"
               "obj speaks DLPack (NumPy, PyTorch, JAX, CuPy, ...), an array interface (NumPy's, CUDA's,\n"
               "dpctl's) or the buffer protocol (bytes, array.array, ctypes, mmap, ...), or is a DLPack\n"
               "capsule, or a view, which is returned as it is. Items that are no number, such as\n"
               "records, are opaque.\n"
               "stream says where memory of a device is going to be used: an int by the rules of the\n"
               "array API (CUDA: 1 legacy default, 2 per-thread default, else a handle; ROCm: 0 or a\n"
               "handle), an object with __cuda_stream__, or -1 to order nothing. None is the default\n"
               "stream. That stream waits for the producer's work; host memory has none.\n"
               "Where the memory lies is told by the producer: NumPy arrays are host memory even when\n"
               "it is pinned.\n"
               "A producer that cannot say whether writing is allowed gives a read-only view.")},
    {"empty", FAST(empty_function),
     PyDoc_STR("empty($module, /, shape, dtype='float32', order='C')\n--\n\n"
               "A view of fresh host memory, not initialised, aligned to 64 bytes.\n\n"
               "order is 'C', 'F' or a permutation of the axes, the slowest first.")},
    {"fill", FAST(svpy_fill),
     PyDoc_STR("fill($module, /, dst, value)\n--\n\n"
               "Write one value to every element of dst, a view or anything view() takes.\n\n"
               "value is a number that the dtype can hold (else OverflowError), or bytes where items are\n"
               "opaque. Items have 16 bytes at most.")},
    {"copy", FAST(copy_function),
     PyDoc_STR("copy($module, /, dst, src, stream=None, *, casting='no', byteswap=False)\n--\n\n"
               "Copy every element of src to the place with the same index in dst.\n\n"
               "Both are views or anything view() takes; src is broadcast to the shape of dst. Any strides\n"
               "are welcome, and the two may overlap. Without a stream the copy is done on return.\n"
               "Dtypes are equal, or casting allows a conversion: 'same_kind' of integers to wider or\n"
               "narrower ones, to floating and complex ones, 'unsafe' of any number to any other, by\n"
               "NumPy's rules. byteswap: src has the bytes of its numbers in the other order.")},
    {NULL, NULL, 0, NULL},
};
