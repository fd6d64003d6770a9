/* Permuted lines, with AVX-512 VBMI. */
#ifdef __x86_64__
#include "isa.h"
#include "host/base/elements.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,prfchw"))),          \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,prfchw")
#endif

#include <immintrin.h>

typedef __m512i vec;

SVI_INLINE vec load(const char *src)
{
    return _mm512_loadu_si512(src);
}

#define SVI_BYTE_PERMUTATIONS
#include "permute_lines.h"

void svi_permute_lines_vbmi(const struct svi_permuted_line *line, const struct svi_rows *lines, bool prefetches,
                            bool streams)
{
    permute_lines_by(line, lines, prefetches, streams);
}

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
