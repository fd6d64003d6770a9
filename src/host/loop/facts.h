/*
 * What loops ask of a plan and of the machine: its axes and rows, what is beyond the caches, what this processor does
 * better. A loop takes a plan that is not empty and the addresses of the first item of its walk on both sides, to which
 * the offsets of the plan are added already. They may be misaligned. Nothing outside the elements is read or written.
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
    SVI_BUFFER_BYTES = 32768, /* of a buffer that stays in L1 */
    SVI_SHORT_AXIS = 64       /* elements: parts of longer axes, in a block of two passes, are a multiple of it */
};

/* Over the first count axes of a copy. */
static inline void svi_axes_of(const struct svi_host_copy *c, int32_t count, struct svi_odometer *out)
{
    svi_odometer_init(out, c->plan, count, -1, c->dst, c->src);
}

/* The axis with the least step in the source, of those in front of count, but skip (-1: none); -1: there is none. */
static inline int32_t svi_fastest_axis(const struct svi_plan *plan, int32_t count, int32_t skip)
{
    int32_t best = -1;

    for (int32_t k = 0; k < count; k++)
        if (k != skip && plan->src[k] != 0 && (best < 0 || svi_abs(plan->src[k]) < svi_abs(plan->src[best])))
            best = k;
    return best;
}

/* Bytes of the last axis, where its elements are contiguous. */
static inline int64_t svi_row_nbytes(const struct svi_plan *plan)
{
    return plan->shape[plan->ndim - 1] * plan->item;
}

/* Whether both sides together are beyond the NT threshold, which leaves a part of the cache to other things. */
static inline bool svi_is_beyond_cache(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return plan->reach > svi_cache_share(machine, machine->tuning->nt_contiguous_64ths);
    return plan->reach > svi_nt_threshold(machine);
}

/* The same or, where the last-level cache is slow line by line, so many times as large as is beyond it then. */
static inline bool svi_is_beyond_l2(const struct svi_machine *machine, const struct svi_plan *plan, int times)
{
    return svi_is_beyond_cache(machine, plan) ||
           (machine->tuning->slow_last_cache &&
            plan->reach > (uint64_t)(times * machine->tuning->slow_cache_l2s * machine->second));
}

/* Whether both sides stay in the part of the last-level cache that serves copies, behind a large L2 (Intel): ordinary
 * stores are then faster than non-temporal ones of parts of lines. */
static inline bool svi_stays_in_last_cache(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->tuning->slow_last_cache && plan->reach <= (uint64_t)machine->cache;
}

/* Whether elements in lines of their own go one by one, with a prefetch along the row: it has many (Intel). */
static inline bool svi_moves_singly(const struct svi_machine *machine, const struct svi_plan *plan)
{
    return machine->tuning->single_loads && plan->shape[plan->ndim - 1] >= 64 && svi_is_beyond_l2(machine, plan, 1);
}

/* Whether rows of the destination are prefetched, which Intel's processors do by themselves only for loads. */
static inline bool svi_fetches_rows(const struct svi_machine *machine)
{
    return machine->tuning->prefetch_destination && machine->isa->cached_rows != NULL;
}

/* Whether rows of a source that share few sets of L1 are packed for a transpose in cache (AMD). */
static inline bool svi_packs_rows(const struct svi_machine *machine)
{
    return machine->tuning->packs_rows && machine->isa->cached_rows != NULL;
}

#endif
