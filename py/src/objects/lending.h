/* The memory of a Buffer lent to views and Py_buffers, which neither moves nor ends meanwhile. */
#ifndef SVPY_LENDING_H
#define SVPY_LENDING_H

#include "objects/buffer_struct.h"

/* BufferError while another thread moves the memory. 0, or -1 with an exception. */
int svpy_buffer_check_still(const svpy_buffer *self);

/* A reference to handle that keeps the memory in place, of one who has a reference to the object. 0, or -1. */
int svpy_buffer_begin_lending(svpy_buffer *self);

static inline void svpy_buffer_end_lending(svpy_buffer *self)
{
    self->lent--;
    sv_buffer_end_export(self->handle);
}

/* A release callback that ends the lending of a Buffer and drops a reference to it, on any thread. */
void svpy_end_lending(void *ctx);

/* The buffer that a view is of, or NULL. */
const sv_buffer *svpy_buffer_below(const sv_view *view);

/* The object that the memory of a view holds by svpy_end_object(), svpy_end_lending() or svpy_end_buffer(), or NULL. The
 * view object's own references do not count. */
PyObject *svpy_held_by(const sv_view *view);

#endif
