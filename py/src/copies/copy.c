/* One copy: sv_copy(), or a plan's, of what Python gives. */
#include "copies/copy.h"

#include "base/errors.h"
#include "base/state.h"
#include "copies/byteorder.h"
#include "copies/casting.h"
#include "copies/opaque.h"
#include "execution/call.h"
#include "execution/interruptible.h"
#include "execution/stream.h"
#include "execution/threads.h"
#include "objects/resource_object.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/current.h"

enum { LINE = 64, SHORT_TRAFFIC = 1 << 22 /* bytes of both sides' lines, which take less than 0.5 ms */ };

/* With memory of the caller's: only devices use it. Threads do not help then. */
static sv_status run_with(const sv_plan *plan, const sv_view *target, const sv_view *source,
                          const sv_allocator *allocator, uint32_t flags, int64_t stream)
{
    sv_plan *own;
    sv_status status;

    if (plan == NULL)
        return sv_copy_with(target, source, allocator, flags, (uintptr_t)stream);
    status = sv_plan_with_allocator(plan, allocator, &own);
    if (status != SV_OK)
        return status;
    status = sv_plan_execute_views(own, target, source, (uintptr_t)stream);
    sv_plan_release(own);
    return status;
}

/* By a plan, which has flags of its own, or without. */
static sv_status run_alone(const sv_plan *plan, const sv_view *target, const sv_view *source, uint32_t flags,
                           int64_t stream)
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
    status = sv_plan_with_threads(plan, threads->count, threads->run, threads->ctx, &shared);
    if (status != SV_OK)
        return status;
    status = sv_plan_execute_views(shared, target, source, (uintptr_t)stream);
    sv_plan_release(shared);
    return status;
}

/* Whether a copy is done before the threads of an executor could help, so that it is not worth to be cut in tasks. */
static bool is_short(const sv_view *target, const sv_view *source, uint32_t flags, int64_t nbytes)
{
    int64_t read = 0, written = 0;
    sv_plan *plan = NULL;
    sv_status status;

    if (nbytes >= SHORT_TRAFFIC / 2)
        return false;
    if (nbytes < SHORT_TRAFFIC / (2 * LINE)) /* each byte in a line of its own, on both sides */
        return true;
    status = sv_plan_new(target, source, flags & (SV_COPY_CAST | SV_COPY_CAST_UNSAFE | SV_COPY_SWAP), &plan);
    if (status != SV_OK)
        return true; /* the copy says what is wrong */
    status = sv_plan_traffic(plan, &read, &written);
    sv_plan_release(plan);
    return status == SV_OK && read + written < SHORT_TRAFFIC;
}

static sv_status copy(const sv_plan *plan, const sv_view *target, const sv_view *source,
                      const sv_allocator *allocator, uint32_t flags, int64_t stream, svpy_threads *threads)
{
    const int64_t nbytes = sv_layout_nbytes(sv_view_layout(target));
    sv_status status;

    if (allocator != NULL) {
        const svpy_call call = svpy_call_begin(SVPY_UNLOCK); /* the memory may be given by code of Python */

        status = run_with(plan, target, source, allocator, flags, stream);
        svpy_call_end(call, status);
        return status;
    }
    if (threads->executor == NULL && nbytes < SVPY_LONG_COPY)
        return run_alone(plan, target, source, flags, stream);
    if (svpy_host_copies(target, source))
        svpy_make_interruptible(nbytes, threads);
    threads->state = PyEval_SaveThread();
    if (threads->count == 1 || (threads->runs_python && is_short(target, source, flags, nbytes)))
        status = run_alone(plan, target, source, flags, stream);
    else
        status = run_shared(plan, target, source, flags, stream, threads);
    PyEval_RestoreThread(threads->state);
    return status;
}

int svpy_copy_flags(PyObject *const *options, uint32_t *flags)
{
    int swaps = 0;

    if (svpy_flag(options[SVPY_BYTESWAP], &swaps) < 0)
        return -1;
    *flags = swaps ? SV_COPY_SWAP : 0;
    return svpy_casting(options[SVPY_CASTING], flags);
}

int svpy_copy_how(PyObject *const *options, svpy_ordering *out)
{
    uint32_t flags;

    return svpy_copy_flags(options, &flags) < 0 ? -1 : svpy_ordering_read(options, flags, out);
}

int svpy_copy_tell(sv_status status)
{
    if (status == SV_OK)
        return 0;
    if (!PyErr_Occurred())
        svpy_raise(status);
    return -1;
}

static int wait_for_owner(const sv_view *target, const sv_view *source, int64_t stream)
{
    const sv_view *owner = svpy_copy_owner(target, source);
    sv_status status;

    Py_BEGIN_ALLOW_THREADS
    status = sv_stream_synchronize(sv_view_device_type(owner), sv_view_device_id(owner), (uintptr_t)stream);
    Py_END_ALLOW_THREADS
    return svpy_copy_tell(status);
}

/* A stream that is captured is refused before the plan is recorded, which could not be waited for. */
int svpy_plan_begin(const sv_view *target, const sv_view *source, const svpy_ordering *order)
{
    if (order->given == SVPY_ABSENT &&
        (order->stream < 0 || !svpy_is_captured(svpy_copy_owner(target, source), order->stream)))
        return 0;
    return svpy_plan_finish(target, source, order);
}

int svpy_plan_finish(const sv_view *target, const sv_view *source, const svpy_ordering *order)
{
    if (!(order->flags & SV_COPY_BLOCKING) || order->stream < 0 || svpy_host_copies(target, source))
        return 0;
    return wait_for_owner(target, source, order->stream);
}

/* Copies of the host take no memory of devices, so they do not look at it. */
static int find_allocator(const struct svpy_state *state, const sv_view *target, const sv_view *source, PyObject *given,
                          PyObject **resource, const sv_allocator **out)
{
    *resource = NULL;
    *out = NULL;
    if (given == NULL || given == Py_None || svpy_host_copies(target, source))
        return 0;
    *resource = svpy_resource_given(state, given, "allocator");
    *out = *resource == NULL ? NULL : svpy_allocator_of(*resource);
    return *out == NULL ? -1 : 0;
}

static int copy_views(struct svpy_state *state, const sv_plan *plan, svpy_view *target, const svpy_view *source,
                      const sv_allocator *allocator, PyObject *const *options)
{
    const svpy_side to = svpy_side_of(target), from = svpy_side_of(source);
    svpy_threads threads;
    svpy_ordering order;
    sv_status status;

    if (svpy_check_items(state, to.handle, (PyObject *)target, from.handle, (PyObject *)source) < 0)
        return -1;
    if (svpy_threads_of(state, options, &threads) < 0)
        return -1;
    if (svpy_copy_how(options, &order) < 0)
        return -1;
    if (plan == NULL && svpy_check_casting(to.handle, from.handle, order.flags) < 0) /* a plan has been */
        return -1;
    if (svpy_ordering_begin(state, &to, &from, &order) < 0)
        return -1;
    if (plan != NULL && svpy_plan_begin(to.handle, from.handle, &order) < 0)
        return -1;
    status = copy(plan, to.handle, from.handle, allocator, order.flags & ~SVPY_SAFE,
                  order.stream < 0 ? 0 : order.stream, &threads);
    if (svpy_copy_tell(status) < 0)
        return -1;
    if (plan != NULL && svpy_plan_finish(to.handle, from.handle, &order) < 0)
        return -1;
    svpy_ordering_end(state, target, &to, &from, &order);
    return svpy_threads_done(&threads, sv_layout_nbytes(sv_view_layout(to.handle)));
}

/* The copy is done on return. */
int svpy_measure(struct svpy_state *state, const sv_plan *plan, svpy_view *target, const svpy_view *source,
                 int64_t limit_ns, sv_plan **out)
{
    const svpy_side to = svpy_side_of(target), from = svpy_side_of(source);
    svpy_ordering order = {.given = SVPY_ABSENT, .blocks = 1, .stream = SVPY_NOTHING, .joined = SVPY_NOTHING};
    sv_status status;
    svpy_call call;

    if (svpy_ordering_begin(state, &to, &from, &order) < 0)
        return -1;
    call = svpy_call_begin(SVPY_UNLOCK);
    status = sv_plan_measure(plan, to.handle, from.handle, limit_ns,
                             order.stream < 0 ? 0 : (uintptr_t)order.stream, out);
    if (svpy_call_end(call, status) < 0)
        return -1;
    svpy_ordering_end(state, target, &to, &from, &order);
    return 0;
}

int svpy_copy_views(struct svpy_state *state, const sv_plan *plan, svpy_view *target, const svpy_view *source,
                    PyObject *const *options)
{
    const sv_allocator *allocator;
    PyObject *resource;
    const int found = find_allocator(state, target->handle, source->handle, options[SVPY_ALLOCATOR], &resource, &allocator);
    const int copied = found < 0 ? -1 : copy_views(state, plan, target, source, allocator, options);

    Py_XDECREF(resource);
    return copied;
}

static int copy_unplanned(struct svpy_state *state, svpy_view *target, const svpy_view *source, PyObject *const *options)
{
    return svpy_copy_views(state, NULL, target, source, options);
}

int svpy_copy_converted(svpy_view *target, const svpy_view *source, PyObject *casting)
{
    PyObject *options[SVPY_OPTIONS];

    if (casting == NULL)
        return svpy_copy_any(target->state, target, source, svpy_absent, copy_unplanned);
    svpy_clear_options(options);
    options[SVPY_CASTING] = casting;
    return svpy_copy_any(target->state, target, source, options, copy_unplanned);
}
