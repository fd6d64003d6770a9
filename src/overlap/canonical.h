/*
 * The canonical form of two layouts of one shape: one list of axes, sorted by the destination's strides, with
 * neighbours merged where both sides allow it. Copies that move the same bytes have the same form, so plans are made
 * from it (plan/plan.c). It knows strides and no address.
 */
#ifndef SVI_CANONICAL_H
#define SVI_CANONICAL_H

#include "base/status.h"

/* Two layouts of one shape. Axis 0 is the slowest. The offsets are the bytes by which flipped axes moved an address. */
struct svi_pair {
    int32_t ndim;
    int64_t itemsize;
    int64_t shape[SV_MAX_NDIM];
    int64_t dst[SV_MAX_NDIM]; /* byte strides of the destination: >= 0 in canonical form */
    int64_t src[SV_MAX_NDIM]; /* byte strides of the source */
    int64_t dst_offset;
    int64_t src_offset;
};

/*
 * Brings a non-empty pair to canonical form in place: drops axes of extent 1, flips axes so that dst strides (src
 * strides where dst is 0) are positive, sorts the axes by dst stride, then by |src| stride, and merges neighbours that
 * continue each other on both sides. The set of (dst byte, src byte) pairs stays the same.
 *
 * Sums wrap as addresses do, so strides near the limits of int64 are safe. A dst stride of INT64_MIN cannot be negated;
 * it stays and sorts as the largest.
 */
void svi_canonicalise(struct svi_pair *pair);

#endif
