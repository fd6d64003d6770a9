/*
 * Counts what comes from the base. An allocation is counted after the base has made it and a free before the base is
 * asked for it: so the numbers never tell more than there is, and an address has left the list of blocks before it can
 * be another's.
 */
#include <inttypes.h>
#include <string.h>

#include "memory/block_list.h"
#include "memory/source_cached.h"

/* By their SV_STAT numbers. */
enum { STATS = SV_STAT_LOST_COUNT + 1 };

struct tracked {
    sv_allocator allocator;
    struct svi_block_list *blocks; /* NULL: no list is kept */
    atomic_int_least64_t stats[STATS];
    char name[]; /* with its NUL */
};

static struct tracked *tracked_of(const sv_allocator *self)
{
    return (struct tracked *)self;
}

/* --- counting ---------------------------------------------------------------- */

static int64_t add_to_stat(struct tracked *t, int stat, int64_t number)
{
    return atomic_fetch_add_explicit(&t->stats[stat], number, memory_order_relaxed) + number;
}

static int64_t read_stat(struct tracked *t, int stat)
{
    return atomic_load_explicit(&t->stats[stat], memory_order_relaxed);
}

/* Never below 0, whatever size a caller frees. */
static void subtract_from_stat(struct tracked *t, int stat, int64_t number)
{
    int_least64_t old = read_stat(t, stat);

    while (!atomic_compare_exchange_weak_explicit(&t->stats[stat], &old, old > number ? old - number : 0,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
}

static void raise_stat(struct tracked *t, int stat, int64_t number)
{
    int_least64_t old = read_stat(t, stat);

    while (old < number && !atomic_compare_exchange_weak_explicit(&t->stats[stat], &old, number, memory_order_relaxed,
                                                                  memory_order_relaxed))
        continue;
}

static void count_allocation(struct tracked *t, int64_t nbytes)
{
    raise_stat(t, SV_STAT_PEAK_BYTES, add_to_stat(t, SV_STAT_LIVE_BYTES, nbytes));
    raise_stat(t, SV_STAT_PEAK_COUNT, add_to_stat(t, SV_STAT_LIVE_COUNT, 1));
    add_to_stat(t, SV_STAT_TOTAL_BYTES, nbytes);
    add_to_stat(t, SV_STAT_TOTAL_COUNT, 1);
}

static void count_free(struct tracked *t, int64_t nbytes)
{
    subtract_from_stat(t, SV_STAT_LIVE_BYTES, nbytes);
    subtract_from_stat(t, SV_STAT_LIVE_COUNT, 1);
}

static void count_loss(struct tracked *t, int64_t nbytes)
{
    add_to_stat(t, SV_STAT_LOST_BYTES, nbytes);
    add_to_stat(t, SV_STAT_LOST_COUNT, 1);
}

/* --- the source --------------------------------------------------------------- */

static sv_status take_counted(struct tracked *t, struct svi_block *block)
{
    const sv_allocator *base = t->allocator.base;
    const sv_status status = base->source->allocate(base, block);

    if (status == SV_OK)
        count_allocation(t, block->nbytes);
    else
        add_to_stat(t, SV_STAT_FAILED_COUNT, 1);
    return status;
}

/* The entry comes first: when there is no memory for it, there is nothing to undo. */
static sv_status take_listed(struct tracked *t, struct svi_block *block)
{
    struct svi_block_entry *entry = svi_block_entry_new();
    sv_status status;

    if (entry == NULL) {
        add_to_stat(t, SV_STAT_FAILED_COUNT, 1);
        return SV_ERROR_MEMORY;
    }
    status = take_counted(t, block);
    if (status == SV_OK)
        svi_block_list_add(t->blocks, entry, block);
    else
        svi_block_entry_drop(entry);
    return status;
}

static sv_status allocate_tracked(const sv_allocator *self, struct svi_block *block)
{
    struct tracked *t = tracked_of(self);

    return t->blocks == NULL ? take_counted(t, block) : take_listed(t, block);
}

static sv_status free_tracked(const sv_allocator *self, const struct svi_block *block)
{
    struct tracked *t = tracked_of(self);
    sv_status status;

    if (t->blocks != NULL)
        SVI_TRY(svi_block_list_remove(t->blocks, block));
    count_free(t, block->nbytes);
    status = self->base->source->free(self->base, block);
    if (status != SV_OK)
        count_loss(t, block->nbytes);
    return status;
}

static void end_tracked(sv_allocator *self)
{
    svi_block_list_end(tracked_of(self)->blocks);
}

static const struct svi_source source = {.name = "tracked",
                                         .flags = SVI_SOURCE_TRACKED,
                                         .allocate = allocate_tracked,
                                         .free = free_tracked,
                                         .end = end_tracked};

/* --- making one ---------------------------------------------------------------- */

sv_status sv_allocator_tracked(const sv_allocator *base, const char *name, uint32_t flags, sv_allocator **out)
{
    const size_t length = name == NULL ? 0 : strlen(name) + 1;
    struct tracked *made;

    SVI_TRY(svi_allocator_check(base, "base"));
    SVI_NEED(out);
    if (flags & ~(uint32_t)SV_ALLOCATOR_BLOCKS)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_ALLOCATOR_BLOCKS is known", flags);
    made = svi_allocator_wrap(sizeof *made + length, &source, base);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    if (name != NULL)
        made->allocator.name = memcpy(made->name, name, length);
    if (flags & SV_ALLOCATOR_BLOCKS) {
        made->blocks = svi_block_list_new();
        if (made->blocks == NULL) {
            svi_allocator_drop(made);
            return SV_ERROR_MEMORY;
        }
    }
    *out = &made->allocator;
    return SV_OK;
}

/* --- asking ---------------------------------------------------------------------- */

/* The nearest tracked one, this or one that it wraps; with a list, if one is asked for. NULL: there is none. */
static struct tracked *find_nearest_tracked(const sv_allocator *allocator, bool listed)
{
    for (; allocator != NULL; allocator = allocator->base)
        if ((allocator->source->flags & SVI_SOURCE_TRACKED) && (!listed || tracked_of(allocator)->blocks != NULL))
            return tracked_of(allocator);
    return NULL;
}

static sv_status find_tracked(const sv_allocator *allocator, struct tracked **out)
{
    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    *out = find_nearest_tracked(allocator, false);
    return *out != NULL ? SV_OK : svi_fail(SV_ERROR_STATE, "neither the allocator nor one that it wraps is tracked");
}

sv_status sv_allocator_stats(const sv_allocator *allocator, int32_t stat, int64_t *value)
{
    struct tracked *t;

    SVI_NEED(value);
    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    if (stat == SV_STAT_CACHED_BYTES || stat == SV_STAT_CACHED_COUNT)
        return svi_cached_stats(allocator, stat, value);
    SVI_TRY(find_tracked(allocator, &t));
    if (stat < 0 || stat >= STATS)
        return svi_fail(SV_ERROR_INVALID, "nothing with the number %d is counted", (int)stat);
    if (stat == SV_STAT_DEFERRED_BYTES || stat == SV_STAT_DEFERRED_COUNT)
        return svi_fail(SV_ERROR_INVALID, "allocators have no deferred frees: those are told of all memory");
    *value = read_stat(t, stat);
    return SV_OK;
}

static void reset_peak(struct tracked *t, int peak, int live)
{
    atomic_store_explicit(&t->stats[peak], read_stat(t, live), memory_order_relaxed);
    raise_stat(t, peak, read_stat(t, live)); /* what was allocated since, whose peak was overwritten */
}

sv_status sv_allocator_reset_peaks(const sv_allocator *allocator)
{
    struct tracked *t;

    SVI_TRY(find_tracked(allocator, &t));
    reset_peak(t, SV_STAT_PEAK_BYTES, SV_STAT_LIVE_BYTES);
    reset_peak(t, SV_STAT_PEAK_COUNT, SV_STAT_LIVE_COUNT);
    return SV_OK;
}

sv_status sv_allocator_visit(const sv_allocator *allocator, sv_block_callback visit, void *ctx)
{
    struct tracked *t;

    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    SVI_NEED(visit);
    t = find_nearest_tracked(allocator, true);
    if (t == NULL)
        return svi_fail(SV_ERROR_STATE, "neither the allocator nor one that it wraps keeps a list of blocks");
    return svi_block_list_visit(t->blocks, visit, ctx);
}
