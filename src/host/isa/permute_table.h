/* Permute tables: lines of the destination from a few vectors of the source, by permutations of their words. Included
 * after lanes.h, for vectors of a line. */
#ifndef SVI_HOST_PERMUTE_TABLE_H
#define SVI_HOST_PERMUTE_TABLE_H

/* Words of pairs of vectors from src on. */
SVI_INLINE vec words_of(const char *src, const struct svi_table_line *s, int which)
{
    const vec word = load((const char *)s->word[which]);
    vec v;

    if (s->pairs == 0)
        return _mm512_permutexvar_epi16(word, load(src));
    v = _mm512_permutex2var_epi16(load(src), word, load(src + VECTOR));
    for (int32_t k = 1; k < s->pairs; k++) {
        const char *pair = src + 2 * k * VECTOR;

        v = _mm512_mask_mov_epi16(v, s->in[which][k],
                                  _mm512_permutex2var_epi16(load(pair), word, load(pair + VECTOR)));
    }
    return v;
}

/* How far each word moves. */
SVI_INLINE vec moved_by(const struct svi_table_line *s, int which)
{
    return _mm512_srli_epi16(load((const char *)s->word[which]), SVI_TABLE_SHIFT);
}

SVI_INLINE vec permuted_line(const char *src, const struct svi_table_line *s, int unit)
{
    const __mmask64 odd_bytes = 0xaaaaaaaaaaaaaaaa;

    if (unit == 2)
        return words_of(src, s, 0);
    return _mm512_mask_blend_epi8(odd_bytes, _mm512_srlv_epi16(words_of(src, s, 0), moved_by(s, 0)),
                                  _mm512_sllv_epi16(words_of(src, s, 1), moved_by(s, 1)));
}

SVI_INLINE void permute_lines(char *dst, const char *src, const struct svi_table_lines *s, int64_t count, int unit,
                              bool beyond_cache)
{
    const int64_t pace = s->step / s->lines;

    for (; count > 0; src += s->step) {
        const int64_t some = count < s->lines ? count : s->lines;

        for (int64_t k = 0; k < some; k++, dst += SVI_LINE) {
            if (beyond_cache)
                fetch_line(src + s->ahead + k * pace, false);
            (beyond_cache ? stream : store)(dst, permuted_line(src + s->line[k].from, &s->line[k], unit));
        }
        count -= some;
    }
}

static void permute_table_1(char *dst, const char *src, const struct svi_table_lines *s, int64_t count,
                            bool beyond_cache)
{
    if (beyond_cache)
        permute_lines(dst, src, s, count, 1, true);
    else
        permute_lines(dst, src, s, count, 1, false);
}

static void permute_table_2(char *dst, const char *src, const struct svi_table_lines *s, int64_t count,
                            bool beyond_cache)
{
    if (beyond_cache)
        permute_lines(dst, src, s, count, 2, true);
    else
        permute_lines(dst, src, s, count, 2, false);
}

#endif
