/*
 * An affine conversion, described without an address: each number becomes a
 * floating one, is multiplied by a scale, gets a bias added, and becomes what that
 * is in the destination's type. Plain data, which a backend gets instead of a plan;
 * doc/casts.md has the rules.
 */
#ifndef SVI_AFFINE_H
#define SVI_AFFINE_H

#include "plan/plan.h"
#include "base/status.h"

/* Whole numbers: to the nearest, even in a tie, brought to the ends of the range; 0 from NaN. */
enum svi_whole {
    SVI_WHOLE_I8,
    SVI_WHOLE_U8,
    SVI_WHOLE_I16,
    SVI_WHOLE_U16,
    SVI_WHOLE_COUNT_F32, /* that float32 is rounded to; the others come from float64 */
    SVI_WHOLE_I32 = SVI_WHOLE_COUNT_F32,
    SVI_WHOLE_U32,
    SVI_WHOLE_I64,
    SVI_WHOLE_U64,
    SVI_WHOLE_COUNT,
    SVI_WHOLE_NONE = SVI_WHOLE_COUNT
};

/* The value of index k of the axis is first[k * step]. */
struct svi_factor {
    const double *first; /* borrowed */
    int64_t step;        /* 0: one value for all; -1 where the plan's axis runs the other way */
};

struct svi_affine {
    bool wide;                     /* numbers are multiplied as float64, else as float32 */
    int32_t whole;                 /* enum svi_whole: the destination's type, or SVI_WHOLE_NONE */
    struct svi_chain load;         /* from the source to float32 or float64; without a step it is that */
    struct svi_chain store; /* from there to the destination, unless that is whole; without a step it is that */
    struct svi_factor scale, bias;
    int32_t axis; /* of the plan, along which these go; -1: none */
    struct svi_plan plan; /* CAST or EMPTY; its chain tells no more than the sizes of items */
};

/* Chooses the operations. SV_ERROR_DTYPE or SV_ERROR_UNSUPPORTED where there are none. */
sv_status svi_affine_choose(sv_dtype dst, sv_dtype src, bool swapped, struct svi_affine *out);

/*
 * Makes the plan, after svi_affine_choose() and after scale and bias were set: as svi_plan_make_cast() does, but the
 * given axis of the shape is no part of another one, and out->axis tells which it is. -1: none is wanted.
 */
void svi_affine_make_plan(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int32_t lanes,
                          int32_t axis, struct svi_affine *out);

/* The box [first[k], first[k] + count[k]) of the plan's axes, for the addresses of the whole. It is not empty. */
void svi_affine_box(const struct svi_affine *affine, const int64_t *first, const int64_t *count,
                    struct svi_affine *out);

/* By way of a dense source in the order of the plan, of so many bytes: the copy to there, and what goes on from it. */
int64_t svi_affine_packed_nbytes(const struct svi_affine *affine);
void svi_affine_pack(const struct svi_affine *affine, struct svi_plan *in, struct svi_affine *out);

#endif
