/* Buffers made: of a resource, of memory that is there, of another Buffer, of another process. */
#ifndef SVPY_BUFFER_CREATE_H
#define SVPY_BUFFER_CREATE_H

#include "base/options.h"
#include "base/python.h"

struct svpy_state;

/* How memory is allocated, as bits of a signature. */
#define SVPY_ALLOCATING (SVPY_BIT(STREAM) | SVPY_BIT(ALIGNMENT) | SVPY_BIT(ZERO))

/* allocator NULL: an exception. */
PyObject *svpy_buffer_allocate(struct svpy_state *state, PyTypeObject *type, PyObject *resource,
                               const sv_allocator *allocator, PyObject *size, PyObject *const *options);
extern PyMethodDef svpy_buffer_making[];

#endif
