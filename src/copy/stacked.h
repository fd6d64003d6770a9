/* Copies of several sources whose places interleave in one destination, done together. */
#ifndef SVI_STACKED_H
#define SVI_STACKED_H

#include "view/view.h"

/* Sources beside each other along an axis of dst, all checked. */
struct svi_stack {
    const sv_view *dst;
    int32_t axis;
    int64_t count;
    sv_view *const *src; /* each has the axes of dst, or all but the axis */
    uint32_t flags;      /* SV_COPY bits */
};

/* Places that source i has along the axis. */
static inline int64_t svi_stack_places(const struct svi_stack *stack, int64_t i)
{
    const sv_layout *layout = stack->src[i]->layout;

    return layout->ndim < stack->dst->layout->ndim ? 1 : svi_layout_shape(layout)[stack->axis];
}

/* Whether places of sources are so near to each other in dst that they share cache lines, often enough to do them
 * together; host memory, of which no two elements share a byte. */
bool svi_stack_is_interleaved(const struct svi_stack *stack);

/* Does all copies block by block, by way of a buffer. SV_ERROR_MEMORY without memory for that, before any is done. */
sv_status svi_stack_run(const struct svi_stack *stack);

#endif
