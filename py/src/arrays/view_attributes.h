/* The attributes of StridedMemoryView. */
#ifndef SVPY_VIEW_ATTRIBUTES_H
#define SVPY_VIEW_ATTRIBUTES_H

#include "base/python.h"

PyObject *svpy_view_repr(PyObject *self);
extern PyGetSetDef svpy_view_getset[];

#endif
