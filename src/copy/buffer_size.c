/*
 * Size and capacity of buffers. Within the capacity nothing moves; beyond it, and to give back what is not used, the
 * buffer moves as buffer_migrate.c does it, within its allocator.
 */
#include <inttypes.h>

#include "copy/buffer_migrate.h"
#include "memory/buffer.h"
#include "base/checked.h"
#include "memory/storage_work.h"

static sv_status check_root(const sv_buffer *buffer)
{
    if (buffer->root != NULL)
        return svi_fail(SV_ERROR_STATE, "the buffer is a slice, whose memory is that of another one");
    return SV_OK;
}

static sv_status check_byte_count(const char *name, int64_t nbytes)
{
    if (nbytes < 0)
        return svi_fail(SV_ERROR_INVALID, "%s is %" PRId64, name, nbytes);
    return SV_OK;
}

/* With the allocator that the buffer has: adopted memory has none. */
static sv_status move_within(sv_buffer *buffer, struct svi_move *move)
{
    move->allocator = buffer->storage.allocator;
    if (move->allocator == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED,
                        "the memory was adopted, so nothing can allocate more of it: migrate it to an allocator first");
    move->alignment = SVI_GET(buffer->alignment);
    return svi_buffer_move(buffer, move);
}

/* --- resize ------------------------------------------------------------------ */

/* Zeros from byte first on, in order with all that used the memory. */
static sv_status zero_rest(sv_buffer *buffer, int64_t first, int64_t nbytes, uintptr_t stream)
{
    struct svi_storage *storage = &buffer->storage;
    const struct svi_device where = svi_storage_filler(storage);

    if (first == nbytes)
        return SV_OK;
    if (SVI_GET(buffer->traits) & SV_TRAIT_READ_ONLY)
        return svi_fail(SV_ERROR_READ_ONLY, "the buffer is read-only");
    SVI_TRY(svi_storage_begin_work(storage, svi_buffer_stream(buffer), storage->ordered, where, stream));
    SVI_TRY(svi_storage_zero(storage->kind, svi_buffer_device(buffer), svi_buffer_address(buffer) + first,
                             nbytes - first, stream));
    SVI_TRY(svi_storage_end_work(storage, where, stream));
    svi_buffer_set_stream(buffer, stream);
    return SV_OK;
}

static sv_status resize_buffer(sv_buffer *buffer, int64_t nbytes, uint32_t flags, uintptr_t stream)
{
    const bool zero = (flags & SV_BUFFER_ZERO) != 0;
    const int64_t keep = flags & SV_BUFFER_DISCARD ? 0 : svi_smaller(nbytes, SVI_GET(buffer->nbytes));
    struct svi_move move = {.nbytes = nbytes, .capacity = nbytes, .keep = keep, .zero = zero, .stream = stream};

    if (nbytes > SVI_GET(buffer->capacity))
        return move_within(buffer, &move);
    if (zero)
        SVI_TRY(zero_rest(buffer, keep, nbytes, stream));
    SVI_SET(buffer->nbytes, nbytes);
    return SV_OK;
}

/* Whether there is nothing to do, which needs no buffer without exports. */
static sv_status is_as_asked(const sv_buffer *buffer, int64_t nbytes, uint32_t flags, bool *same)
{
    const uint32_t rewrites = SV_BUFFER_ZERO | SV_BUFFER_DISCARD;

    SVI_TRY(svi_buffer_hold(buffer));
    *same = nbytes == SVI_GET(buffer->nbytes) && (flags & rewrites) != rewrites;
    svi_buffer_unhold(buffer);
    return SV_OK;
}

sv_status sv_buffer_resize(sv_buffer *buffer, int64_t nbytes, uint32_t flags, uintptr_t stream)
{
    sv_status status;
    bool same;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    SVI_TRY(check_byte_count("nbytes", nbytes));
    if (flags & ~(uint32_t)(SV_BUFFER_ZERO | SV_BUFFER_DISCARD))
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_BUFFER_ZERO and SV_BUFFER_DISCARD are known",
                        flags);
    SVI_TRY(check_root(buffer));
    SVI_TRY(is_as_asked(buffer, nbytes, flags, &same));
    if (same)
        return SV_OK;
    SVI_TRY(svi_buffer_begin_move(buffer));
    status = resize_buffer(buffer, nbytes, flags, stream);
    svi_buffer_end_move(buffer);
    return status;
}

/* --- capacity ----------------------------------------------------------------- */

enum { NO_MORE = -1 }; /* asked for: no more than the size */

static int64_t capacity_for(const sv_buffer *buffer, int64_t asked)
{
    return asked == NO_MORE ? SVI_GET(buffer->nbytes) : svi_larger(asked, SVI_GET(buffer->capacity));
}

static sv_status set_capacity(sv_buffer *buffer, int64_t asked, uintptr_t stream)
{
    const int64_t nbytes = SVI_GET(buffer->nbytes), capacity = capacity_for(buffer, asked);
    struct svi_move move = {.nbytes = nbytes, .capacity = capacity, .keep = nbytes, .stream = stream};

    return capacity == SVI_GET(buffer->capacity) ? SV_OK : move_within(buffer, &move);
}

static sv_status change_capacity(sv_buffer *buffer, int64_t asked, uintptr_t stream)
{
    sv_status status;
    bool same;

    SVI_TRY(check_root(buffer));
    SVI_TRY(svi_buffer_hold(buffer));
    same = capacity_for(buffer, asked) == SVI_GET(buffer->capacity);
    svi_buffer_unhold(buffer);
    if (same)
        return SV_OK;
    SVI_TRY(svi_buffer_begin_move(buffer));
    status = set_capacity(buffer, asked, stream);
    svi_buffer_end_move(buffer);
    return status;
}

sv_status sv_buffer_reserve(sv_buffer *buffer, int64_t capacity, uintptr_t stream)
{
    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    SVI_TRY(check_byte_count("capacity", capacity));
    return change_capacity(buffer, capacity, stream);
}

sv_status sv_buffer_shrink(sv_buffer *buffer, uintptr_t stream)
{
    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    return change_capacity(buffer, NO_MORE, stream);
}
