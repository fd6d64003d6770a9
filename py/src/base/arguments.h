/* Values of arguments. Each reader gives 0, or -1 with an exception, unless it says otherwise. */
#ifndef SVPY_ARGUMENTS_H
#define SVPY_ARGUMENTS_H

#include "base/python.h"
#include "base/signature.h"

/* Whether an argument is there and is not None. */
static inline bool svpy_is_given(PyObject *value)
{
    return value != NULL && value != Py_None;
}

int svpy_int64(PyObject *object, int64_t *out);

/* Whether an object is an int of the usual small size, which costs no call to read. */
static inline int svpy_is_small(PyObject *object)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyLong_CheckExact(object) && PyUnstable_Long_IsCompact((PyLongObject *)object);
#else
    return PyLong_CheckExact(object) && Py_SIZE(object) >= -1 && Py_SIZE(object) <= 1;
#endif
}

static inline int64_t svpy_small(PyObject *object)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyUnstable_Long_CompactValue((PyLongObject *)object);
#else
    return Py_SIZE(object) * (int64_t)((PyLongObject *)object)->ob_digit[0];
#endif
}

/* An int or a sequence of ints, up to 64 of them. Returns how many. */
int32_t svpy_extents(PyObject *object, int64_t *out);
int32_t svpy_axes(PyObject *object, int32_t *out);

/* f(2, 3) and f((2, 3)) mean the same. */
int32_t svpy_extents_of(PyObject *const *args, Py_ssize_t nargs, int64_t *out);
int32_t svpy_axes_of(PyObject *const *args, Py_ssize_t nargs, int32_t *out);

/* One axis; NULL leaves out as it is. */
int svpy_axis(PyObject *object, int32_t *out);

/* NULL leaves out as it is. */
int svpy_address(PyObject *object, uintptr_t *out);

/* 'C', 'F', where allowed 'K', or a permutation, of which ndim tells the length. */
int svpy_order(PyObject *object, int allow_k, sv_order *order, int32_t *ndim, int32_t *axes);
/* Whether a value is a number, or converts to one and is no array: NumPy's scalars, fractions, decimals. */
bool svpy_is_number(PyObject *value);

PyObject *svpy_tuple(const int64_t *values, int32_t count);
PyObject *svpy_axes_tuple(const int32_t *axes, int32_t count);

#endif
