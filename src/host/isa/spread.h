/* Lines with gaps: of avx512.c. */
#ifndef SVI_HOST_SPREAD_H
#define SVI_HOST_SPREAD_H

enum { SPREAD_AHEAD = 2048 }; /* bytes of the destination, which is read before it is written */

SVI_INLINE void scatter_by(const struct svi_spread *s, char *dst, const char *src, int64_t nbytes, int lines)
{
    vec word[SVI_CHANNELS];

    for (int c = 0; c < lines; c++)
        word[c] = load((const char *)s->word[c]);
    for (int64_t k = 0; k < nbytes; k += SVI_LINE) {
        const vec v = load(src + k);

#pragma GCC unroll 4
        for (int c = 0; c < lines; c++) {
            char *line = dst + k * lines + c * SVI_LINE;

            if (s->past_cache)
                __builtin_prefetch(line + SPREAD_AHEAD, 1);
            _mm512_mask_storeu_epi32(line, s->there[c], _mm512_permutexvar_epi32(word[c], v));
        }
    }
}

static void scatter(const struct svi_spread *s, char *dst, const char *src, int64_t nbytes)
{
    switch (s->lines) {
    case 2: scatter_by(s, dst, src, nbytes, 2); break;
    case 3: scatter_by(s, dst, src, nbytes, 3); break;
    default: scatter_by(s, dst, src, nbytes, 4); break;
    }
}

#endif
