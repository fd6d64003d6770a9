/* Views of raw memory that an object holds. */
#ifndef SVPY_FROM_BUFFER_H
#define SVPY_FROM_BUFFER_H

#include "base/python.h"

/* A layout from a shape, an int or ints, and strides in elements or NULL. */
sv_layout *svpy_read_layout(PyObject *shape, PyObject *strides, int64_t itemsize);
PyObject *svpy_view_of_buffer(PyObject *type, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
