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
static sv_status run_alone(const sv_plan *plan, const sv_view *target, const sv_view *source, uint32_t flags, int64_t stream)
{
    if (plan != NULL)
        return sv_plan_execute_views(plan, target, source, (uintptr_t)stream);
    return sv_copy(target, source, flags, (uintptr_t)stream);
}

static sv_status run_shared(const sv_plan *plan, const sv_view *target, const sv_view *source, uint32_t flags,
                            int64_t stream, svpy_threads *threads)
{
    sv_plan *shared;
    sv_status status;

    if (plan == NULL)
        return sv_copy_parallel(target, source, threads->count, threads->run, threads->ctx, flags, (uintptr_t)stream);
    status = sv_plan_parallel(plan, threads->count, threads->run, threads->ctx, &shared);
    if (status != SV_OK)
        return status;
    status = sv_plan_execute_views(shared, target, source, (uintptr_t)stream);
    sv_plan_release(shared);
    return status;
}

static sv_status copy(const sv_plan *plan, const sv_view *target, const sv_view *source, uint32_t flags, int64_t stream,
                      svpy_threads *threads)
{
    sv_status status;

    if (threads->executor == NULL && sv_layout_nbytes(sv_view_layout(target)) < LONG_COPY)
        return run_alone(plan, target, source, flags, stream);
    threads->state = PyEval_SaveThread();
    if (threads->executor == NULL)
        status = run_alone(plan, target, source, flags, stream);
    else
        status = run_shared(plan, target, source, flags, stream, threads);
    PyEval_RestoreThread(threads->state);
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

int svpy_copy_flags(PyObject *const *options, uint32_t *flags)
{
    PyObject *byteswap = options[SVPY_BYTESWAP];
    int swaps = byteswap == NULL ? 0 : PyObject_IsTrue(byteswap);

    *flags = swaps > 0 ? SV_COPY_SWAP : 0;
    return swaps < 0 ? -1 : casting_flag(options[SVPY_CASTING], flags);
}

/* Flags, and the stream that the copy goes by, which now waits for what it has to; SVPY_NOTHING on the host. */
static int prepare(const svpy_view *target, const svpy_view *source, PyObject *const *options, uint32_t *flags,
                   int64_t *stream)
{
    int64_t given;

    if (svpy_stream(options[SVPY_STREAM], &given) < 0 || svpy_copy_flags(options, flags) < 0 ||
        svpy_stream_on(sv_view_device_type(side_on_device(target, source)->handle), given, stream) < 0)
        return -1;
    if (given == SVPY_NOTHING) {
        PyErr_SetString(PyExc_ValueError, "stream -1 orders nothing; a copy needs a stream or None");
        return -1;
    }
    *flags |= given == SVPY_ABSENT ? SV_COPY_BLOCKING : 0;
    return order_copy(target, source, *stream);
}

/* 0, or -1 with an exception: the executor's own, if it raised one. */
static int tell(sv_status status)
{
    if (status == SV_OK)
        return 0;
    if (!PyErr_Occurred())
        svpy_raise(status);
    return -1;
}

int svpy_copy_views(const sv_plan *plan, const svpy_view *target, const svpy_view *source, PyObject *const *options)
{
    svpy_threads threads;
    uint32_t flags;
    int64_t stream;

    if (svpy_threads_of(options[SVPY_EXECUTOR], options[SVPY_THREADS], &threads) < 0 ||
        prepare(target, source, options, &flags, &stream) < 0)
        return -1;
    return tell(copy(plan, target->handle, source->handle, flags, stream < 0 ? 0 : stream, &threads));
}

PyObject *svpy_copy(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy", 3, 2, {"dst", "src", SVPY_OPTION_NAMES}};
    PyObject *values[2 + SVPY_OPTIONS], *target, *source = NULL;
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

/* --- many copies ---------------------------------------------------------- */

struct batch {
    Py_ssize_t count;
    PyObject **dst, **src;           /* views */
    const sv_view **target, **source; /* their handles */
    uint32_t flags;
    int64_t stream, nbytes;
};

static int add_pair(struct batch *batch, PyObject *dst, PyObject *src, PyObject *const *options)
{
    const Py_ssize_t k = batch->count;
    svpy_view *target, *source;
    int64_t stream;

    if ((batch->dst[k] = svpy_import(dst, options[SVPY_STREAM])) == NULL)
        return -1;
    if ((batch->src[k] = svpy_import(src, options[SVPY_STREAM])) == NULL) {
        Py_DECREF(batch->dst[k]);
        return -1;
    }
    batch->count++;
    target = (svpy_view *)batch->dst[k];
    source = (svpy_view *)batch->src[k];
    batch->target[k] = target->handle;
    batch->source[k] = source->handle;
    batch->nbytes += sv_layout_nbytes(sv_view_layout(target->handle));
    if (prepare(target, source, options, &batch->flags, &stream) < 0)
        return -1;
    if (stream >= 0 && batch->stream >= 0 && stream != batch->stream) {
        PyErr_SetString(PyExc_ValueError, "one batch, but devices whose default streams differ");
        return -1;
    }
    batch->stream = stream >= 0 ? stream : batch->stream;
    return 0;
}

static int run_batch(const struct batch *batch)
{
    const uintptr_t stream = batch->stream < 0 ? 0 : (uintptr_t)batch->stream;
    PyThreadState *state = batch->nbytes < LONG_COPY ? NULL : PyEval_SaveThread();
    sv_status status = sv_copy_batch(batch->count, batch->target, batch->source, batch->flags, stream, NULL);

    if (state != NULL)
        PyEval_RestoreThread(state);
    return tell(status);
}

/* Tuples of as many each. */
static int copy_all(PyObject *dst, PyObject *src, PyObject *const *options)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(dst);
    struct batch batch = {.stream = SVPY_NOTHING};
    void **memory;
    int failed = 0;

    if (PyTuple_GET_SIZE(src) != count) {
        PyErr_Format(PyExc_ValueError, "%zd destinations for %zd sources", count, PyTuple_GET_SIZE(src));
        return -1;
    }
    memory = PyMem_Calloc((size_t)count, 4 * sizeof *memory);
    if (memory == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    batch.dst = (PyObject **)memory;
    batch.src = batch.dst + count;
    batch.target = (const sv_view **)(batch.src + count);
    batch.source = batch.target + count;
    for (Py_ssize_t k = 0; k < count && !failed; k++)
        failed = add_pair(&batch, PyTuple_GET_ITEM(dst, k), PyTuple_GET_ITEM(src, k), options) < 0;
    failed = failed || run_batch(&batch) < 0;
    for (Py_ssize_t k = 0; k < batch.count; k++) {
        Py_DECREF(batch.dst[k]);
        Py_DECREF(batch.src[k]);
    }
    PyMem_Free(memory);
    return failed ? -1 : 0;
}

PyObject *svpy_copy_batch(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy_batch", 3, 2, {"dst", "src", "stream", "casting", "byteswap"}};
    PyObject *values[2 + SVPY_OPTIONS], *dst, *src;
    int failed;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    dst = PySequence_Tuple(values[0]);
    src = dst == NULL ? NULL : PySequence_Tuple(values[1]);
    failed = src == NULL || copy_all(dst, src, values + 2) < 0;
    Py_XDECREF(src);
    Py_XDECREF(dst);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}
