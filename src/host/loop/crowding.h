/* Lines that share few sets of the caches: how that is told, and how often they are stored. */
#ifndef SVI_HOST_LOOP_CROWDING_H
#define SVI_HOST_LOOP_CROWDING_H

#include "host/machine/machine.h"
#include "host/loop/facts.h"
#include "plan/plan.h"

enum { SVI_CROWD_AHEAD = 64 }; /* prefetch distance, in elements, where their lines share few sets of the caches */

enum {
    SVI_WAY = 4096,   /* bytes after which lines share a set of L1 again, */
    SVI_WAYS = 12,    /* which has room for so many of them */
    SVI_WAITING = 16, /* times as many small stores wait at a time, about; of whole lines half as many */
    SVI_FAR_STEP = SVI_WAY / 2 /* bytes, or a multiple: repeated stores pay beyond L2, too */
};

/*
 * How many stores each of count elements or rows should take, step bytes apart in the destination. Where they share
 * few sets of L1, more lines wait to be written than these have room for, and evict each other. Repeated stores to
 * each line fill the store buffer, so that fewer lines wait at a time.
 */
static inline int64_t svi_stores_each(int64_t step, int64_t count)
{
    const uint64_t bits = (uint64_t)step | SVI_WAY;
    const int64_t sets = SVI_WAY / (int64_t)(bits & -bits);

    return sets >= SVI_WAITING || count <= SVI_WAYS * sets ? 1 : SVI_WAITING / sets;
}

/* Whether that pays: lines that come from further away gain more from many loads under way. */
static inline bool svi_stores_again(const struct svi_machine *machine, const struct svi_plan *plan, int32_t axis)
{
    const int64_t near = machine->tuning->repeat_store_l2s * machine->second;

    return svi_stores_each(plan->dst[axis], plan->shape[axis]) > 1 &&
           (plan->dst[axis] % SVI_FAR_STEP == 0 || plan->reach <= (uint64_t)near);
}

/* Whether lines a multiple of power bytes apart, which share so many times fewer sets of the caches, exceed these. */
static inline bool svi_is_crowded(const struct svi_machine *machine, const struct svi_plan *plan, int64_t step,
                                  int64_t power)
{
    return step % power == 0 && plan->reach > svi_nt_threshold(machine) / (uint64_t)(power / SVI_LINE);
}

#endif
