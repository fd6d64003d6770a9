/* Memory that a driver allocates in no order of streams: pinned, of a device, managed. */
#include "memory/source_driver.h"

#include "device/backends.h"

struct driver_allocator {
    sv_allocator allocator;
    const struct svi_driver *driver;
};

/* --- finding it ------------------------------------------------------------ */

static sv_status fail_no_driver(enum svi_family family, const struct svi_driver *driver, int32_t device_id,
                                const char *detail)
{
    int64_t number;
    const sv_status status = driver == NULL ? SV_OK : driver->property(device_id, SV_PROPERTY_MULTIPROCESSORS, &number);

    if (status == SV_ERROR_FORKED)
        return status;
    return svi_fail(SV_ERROR_UNSUPPORTED, "%s: %s", svi_family_title(family), detail);
}

sv_status svi_driver_find(enum svi_family family, int32_t device_id, const struct svi_driver **out)
{
    const struct svi_backend *backend = svi_backend_of(family);
    const int32_t type = svi_family_device_type(family, SV_MEMORY_DEVICE);
    char detail[SVI_DETAIL];
    int32_t count;

    if (backend->probe(type, &count, detail) != SV_STATE_READY || backend->driver == NULL)
        return fail_no_driver(family, backend->driver, device_id, detail);
    if (device_id < 0 || device_id >= count)
        return svi_fail(SV_ERROR_DEVICE, "%s device number %d of %d", svi_family_title(family), (int)device_id,
                        (int)count);
    *out = backend->driver;
    return SV_OK;
}

sv_status svi_driver_find_type(enum svi_family family, sv_memory kind, int32_t *out)
{
    *out = svi_family_device_type(family, kind);
    if (*out == 0)
        return svi_fail(SV_ERROR_UNSUPPORTED, "%s has no %s memory", svi_family_title(family), sv_memory_name(kind));
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

static sv_status free_by_driver(const sv_allocator *self, const struct svi_block *block)
{
    return driver_of(self)->driver->free(self->kind, self->device.id, block->pointer);
}

#define DRIVER_SOURCE .flags = SVI_SOURCE_DRIVER, .allocate = allocate_by_driver, .free = free_by_driver

static const struct svi_source sources[SVI_MEMORY_KINDS] = {
    [SV_MEMORY_PINNED] = {.name = "pinned", DRIVER_SOURCE},
    [SV_MEMORY_DEVICE] = {.name = "device", DRIVER_SOURCE},
    [SV_MEMORY_MANAGED] = {.name = "managed", DRIVER_SOURCE},
};

sv_status svi_driver_allocator(enum svi_family family, sv_memory kind, int32_t device_id, sv_allocator **out)
{
    struct svi_device device = {.id = device_id};
    struct driver_allocator *made;
    sv_status status;

    SVI_NEED(out);
    SVI_TRY(svi_driver_find_type(family, kind, &device.type));
    made = svi_allocator_make(sizeof *made, &sources[kind], kind, device);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    status = svi_driver_find(family, device_id, &made->driver);
    if (status != SV_OK) {
        svi_allocator_drop(made);
        return status;
    }
    made->allocator.alignment = made->driver->alignments[kind];
    *out = &made->allocator;
    return SV_OK;
}

sv_status sv_allocator_pinned(sv_allocator **out)
{
    return svi_driver_allocator(SVI_FAMILY_CUDA, SV_MEMORY_PINNED, 0, out);
}

sv_status sv_allocator_device(int32_t device_id, sv_allocator **out)
{
    return svi_driver_allocator(SVI_FAMILY_CUDA, SV_MEMORY_DEVICE, device_id, out);
}

sv_status sv_allocator_managed(int32_t device_id, sv_allocator **out)
{
    return svi_driver_allocator(SVI_FAMILY_CUDA, SV_MEMORY_MANAGED, device_id, out);
}
