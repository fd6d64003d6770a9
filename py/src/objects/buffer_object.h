/*
 * The object that a Buffer is: made, cut into slices, collected as garbage and let go.
 *
 * References that C code has to Python objects, unknown to the garbage collector:
 *   - a sv_buffer that from_handle() made has one to its owner, or to the resource that frees it;
 *   - each live block has one to every resource on its way that Python code takes part in: those whose allocate() is
 *     overridden, and logged ones. So a resource outlives its blocks, while an allocator alone does not keep it alive.
 * svpy_buffer_traverse() visits them for a Buffer that nothing else shares the memory of. Views and slices of such
 * memory therefore have references to the Buffer object, which the collector sees. Garbage is freed before anything of
 * it is cleared, by svpy_buffer_finalize(), but for memory that is lent: views of it may be read by finalizers.
 */
#ifndef SVPY_BUFFER_OBJECT_H
#define SVPY_BUFFER_OBJECT_H

#include "objects/buffer_struct.h"

/* Takes the handle, also when it fails; resource may be NULL. */
PyObject *svpy_buffer_wrap(struct svpy_state *state, PyTypeObject *type, sv_buffer *handle, PyObject *resource);

/* Another object with the same memory. */
PyObject *svpy_buffer_share(svpy_buffer *self, PyTypeObject *type);
PyObject *svpy_buffer_slice(svpy_buffer *self, int64_t offset, int64_t nbytes, uint32_t flags);
void svpy_buffer_dealloc(PyObject *self);
int svpy_buffer_traverse(PyObject *self, visitproc visit, void *arg);
int svpy_buffer_clear(PyObject *self);
void svpy_buffer_finalize(PyObject *self);

/* Close it; 0, or -1 with an exception. */
int svpy_buffer_shut(svpy_buffer *self, uintptr_t stream);

/* Whether libsv has references to Python objects because of this memory. */
bool svpy_buffer_holds(const svpy_buffer *self);

/* Drops a reference to ctx: the free callback of from_handle(owner=). */
sv_status svpy_free_owner(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream);

/* The owner, borrowed, or NULL. */
PyObject *svpy_buffer_owner(const svpy_buffer *self);

#endif
