#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define SVI_LOOPS svi_loops_avx2
#include "loops.h"

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
