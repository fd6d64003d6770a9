/*
 * What a launch is estimated to take, from which launch_shape.c chooses among families: the sectors that it moves and
 * what its threads do besides, as the bytes of a dense copy that takes as long. The weights of kernels were measured:
 * doc/internals/cuda.md#the-estimate. Pure.
 */
#ifndef SVI_GPU_LAUNCH_COST_H
#define SVI_GPU_LAUNCH_COST_H

#include <stdint.h>

#define SVI_SECTOR INT64_C(32) /* bytes that memory is read and written by */

enum { SVI_MULTIPROCESSORS = 132 /* of a large device */ };

/* Items of an axis that end where a sector does on a side with this stride, if some do. */
static inline int64_t svi_items_of_sector(int64_t stride)
{
    const int64_t power = (int64_t)((uint64_t)stride & -(uint64_t)stride);

    return power == 0 || power > SVI_SECTOR ? 1 : SVI_SECTOR / power;
}

/* What a side's addresses are multiples of, SVI_SECTOR at most. */
static inline int64_t svi_cost_alignment(uint64_t bits)
{
    bits |= (uint64_t)SVI_SECTOR;
    return (int64_t)(bits & -bits);
}

/*
 * The bytes of the sectors that a run of so many bytes touches, which begins at a multiple of the alignment. Of what is at
 * its ends beyond the run half counts, since caches have some of it when the neighbour comes; all of it where the run is
 * shorter than a sector.
 */
static inline double svi_cost_run(int64_t nbytes, int64_t alignment)
{
    if (alignment >= SVI_SECTOR)
        return (double)((nbytes + SVI_SECTOR - 1) / SVI_SECTOR * SVI_SECTOR);
    return (double)nbytes + (double)(SVI_SECTOR - alignment) / (nbytes < SVI_SECTOR ? 1 : 2);
}

/* The bytes of the sectors of a side that a block's share touches: its extents of the axes, words of so many bytes. */
double svi_cost_sectors(int32_t naxes, const int64_t *extents, const int64_t *strides, int64_t word, int64_t alignment);

/* Of a launch. */
struct svi_cost {
    double sectors; /* bytes, half those that are read and written together */
    double threads; /* what threads do, as the bytes of a dense copy in whose time they could do as much */
    double time;    /* bytes of a dense copy that takes as long */
};

/*
 * Sectors or threads limit large copies, and some of the other is not done at the same time. With few blocks of equal
 * size nothing hides that each waits for its threads' instructions; its sectors are on their way together.
 */
static inline struct svi_cost svi_cost_make(double sectors, double threads, double blocks)
{
    const double many = sectors > threads ? sectors + threads / 4 : threads + sectors / 4;
    const double few = (.3 * sectors + 2 * threads) / blocks * SVI_MULTIPROCESSORS;

    return (struct svi_cost){sectors, threads, many > few ? many : few};
}

/* Instructions of each thread of a block, as the bytes that a dense copy has for as many. */
static inline double svi_cost_instructions(double of_thread)
{
    return of_thread * 256 / 17;
}

#endif
