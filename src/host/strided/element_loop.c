/*
 * Any plan, element by element in the order of the destination: loops over two axes and an odometer over the others.
 * If each element is in a line of its own, the lines are prefetched; if these lines share few sets of L1, elements are
 * stored several times (loop/crowding.h). If axes are short, a list has the offsets of a block of elements on both
 * sides, so that the overhead of a row is paid once for a block.
 */
#include "base/checked.h"
#include "host/base/elements.h"
#include "host/base/memory_hints.h"
#include "host/loop/facts.h"
#include "host/loop/loop.h"
#include "host/transpose/transpose.h"
#include "host/loop/crowding.h"

/* Measured: doc/internals/copy_experiments.md#how-are-elements-in-lines-of-their-own-copied. */
enum {
    PREFETCH_ELEMENTS = 96, /* prefetch distance beyond the cache */
    SINGLE_PREFETCH_ELEMENTS = 12, /* prefetch distance where elements are copied one by one (Intel) */
    CROWDED_STEP_BYTES = 2048, /* multiples of this step share few sets of the caches, so prefetches pay in cache too */
    MAX_ROW_ELEMENTS = 3, /* elements of a row that is copied by a list of offsets */
    MAX_REVERSED_ROW_ELEMENTS = 16, /* the same if the row is reversed */
    MAX_TURNED_ROW_ELEMENTS = 8, /* the same in a transpose, whose elements are far from each other */
    MAX_TURNED_BOTH_ELEMENTS = 16, /* the same if both axes of the transpose are as short */
    UNTILED_FACTOR = 4, /* a plane without tiles may be so many times as large */
    MIN_COPY_ELEMENTS = 128, /* elements of a copy for which a list pays */
    MIN_BLOCK_ELEMENTS = 32, /* elements of a block; a smaller block gets another axis */
    MAX_LIST_ELEMENTS = 64, /* elements of a list */
    SOURCE_LINES = 2, /* lines along the fastest axis of the source that are read for each block */
    MIN_PLACES = 4 /* places that are read for each block, at least */
};

/* Stores an element `times` times. */
SVI_INLINE void store_item_again(char *dst, const char *src, size_t item, int64_t times)
{
    char bytes[SVI_PLAN_ITEM];

    memcpy(bytes, src, item);
    memcpy(dst, bytes, item);
    for (; times > 1; times--) {
        __asm__ volatile("" ::: "memory");
        memcpy(dst, bytes, item);
    }
}

SVI_INLINE void walk_items(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_plane plane = svi_plane_of(plan, plan->ndim - 2, plan->ndim - 1);
    struct svi_odometer o;

    for (svi_odometer_init(&o, plan, plan->ndim - 2, -1, dst, src); !o.ended; svi_odometer_next(&o))
        svi_items(&plane, o.dst, o.src, item);
}

/* Whether a step skips most lines of a side, which hardware prefetchers do not follow. */
static bool skips_lines(int64_t step)
{
    return svi_abs(step) >= 2 * SVI_LINE;
}

/* The steps that skip lines, or-ed. */
static int64_t far_steps(const struct svi_plan *plan)
{
    const int64_t dst = plan->dst[plan->ndim - 1], src = plan->src[plan->ndim - 1];

    return (skips_lines(dst) ? dst : 0) | (skips_lines(src) ? src : 0);
}

/* Prefetches an element; to L2 if its lines share few sets of the caches, so that L1 keeps other lines. */
SVI_INLINE void prefetch_element(const char *at, bool crowded)
{
    if (crowded)
        svi_prefetch_l2(at);
    else
        svi_prefetch(at);
}

/*
 * Copies elements that are in lines of their own, on one side or both, each stored `times` times. ahead: the prefetch
 * distance in elements, 0 for none, along a row or, if rows are short, to the row at that distance.
 */
SVI_INLINE void walk_far(const struct svi_plan *plan, char *dst, const char *src, size_t item, int64_t ahead,
                         bool crowded, int64_t times)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    const bool along = count >= 2 * ahead, dst_lines = ahead != 0 && skips_lines(dst_step),
               src_lines = ahead != 0 && skips_lines(src_step);
    struct svi_odometer row, next;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    svi_odometer_init(&next, plan, last, -1, dst, src);
    if (!along)
        svi_odometer_seek(&next, svi_divide_up(ahead, count));
    for (; !row.ended; svi_odometer_next(&row)) {
        const char *const dst_ahead = along ? row.dst + ahead * dst_step : next.dst;
        const char *const src_ahead = along ? row.src + ahead * src_step : next.src;

        for (int64_t k = 0; k < count; k++) {
            if (dst_lines)
                prefetch_element(dst_ahead + k * dst_step, crowded);
            if (src_lines)
                prefetch_element(src_ahead + k * src_step, crowded);
            store_item_again(row.dst + k * dst_step, row.src + k * src_step, item, times);
        }
        if (!along)
            svi_odometer_next(&next);
    }
}

/* Copies to lines that share few sets of L1. */
SVI_INLINE void walk_again(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    walk_far(plan, dst, src, item, 0, false, svi_stores_each(plan->dst[plan->ndim - 1], plan->shape[plan->ndim - 1]));
}

SVI_INLINE void walk_lines(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    if (far_steps(plan) % CROWDED_STEP_BYTES == 0)
        walk_far(plan, dst, src, item, SVI_CROWD_AHEAD, true,
                 svi_stores_each(plan->dst[plan->ndim - 1], plan->shape[plan->ndim - 1]));
    else
        walk_far(plan, dst, src, item, PREFETCH_ELEMENTS, false, 1);
}

/* Copies elements one by one, with a prefetch along the row (Intel). */
SVI_INLINE void walk_single(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    walk_far(plan, dst, src, item, SINGLE_PREFETCH_ELEMENTS, false, 1);
}

static bool copy_elements(const struct svi_host_copy *c)
{
    const int64_t far = far_steps(c->plan);

    if (far != 0 && svi_moves_singly(c->machine, c->plan))
        svi_by_item(c->plan, c->dst, c->src, walk_single);
    else if (far != 0 && (c->beyond_cache || svi_is_crowded(c->machine, c->plan, far, CROWDED_STEP_BYTES)))
        svi_by_item(c->plan, c->dst, c->src, walk_lines);
    else if (svi_stores_again(c->machine, c->plan, c->plan->ndim - 1))
        svi_by_item(c->plan, c->dst, c->src, walk_again);
    else
        svi_by_item(c->plan, c->dst, c->src, walk_items);
    return true;
}

const struct svi_loop svi_loop_elements = {
    .name = "elements",
    .run = copy_elements,
    .what = "element by element in the destination's order",
};

/* --- offset_list --------------------------------------------------------------------- */

struct list {
    int32_t axis; /* the slowest axis of a block */
    int64_t step; /* indices of that axis in a block */
    int64_t count; /* elements of a block: of these indices and all axes after it */
    bool dense; /* elements of a block are contiguous in the destination */
    int64_t dst[MAX_LIST_ELEMENTS], src[MAX_LIST_ELEMENTS];
};

/* Whether rows are so short and so many that a list pays. */
static bool has_many_short_rows(const struct svi_plan *plan)
{
    const int64_t most = plan->kind == SVI_CLASS_REVERSED ? MAX_REVERSED_ROW_ELEMENTS : MAX_ROW_ELEMENTS;

    return plan->ndim > 1 && plan->shape[plan->ndim - 1] <= most && plan->nbytes >= MIN_COPY_ELEMENTS * plan->item;
}

/* Whether the axes after the fastest one of the source make a block of the list. */
static bool has_blocks_behind_tile(const struct svi_plan *plan)
{
    int64_t count = 1;

    for (int32_t k = plan->ndim - 1; k > plan->src_axis && count < MIN_BLOCK_ELEMENTS; k--)
        count *= plan->shape[k];
    return count >= MIN_BLOCK_ELEMENTS;
}

/* Whether a list pays for a transpose. */
static bool is_listed_across(const struct svi_plan *plan)
{
    const int64_t most =
        plan->shape[plan->src_axis] <= MAX_TURNED_BOTH_ELEMENTS ? MAX_TURNED_BOTH_ELEMENTS : MAX_TURNED_ROW_ELEMENTS;

    return plan->shape[plan->ndim - 1] <= most && plan->nbytes >= MIN_COPY_ELEMENTS * plan->item &&
           has_blocks_behind_tile(plan);
}

/* Lists are for copies that need no prefetch. */
static bool refuses_list(const struct svi_host_copy *c)
{
    if (c->plan->kind == SVI_CLASS_TRANSPOSE && is_listed_across(c->plan))
        return false;
    if (!has_many_short_rows(c->plan))
        return svi_refuse(c, "its rows are not short, or not many");
    return c->beyond_cache && (c->plan->kind == SVI_CLASS_TRANSPOSE || far_steps(c->plan) != 0) &&
           svi_refuse(c, "elements are in lines of their own, beyond the cache");
}

/* A list is faster for small planes, where reaching a plane takes longer than its elements; without tiles for larger
 * planes too. */
static bool refuses_planes(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const int64_t row = plan->shape[plan->ndim - 1], items = row * plan->shape[plan->src_axis];
    const bool tiled = svi_tile_of(c) != NULL;
    const int64_t times = tiled ? 1 : UNTILED_FACTOR;

    if (svi_refuse_more(c, "items of a plane", items, times * c->machine->tuning->listed_plane_items))
        return true;
    return ((!tiled && row > MAX_TURNED_BOTH_ELEMENTS) || plan->nbytes < MIN_COPY_ELEMENTS * plan->item) &&
           svi_refuse(c, "its rows are not short, or not many");
}

/* Adds the offsets of step indices of an axis to the list. */
static void add_places(struct list *l, const struct svi_plan *plan, int32_t axis, int64_t step)
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

static void make_list(struct list *l, const struct svi_plan *plan)
{
    l->axis = plan->ndim - 1;
    l->step = l->count = 1;
    l->dense = true;
    l->dst[0] = l->src[0] = 0;
    for (int32_t k = plan->ndim - 1; k >= 0 && l->count < MIN_BLOCK_ELEMENTS; k--) {
        add_places(l, plan, k, svi_smaller(plan->shape[k], MAX_LIST_ELEMENTS / l->count));
        if (l->step < plan->shape[k])
            return;
    }
}

SVI_INLINE void copy_listed_block(const struct list *l, int64_t count, char *restrict dst, const char *restrict src,
                                  size_t item)
{
    if (l->dense)
        for (int64_t i = 0; i < count; i++, dst += item)
            memcpy(dst, src + l->src[i], item);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(dst + l->dst[i], src + l->src[i], item);
}

/* Copies the blocks along the slowest axis of the list, each at count indices of run. */
SVI_INLINE void copy_blocks(const struct list *l, const struct svi_plan *plan, const struct svi_odometer_axis *run,
                            int64_t places, char *dst, const char *src, size_t item)
{
    for (int64_t k = 0; k < plan->shape[l->axis]; k += l->step) {
        const int64_t count = svi_smaller(l->step, plan->shape[l->axis] - k) * (l->count / l->step);
        char *to = dst + k * plan->dst[l->axis];
        const char *from = src + k * plan->src[l->axis];

        for (int64_t i = 0; i < places; i++, to += run->dst, from += run->src)
            copy_listed_block(l, count, to, from, item);
    }
}

SVI_INLINE void walk_list(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_odometer_axis run = {.extent = 1};
    struct svi_odometer outer;
    struct list l;
    int64_t some;

    make_list(&l, plan);
    svi_odometer_init(&outer, plan, l.axis, -1, dst, src);
    if (plan->src_axis >= 0 && plan->src_axis < l.axis)
        run = svi_odometer_take(&outer, plan->src_axis);
    some = svi_larger(SOURCE_LINES * SVI_LINE / (int64_t)(svi_abs(run.src) + 1), MIN_PLACES);
    for (; !outer.ended; svi_odometer_next(&outer))
        for (int64_t i = 0; i < run.extent; i += some)
            copy_blocks(&l, plan, &run, svi_smaller(some, run.extent - i), outer.dst + i * run.dst,
                        outer.src + i * run.src, item);
}

static bool offset_list(const struct svi_host_copy *c)
{
    svi_by_item(c->plan, c->dst, c->src, walk_list);
    return true;
}

const struct svi_loop svi_loop_offset_list = {
    .name = "offset_list",
    .refuses = refuses_list,
    .run = offset_list,
    .what = "short rows or axes: offsets of a block stand in a list",
};

const struct svi_loop svi_loop_plane_list = {
    .name = "plane_list",
    .refuses = refuses_planes,
    .run = offset_list,
    .what = "planes of a few items: offsets of a block stand in a list (AMD Zen 3 and 4)",
};
