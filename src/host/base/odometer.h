/* Steps two addresses over axes of a plan, the last of them fastest. */
#ifndef SVI_HOST_ODOMETER_H
#define SVI_HOST_ODOMETER_H

#include <stdbool.h>

#include "plan.h"

struct svi_odometer_axis {
    int64_t index, extent;
    int64_t dst, src; /* one step */
};

struct svi_odometer {
    char *dst;
    const char *src;
    int32_t ndim;
    struct svi_odometer_axis axis[SVI_PLAN_NDIM];
};

/* Over the axes in front of count, but skip (-1: none). */
static inline void svi_odometer_init(struct svi_odometer *o, const struct svi_plan *plan, int32_t count, int32_t skip,
                                     char *dst, const char *src)
{
    o->dst = dst;
    o->src = src;
    o->ndim = 0;
    for (int32_t k = 0; k < count; k++) {
        if (k == skip)
            continue;
        o->axis[o->ndim].index = 0;
        o->axis[o->ndim].extent = plan->shape[k];
        o->axis[o->ndim].dst = plan->dst[k];
        o->axis[o->ndim].src = plan->src[k];
        o->ndim++;
    }
}

/* Axes in the order of the source, the slowest first, each from its lower end: it is read as it lies in memory. */
void svi_odometer_by_source(struct svi_odometer *o);

/* Where it is after so many steps from the beginning. */
void svi_odometer_seek(struct svi_odometer *o, int64_t steps);

/* Takes an axis out. */
struct svi_odometer_axis svi_odometer_take(struct svi_odometer *o, int32_t k);

/* False after the last. */
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
    return false;
}

#endif
