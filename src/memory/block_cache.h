/*
 * Blocks of an allocator that nobody uses, kept for the next allocation of their size. A block lies in a bucket by its
 * size and by the stream that it was freed on; the newest of a kind is found first. What a block is kept in was
 * allocated when its memory was, so that a free needs no memory. Which block may be used where is source_cached.c's.
 *
 * A process that was forked takes none of its parent's blocks and keeps none of its own.
 */
#ifndef SVI_BLOCK_CACHE_H
#define SVI_BLOCK_CACHE_H

#include "memory/allocator.h"
#include "memory/uses.h"

/* A block that is kept. */
struct svi_kept {
    struct svi_kept *next;
    void *pointer;
    int64_t nbytes;
    uintptr_t stream; /* that it was freed on, remembered as thread_stream.h does */
    struct svi_uses uses; /* of other streams, which come before the next use */
};

struct svi_block_cache;

/* Keeps up to threshold bytes of base, which it retains. NULL with the message set when out of memory. */
struct svi_block_cache *svi_block_cache_new(const sv_allocator *base, int64_t threshold);

/* Of the allocator, which is gone. What is kept is given back now, or, where that may wait for a device, by the next
 * allocation of such memory. */
void svi_block_cache_end(struct svi_block_cache *cache);

/* Room to keep one more block, before base is asked for it; and none, when base had no memory or has it back. */
sv_status svi_block_cache_reserve(struct svi_block_cache *cache);
void svi_block_cache_unreserve(struct svi_block_cache *cache);

/* The newest block of so many bytes that was freed on such a stream, and that fits; NULL: there is none. fits is called
 * with a lock held. Default streams are one in this: fits tells them apart. */
struct svi_kept *svi_block_cache_take(struct svi_block_cache *cache, int64_t nbytes, uintptr_t stream,
                                      bool (*fits)(const struct svi_kept *kept, uintptr_t stream));

/* Keeps a block of so many bytes, and takes its uses. False: it does not, beyond the threshold or in a child. */
bool svi_block_cache_put(struct svi_block_cache *cache, const struct svi_block *block, int64_t nbytes);

/* What becomes of a block that was taken: it is used, it stays, or base gets it. */
void svi_block_cache_used(struct svi_block_cache *cache, struct svi_kept *kept);
void svi_block_cache_put_back(struct svi_block_cache *cache, struct svi_kept *kept);
void svi_block_cache_give_up(struct svi_block_cache *cache, struct svi_kept *kept);

/* Whether there is room below the threshold. */
bool svi_block_cache_has_room(const struct svi_block_cache *cache, int64_t nbytes);

/* That of all its blocks: of the kind of memory and of devices, as far as base can. */
int64_t svi_block_cache_alignment(const struct svi_block_cache *cache);

/* How many bytes, and blocks, are kept. */
void svi_block_cache_count(const struct svi_block_cache *cache, int64_t *bytes, int64_t *count);

#endif
