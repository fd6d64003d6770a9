/* The attributes of Buffer. */
#ifndef SVPY_BUFFER_ATTRIBUTES_H
#define SVPY_BUFFER_ATTRIBUTES_H

#include "base/python.h"

PyObject *svpy_buffer_repr(PyObject *self);
extern PyGetSetDef svpy_buffer_getset[];

#endif
