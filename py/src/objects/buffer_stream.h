/* The stream that the last work on the memory of a Buffer was put on, and waiting for it. */
#ifndef SVPY_BUFFER_STREAM_H
#define SVPY_BUFFER_STREAM_H

#include "objects/buffer_struct.h"

/* Let stream, or else the host, wait for work of before. 0, or -1 with an exception. */
int svpy_buffer_order(const svpy_buffer *self, uintptr_t stream);

/* Where memory of a device was written in the order of a stream, what comes next waits for that. */
void svpy_buffer_follow(svpy_buffer *self, uintptr_t stream);

/* The stream that an argument names, None for the one that the memory is freed in. 0, or -1 with an exception. */
int svpy_buffer_stream(const svpy_buffer *self, PyObject *given, uintptr_t *out);

/* Wait until the host may read the memory. 0, or -1 with an exception. */
int svpy_buffer_await_work(const svpy_buffer *self);

#endif
