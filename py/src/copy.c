/* Copies: sv_copy(), or a plan's, of what Python gives. */
#include "svpy.h"

enum { LONG_COPY = 32768 }; /* bytes from which other threads may run meanwhile */

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

PyObject *svpy_copy(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
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
