/*
 * The memory of a buffer apart from its handle: where it came from, which work uses it, and how it is freed. A buffer
 * that moves leaves its old memory behind as one of these.
 */
#ifndef SVI_STORAGE_H
#define SVI_STORAGE_H

#include "memory/allocator.h"
#include "memory/deferred.h"
#include "memory/failure.h"
#include "memory/uses.h"

struct svi_storage {
    struct svi_deferred later; /* device is that of the memory */
    sv_memory kind;
    bool ordered; /* freed in the order of a stream */
    bool waits;   /* its free may wait for a device */
    bool is_late; /* among what is deferred */
    const sv_allocator *allocator; /* retained; NULL of adopted memory */
    struct svi_block block;        /* as its source knows it. pointer NULL: the allocator has nothing to free */
    sv_free_callback free;         /* of memory that was adopted */
    void *ctx;
    sv_status (*undo)(const struct svi_storage *self); /* of memory that was registered or opened: instead of a free */
    sv_release_callback release; /* after undo, with ctx; NULL: nobody is told */
    int64_t counted; /* bytes in the statistics; 0: none */
    struct svi_uses uses;

    /* Called when nothing is left to do with self. Not called of memory that is lost, which keeps it. */
    void (*gone)(struct svi_storage *self);
};

/* What a buffer asks of an allocator. */
struct svi_want {
    int64_t nbytes; /* 0 or more */
    int64_t alignment; /* a power of two, whatever the allocator's is */
    uintptr_t stream;
    bool zero; /* in the order of the stream */
};

/* Sets all of out but gone. *data is the first byte at a multiple of the alignment. With 0 bytes nothing is called. */
sv_status svi_storage_make(const sv_allocator *allocator, const struct svi_want *want, struct svi_storage *out,
                           char **data);

/* A part of svi_storage_make(): memory of nobody yet. */
void svi_storage_init(struct svi_storage *self, sv_memory kind, struct svi_device device);

/* A part of svi_storage_make(): memory of an allocator that has nothing to free. */
void svi_storage_init_inside(struct svi_storage *self, const sv_allocator *allocator, int64_t nbytes);

/*
 * Frees the memory after all that was recorded and, if it is ordered by streams, after what stream has to do. What
 * would have to be waited for, beyond what effort allows, is deferred. self stays until gone is called. An error says
 * that the memory is lost; with SVI_EFFORT_NONE, where nobody reads it, svi_failure_tell() tells it as well.
 */
sv_status svi_storage_end(struct svi_storage *self, uintptr_t stream, enum svi_effort effort);

/* Before the host is given memory that was allocated in the order of the stream. The host touches pinned memory without
 * a stream, through views and by addresses, so that of a pool is waited for here, once; other memory is not. */
sv_status svi_storage_await(sv_memory kind, uint32_t traits, struct svi_device device, uintptr_t stream);

/* Writes zeros in the order of the stream; those of ordinary and pinned host memory at once. */
sv_status svi_storage_zero(sv_memory kind, struct svi_device device, char *data, int64_t nbytes, uintptr_t stream);

#endif
