/*
 * Kinds of memory, and what a backend does for those that need a driver. Nothing here checks handles, sizes or states:
 * allocators and buffers do that.
 */
#ifndef SVI_MEMORY_H
#define SVI_MEMORY_H

#include <stdbool.h>

#include "backend/device.h"

enum { SVI_MEMORY_KINDS = SV_MEMORY_FOREIGN + 1, SVI_IPC_HANDLE = 64, SVI_UUID = 16 };

struct svi_memory_kind {
    const char *name;  /* "pinned" */
    int64_t alignment; /* that a buffer has where none is asked for */
};

/* By their numbers. SV_MEMORY_UNKNOWN has no name. */
extern const struct svi_memory_kind svi_memory_kinds[SVI_MEMORY_KINDS];

/* Whether a driver gives it out, work on whose streams can use it. */
static inline bool svi_memory_kind_has_streams(sv_memory kind)
{
    return kind == SV_MEMORY_PINNED || kind == SV_MEMORY_DEVICE || kind == SV_MEMORY_MANAGED;
}

/* What is known of an address. */
struct svi_pointer {
    sv_memory kind;
    uint32_t traits; /* SV_TRAIT bits */
    struct svi_device device;
    void *device_address, *host_address; /* NULL: not to be touched there */
};

struct svi_pool_request {
    sv_memory kind; /* SV_MEMORY_DEVICE, _PINNED or _MANAGED */
    int32_t device_id;
    int64_t initial, threshold, most; /* bytes; most 0: no limit */
};

/* Bytes of managed memory. */
struct svi_span {
    void *pointer;
    int64_t nbytes;
};

/*
 * The driver of a family. Each function sets the message when it fails, leaves no error pending in the driver, and
 * gives the thread back the device it had. None is called with a lock held, or with no bytes. Streams are numbers as
 * everywhere.
 */
struct svi_driver {
    /* The largest alignment, in bytes, that its allocations have by themselves: by their kind, and of pools. */
    int64_t alignments[SVI_MEMORY_KINDS], pool_alignment;

    /* SV_MEMORY_PINNED, _DEVICE or _MANAGED. The second may wait for the device; of SV_MEMORY_DEVICE it does, until all
     * work of any stream that uses the memory is done. */
    sv_status (*allocate)(sv_memory kind, int32_t device_id, int64_t nbytes, void **out);
    sv_status (*free)(sv_memory kind, int32_t device_id, void *pointer);

    /* Page-locks memory of the host; the address for devices can be another one. SV_ERROR_BLOCKED if it is already. */
    sv_status (*enroll)(void *pages, int64_t nbytes, void **device_address);
    sv_status (*withdraw)(void *pages);

    /* Pools, whose memory is allocated and freed in the order of a stream. */
    sv_status (*new_pool)(const struct svi_pool_request *request, uintptr_t *pool);
    sv_status (*default_pool)(sv_memory kind, int32_t device_id, uintptr_t *pool);
    sv_status (*end_pool)(int32_t device_id, uintptr_t pool);
    sv_status (*allocate_from_pool)(int32_t device_id, uintptr_t pool, int64_t nbytes, uintptr_t stream, void **out);
    sv_status (*free_in_order)(int32_t device_id, void *pointer, uintptr_t stream);

    /* SV_ERROR_STATE while memory cannot be freed in the order of the stream, which is being captured. */
    sv_status (*check_order)(int32_t device_id, uintptr_t stream);

    /* What the driver says of an address. */
    sv_status (*query)(const void *pointer, struct svi_pointer *out);

    /* Events: where a stream stands at the call. is_done does not wait; wait blocks the host; order blocks a stream. */
    sv_status (*record)(int32_t device_id, uintptr_t stream, void **event);
    sv_status (*is_done)(void *event, bool *done);
    sv_status (*wait)(void *event);
    sv_status (*order)(int32_t device_id, uintptr_t stream, void *event);
    void (*end_event)(void *event);

    /* Whether the stream is being captured into a graph. NULL: there are no graphs. */
    sv_status (*is_captured)(int32_t device_id, uintptr_t stream, bool *is_captured);

    /* Every byte becomes byte, in the order of the stream. */
    sv_status (*set)(int32_t device_id, void *pointer, int32_t byte, int64_t nbytes, uintptr_t stream);

    /* Managed memory; to is svi_cpu or a device. SV_ERROR_UNSUPPORTED where the driver or the device cannot. What is
     * discarded is at its new place afterwards, and nothing that is written later is lost. */
    sv_status (*prefetch)(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream);
    sv_status (*discard)(int64_t count, const struct svi_span *spans, struct svi_device to, uintptr_t stream);
    sv_status (*advise)(struct svi_span span, int32_t advice, struct svi_device about);

    /* Memory of other processes, by handles of SVI_IPC_HANDLE bytes for a whole allocation, which base begins. nbytes
     * receives how many bytes the driver opened from base on. */
    sv_status (*identify)(int32_t device_id, unsigned char uuid[SVI_UUID]);
    sv_status (*ipc_export)(int32_t device_id, void *base, unsigned char handle[SVI_IPC_HANDLE]);
    sv_status (*ipc_open)(int32_t device_id, const unsigned char handle[SVI_IPC_HANDLE], void **base, int64_t *nbytes);
    sv_status (*ipc_close)(int32_t device_id, void *base);

    /* Frees what the backend keeps for its next copies, but what is in use. */
    void (*trim)(void);

    /* SV_PROPERTY numbers. */
    sv_status (*property)(int32_t device_id, int32_t property, int64_t *value);
};

#endif
