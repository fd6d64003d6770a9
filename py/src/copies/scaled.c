/* Copies that may scale: copy(), and sv_copy_scaled() of what Python gives. */
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

/* What elements are multiplied by, or what is added to them. */
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
    PyObject *items = PySequence_Fast(iterable, "scale and bias are numbers or sequences of numbers");
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

/* What has a length is a sequence: views, tensors and arrays have one unless they have no axes. */
static int read_factor(PyObject *object, struct factor *out)
{
    *out = (struct factor){0, NULL, 0};
    if (object == NULL || object == Py_None)
        return 0;
    if (PyFloat_Check(object) || PyLong_Check(object))
        return read_factor_number(object, out);
    if (PyObject_Size(object) >= 0)
        return read_values(object, out);
    return svpy_clear_exception() < 0 ? -1 : read_factor_number(object, out);
}

static void end_factor(struct factor *factor)
{
    if (factor->values != &factor->one)
        PyMem_Free(factor->values);
}

/* Which axis sequences of several numbers, or of none, go along. */
static int read_axis(PyObject *object, const struct factor *scale, const struct factor *bias, int32_t *out)
{
    const bool is_given = object != NULL && object != Py_None;

    *out = 0;
    if (is_given)
        return svpy_axis(object, out);
    if (scale->count <= 1 && bias->count <= 1)
        return 0;
    PyErr_SetString(PyExc_TypeError,
                    "scale and bias of several numbers need axis=, the axis of dst that they go along");
    return -1;
}

/* A sequence without numbers is one for an axis without elements: it is no factor that was left out. */
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
    return svpy_copy_tell(status);
}

/* A scaled copy converts to any dtype, unless a word for casting was given: then it is held to that. */
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
                       const struct factor *scale, const struct factor *bias, PyObject *axis_given)
{
    const svpy_side to = {target->handle, target->stream}, from = {source->handle, source->stream};
    svpy_threads threads;
    int64_t given, stream = 0;
    uint32_t flags;
    int32_t axis;

    if (svpy_threads_of(state, options[SVPY_EXECUTOR], options[SVPY_THREADS], &threads) < 0 ||
        read_axis(axis_given, scale, bias, &axis) < 0 ||
        check_counts(target, scale, "scale") < 0 || check_counts(target, bias, "bias") < 0 ||
        svpy_copy_how(options, &given, &flags) < 0 ||
        check_casting(to.handle, from.handle, options[SVPY_CASTING], flags) < 0 ||
        (svpy_is_host(to.handle) && svpy_is_host(from.handle) && svpy_copy_order(&to, &from, given, &stream) < 0))
        return -1;
    /* refused of a device */
    return run_scaled_copy(target, source, scale, bias, axis, flags & ~SVPY_SAFE, stream, &threads);
}

static bool is_scaled(PyObject *const *factors)
{
    return (factors[SVPY_SCALE] != NULL && factors[SVPY_SCALE] != Py_None) ||
           (factors[SVPY_BIAS] != NULL && factors[SVPY_BIAS] != Py_None);
}

static int copy_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                       PyObject *const *options, PyObject *const *factors)
{
    struct factor scale, bias = {0, NULL, 0};
    int failed = read_factor(factors[SVPY_SCALE], &scale) < 0 || read_factor(factors[SVPY_BIAS], &bias) < 0 ||
                 scale_views(state, target, source, options, &scale, &bias, factors[SVPY_AXIS]) < 0;

    end_factor(&scale);
    end_factor(&bias);
    return failed ? -1 : 0;
}

int svpy_copy_maybe_scaled(struct svpy_state *state, svpy_view *target, const svpy_view *source,
                           PyObject *const *options, PyObject *const *factors)
{
    if (is_scaled(factors))
        return copy_scaled(state, target, source, options, factors);
    return svpy_copy_views(state, NULL, target, source, options);
}

PyObject *svpy_copy(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const svpy_signature signature = {"copy", 3, 2, {"dst", "src", SVPY_OPTION_NAMES, SVPY_FACTOR_NAMES}};
    struct svpy_state *state = svpy_state_of_module(module);
    PyObject *values[2 + SVPY_OPTIONS + SVPY_FACTORS], *target, *source = NULL;
    int failed = 1;

    if (svpy_arguments(&signature, args, nargs, kwnames, values) < 0)
        return NULL;
    target = svpy_import(state, values[0], values[2]);
    if (target != NULL)
        source = svpy_import(state, values[1], values[2]);
    if (source != NULL)
        failed = svpy_copy_maybe_scaled(state, (svpy_view *)target, (svpy_view *)source, values + 2,
                                        values + 2 + SVPY_OPTIONS) < 0;
    Py_XDECREF(source);
    Py_XDECREF(target);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}
