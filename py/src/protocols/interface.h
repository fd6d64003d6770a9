/* __array_interface__ and __cuda_array_interface__, in and out. */
#ifndef SVPY_INTERFACE_H
#define SVPY_INTERFACE_H

#include "base/python.h"

struct svpy_state;

/* The dict, or NULL with an AttributeError. */
PyObject *svpy_array_interface(PyObject *self, void *unused);
PyObject *svpy_cuda_array_interface(PyObject *self, void *unused);

/* One import: its streams, and what it may do. */
struct svpy_streams {
    int64_t given;   /* as svpy_stream() reads it */
    int64_t ready;   /* of the view; SVPY_ABSENT: as given says */
    bool may_copy;   /* the memory is read once, so a copy of it will do */
    PyObject *array; /* what __array__() gave, which is viewed in place of the object; owned. NULL: the object is */
};

/* NULL without an exception where there is no such attribute. */
sv_view *svpy_from_interface(struct svpy_state *state, PyObject *object);
sv_view *svpy_from_cuda_interface(struct svpy_state *state, PyObject *object, struct svpy_streams *streams);

#endif
