/* The end of references to Python objects: on any thread, with or without Python, and never nested deeply. */
#ifndef SVPY_RELEASE_H
#define SVPY_RELEASE_H

#include "base/python.h"

/* Whether this thread runs Python now. */
bool svpy_has_lock(void);

/* Py_XDECREF() of what may be the last reference to an object that owns another, and so on. */
void svpy_drop_last(PyObject *object);

static inline void svpy_drop(PyObject *object)
{
    if (object != NULL && Py_REFCNT(object) > 1)
        Py_DECREF(object);
    else if (object != NULL)
        svpy_drop_last(object);
}

/* A Py_buffer of its own block, ended by svpy_end_buffer() on any thread, with or without Python. */
Py_buffer *svpy_hold_buffer(PyObject *object, int flags);
void svpy_end_buffer(void *buffer);

/* Call end(ctx) at once, or, if the nesting is deep, when the outermost such call returns. Needs the GIL. */
void svpy_end_in_turn(void (*end)(void *ctx), void *ctx);

/* A release callback that drops a reference to ctx, on any thread, with or without Python. */
void svpy_end_object(void *ctx);

#endif
