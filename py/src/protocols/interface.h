/* __array_interface__ and __cuda_array_interface__, in and out. */
#ifndef SVPY_INTERFACE_H
#define SVPY_INTERFACE_H

#include "base/python.h"

struct svpy_state;
struct svpy_streams;

/* The dict, or NULL with an AttributeError. */
PyObject *svpy_array_interface(PyObject *self, void *unused);
PyObject *svpy_cuda_array_interface(PyObject *self, void *unused);

/* NULL without an exception where there is no such attribute. */
sv_view *svpy_from_interface(struct svpy_state *state, PyObject *object);
sv_view *svpy_from_cuda_interface(struct svpy_state *state, PyObject *object, struct svpy_streams *streams);

#endif
