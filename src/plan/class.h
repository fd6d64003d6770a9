/* What a copy looks like, by its axes: a backend chooses what does it by the class. */
#ifndef SVI_CLASS_H
#define SVI_CLASS_H

#include <stdint.h>

#include "base/checked.h"
#include "base/inline.h"

/*
 * The first of these that fits. The last axis is the one that is fastest in the destination. A side has a run where
 * its stride of an axis is one item, forwards or backwards. The fastest axis of the source is the one with the
 * smallest stride that is not 0.
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

/* The fastest axis of the source, the last of those that are as fast; -1: there is none. */
SVI_INLINE int32_t svi_source_axis(int32_t ndim, const int64_t *src)
{
    uint64_t least = UINT64_MAX;
    int32_t axis = -1;

    for (int32_t k = 0; k < ndim; k++)
        if (src[k] != 0 && svi_abs(src[k]) <= least) {
            least = svi_abs(src[k]);
            axis = k;
        }
    return axis;
}

/* Of axes that are in canonical form, not EMPTY, and without a conversion. */
static inline int32_t svi_class_of(int32_t ndim, const int64_t *dst, const int64_t *src, int64_t item, int32_t src_axis)
{
    const int32_t last = ndim - 1;

    if (ndim == 0)
        return SVI_CLASS_CONTIGUOUS;
    if (dst[last] == item && src[last] == item)
        return ndim == 1 ? SVI_CLASS_CONTIGUOUS : SVI_CLASS_ROWS;
    if (src[last] == 0)
        return SVI_CLASS_REPEAT;
    if (dst[last] == item && src[last] == -item)
        return SVI_CLASS_REVERSED;
    if (src_axis != last)
        return SVI_CLASS_TRANSPOSE;
    if (dst[last] == item)
        return SVI_CLASS_GATHER;
    return src[last] == item || src[last] == -item ? SVI_CLASS_SCATTER : SVI_CLASS_STRIDED;
}

const char *svi_class_name(int32_t plan_class);

#endif
