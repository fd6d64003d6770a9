#include "memory/block_cache.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/lock.h"
#include "device/thread_stream.h"
#include "memory/buffer_stats.h"
#include "memory/cache_list.h"
#include "memory/failure.h"

enum { BUCKET_BITS = 9, LAST_DEFAULT = 2, DEFAULT_HOME = 1, LEAST_ALIGNMENT = 256 };

struct svi_block_cache {
    struct svi_cache_entry entry;
    struct svi_deferred later; /* when the allocator is gone */
    atomic_int_least64_t references;
    sv_allocator *base; /* retained */
    int lock; /* one of those that caches share */
    int fork_depth; /* of the process whose blocks these are */
    int64_t threshold;
    atomic_int_least64_t bytes, count; /* that are kept; written with the lock */
    struct svi_kept *spare; /* one for each block that is in use, at least */
    struct svi_kept *buckets[1 << BUCKET_BITS];
};

static atomic_uint caches; /* that were made, which take the shared locks in turn */

/* --- its life -------------------------------------------------------------- */

static struct svi_block_cache *cache_of(struct svi_cache_entry *entry)
{
    return (struct svi_block_cache *)entry;
}

static void retain_cache(struct svi_cache_entry *entry)
{
    atomic_fetch_add_explicit(&cache_of(entry)->references, 1, memory_order_relaxed);
}

static void free_list(struct svi_kept *list)
{
    while (list != NULL) {
        struct svi_kept *next = list->next;

        svi_free(list);
        list = next;
    }
}

static void release_cache(struct svi_cache_entry *entry)
{
    struct svi_block_cache *cache = cache_of(entry);

    if (atomic_fetch_sub_explicit(&cache->references, 1, memory_order_acq_rel) != 1)
        return;
    free_list(cache->spare);
    sv_allocator_release(cache->base);
    svi_free(cache);
}

static bool trim_cache(struct svi_cache_entry *entry, enum svi_effort effort);

struct svi_block_cache *svi_block_cache_new(const sv_allocator *base, int64_t threshold)
{
    struct svi_block_cache *cache;

    if (!svi_lock_guards_forks()) {
        svi_fail(SV_ERROR_MEMORY, "no memory to prepare for forks");
        return NULL;
    }
    cache = svi_calloc(sizeof *cache);
    if (cache == NULL)
        return NULL;
    cache->entry.device = base->device;
    cache->entry.trim = trim_cache;
    cache->entry.retain = retain_cache;
    cache->entry.release = release_cache;
    atomic_init(&cache->references, 1);
    cache->base = sv_allocator_retain(base);
    cache->lock = SVI_LOCK_CACHE + (int)(atomic_fetch_add(&caches, 1) % SVI_CACHE_LOCKS);
    cache->fork_depth = svi_lock_fork_depth();
    cache->threshold = threshold;
    svi_cache_list_add(&cache->entry);
    return cache;
}

/* --- buckets --------------------------------------------------------------- */

static bool is_forked(const struct svi_block_cache *cache)
{
    return cache->fork_depth != svi_lock_fork_depth();
}

/* Of a stream as a thread means it, or as it is remembered. */
static uintptr_t home_of(uintptr_t stream)
{
    return svi_stream_recall(stream) <= LAST_DEFAULT ? DEFAULT_HOME : stream;
}

static struct svi_kept **find_bucket(struct svi_block_cache *cache, int64_t nbytes, uintptr_t home)
{
    const uint64_t mixed =
        ((uint64_t)nbytes ^ (uint64_t)home * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);

    return &cache->buckets[mixed >> (64 - BUCKET_BITS)];
}

static void count_kept(struct svi_block_cache *cache, int64_t nbytes, int sign)
{
    atomic_fetch_add_explicit(&cache->bytes, sign * nbytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&cache->count, sign, memory_order_relaxed);
    svi_stats_cached(cache->base->kind, nbytes, sign);
}

/* With the lock. */
static void push_kept(struct svi_block_cache *cache, struct svi_kept *kept)
{
    struct svi_kept **bucket = find_bucket(cache, kept->nbytes, home_of(kept->stream));

    kept->next = *bucket;
    *bucket = kept;
    count_kept(cache, kept->nbytes, 1);
}

struct svi_kept *svi_block_cache_take(struct svi_block_cache *cache, int64_t nbytes, uintptr_t stream,
                                      bool (*fits)(const struct svi_kept *kept, uintptr_t stream))
{
    const uintptr_t home = home_of(stream);
    struct svi_kept **link, *kept;

    if (is_forked(cache))
        return NULL;
    svi_lock(cache->lock);
    link = find_bucket(cache, nbytes, home);
    while (*link != NULL && ((*link)->nbytes != nbytes || home_of((*link)->stream) != home || !fits(*link, stream)))
        link = &(*link)->next;
    kept = *link;
    if (kept != NULL) {
        *link = kept->next;
        count_kept(cache, nbytes, -1);
    }
    svi_unlock(cache->lock);
    return kept;
}

static struct svi_kept *take_all(struct svi_block_cache *cache)
{
    struct svi_kept *all = NULL;

    svi_lock(cache->lock);
    for (int i = 0; i < 1 << BUCKET_BITS; i++)
        while (cache->buckets[i] != NULL) {
            struct svi_kept *kept = cache->buckets[i];

            cache->buckets[i] = kept->next;
            count_kept(cache, kept->nbytes, -1);
            kept->next = all;
            all = kept;
        }
    svi_unlock(cache->lock);
    return all;
}

void svi_block_cache_put_back(struct svi_block_cache *cache, struct svi_kept *kept)
{
    svi_lock(cache->lock);
    push_kept(cache, kept);
    svi_unlock(cache->lock);
}

/* --- room ------------------------------------------------------------------- */

void svi_block_cache_used(struct svi_block_cache *cache, struct svi_kept *kept)
{
    svi_lock(cache->lock);
    kept->next = cache->spare;
    cache->spare = kept;
    svi_unlock(cache->lock);
}

sv_status svi_block_cache_reserve(struct svi_block_cache *cache)
{
    struct svi_kept *kept = svi_malloc(sizeof *kept);

    if (kept == NULL)
        return SV_ERROR_MEMORY;
    memset(kept, 0, sizeof *kept);
    svi_block_cache_used(cache, kept);
    return SV_OK;
}

/* With the lock. */
static struct svi_kept *take_spare(struct svi_block_cache *cache)
{
    struct svi_kept *kept = cache->spare;

    if (kept != NULL)
        cache->spare = kept->next;
    return kept;
}

void svi_block_cache_unreserve(struct svi_block_cache *cache)
{
    struct svi_kept *kept;

    svi_lock(cache->lock);
    kept = take_spare(cache);
    svi_unlock(cache->lock);
    svi_free(kept);
}

bool svi_block_cache_has_room(const struct svi_block_cache *cache, int64_t nbytes)
{
    return !is_forked(cache) && nbytes <= cache->threshold - atomic_load_explicit(&cache->bytes, memory_order_relaxed);
}

bool svi_block_cache_put(struct svi_block_cache *cache, const struct svi_block *block, int64_t nbytes)
{
    struct svi_kept *kept;

    svi_lock(cache->lock);
    kept = svi_block_cache_has_room(cache, nbytes) ? take_spare(cache) : NULL;
    if (kept != NULL) {
        kept->pointer = block->pointer;
        kept->nbytes = nbytes;
        kept->stream = svi_stream_remember(block->stream);
        if (block->uses != NULL)
            svi_uses_move(&kept->uses, block->uses);
        push_kept(cache, kept);
    }
    svi_unlock(cache->lock);
    return kept != NULL;
}

int64_t svi_block_cache_alignment(const struct svi_block_cache *cache)
{
    return svi_smaller(svi_larger(svi_memory_kinds[cache->base->kind].alignment, LEAST_ALIGNMENT),
                       cache->base->alignment);
}

void svi_block_cache_count(const struct svi_block_cache *cache, int64_t *bytes, int64_t *count)
{
    *bytes = atomic_load_explicit(&cache->bytes, memory_order_relaxed);
    *count = atomic_load_explicit(&cache->count, memory_order_relaxed);
}

/* --- giving back ------------------------------------------------------------ */

/* What could not be freed is lost, since a device may still write to it. In a process that was forked there is nothing
 * to free. */
static void lose_kept(struct svi_block_cache *cache, struct svi_kept *kept, sv_status status)
{
    svi_uses_forget(&kept->uses);
    svi_stats_lost(cache->base->kind, kept->nbytes);
    svi_failure_remember(status);
}

/* After the uses. */
static sv_status free_kept(struct svi_block_cache *cache, const struct svi_kept *kept)
{
    const struct svi_block block = {.pointer = kept->pointer,
                                    .nbytes = kept->nbytes,
                                    .alignment = svi_block_cache_alignment(cache),
                                    .stream = svi_stream_recall(kept->stream)};
    sv_status status = cache->base->source->free(cache->base, &block);

    if (status == SV_ERROR_FORKED)
        status = SV_OK;
    return status;
}

/* False: it is still in use, and stays. Else the block is gone. */
static bool give_back(struct svi_block_cache *cache, struct svi_kept *kept, bool wait)
{
    int64_t left = 0;
    sv_status status = svi_uses_finish(&kept->uses, wait, &left);

    if (status == SV_OK && left > 0)
        return false;
    if (status == SV_OK)
        status = free_kept(cache, kept);
    if (status != SV_OK)
        lose_kept(cache, kept, status);
    svi_free(kept);
    return true;
}

void svi_block_cache_give_up(struct svi_block_cache *cache, struct svi_kept *kept)
{
    (void)give_back(cache, kept, true);
}

static bool trim_cache(struct svi_cache_entry *entry, enum svi_effort effort)
{
    struct svi_block_cache *cache = cache_of(entry);
    struct svi_kept *kept = take_all(cache);
    bool any = false;

    while (kept != NULL) {
        struct svi_kept *next = kept->next;

        if (give_back(cache, kept, effort == SVI_EFFORT_WAIT))
            any = true;
        else
            svi_block_cache_put_back(cache, kept);
        kept = next;
    }
    return any;
}

static bool has_blocks(const struct svi_block_cache *cache)
{
    return atomic_load_explicit(&cache->count, memory_order_relaxed) > 0;
}

static bool end_cache_late(struct svi_deferred *later, enum svi_effort effort)
{
    struct svi_block_cache *cache = (struct svi_block_cache *)((char *)later - offsetof(struct svi_block_cache, later));

    (void)trim_cache(&cache->entry, effort);
    if (has_blocks(cache))
        return false;
    release_cache(&cache->entry);
    return true;
}

void svi_block_cache_end(struct svi_block_cache *cache)
{
    svi_cache_list_remove(&cache->entry);
    if (!svi_allocator_is_driver(cache->base))
        (void)trim_cache(&cache->entry, SVI_EFFORT_WAIT);
    if (!has_blocks(cache)) {
        release_cache(&cache->entry);
        return;
    }
    cache->later.device = cache->base->device;
    cache->later.finish = end_cache_late;
    svi_deferred_add(&cache->later);
}
