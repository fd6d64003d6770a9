/* The tables of the instruction sets that every processor of an architecture has: plain C, and SSE2 or NEON. */
#ifndef SVI_HOST_ISA_BASELINE_H
#define SVI_HOST_ISA_BASELINE_H

#include "host/base/isa.h"

extern const struct svi_isa svi_isa_plain;
extern svi_convert_run svi_convert_plain;
extern svi_scale_run svi_scale_plain;
#ifdef __x86_64__
extern const struct svi_isa svi_isa_sse2;
#endif
#ifdef __AARCH64EL__
extern const struct svi_isa svi_isa_neon;
#endif

#endif
