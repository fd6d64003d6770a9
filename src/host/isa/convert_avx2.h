/* Conversions by AVX2 and F16C: the functions convert and scale of its table. */
#ifndef SVI_HOST_ISA_CONVERT_AVX2_H
#define SVI_HOST_ISA_CONVERT_AVX2_H

#include "host/base/isa.h"

#ifdef __x86_64__
extern svi_convert_run svi_convert_avx2;
extern svi_scale_run svi_scale_avx2;
#endif

#endif
