/* NumPy's arrays, read in place. */
#ifndef SVPY_NDARRAY_H
#define SVPY_NDARRAY_H

#include "base/python.h"

struct strideview_array;

/* numpy.ndarray, borrowed, with the version of NumPy's binary interface; NULL, mostly without an exception, where NumPy
 * was not imported. */
PyTypeObject *svpy_ndarray_type(unsigned int *version);

/* Whether an array of this type, ndarray's or one derived from it, can be read in place. */
bool svpy_ndarray_is_readable(const PyTypeObject *type, const PyTypeObject *ndarray, unsigned int version);

/* NULL without an exception where a number of a plain type is not all there is to it. */
sv_view *svpy_from_ndarray(PyObject *object);

/* The dtype of one, borrowed. */
PyObject *svpy_ndarray_dtype(PyObject *object);

/* The same as C values, no reference taken. False, without an exception, where there is more to it. */
bool svpy_read_ndarray(PyObject *object, bool writable, struct strideview_array *out);

#endif
