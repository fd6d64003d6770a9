/* view.view(): the same memory by another layout, as another type, or both. */
#ifndef SVPY_VIEW_AS_H
#define SVPY_VIEW_AS_H

#include "base/python.h"

/* view.view(layout, dtype), whatever a derived class makes of its name. Either is NULL or None for that of the view. */
PyObject *svpy_view_as(PyObject *self, PyObject *layout, PyObject *dtype);

#endif
