/*
 * A copy, described completely without an address: plain data that a host
 * kernel takes by pointer and a CUDA kernel by value. C and CUDA C++ read this.
 */
#ifndef SVI_PLAN_H
#define SVI_PLAN_H

#include <stdint.h>

enum { SVI_PLAN_NDIM = 64 };

/* What the canonical form looks like. */
enum svi_class {
    SVI_CLASS_EMPTY,      /* nothing to do */
    SVI_CLASS_CONTIGUOUS, /* one run in both */
    SVI_CLASS_ROWS,       /* runs in both */
    SVI_CLASS_REPEAT,     /* the innermost source stride is 0 */
    SVI_CLASS_TRANSPOSE,  /* unit strides on different axes */
    SVI_CLASS_REVERSED,   /* runs in both, one of them backwards */
    SVI_CLASS_GATHER,     /* only the destination has a run */
    SVI_CLASS_SCATTER,    /* only the source has a run */
    SVI_CLASS_STRIDED,    /* neither has */
    SVI_CLASS_COUNT
};

/*
 * Axis 0 is the slowest, axis ndim - 1 the fastest; extents are 2 or more.
 * item is the bytes moved as one: the element, or after widening a run of
 * elements that all strides step over whole. In CONTIGUOUS and ROWS the run
 * is the innermost axis with both strides equal to item.
 */
struct svi_plan {
    int32_t kind; /* enum svi_class */
    int32_t ndim;
    int64_t item;   /* bytes */
    int64_t nbytes; /* payload */
    int64_t dst_offset; /* bytes from the address of element [0,...,0] to the first one written */
    int64_t src_offset;
    int64_t shape[SVI_PLAN_NDIM];
    int64_t dst[SVI_PLAN_NDIM]; /* byte strides, >= 0 */
    int64_t src[SVI_PLAN_NDIM]; /* byte strides, any sign */
};

#ifndef __CUDACC__
#include "canon.h"

/*
 * Pure, without allocation. shape has ndim extents; strides are in bytes; src
 * is already broadcast (strides of 0).
 */
void svi_plan_make(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int64_t itemsize,
                   struct svi_plan *out);
const char *svi_class_name(int32_t kind);
#endif

#endif
