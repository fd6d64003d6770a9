/* Many copies in one call, by a plan or without one. */
#include "copies/batch.h"

#include "base/arguments.h"
#include "base/signature.h"
#include "base/state.h"
#include "copies/casting.h"
#include "copies/copy.h"
#include "copies/opaque.h"
#include "copies/order.h"
#include "execution/interruptible.h"
#include "execution/stream.h"
#include "objects/view_stream.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

struct batch {
    struct svpy_state *state;
    int64_t count;
    sv_view **target, **source; /* handles of its own */
    int64_t given, stream, nbytes;    /* the stream as it was named; as the copies go by; bytes written */
    uint32_t flags;
    const int32_t *axis; /* of a stack: along which the sources lie in the one target; NULL: pairs */
};

/* Acquire a handle, and the stream on which its memory is ready. */
static int acquire_side(struct batch *batch, PyObject *object, svpy_side *side)
{
    side->handle = svpy_acquire(batch->state, object, batch->given, &side->stream);
    return side->handle == NULL ? -1 : 0;
}

static int add_pair(struct batch *batch, PyObject *dst, PyObject *src)
{
    svpy_side target, source;
    int64_t stream, nbytes;

    if (acquire_side(batch, dst, &target) < 0)
        return -1;
    if (acquire_side(batch, src, &source) < 0) {
        sv_view_release((sv_view *)target.handle);
        return -1;
    }
    batch->target[batch->count] = (sv_view *)target.handle;
    batch->source[batch->count++] = (sv_view *)source.handle;
    nbytes = sv_layout_nbytes(sv_view_layout(target.handle)); /* of views not yet checked: the sum may not fit */
    batch->nbytes = nbytes < INT64_MAX - batch->nbytes ? batch->nbytes + nbytes : INT64_MAX;
    if (svpy_check_items(batch->state, target.handle, dst, source.handle, src) < 0)
        return -1;
    if (svpy_check_casting(target.handle, source.handle, batch->flags) < 0)
        return -1;
    if (svpy_copy_order(&target, &source, batch->given, &stream) < 0)
        return -1;
    if (stream >= 0 && batch->stream >= 0 && stream != batch->stream) {
        PyErr_SetString(PyExc_ValueError, "one batch, but devices whose default streams differ");
        return -1;
    }
    batch->stream = stream >= 0 ? stream : batch->stream;
    return 0;
}

static int run_batch(const sv_plan *plan, const struct batch *batch)
{
    const uintptr_t stream = batch->stream < 0 ? 0 : (uintptr_t)batch->stream;
    PyThreadState *state = batch->nbytes < SVPY_LONG_COPY ? NULL : PyEval_SaveThread();
    sv_status status;

    if (batch->axis != NULL)
        status = sv_copy_stack(batch->target[0], *batch->axis, batch->count, batch->source, batch->flags & ~SVPY_SAFE,
                               stream, NULL);
    else if (plan != NULL)
        status = sv_plan_execute_views_batch(plan, batch->count, batch->target, batch->source, stream, NULL);
    else
        status = sv_copy_batch(batch->count, batch->target, batch->source, batch->flags & ~SVPY_SAFE, stream, NULL);
    if (state != NULL)
        PyEval_RestoreThread(state);
    return svpy_copy_tell(status);
}

/* Work on streams from here on comes after the copies. */
static void record_batch(const struct batch *batch, PyObject *dst)
{
    for (int64_t k = 0; k < batch->count; k++) {
        PyObject *target = PyTuple_GET_ITEM(dst, k);

        if (svpy_host_copies(batch->target[k], batch->source[k]))
            continue;
        if (svpy_is_view(batch->state, target))
            svpy_follow((svpy_view *)target, batch->flags, batch->stream);
        else
            svpy_record(batch->target[k], batch->flags, batch->stream);
        svpy_record(batch->source[k], batch->flags, batch->stream);
    }
}

/* All checked, then all copied. The first pair stands for what a plan waits for, since all go the same way. */
static int copy_pairs(struct batch *batch, const sv_plan *plan, PyObject *dst, PyObject *src)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(dst);
    const bool is_planned = plan != NULL && count > 0;

    for (Py_ssize_t k = 0; k < count; k++)
        if (add_pair(batch, PyTuple_GET_ITEM(dst, k), PyTuple_GET_ITEM(src, k)) < 0)
            return -1;
    if (is_planned &&
        svpy_plan_begin(batch->target[0], batch->source[0], batch->flags, batch->given, batch->stream) < 0)
        return -1;
    if (run_batch(plan, batch) < 0)
        return -1;
    if (is_planned && svpy_plan_finish(batch->target[0], batch->source[0], batch->flags, batch->stream) < 0)
        return -1;
    record_batch(batch, dst);
    return 0;
}

/* dst and src are tuples; different lengths are a ValueError. axis: NULL, or that of a stack. */
static int copy_all(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src, const int32_t *axis,
                    PyObject *const *options)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(dst);
    struct batch batch = {.state = state, .stream = SVPY_NOTHING, .axis = axis};
    int failed;

    if (svpy_copy_how(options, &batch.given, &batch.flags) < 0)
        return -1;
    if (PyTuple_GET_SIZE(src) != count) {
        PyErr_Format(PyExc_ValueError, "%zd destinations for %zd sources", count, PyTuple_GET_SIZE(src));
        return -1;
    }
    batch.target = PyMem_Calloc((size_t)count, 2 * sizeof *batch.target);
    if (batch.target == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    batch.source = batch.target + count;
    failed = copy_pairs(&batch, plan, dst, src) < 0;
    for (int64_t k = 0; k < batch.count; k++) {
        sv_view_release(batch.target[k]);
        sv_view_release(batch.source[k]);
    }
    PyMem_Free(batch.target);
    return failed ? -1 : 0;
}

PyObject *svpy_batch(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src,
                     PyObject *const *options)
{
    PyObject *targets = PySequence_Tuple(dst), *sources = targets == NULL ? NULL : PySequence_Tuple(src);
    int failed = 1;

    if (sources != NULL)
        failed = copy_all(state, plan, targets, sources, NULL, options) < 0;
    Py_XDECREF(sources);
    Py_XDECREF(targets);
    return failed ? NULL : Py_NewRef(Py_None);
}

PyObject *svpy_copy_batch(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "copy_batch", 3, 2, {"dst", "src"}, SVPY_ORDERING | SVPY_CONVERTING};
    PyObject *values[2], *options[SVPY_OPTIONS];

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    return svpy_batch(svpy_state_of_module(module), NULL, values[0], values[1], options);
}

/* As many references to one object as there are sources. */
static PyObject *repeat_object(PyObject *object, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);

    for (Py_ssize_t k = 0; tuple != NULL && k < count; k++)
        PyTuple_SET_ITEM(tuple, k, Py_NewRef(object));
    return tuple;
}

PyObject *svpy_copy_stack(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "_copy_stack", 4, 3, {"dst", "src", "axis"}, SVPY_ORDERING | SVPY_CONVERTING};
    PyObject *values[3], *options[SVPY_OPTIONS], *sources, *targets;
    int32_t axis = 0;
    int failed = 1;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    if (svpy_axis(values[2], &axis) < 0)
        return NULL;
    sources = PySequence_Tuple(values[1]);
    targets = sources == NULL ? NULL : repeat_object(values[0], PyTuple_GET_SIZE(sources));
    if (targets != NULL && PyTuple_GET_SIZE(targets) == 0)
        PyErr_SetString(PyExc_ValueError, "one source or more is needed");
    else if (targets != NULL)
        failed = copy_all(svpy_state_of_module(module), NULL, targets, sources, &axis, options) < 0;
    Py_XDECREF(targets);
    Py_XDECREF(sources);
    return failed ? NULL : Py_NewRef(Py_None);
}
