/* Makes Buffers: from a resource, from existing memory, from another Buffer or another process. */
#ifndef SVPY_BUFFER_CREATE_H
#define SVPY_BUFFER_CREATE_H

#include "base/options.h"
#include "base/python.h"

struct svpy_state;

/* How memory is allocated, as bits of a signature. */
#define SVPY_ALLOCATING (SVPY_BIT(STREAM) | SVPY_BIT(ALIGNMENT) | SVPY_BIT(ZERO))

/* A NULL allocator raises NotImplementedError unless an exception is set already. */
PyObject *svpy_buffer_allocate(struct svpy_state *state, PyTypeObject *type, PyObject *resource,
                               const sv_allocator *allocator, PyObject *size, PyObject *const *options);
extern PyMethodDef svpy_buffer_making[];

#endif
