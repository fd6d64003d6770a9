/*
 * The host's copy kernels. Each takes a plan, not empty, and the addresses of
 * the first item of its walk on both sides; the plan's offsets are added
 * already. Addresses may be misaligned. Nothing outside the elements is read or
 * written. Where memory is asked for it can be done without.
 */
#ifndef SVI_HOST_KERNELS_H
#define SVI_HOST_KERNELS_H

#include <stdbool.h>

#include "plan/affine.h"
#include "dtype/chain.h"
#include "base/checked.h"
#include "host/loop/loop.h"
#include "host/machine/machine.h"
#include "host/base/odometer.h"
#include "plan/plan.h"

typedef void svi_host_kernel(const struct svi_machine *machine, const struct svi_plan *plan, char *dst,
                             const char *src);

/* The widest tile of an instruction set, or of a narrower one, that fits the two axes; NULL: none does. */
const struct svi_tile *svi_tile_that_fits(const struct svi_machine *machine, const struct svi_plan *plan);

static inline const struct svi_tile *svi_tile_of(const struct svi_host_copy *c)
{
    return svi_tile_that_fits(c->machine, c->plan);
}

/* Whether a transpose is made of tiles; else, but for records, its items move one by one. */
bool svi_has_tiles(const struct svi_machine *machine, const struct svi_plan *plan);

/* Whether it can go by non-temporal stores, and whether ordinary ones are faster. */
svi_host_question svi_can_stream_matrix, svi_refuses_to_stream_matrix;

/* Whether it has no tiles, or such that are slow: short rows beyond the cache, and tiny planes in it. */
bool svi_lacks_tiles(const struct svi_machine *machine, const struct svi_plan *plan);

enum {
    SVI_BUFFER_BYTES = 32768, /* of a buffer that stays in L1 */
    SVI_SHORT_AXIS = 64       /* elements: parts of longer axes, in a block of two passes, are a multiple of it */
};

/* Whether the destination has no runs, or the source; or either, of two long axes. */
bool svi_is_spread(const struct svi_plan *plan);
bool svi_is_sparse(const struct svi_plan *plan);
bool svi_is_stepped(const struct svi_plan *plan);

/* Whether a transpose is of pixels or channels; is quicker in two passes; or, as one of them, in two of its own. */
bool svi_has_pixels(const struct svi_plan *plan);

bool svi_is_worth_two_passes(const struct svi_machine *machine, const struct svi_plan *plan);
bool svi_is_nested(const struct svi_plan *plan);

/* The function that executes a plan of the class CONTIGUOUS in cache. */
svi_run *svi_dense_run(const struct svi_isa *isa, const struct svi_plan *plan);

/* The tile that both axes of a small transpose are made of, without anything left over; NULL: none. */
const struct svi_tile *svi_whole_tile(const struct svi_machine *machine, const struct svi_plan *plan);
void svi_host_whole_tiles(const struct svi_tile *tile, const struct svi_plan *plan, char *dst, const char *src);

/* Whether pixels of 2 to 4 units are taken apart, put together or rearranged. */
bool svi_is_pixels(const struct svi_plan *plan);

/* Whether one axis of a transpose is short, its items being dense on one side, and the other is a run on the other. */
bool svi_is_channels(const struct svi_plan *plan);

/* Whether elements of a power of two of bytes, at any step of the source, are contiguous in the destination. */
bool svi_is_column(const struct svi_plan *plan);

/* Whether contiguous elements of 4, 8 or 16 bytes go to every second, third or fourth place. */
bool svi_is_scatter(const struct svi_plan *plan);

/* Whether items or short rows, not of a tile's size, have one order in the source and another in the destination. */
bool svi_is_odd(const struct svi_plan *plan);

/* Whether the rows of ROWS, the last axis, are whole lines of the destination. */
bool svi_has_lines(const struct svi_plan *plan, const char *dst);

/* Whether they are a multiple of 16 bytes, aligned to 16, and contiguous there. */
bool svi_is_dense(const struct svi_plan *plan, const char *dst);

/* Whether they are contiguous there, wherever they begin, and lines that two of them share are stored non-temporally. */
bool svi_is_joined(const struct svi_machine *machine, const struct svi_plan *plan);

/* Any plan: compound.c. Compound copies run their parts by svi_host_run_block or svi_host_run_leaf instead. */
void svi_host_run(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src);

/* count items through a chain of one step or more: dense, of any alignment, and apart from each other. */
void svi_host_convert(const struct svi_isa *isa, const struct svi_chain *chain, char *dst, const char *src,
                      int64_t count);

/* Scaled: both sides may be the same items. False: out of memory, nothing is done. */
bool svi_host_affine(const struct svi_machine *machine, const struct svi_affine *affine, char *dst, const char *src);

/* Both sides share bytes: way is one of in_place.h's, but SVI_WAY_NONE. The plan's offsets are not added yet. */
void svi_host_in_place(const struct svi_machine *machine, const struct svi_plan *plan, int32_t way, char *dst,
                       const char *src);

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
