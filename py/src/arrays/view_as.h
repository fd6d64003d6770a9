/* view.view(): the same memory by another layout, as another type, or both. */
#ifndef SVPY_VIEW_AS_H
#define SVPY_VIEW_AS_H

#include "base/python.h"

/* view.view(layout, dtype), also where a derived class overrides it. NULL or None stands for the view's own. */
PyObject *svpy_view_as(PyObject *self, PyObject *layout, PyObject *dtype);

#endif
