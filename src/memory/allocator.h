/*
 * Allocators inside: each is a struct of its source that begins with struct sv_allocator. A wrapper is a source too, so
 * that wrappers nest. What a source is asked for has been checked; nobody checks it again.
 *
 * Who allocates (the public functions and buffers) calls svi_block_allocate() and svi_block_free(); a wrapper calls the
 * source of its base. No lock is held across either.
 */
#ifndef SVI_ALLOCATOR_H
#define SVI_ALLOCATOR_H

#include <stddef.h>

#include "base/handle.h"
#include "backend/memory.h"

/* A block of memory as it is allocated, and what its free needs. */
struct svi_uses;

struct svi_block {
    void *pointer;
    int64_t nbytes;    /* more than 0 */
    int64_t alignment; /* a power of two, at most that of the allocator */
    uintptr_t stream;
    struct svi_uses *uses; /* of a free: work that has to be done before the memory is used again, which a source that
                              keeps blocks may take; all others get blocks without. NULL: there is none */
    bool wants_zeros; /* asked for: zeros, if they are cheap there */
    bool is_zero;     /* answered: the memory is zeros */
};

/* What is true of a source, or of its allocators. */
enum {
    SVI_SOURCE_DRIVER = 1, /* its blocks are allocations of a driver by themselves, whose free may wait for a device */
    SVI_SOURCE_TRACKED = 2 /* it counts blocks: its allocators are those of source_tracked.c */
};

struct svi_source {
    const char *name; /* "pinned" */
    uint32_t flags; /* SVI_SOURCE bits */

    /* Sets pointer and is_zero, and with SV_ERROR_MEMORY or another status neither. */
    sv_status (*allocate)(const sv_allocator *self, struct svi_block *block);

    /* Nobody frees it again after an error. */
    sv_status (*free)(const sv_allocator *self, const struct svi_block *block);

    /* SV_ERROR_STATE while the block cannot be freed, and has to be kept; after another error it is lost. Asked of the
     * innermost source, before any wrapper hears of the free. NULL: it always can. */
    sv_status (*check_free)(const sv_allocator *self, const struct svi_block *block);

    /* Whether a free would keep the block for another allocation, with the work that still uses it: then it waits for
     * nothing and calls no driver. NULL: never. */
    bool (*keeps)(const sv_allocator *self, const struct svi_block *block);

    /* Of the last reference; the struct itself is freed after it. NULL: there is nothing to end. */
    void (*end)(sv_allocator *self);
};

/* The largest power of two in an int64. */
#define SVI_ANY_ALIGNMENT (INT64_C(1) << 62)

struct sv_allocator {
    struct svi_handle handle;
    const struct svi_source *source;
    sv_allocator *base; /* that a wrapper wraps, retained; NULL of others */
    const char *name; /* of a tracked one; NULL: that of the base, or of the source */
    int64_t alignment; /* the largest it can give */
    struct svi_device device;
    sv_memory kind;
    uint32_t traits;
    bool plain; /* blocks are what svi_malloc() gives: a buffer may lie in one block with its memory */
};

static inline sv_status svi_allocator_check(const sv_allocator *allocator, const char *name)
{
    return svi_handle_check((const struct svi_handle *)allocator, SVI_TAG_ALLOCATOR, name);
}

static inline bool svi_allocator_is(const sv_allocator *allocator)
{
    return svi_handle_is((const struct svi_handle *)allocator, SVI_TAG_ALLOCATOR);
}

/* The allocator that has no base, behind all wrappers. */
static inline const sv_allocator *svi_allocator_innermost(const sv_allocator *allocator)
{
    while (allocator->base != NULL)
        allocator = allocator->base;
    return allocator;
}

/* Whether blocks are as a driver allocates them. */
static inline bool svi_allocator_is_driver(const sv_allocator *allocator)
{
    return (svi_allocator_innermost(allocator)->source->flags & SVI_SOURCE_DRIVER) != 0;
}

/* SV_ERROR_INVALID or _DEVICE unless there is such memory on such a device. */
sv_status svi_allocator_check_place(sv_memory kind, struct svi_device device);

/*
 * A new allocator of so many bytes, those behind the struct zero, which gives any alignment until it is told another
 * one; NULL with the message set when out of memory.
 */
void *svi_allocator_make(size_t nbytes, const struct svi_source *source, sv_memory kind, struct svi_device device);

/* Frees an allocator that nobody has seen, without a call of its source's end. */
void svi_allocator_drop(void *allocator);

/* A new allocator as svi_allocator_make() makes it, with the place, traits and alignment of base, which it retains. */
void *svi_allocator_wrap(size_t nbytes, const struct svi_source *source, const sv_allocator *base);

/* --- blocks -------------------------------------------------------------- */

/* Frees deferred memory (deferred.h) and what caches keep of the device's (cache_list.h), waiting for the device. True:
 * something was freed. */
bool svi_allocator_drain(const sv_allocator *allocator);

/* Of an allocator and a block that were checked. The caller has set all but pointer and is_zero. Deferred memory
 * that is ready is freed first; where there is no memory, also what a device has to be waited for. */
sv_status svi_block_allocate(const sv_allocator *allocator, struct svi_block *block);

/* Gives the block back to its source at once. */
sv_status svi_block_free(const sv_allocator *allocator, const struct svi_block *block);

/* SV_ERROR_STATE: not now; nothing has happened, and another try may come later. What the free answers is final, and
 * so is any other error of this call. */
sv_status svi_block_check_free(const sv_allocator *allocator, const struct svi_block *block);

/* Whether a free would hand the block to a cache: see svi_source's keeps. */
bool svi_block_is_kept(const sv_allocator *allocator, const struct svi_block *block);

/* Alignment as asked for: 0 is that of the kind. SV_ERROR_INVALID when it is no power of two. */
sv_status svi_alignment_of(int64_t asked, sv_memory kind, int64_t *out);

/* --- callbacks ----------------------------------------------------------- */

/* Whether status is one of SV_ERROR's numbers. */
bool svi_is_error(sv_status status);

/*
 * What a callback of the caller answered, as libsv's own status: errors pass, with the text that a call of libsv left
 * since fails was svi_fail_count(), else with one that names what; what is no status is SV_ERROR_INVALID.
 */
sv_status svi_answer_of(sv_status status, uint32_t fails, const char *what);

#endif
