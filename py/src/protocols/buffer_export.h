/* The memory of a Buffer handed on: as a view, to the buffer protocol, by DLPack, by the CUDA array interface. */
#ifndef SVPY_BUFFER_EXPORT_H
#define SVPY_BUFFER_EXPORT_H

#include "objects/buffer_struct.h"

/* A handle of layout (NULL: one axis) and dtype, from offset on. NULL with an exception. */
sv_view *svpy_buffer_handle(svpy_buffer *self, const sv_layout *layout, sv_dtype dtype, int64_t offset,
                            uint32_t flags);

/* A view of the bytes. */
PyObject *svpy_buffer_bytes(svpy_buffer *self);
int svpy_buffer_getbuffer(PyObject *self, Py_buffer *buffer, int flags);
void svpy_buffer_releasebuffer(PyObject *self, Py_buffer *buffer);
PyObject *svpy_buffer_cuda_interface(PyObject *self, void *unused);
extern PyMethodDef svpy_buffer_exporting[];

#endif
