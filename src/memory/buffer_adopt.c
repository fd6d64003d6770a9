/* Buffers of memory that somebody else allocated: as it is, or host memory that libsv page-locks for devices. */
#include "memory/buffer_adopt.h"

#include <inttypes.h>

#include "device/backends.h"
#include "device/pointer.h"
#include "memory/buffer_make.h"
#include "memory/source_driver.h"

/* --- adopt ------------------------------------------------------------------- */

static sv_status check_adopted(const void *pointer, int64_t nbytes, uint32_t flags, sv_free_callback free)
{
    const uint32_t known = SV_READ_ONLY | SV_BUFFER_BORROWED | SV_BUFFER_TRUST;

    if (flags & ~known)
        return svi_fail(SV_ERROR_INVALID,
                        "flags 0x%" PRIx32 ", only SV_READ_ONLY, SV_BUFFER_BORROWED and SV_BUFFER_TRUST are known",
                        flags);
    if ((free == NULL) != ((flags & SV_BUFFER_BORROWED) != 0))
        return svi_fail(SV_ERROR_INVALID, free == NULL ? "nobody frees the memory: free is NULL, and the memory is not "
                                                         "said to be borrowed"
                                                       : "borrowed memory is not freed, but there is a free");
    if (nbytes < 0)
        return svi_fail(SV_ERROR_INVALID, "nbytes is %" PRId64, nbytes);
    if (pointer == NULL && nbytes > 0)
        return svi_fail(SV_ERROR_NULL, "pointer is NULL, there are %" PRId64 " bytes", nbytes);
    if ((uint64_t)nbytes > UINTPTR_MAX - (uintptr_t)pointer)
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " bytes from address %p leave the address space", nbytes,
                        pointer);
    return SV_OK;
}

static int64_t proven_alignment(const void *pointer, sv_memory kind)
{
    const uintptr_t address = (uintptr_t)pointer;

    return address == 0 ? svi_memory_kinds[kind].alignment : (int64_t)(address & -address);
}

/* Pinned and managed memory is of all devices of its driver. */
static bool is_as_said(const struct svi_pointer *found, sv_memory kind, struct svi_device device)
{
    return found->kind == kind && found->device.type == device.type &&
           (kind != SV_MEMORY_DEVICE || found->device.id == device.id);
}

static sv_status fail_to_agree(const struct svi_pointer *found, sv_memory kind, struct svi_device device)
{
    return svi_fail(SV_ERROR_DEVICE,
                    "the memory is said to be %s memory of %s device %d, and is %s memory of %s device %d",
                    sv_memory_name(kind), svi_device_title(device.type), (int)device.id, sv_memory_name(found->kind),
                    svi_device_title(found->device.type), (int)found->device.id);
}

/* No memory is that of the host. */
static sv_status query_address(void *pointer, struct svi_pointer *out)
{
    if (pointer != NULL)
        return svi_pointer_query(pointer, out);
    *out = (struct svi_pointer){SV_MEMORY_HOST, SV_TRAIT_HOST, svi_cpu, NULL, pointer};
    return SV_OK;
}

/* Host memory that is said to be such is believed, for it must not take a driver. */
static sv_status locate_memory(void *pointer, sv_memory kind, struct svi_device device, bool trust,
                               struct svi_place *out)
{
    struct svi_pointer found;
    const bool asks = kind == SV_MEMORY_UNKNOWN ||
                      (!trust && kind >= SV_MEMORY_PINNED && kind <= SV_MEMORY_MANAGED && pointer != NULL);

    if (kind != SV_MEMORY_UNKNOWN) {
        SVI_TRY(svi_allocator_check_place(kind, device));
        found = (struct svi_pointer){kind, svi_devices[device.type].traits, device, pointer, pointer};
    }
    if (asks) {
        SVI_TRY(query_address(pointer, &found));
        if (kind != SV_MEMORY_UNKNOWN && !is_as_said(&found, kind, device))
            return fail_to_agree(&found, kind, device);
    }
    out->kind = found.kind;
    out->device = found.device;
    out->traits = found.traits;
    out->data = found.device_address != NULL ? found.device_address : pointer;
    out->host_data = svi_device_has(found.device.type, SV_TRAIT_HOST) ? pointer : NULL;
    return SV_OK;
}

sv_status sv_buffer_adopt(void *pointer, int64_t nbytes, sv_memory kind, int32_t device_type, int32_t device_id,
                          uint32_t flags, uintptr_t stream, sv_free_callback free, void *ctx, sv_buffer **out)
{
    const struct svi_device device = {device_type, device_id};
    struct svi_place place = {.nbytes = nbytes, .capacity = nbytes};
    struct svi_storage storage;

    SVI_NEED(out);
    SVI_TRY(check_adopted(pointer, nbytes, flags, free));
    SVI_TRY(locate_memory(pointer, kind, device, (flags & SV_BUFFER_TRUST) != 0, &place));
    SVI_TRY(svi_storage_await(place.kind, place.traits, place.device, stream));
    place.alignment = proven_alignment(pointer, place.kind);
    if (flags & SV_READ_ONLY)
        place.traits |= SV_TRAIT_READ_ONLY;
    svi_storage_init(&storage, place.kind, place.device);
    storage.block.pointer = pointer;
    storage.block.nbytes = nbytes;
    storage.block.alignment = place.alignment;
    storage.free = free;
    storage.ctx = ctx;
    storage.counted = free != NULL ? nbytes : 0;
    return svi_buffer_take(&place, &storage, stream, out);
}

/* --- register ---------------------------------------------------------------- */

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
