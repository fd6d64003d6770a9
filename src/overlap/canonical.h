/*
 * The canonical form of two layouts of one shape read together: what copies,
 * overlap tests and kernels reason with.
 */
#ifndef SVI_CANONICAL_H
#define SVI_CANONICAL_H

#include "base/status.h"

/* Axis 0 is the slowest. Offsets are what flipping axes has moved the two addresses by, in bytes. */
struct svi_pair {
    int32_t ndim;
    int64_t itemsize;
    int64_t shape[SV_MAX_NDIM];
    int64_t dst[SV_MAX_NDIM]; /* byte strides, >= 0 after svi_canonicalise */
    int64_t src[SV_MAX_NDIM];
    int64_t dst_offset;
    int64_t src_offset;
};

/*
 * Brings a non-empty pair to canonical form in place: drops axes of extent 1,
 * flips axes so that dst strides (src where dst is 0) are positive, sorts by
 * dst stride, then by |src| stride, and merges neighbours that are one run in both. The set of
 * (dst byte, src byte) pairs stays the same.
 *
 * Sums wrap as addresses do, so strides at the edge of int64 are safe. A dst
 * stride of INT64_MIN has no positive twin; it stays and sorts as the largest.
 */
void svi_canonicalise(struct svi_pair *pair);

#endif
