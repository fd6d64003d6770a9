/* The object that a MemoryResource is: made, collected as garbage and let go; and its allocator. */
#ifndef SVPY_RESOURCE_OBJECT_H
#define SVPY_RESOURCE_OBJECT_H

#include "base/python.h"

struct svpy_state;

/* Takes the handle, also when it fails; base, of which it is made, may be NULL. */
PyObject *svpy_resource_wrap(struct svpy_state *state, PyTypeObject *type, sv_allocator *handle, PyObject *base);
void svpy_resource_dealloc(PyObject *self);
int svpy_resource_traverse(PyObject *self, visitproc visit, void *arg);
int svpy_resource_clear(PyObject *self);

/* The allocator of a MemoryResource, borrowed; NULL with an exception. */
const sv_allocator *svpy_allocator_of(PyObject *resource);

/* An argument: a MemoryResource, or one that adapts an object of cuda.core's or RMM's interface. A new reference. */
PyObject *svpy_resource_given(const struct svpy_state *state, PyObject *object, const char *name);

#endif
