/* How long a buffer lives, and what it may do meanwhile: its references, its exports, and the states of its word. */
#include "memory/buffer.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/alloc.h"

/* --- the end --------------------------------------------------------------- */

static void free_handle(sv_buffer *self)
{
#ifdef SVI_CHECKS
    svi_handle_dead(&self->handle);
#endif
    self->handle.tag = SVI_TAG_DEAD;
    svi_free(self);
}

/* The memory holds a reference while it is being freed, so that the handle, which it lies in, stays. */
void svi_buffer_memory_gone(struct svi_storage *storage)
{
    sv_buffer *self = (sv_buffer *)((char *)storage - offsetof(struct sv_buffer, storage));

    if (svi_word_drop(svi_buffer_word_of(self), SVI_BUFFER_REFERENCE))
        free_handle(self);
}

static void end_root(sv_buffer *self)
{
    if (self->ending != NULL)
        self->ending(self);
    svi_word_set(svi_buffer_word_of(self), SVI_BUFFER_CLOSED, SVI_BUFFER_REFERENCE);
    (void)svi_storage_end(&self->storage, svi_buffer_stream(self), SVI_EFFORT_NONE);
}

/* Without a reference left. */
static void destroy_buffer(sv_buffer *self)
{
    const bool is_open = svi_word_state(svi_word_get(svi_buffer_word_of(self))) == SVI_BUFFER_OPEN;
    sv_buffer *root = self->root;

#ifdef SVI_CHECKS
    svi_handle_dead(&self->handle);
#endif
    self->handle.tag = SVI_TAG_DEAD;
    if (is_open && root == NULL) {
        end_root(self);
        return;
    }
    svi_free(self);
    if (is_open)
        svi_buffer_unhold(root);
}

/* A sole owner skips the atomic decrement, unless others can find the buffer without a reference. */
static bool drop_reference(sv_buffer *self, int64_t what)
{
    if (svi_word_is(svi_word_get(svi_buffer_word_of(self)), what) && (self->root != NULL || self->ending == NULL))
        return true;
    return svi_word_drop(svi_buffer_word_of(self), what);
}

void svi_buffer_unhold(const sv_buffer *buffer)
{
    sv_buffer *self = (sv_buffer *)buffer;

    if (drop_reference(self, SVI_BUFFER_EXPORT))
        destroy_buffer(self);
}

sv_buffer *sv_buffer_retain(const sv_buffer *buffer)
{
    if (!svi_buffer_is(buffer))
        return NULL;
    svi_handle_retain(&buffer->handle);
    return (sv_buffer *)buffer;
}

void sv_buffer_release(sv_buffer *buffer)
{
    if (svi_buffer_is(buffer) && drop_reference(buffer, SVI_BUFFER_REFERENCE))
        destroy_buffer(buffer);
}

static bool end_late(struct svi_deferred *later, enum svi_effort effort)
{
    (void)effort; /* memory that has to be waited for is deferred once more */
    destroy_buffer((sv_buffer *)((char *)later - offsetof(struct sv_buffer, later)));
    return true;
}

void sv_buffer_release_later(sv_buffer *buffer)
{
    if (!svi_buffer_is(buffer) || !drop_reference(buffer, SVI_BUFFER_REFERENCE))
        return;
    buffer->later.device = svi_buffer_device(buffer);
    buffer->later.finish = end_late;
    svi_deferred_add(&buffer->later);
}

/* --- states ---------------------------------------------------------------- */

sv_status svi_buffer_refuse(struct svi_word word)
{
    switch (svi_word_state(word)) {
    case SVI_BUFFER_MOVING: return svi_fail(SV_ERROR_BLOCKED, "the buffer is being moved by another thread");
    case SVI_BUFFER_DETACHED: return svi_fail(SV_ERROR_STATE, "the buffer was detached from its memory");
    case SVI_BUFFER_CLOSED: return svi_fail(SV_ERROR_STATE, "the buffer is closed");
    }
    if (svi_word_exports(word) > 0)
        return svi_fail(SV_ERROR_BLOCKED, "%" PRId64 " views, slices or exports point into the memory",
                        svi_word_exports(word));
    return svi_fail(SV_ERROR_BLOCKED, "the buffer has %" PRId64 " references", svi_word_references(word));
}

sv_status svi_buffer_begin_move(sv_buffer *buffer)
{
    struct svi_word found;

    if (buffer->root != NULL)
        return svi_fail(SV_ERROR_STATE, "the buffer is a slice, whose memory is that of another one");
    if (svi_word_leave(svi_buffer_word_of(buffer), SVI_BUFFER_MOVING, false, &found))
        return SV_OK;
    return svi_buffer_refuse(found);
}

void svi_buffer_end_move(sv_buffer *buffer)
{
    svi_word_change(svi_buffer_word_of(buffer), SVI_BUFFER_MOVING, SVI_BUFFER_OPEN);
}

sv_status svi_buffer_check_range(const sv_buffer *buffer, int64_t offset, int64_t nbytes)
{
    const int64_t all = SVI_GET(buffer->nbytes);

    if (offset < 0 || nbytes < 0 || offset > all || nbytes > all - offset)
        return svi_fail(SV_ERROR_RANGE, "%" PRId64 " bytes from byte %" PRId64 " of a buffer of %" PRId64 " bytes",
                        nbytes, offset, all);
    return SV_OK;
}

sv_status sv_buffer_begin_export(sv_buffer *buffer)
{
    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    return svi_buffer_hold(buffer);
}

void sv_buffer_end_export(sv_buffer *buffer)
{
    if (svi_buffer_is(buffer) && svi_word_exports(svi_word_get(svi_buffer_word_of(buffer))) > 0)
        svi_buffer_unhold(buffer);
}
