#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif

#define SVI_AFFINE svi_affine_avx512
#include "affine_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
