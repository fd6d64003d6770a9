#include "memory/buffer_stats.h"

#include <stdatomic.h>

/* What lives is what was made less what was freed, so that a buffer costs four additions. */
static struct counters {
    atomic_int_least64_t made_bytes, made_count, freed_bytes, freed_count;
    atomic_int_least64_t peak_bytes, peak_count;
    atomic_int_least64_t deferred_bytes, deferred_count, lost_bytes, lost_count;
    atomic_int_least64_t cached_bytes, cached_count;
} kinds[SVI_MEMORY_KINDS]; /* SV_MEMORY_UNKNOWN: of all, peaks only */

static int64_t read_counter(const atomic_int_least64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Totals may wrap, since memory that is adopted may be said to have any size; differences stay right. */
static int64_t add_wrapping(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t subtract_wrapping(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t add_to_counter(atomic_int_least64_t *counter, int64_t number)
{
    return add_wrapping(atomic_fetch_add_explicit(counter, number, memory_order_relaxed), number);
}

static void raise_peak(atomic_int_least64_t *peak, int64_t number)
{
    int64_t before = read_counter(peak);

    while (number > before &&
           !atomic_compare_exchange_weak_explicit(peak, &before, number, memory_order_relaxed, memory_order_relaxed))
        continue;
}

static int64_t live_bytes(const struct counters *c)
{
    return subtract_wrapping(read_counter(&c->made_bytes), read_counter(&c->freed_bytes));
}

static int64_t live_count(const struct counters *c)
{
    return subtract_wrapping(read_counter(&c->made_count), read_counter(&c->freed_count));
}

static int64_t sum_kinds(int64_t (*of)(const struct counters *))
{
    int64_t all = 0;

    for (sv_memory kind = SV_MEMORY_HOST; kind < SVI_MEMORY_KINDS; kind++)
        all = add_wrapping(all, of(&kinds[kind]));
    return all;
}

void svi_stats_made(sv_memory kind, int64_t nbytes)
{
    struct counters *c = &kinds[kind];
    const int64_t bytes = subtract_wrapping(add_to_counter(&c->made_bytes, nbytes), read_counter(&c->freed_bytes));
    const int64_t count = subtract_wrapping(add_to_counter(&c->made_count, 1), read_counter(&c->freed_count));

    raise_peak(&c->peak_bytes, bytes);
    raise_peak(&c->peak_count, count);
    raise_peak(&kinds[SV_MEMORY_UNKNOWN].peak_bytes, sum_kinds(live_bytes));
    raise_peak(&kinds[SV_MEMORY_UNKNOWN].peak_count, sum_kinds(live_count));
}

void svi_stats_freed(sv_memory kind, int64_t nbytes)
{
    add_to_counter(&kinds[kind].freed_bytes, nbytes);
    add_to_counter(&kinds[kind].freed_count, 1);
}

void svi_stats_deferred(sv_memory kind, int64_t nbytes, int sign)
{
    add_to_counter(&kinds[kind].deferred_bytes, sign * nbytes);
    add_to_counter(&kinds[kind].deferred_count, sign);
}

void svi_stats_cached(sv_memory kind, int64_t nbytes, int sign)
{
    add_to_counter(&kinds[kind].cached_bytes, sign * nbytes);
    add_to_counter(&kinds[kind].cached_count, sign);
}

void svi_stats_lost(sv_memory kind, int64_t nbytes)
{
    add_to_counter(&kinds[kind].lost_bytes, nbytes);
    add_to_counter(&kinds[kind].lost_count, 1);
}

/* --- asking -------------------------------------------------------------- */

static int64_t made_bytes(const struct counters *c)
{
    return read_counter(&c->made_bytes);
}

static int64_t made_count(const struct counters *c)
{
    return read_counter(&c->made_count);
}

static int64_t deferred_bytes(const struct counters *c)
{
    return read_counter(&c->deferred_bytes);
}

static int64_t deferred_count(const struct counters *c)
{
    return read_counter(&c->deferred_count);
}

static int64_t lost_bytes(const struct counters *c)
{
    return read_counter(&c->lost_bytes);
}

static int64_t lost_count(const struct counters *c)
{
    return read_counter(&c->lost_count);
}

static int64_t cached_bytes(const struct counters *c)
{
    return read_counter(&c->cached_bytes);
}

static int64_t cached_count(const struct counters *c)
{
    return read_counter(&c->cached_count);
}

static int64_t peak_bytes(const struct counters *c)
{
    return read_counter(&c->peak_bytes);
}

static int64_t peak_count(const struct counters *c)
{
    return read_counter(&c->peak_count);
}

sv_status sv_memory_stats(sv_memory kind, int32_t stat, int64_t *value)
{
    static int64_t (*const stats[])(const struct counters *) = {
        [SV_STAT_LIVE_BYTES] = live_bytes,         [SV_STAT_LIVE_COUNT] = live_count,
        [SV_STAT_PEAK_BYTES] = peak_bytes,         [SV_STAT_PEAK_COUNT] = peak_count,
        [SV_STAT_TOTAL_BYTES] = made_bytes,        [SV_STAT_TOTAL_COUNT] = made_count,
        [SV_STAT_DEFERRED_BYTES] = deferred_bytes, [SV_STAT_DEFERRED_COUNT] = deferred_count,
        [SV_STAT_LOST_BYTES] = lost_bytes,         [SV_STAT_LOST_COUNT] = lost_count,
        [SV_STAT_CACHED_BYTES] = cached_bytes,     [SV_STAT_CACHED_COUNT] = cached_count,
    };
    const int known = sizeof stats / sizeof *stats;

    SVI_NEED(value);
    if (kind < SV_MEMORY_UNKNOWN || kind >= SVI_MEMORY_KINDS)
        return svi_fail(SV_ERROR_INVALID, "no kind of memory has the number %d", (int)kind);
    if (stat < 0 || stat >= known || stats[stat] == NULL)
        return svi_fail(SV_ERROR_INVALID, "%d is not a number of a count that is kept of buffers", (int)stat);
    if (kind != SV_MEMORY_UNKNOWN || stat == SV_STAT_PEAK_BYTES || stat == SV_STAT_PEAK_COUNT)
        *value = stats[stat](&kinds[kind]);
    else
        *value = sum_kinds(stats[stat]);
    return SV_OK;
}
