/* Buffers made: of a resource, of memory that is there, of another Buffer, of another process. */
#ifndef SVPY_BUFFER_CREATE_H
#define SVPY_BUFFER_CREATE_H

#include "base/python.h"

struct svpy_state;

/* values: size, stream, alignment, zero, of which all but the first may be NULL. allocator NULL: an exception. */
PyObject *svpy_buffer_allocate(struct svpy_state *state, PyTypeObject *type, PyObject *resource,
                               const sv_allocator *allocator, PyObject *const *values);
extern PyMethodDef svpy_buffer_making[];

#endif
