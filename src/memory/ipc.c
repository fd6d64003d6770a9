/*
 * Device memory of other processes. What is imported is a part of a buffer that has the whole allocation, which
 * shared_list.h finds when another part of it, or the same, is imported again.
 */
#include <inttypes.h>
#include <string.h>

#include "device/backend_list.h"
#include "device/backends.h"
#include "memory/buffer_make.h"
#include "memory/deferred.h"
#include "memory/shared_list.h"
#include "memory/source_driver.h"

/* --- export ------------------------------------------------------------------ */

static sv_status check_shareable(const sv_buffer *buffer)
{
    const sv_allocator *allocator = svi_buffer_root(buffer)->storage.allocator;
    const uint32_t traits = SVI_GET(buffer->traits);
    const sv_memory kind = SVI_GET(buffer->kind);

    if (kind != SV_MEMORY_DEVICE)
        return svi_fail(SV_ERROR_DEVICE, "%s memory cannot be opened by other processes, device memory can",
                        sv_memory_name(kind));
    if (traits & SV_TRAIT_SHARED)
        return svi_fail(SV_ERROR_UNSUPPORTED, "the memory is of another process, which alone can export it");
    if ((traits & SV_TRAIT_ORDERED) && (allocator == NULL || !svi_allocator_is_driver(allocator)))
        return svi_fail(SV_ERROR_UNSUPPORTED, "memory of a pool cannot be opened by other processes, memory of "
                                              "sv_allocator_device() can");
    if (allocator == NULL || !svi_allocator_is_driver(allocator))
        return svi_fail(SV_ERROR_UNSUPPORTED, "where the allocation begins is known of memory of "
                                              "sv_allocator_device() only");
    return SV_OK;
}

static sv_status describe_allocation(const sv_buffer *buffer, struct svi_ipc_blob *blob)
{
    const struct svi_device device = svi_buffer_device(buffer);
    sv_buffer *root = svi_buffer_root(buffer);
    const struct svi_block *block = &root->storage.block;
    const struct svi_driver *driver;

    SVI_TRY(check_shareable(buffer));
    SVI_TRY(svi_driver_find(svi_devices[device.type].family, device.id, &driver));
    svi_ipc_begin(blob);
    blob->kind = SV_MEMORY_DEVICE;
    blob->flags = SVI_GET(buffer->traits) & SV_TRAIT_READ_ONLY ? SV_READ_ONLY : 0;
    blob->nbytes = SVI_GET(buffer->nbytes);
    blob->process = svi_process_self();
    SVI_TRY(driver->identify(device.id, blob->uuid));
    if (blob->nbytes > 0) {
        blob->offset = SVI_GET(buffer->data) - (char *)block->pointer;
        blob->capacity = block->nbytes;
        SVI_TRY(driver->ipc_export(device.id, block->pointer, blob->handle));
        SVI_TRY(svi_shared_number(root, blob));
    }
    svi_ipc_seal(blob);
    return SV_OK;
}

sv_status sv_buffer_export_ipc(const sv_buffer *buffer, size_t capacity, void *blob, size_t *length)
{
    struct svi_ipc_blob made;
    sv_status status;

    SVI_TRY(svi_buffer_check(buffer, "buffer"));
    if (capacity > 0)
        SVI_NEED(blob);
    if (capacity > 0 && capacity < sizeof made)
        return svi_fail(SV_ERROR_BUFFER, "a blob has %zu bytes, there are %zu", sizeof made, capacity);
    SVI_TRY(svi_buffer_hold(buffer));
    status = capacity > 0 ? describe_allocation(buffer, &made) : check_shareable(buffer);
    svi_buffer_unhold(buffer);
    SVI_TRY(status);
    if (capacity > 0)
        memcpy(blob, &made, sizeof made);
    if (length != NULL)
        *length = sizeof made;
    return SV_OK;
}

/* --- import ------------------------------------------------------------------ */

static sv_status close_mapping(const struct svi_storage *self)
{
    return svi_driver_of(self->later.device.type)->ipc_close(self->later.device.id, self->block.pointer);
}

/* A buffer of a whole allocation that was opened; base NULL: of none. */
static sv_status make_shared_root(struct svi_device device, void *base, int64_t nbytes, uint32_t flags, sv_buffer **out)
{
    const uintptr_t address = (uintptr_t)base;
    const struct svi_place place = {
        .data = base,
        .nbytes = nbytes,
        .capacity = nbytes,
        .alignment = base == NULL ? svi_memory_kinds[SV_MEMORY_DEVICE].alignment : (int64_t)(address & -address),
        .kind = SV_MEMORY_DEVICE,
        .traits = svi_devices[device.type].traits | SV_TRAIT_SHARED | (flags & SV_READ_ONLY ? SV_TRAIT_READ_ONLY : 0),
        .device = device,
    };
    struct svi_storage storage;

    svi_storage_init(&storage, SV_MEMORY_DEVICE, device);
    storage.block.pointer = base;
    storage.block.nbytes = nbytes;
    storage.block.alignment = place.alignment;
    storage.undo = close_mapping;
    storage.waits = base != NULL;
    storage.counted = nbytes;
    return svi_buffer_take(&place, &storage, 0, out);
}

/* SV_OK and *out of no type: it is none of this family. */
static sv_status find_in_family(enum svi_family family, const unsigned char wanted[SVI_UUID], struct svi_device *out,
                                const struct svi_driver **driver)
{
    unsigned char uuid[SVI_UUID];
    sv_status status = svi_driver_find(family, 0, driver);

    for (int32_t id = 0; status == SV_OK; status = svi_driver_find(family, ++id, driver)) {
        SVI_TRY((*driver)->identify(id, uuid));
        if (memcmp(uuid, wanted, SVI_UUID) == 0) {
            *out = (struct svi_device){svi_family_device_type(family, SV_MEMORY_DEVICE), id};
            return SV_OK;
        }
    }
    if (status != SV_ERROR_DEVICE)
        return status;
    return SV_OK; /* the number is behind the last one */
}

/*
 * Devices of one machine have different numbers in different processes. A driver that cannot be used is an error only
 * where no other one knows the device.
 */
static sv_status find_device_by_uuid(const struct svi_ipc_blob *blob, struct svi_device *out,
                                     const struct svi_driver **driver)
{
    struct svi_message kept;
    sv_status failed = SV_OK;

    out->type = 0;
    for (const struct svi_backend *const *at = svi_backends; *at != NULL; at++) {
        sv_status status;

        if ((*at)->family == SVI_FAMILY_HOST)
            continue;
        status = find_in_family((*at)->family, blob->uuid, out, driver);
        if (out->type != 0)
            return SV_OK;
        if (status != SV_OK && failed == SV_OK) {
            failed = status;
            svi_message_keep(&kept);
        }
    }
    if (failed == SV_OK)
        return svi_fail(SV_ERROR_DEVICE, "the memory is of a device that this process does not see");
    svi_message_restore(&kept);
    return failed;
}

/* What the blob says of the size is no more than a claim: the driver knows what it opened. */
static sv_status check_blob_size(const struct svi_ipc_blob *blob, int64_t nbytes)
{
    if (blob->capacity <= nbytes)
        return SV_OK;
    return svi_fail(SV_ERROR_PROTOCOL, "the blob tells of an allocation of %" PRId64 " bytes, which has %" PRId64,
                    blob->capacity, nbytes);
}

/* The allocation, held. A mapping that was dropped and not closed yet is closed first. */
static sv_status open_allocation(const struct svi_ipc_blob *blob, sv_buffer **root)
{
    const struct svi_driver *driver;
    struct svi_device device;
    void *base = NULL;
    int64_t nbytes = 0;
    sv_status status;

    SVI_TRY(find_device_by_uuid(blob, &device, &driver));
    if (svi_deferred_has(SV_MEMORY_DEVICE))
        svi_deferred_drain(device, false, SVI_EFFORT_FREE);
    SVI_TRY(driver->ipc_open(device.id, blob->handle, &base, &nbytes));
    status = check_blob_size(blob, nbytes);
    if (status == SV_OK)
        status = make_shared_root(device, base, blob->capacity, 0, root);
    if (status != SV_OK) {
        (void)driver->ipc_close(device.id, base);
        return status;
    }
    svi_buffer_become_export(*root);
    status = svi_shared_add(*root, blob);
    if (status != SV_OK)
        svi_buffer_unhold(*root);
    return status;
}

static bool is_own(const struct svi_ipc_blob *blob)
{
    const struct svi_process self = svi_process_self();

    return blob->process.id == self.id && blob->process.start == self.start;
}

static sv_status find_allocation(const struct svi_ipc_blob *blob, sv_buffer **root)
{
    sv_status status;

    *root = svi_shared_find(blob);
    if (*root == NULL && is_own(blob))
        return svi_fail(SV_ERROR_STATE, "the memory was exported by this process, and is freed or moved");
    if (*root == NULL)
        return open_allocation(blob, root);
    status = check_blob_size(blob, (*root)->storage.block.nbytes);
    if (status != SV_OK)
        svi_buffer_unhold(*root);
    return status;
}

static sv_status make_empty(const struct svi_ipc_blob *blob, uint32_t flags, sv_buffer **out)
{
    const struct svi_driver *driver;
    struct svi_device device;

    SVI_TRY(find_device_by_uuid(blob, &device, &driver));
    return make_shared_root(device, NULL, 0, flags, out);
}

sv_status sv_buffer_import_ipc(const void *blob, size_t length, uint32_t flags, sv_buffer **out)
{
    struct svi_ipc_blob given;
    sv_buffer *root;
    sv_status status;

    SVI_NEED(blob);
    SVI_NEED(out);
    if (flags & ~(uint32_t)SV_READ_ONLY)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_READ_ONLY is known", flags);
    SVI_TRY(svi_ipc_read(blob, length, &given));
    flags |= given.flags;
    if (given.nbytes == 0)
        return make_empty(&given, flags, out);
    SVI_TRY(find_allocation(&given, &root));
    status = sv_buffer_slice(root, (char *)root->storage.block.pointer + given.offset - SVI_GET(root->data),
                             given.nbytes, flags, out);
    svi_buffer_unhold(root);
    return status;
}
