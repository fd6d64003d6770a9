/* Elements as objects of Python. */
#ifndef SVPY_SCALAR_H
#define SVPY_SCALAR_H

#include "objects/view_struct.h"

/* What item() answers of a view without axes. */
PyObject *svpy_read_single(svpy_view *view);

PyObject *svpy_view_int(PyObject *self);
PyObject *svpy_view_float(PyObject *self);
PyObject *svpy_view_index(PyObject *self);
int svpy_view_bool(PyObject *self);
extern PyMethodDef svpy_scalars[];

#endif
