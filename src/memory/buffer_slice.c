/* Parts of buffers. A slice is an export of the buffer that has the memory, so chains are one deep. */
#include <inttypes.h>
#include <stddef.h>

#include "base/alloc.h"
#include "memory/buffer.h"

static void init_slice(sv_buffer *self, const sv_buffer *of, int64_t offset, int64_t nbytes, uint32_t flags)
{
    char *data = SVI_GET(of->data), *host_data = SVI_GET(of->host_data);
    const int64_t alignment = SVI_GET(of->alignment);
    const struct svi_place place = {
        .data = nbytes > 0 ? data + offset : NULL,
        .host_data = nbytes > 0 && host_data != NULL ? host_data + offset : NULL,
        .nbytes = nbytes,
        .capacity = nbytes,
        .alignment = (offset | alignment) & -(offset | alignment),
        .kind = SVI_GET(of->kind),
        .traits = SVI_GET(of->traits) | (flags & SV_READ_ONLY ? SV_TRAIT_READ_ONLY : 0),
        .device = svi_buffer_device(of),
    };

    svi_handle_init(&self->handle, SVI_TAG_BUFFER);
    self->root = svi_buffer_root(of);
    svi_buffer_set_place(self, &place);
}

/* The root is held for the slice, and of, if it is another, for the time of the call. */
static sv_status make_slice(const sv_buffer *of, int64_t offset, int64_t nbytes, uint32_t flags, sv_buffer **out)
{
    sv_buffer *self;

    SVI_TRY(svi_buffer_check_range(of, offset, nbytes));
    self = svi_malloc(offsetof(struct sv_buffer, stream));
    if (self == NULL)
        return SV_ERROR_MEMORY;
    init_slice(self, of, offset, nbytes, flags);
    *out = self;
    return SV_OK;
}

sv_status sv_buffer_slice(const sv_buffer *buffer, int64_t offset, int64_t nbytes, uint32_t flags, sv_buffer **out)
{
    const sv_buffer *root;
    sv_status status = SV_OK;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    SVI_NEED(out);
    if (flags & ~(uint32_t)SV_READ_ONLY)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_READ_ONLY is known", flags);
    root = svi_buffer_root(buffer);
    SVI_TRY(svi_buffer_hold(buffer));
    if (root != buffer)
        status = svi_buffer_hold(root);
    if (status == SV_OK) {
        status = make_slice(buffer, offset, nbytes, flags, out);
        if (status != SV_OK)
            svi_buffer_unhold(root);
    }
    if (root != buffer)
        svi_buffer_unhold(buffer);
    return status;
}
