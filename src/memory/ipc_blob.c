#include "memory/ipc_blob.h"

#include <inttypes.h>
#include <string.h>

enum { BLOB_VERSION = 1 };

static const char magic[8] = "libsvIPC";

/* FNV-1a: no change of one byte goes unseen. */
static uint64_t checksum_blob(const struct svi_ipc_blob *blob)
{
    const unsigned char *bytes = (const unsigned char *)blob;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < offsetof(struct svi_ipc_blob, checksum); i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

void svi_ipc_begin(struct svi_ipc_blob *blob)
{
    memset(blob, 0, sizeof *blob);
    memcpy(blob->magic, magic, sizeof magic);
    blob->version = BLOB_VERSION;
    blob->length = sizeof *blob;
}

void svi_ipc_seal(struct svi_ipc_blob *blob)
{
    blob->checksum = checksum_blob(blob);
}

static bool is_handle_zero(const struct svi_ipc_blob *blob)
{
    static const unsigned char zeros[SVI_IPC_HANDLE];

    return memcmp(blob->handle, zeros, sizeof zeros) == 0;
}

static sv_status check_part(const struct svi_ipc_blob *b)
{
    if (b->nbytes == 0 && (b->offset != 0 || b->capacity != 0 || b->serial != 0 || !is_handle_zero(b)))
        return svi_fail(SV_ERROR_PROTOCOL, "the blob tells of no bytes, and of an allocation");
    if (b->nbytes == 0)
        return SV_OK;
    if (b->nbytes < 0 || b->offset < 0 || b->capacity < 0 || b->offset > b->capacity ||
        b->nbytes > b->capacity - b->offset)
        return svi_fail(SV_ERROR_PROTOCOL,
                        "the blob tells of %" PRId64 " bytes from byte %" PRId64 " of an allocation of %" PRId64,
                        b->nbytes, b->offset, b->capacity);
    if (b->serial <= 0)
        return svi_fail(SV_ERROR_PROTOCOL, "the blob tells of allocation number %" PRId64, b->serial);
    return SV_OK;
}

sv_status svi_ipc_read(const void *blob, size_t length, struct svi_ipc_blob *out)
{
    if (length != sizeof *out)
        return svi_fail(SV_ERROR_PROTOCOL, "the blob has %zu bytes, not %zu", length, sizeof *out);
    memcpy(out, blob, sizeof *out);
    if (memcmp(out->magic, magic, sizeof magic) != 0)
        return svi_fail(SV_ERROR_PROTOCOL, "the bytes are no blob of sv_buffer_export_ipc()");
    if (out->version != BLOB_VERSION)
        return svi_fail(SV_ERROR_VERSION, "the blob has version %" PRIu32 ", this library knows version %d",
                        out->version, BLOB_VERSION);
    if (out->length != sizeof *out)
        return svi_fail(SV_ERROR_PROTOCOL, "the blob says that it has %" PRIu32 " bytes", out->length);
    if (out->checksum != checksum_blob(out))
        return svi_fail(SV_ERROR_PROTOCOL, "the blob is damaged: its checksum is another one");
    if (out->kind != SV_MEMORY_DEVICE)
        return svi_fail(SV_ERROR_PROTOCOL, "the blob tells of memory of kind %d", (int)out->kind);
    if (out->flags & ~(uint32_t)SV_READ_ONLY)
        return svi_fail(SV_ERROR_PROTOCOL, "the blob has flags 0x%" PRIx32, out->flags);
    if (out->process.id <= 0)
        return svi_fail(SV_ERROR_PROTOCOL, "the blob tells of process %" PRId64, out->process.id);
    return check_part(out);
}
