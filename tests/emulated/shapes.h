/* Fixed copies for tests that count: dense or padded sides in any order of axes. */
#ifndef EMULATED_SHAPES_H
#define EMULATED_SHAPES_H

#include "copies.h"

enum { SHAPE_NDIM = 12 };

struct emulated_shape {
    const char *name;
    int64_t itemsize;
    int32_t ndim;
    int64_t shape[SHAPE_NDIM];  /* as the destination has them, row-major */
    int32_t order[SHAPE_NDIM];  /* the source's axes, the slowest first */
    int64_t dst_pad, src_pad;   /* items after the fastest axis of each */
    int64_t dst_skew, src_skew; /* bytes */
    int64_t step;               /* of the source along the last axis, in items of it; 0: 1; -1: backwards */
    bool repeat;                /* the source has stride 0 along the last axis */
};

struct emulated_copy emulated_copy_of(const struct emulated_shape *shape);

/* Counts as ratios to what they are at best. */
struct emulated_ratios {
    double moved[2];   /* bytes of all requests' sectors, to the payload: loads, stores */
    double block[2];   /* bytes of the distinct sectors of each block, to the payload */
    double vectors[2]; /* accesses of 16 bytes, to all */
    double waves[2];   /* of banks, to those without a conflict; 1 where there is no shared memory */
};

struct emulated_ratios emulated_ratios_of(const struct emulated_counts *counts, int64_t nbytes);

#endif
