/*
 * Any plan, element by element in the destination's order: loops over two axes and an odometer over the others. Where
 * each element is in a cache line of its own, the lines are prefetched; where these share few sets of L1, elements are
 * stored several times. Where axes are short, the offsets of a block of elements, on both sides, stand in a list: what
 * a row costs by itself, a loop and a step of the odometer, is paid once for a block.
 */
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"

enum {
    PREFETCH_ELEMENTS = 96,        /* distance beyond the NT threshold, */
    SINGLE_PREFETCH_ELEMENTS = 12, /* and on Intel's processors */
    CROWDED_BYTES = 2048,          /* steps of a multiple share few sets of the caches: a prefetch pays in cache, too */
    MAX_ROW = 3,                   /* elements; longer rows have no use for a list, */
    MAX_REVERSED_ROW = 16,         /* but those that run backwards, */
    MAX_ROW_ACROSS = 8,            /* and those of a transpose, whose elements go to distant places, */
    MAX_BOTH_ACROSS = 16,          /* of both axes */
    MIN_COPY = 128,                /* elements of a copy that is worth a list */
    MIN_BLOCK = 32,                /* elements of a block, from which on it takes in no other axis */
    MAX_LIST = 64,                 /* elements */
    SOURCE_LINES = 2,              /* of the source along its fastest axis that are read for each block, */
    MIN_PLACES = 4                 /* but so many places at least */
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
    struct svi_odometer o;

    for (svi_odometer_init(&o, plan, plan->ndim - 2, -1, dst, src); !o.ended; svi_odometer_next(&o))
        svi_items(&plane, o.dst, o.src, item);
}

/* To lines that share few sets of L1. */
SVI_INLINE void walk_again(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    const int64_t times = svi_stores_each(dst_step, count);
    struct svi_odometer row;

    for (svi_odometer_init(&row, plan, last, -1, dst, src); !row.ended; svi_odometer_next(&row))
        for (int64_t k = 0; k < count; k++)
            store_again(row.dst + k * dst_step, row.src + k * src_step, item, times);
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
SVI_INLINE void prefetch_element(const char *at, bool crowded)
{
    if (crowded)
        __builtin_prefetch(at, 0, 2);
    else
        __builtin_prefetch(at);
}

SVI_INLINE void copy_stretch(const struct stretch *s, int64_t dst_step, int64_t src_step, size_t item, bool crowded,
                             int64_t times)
{
    const bool dst_lines = skips_lines(dst_step), src_lines = skips_lines(src_step);

    for (int64_t k = 0; k < s->count; k++) {
        if (dst_lines)
            prefetch_element(s->dst_ahead + k * dst_step, crowded);
        if (src_lines)
            prefetch_element(s->src_ahead + k * src_step, crowded);
        store_again(s->dst + k * dst_step, s->src + k * src_step, item, times);
    }
}

/* The bits of the steps that skip lines. */
static int64_t far_steps(const struct svi_plan *plan)
{
    const int64_t dst = plan->dst[plan->ndim - 1], src = plan->src[plan->ndim - 1];

    return (skips_lines(dst) ? dst : 0) | (skips_lines(src) ? src : 0);
}

/* Each element in a line of its own, of one side or both. */
SVI_INLINE void walk_lines(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    const bool crowded = far_steps(plan) % CROWDED_BYTES == 0;
    const int64_t ahead = crowded ? SVI_CROWD_AHEAD : PREFETCH_ELEMENTS, within = svi_larger(count - ahead, 0);
    const int64_t times = crowded ? svi_stores_each(dst_step, count) : 1;
    struct svi_odometer row, next;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    svi_odometer_init(&next, plan, last, -1, dst, src);
    svi_odometer_seek(&next, (ahead + count - 1) / count);
    for (; !row.ended; svi_odometer_next(&row)) {
        const struct stretch first = {within, row.dst, row.src, row.dst + ahead * dst_step, row.src + ahead * src_step};
        const struct stretch rest = {count - within, row.dst + within * dst_step, row.src + within * src_step, next.dst,
                                     next.src};

        copy_stretch(&first, dst_step, src_step, item, crowded, times);
        copy_stretch(&rest, dst_step, src_step, item, crowded, times);
        svi_odometer_next(&next);
    }
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

    for (svi_odometer_init(&row, plan, last, -1, dst, src); !row.ended; svi_odometer_next(&row))
        if (!skips_lines(dst_step))
            copy_single(count, row.dst, dst_step, row.src, src_step, item, false, true);
        else if (!skips_lines(src_step))
            copy_single(count, row.dst, dst_step, row.src, src_step, item, true, false);
        else
            copy_single(count, row.dst, dst_step, row.src, src_step, item, true, true);
}

/* Larger than the cache, a list of offsets has no prefetch. */
bool svi_is_offset_list(const struct svi_host_copy *c)
{
    return svi_is_listed(c->plan) && !(c->beyond_cache && far_steps(c->plan) != 0);
}

void svi_host_generic(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int64_t far = far_steps(plan);

    if (far != 0 && svi_moves_singly(machine, plan))
        svi_by_item(plan, dst, src, walk_single);
    else if (far != 0 && (svi_is_beyond_cache(machine, plan) || svi_is_crowded(machine, plan, far, CROWDED_BYTES)))
        svi_by_item(plan, dst, src, walk_lines);
    else if (svi_stores_again(machine, plan, plan->ndim - 1))
        svi_by_item(plan, dst, src, walk_again);
    else
        svi_by_item(plan, dst, src, walk);
}

/* --- offset_list --------------------------------------------------------------------- */

struct list {
    int32_t axis; /* the slowest of a block; */
    int64_t step; /* so much of it and all of those behind it make count elements */
    int64_t count;
    bool dense; /* elements of a block are contiguous in the destination */
    int64_t dst[MAX_LIST], src[MAX_LIST];
};

bool svi_is_listed(const struct svi_plan *plan)
{
    const int64_t most = plan->kind == SVI_CLASS_REVERSED ? MAX_REVERSED_ROW : MAX_ROW;

    return plan->ndim > 1 && plan->shape[plan->ndim - 1] <= most && plan->nbytes >= MIN_COPY * plan->item;
}

/* Whether a block of the list is made of axes behind the fastest of the source. */
static bool has_blocks_behind_tile(const struct svi_plan *plan)
{
    int64_t count = 1;

    for (int32_t k = plan->ndim - 1; k > plan->tile && count < MIN_BLOCK; k--)
        count *= plan->shape[k];
    return count >= MIN_BLOCK;
}

bool svi_is_listed_across(const struct svi_plan *plan)
{
    const int64_t most = plan->shape[plan->tile] <= MAX_BOTH_ACROSS ? MAX_BOTH_ACROSS : MAX_ROW_ACROSS;

    return plan->shape[plan->ndim - 1] <= most && plan->nbytes >= MIN_COPY * plan->item && has_blocks_behind_tile(plan);
}

/* Adds step places of an axis. */
static void add(struct list *l, const struct svi_plan *plan, int32_t axis, int64_t step)
{
    const int64_t all = l->count * step;

    l->dense = l->dense && plan->dst[axis] == l->count * plan->item;
    for (int64_t i = l->count; i < all; i++) {
        l->dst[i] = l->dst[i - l->count] + plan->dst[axis];
        l->src[i] = l->src[i - l->count] + plan->src[axis];
    }
    l->axis = axis;
    l->step = step;
    l->count = all;
}

static void make(struct list *l, const struct svi_plan *plan)
{
    l->axis = plan->ndim - 1;
    l->step = l->count = 1;
    l->dense = true;
    l->dst[0] = l->src[0] = 0;
    for (int32_t k = plan->ndim - 1; k >= 0 && l->count < MIN_BLOCK; k--) {
        add(l, plan, k, svi_smaller(plan->shape[k], MAX_LIST / l->count));
        if (l->step < plan->shape[k])
            return;
    }
}

SVI_INLINE void copy_block(const struct list *l, int64_t count, char *restrict dst, const char *restrict src,
                           size_t item)
{
    if (l->dense)
        for (int64_t i = 0; i < count; i++, dst += item)
            memcpy(dst, src + l->src[i], item);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(dst + l->dst[i], src + l->src[i], item);
}

/* Blocks along the slowest axis of the list, each at count places of run. */
SVI_INLINE void copy_blocks(const struct list *l, const struct svi_plan *plan, const struct svi_odometer_axis *run,
                            int64_t places, char *dst, const char *src, size_t item)
{
    for (int64_t k = 0; k < plan->shape[l->axis]; k += l->step) {
        const int64_t count = svi_smaller(l->step, plan->shape[l->axis] - k) * (l->count / l->step);
        char *to = dst + k * plan->dst[l->axis];
        const char *from = src + k * plan->src[l->axis];

        for (int64_t i = 0; i < places; i++, to += run->dst, from += run->src)
            copy_block(l, count, to, from, item);
    }
}

SVI_INLINE void walk_list(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_odometer_axis run = {.extent = 1};
    struct svi_odometer outer;
    struct list l;
    int64_t some;

    make(&l, plan);
    svi_odometer_init(&outer, plan, l.axis, -1, dst, src);
    if (plan->tile >= 0 && plan->tile < l.axis)
        run = svi_odometer_take(&outer, plan->tile);
    some = svi_larger(SOURCE_LINES * SVI_LINE / (int64_t)(svi_abs(run.src) + 1), MIN_PLACES);
    for (; !outer.ended; svi_odometer_next(&outer))
        for (int64_t i = 0; i < run.extent; i += some)
            copy_blocks(&l, plan, &run, svi_smaller(some, run.extent - i), outer.dst + i * run.dst,
                        outer.src + i * run.src, item);
}

bool svi_offset_list(const struct svi_host_copy *c)
{
    svi_by_item(c->plan, c->dst, c->src, walk_list);
    return true;
}
