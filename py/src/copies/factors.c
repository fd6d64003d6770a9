/* scale=, bias=, axis=, mean= and std= of copies, as sv_copy_scaled() takes them. */
#include "copies/factors.h"

#include "base/arguments.h"
#include "base/attribute.h"
#include "base/helper.h"
#include "copies/casting.h"
#include "copies/copy.h"

/* --- numbers --------------------------------------------------------------------- */

static int read_factor_number(PyObject *object, svpy_factor *out)
{
    out->one = PyFloat_AsDouble(object);
    if (out->one == -1 && PyErr_Occurred())
        return -1;
    out->values = &out->one;
    out->count = 1;
    return 0;
}

static int read_values(PyObject *iterable, svpy_factor *out)
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
static int read_given_factor(PyObject *object, svpy_factor *out)
{
    if (PyFloat_Check(object) || PyLong_Check(object))
        return read_factor_number(object, out);
    if (PyObject_Size(object) >= 0)
        return read_values(object, out);
    return svpy_clear_exception() < 0 ? -1 : read_factor_number(object, out);
}

/* Of an array of several axes, strideview._advice says what to type. -1. */
static int refuse_factor(enum svpy_option option, PyObject *given)
{
    PyObject *function, *text;

    if (!PyErr_ExceptionMatches(PyExc_TypeError))
        return -1;
    PyErr_Clear();
    function = svpy_helper("strideview._advice", "of_factor");
    text = function == NULL ? NULL : PyObject_CallFunction(function, "sO", svpy_option_name(option), given);
    Py_XDECREF(function);
    if (text == NULL || !PyUnicode_Check(text))
        svpy_refuse_option(option, given);
    else
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
    return -1;
}

static int read_factor(PyObject *const *options, enum svpy_option option, svpy_factor *out)
{
    if (!svpy_is_given(options[option]))
        return 0;
    if (read_given_factor(options[option], out) == 0)
        return 0;
    return refuse_factor(option, options[option]);
}

static void end_factor(svpy_factor *factor)
{
    if (factor->values != &factor->one)
        PyMem_Free(factor->values);
    factor->values = NULL;
}

/* Read the axis of dst along which sequences of numbers go. */
static int read_axis(PyObject *object, const svpy_factors *factors, int32_t *out)
{
    *out = 0;
    if (svpy_is_given(object)) {
        if (!PyIndex_Check(object))
            return svpy_refuse_option(SVPY_AXIS, object);
        return svpy_axis(object, out);
    }
    if (factors->scale.count <= 1 && factors->bias.count <= 1)
        return 0;
    PyErr_SetString(PyExc_TypeError, "several numbers need axis=, the axis of dst that they go along");
    return -1;
}

/* --- mean and std ---------------------------------------------------------------- */

/* A number of a factor that has one, or one for each index. none: where it was not given. */
static double number_of(const svpy_factor *factor, Py_ssize_t k, double none)
{
    return factor->values == NULL ? none : factor->values[factor->count > 1 ? k : 0];
}

/* How many numbers two factors make together; -1 with an exception. */
static Py_ssize_t join_counts(Py_ssize_t a, Py_ssize_t b)
{
    if (a == b || b == 1)
        return a;
    if (a == 1)
        return b;
    PyErr_Format(PyExc_ValueError, "%zd numbers and %zd numbers along one axis", a, b);
    return -1;
}

static Py_ssize_t count_of(const svpy_factor *factor)
{
    return factor->values == NULL ? 1 : factor->count;
}

/* Room for what factors make together; out->values NULL with an exception. */
static int begin_factor(const svpy_factor *const *of, int count, svpy_factor *out)
{
    out->count = 1;
    for (int k = 0; k < count && out->count >= 0; k++)
        out->count = join_counts(out->count, count_of(of[k]));
    out->values = out->count < 0 ? NULL : PyMem_New(double, out->count == 0 ? 1 : (size_t)out->count);
    if (out->values == NULL && out->count >= 0)
        PyErr_NoMemory();
    return out->values == NULL ? -1 : 0;
}

/* Replaces a factor. */
static void set_factor(const svpy_factor *made, svpy_factor *out)
{
    end_factor(out);
    *out = *made;
}

/* (x * scale + bias - mean) / std is x * (scale / std) + (bias - mean) / std. Without bias and mean nothing is added. */
static int join_factors(const svpy_factor *mean, const svpy_factor *std, svpy_factors *out)
{
    const svpy_factor *const of_scale[] = {&out->scale, std}, *const of_bias[] = {&out->bias, mean, std};
    svpy_factor scale, bias;

    if (begin_factor(of_scale, 2, &scale) < 0)
        return -1;
    for (Py_ssize_t k = 0; k < scale.count; k++)
        scale.values[k] = number_of(&out->scale, k, 1) / number_of(std, k, 1);
    set_factor(&scale, &out->scale);
    if (out->bias.values == NULL && mean->values == NULL)
        return 0;
    if (begin_factor(of_bias, 3, &bias) < 0)
        return -1;
    for (Py_ssize_t k = 0; k < bias.count; k++)
        bias.values[k] = (number_of(&out->bias, k, 0) - number_of(mean, k, 0)) / number_of(std, k, 1);
    set_factor(&bias, &out->bias);
    return 0;
}

static int read_mean_and_std(PyObject *const *options, svpy_factors *out)
{
    svpy_factor mean = {0, NULL, 0}, std = {0, NULL, 0};
    int failed = read_factor(options, SVPY_MEAN, &mean) < 0;

    if (!failed)
        failed = read_factor(options, SVPY_STD, &std) < 0;
    if (!failed && (mean.values != NULL || std.values != NULL))
        failed = join_factors(&mean, &std, out) < 0;
    end_factor(&mean);
    end_factor(&std);
    return failed ? -1 : 0;
}

/* --- all of them ----------------------------------------------------------------- */

bool svpy_has_factors(PyObject *const *options)
{
    return svpy_is_given(options[SVPY_SCALE]) || svpy_is_given(options[SVPY_BIAS]) ||
           svpy_is_given(options[SVPY_MEAN]) || svpy_is_given(options[SVPY_STD]);
}

int svpy_factors_read(PyObject *const *options, svpy_factors *out)
{
    *out = (svpy_factors){.axis = 0};
    if (read_factor(options, SVPY_SCALE, &out->scale) == 0 && read_factor(options, SVPY_BIAS, &out->bias) == 0 &&
        read_mean_and_std(options, out) == 0 && read_axis(options[SVPY_AXIS], out, &out->axis) == 0)
        return 0;
    svpy_factors_end(out);
    return -1;
}

void svpy_factors_end(svpy_factors *factors)
{
    end_factor(&factors->scale);
    end_factor(&factors->bias);
}

static int check_count(const sv_view *target, const svpy_factor *factor, const char *name)
{
    if (factor->values == NULL || factor->count > 0 || sv_layout_size(sv_view_layout(target)) == 0)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s has no numbers", name);
    return -1;
}

/* An empty sequence fits an axis without elements only; it does not mean that the option is absent. */
int svpy_factors_check(const sv_view *target, const svpy_factors *factors)
{
    if (check_count(target, &factors->scale, "scale") < 0)
        return -1;
    return check_count(target, &factors->bias, "bias");
}

/* A scaled copy converts to any dtype unless casting= is given, which then decides. */
int svpy_factors_check_casting(const sv_view *target, const sv_view *source, PyObject *casting, uint32_t flags)
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

sv_status svpy_plan_new_scaled(const sv_view *target, const sv_view *source, const svpy_factors *factors,
                               uint32_t flags, sv_plan **out)
{
    return sv_plan_new_scaled(target, source, factors->scale.values, factors->scale.count, factors->bias.values,
                              factors->bias.count, factors->axis, flags, out);
}
