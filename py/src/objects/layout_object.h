/* The object that a StridedLayout is: made and let go. */
#ifndef SVPY_LAYOUT_OBJECT_H
#define SVPY_LAYOUT_OBJECT_H

#include "base/python.h"

struct svpy_state;

PyObject *svpy_layout_new(PyTypeObject *type, PyObject *args, PyObject *keywords);
void svpy_layout_dealloc(PyObject *self);

/* Takes the handle, also when it fails. */
PyObject *svpy_layout_wrap(struct svpy_state *state, sv_layout *handle);

#endif
