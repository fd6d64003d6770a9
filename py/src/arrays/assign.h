/* view[key] = value, and view[key] where the key may name fields of records. */
#ifndef SVPY_ASSIGN_H
#define SVPY_ASSIGN_H

#include "base/python.h"

/* self[key] of a view, where key may be a field of records as well, or several. */
PyObject *svpy_view_subscript(PyObject *self, PyObject *key);
int svpy_view_assign(PyObject *self, PyObject *key, PyObject *value);

#endif
