/*
 * Which loop does a plan, where one does it.
 *
 * A leaf reads the source and writes the destination, and runs no other plan.
 * Compound copies make smaller plans and run those: broadcast.c, relay.c,
 * cast.c, cast_turn.c, affine_blocks.c and within.c. leaf.c refers to none of
 * them, and they do not refer to host.c, so no copy can come back to where it
 * began: host.c runs compound copies, these run blocks (relay.h) or leaves, and a
 * block takes two steps at most, which are leaves. tests/abi/layers.py checks it
 * by the symbols.
 */
#ifndef SVI_HOST_LEAF_H
#define SVI_HOST_LEAF_H

#include "kernels.h"

struct svi_kernel {
    const char *name;
    svi_host_attempt *first; /* NULL, or what is faster for some of its plans */
    svi_host_kernel *run;    /* for the others */
    uint32_t flags;
};

/* The kernel of a plan that does not convert. */
const struct svi_kernel *svi_kernel_of(const struct svi_plan *plan);

/* The tiles that a transpose in cache is made of, and nothing else; NULL: it is not that. */
static inline const struct svi_tile *svi_tiles_of(const struct svi_machine *machine, const struct svi_plan *plan)
{
    if (plan->kind != SVI_CLASS_TRANSPOSE || svi_is_past_cache(machine, plan))
        return NULL;
    return svi_whole_tile(machine->isa, plan);
}

/*
 * The plan's offsets are not added yet. two_steps: NULL, or tried for transposes that have no fast leaf, after those
 * that are fast.
 */
void svi_run_kernel(const struct svi_kernel *kernel, const struct svi_machine *machine, const struct svi_plan *plan,
                    char *dst, const char *src, svi_host_attempt *two_steps);
void svi_run_plan(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                  svi_host_attempt *two_steps);

/* Any plan that does not convert, by one loop. */
svi_host_kernel svi_host_run_leaf;

#endif
