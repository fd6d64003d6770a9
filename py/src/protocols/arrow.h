/* Arrow's C data interface by the PyCapsule protocol, in and out. */
#ifndef SVPY_ARROW_H
#define SVPY_ARROW_H

#include "base/python.h"

/* A read-only view of what object.__arrow_c_array__() gives: numbers of one size, fixed-size lists and tensors of them. */
sv_view *svpy_from_arrow(PyObject *object);

#endif
