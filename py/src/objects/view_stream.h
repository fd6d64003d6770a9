/* What is kept of work on the memory of a view that was put on a stream. */
#ifndef SVPY_VIEW_STREAM_H
#define SVPY_VIEW_STREAM_H

#include "objects/view_struct.h"

/* After work on a view was put on a stream, or (SVPY_NOTHING) on none; flags: SV_COPY bits. */
void svpy_follow(svpy_view *view, uint32_t flags, int64_t stream);

/* After such work that reads the view: the memory of a Buffer is not freed before it. */
void svpy_record(const sv_view *view, uint32_t flags, int64_t stream);

/* Keep memory of a device that another library owns until the work on a stream is done. Cannot fail; what a capture
 * records is kept by who owns the graph. */
void svpy_keep(const sv_view *view, int64_t stream);

#endif
