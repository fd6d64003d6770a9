/* Methods of layouts and views that make other axes of the same elements in the same order. */
#ifndef SVPY_RESHAPE_H
#define SVPY_RESHAPE_H

#include "base/python.h"

extern PyMethodDef svpy_reshaping[];

/* Methods that have a second name or another caller, as functions of their arguments. */
PyObject *svpy_reshape(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_flatten(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
