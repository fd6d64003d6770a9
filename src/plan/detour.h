/*
 * One copy as two, by way of dense memory between them: for temporaries, and
 * for routes that no backend copies in one step. The memory holds each repeated
 * item once, and items as one of the two sides has them: those of the source
 * before a conversion, those of the destination after it. Pure.
 */
#ifndef SVI_DETOUR_H
#define SVI_DETOUR_H

#include "plan/plan.h"

enum svi_side { SVI_SIDE_DST, SVI_SIDE_SRC };

/* The side whose items have fewer bytes; the source where they have as many, or where scaling makes more of them. */
int32_t svi_detour_narrow(const struct svi_plan *plan);

/* Whether an intermediate buffer needs only one element along an axis: where the source repeats one, unless the buffer
 * has scaled elements and the scale differs along that axis. items: the side whose elements the buffer has. */
static inline bool svi_detour_repeats(const struct svi_plan *plan, int32_t items, int32_t axis)
{
    return plan->src[axis] == 0 && (items == SVI_SIDE_SRC || !svi_scales(plan) || plan->scaled.axis != axis);
}

/* Bytes of the memory that a plan needs, with items of a side; it is not empty. */
int64_t svi_detour_nbytes(const struct svi_plan *plan, int32_t items);

/*
 * in: from the source to the memory; out: from there to the destination. The
 * memory is in the order of a side, so that its step is contiguous if the side
 * is dense. All addresses are those of the plan, and where the memory begins.
 */
void svi_detour_make(const struct svi_plan *plan, int32_t side, int32_t items, struct svi_plan *in,
                     struct svi_plan *out);

#endif
