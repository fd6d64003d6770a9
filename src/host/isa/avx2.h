/* The table of AVX2, and the kernels of it that AVX-512 uses too. */
#ifndef SVI_HOST_ISA_AVX2_H
#define SVI_HOST_ISA_AVX2_H

#include "host/base/isa.h"

#ifdef __x86_64__
extern const struct svi_isa svi_isa_avx2;

/* Kernels by byte shuffles within lanes. AVX-512 does half as many of these per cycle, so it uses the same kernels. */
extern svi_tiles svi_turn_thirds_avx2;
extern svi_step_rows svi_step_rows_avx2;
#define SVI_WHOLE_THIRD_TILE(item) {48 / (item), 24 / (item), svi_turn_thirds_avx2, NULL}
#define SVI_WHOLE_THIRD_TILES {SVI_WHOLE_THIRD_TILE(3), SVI_WHOLE_THIRD_TILE(6), SVI_WHOLE_THIRD_TILE(12)}
#endif

#endif
