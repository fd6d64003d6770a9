/* The fields of a Buffer. */
#ifndef SVPY_BUFFER_STRUCT_H
#define SVPY_BUFFER_STRUCT_H

#include "base/state.h"
#include "objects/work.h"

typedef struct svpy_buffer {
    PyObject_HEAD
    struct svpy_state *state;
    sv_buffer *handle;                   /* NULL of a slice that was closed */
    PyObject *resource;                  /* NULL where there is none */
    struct svpy_buffer *parent;          /* of a slice: what it was cut from, no slice itself */
    struct svpy_buffer *next, *previous; /* a ring of a Buffer and its slices */
    int64_t lent;   /* references to handle that belong to references to this object: of views and Py_buffers */
    int64_t stream; /* as in svpy_view: where the last work on the memory was put */
    svpy_work *work; /* the same; NULL until a view of a device's memory is made, and of a slice */
    bool changes;   /* resize() or migrate() runs, without the interpreter's lock: stream is right when it has ended */
    PyObject *weakrefs;
} svpy_buffer;

/*
 * The handle for a call, released by the caller after it: whoever runs meanwhile may close a slice, whose handle is
 * freed then. Foreign code runs wherever an argument is read (__bool__, __index__, __cuda_stream__), an object is made
 * (the garbage collector) or the interpreter's lock is given away; so arguments come first, and what is asked of the
 * memory is asked after the last of them.
 */
static inline sv_buffer *svpy_buffer_hold(const svpy_buffer *self)
{
    return sv_buffer_retain(self->handle);
}

static inline int svpy_is_buffer(const struct svpy_state *state, PyObject *object)
{
    return PyObject_TypeCheck(object, state->buffer_type);
}

/* The Buffer that a slice was cut from, or the Buffer itself. */
static inline const svpy_buffer *svpy_buffer_root(const svpy_buffer *self)
{
    return self->parent != NULL ? self->parent : self;
}

#endif
