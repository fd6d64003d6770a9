/*
 * Short axes: the offsets of a block of elements, on both sides, stand in a list. What a row costs by itself, a loop
 * and a step of the odometer, is paid once for a block.
 */
#include "checked.h"
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    MAX_ROW = 3,           /* elements; longer rows have no use for a list, */
    MAX_REVERSED_ROW = 16, /* but those that run backwards, */
    MAX_ROW_ACROSS = 8,    /* and those of a transpose, whose elements go to distant places, */
    MAX_BOTH_ACROSS = 16,  /* of both axes */
    MIN_COPY = 128,        /* elements of a copy that is worth a list */
    MIN_BLOCK = 32,        /* elements of a block, from which on it takes in no other axis */
    MAX_LIST = 64,         /* elements */
    SOURCE_LINES = 2,      /* of the source along its fastest axis that are read for each block, */
    MIN_PLACES = 4         /* but so many places at least */
};

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

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
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
    do
        for (int64_t i = 0; i < run.extent; i += some)
            copy_blocks(&l, plan, &run, svi_smaller(some, run.extent - i), outer.dst + i * run.dst,
                        outer.src + i * run.src, item);
    while (svi_odometer_next(&outer));
}

bool svi_offset_list(const struct svi_host_copy *c)
{
    svi_by_item(c->plan, c->dst, c->src, walk);
    return true;
}
