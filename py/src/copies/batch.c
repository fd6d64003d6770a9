/* Many copies in one call, by a plan or without one. */
#include "copies/batch.h"

#include "base/arguments.h"
#include "base/helper.h"
#include "base/signature.h"
#include "base/state.h"
#include "copies/byteorder.h"
#include "copies/casting.h"
#include "copies/copy.h"
#include "copies/factors.h"
#include "copies/opaque.h"
#include "execution/interruptible.h"
#include "execution/stream.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

struct batch {
    struct svpy_state *state;
    int64_t count, nbytes;     /* copies that were added; bytes that they write */
    svpy_side *sides;          /* handles of its own: of copy k, the target at 2 * k and the source after it */
    sv_view **target, **source; /* the handles again, as libsv takes them */
    const sv_view *owner;      /* of the first copy that goes by a stream; NULL: none does */
    svpy_ordering order;
    const svpy_factors *factors; /* by which a batch without a plan scales; NULL: it does not */
    PyObject *casting;           /* as it was given, or NULL */
    const int32_t *axis; /* of a stack: along which the sources lie in the one target; NULL: pairs */
};

/* Acquire a handle, and what is known of its memory. */
static int acquire_side(struct batch *batch, PyObject *object, bool may_copy, svpy_side *side)
{
    return svpy_acquire(batch->state, object, batch->order.given, side, may_copy) == NULL ? -1 : 0;
}

/* Numbers in the other byte order, that go to numbers of this one, are brought into it at once. 0, or -1. */
static int order_source(const svpy_side *target, PyObject *src, svpy_side *source)
{
    PyObject *made;

    if (sv_view_dtype(target->handle) == SV_OPAQUE || sv_view_dtype(source->handle) != SV_OPAQUE)
        return 0;
    made = svpy_read_swapped(src);
    if (made == NULL)
        return PyErr_Occurred() ? -1 : 0;
    sv_view_release((sv_view *)source->handle);
    *source = svpy_side_of((svpy_view *)made);
    sv_view_retain((sv_view *)source->handle);
    source->producer = NULL;
    Py_DECREF(made);
    return 0;
}

static int check_conversion(const struct batch *batch, const sv_view *target, const sv_view *source)
{
    if (batch->factors == NULL)
        return svpy_check_casting(target, source, batch->order.flags);
    if (svpy_factors_check(target, batch->factors) < 0)
        return -1;
    return svpy_factors_check_casting(target, source, batch->casting, batch->order.flags);
}

static int add_pair(struct batch *batch, PyObject *dst, PyObject *src)
{
    svpy_side *target = &batch->sides[2 * batch->count], *source = target + 1;
    int64_t nbytes;
    bool failed;

    if (acquire_side(batch, dst, false, target) < 0)
        return -1;
    if (acquire_side(batch, src, true, source) < 0) {
        sv_view_release((sv_view *)target->handle);
        return -1;
    }
    failed = order_source(target, src, source) < 0;
    batch->target[batch->count] = (sv_view *)target->handle;
    batch->source[batch->count++] = (sv_view *)source->handle;
    nbytes = sv_layout_nbytes(sv_view_layout(target->handle)); /* of views not yet checked: the sum may not fit */
    batch->nbytes = nbytes < INT64_MAX - batch->nbytes ? batch->nbytes + nbytes : INT64_MAX;
    if (failed || svpy_check_items(batch->state, target->handle, dst, source->handle, src) < 0)
        return -1;
    return check_conversion(batch, target->handle, source->handle);
}

/* Default streams are those of each device; any other stream belongs to one. */
static int check_same_device(const struct batch *batch, const sv_view *owner)
{
    const bool same = sv_view_device_id(owner) == sv_view_device_id(batch->owner) &&
                      (sv_device_traits(sv_view_device_type(owner)) & SV_TRAIT_CUDA) ==
                          (sv_device_traits(sv_view_device_type(batch->owner)) & SV_TRAIT_CUDA);

    if (same || (batch->order.stream <= 2 && sv_view_device_type(owner) == sv_view_device_type(batch->owner)))
        return 0;
    PyErr_SetString(PyExc_ValueError, "one batch, but devices whose streams differ: name one by stream=, or copy the "
                    "arrays of each device in a call of their own");
    return -1;
}

/* The stream of the first copy that goes by one is that of all; all are done on return where one of them must be. */
static int order_pair(struct batch *batch, int64_t k)
{
    const svpy_side *target = &batch->sides[2 * k], *source = target + 1;
    svpy_ordering own = batch->order;

    if (svpy_ordering_choose(batch->state, target, source, &own) < 0)
        return -1;
    batch->order.flags |= own.flags & SV_COPY_BLOCKING;
    if (own.stream >= 0 && batch->owner == NULL) {
        batch->owner = svpy_copy_owner(target->handle, source->handle);
        batch->order.stream = own.stream;
    } else if (own.stream >= 0) {
        if (check_same_device(batch, svpy_copy_owner(target->handle, source->handle)) < 0)
            return -1;
        own.stream = batch->order.stream;
    }
    return svpy_ordering_wait(batch->state, target, source, &own);
}

static int run_batch(const sv_plan *plan, const struct batch *batch)
{
    const uintptr_t stream = batch->order.stream < 0 ? 0 : (uintptr_t)batch->order.stream;
    const uint32_t flags = batch->order.flags & ~SVPY_SAFE;
    const svpy_factors *const f = batch->factors;
    PyThreadState *state = batch->nbytes < SVPY_LONG_COPY ? NULL : PyEval_SaveThread();
    sv_status status;

    if (batch->axis != NULL)
        status = sv_copy_stack(batch->target[0], *batch->axis, batch->count, batch->source, flags, stream, NULL);
    else if (plan != NULL)
        status = sv_plan_execute_views_batch(plan, batch->count, batch->target, batch->source, stream, NULL);
    else if (f != NULL)
        status = sv_copy_scaled_batch(batch->count, batch->target, batch->source, f->scale.values, f->scale.count,
                                      f->bias.values, f->bias.count, f->axis, flags, stream, NULL);
    else
        status = sv_copy_batch(batch->count, batch->target, batch->source, flags, stream, NULL);
    if (state != NULL)
        PyEval_RestoreThread(state);
    return svpy_copy_tell(status);
}

/* Work on streams from here on comes after the copies. */
static void end_batch(struct batch *batch, PyObject *dst)
{
    for (int64_t k = 0; k < batch->count; k++) {
        PyObject *target = PyTuple_GET_ITEM(dst, k);

        svpy_ordering_end(batch->state, svpy_is_view(batch->state, target) ? (svpy_view *)target : NULL,
                       &batch->sides[2 * k], &batch->sides[2 * k + 1], &batch->order);
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
    for (Py_ssize_t k = 0; k < count; k++)
        if (order_pair(batch, k) < 0)
            return -1;
    if (is_planned && svpy_plan_begin(batch->target[0], batch->source[0], &batch->order) < 0)
        return -1;
    if (run_batch(plan, batch) < 0)
        return -1;
    if (is_planned && svpy_plan_finish(batch->target[0], batch->source[0], &batch->order) < 0)
        return -1;
    end_batch(batch, dst);
    return 0;
}

/* Room for count copies, in one block. 0 or -1. */
static int start_batch(struct batch *batch, Py_ssize_t count)
{
    batch->sides = PyMem_Calloc((size_t)count, 2 * (sizeof *batch->sides + sizeof *batch->target));
    if (batch->sides == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    batch->target = (sv_view **)(batch->sides + 2 * count);
    batch->source = batch->target + count;
    return 0;
}

/* dst and src are tuples; different lengths are a ValueError. axis: NULL, or that of a stack. */
static int copy_all(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src, const int32_t *axis,
                    const svpy_factors *factors, PyObject *const *options)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(dst);
    struct batch batch = {.state = state, .factors = factors, .casting = options[SVPY_CASTING], .axis = axis};
    int failed;

    if (svpy_copy_how(options, &batch.order) < 0)
        return -1;
    if (PyTuple_GET_SIZE(src) != count) {
        PyErr_Format(PyExc_ValueError, "%zd destinations for %zd sources", count, PyTuple_GET_SIZE(src));
        return -1;
    }
    if (start_batch(&batch, count) < 0)
        return -1;
    failed = copy_pairs(&batch, plan, dst, src) < 0;
    for (int64_t k = 0; k < batch.count; k++) {
        sv_view_release(batch.target[k]);
        sv_view_release(batch.source[k]);
    }
    PyMem_Free(batch.sides);
    return failed ? -1 : 0;
}

/* A src that is no list may be an array in chunks, or a table: strideview._arrow knows. Other iterables stay what they
 * are. 0, or -1 with an exception; the references are new. */
static int find_pairs(PyObject *dst, PyObject *src, PyObject **targets, PyObject **sources)
{
    PyObject *function, *pairs = NULL, *first, *second;
    const bool plain = PyList_Check(src) || PyTuple_Check(src);

    *targets = *sources = NULL;
    if (!plain) {
        function = svpy_helper("strideview._arrow", "pairs");
        pairs = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, dst, src, NULL);
        Py_XDECREF(function);
        if (pairs == NULL || !PyArg_ParseTuple(pairs, "OO", &first, &second)) {
            Py_XDECREF(pairs);
            return -1;
        }
        dst = first;
        src = second;
    }
    *targets = PySequence_Tuple(dst);
    *sources = *targets == NULL ? NULL : PySequence_Tuple(src);
    Py_XDECREF(pairs);
    return *sources == NULL ? -1 : 0;
}

PyObject *svpy_batch(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src,
                     PyObject *const *options)
{
    const bool scales = plan == NULL && svpy_has_factors(options);
    svpy_factors factors = {.axis = 0};
    PyObject *targets, *sources;
    int failed = find_pairs(dst, src, &targets, &sources) < 0;

    if (!failed && scales)
        failed = svpy_factors_read(options, &factors) < 0;
    if (!failed)
        failed = copy_all(state, plan, targets, sources, NULL, scales ? &factors : NULL, options) < 0;
    svpy_factors_end(&factors);
    Py_XDECREF(sources);
    Py_XDECREF(targets);
    return failed ? NULL : Py_NewRef(Py_None);
}

PyObject *svpy_copy_batch(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {
        "copy_batch", 3, 2, {"dst", "src"}, SVPY_ORDERING | SVPY_CONVERTING | SVPY_SCALING};
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
        failed = copy_all(svpy_state_of_module(module), NULL, targets, sources, &axis, NULL, options) < 0;
    Py_XDECREF(targets);
    Py_XDECREF(sources);
    return failed ? NULL : Py_NewRef(Py_None);
}
