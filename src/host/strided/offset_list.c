/*
 * Short axes: where the items of a block of them are, on both sides, stands in a
 * list. What a row costs by itself, a loop and an odometer, is paid once for many.
 */
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    SHORT = 3,           /* items of a row: longer ones have no use for a list, */
    SHORT_REVERSED = 16, /* but those that run backwards, */
    SHORT_ACROSS = 8,    /* and those of a transpose whose items go to places far apart, */
    SHORT_BOTH = 16,     /* of both axes */
    LEAST = 128,         /* items of a copy that is worth one */
    ENOUGH = 32,         /* items of a block, from which on it takes in no other axis */
    MOST = 64,           /* and of a list */
    LINES = 2,           /* of the source along its fastest axis that are read meanwhile, */
    LEAST_PLACES = 4     /* but so many places at least */
};

struct list {
    int32_t axis; /* the slowest of a block; */
    int64_t step; /* so much of it and all of those behind it make count items */
    int64_t count;
    bool dense; /* items of a block follow each other in the destination */
    int64_t dst[MOST], src[MOST];
};

bool svi_is_listed(const struct svi_plan *plan)
{
    const int64_t most = plan->kind == SVI_CLASS_REVERSED ? SHORT_REVERSED : SHORT;

    return plan->ndim > 1 && plan->shape[plan->ndim - 1] <= most && plan->nbytes >= LEAST * plan->item;
}

/* Whether a block of the list is made of axes behind the fastest of the source. */
static bool goes_far(const struct svi_plan *plan)
{
    int64_t count = 1;

    for (int32_t k = plan->ndim - 1; k > plan->tile && count < ENOUGH; k--)
        count *= plan->shape[k];
    return count >= ENOUGH;
}

bool svi_is_listed_across(const struct svi_plan *plan)
{
    const int64_t most = plan->shape[plan->tile] <= SHORT_BOTH ? SHORT_BOTH : SHORT_ACROSS;

    return plan->shape[plan->ndim - 1] <= most && plan->nbytes >= LEAST * plan->item && goes_far(plan);
}

/* So much of the next axis comes in. */
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
    int32_t k = plan->ndim - 1;

    l->axis = k;
    l->step = l->count = 1;
    l->dense = true;
    l->dst[0] = l->src[0] = 0;
    for (int64_t step; k >= 0 && l->count < ENOUGH; k--) {
        step = svi_smaller(plan->shape[k], MOST / l->count);
        add(l, plan, k, step);
        if (step < plan->shape[k])
            return;
    }
}

SVI_INLINE void move(const struct list *l, int64_t count, char *restrict dst, const char *restrict src, size_t item)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(dst + l->dst[i], src + l->src[i], item);
}

/* To where they follow each other. */
SVI_INLINE void gather(const struct list *l, int64_t count, char *restrict dst, const char *restrict src, size_t item)
{
    for (int64_t i = 0; i < count; i++, dst += item)
        memcpy(dst, src + l->src[i], item);
}

/* Blocks along the slowest axis of the list, each at count places that are a step apart. */
SVI_INLINE void blocks(const struct list *l, const struct svi_plan *plan, int64_t places, int64_t dst_step,
                       int64_t src_step, char *dst, const char *src, size_t item)
{
    for (int64_t k = 0; k < plan->shape[l->axis]; k += l->step) {
        const int64_t count = svi_smaller(l->step, plan->shape[l->axis] - k) * (l->count / l->step);
        char *to = dst + k * plan->dst[l->axis];
        const char *from = src + k * plan->src[l->axis];

        for (int64_t i = 0; i < places; i++, to += dst_step, from += src_step)
            if (l->dense)
                gather(l, count, to, from, item);
            else
                move(l, count, to, from, item);
    }
}

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const int32_t tile = plan->tile;
    struct svi_odometer_axis run = {.extent = 1};
    struct svi_odometer outer;
    struct list l;
    int64_t some;

    make(&l, plan);
    svi_odometer_init(&outer, plan, l.axis, -1, dst, src);
    if (tile >= 0 && tile < l.axis)
        run = svi_odometer_take(&outer, tile);
    some = svi_larger(LINES * SVI_LINE / (int64_t)(svi_abs(run.src) + 1), LEAST_PLACES);
    do
        for (int64_t i = 0; i < run.extent; i += some)
            blocks(&l, plan, svi_smaller(some, run.extent - i), run.dst, run.src, outer.dst + i * run.dst,
                   outer.src + i * run.src, item);
    while (svi_odometer_next(&outer));
}

void svi_host_list(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    (void)machine;
    svi_by_item(plan, dst, src, walk);
}
