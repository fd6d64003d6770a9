#include "memory/buffer.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/buffer_stats.h"
#include "memory/source_host.h"

enum { MOST_INSIDE = 1 << 16 }; /* bytes of host memory that share one allocation with their handle */

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
static void memory_gone(struct svi_storage *storage)
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

/* --- making one -------------------------------------------------------------- */

void svi_buffer_set_place(sv_buffer *buffer, const struct svi_place *place)
{
    SVI_SET(buffer->data, place->data);
    SVI_SET(buffer->host_data, place->host_data);
    SVI_SET(buffer->nbytes, place->nbytes);
    SVI_SET(buffer->capacity, place->capacity);
    SVI_SET(buffer->alignment, place->alignment);
    SVI_SET(buffer->kind, place->kind);
    SVI_SET(buffer->traits, place->traits);
    SVI_SET(buffer->device_type, place->device.type);
    SVI_SET(buffer->device_id, place->device.id);
}

struct svi_place svi_place_of(const sv_allocator *allocator, const struct svi_want *want, char *data)
{
    return (struct svi_place){
        .data = data,
        .host_data = allocator->traits & SV_TRAIT_HOST ? data : NULL,
        .nbytes = want->nbytes,
        .capacity = want->nbytes,
        .alignment = want->alignment,
        .kind = allocator->kind,
        .traits = allocator->traits,
        .device = allocator->device,
    };
}

static void init_buffer(sv_buffer *self, const struct svi_place *place, uintptr_t stream)
{
    svi_handle_init(&self->handle, SVI_TAG_BUFFER);
    self->root = NULL;
    svi_buffer_set_place(self, place);
    svi_buffer_set_stream(self, stream);
    self->storage.gone = memory_gone;
    self->ending = NULL;
}

/* In one allocation with the handle. */
static sv_status make_inside(const sv_allocator *allocator, const struct svi_want *want, sv_buffer **out)
{
    const size_t room = sizeof **out + (size_t)want->nbytes + (size_t)want->alignment - 1;
    struct svi_place place;
    sv_buffer *self;
    char *data = NULL;

    if (svi_deferred_has(SV_MEMORY_HOST))
        svi_deferred_drain(svi_cpu, false, SVI_EFFORT_FREE);
    self = svi_malloc(room);
    if (self == NULL)
        return SV_ERROR_MEMORY;
    if (want->nbytes > 0)
        data = (char *)(self + 1) + (-(uintptr_t)(self + 1) & (uintptr_t)(want->alignment - 1));
    if (want->zero && data != NULL)
        memset(data, 0, (size_t)want->nbytes);
    svi_storage_init_inside(&self->storage, allocator, want->nbytes);
    place = svi_place_of(allocator, want, data);
    init_buffer(self, &place, want->stream);
    *out = self;
    return SV_OK;
}

static sv_status make_apart(const sv_allocator *allocator, const struct svi_want *want, sv_buffer **out)
{
    struct svi_place place;
    sv_status status;
    char *data;
    sv_buffer *self = svi_malloc(sizeof *self);

    if (self == NULL)
        return SV_ERROR_MEMORY;
    status = svi_storage_make(allocator, want, &self->storage, &data);
    if (status != SV_OK) {
        svi_free(self);
        return status;
    }
    place = svi_place_of(allocator, want, data);
    init_buffer(self, &place, want->stream);
    *out = self;
    return SV_OK;
}

static bool fits_inside(const sv_allocator *allocator, const struct svi_want *want)
{
    return allocator->plain && want->nbytes <= MOST_INSIDE && want->alignment <= MOST_INSIDE - want->nbytes;
}

sv_status sv_buffer_new(const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uint32_t flags,
                        uintptr_t stream, sv_buffer **out)
{
    struct svi_want want = {.nbytes = nbytes, .stream = stream, .zero = (flags & SV_BUFFER_ZERO) != 0};

    if (allocator == NULL)
        allocator = svi_allocator_default();
    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    SVI_NEED(out);
    if (nbytes < 0)
        return svi_fail(SV_ERROR_INVALID, "nbytes is %" PRId64, nbytes);
    if (flags & ~(uint32_t)SV_BUFFER_ZERO)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_BUFFER_ZERO is known", flags);
    SVI_TRY(svi_alignment_of(alignment, allocator->kind, &want.alignment));
    return fits_inside(allocator, &want) ? make_inside(allocator, &want, out) : make_apart(allocator, &want, out);
}

/* --- memory of somebody else ------------------------------------------------- */

sv_status svi_buffer_take(const struct svi_place *place, const struct svi_storage *storage, uintptr_t stream,
                          sv_buffer **out)
{
    sv_buffer *self = svi_malloc(sizeof *self);

    if (self == NULL)
        return SV_ERROR_MEMORY;
    memcpy(&self->storage, storage, sizeof *storage);
    init_buffer(self, place, stream);
    if (storage->counted > 0)
        svi_stats_made(storage->kind, storage->counted);
    *out = self;
    return SV_OK;
}
