/*
 * A copy, described completely without an address: plain data that a host
 * kernel takes by pointer and a CUDA kernel by value. C and CUDA C++ read this.
 */
#ifndef SVI_PLAN_H
#define SVI_PLAN_H

#include <stdint.h>

#include "dtype/chain.h"

enum { SVI_PLAN_NDIM = 64, SVI_PLAN_ITEM = 16 };

/*
 * What the canonical form looks like: the first of these that fits. The last
 * axis is the one that is fastest in the destination. A side has a run where
 * its stride of an axis is one item, forwards or backwards. The fastest axis of
 * the source is the one with the smallest stride that is not 0.
 */
enum svi_class {
    SVI_CLASS_EMPTY,      /* nothing to do */
    SVI_CLASS_CONTIGUOUS, /* nbytes that follow each other in both */
    SVI_CLASS_ROWS,       /* the last axis is a run in both, of more than SVI_PLAN_ITEM bytes */
    SVI_CLASS_REPEAT,     /* the source has stride 0 on the last axis: one item goes to all of it */
    SVI_CLASS_REVERSED,   /* the last axis is a run in both, backwards in the source */
    SVI_CLASS_TRANSPOSE,  /* another axis is the fastest of the source: walk two axes in tiles */
    SVI_CLASS_GATHER,     /* the last axis is a run in the destination only */
    SVI_CLASS_SCATTER,    /* the last axis is a run in the source only */
    SVI_CLASS_STRIDED,    /* the last axis is a run in neither */
    SVI_CLASS_CAST,       /* whatever the form: elements change on the way, by the chain */
    SVI_CLASS_COUNT
};

/*
 * Axis 0 is the slowest of the destination, axis ndim - 1 the fastest; extents
 * are 2 or more, and ndim is 0 for a single item. No two axes are one run in
 * both.
 *
 * item is the bytes moved as one, 1 to SVI_PLAN_ITEM. It is the element; or,
 * where elements run together in both for SVI_PLAN_ITEM bytes at most, that
 * whole run (three bytes of a pixel, four float32), whose axis is then gone.
 * A larger element is a run of items of the largest power of two that divides
 * it. Addresses and strides need not be multiples of item.
 *
 * In CAST both items are one lane of an element.
 *
 * tile is the fastest axis of the source, or -1 where it has none: it differs
 * from ndim - 1 in TRANSPOSE, and maybe in ROWS, REPEAT, REVERSED and CAST.
 */
struct svi_plan {
    int32_t kind; /* enum svi_class */
    int32_t ndim;
    int32_t tile;       /* axis */
    struct svi_chain chain; /* of CAST, else without a step */
    int64_t item;       /* bytes, of the destination */
    int64_t src_item;   /* the same but for CAST */
    int64_t nbytes;     /* payload: what is written, each byte once */
    uint64_t reach; /* bytes of memory that both sides need, about; of the whole copy where this is a part of one */
    int64_t dst_offset; /* bytes from the address of element [0,...,0] to the first item of the walk */
    int64_t src_offset;
    int64_t shape[SVI_PLAN_NDIM];
    int64_t dst[SVI_PLAN_NDIM]; /* byte strides, >= 0 */
    int64_t src[SVI_PLAN_NDIM]; /* byte strides, any sign */
};

#ifndef __CUDACC__
#include "overlap/canonical.h"

/*
 * Pure, without allocation. shape has ndim extents; strides are in bytes; src
 * is already broadcast (strides of 0).
 */
void svi_plan_make(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int64_t itemsize,
                   struct svi_plan *out);

/* The same with elements of so many lanes, each of which goes through a chain of one step or more. */
void svi_plan_make_cast(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                        const struct svi_chain *chain, int32_t lanes, struct svi_plan *out);

/*
 * The plan of the box [first[k], first[k] + count[k]) of a plan's axes, not
 * empty. Its addresses are those of the whole.
 */
void svi_plan_box(const struct svi_plan *plan, const int64_t *first, const int64_t *count, struct svi_plan *out);

const char *svi_class_name(int32_t kind);
#endif

#endif
