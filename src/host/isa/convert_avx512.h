/* Conversions by AVX-512: the functions convert and scale of its table. */
#ifndef SVI_HOST_ISA_CONVERT_AVX512_H
#define SVI_HOST_ISA_CONVERT_AVX512_H

#include "host/base/isa.h"

#ifdef __x86_64__
extern svi_convert_run svi_convert_avx512;
extern svi_scale_run svi_scale_avx512;
#endif

#endif
