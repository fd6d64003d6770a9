/*
 * Permute tables: lines of the destination from a few vectors of the source, by permutations of their words.
 * Included after lanes.h, for vectors of a line.
 */
#ifndef SVI_HOST_PERMUTE_TABLE_H
#define SVI_HOST_PERMUTE_TABLE_H

/* --- tables --- */

/* Which words of which pairs: of every unit, or of every second from which on. */
SVI_INLINE void find_words(struct svi_table_line *s, int which, const int32_t *offset, int every)
{
    for (int k = 0; k < SVI_LINE / 2; k++) {
        const uint32_t byte = (uint32_t)(offset[every * k + which] - s->from);
        const uint32_t bits = every == 1 ? 0 : (byte ^ (uint32_t)which) % 2 * 8;

        s->word[which][k] = (uint16_t)(byte / 2 % SVI_LINE | bits << SVI_TABLE_SHIFT);
    }
    for (int pair = 1; pair < s->pairs; pair++) {
        uint32_t in = 0;

        for (int k = 0; k < SVI_LINE / 2; k++)
            in |= (uint32_t)((offset[every * k + which] - s->from) / (2 * SVI_LINE) == pair) << k;
        s->in[which][pair] = in;
    }
}

static bool make_table_line(struct svi_table_line *s, const int32_t *offset, int unit)
{
    int32_t low = offset[0], high = offset[0];

    for (int i = 1; i < SVI_LINE / unit; i++) {
        low = offset[i] < low ? offset[i] : low;
        high = offset[i] > high ? offset[i] : high;
    }
    high += unit - low;
    s->from = low;
    s->pairs = high <= SVI_LINE ? 0 : (high + 2 * SVI_LINE - 1) / (2 * SVI_LINE);
    if (s->pairs > SVI_TABLE_PAIRS)
        return false;
    find_words(s, 0, offset, unit == 1 ? 2 : 1);
    if (unit == 1)
        find_words(s, 1, offset, 2);
    return true;
}

/* --- lines --- */

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

SVI_INLINE void table_lines(char *dst, const char *src, const struct svi_table *t, int64_t count, int unit,
                            bool beyond_cache)
{
    const int64_t step = t->step, lines = t->lines, pace = step / lines, ahead = t->ahead;
    const struct svi_table_line *const line = t->line;

    for (; count > 0; count -= lines, src += step)
        for (int64_t k = 0; k < lines && k < count; k++, dst += SVI_LINE) {
            const vec v = permuted_line(src + line[k].from, &line[k], unit);

            if (beyond_cache)
                fetch_line(src + ahead + k * pace, false);
            (beyond_cache ? stream : store)(dst, v);
        }
}

static void permute_table(char *dst, const char *src, const struct svi_table *t, int64_t count, bool beyond_cache)
{
    switch (beyond_cache ? -t->unit : t->unit) {
    case 1: table_lines(dst, src, t, count, 1, false); break;
    case 2: table_lines(dst, src, t, count, 2, false); break;
    case -1: table_lines(dst, src, t, count, 1, true); break;
    default: table_lines(dst, src, t, count, 2, true); break;
    }
}

#endif
