/* The attributes of StridedMemoryView. */
#ifndef SVPY_VIEW_ATTRIBUTES_H
#define SVPY_VIEW_ATTRIBUTES_H

#include "base/python.h"

PyObject *svpy_view_repr(PyObject *self);

/* __sizeof__(): with the memory that was made for the view, as NumPy's arrays have it. */
PyObject *svpy_view_sizeof(PyObject *self, PyObject *unused);
extern PyGetSetDef svpy_view_getset[];

#endif
