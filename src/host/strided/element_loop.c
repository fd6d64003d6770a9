/* Item by item in the destination's order: two axes of loops, and an odometer over the others. */
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    FAR_AHEAD = 96,  /* items whose lines are fetched before they are moved, */
    SOON_AHEAD = 12, /* on Intel's processors, past the second cache */
    CROWD = 2048     /* bytes from line to line, or a multiple: fetching pays below the size of the cache too */
};

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_plane plane = svi_plane_of(plan, plan->ndim - 2, plan->ndim - 1);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 2, -1, dst, src);
    do
        svi_items(&plane, outer.dst, outer.src, item);
    while (svi_odometer_next(&outer));
}

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

/* To lines that share few sets of the first cache. */
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

/* 0: most lines are needed, and come by themselves. */
static int64_t step_of_lines(int64_t step)
{
    return svi_abs(step) >= 2 * SVI_LINE ? step : 0;
}

/* Where lines share few sets of the caches, the first one is left to others. */
SVI_INLINE void fetch_line(const char *line, bool crowded)
{
    if (crowded)
        __builtin_prefetch(line, 0, 2);
    else
        __builtin_prefetch(line);
}

/* Items of a row, and what is fetched for each: the lines of an item further on. */
struct stretch {
    int64_t count;
    char *dst;
    const char *src;
    const char *dst_ahead, *src_ahead;
};

SVI_INLINE void fetch_and_move(const struct stretch *s, int64_t dst_step, int64_t src_step, size_t item, bool crowded,
                               int64_t times)
{
    const bool dst_lines = step_of_lines(dst_step) != 0, src_lines = step_of_lines(src_step) != 0;

    for (int64_t k = 0; k < s->count; k++) {
        if (dst_lines)
            fetch_line(s->dst_ahead + k * dst_step, crowded);
        if (src_lines)
            fetch_line(s->src_ahead + k * src_step, crowded);
        store_again(s->dst + k * dst_step, s->src + k * src_step, item, times);
    }
}

/* Each item in a line of its own, of one side or both. */
SVI_INLINE void walk_lines(const struct svi_plan *plan, char *dst, const char *src, size_t item, bool crowded)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    const int64_t ahead = crowded ? SVI_CROWD_AHEAD : FAR_AHEAD, within = count > ahead ? count - ahead : 0;
    const int64_t times = crowded ? svi_stores_each(dst_step, count) : 1;
    struct svi_odometer row, next;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    next = row;
    svi_odometer_seek(&next, (ahead + count - 1) / count);
    do {
        char *const to = row.dst + within * dst_step;
        const char *const from = row.src + within * src_step;
        const struct stretch first = {within, row.dst, row.src, row.dst + ahead * dst_step, row.src + ahead * src_step};
        const struct stretch rest = {count - within, to, from, next.dst, next.src};

        fetch_and_move(&first, dst_step, src_step, item, crowded, times);
        fetch_and_move(&rest, dst_step, src_step, item, crowded, times);
        svi_odometer_next(&next);
    } while (svi_odometer_next(&row));
}

SVI_INLINE void walk_far(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    walk_lines(plan, dst, src, item, false);
}

/* A row of them, on Intel's processors: nothing but what it takes, so that many items are under way. */
SVI_INLINE void move_soon(int64_t count, char *dst, int64_t dst_step, const char *src, int64_t src_step, size_t item,
                          bool dst_lines, bool src_lines)
{
    for (; count > 0; count--) {
        if (dst_lines)
            __builtin_prefetch(dst + SOON_AHEAD * dst_step);
        if (src_lines)
            __builtin_prefetch(src + SOON_AHEAD * src_step);
        memcpy(dst, src, item);
        dst += dst_step;
        src += src_step;
    }
}

SVI_INLINE void walk_soon(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    struct svi_odometer row;

    svi_odometer_init(&row, plan, last, -1, dst, src);
    do
        if (step_of_lines(dst_step) == 0)
            move_soon(count, row.dst, dst_step, row.src, src_step, item, false, true);
        else if (step_of_lines(src_step) == 0)
            move_soon(count, row.dst, dst_step, row.src, src_step, item, true, false);
        else
            move_soon(count, row.dst, dst_step, row.src, src_step, item, true, true);
    while (svi_odometer_next(&row));
}

SVI_INLINE void walk_crowded(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    walk_lines(plan, dst, src, item, true);
}

bool svi_is_list(const struct svi_host_copy *c)
{
    const int32_t last = c->plan->ndim - 1;

    return svi_is_listed(c->plan) &&
           (!c->past_cache || (step_of_lines(c->plan->dst[last]) | step_of_lines(c->plan->src[last])) == 0);
}

void svi_host_generic(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const int32_t last = plan->ndim - 1;
    const int64_t steps = step_of_lines(plan->dst[last]) | step_of_lines(plan->src[last]);

    if (steps != 0 && svi_moves_singly(machine, plan))
        svi_by_item(plan, dst, src, walk_soon);
    else if (steps != 0 && svi_is_crowded(machine, plan, steps, CROWD))
        svi_by_item(plan, dst, src, walk_crowded);
    else if (steps != 0 && svi_is_past_cache(machine, plan))
        svi_by_item(plan, dst, src, walk_far);
    else if (svi_stores_again(machine, plan, last))
        svi_by_item(plan, dst, src, walk_again);
    else
        svi_by_item(plan, dst, src, walk);
}
