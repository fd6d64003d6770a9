/*
 * Facts about a plan and the machine that several loops need: axes and rows, which copies are beyond a cache, and what
 * is fast on this processor. A loop gets a plan that is not empty and the addresses of the first item that it walks
 * over on both sides, to which the plan's offsets are already added. Addresses have any alignment. A loop reads and
 * writes nothing outside the elements.
 */
#ifndef SVI_HOST_LOOP_FACTS_H
#define SVI_HOST_LOOP_FACTS_H

#include <stdbool.h>

#include "base/checked.h"
#include "host/loop/loop.h"
#include "host/machine/machine.h"
#include "host/base/odometer.h"
#include "plan/plan.h"

typedef void svi_host_kernel(const struct svi_machine *machine, const struct svi_plan *plan, char *dst,
                             const char *src);

enum {
    SVI_BUFFER_BYTES = 32768, /* bytes of a buffer that stays in L1 */
    SVI_SHORT_AXIS = 64       /* elements; blocks of two passes cut longer axes into multiples of it */
};

/* An odometer over the first count axes of a copy. */
static inline void svi_axes_of(const struct svi_host_copy *c, int32_t count, struct svi_odometer *out)
{
    svi_odometer_init(out, c->plan, count, -1, c->dst, c->src);
}

/* The axis with the smallest source stride among the first count axes, except skip (-1: no exception). -1: none moves
 * in the source. */
static inline int32_t svi_fastest_axis(const struct svi_plan *plan, int32_t count, int32_t skip)
{
    int32_t best = -1;

    for (int32_t k = 0; k < count; k++)
        if (k != skip && plan->src[k] != 0 && (best < 0 || svi_abs(plan->src[k]) < svi_abs(plan->src[best])))
            best = k;
    return best;
}

/* Bytes of a row, whose elements are contiguous along the last axis. */
static inline int64_t svi_row_nbytes(const struct svi_plan *plan)
{
    return plan->shape[plan->ndim - 1] * plan->item;
}

/* Whether both sides together exceed the part of the cache above which copies use non-temporal stores. */
static inline bool svi_is_beyond_cache(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return plan->reach > svi_cache_share(machine, machine->tuning->nt_contiguous_64ths);
    return plan->reach > svi_nt_threshold(machine);
}

/* Whether a copy is beyond the cache or, on processors with a slow last-level cache, beyond `times` the limit of L2. */
static inline bool svi_is_beyond_l2(const struct svi_machine *machine, const struct svi_plan *plan, int times)
{
    return svi_is_beyond_cache(machine, plan) ||
           (machine->tuning->slow_last_cache &&
            plan->reach > (uint64_t)(times * machine->tuning->slow_cache_l2s * machine->l2_bytes));
}

/* Whether both sides stay in the part of the last-level cache that serves copies, behind a large L2 (Intel). Ordinary
 * stores are then faster than non-temporal stores of partial lines. */
static inline bool svi_stays_in_last_cache(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->tuning->slow_last_cache && plan->reach <= (uint64_t)machine->cache;
}

/* Whether elements in lines of their own are copied one by one, with a prefetch along long rows (Intel). */
static inline bool svi_moves_singly(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->tuning->single_loads && plan->shape[plan->ndim - 1] >= 64 && svi_is_beyond_l2(machine, plan, 1);
}

/* Whether rows of the destination are prefetched. Intel's hardware prefetchers follow loads only. */
static inline bool svi_fetches_rows(const struct svi_machine *machine)
{
    return machine->tuning->prefetch_destination && machine->isa->cached_rows != NULL;
}

/* Whether transposes in cache pack rows of a source that share few sets of L1 (AMD). */
static inline bool svi_packs_rows(const struct svi_machine *machine)
{
    return machine->tuning->packs_rows && machine->isa->cached_rows != NULL;
}

#endif
