#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC target("avx2,f16c")
#endif

#define SVI_AFFINE svi_affine_avx2
#include "affine_loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
