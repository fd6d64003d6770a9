/*
 * Buffers of memory that an allocator gives, of memory that is taken over, and slices. Small host memory lies in one
 * allocation with its handle. A slice is an export of the buffer that has the memory, so chains are one deep.
 */
#include "memory/buffer_make.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/buffer_stats.h"
#include "memory/source_host.h"

enum { MOST_INSIDE = 1 << 16 }; /* bytes of host memory that share one allocation with their handle */

/* --- memory of an allocator --------------------------------------------------- */

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
    SVI_SET(self->is_used_here, false);
    self->storage.gone = svi_buffer_memory_gone;
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

/* --- slices ------------------------------------------------------------------ */

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
