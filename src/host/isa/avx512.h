/* The table of AVX-512. */
#ifndef SVI_HOST_ISA_AVX512_H
#define SVI_HOST_ISA_AVX512_H

#include "host/base/isa.h"

#ifdef __x86_64__
extern const struct svi_isa svi_isa_avx512;
#endif

#endif
