/* AVX2. */
#ifndef SVI_HOST_ISA_AVX2_H
#define SVI_HOST_ISA_AVX2_H

#include "host/base/isa.h"

#ifdef __x86_64__
extern const struct svi_isa svi_isa_avx2;

/* Shuffles of bytes within 16 of them, of 32 bytes at a time: AVX-512, which does half as many of 64, has the same. */
extern svi_tiles svi_turn_thirds_avx2;
extern svi_step_rows svi_step_rows_avx2;
#define SVI_WHOLE_THIRD_TILE(item) {48 / (item), 24 / (item), svi_turn_thirds_avx2, NULL}
#define SVI_WHOLE_THIRD_TILES {SVI_WHOLE_THIRD_TILE(3), SVI_WHOLE_THIRD_TILE(6), SVI_WHOLE_THIRD_TILE(12)}
#endif

#endif
