/*
 * An affine conversion: each number becomes a floating one, is multiplied by a
 * scale, gets a bias added, and becomes what that is in the destination's type.
 * Plain data without an address, to which the plan of a scaled copy points;
 * doc/casts.md has the rules.
 */
#ifndef SVI_AFFINE_H
#define SVI_AFFINE_H

#include "plan/plan.h"
#include "base/status.h"

/* What numbers are multiplied by, or what is added. */
struct svi_factor {
    const double *values; /* borrowed; NULL: it changes nothing */
    int64_t count;        /* 1: one value for all; more: one for each number of the plan's (struct svi_scaled) */
};

/* Values from one number of the plan's to the next. */
static inline int64_t svi_factor_step(const struct svi_factor *factor)
{
    return factor->values != NULL && factor->count > 1;
}

struct svi_affine {
    bool wide;                     /* numbers are multiplied as float64, else as float32 */
    int32_t whole;                 /* enum svi_whole: the destination's type, or SVI_WHOLE_NONE */
    struct svi_chain load;         /* from the source to float32 or float64; without a step it is that */
    struct svi_chain store; /* from there to the destination, unless that is whole; without a step it is that */
    struct svi_factor scale, bias;
};

/* Chooses the operations. SV_ERROR_DTYPE or SV_ERROR_UNSUPPORTED where there are none. */
sv_status svi_affine_choose(sv_dtype dst, sv_dtype src, bool swapped, struct svi_affine *out);

/* All steps of the conversion in a row: those of load, SVI_SCALE_F32 or SVI_SCALE_F64, those of store or
 * SVI_NEAREST_FROM_. item: bytes of the destination's. */
void svi_affine_steps(const struct svi_affine *affine, int64_t item, struct svi_chain *out);

/*
 * Makes the plan, which points to affine, after svi_affine_choose() and after scale and bias were set: as
 * svi_plan_make_cast() does, but the given axis of the shape is no part of another one. -1: none is wanted.
 */
void svi_affine_make_plan(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int32_t lanes,
                          int32_t axis, const struct svi_affine *affine, struct svi_plan *out);

#endif
