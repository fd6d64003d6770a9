/*
 * Short axes: where the items of a block of them are, on both sides, stands in a
 * list. What a row costs by itself, a loop and an odometer, is paid once for many.
 */
#include "checked.h"
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum {
    SHORT = 3,             /* items of a row: longer ones have no use for a list, */
    SHORT_REVERSED = 16,   /* but those that run backwards */
    LEAST = 128,           /* items of a copy that is worth one */
    ENOUGH = 32,           /* items of a block, from which on it takes in no other axis */
    MOST = 64,             /* and of a list, */
    FAR = INT32_MAX / MOST /* bytes: further away than that the items of a block are not */
};

struct list {
    int32_t axis; /* the slowest of a block; */
    int64_t step; /* so much of it and all of those behind it make count items */
    int64_t count;
    bool dense; /* items of a block follow each other in the destination */
    int32_t dst[MOST], src[MOST];
};

bool svi_is_listed(const struct svi_plan *plan)
{
    const int64_t most = plan->kind == SVI_CLASS_REVERSED ? SHORT_REVERSED : SHORT;

    return plan->ndim > 1 && plan->shape[plan->ndim - 1] <= most && plan->nbytes >= LEAST * plan->item;
}

static bool is_far(int64_t stride, int64_t count)
{
    return svi_abs(stride) > (uint64_t)(FAR / count);
}

/* So much of the next axis comes in. */
static void add(struct list *l, const struct svi_plan *plan, int32_t axis, int64_t step)
{
    const int64_t all = l->count * step;

    l->dense = l->dense && plan->dst[axis] == l->count * plan->item;
    for (int64_t i = l->count; i < all; i++) {
        l->dst[i] = l->dst[i - l->count] + (int32_t)plan->dst[axis];
        l->src[i] = l->src[i - l->count] + (int32_t)plan->src[axis];
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
        if (is_far(plan->dst[k], step) || is_far(plan->src[k], step))
            return;
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

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_odometer outer;
    struct list l;

    make(&l, plan);
    svi_odometer_init(&outer, plan, l.axis, -1, dst, src);
    do
        for (int64_t i = 0; i < plan->shape[l.axis]; i += l.step) {
            const int64_t count = svi_smaller(l.step, plan->shape[l.axis] - i) * (l.count / l.step);
            char *const to = outer.dst + i * plan->dst[l.axis];
            const char *const from = outer.src + i * plan->src[l.axis];

            if (l.dense)
                gather(&l, count, to, from, item);
            else
                move(&l, count, to, from, item);
        }
    while (svi_odometer_next(&outer));
}

void svi_host_list(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    (void)machine;
    svi_by_item(plan, dst, src, walk);
}
