/*
 * New memory behind a buffer: sv_buffer_migrate(), and what sv_buffer_resize() and its like need where the old
 * memory does not do. The new memory is complete before the old one is left behind, so that a failure changes
 * nothing.
 *
 * A copy by a device runs on the caller's stream after all that was recorded of the old memory. A copy between two
 * kinds of host memory runs on the host, which waits for the same. What is on the stream then is recorded for
 * memory that is not freed in the order of that stream.
 */
#include <inttypes.h>
#include <string.h>

#include "copy/buffer_migrate.h"
#include "base/alloc.h"
#include "device/backends.h"
#include "memory/buffer_make.h"
#include "copy/bytes.h"
#include "base/checked.h"
#include "memory/storage_work.h"
#include "memory/source_host.h"

/* Whose default streams order a copy between the two; svi_cpu: the host copies and reads no stream. */
static struct svi_device place_of_work(struct svi_device dst, struct svi_device src)
{
    return svi_placement_make(dst, src, true).where;
}

/* --- moving ----------------------------------------------------------------- */

/* The caller's stream is one of the driver that copies. Memory of another driver stays in order with its own. */
static uintptr_t stream_of_memory(struct svi_device memory, struct svi_device where, uintptr_t stream, uintptr_t own)
{
    return svi_is_cpu(where) || svi_backend_of_streams(memory.type) == svi_backend_of_streams(where.type) ? stream
                                                                                                          : own;
}

static void free_left_storage(struct svi_storage *left)
{
    svi_free(left);
}

/* The new memory is freed by free_left_storage like the old one, since a copy that failed late may still run. */
static void give_up(struct svi_storage *made, uintptr_t own, struct svi_device where, uintptr_t stream)
{
    if (svi_driver_of(where.type) != NULL && svi_memory_kind_has_streams(made->kind))
        (void)svi_backend_of_streams(where.type)->synchronize(where, stream);
    made->gone = free_left_storage;
    (void)svi_storage_end(made, own, SVI_EFFORT_NONE);
}

/* The old memory's part of the new one, in order. */
static sv_status copy_kept(sv_buffer *buffer, const struct svi_move *move, struct svi_device where,
                           struct svi_storage *made, uintptr_t own, char *data)
{
    struct svi_storage *old = &buffer->storage;
    const struct svi_device to = made->later.device, from = svi_buffer_device(buffer);
    sv_status status;

    SVI_TRY(svi_storage_begin_work(old, svi_buffer_stream(buffer), old->ordered, where, move->stream));
    SVI_TRY(svi_storage_begin_work(made, own, made->ordered || move->zero, where, move->stream));
    status = svi_copy_bytes(to, data, from, svi_buffer_address(buffer), move->keep, 0, move->stream);
    if (status == SV_OK)
        status = svi_storage_end_work(made, where, move->stream);
    if (status == SV_OK)
        status = svi_storage_end_work(old, where, move->stream);
    return status;
}

/* Work on memory whose contents are not kept is in order with its own stream only. */
static void leave_storage(sv_buffer *buffer, const struct svi_move *move, struct svi_device where,
                          struct svi_storage *left)
{
    uintptr_t stream = svi_buffer_stream(buffer);

    if (move->keep > 0)
        stream = stream_of_memory(left->later.device, where, move->stream, stream);
    if (buffer->ending != NULL)
        buffer->ending(buffer);
    buffer->ending = NULL;
    left->gone = free_left_storage;
    (void)svi_storage_end(left, stream, SVI_EFFORT_NONE);
}

static void swap_storages(struct svi_storage *a, struct svi_storage *b)
{
    struct svi_storage other;

    memcpy(&other, a, sizeof other);
    memcpy(a, b, sizeof other);
    memcpy(b, &other, sizeof other);
}

sv_status svi_buffer_move(sv_buffer *buffer, const struct svi_move *move)
{
    const struct svi_device to = move->allocator->device, where = place_of_work(to, svi_buffer_device(buffer));
    const uintptr_t own = stream_of_memory(to, where, move->stream, 0);
    const struct svi_want want = {move->capacity, move->alignment, own, move->zero};
    struct svi_storage *made = svi_malloc(sizeof *made);
    struct svi_place place;
    sv_status status;
    char *data;

    if (made == NULL)
        return SV_ERROR_MEMORY;
    status = svi_storage_make(move->allocator, &want, made, &data);
    if (status != SV_OK) {
        svi_free(made);
        return status;
    }
    place = svi_place_of(move->allocator, &want, data);
    place.nbytes = move->nbytes;
    if (move->keep > 0)
        status = copy_kept(buffer, move, where, made, own, data);
    if (status != SV_OK) {
        give_up(made, own, where, move->stream);
        return status;
    }
    made->gone = buffer->storage.gone;
    swap_storages(&buffer->storage, made);
    leave_storage(buffer, move, where, made);
    svi_buffer_set_place(buffer, &place);
    svi_buffer_set_stream(buffer, own);
    return SV_OK;
}

/* --- another kind ----------------------------------------------------------- */

/* What was asked for, or what the new kind has where that is more. What an address proves was not asked for. */
static sv_status find_new_alignment(const sv_buffer *buffer, const sv_allocator *allocator, int64_t *out)
{
    SVI_TRY(svi_alignment_of(0, allocator->kind, out));
    if (buffer->storage.allocator != NULL)
        *out = svi_larger(*out, SVI_GET(buffer->alignment));
    return SV_OK;
}

static sv_status migrate_buffer(sv_buffer *buffer, const sv_allocator *allocator, uint32_t flags, uintptr_t stream)
{
    const int64_t nbytes = SVI_GET(buffer->nbytes);
    struct svi_move move = {
        .allocator = allocator,
        .nbytes = nbytes,
        .capacity = nbytes,
        .keep = flags & SV_BUFFER_DISCARD ? 0 : nbytes,
        .stream = stream,
    };

    if (buffer->storage.allocator == allocator)
        return SV_OK;
    SVI_TRY(find_new_alignment(buffer, allocator, &move.alignment));
    return svi_buffer_move(buffer, &move);
}

sv_status sv_buffer_migrate(sv_buffer *buffer, const sv_allocator *allocator, uint32_t flags, uintptr_t stream)
{
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    if (allocator == NULL)
        allocator = svi_allocator_default();
    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    if (flags & ~(uint32_t)SV_BUFFER_DISCARD)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_BUFFER_DISCARD is known", flags);
    SVI_TRY(svi_buffer_begin_move(buffer));
    status = migrate_buffer(buffer, allocator, flags, stream);
    svi_buffer_end_move(buffer);
    return status;
}
