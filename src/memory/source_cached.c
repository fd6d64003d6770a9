/*
 * Keeps the blocks that are freed, and gives them out again: an allocation that finds one calls no driver. Blocks have
 * the size of their class, and are kept in block_cache.c.
 *
 * Memory of a device, as its driver allocates it, gets the order of streams by that. A block that was freed on a stream
 * is there for what comes next on that stream. This needs no event, since nothing is asked of the stream of a free:
 * it may have ended. Its number is no other stream's before its work is done. Another stream gets such a block only from
 * a default stream, which never ends, and after a wait. All other memory is freed when nobody uses it, and then anybody's.
 *
 * The work before a stream's capture need not be done when the graph is launched on another stream. So a stream that is
 * captured gets memory of the base, whose free and allocation wait for such work; the block that it would have got goes
 * back to the base first, so that captures do not pile up memory.
 */
#include "memory/source_cached.h"

#include <inttypes.h>

#include "base/checked.h"
#include "device/backends.h"
#include "device/thread_stream.h"
#include "memory/block_cache.h"

enum { LEGACY = 1, THREAD = 2, LEAST_BITS = 9, CLASS_BITS = 3 /* 8 classes for each power of two */ };

struct cached {
    sv_allocator allocator;
    struct svi_block_cache *cache;
    bool ordered;
};

static const struct cached *cached_of(const sv_allocator *self)
{
    return (const struct cached *)self;
}

/* --- classes ----------------------------------------------------------------- */

/* Multiples of 512 bytes up to 8 KiB, then of an eighth of the power of two below, so of 2 MiB from 16 MiB on. What is
 * too large to be rounded is too large to be allocated. */
static int64_t size_of_class(int64_t nbytes)
{
    int bits = LEAST_BITS;
    int64_t step;

    while (bits < 59 && nbytes - 1 >= INT64_C(1) << (bits + CLASS_BITS + 1))
        bits++;
    step = INT64_C(1) << bits;
    return nbytes > INT64_MAX - step ? nbytes : svi_round_up(nbytes, step);
}

/* --- finding a block ----------------------------------------------------------- */

static bool is_any(const struct svi_kept *kept, uintptr_t stream)
{
    (void)kept, (void)stream;
    return true;
}

/* The legacy default stream waits for the default streams of all threads, and they for it. Of two threads, neither
 * waits. A stream that is no default one finds its own blocks only. */
static bool is_before(const struct svi_kept *kept, uintptr_t stream)
{
    return stream != THREAD || kept->stream <= LEGACY || svi_stream_recall(kept->stream) == THREAD;
}

/* A block that has to be waited for: on default streams, so that the legacy one has all that comes before. */
static sv_status take_after_wait(const struct cached *c, int64_t nbytes, uintptr_t stream, struct svi_kept **out)
{
    const struct svi_device device = c->allocator.device;
    struct svi_kept *kept = stream <= LEGACY ? NULL : svi_block_cache_take(c->cache, nbytes, LEGACY, is_any);
    sv_status status;

    *out = kept;
    if (kept == NULL)
        return SV_OK;
    status = svi_backend_of_streams(device.type)->wait(device, stream, device, LEGACY);
    if (status == SV_OK)
        return SV_OK;
    svi_block_cache_put_back(c->cache, kept);
    *out = NULL;
    if (status == SV_ERROR_STATE) /* one of the two is being captured */
        status = SV_OK;
    return status;
}

/* Nobody need ask the legacy default stream, which cannot be captured. */
static sv_status ask_captured(const struct cached *c, uintptr_t stream, bool *is_captured)
{
    const struct svi_driver *driver = svi_driver_of(c->allocator.device.type);

    *is_captured = false;
    return stream <= LEGACY || driver->is_captured == NULL
               ? SV_OK
               : driver->is_captured(c->allocator.device.id, stream, is_captured);
}

/* A block that the stream freed: *out becomes NULL where it cannot have it. */
static sv_status check_own(const struct cached *c, uintptr_t stream, struct svi_kept **out)
{
    struct svi_kept *kept = *out;
    bool is_captured = false;
    const sv_status status = ask_captured(c, stream, &is_captured);

    if (status == SV_OK && !is_captured)
        return SV_OK;
    *out = NULL;
    if (status == SV_OK)
        svi_block_cache_give_up(c->cache, kept);
    else
        svi_block_cache_put_back(c->cache, kept);
    return status;
}

/* After what other streams do with the block. */
static sv_status order_uses(const struct cached *c, uintptr_t stream, struct svi_kept **out)
{
    struct svi_kept *kept = *out;
    int64_t left;
    sv_status status;

    if (kept == NULL || !svi_uses_has(&kept->uses))
        return SV_OK;
    status = svi_uses_order(&kept->uses, c->allocator.device, stream, true, &left);
    if (status == SV_OK)
        return SV_OK;
    svi_block_cache_put_back(c->cache, kept);
    *out = NULL;
    return status;
}

static sv_status find_in_order(const struct cached *c, int64_t nbytes, uintptr_t stream, struct svi_kept **out)
{
    *out = svi_block_cache_take(c->cache, nbytes, stream, is_before);
    SVI_TRY(*out != NULL ? check_own(c, stream, out) : take_after_wait(c, nbytes, stream, out));
    return order_uses(c, stream, out);
}

/* --- the source --------------------------------------------------------------- */

static struct svi_block whole_block(const sv_allocator *self, const struct svi_block *block)
{
    struct svi_block whole = *block;

    whole.nbytes = size_of_class(block->nbytes);
    whole.alignment = self->alignment;
    whole.uses = NULL;
    return whole;
}

static sv_status allocate_anew(const sv_allocator *self, struct svi_block *block)
{
    struct svi_block whole = whole_block(self, block);
    sv_status status;

    SVI_TRY(svi_block_cache_reserve(cached_of(self)->cache));
    status = self->base->source->allocate(self->base, &whole);
    if (status != SV_OK) {
        svi_block_cache_unreserve(cached_of(self)->cache);
        return status;
    }
    block->pointer = whole.pointer;
    block->is_zero = whole.is_zero;
    return SV_OK;
}

static sv_status allocate_cached(const sv_allocator *self, struct svi_block *block)
{
    const struct cached *c = cached_of(self);
    const int64_t nbytes = size_of_class(block->nbytes);
    struct svi_kept *kept = NULL;

    if (c->ordered)
        SVI_TRY(find_in_order(c, nbytes, block->stream, &kept));
    else
        kept = svi_block_cache_take(c->cache, nbytes, LEGACY, is_any);
    if (kept == NULL)
        return allocate_anew(self, block);
    block->pointer = kept->pointer;
    svi_block_cache_used(c->cache, kept);
    return SV_OK;
}

/* Of what is not kept. */
static sv_status free_for_good(const sv_allocator *self, const struct svi_block *block)
{
    const struct svi_block whole = whole_block(self, block);
    int64_t left;

    if (block->uses != NULL)
        SVI_TRY(svi_uses_finish(block->uses, true, &left));
    svi_block_cache_unreserve(cached_of(self)->cache);
    return self->base->source->free(self->base, &whole);
}

static sv_status free_cached(const sv_allocator *self, const struct svi_block *block)
{
    const struct cached *c = cached_of(self);
    struct svi_block kept = *block;

    if (!c->ordered)
        kept.stream = LEGACY;
    if (svi_block_cache_put(c->cache, &kept, size_of_class(block->nbytes)))
        return SV_OK;
    return free_for_good(self, block);
}

static bool keeps_block(const sv_allocator *self, const struct svi_block *block)
{
    return svi_block_cache_has_room(cached_of(self)->cache, size_of_class(block->nbytes));
}

static void end_cached(sv_allocator *self)
{
    svi_block_cache_end(cached_of(self)->cache);
}

static const struct svi_source source = {
    .name = "cached", .allocate = allocate_cached, .free = free_cached, .keeps = keeps_block, .end = end_cached};

sv_status sv_allocator_cached(const sv_allocator *base, int64_t threshold, sv_allocator **out)
{
    struct cached *made;

    SVI_TRY(svi_allocator_check(base, "base"));
    SVI_NEED(out);
    if (threshold < 0)
        return svi_fail(SV_ERROR_INVALID, "threshold is %" PRId64 " bytes", threshold);
    if (base->traits & SV_TRAIT_ORDERED)
        return svi_fail(SV_ERROR_UNSUPPORTED, "base: memory in the order of streams is not kept again, since its own "
                                              "source keeps it");
    made = svi_allocator_wrap(sizeof *made, &source, base);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->cache = svi_block_cache_new(base, threshold);
    if (made->cache == NULL) {
        svi_allocator_drop(made);
        return SV_ERROR_MEMORY;
    }
    made->ordered = base->kind == SV_MEMORY_DEVICE && svi_allocator_is_driver(base);
    if (made->ordered)
        made->allocator.traits |= SV_TRAIT_ORDERED;
    made->allocator.alignment = svi_block_cache_alignment(made->cache);
    *out = &made->allocator;
    return SV_OK;
}

/* --- asking ---------------------------------------------------------------------- */

sv_status svi_cached_stats(const sv_allocator *allocator, int32_t stat, int64_t *value)
{
    int64_t bytes, count;

    while (allocator != NULL && allocator->source != &source)
        allocator = allocator->base;
    if (allocator == NULL)
        return svi_fail(SV_ERROR_STATE, "neither the allocator nor one that it wraps keeps freed blocks");
    svi_block_cache_count(cached_of(allocator)->cache, &bytes, &count);
    *value = stat == SV_STAT_CACHED_BYTES ? bytes : count;
    return SV_OK;
}
