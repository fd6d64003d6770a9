/* Braids by permutations of the bytes of each strand. */
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

/* Lines, and from one to the next. */
struct area {
    char *dst;
    const char *src;
    int64_t dst_step, src_step, count;
};

/* all: each byte of it is stored. */
SVI_INLINE void put(char *dst, uint64_t there, vec v, bool all)
{
    if (all)
        _mm512_storeu_si512(dst, v);
    else
        _mm512_mask_storeu_epi8(dst, there, v);
}

/* What the table says stays in registers. */
SVI_INLINE void braid(const struct svi_braid *b, const struct area *a, int strands, bool all)
{
    const vec lane = _mm512_load_si512(b->lane);
    const int64_t src_step = a->src_step, dst_step = a->dst_step;
    const char *from[SVI_STRANDS];
    char *dst = a->dst;

#pragma GCC unroll 8
    for (int k = 0; k < strands; k++)
        from[k] = a->src + b->from[k];
    for (int64_t i = 0; i < a->count; i++, dst += dst_step) {
        vec v = _mm512_maskz_permutexvar_epi8(b->of[0], lane, _mm512_loadu_si512(from[0] + i * src_step));

#pragma GCC unroll 8
        for (int k = 1; k < strands; k++)
            v = _mm512_mask_permutexvar_epi8(v, b->of[k], lane, _mm512_loadu_si512(from[k] + i * src_step));
        put(dst, b->there, v, all);
    }
}

SVI_INLINE void braid_whole(const struct svi_braid *b, const struct area *a, int strands)
{
    const struct svi_braid mine = *b; /* what is stored could be a part of it, as far as the compiler knows */

    braid(&mine, a, strands, b->there == ~(uint64_t)0);
}

/* Nothing is read but what is needed, and what is between. */
static void braid_ends(const struct svi_braid *b, const struct area *a)
{
    const vec lane = _mm512_load_si512(b->lane);

    for (int64_t i = 0; i < a->count; i++) {
        const char *const src = a->src + i * a->src_step;
        vec v = _mm512_setzero_si512();

        for (int k = 0; k < b->strands; k++)
            v = _mm512_mask_permutexvar_epi8(v, b->of[k], lane, _mm512_maskz_loadu_epi8(b->read[k], src + b->from[k]));
        put(a->dst + i * a->dst_step, b->there, v, false);
    }
}

void svi_braid_avx512(const struct svi_braid *b, char *dst, int64_t dst_step, const char *src, int64_t src_step,
                      int64_t count, bool whole)
{
    const struct area a = {dst, src, dst_step, src_step, count};

    if (!whole)
        braid_ends(b, &a);
    else
        switch (b->strands) {
        case 1: braid_whole(b, &a, 1); break;
        case 2: braid_whole(b, &a, 2); break;
        case 3: braid_whole(b, &a, 3); break;
        case 4: braid_whole(b, &a, 4); break;
        case 5: braid_whole(b, &a, 5); break;
        case 6: braid_whole(b, &a, 6); break;
        case 7: braid_whole(b, &a, 7); break;
        default: braid_whole(b, &a, 8); break;
        }
}

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
