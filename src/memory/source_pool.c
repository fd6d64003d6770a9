/* Pools of a driver, whose memory is allocated and freed in the order of a stream: new ones, and those of others. */
#include "memory/source_pool.h"

#include <inttypes.h>

#include "memory/source_driver.h"

struct pool {
    sv_allocator allocator;
    const struct svi_driver *driver;
    uintptr_t pool;
    bool owned;
};

static const struct pool *driver_pool_of(const sv_allocator *self)
{
    return (const struct pool *)self;
}

static sv_status allocate_in_order(const sv_allocator *self, struct svi_block *block)
{
    return driver_pool_of(self)->driver->allocate_from_pool(self->device.id, driver_pool_of(self)->pool, block->nbytes,
                                                            block->stream, &block->pointer);
}

static sv_status free_to_pool(const sv_allocator *self, const struct svi_block *block)
{
    return driver_pool_of(self)->driver->free_in_order(self->device.id, block->pointer, block->stream);
}

static sv_status check_pool_free(const sv_allocator *self, const struct svi_block *block)
{
    return driver_pool_of(self)->driver->check_order(self->device.id, block->stream);
}

/* Memory of it that a stream has still to free stays until then, by the driver's rules. */
static void release_pool(sv_allocator *self)
{
    if (driver_pool_of(self)->owned)
        (void)driver_pool_of(self)->driver->end_pool(self->device.id, driver_pool_of(self)->pool);
}

static const struct svi_source source = {.name = "pool",
                                         .allocate = allocate_in_order,
                                         .free = free_to_pool,
                                         .check_free = check_pool_free,
                                         .end = release_pool};

static sv_status check_kind(sv_memory kind)
{
    if (kind == SV_MEMORY_DEVICE || kind == SV_MEMORY_PINNED || kind == SV_MEMORY_MANAGED)
        return SV_OK;
    if (sv_memory_name(kind) == NULL)
        return svi_fail(SV_ERROR_INVALID, "no kind of memory has the number %d", (int)kind);
    return svi_fail(SV_ERROR_INVALID, "no driver has pools of %s memory", sv_memory_name(kind));
}

/* Without its pool yet. */
static sv_status make_pool_allocator(enum svi_family family, sv_memory kind, int32_t device_id, struct pool **out)
{
    struct svi_device device = {.id = device_id};
    struct pool *made;
    sv_status status;

    SVI_TRY(svi_driver_find_type(family, kind, &device.type));
    made = svi_allocator_make(sizeof *made, &source, kind, device);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    status = svi_driver_find(family, device_id, &made->driver);
    if (status != SV_OK) {
        svi_allocator_drop(made);
        return status;
    }
    made->allocator.traits |= SV_TRAIT_ORDERED;
    made->allocator.alignment = made->driver->pool_alignment;
    *out = made;
    return SV_OK;
}

/* Hands it out if it has got its pool. */
static sv_status hand_out_pool(struct pool *made, sv_status status, sv_allocator **out)
{
    if (status == SV_OK)
        *out = &made->allocator;
    else
        svi_allocator_drop(made);
    return status;
}

static sv_status check_sizes(int64_t initial, int64_t threshold, int64_t most)
{
    if (initial < 0 || threshold < 0 || most < 0)
        return svi_fail(SV_ERROR_INVALID, "initial %" PRId64 ", threshold %" PRId64 ", most %" PRId64 " bytes", initial,
                        threshold, most);
    if (most > 0 && most < initial)
        return svi_fail(SV_ERROR_INVALID, "most is %" PRId64 " bytes, less than initial, %" PRId64, most, initial);
    return SV_OK;
}

sv_status svi_driver_pool(enum svi_family family, const struct svi_pool_request *request, sv_allocator **out)
{
    struct pool *made;

    SVI_NEED(out);
    SVI_TRY(check_kind(request->kind));
    SVI_TRY(check_sizes(request->initial, request->threshold, request->most));
    SVI_TRY(make_pool_allocator(family, request->kind, request->device_id, &made));
    made->owned = true;
    return hand_out_pool(made, made->driver->new_pool(request, &made->pool), out);
}

sv_status svi_driver_pool_view(enum svi_family family, sv_memory kind, int32_t device_id, uintptr_t pool,
                               sv_allocator **out)
{
    struct pool *made;
    sv_status status = SV_OK;

    SVI_NEED(out);
    SVI_TRY(check_kind(kind));
    SVI_TRY(make_pool_allocator(family, kind, device_id, &made));
    made->pool = pool;
    if (pool == 0)
        status = made->driver->default_pool(kind, device_id, &made->pool);
    return hand_out_pool(made, status, out);
}

sv_status sv_allocator_pool(sv_memory kind, int32_t device_id, int64_t initial, int64_t threshold, int64_t most,
                            sv_allocator **out)
{
    const struct svi_pool_request request = {kind, device_id, initial, threshold, most};

    return svi_driver_pool(SVI_FAMILY_CUDA, &request, out);
}

sv_status sv_allocator_pool_view(sv_memory kind, int32_t device_id, uintptr_t pool, sv_allocator **out)
{
    return svi_driver_pool_view(SVI_FAMILY_CUDA, kind, device_id, pool, out);
}
