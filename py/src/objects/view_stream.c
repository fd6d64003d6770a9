/* What is kept of work on the memory of a view that was put on a stream: by the view, and by the Buffer it is of. */
#include "objects/view_stream.h"

#include "execution/thread_stream.h"
#include "objects/buffer_struct.h"
#include "objects/lending.h"
#include "objects/view_struct.h"

/* The Buffer that a view is of, or NULL. */
static const sv_buffer *buffer_below(const sv_view *view)
{
    const svpy_buffer *lender = sv_view_context(view, svpy_end_lending);

    return lender != NULL ? lender->handle : sv_view_buffer(view);
}

/* Where that fails nothing but the end of the work lets the memory be freed. */
void svpy_record(const sv_view *view, uint32_t flags, int64_t stream)
{
    const sv_buffer *buffer = stream < 0 || (flags & SV_COPY_BLOCKING) != 0 ? NULL : buffer_below(view);

    if (buffer != NULL && sv_buffer_record_use(buffer, (uintptr_t)stream) != SV_OK)
        sv_stream_synchronize(sv_view_device_type(view), sv_view_device_id(view), (uintptr_t)stream);
}

/* A requested stream must wait for the last work that was put on another. Ordinary host memory has none pending. */
void svpy_follow(svpy_view *view, uint32_t flags, int64_t stream)
{
    if (stream >= 0 && (flags & SV_COPY_BLOCKING) == 0 && sv_view_device_type(view->handle) != SV_DEVICE_CPU)
        view->stream = svpy_remember(stream);
    svpy_record(view->handle, flags, stream);
}
