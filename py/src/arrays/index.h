/* Indexing. */
#ifndef SVPY_INDEX_H
#define SVPY_INDEX_H

#include "base/python.h"

/* self[key], of a layout or a view, by the rules of NumPy's basic indexing. */
PyObject *svpy_subscript(PyObject *self, PyObject *key);

#endif
