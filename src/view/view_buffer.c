/* Views of buffers. A view is an export: the buffer stays alive and in place until the last view of it is gone. */
#include <inttypes.h>

#include "memory/buffer.h"
#include "view/view.h"
#include "view/view_buffer.h"

static void unhold_buffer(void *ctx)
{
    svi_buffer_unhold(ctx);
}

void svi_view_of_buffer(const sv_buffer *buffer, struct svi_view_memory *out)
{
    *out = (struct svi_view_memory){
        .base = svi_buffer_address(buffer),
        .flags = SVI_GET(buffer->traits) & SV_TRAIT_READ_ONLY ? SV_READ_ONLY : 0,
        .device = svi_buffer_device(buffer),
        .release = unhold_buffer,
        .ctx = (void *)buffer,
    };
}

/* By integers, for the memory of an empty buffer is at NULL. */
static char *advance_pointer(char *base, int64_t nbytes)
{
    return (char *)((uintptr_t)base + (uintptr_t)nbytes);
}

static sv_status make_with_layout(const struct svi_view_memory *memory, const sv_layout *layout, sv_dtype dtype,
                                  int64_t offset, int64_t nbytes, sv_view **out)
{
    return sv_view_new(layout, dtype, advance_pointer(memory->base, offset), -offset, nbytes - offset,
                       memory->device.type, memory->device.id, memory->flags, memory->release, memory->ctx, out);
}

/* All items of the rest, along one axis. */
static sv_status make_flat(struct svi_view_memory *memory, sv_dtype dtype, int64_t offset, int64_t nbytes,
                           sv_view **out)
{
    const int64_t itemsize = sv_dtype_itemsize(dtype), rest = nbytes - offset;
    struct svi_geometry g;
    struct svi_extent extent;
    int64_t count;

    if (itemsize == 0)
        return svi_fail(SV_ERROR_DTYPE, "without a layout, a type with items of a known size is needed");
    if (rest % itemsize != 0)
        return svi_fail(SV_ERROR_LAYOUT,
                        "%" PRId64 " bytes from byte %" PRId64 " on are no whole number of items of %" PRId64 " bytes",
                        rest, offset, itemsize);
    count = rest / itemsize;
    SVI_TRY(svi_geometry_read(&g, 1, &count, NULL, 1, itemsize, &extent));
    memory->base = advance_pointer(memory->base, offset);
    memory->dtype = dtype;
    return svi_view_make(memory, &g, &extent, out);
}

static sv_status make_buffer_view(sv_buffer *buffer, const sv_layout *layout, sv_dtype dtype, int64_t offset,
                                  uint32_t flags, sv_view **out)
{
    const int64_t nbytes = SVI_GET(buffer->nbytes);
    struct svi_view_memory memory;

    SVI_TRY(svi_buffer_check_range(buffer, offset, 0));
    svi_view_of_buffer(buffer, &memory);
    memory.flags |= flags;
    return layout != NULL ? make_with_layout(&memory, layout, dtype, offset, nbytes, out)
                          : make_flat(&memory, dtype, offset, nbytes, out);
}

sv_status sv_view_from_buffer(sv_buffer *buffer, const sv_layout *layout, sv_dtype dtype, int64_t offset,
                              uint32_t flags, sv_view **out)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    if (layout != NULL)
        SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(out);
    if (flags & ~(uint32_t)SV_READ_ONLY)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_READ_ONLY is known", flags);
    SVI_TRY(svi_buffer_hold(buffer));
    status = make_buffer_view(buffer, layout, dtype, offset, flags, out);
    if (status != SV_OK)
        svi_buffer_unhold(buffer);
    return status;
}

const sv_buffer *sv_view_buffer(const sv_view *view)
{
    const sv_view *root;

    if (svi_view_check(view, "view") != SV_OK)
        return NULL;
    root = svi_view_root(view);
    return root->release == unhold_buffer ? root->ctx : NULL;
}
