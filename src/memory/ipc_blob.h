/*
 * What sv_buffer_export_ipc() writes, byte for byte. Numbers are in the order of this machine, since no other one can
 * use it. Blobs come from other processes, so each field is checked before a driver sees it: whether it can be what it
 * says, and whether it fits the others. The checksum tells of damage. It is no signature, so a forged blob passes that
 * check: ipc.c then asks the driver how much memory it opened, and refuses a larger capacity. What cannot be checked is
 * whether the handle is one that the caller ought to open, so a blob is to be had from somebody trusted.
 */
#ifndef SVI_IPC_BLOB_H
#define SVI_IPC_BLOB_H

#include <stddef.h>

#include "backend/memory.h"
#include "memory/process.h"

struct svi_ipc_blob {
    char magic[8];
    uint32_t version, length;
    sv_memory kind; /* SV_MEMORY_DEVICE */
    uint32_t flags; /* 0 or SV_READ_ONLY */
    unsigned char uuid[SVI_UUID]; /* of the device */
    struct svi_process process;
    int64_t offset;   /* of the part, from the beginning of the allocation */
    int64_t nbytes;   /* of the part; with 0 there is no allocation, and what tells of it is 0 */
    int64_t capacity; /* of the allocation */
    unsigned char handle[SVI_IPC_HANDLE];
    int64_t serial; /* one for each allocation that process exported, from 1 */
    uint64_t checksum;
};

_Static_assert(sizeof(struct svi_ipc_blob) == SV_IPC_NBYTES, "blobs have no padding");

/* Writes magic, version and length. */
void svi_ipc_begin(struct svi_ipc_blob *blob);

/* Writes the checksum, when all else is written. */
void svi_ipc_seal(struct svi_ipc_blob *blob);

/* SV_ERROR_PROTOCOL or SV_ERROR_VERSION unless blob is a whole one. */
sv_status svi_ipc_read(const void *blob, size_t length, struct svi_ipc_blob *out);

#endif
