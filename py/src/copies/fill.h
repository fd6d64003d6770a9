/* fill(dst, value), and view.fill(value). */
#ifndef SVPY_FILL_H
#define SVPY_FILL_H

#include "base/python.h"

PyObject *svpy_view_fill(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *svpy_fill(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
