/* What affine conversions are made of, for one instruction set: affine_loops.h. */
#ifndef SVI_HOST_AFFINE_ISA_H
#define SVI_HOST_AFFINE_ISA_H

#include "affine.h"
#include "host/isa/isa.h"

/* Of float32 or float64, as the number is. A scale of 1 and a bias of -0 change nothing. */
struct svi_factors {
    const void *scale, *bias; /* one for each number, */
    bool one;                 /* or the first one for all */
};

/* SVI_BLOCK * blocks numbers. */
typedef void svi_affine_loop(void *restrict dst, const void *restrict src, int64_t blocks,
                             const struct svi_factors *factors);

struct svi_affine_isa {
    svi_affine_loop *to_float[SVI_OP_COUNT]; /* by the operation that leads to float32; NULL: in two steps */
    svi_affine_loop *f32, *f64;
    svi_loop *whole_from_f32[SVI_WHOLE_COUNT_F32], *whole_from_f64[SVI_WHOLE_COUNT]; /* by enum svi_whole */
};

#endif
