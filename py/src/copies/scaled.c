/* copy(), and copies by sv_copy_scaled() with scale=, bias= and axis= as Python gives them. */
#include "copies/scaled.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/state.h"
#include "copies/casting.h"
#include "copies/copy.h"
#include "execution/interruptible.h"
#include "execution/threads.h"
#include "objects/view_object.h"
#include "objects/view_struct.h"
#include "protocols/import.h"

/* The numbers of scale= or of bias=. */
struct factor {
    double one, *values; /* values is &one, or memory of its own; NULL: nothing was given */
    Py_ssize_t count;
};

static int read_factor_number(PyObject *object, struct factor *out)
{
    out->one = PyFloat_AsDouble(object);
    if (out->one == -1 && PyErr_Occurred())
        return -1;
    out->values = &out->one;
    out->count = 1;
    return 0;
}

static int read_values(PyObject *iterable, struct factor *out)
{
    PyObject *items = PySequence_Fast(iterable, "numbers are needed");
    const Py_ssize_t count = items == NULL ? 0 : PySequence_Fast_GET_SIZE(items);

    out->values = items == NULL ? NULL : PyMem_New(double, count == 0 ? 1 : (size_t)count);
    if (items != NULL && out->values == NULL)
        PyErr_NoMemory();
    for (; out->values != NULL && out->count < count && out->count < PySequence_Fast_GET_SIZE(items); out->count++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, out->count)); /* a list of the caller's may change */
        const double value = PyFloat_AsDouble(item);

        Py_DECREF(item);
        if (value == -1 && PyErr_Occurred())
            break;
        out->values[out->count] = value;
    }
    Py_XDECREF(items);
    return PyErr_Occurred() ? -1 : 0;
}

/* An object with a length is a sequence. Views, tensors and arrays without axes have none and are numbers. */
static int read_given_factor(PyObject *object, struct factor *out)
{
    if (PyFloat_Check(object) || PyLong_Check(object))
        return read_factor_number(object, out);
    if (PyObject_Size(object) >= 0)
        return read_values(object, out);
    return svpy_clear_exception() < 0 ? -1 : read_factor_number(object, out);
}

static int read_factor(PyObject *const *options, enum svpy_option option, struct factor *out)
{
    *out = (struct factor){0, NULL, 0};
    if (!svpy_is_given(options[option]))
        return 0;
    if (read_given_factor(options[option], out) == 0)
        return 0;
    return PyErr_ExceptionMatches(PyExc_TypeError) ? svpy_refuse_option(option, options[option]) : -1;
}

static void end_factor(struct factor *factor)
{
    if (factor->values != &factor->one)
        PyMem_Free(factor->values);
}

/* Read the axis of dst along which sequences of numbers go. */
static int read_axis(PyObject *object, const struct factor *scale, const struct factor *bias, int32_t *out)
{
    *out = 0;
    if (svpy_is_given(object)) {
        if (!PyIndex_Check(object))
            return svpy_refuse_option(SVPY_AXIS, object);
        return svpy_axis(object, out);
    }
    if (scale->count <= 1 && bias->count <= 1)
        return 0;
    PyErr_SetString(PyExc_TypeError,
                    "scale and bias of several numbers need axis=, the axis of dst that they go along");
    return -1;
}

/* An empty sequence fits an axis without elements only; it does not mean that the option is absent. */
static int check_counts(const svpy_view *target, const struct factor *factor, const char *name)
{
    if (factor->values == NULL || factor->count > 0 || sv_layout_size(sv_view_layout(target->handle)) == 0)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s has no numbers", name);
    return -1;
}

/* As copies without a scale: without holding the interpreter for long, and by the threads of an executor. */
static int run_scaled_copy(svpy_view *target, const svpy_view *source, const struct factor *scale,
                           const struct factor *bias, int32_t axis, uint32_t flags, int64_t stream,
                           svpy_threads *threads)
{
    const int64_t nbytes = sv_layout_nbytes(sv_view_layout(target->handle));
    const bool is_short = threads->executor == NULL && nbytes < SVPY_LONG_COPY;
    sv_status status;

    if (!is_short) {
        svpy_make_interruptible(nbytes, threads);
        threads->state = PyEval_SaveThread();
    }
    status = sv_copy_scaled_parallel(target->handle, source->handle, scale->values, scale->count, bias->values,
                                     bias->count, axis, is_short ? 1 : threads->count, threads->run, threads->ctx,
                                     flags, (uintptr_t)(stream < 0 ? 0 : stream));
    if (!is_short)
        PyEval_RestoreThread(threads->state);
    return svpy_copy_tell(status) < 0 ? -1 : svpy_threads_done(threads, nbytes);
}

/* A scaled copy converts to any dtype unless casting= is given, which then decides. */
static int check_casting(const sv_view *target, const sv_view *source, PyObject *casting, uint32_t flags)
{
    sv_plan *plan = NULL;
    sv_status status;

    if (casting == NULL || sv_view_dtype(target) == sv_view_dtype(source))
        return 0;
    if (svpy_check_casting(target, source, flags) < 0)
        return -1;
    status = sv_plan_new(target, source, flags & (SV_COPY_CAST | SV_COPY_CAST_UNSAFE), &plan);
    sv_plan_release(plan);
    return svpy_copy_tell(status);
}

static int scale_views(struct svpy_state *state, svpy_view *target, const svpy_view *source, PyObject *const *options,
                       const struct factor *scale, const struct factor *bias)
{
    const svpy_side to = {target->handle, target->stream}, from = {source->handle, source->stream};
    const bool is_within_host = svpy_is_host(to.handle) && svpy_is_host(from.handle);
    svpy_threads threads;
    int64_t given, stream = 0;
    uint32_t flags;
    int32_t axis;

    if (svpy_threads_of(state, options, &threads) < 0)
        return -1;
    if (read_axis(options[SVPY_AXIS], scale, bias, &axis) < 0)
        return -1;
    if (check_counts(target, scale, "scale") < 0)
        return -1;
    if (check_counts(target, bias, "bias") < 0)
        return -1;
    if (svpy_copy_how(options, &given, &flags) < 0)
        return -1;
    if (check_casting(to.handle, from.handle, options[SVPY_CASTING], flags) < 0)
        return -1;
    if (is_within_host && svpy_copy_order(&to, &from, given, &stream) < 0) /* libsv refuses memory of devices */
        return -1;
    return run_scaled_copy(target, source, scale, bias, axis, flags & ~SVPY_SAFE, stream, &threads);
}

static int copy_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                       PyObject *const *options)
{
    struct factor scale, bias = {0, NULL, 0};
    int failed = read_factor(options, SVPY_SCALE, &scale) < 0;

    if (!failed)
        failed = read_factor(options, SVPY_BIAS, &bias) < 0;
    if (!failed)
        failed = scale_views(state, target, source, options, &scale, &bias) < 0;
    end_factor(&scale);
    end_factor(&bias);
    return failed ? -1 : 0;
}

int svpy_copy_maybe_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                           PyObject *const *options)
{
    if (svpy_is_given(options[SVPY_SCALE]) || svpy_is_given(options[SVPY_BIAS]))
        return copy_scaled(state, target, source, options);
    return svpy_copy_views(state, NULL, target, source, options);
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
        source = svpy_import(state, values[1], options[SVPY_STREAM]);
    if (source != NULL)
        failed = svpy_copy_maybe_scaled(state, (svpy_view *)target, (svpy_view *)source, options) < 0;
    Py_XDECREF(source);
    Py_XDECREF(target);
    return failed ? NULL : Py_NewRef(Py_None);
}
