/*
 * How a buffer parts with its memory: the stream that it is freed on, the work on other streams that comes before, and
 * close and detach, after which the handle stays.
 */
#include <inttypes.h>

#include "memory/buffer.h"
#include "memory/buffer_stats.h"
#include "memory/storage_work.h"

/* --- streams ----------------------------------------------------------------- */

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
    if (root->storage.ordered &&
        svi_storage_is_own(&root->storage, svi_buffer_stream(root), root->storage.later.device, stream)) {
        SVI_SET(root->is_used_here, true);
        return SV_OK;
    }
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

/* --- close ------------------------------------------------------------------- */

static sv_status close_root(sv_buffer *self, uintptr_t stream)
{
    if (self->ending != NULL)
        self->ending(self);
    self->ending = NULL;
    svi_handle_retain(&self->handle); /* for the memory */
    return svi_storage_end(&self->storage, stream, SVI_EFFORT_FREE);
}

/* Freed on another stream than its own, the memory has uses that needed no event until now. */
static sv_status record_own(sv_buffer *buffer, uintptr_t stream)
{
    struct svi_storage *storage = &buffer->storage;
    const uintptr_t own = svi_buffer_stream(buffer);

    if (!SVI_GET(buffer->is_used_here) || svi_storage_is_own(storage, own, storage->later.device, stream))
        return SV_OK;
    return svi_uses_record(&storage->uses, storage->later.device, own);
}

static sv_status prepare_close(sv_buffer *buffer, uintptr_t stream)
{
    sv_status status;

    if (buffer->root != NULL || svi_buffer_hold(buffer) != SV_OK) /* what is closed already is told below */
        return SV_OK;
    status = record_own(buffer, stream);
    svi_buffer_unhold(buffer);
    return status;
}

sv_status sv_buffer_close(sv_buffer *buffer, uintptr_t stream)
{
    struct svi_word found;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    SVI_TRY(prepare_close(buffer, stream));
    if (!svi_word_leave(svi_buffer_word_of(buffer), SVI_BUFFER_CLOSED, false, &found)) {
        const int64_t state = svi_word_state(found);

        return state == SVI_BUFFER_CLOSED || state == SVI_BUFFER_DETACHED ? SV_OK : svi_buffer_refuse(found);
    }
    if (buffer->root == NULL)
        return close_root(buffer, stream);
    svi_buffer_unhold(buffer->root);
    return SV_OK;
}

/* --- detach ------------------------------------------------------------------ */

/* The end of memory that a caller took: its context is the handle, with the reference of the memory. */
static sv_status free_detached(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    sv_buffer *self = ctx;

    (void)pointer, (void)nbytes, (void)alignment; /* as the caller knows them; the source knows its own */
    return svi_storage_end(&self->storage, stream, SVI_EFFORT_FREE);
}

static sv_status free_nothing(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)alignment, (void)stream;
    return SV_OK;
}

/* The caller must not get memory that work may still use, without a word. */
static sv_status settle_uses(sv_buffer *self)
{
    int64_t left;

    if (self->storage.ordered)
        SVI_TRY(svi_uses_order(&self->storage.uses, self->storage.later.device, svi_buffer_stream(self), false, &left));
    else
        SVI_TRY(svi_uses_finish(&self->storage.uses, false, &left));
    if (left > 0)
        return svi_fail(SV_ERROR_BLOCKED, "work that uses the memory runs on %" PRId64 " streams", left);
    return SV_OK;
}

static void hand_over(sv_buffer *self, sv_free_callback *free, void **ctx)
{
    struct svi_storage *storage = &self->storage;

    if (self->ending != NULL)
        self->ending(self);
    self->ending = NULL;
    if (storage->counted > 0)
        svi_stats_freed(storage->kind, storage->counted);
    storage->counted = 0;
    if (storage->allocator != NULL || storage->undo != NULL) {
        svi_handle_retain(&self->handle);
        *free = free_detached;
        *ctx = self;
    } else {
        *free = storage->free != NULL ? storage->free : free_nothing;
        *ctx = storage->ctx;
    }
}

sv_status sv_buffer_detach(sv_buffer *buffer, void **pointer, int64_t *nbytes, int64_t *alignment, uintptr_t *stream,
                           sv_free_callback *free, void **ctx)
{
    struct svi_word found;
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    SVI_NEED(pointer);
    SVI_NEED(nbytes);
    SVI_NEED(alignment);
    SVI_NEED(stream);
    SVI_NEED(free);
    SVI_NEED(ctx);
    if (buffer->root != NULL)
        return svi_fail(SV_ERROR_STATE, "the buffer is a slice, whose memory is that of another one");
    if (!svi_word_leave(svi_buffer_word_of(buffer), SVI_BUFFER_MOVING, true, &found))
        return svi_buffer_refuse(found);
    status = settle_uses(buffer);
    if (status != SV_OK) {
        svi_buffer_end_move(buffer);
        return status;
    }
    *pointer = svi_buffer_address(buffer);
    *nbytes = SVI_GET(buffer->capacity);
    *alignment = SVI_GET(buffer->alignment);
    *stream = svi_buffer_stream(buffer);
    hand_over(buffer, free, ctx);
    svi_word_change(svi_buffer_word_of(buffer), SVI_BUFFER_MOVING, SVI_BUFFER_DETACHED);
    return SV_OK;
}
