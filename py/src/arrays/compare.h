/* Views compared and formatted. */
#ifndef SVPY_COMPARE_H
#define SVPY_COMPARE_H

#include "base/python.h"

PyObject *svpy_view_compare(PyObject *self, PyObject *other, int op);
Py_hash_t svpy_view_hash(PyObject *self);
extern PyMethodDef svpy_formatting[];

#endif
