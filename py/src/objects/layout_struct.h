/* The fields of a StridedLayout. */
#ifndef SVPY_LAYOUT_STRUCT_H
#define SVPY_LAYOUT_STRUCT_H

#include "base/state.h"

typedef struct {
    PyObject_HEAD
    struct svpy_state *state;
    sv_layout *handle;
    PyObject *shape, *strides; /* answers, kept from the first time on */
    PyObject *weakrefs;
} svpy_layout;

static inline int svpy_is_layout(const struct svpy_state *state, PyObject *object)
{
    return PyObject_TypeCheck(object, state->layout_type);
}

#endif
