/* Methods of layouts and views that make other axes of the same elements in the same order. */
#ifndef SVPY_RESHAPE_H
#define SVPY_RESHAPE_H

#include "base/python.h"

extern PyMethodDef svpy_reshaping[];

/* Those that have a second name, or that something else uses, as functions of items. */
PyObject *svpy_reshape(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *svpy_flatten(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
