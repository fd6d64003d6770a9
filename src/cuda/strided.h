/*
 * What the generic copy kernel moves from where to where. The kernel and the
 * host compile this: the host chooses the word, and tests check every index.
 */
#ifndef SVI_CUDA_STRIDED_H
#define SVI_CUDA_STRIDED_H

#include "plan.h"

#ifdef __CUDACC__
#define SVI_HOST_DEVICE __host__ __device__
#else
#define SVI_HOST_DEVICE
#endif

/* The word moved at a time: the largest power of two, up to 16 bytes, that divides items, strides and addresses. */
static inline int64_t svi_strided_word(const struct svi_plan *plan, uintptr_t dst, uintptr_t src)
{
    uint64_t bits = 16 | (uint64_t)plan->item;

    bits |= dst + (uint64_t)plan->dst_offset;
    bits |= src + (uint64_t)plan->src_offset;
    for (int32_t axis = 0; axis < plan->ndim; axis++)
        bits |= (uint64_t)plan->dst[axis] | (uint64_t)plan->src[axis];
    return (int64_t)(bits & -bits);
}

/* A run in both becomes one item, so that its words can be wide. */
static inline void svi_strided_join(struct svi_plan *plan)
{
    while (plan->ndim > 0 && plan->dst[plan->ndim - 1] == plan->item && plan->src[plan->ndim - 1] == plan->item)
        plan->item *= plan->shape[--plan->ndim];
}

/* Bytes from the two addresses to word number index, of plan->nbytes / word. */
static inline SVI_HOST_DEVICE void svi_strided_locate(const struct svi_plan *plan, int64_t word, int64_t index,
                                                      int64_t *dst, int64_t *src)
{
    const int64_t words = plan->item / word;
    const int64_t within = index % words * word;
    int64_t rest = index / words;

    *dst = plan->dst_offset + within;
    *src = plan->src_offset + within;
    for (int32_t axis = plan->ndim - 1; axis >= 0; axis--) {
        const int64_t at = rest % plan->shape[axis];

        rest /= plan->shape[axis];
        *dst += at * plan->dst[axis];
        *src += at * plan->src[axis];
    }
}

#endif
