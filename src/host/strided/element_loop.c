/*
 * Element by element in the destination's order, for any plan: loops over two axes and an odometer over the others.
 * Where each element is in a cache line of its own, the lines are prefetched; where these share few sets of L1,
 * elements are stored several times.
 */
#include "checked.h"
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    PREFETCH_ELEMENTS = 96,        /* distance beyond the NT threshold, */
    SINGLE_PREFETCH_ELEMENTS = 12, /* and on Intel's processors */
    CROWDED_BYTES = 2048           /* steps of a multiple share few sets of the caches: a prefetch pays in cache, too */
};

/* The same bytes so many times. */
SVI_INLINE void store_again(char *dst, const char *src, size_t item, int64_t times)
{
    char bytes[SVI_PLAN_ITEM];

    memcpy(bytes, src, item);
    do {
        memcpy(dst, bytes, item);
        __asm__ volatile("" ::: "memory");
    } while (--times > 0);
}

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_plane plane = svi_plane_of(plan, plan->ndim - 2, plan->ndim - 1);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 2, -1, dst, src);
    do
        svi_items(&plane, outer.dst, outer.src, item);
    while (svi_odometer_next(&outer));
}

/* To lines that share few sets of L1. */
SVI_INLINE void walk_again(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    const int64_t times = svi_stores_each(dst_step, count);
    struct svi_odometer row;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    do
        for (int64_t k = 0; k < count; k++)
            store_again(row.dst + k * dst_step, row.src + k * src_step, item, times);
    while (svi_odometer_next(&row));
}

/* Whether most lines of a side are skipped: else the processor prefetches by itself. */
static bool skips_lines(int64_t step)
{
    return svi_abs(step) >= 2 * SVI_LINE;
}

/* Elements of a row, and those further on whose lines are prefetched meanwhile. */
struct stretch {
    int64_t count;
    char *dst;
    const char *src;
    const char *dst_ahead, *src_ahead;
};

/* Where lines share few sets of the caches, L1 is left to others. */
SVI_INLINE void copy_stretch(const struct stretch *s, int64_t dst_step, int64_t src_step, size_t item, bool crowded,
                             int64_t times)
{
    const bool dst_lines = skips_lines(dst_step), src_lines = skips_lines(src_step);

    for (int64_t k = 0; k < s->count; k++) {
        if (dst_lines)
            crowded ? __builtin_prefetch(s->dst_ahead + k * dst_step, 0, 2)
                    : __builtin_prefetch(s->dst_ahead + k * dst_step);
        if (src_lines)
            crowded ? __builtin_prefetch(s->src_ahead + k * src_step, 0, 2)
                    : __builtin_prefetch(s->src_ahead + k * src_step);
        store_again(s->dst + k * dst_step, s->src + k * src_step, item, times);
    }
}

/* Each element in a line of its own, of one side or both. */
SVI_INLINE void walk_lines(const struct svi_plan *plan, char *dst, const char *src, size_t item, bool crowded)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    const int64_t ahead = crowded ? SVI_CROWD_AHEAD : PREFETCH_ELEMENTS, within = svi_larger(count - ahead, 0);
    const int64_t times = crowded ? svi_stores_each(dst_step, count) : 1;
    struct svi_odometer row, next;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    next = row;
    svi_odometer_seek(&next, (ahead + count - 1) / count);
    do {
        const struct stretch first = {within, row.dst, row.src, row.dst + ahead * dst_step, row.src + ahead * src_step};
        const struct stretch rest = {count - within, row.dst + within * dst_step, row.src + within * src_step, next.dst,
                                     next.src};

        copy_stretch(&first, dst_step, src_step, item, crowded, times);
        copy_stretch(&rest, dst_step, src_step, item, crowded, times);
        svi_odometer_next(&next);
    } while (svi_odometer_next(&row));
}

SVI_INLINE void walk_far(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    walk_lines(plan, dst, src, item, false);
}

SVI_INLINE void walk_crowded(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    walk_lines(plan, dst, src, item, true);
}

/* A row on Intel's processors: as few instructions as possible, so that many loads are under way. */
SVI_INLINE void copy_single(int64_t count, char *dst, int64_t dst_step, const char *src, int64_t src_step, size_t item,
                            bool dst_lines, bool src_lines)
{
    for (; count > 0; count--, dst += dst_step, src += src_step) {
        if (dst_lines)
            __builtin_prefetch(dst + SINGLE_PREFETCH_ELEMENTS * dst_step);
        if (src_lines)
            __builtin_prefetch(src + SINGLE_PREFETCH_ELEMENTS * src_step);
        memcpy(dst, src, item);
    }
}

SVI_INLINE void walk_single(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    struct svi_odometer row;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    do
        if (!skips_lines(dst_step))
            copy_single(count, row.dst, dst_step, row.src, src_step, item, false, true);
        else if (!skips_lines(src_step))
            copy_single(count, row.dst, dst_step, row.src, src_step, item, true, false);
        else
            copy_single(count, row.dst, dst_step, row.src, src_step, item, true, true);
    while (svi_odometer_next(&row));
}

static bool has_single_lines(const struct svi_plan *plan)
{
    return skips_lines(plan->dst[plan->ndim - 1]) || skips_lines(plan->src[plan->ndim - 1]);
}

/* Larger than the cache, a list of offsets has no prefetch. */
bool svi_is_offset_list(const struct svi_host_copy *c)
{
    return svi_is_listed(c->plan) && !(c->beyond_cache && has_single_lines(c->plan));
}

void svi_host_generic(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;
    const int64_t dst_lines = skips_lines(plan->dst[last]) ? plan->dst[last] : 0;
    const int64_t src_lines = skips_lines(plan->src[last]) ? plan->src[last] : 0;

    if (has_single_lines(plan) && svi_moves_singly(machine, plan))
        svi_by_item(plan, dst, src, walk_single);
    else if (has_single_lines(plan) && svi_is_crowded(machine, plan, dst_lines | src_lines, CROWDED_BYTES))
        svi_by_item(plan, dst, src, walk_crowded);
    else if (has_single_lines(plan) && svi_is_beyond_cache(machine, plan))
        svi_by_item(plan, dst, src, walk_far);
    else if (svi_stores_again(machine, plan, last))
        svi_by_item(plan, dst, src, walk_again);
    else
        svi_by_item(plan, dst, src, walk);
}
