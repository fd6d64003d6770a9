/* Buffers of host memory that somebody else allocated and libsv page-locks, so that devices use it. */
#include "memory/buffer_register.h"

#include <inttypes.h>

#include "device/backends.h"
#include "memory/source_driver.h"

static sv_status check_registration(const void *pages, int64_t nbytes, uint32_t flags)
{
    if (flags & ~(uint32_t)SV_READ_ONLY)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_READ_ONLY is known", flags);
    if (nbytes < 0)
        return svi_fail(SV_ERROR_INVALID, "nbytes is %" PRId64, nbytes);
    if (pages == NULL && nbytes > 0)
        return svi_fail(SV_ERROR_NULL, "pages is NULL, there are %" PRId64 " bytes", nbytes);
    if ((uint64_t)nbytes > UINTPTR_MAX - (uintptr_t)pages)
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " bytes from address %p leave the address space", nbytes, pages);
    return SV_OK;
}

static sv_status unlock_pages(const struct svi_storage *self)
{
    return svi_driver_of(self->later.device.type)->withdraw(self->block.pointer);
}

static struct svi_place place_of(struct svi_device device, void *pages, void *device_address, int64_t nbytes,
                                 uint32_t flags)
{
    const uintptr_t address = (uintptr_t)pages;

    return (struct svi_place){
        .data = device_address,
        .host_data = pages,
        .nbytes = nbytes,
        .capacity = nbytes,
        .alignment = address == 0 ? svi_memory_kinds[SV_MEMORY_PINNED].alignment : (int64_t)(address & -address),
        .kind = SV_MEMORY_PINNED,
        .traits =
            svi_devices[device.type].traits | SV_TRAIT_REGISTERED | (flags & SV_READ_ONLY ? SV_TRAIT_READ_ONLY : 0),
        .device = device,
    };
}

static void write_storage(struct svi_storage *out, const struct svi_place *place, sv_release_callback release,
                          void *ctx)
{
    svi_storage_init(out, SV_MEMORY_PINNED, place->device);
    out->block.pointer = place->host_data;
    out->block.nbytes = place->nbytes;
    out->block.alignment = place->alignment;
    out->undo = unlock_pages;
    out->waits = place->nbytes > 0;
    out->release = release;
    out->ctx = ctx;
    out->counted = place->nbytes;
}

sv_status svi_buffer_register(enum svi_family family, void *pages, int64_t nbytes, uint32_t flags,
                              sv_release_callback release, void *ctx, sv_buffer **out)
{
    struct svi_device device = {.id = 0};
    const struct svi_driver *driver = NULL;
    void *device_address = NULL;
    struct svi_storage storage;
    struct svi_place place;
    sv_status status;

    SVI_NEED(out);
    SVI_TRY(check_registration(pages, nbytes, flags));
    SVI_TRY(svi_driver_find_type(family, SV_MEMORY_PINNED, &device.type));
    if (nbytes == 0)
        pages = NULL;
    if (nbytes > 0) {
        SVI_TRY(svi_driver_find(family, device.id, &driver));
        SVI_TRY(driver->enroll(pages, nbytes, &device_address));
    }
    place = place_of(device, pages, device_address, nbytes, flags);
    write_storage(&storage, &place, release, ctx);
    status = svi_buffer_take(&place, &storage, 0, out);
    if (status != SV_OK && nbytes > 0)
        (void)driver->withdraw(pages);
    return status;
}

sv_status sv_buffer_register(void *pages, int64_t nbytes, uint32_t flags, sv_release_callback release, void *ctx,
                             sv_buffer **out)
{
    return svi_buffer_register(SVI_FAMILY_CUDA, pages, nbytes, flags, release, ctx, out);
}
