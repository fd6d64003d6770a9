/*
 * Crowding: lines at a large power-of-two step share few sets of a cache and evict each other before they are written
 * whole. These functions detect it and say how often a loop repeats a store to counter it
 * (doc/internals/copy_experiments.md#what-helps-where-lines-share-few-sets-of-l1).
 */
#ifndef SVI_HOST_LOOP_CROWDING_H
#define SVI_HOST_LOOP_CROWDING_H

#include "host/machine/machine.h"
#include "host/loop/facts.h"
#include "plan/plan.h"

enum { SVI_CROWD_AHEAD = 64 }; /* prefetch distance, in elements, over crowded lines */

enum {
    SVI_WAY = 4096,            /* bytes of a way of L1: lines at multiples of it share a set */
    SVI_WAYS = 12,             /* ways of L1: lines that a set holds */
    SVI_WAITING = 16,          /* small stores that wait at a time, per way, about; of whole lines half as many */
    SVI_FAR_STEP = SVI_WAY / 2 /* bytes; at multiples of this step repeated stores pay beyond L2, too */
};

/*
 * How many stores each of count elements or rows should take, which are step bytes apart in the destination. If they
 * share few sets of L1, more lines wait to be written than these sets hold, and they evict each other. Repeated stores
 * to each line fill the store buffer, so that fewer lines wait at a time.
 */
static inline int64_t svi_stores_each(int64_t step, int64_t count)
{
    const uint64_t bits = (uint64_t)step | SVI_WAY;
    const int64_t sets = SVI_WAY / (int64_t)(bits & -bits);

    return sets >= SVI_WAITING || count <= SVI_WAYS * sets ? 1 : SVI_WAITING / sets;
}

/* Whether repeated stores pay along an axis. Lines from further away gain more from many loads in flight. */
static inline bool svi_stores_again(const struct svi_machine *machine, const struct svi_plan *plan, int32_t axis)
{
    const int64_t near = machine->tuning->repeat_store_l2s * machine->l2_bytes;

    return svi_stores_each(plan->dst[axis], plan->shape[axis]) > 1 &&
           (plan->dst[axis] % SVI_FAR_STEP == 0 || plan->reach <= (uint64_t)near);
}

/* Whether lines at a step that is a multiple of power bytes exceed the sets that they share, which are power / SVI_LINE
 * times fewer than all. */
static inline bool svi_is_crowded(const struct svi_machine *machine, const struct svi_plan *plan, int64_t step,
                                  int64_t power)
{
    return step % power == 0 && plan->reach > svi_nt_threshold(machine) / (uint64_t)(power / SVI_LINE);
}

#endif
