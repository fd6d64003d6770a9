/* The order of axes in the buffer of a copy in two steps: a block, and the steps by way of it. */
#ifndef SVI_HOST_TWO_PASS_ORDER_H
#define SVI_HOST_TWO_PASS_ORDER_H

#include "checked.h"
#include "host/kernels.h"

enum {
    SVI_RELAY_ROOM = 32768, /* bytes of a buffer in the first cache; */
    SVI_RELAY_EVEN = 64,    /* items: fewer are a short axis, and parts of longer ones are a multiple of it; */
    SVI_RELAY_SMALL = 4,    /* bytes of an item of which, in cache, a transpose without runs is worth two steps, */
    SVI_RELAY_NESTED = 8192 /* and bytes of a block that is worth them by itself */
};

struct svi_relay {
    const struct svi_machine *machine;
    svi_host_kernel *run;          /* of each step: svi_host_run_block or, */
    bool runs_leaves;              /* if this is a block, svi_host_run_leaf */
    const struct svi_plan *plan;
    int64_t room;                  /* bytes of the buffer */
    int64_t count[SVI_PLAN_NDIM];  /* of each axis, of the block that the steps are for */
    int32_t order[SVI_PLAN_NDIM];  /* axes in the buffer, the fastest first */
    struct svi_plan first, second; /* steps */
    int64_t block[SVI_PLAN_NDIM];  /* of each axis, of most blocks */
    int64_t at[SVI_PLAN_NDIM];     /* where a block begins */
    int32_t by_src[SVI_PLAN_NDIM], by_dst[SVI_PLAN_NDIM], best[SVI_PLAN_NDIM]; /* axes, as order */
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
           plan->shape[plan->tile] > SVI_RELAY_EVEN && plan->shape[plan->ndim - 1] > SVI_RELAY_EVEN;
}

/* Whether a block is worth two steps of its own. */
static inline bool svi_is_nested(const struct svi_plan *plan)
{
    return svi_is_stepped(plan) && svi_is_spread(plan) && plan->item <= SVI_RELAY_SMALL &&
           plan->nbytes > SVI_RELAY_NESTED;
}

/* The steps for r->count items of each axis, by r->order. */
void svi_relay_make(struct svi_relay *r);

/* The order with which both steps are quick, and the steps. False where it is no quicker than items one by one. */
bool svi_relay_order(struct svi_relay *r);

/* Whether a transpose is pixels. */
bool svi_has_pixels(const struct svi_plan *step);

#endif
