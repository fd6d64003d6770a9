/* An odometer: steps the addresses of both sides over axes, of which the last is the fastest. */
#ifndef SVI_HOST_ODOMETER_H
#define SVI_HOST_ODOMETER_H

#include <stdbool.h>

#include "host/base/isa.h"
#include "plan/plan.h"

struct svi_odometer_axis {
    int64_t index, extent;
    int64_t dst, src; /* bytes of a step */
};

struct svi_odometer {
    char *dst;
    const char *src;
    int32_t ndim;
    bool ended; /* it was at the last index */
    struct svi_odometer_axis axis[SVI_PLAN_NDIM];
};

/* Begins without an axis. */
static inline void svi_odometer_begin(struct svi_odometer *o, char *dst, const char *src)
{
    o->dst = dst;
    o->src = src;
    o->ndim = 0;
    o->ended = false;
}

/* Adds an axis that is faster than those that are there, and returns which one it is. */
static inline int32_t svi_odometer_add(struct svi_odometer *o, int64_t extent, int64_t dst, int64_t src)
{
    struct svi_odometer_axis *axis = &o->axis[o->ndim];

    axis->index = 0;
    axis->extent = extent;
    axis->dst = dst;
    axis->src = src;
    return o->ndim++;
}

/* Begins at the first index of the first count axes of a plan, except skip (-1: no exception). */
static inline void svi_odometer_init(struct svi_odometer *o, const struct svi_plan *plan, int32_t count, int32_t skip,
                                     char *dst, const char *src)
{
    svi_odometer_begin(o, dst, src);
    for (int32_t k = 0; k < count; k++)
        if (k != skip)
            svi_odometer_add(o, plan->shape[k], plan->dst[k], plan->src[k]);
}

/* Reverses an axis: its first index becomes the last. */
static inline void svi_odometer_flip(struct svi_odometer *o, struct svi_odometer_axis *axis)
{
    o->dst += axis->dst * (axis->extent - 1);
    o->src += axis->src * (axis->extent - 1);
    axis->dst = -axis->dst, axis->src = -axis->src;
}

/* Puts the axes in the order of the source, the slowest first, each from its lower end, so that the source is read in
 * the order of its addresses. */
static inline void svi_odometer_by_source(struct svi_odometer *o)
{
    for (int32_t k = 0; k < o->ndim; k++) {
        struct svi_odometer_axis axis = o->axis[k];
        int32_t i = k;

        if (axis.src < 0)
            svi_odometer_flip(o, &axis);
        for (; i > 0 && o->axis[i - 1].src < axis.src; i--)
            o->axis[i] = o->axis[i - 1];
        o->axis[i] = axis;
    }
}

/* Moves from the beginning by a number of steps. */
static inline void svi_odometer_seek(struct svi_odometer *o, int64_t steps)
{
    for (int32_t k = o->ndim - 1; k >= 0; k--) {
        struct svi_odometer_axis *axis = &o->axis[k];

        axis->index = steps % axis->extent;
        steps /= axis->extent;
        o->dst += axis->index * axis->dst;
        o->src += axis->index * axis->src;
    }
}

/* Removes an axis and returns it. An axis that there is not has one index. */
static inline struct svi_odometer_axis svi_odometer_take(struct svi_odometer *o, int32_t k)
{
    struct svi_odometer_axis axis = {.extent = 1};

    if (k < 0 || k >= o->ndim)
        return axis;
    axis = o->axis[k];
    for (o->ndim--; k < o->ndim; k++)
        o->axis[k] = o->axis[k + 1];
    return axis;
}

/* Moves to the next index. False after the last: it is at the first again. */
static inline bool svi_odometer_next(struct svi_odometer *o)
{
    for (int32_t k = o->ndim - 1; k >= 0; k--) {
        if (++o->axis[k].index < o->axis[k].extent) {
            o->dst += o->axis[k].dst;
            o->src += o->axis[k].src;
            return true;
        }
        o->axis[k].index = 0;
        o->dst -= o->axis[k].dst * (o->axis[k].extent - 1);
        o->src -= o->axis[k].src * (o->axis[k].extent - 1);
    }
    o->ended = true;
    return false;
}

/* The rows of a plan at an index of all axes before the last two. A plan of one axis has one row. */
static inline struct svi_rows svi_rows_of(const struct svi_plan *plan, const struct svi_odometer *outer)
{
    const int32_t row = plan->ndim - 2;
    const int64_t nbytes = plan->shape[row + 1] * plan->item;

    if (row < 0)
        return (struct svi_rows){outer->dst, 0, outer->src, 0, 1, nbytes};
    return (struct svi_rows){outer->dst, plan->dst[row], outer->src, plan->src[row], plan->shape[row], nbytes};
}

#endif
