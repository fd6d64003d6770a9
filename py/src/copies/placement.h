/* How a copy would be done. */
#ifndef SVPY_PLACEMENT_H
#define SVPY_PLACEMENT_H

#include "base/python.h"

/* _placement(): six ints, or NULL with an exception. */
PyObject *svpy_placement(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
