/* Views of the memory of buffers. */
#ifndef SVI_VIEW_BUFFER_H
#define SVI_VIEW_BUFFER_H

#include "memory/buffer.h"
#include "view/view.h"

/* All of the memory of a buffer, with the export of it that the view is to have; no type yet. */
void svi_view_of_buffer(const sv_buffer *buffer, struct svi_view_memory *out);

#endif
