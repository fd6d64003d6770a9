/* What is kept of work on the memory of a view that was put on a stream: by the view, and by the Buffer it is of. */
#include "objects/view_stream.h"

#include "execution/thread_stream.h"
#include "objects/lending.h"
#include "objects/view_struct.h"

/* Where that fails nothing but the end of the work lets the memory be freed. */
void svpy_record(const sv_view *view, uint32_t flags, int64_t stream)
{
    const sv_buffer *buffer = stream < 0 || (flags & SV_COPY_BLOCKING) != 0 ? NULL : svpy_buffer_below(view);

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

static sv_status end_kept(void *ctx, void *Py_UNUSED(pointer), int64_t Py_UNUSED(nbytes), int64_t Py_UNUSED(alignment),
                          uintptr_t Py_UNUSED(stream))
{
    sv_view_release(ctx);
    return SV_OK;
}

/* A buffer around the memory waits for the work as buffers do, without anybody's waiting. */
void svpy_keep(const sv_view *view, int64_t stream)
{
    const int32_t type = sv_view_device_type(view), id = sv_view_device_id(view);
    const sv_memory kind = sv_device_traits(type) & SV_TRAIT_MANAGED ? SV_MEMORY_MANAGED : SV_MEMORY_DEVICE;
    sv_view *kept;
    sv_buffer *around = NULL;

    if (sv_view_data(view) == NULL)
        return;
    if (svpy_buffer_below(view) != NULL)
        return;
    kept = sv_view_retain((sv_view *)view);
    if (sv_buffer_adopt(sv_view_data(view), 1, kind, type, id, SV_BUFFER_TRUST, (uintptr_t)stream, end_kept, kept,
                        &around) != SV_OK) {
        sv_view_release(kept);
        return;
    }
    if (sv_buffer_record_use(around, (uintptr_t)stream) == SV_ERROR_MEMORY)
        sv_stream_synchronize(type, id, (uintptr_t)stream);
    sv_buffer_release(around);
}
