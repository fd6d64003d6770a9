/*
 * The bytes of buffers: read, write, copy, fill. The buffer is an export while the call runs, so that its memory
 * does not move; work that is still on a stream on return is the caller's to record.
 */
#include <inttypes.h>

#include "memory/buffer.h"
#include "copy/bytes.h"

static sv_status check_flags(uint32_t flags)
{
    if (flags & ~(uint32_t)SV_COPY_BLOCKING)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_COPY_BLOCKING is known", flags);
    return SV_OK;
}

static sv_status check_writable(const sv_buffer *buffer)
{
    if (SVI_GET(buffer->traits) & SV_TRAIT_READ_ONLY)
        return svi_fail(SV_ERROR_READ_ONLY, "the buffer is read-only");
    return SV_OK;
}

/*
 * The host copies to and from pinned memory at once. That of a pool is allocated in the order of a stream, so the host
 * waits for what the stream has to do. other: what is on the other side.
 */
static sv_status wait_for_pool(const sv_buffer *buffer, struct svi_device other, uintptr_t stream)
{
    const struct svi_device device = svi_buffer_device(buffer);

    if (!(SVI_GET(buffer->traits) & SV_TRAIT_ORDERED) || SVI_GET(buffer->kind) != SV_MEMORY_PINNED)
        return SV_OK;
    if (svi_devices[other.type].owner != SVI_FAMILY_HOST)
        return SV_OK;
    return sv_stream_synchronize(device.type, device.id, stream);
}

static sv_status read_buffer(const sv_buffer *buffer, int64_t offset, void *dst, int64_t nbytes, uint32_t flags,
                             uintptr_t stream)
{
    SVI_TRY(svi_buffer_check_range(buffer, offset, nbytes));
    if (nbytes == 0)
        return SV_OK;
    SVI_TRY(wait_for_pool(buffer, svi_cpu, stream));
    return svi_copy_bytes(svi_cpu, dst, svi_buffer_device(buffer), svi_buffer_address(buffer) + offset, nbytes, flags,
                          stream);
}

sv_status sv_buffer_read(const sv_buffer *buffer, int64_t offset, void *dst, int64_t nbytes, uint32_t flags,
                         uintptr_t stream)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    if (nbytes != 0)
        SVI_NEED(dst);
    SVI_TRY(check_flags(flags));
    SVI_TRY(svi_buffer_hold(buffer));
    status = read_buffer(buffer, offset, dst, nbytes, flags, stream);
    svi_buffer_unhold(buffer);
    return status;
}

static sv_status write_buffer(const sv_buffer *buffer, int64_t offset, const void *src, int64_t nbytes, uint32_t flags,
                              uintptr_t stream)
{
    SVI_TRY(check_writable(buffer));
    SVI_TRY(svi_buffer_check_range(buffer, offset, nbytes));
    if (nbytes == 0)
        return SV_OK;
    SVI_TRY(wait_for_pool(buffer, svi_cpu, stream));
    return svi_copy_bytes(svi_buffer_device(buffer), svi_buffer_address(buffer) + offset, svi_cpu, src, nbytes, flags,
                          stream);
}

sv_status sv_buffer_write(sv_buffer *buffer, int64_t offset, const void *src, int64_t nbytes, uint32_t flags,
                          uintptr_t stream)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    if (nbytes != 0)
        SVI_NEED(src);
    SVI_TRY(check_flags(flags));
    SVI_TRY(svi_buffer_hold(buffer));
    status = write_buffer(buffer, offset, src, nbytes, flags, stream);
    svi_buffer_unhold(buffer);
    return status;
}

static sv_status copy_buffer(const sv_buffer *dst, int64_t dst_offset, const sv_buffer *src, int64_t src_offset,
                             int64_t nbytes, uint32_t flags, uintptr_t stream)
{
    SVI_TRY(check_writable(dst));
    SVI_TRY(svi_buffer_check_range(dst, dst_offset, nbytes));
    SVI_TRY(svi_buffer_check_range(src, src_offset, nbytes));
    if (nbytes == 0)
        return SV_OK;
    SVI_TRY(wait_for_pool(dst, svi_buffer_device(src), stream));
    SVI_TRY(wait_for_pool(src, svi_buffer_device(dst), stream));
    return svi_copy_bytes(svi_buffer_device(dst), svi_buffer_address(dst) + dst_offset, svi_buffer_device(src),
                          svi_buffer_address(src) + src_offset, nbytes, flags, stream);
}

sv_status sv_buffer_copy(sv_buffer *dst, int64_t dst_offset, const sv_buffer *src, int64_t src_offset, int64_t nbytes,
                         uint32_t flags, uintptr_t stream)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(dst, "dst"));
    SVI_TRY(svi_buffer_check(src, "src"));
    SVI_TRY(check_flags(flags));
    SVI_TRY(svi_buffer_hold(dst));
    status = svi_buffer_hold(src);
    if (status == SV_OK) {
        status = copy_buffer(dst, dst_offset, src, src_offset, nbytes, flags, stream);
        svi_buffer_unhold(src);
    }
    svi_buffer_unhold(dst);
    return status;
}

static sv_status check_item(int64_t nbytes, int64_t itemsize)
{
    if (itemsize < 1 || itemsize > 16 || (itemsize & (itemsize - 1)) != 0)
        return svi_fail(SV_ERROR_INVALID, "items of %" PRId64 " bytes, not of 1, 2, 4, 8 or 16", itemsize);
    if (nbytes % itemsize != 0)
        return svi_fail(SV_ERROR_LAYOUT, "%" PRId64 " bytes are no whole number of items of %" PRId64, nbytes,
                        itemsize);
    return SV_OK;
}

static sv_status fill_buffer(const sv_buffer *buffer, int64_t offset, int64_t nbytes, const void *item,
                             int64_t itemsize, uint32_t flags, uintptr_t stream)
{
    SVI_TRY(check_writable(buffer));
    SVI_TRY(svi_buffer_check_range(buffer, offset, nbytes));
    SVI_TRY(check_item(nbytes, itemsize));
    if (nbytes == 0)
        return SV_OK;
    SVI_TRY(wait_for_pool(buffer, svi_cpu, stream));
    return svi_fill_bytes(svi_buffer_device(buffer), svi_buffer_address(buffer) + offset, nbytes, item,
                          (int32_t)itemsize, stream, (flags & SV_COPY_BLOCKING) != 0);
}

sv_status sv_buffer_fill(sv_buffer *buffer, int64_t offset, int64_t nbytes, const void *item, int64_t itemsize,
                         uint32_t flags, uintptr_t stream)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    SVI_NEED(item);
    SVI_TRY(check_flags(flags));
    SVI_TRY(svi_buffer_hold(buffer));
    status = fill_buffer(buffer, offset, nbytes, item, itemsize, flags, stream);
    svi_buffer_unhold(buffer);
    return status;
}
