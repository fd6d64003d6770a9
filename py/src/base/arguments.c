/* Values of arguments: integers, shapes, axes, orders. */
#include "base/arguments.h"

#include "base/errors.h"

int svpy_int64(PyObject *object, int64_t *out)
{
    PyObject *number;

    if (svpy_is_small(object)) {
        *out = svpy_small(object);
        return 0;
    }
    number = PyNumber_Index(object);
    if (number == NULL)
        return -1;
    *out = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return *out == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Items of a tuple, which stays as it is whatever __index__ does. */
static int32_t read_tuple_items(PyObject *const *items, Py_ssize_t count, int64_t *out)
{
    if (count > SV_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%zd axes; at most %d are possible", count, SV_MAX_NDIM);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (svpy_is_small(items[i]))
            out[i] = svpy_small(items[i]);
        else if (svpy_int64(items[i], &out[i]) < 0)
            return -1;
    }
    return (int32_t)count;
}

int32_t svpy_extents(PyObject *object, int64_t *out)
{
    PyObject *items;
    int32_t count;

    if (PyTuple_Check(object))
        return read_tuple_items(((PyTupleObject *)object)->ob_item, PyTuple_GET_SIZE(object), out);
    /* NumPy's arrays have __index__ too, its integers are no sequences. */
    if (PyIndex_Check(object) && !PySequence_Check(object))
        return svpy_int64(object, out) < 0 ? -1 : 1;
    if (!PySequence_Check(object)) {
        PyErr_Format(PyExc_TypeError, "an int or a sequence of ints is needed, not %.100s", Py_TYPE(object)->tp_name);
        return -1;
    }
    items = PySequence_Tuple(object);
    if (items == NULL)
        return -1;
    count = read_tuple_items(((PyTupleObject *)items)->ob_item, PyTuple_GET_SIZE(items), out);
    Py_DECREF(items);
    return count;
}

int32_t svpy_extents_of(PyObject *const *args, Py_ssize_t nargs, int64_t *out)
{
    return nargs == 1 ? svpy_extents(args[0], out) : read_tuple_items(args, nargs, out);
}

static int narrow_axis(int64_t axis, int32_t *out)
{
    if (axis < INT32_MIN || axis > INT32_MAX) {
        PyErr_Format(svpy_bounds_error(), "axis %lld is outside the layout", (long long)axis);
        return -1;
    }
    *out = (int32_t)axis;
    return 0;
}

static int32_t narrow_axes(const int64_t *wide, int32_t count, int32_t *out)
{
    for (int32_t i = 0; i < count; i++) {
        if (narrow_axis(wide[i], &out[i]) < 0)
            return -1;
    }
    return count;
}

int32_t svpy_axes(PyObject *object, int32_t *out)
{
    int64_t wide[SV_MAX_NDIM];

    return narrow_axes(wide, svpy_extents(object, wide), out);
}

int32_t svpy_axes_of(PyObject *const *args, Py_ssize_t nargs, int32_t *out)
{
    int64_t wide[SV_MAX_NDIM];

    return narrow_axes(wide, svpy_extents_of(args, nargs, wide), out);
}

int svpy_axis(PyObject *object, int32_t *out)
{
    int64_t wide = *out;

    return object != NULL && svpy_int64(object, &wide) < 0 ? -1 : narrow_axis(wide, out);
}

int svpy_address(PyObject *object, uintptr_t *out)
{
    PyObject *number;

    if (object == NULL)
        return 0;
    number = PyNumber_Index(object);
    if (number == NULL)
        return -1;
    *out = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    return *out == UINTPTR_MAX && PyErr_Occurred() ? -1 : 0;
}

int svpy_order(PyObject *object, int allow_k, sv_order *order, int32_t *ndim, int32_t *axes)
{
    *ndim = 0;
    if (!PyUnicode_Check(object)) {
        *order = SV_ORDER_AXES;
        *ndim = svpy_axes(object, axes);
        return *ndim < 0 ? -1 : 0;
    }
    if (PyUnicode_CompareWithASCIIString(object, "C") == 0) {
        *order = SV_ORDER_C;
    } else if (PyUnicode_CompareWithASCIIString(object, "F") == 0) {
        *order = SV_ORDER_F;
    } else if (allow_k && PyUnicode_CompareWithASCIIString(object, "K") == 0) {
        *order = SV_ORDER_K;
    } else {
        PyErr_Format(PyExc_ValueError, "order must be 'C', 'F'%s or a permutation, not %R", allow_k ? ", 'K'" : "",
                     object);
        return -1;
    }
    return 0;
}

PyObject *svpy_tuple(const int64_t *values, int32_t count)
{
    PyObject *tuple = PyTuple_New(count);

    for (int32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *value = PyLong_FromLongLong(values[i]);

        if (value == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, value);
    }
    return tuple;
}

PyObject *svpy_axes_tuple(const int32_t *axes, int32_t count)
{
    int64_t wide[SV_MAX_NDIM];

    for (int32_t i = 0; i < count; i++)
        wide[i] = axes[i];
    return svpy_tuple(wide, count);
}

/* PyTorch's tensors can become a number and are no sequences, but take an index. So do NumPy's scalars, which lend a
 * buffer. */
static bool is_tensor(PyObject *value)
{
    return PyMapping_Check(value) && !PyObject_CheckBuffer(value);
}

bool svpy_is_number(PyObject *value)
{
    const PyNumberMethods *as = Py_TYPE(value)->tp_as_number;

    return PyLong_Check(value) || PyFloat_Check(value) || PyComplex_Check(value) ||
           (as != NULL && (as->nb_index != NULL || as->nb_float != NULL) && !PySequence_Check(value) &&
            !is_tensor(value));
}
