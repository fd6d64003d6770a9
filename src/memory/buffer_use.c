/* Streams of buffers: the one that the memory is freed on, and work on others that uses it. */
#include "memory/buffer.h"

/* What the stream until now holds comes before what is put on the new one, the free among it. */
static sv_status set_stream(sv_buffer *buffer, uintptr_t stream)
{
    struct svi_storage *storage = &buffer->storage;
    struct svi_uses uses = {.first = NULL};
    const uintptr_t old = svi_buffer_stream(buffer);
    sv_status status = SV_OK;

    if (old != stream && storage->ordered && svi_memory_kind_has_streams(storage->kind)) {
        SVI_TRY(svi_uses_record(&uses, storage->later.device, old));
        status = svi_uses_follow(&uses, storage->later.device, stream);
        svi_uses_forget(&uses);
    }
    if (status == SV_OK)
        svi_buffer_set_stream(buffer, stream);
    return status;
}

sv_status sv_buffer_set_stream(sv_buffer *buffer, uintptr_t stream)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    if (buffer->root != NULL)
        return svi_fail(SV_ERROR_STATE, "the buffer is a slice, whose memory is that of another one");
    SVI_TRY(svi_buffer_hold(buffer));
    status = set_stream(buffer, stream);
    svi_buffer_unhold(buffer);
    return status;
}

static sv_status record_use(sv_buffer *root, uintptr_t stream)
{
    const sv_memory kind = root->storage.kind;

    if (kind == SV_MEMORY_HOST || SVI_GET(root->capacity) == 0)
        return SV_OK;
    if (!svi_memory_kind_has_streams(kind))
        return svi_fail(SV_ERROR_UNSUPPORTED, "libsv knows no streams of %s devices",
                        svi_device_title(SVI_GET(root->device_type)));
    return svi_uses_record(&root->storage.uses, root->storage.later.device, stream);
}

sv_status sv_buffer_record_use(const sv_buffer *buffer, uintptr_t stream)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    SVI_TRY(svi_buffer_hold(buffer));
    status = record_use(svi_buffer_root(buffer), stream);
    svi_buffer_unhold(buffer);
    return status;
}
