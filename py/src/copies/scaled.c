/* copy(), and copies by sv_copy_scaled() of what Python gives. */
#include "copies/scaled.h"

#include "base/arguments.h"
#include "base/state.h"
#include "copies/byteorder.h"
#include "copies/casting.h"
#include "copies/copy.h"
#include "copies/factors.h"
#include "execution/interruptible.h"
#include "execution/threads.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

/* As copies without a scale: without holding the interpreter for long, and by the threads of an executor. */
static int run_scaled_copy(svpy_view *target, const svpy_view *source, const svpy_factors *factors, uint32_t flags,
                           int64_t stream, svpy_threads *threads)
{
    const svpy_factor *scale = &factors->scale, *bias = &factors->bias;
    const int64_t nbytes = sv_layout_nbytes(sv_view_layout(target->handle));
    const bool is_short = threads->executor == NULL && nbytes < SVPY_LONG_COPY;
    sv_status status;

    if (!is_short) {
        svpy_make_interruptible(nbytes, threads);
        threads->state = PyEval_SaveThread();
    }
    status = sv_copy_scaled_parallel(target->handle, source->handle, scale->values, scale->count, bias->values,
                                     bias->count, factors->axis, is_short ? 1 : threads->count, threads->run, threads->ctx,
                                     flags, (uintptr_t)(stream < 0 ? 0 : stream));
    if (!is_short)
        PyEval_RestoreThread(threads->state);
    return svpy_copy_tell(status) < 0 ? -1 : svpy_threads_done(threads, nbytes);
}

/* Devices, and memory that they may have work on, by a plan, so that streams are put in order as for any copy. */
static int run_planned(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                       const svpy_factors *factors, uint32_t flags, PyObject *const *options)
{
    const uint32_t planned = flags & ~(SVPY_SAFE | (uint32_t)SV_COPY_BLOCKING);
    sv_plan *plan = NULL;
    int failed;

    if (svpy_copy_tell(svpy_plan_new_scaled(target->handle, source->handle, factors, planned, &plan)) < 0)
        return -1;
    failed = svpy_copy_views(state, plan, target, source, options) < 0;
    sv_plan_release(plan);
    return failed ? -1 : 0;
}

static int scale_views(struct svpy_state *state, svpy_view *target, const svpy_view *source, PyObject *const *options,
                       const svpy_factors *factors)
{
    const svpy_side to = svpy_side_of(target), from = svpy_side_of(source);
    svpy_threads threads;
    svpy_ordering order;

    if (svpy_factors_check(to.handle, factors) < 0)
        return -1;
    if (svpy_copy_how(options, &order) < 0)
        return -1;
    if (svpy_factors_check_casting(to.handle, from.handle, options[SVPY_CASTING], order.flags) < 0)
        return -1;
    if (!svpy_host_copies(to.handle, from.handle))
        return run_planned(state, target, source, factors, order.flags, options);
    if (svpy_threads_of(state, options, &threads) < 0)
        return -1;
    if (svpy_ordering_begin(state, &to, &from, &order) < 0)
        return -1;
    return run_scaled_copy(target, source, factors, order.flags & ~SVPY_SAFE, order.stream, &threads);
}

static int copy_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                       PyObject *const *options)
{
    svpy_factors factors;
    int failed;

    if (svpy_factors_read(options, &factors) < 0)
        return -1;
    failed = scale_views(state, target, source, options, &factors) < 0;
    svpy_factors_end(&factors);
    return failed ? -1 : 0;
}

static int copy_numbers(struct svpy_state *state, svpy_view *target, const svpy_view *source, PyObject *const *options)
{
    if (svpy_has_factors(options))
        return copy_scaled(state, target, source, options);
    return svpy_copy_views(state, NULL, target, source, options);
}

int svpy_copy_maybe_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                           PyObject *const *options)
{
    return svpy_copy_any(state, target, source, options, copy_numbers);
}

PyObject *svpy_copy(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy", 3, 2, {"dst", "src"}, SVPY_COPYING | SVPY_SCALING};
    struct svpy_state *state = svpy_state_of_module(module);
    PyObject *values[2], *options[SVPY_OPTIONS], *target, *source = NULL;
    int failed = 1;

    if (svpy_arguments_and_options(&signature, args, nargs, kwnames, values, options) < 0)
        return NULL;
    target = svpy_import(state, values[0], options[SVPY_STREAM]);
    if (target != NULL)
        source = svpy_import_source(state, values[1], options[SVPY_STREAM]);
    if (source != NULL)
        failed = svpy_copy_maybe_scaled(state, (svpy_view *)target, (svpy_view *)source, options) < 0;
    Py_XDECREF(source);
    Py_XDECREF(target);
    return failed ? NULL : Py_NewRef(Py_None);
}
