/* Views as Arrow arrays. */
#ifndef SVPY_ARROW_EXPORT_H
#define SVPY_ARROW_EXPORT_H

#include "base/python.h"

PyObject *svpy_arrow_array(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
