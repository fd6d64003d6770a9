/* Memory that a driver allocates in no order of streams: pinned, of a device, managed. */
#include "memory/source_driver.h"

#include "device/backends.h"

struct driver_allocator {
    sv_allocator allocator;
    const struct svi_driver *driver;
};

/* --- finding it ------------------------------------------------------------ */

static sv_status fail_no_driver(const struct svi_driver *driver, int32_t device_id, const char *detail)
{
    int64_t number;
    const sv_status status = driver == NULL ? SV_OK : driver->property(device_id, SV_PROPERTY_MULTIPROCESSORS, &number);

    if (status == SV_ERROR_FORKED)
        return status;
    return svi_fail(SV_ERROR_UNSUPPORTED, "CUDA: %s", detail);
}

sv_status svi_driver_find(int32_t device_id, const struct svi_driver **out)
{
    const struct svi_backend *cuda = svi_backend_of(SVI_FAMILY_CUDA);
    char detail[SVI_DETAIL];
    int32_t count;

    if (cuda->probe(SV_DEVICE_CUDA, &count, detail) != SV_STATE_READY || cuda->driver == NULL)
        return fail_no_driver(cuda->driver, device_id, detail);
    if (device_id < 0 || device_id >= count)
        return svi_fail(SV_ERROR_DEVICE, "CUDA device number %d of %d", (int)device_id, (int)count);
    *out = cuda->driver;
    return SV_OK;
}

/* --- the sources ------------------------------------------------------------ */

static const struct driver_allocator *driver_of(const sv_allocator *self)
{
    return (const struct driver_allocator *)self;
}

static sv_status allocate_by_driver(const sv_allocator *self, struct svi_block *block)
{
    return driver_of(self)->driver->allocate(self->kind, self->device.id, block->nbytes, &block->pointer);
}

bool svi_driver_allocates(const sv_allocator *allocator)
{
    while (allocator != NULL && allocator->base != NULL)
        allocator = allocator->base;
    return allocator != NULL && allocator->source->allocate == allocate_by_driver;
}

static sv_status free_by_driver(const sv_allocator *self, const struct svi_block *block)
{
    return driver_of(self)->driver->free(self->kind, self->device.id, block->pointer);
}

static sv_status make_driver_allocator(sv_memory kind, int32_t device_id, const struct svi_source *source,
                                       sv_allocator **out)
{
    const struct svi_device device = {svi_memory_kinds[kind].device_type, device_id};
    struct driver_allocator *made;
    sv_status status;

    SVI_NEED(out);
    made = svi_allocator_make(sizeof *made, source, kind, device);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    status = svi_driver_find(device_id, &made->driver);
    if (status == SV_OK)
        *out = &made->allocator;
    else
        svi_allocator_drop(made);
    return status;
}

sv_status sv_allocator_pinned(sv_allocator **out)
{
    static const struct svi_source pinned = {.name = "pinned", .allocate = allocate_by_driver, .free = free_by_driver};

    return make_driver_allocator(SV_MEMORY_PINNED, 0, &pinned, out);
}

sv_status sv_allocator_device(int32_t device_id, sv_allocator **out)
{
    static const struct svi_source device = {.name = "device", .allocate = allocate_by_driver, .free = free_by_driver};

    return make_driver_allocator(SV_MEMORY_DEVICE, device_id, &device, out);
}

sv_status sv_allocator_managed(int32_t device_id, sv_allocator **out)
{
    static const struct svi_source managed = {
        .name = "managed", .allocate = allocate_by_driver, .free = free_by_driver};

    return make_driver_allocator(SV_MEMORY_MANAGED, device_id, &managed, out);
}
