/* A transpose in two passes by way of a buffer (two_pass.c): the order of its axes in the buffer that costs least. */
#ifndef SVI_HOST_TWO_PASS_COST_H
#define SVI_HOST_TWO_PASS_COST_H

#include "checked.h"
#include "host/base/odometer.h"
#include "host/kernels.h"

enum {
    SVI_BUFFER_BYTES = 32768,      /* of a buffer that stays in L1 */
    SVI_SHORT_AXIS = 64,           /* elements: parts of longer axes are a multiple of it */
    SVI_TWO_PASS_ITEM_BYTES = 4,   /* of an element of which a cached transpose without runs is worth two passes */
    SVI_TWO_PASS_LEAST_BYTES = 8192 /* of a block that is itself worth two passes */
};

struct svi_two_pass {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    bool runs_leaves;                /* this is itself a pass, so its passes are leaves */
    int64_t room;                    /* bytes of the buffer */
    int32_t by_src[SVI_PLAN_NDIM], by_dst[SVI_PLAN_NDIM]; /* axes, the fastest of a side first */
    int32_t order[SVI_PLAN_NDIM];    /* the same in the buffer */
    int64_t block[SVI_PLAN_NDIM];    /* elements of each axis of a block that is not at an end */
    int64_t count[SVI_PLAN_NDIM];    /* and of the one that the passes are for */
    struct svi_plan pack, unpack;    /* the passes: from the source, to the destination */
    struct svi_odometer at;
    _Alignas(SVI_LINE) char buffer[];
};

/* Whether a side has no runs: the destination, */
static inline bool svi_is_spread(const struct svi_plan *plan)
{
    return plan->dst[plan->ndim - 1] != plan->item;
}

/* the source, */
static inline bool svi_is_sparse(const struct svi_plan *plan)
{
    return svi_abs(plan->src[plan->tile]) != (uint64_t)plan->item;
}

/* or either, of two long axes. */
static inline bool svi_is_stepped(const struct svi_plan *plan)
{
    return (plan->item & (plan->item - 1)) == 0 && (svi_is_spread(plan) || svi_is_sparse(plan)) &&
           plan->shape[plan->tile] > SVI_SHORT_AXIS && plan->shape[plan->ndim - 1] > SVI_SHORT_AXIS;
}

/* Whether a pass is worth two passes of its own. */
static inline bool svi_is_nested(const struct svi_plan *plan)
{
    return svi_is_stepped(plan) && svi_is_spread(plan) && plan->item <= SVI_TWO_PASS_ITEM_BYTES &&
           plan->nbytes > SVI_TWO_PASS_LEAST_BYTES;
}

/* Whether a transpose is of pixels or channels. */
bool svi_has_pixels(const struct svi_plan *plan);

/* Makes the passes for t->count elements of each axis, by t->order. */
void svi_two_pass_make(struct svi_two_pass *t);

/* The cheapest order, and its passes. False where that is no quicker than element by element. */
bool svi_two_pass_order(struct svi_two_pass *t);

#endif
