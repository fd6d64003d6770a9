/* The buffer protocol, of objects that views are made of, and of views. */
#ifndef SVPY_BUFFER_H
#define SVPY_BUFFER_H

#include "base/python.h"

int svpy_getbuffer(PyObject *self, Py_buffer *buffer, int flags);
sv_view *svpy_from_buffer(PyObject *object);

#endif
