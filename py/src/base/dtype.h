/* sv_dtype and the dtypes of Python. */
#ifndef SVPY_DTYPE_H
#define SVPY_DTYPE_H

#include "base/python.h"

struct svpy_state;

PyObject *svpy_dtype_object(struct svpy_state *state, sv_dtype dtype);
PyObject *svpy_dtype_name(sv_dtype dtype);
int svpy_dtype(PyObject *object, sv_dtype *out);

#endif
