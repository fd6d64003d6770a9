/*
 * Lines of the destination whose bytes come from up to eight vectors of the source, its windows. With AVX-512 VBMI
 * (SVI_BYTE_PERMUTATIONS) bytes are permuted; else words, twice where those of even bytes and of odd ones differ, which
 * are shifted to their places. Vectors are loaded, and those in part stored, by masks.
 */
#ifndef SVI_HOST_PERMUTE_LINES_H
#define SVI_HOST_PERMUTE_LINES_H

enum {
    SRC_PREFETCH_BYTES = 4096, /* prefetch distance, */
    DST_PREFETCH_BYTES = 2048  /* and that of lines that are stored through the cache */
};

#ifdef SVI_BYTE_PERMUTATIONS
/* What the table of a line becomes in registers. */
struct permutation {
    vec lane;
    uint64_t of[SVI_WINDOWS];
};

SVI_INLINE bool permutes_words(const struct svi_permuted_line *line)
{
    (void)line;
    return false;
}

SVI_INLINE void begin_permutation(struct permutation *p, const struct svi_permuted_line *line, int windows, bool words)
{
    (void)words;
    p->lane = load((const char *)line->lane);
#pragma GCC unroll 8
    for (int k = 0; k < windows; k++)
        p->of[k] = line->of[k];
}

/* v has the bytes of the windows before. */
SVI_INLINE void take_window(const struct permutation *p, vec *v, vec window, int k, bool words)
{
    (void)words;
    v[0] = _mm512_mask_permutexvar_epi8(v[0], p->of[k], p->lane, window);
}

SVI_INLINE vec finished(const struct permutation *p, const vec *v, bool words)
{
    (void)p;
    (void)words;
    return v[0];
}

#else
/* Of even bytes and of odd ones: the word each is in, by how many bits it moves there, and those of a window. */
struct permutation {
    vec word[2], shift[2];
    __mmask32 of[2][SVI_WINDOWS];
};

static __mmask32 every_second_bit(uint64_t bits)
{
    __mmask32 found = 0;

    for (int k = 0; k < SVI_LINE / 2; k++)
        found |= (__mmask32)(bits >> 2 * k & 1) << k;
    return found;
}

/* Whether bytes stay in pairs. */
SVI_INLINE bool permutes_words(const struct svi_permuted_line *line)
{
    const vec lane = load((const char *)line->lane), even = _mm512_and_si512(lane, _mm512_set1_epi16(0xff));
    const vec pair = _mm512_add_epi16(_mm512_mullo_epi16(even, _mm512_set1_epi16(0x101)), _mm512_set1_epi16(0x100));
    const __mmask32 stored = every_second_bit(line->stored);
    const __mmask32 torn = _mm512_mask_test_epi16_mask(stored, even, _mm512_set1_epi16(1)) |
                           _mm512_mask_cmpneq_epu16_mask(stored, lane, pair);
    uint64_t apart = line->stored ^ line->stored >> 1;

    for (int k = 0; k < line->windows; k++)
        apart |= line->of[k] ^ line->of[k] >> 1;
    return (apart & 0x5555555555555555) == 0 && torn == 0;
}

SVI_INLINE void begin_permutation(struct permutation *p, const struct svi_permuted_line *line, int windows, bool words)
{
    const vec lane = load((const char *)line->lane), low = _mm512_set1_epi16(0xff), one = _mm512_set1_epi16(1);
    const vec even = _mm512_and_si512(lane, low), odd = _mm512_srli_epi16(lane, 8);

    p->word[0] = _mm512_srli_epi16(even, 1);
    p->word[1] = _mm512_srli_epi16(odd, 1);
    p->shift[0] = _mm512_slli_epi16(_mm512_and_si512(even, one), 3);
    p->shift[1] = _mm512_slli_epi16(_mm512_andnot_si512(odd, one), 3);
    for (int k = 0; k < windows; k++) {
        p->of[0][k] = every_second_bit(line->of[k]);
        p->of[1][k] = words ? 0 : every_second_bit(line->of[k] >> 1);
    }
}

SVI_INLINE void take_window(const struct permutation *p, vec *v, vec window, int k, bool words)
{
    v[0] = _mm512_mask_permutexvar_epi16(v[0], p->of[0][k], p->word[0], window);
    if (!words)
        v[1] = _mm512_mask_permutexvar_epi16(v[1], p->of[1][k], p->word[1], window);
}

SVI_INLINE vec finished(const struct permutation *p, const vec *v, bool words)
{
    const __mmask64 odd_bytes = 0xaaaaaaaaaaaaaaaa;

    if (words)
        return v[0];
    return _mm512_mask_blend_epi8(odd_bytes, _mm512_srlv_epi16(v[0], p->shift[0]),
                                  _mm512_sllv_epi16(v[1], p->shift[1]));
}
#endif

SVI_INLINE void store_permuted(char *dst, vec v, uint64_t stored, bool whole, bool streams)
{
    if (!whole)
        _mm512_mask_storeu_epi8(dst, stored, v);
    else if (streams)
        _mm512_stream_si512((__m512i *)dst, v);
    else
        _mm512_storeu_si512(dst, v);
}

/* whole: each byte of a line is stored. */
SVI_INLINE void permute_by(const struct svi_permuted_line *line, const struct svi_rows *lines, int windows, bool whole,
                           bool words, bool prefetches, bool streams)
{
    const struct svi_rows a = *lines;
    const uint64_t stored = line->stored;
    struct permutation p;
    uint64_t read[SVI_WINDOWS];
    const char *from[SVI_WINDOWS];
    char *dst = a.dst;

    begin_permutation(&p, line, windows, words);
#pragma GCC unroll 8
    for (int k = 0; k < windows; k++) {
        read[k] = line->read[k];
        from[k] = a.src + line->from[k];
    }
    for (int64_t i = 0; i < a.count; i++, dst += a.dst_pitch) {
        vec v[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};

#pragma GCC unroll 8
        for (int k = 0; k < windows; k++) {
            const char *const at = from[k] + i * a.src_pitch;

            if (prefetches)
                __builtin_prefetch(at + SRC_PREFETCH_BYTES);
            take_window(&p, v, _mm512_maskz_loadu_epi8(read[k], at), k, words);
        }
        if (prefetches && !streams)
            __builtin_prefetch(dst + DST_PREFETCH_BYTES, 1);
        store_permuted(dst, finished(&p, v, words), stored, whole, streams);
    }
}

SVI_INLINE void permute_windows(const struct svi_permuted_line *line, const struct svi_rows *lines, int windows,
                                bool prefetches, bool streams)
{
    const bool whole = line->stored == ~(uint64_t)0;

    if (permutes_words(line))
        permute_by(line, lines, windows, whole, true, prefetches, streams);
    else if (whole)
        permute_by(line, lines, windows, true, false, prefetches, streams);
    else
        permute_by(line, lines, windows, false, false, prefetches, false);
}

SVI_INLINE void permute_lines_by(const struct svi_permuted_line *line, const struct svi_rows *lines, bool prefetches,
                                 bool streams)
{
    switch (line->windows) {
    case 1: permute_windows(line, lines, 1, prefetches, streams); break;
    case 2: permute_windows(line, lines, 2, prefetches, streams); break;
    case 3: permute_windows(line, lines, 3, prefetches, streams); break;
    case 4: permute_windows(line, lines, 4, prefetches, streams); break;
    case 5: permute_windows(line, lines, 5, prefetches, streams); break;
    case 6: permute_windows(line, lines, 6, prefetches, streams); break;
    case 7: permute_windows(line, lines, 7, prefetches, streams); break;
    default: permute_windows(line, lines, 8, prefetches, streams); break;
    }
}

#ifndef SVI_BYTE_PERMUTATIONS
static void permute_lines(const struct svi_permuted_line *line, const struct svi_rows *lines, bool prefetches,
                          bool streams)
{
    permute_lines_by(line, lines, prefetches, streams);
}

/* --- tables --- */

enum { QUARTERS = 4 }; /* of a line, whose offsets are a vector */

SVI_INLINE __mmask16 bits_of_quarter(uint64_t bits, int k)
{
    return (__mmask16)(bits >> 16 * k);
}

/* The least of the offsets that are left. */
SVI_INLINE int32_t least_of(const vec *offset, uint64_t left)
{
    vec least = _mm512_set1_epi32(INT32_MAX);

#pragma GCC unroll 4
    for (int k = 0; k < QUARTERS; k++)
        least = _mm512_mask_min_epi32(least, bits_of_quarter(left, k), least, offset[k]);
    return _mm512_reduce_min_epi32(least);
}

/* A window from the least offset that is left on: finds which bytes come from it, and returns them. */
SVI_INLINE uint64_t find_window(struct svi_permuted_line *line, const vec *offset, uint64_t left)
{
    const int32_t from = least_of(offset, left);
    vec last = _mm512_setzero_si512();
    uint64_t of = 0;

#pragma GCC unroll 4
    for (int k = 0; k < QUARTERS; k++) {
        const vec lane = _mm512_sub_epi32(offset[k], _mm512_set1_epi32(from));
        const __mmask16 here =
            _mm512_mask_cmplt_epu32_mask(bits_of_quarter(left, k), lane, _mm512_set1_epi32(SVI_LINE));

        last = _mm512_mask_max_epi32(last, here, last, lane);
        _mm512_mask_cvtepi32_storeu_epi8(line->lane + 16 * k, here, lane);
        of |= (uint64_t)here << 16 * k;
    }
    line->from[line->windows] = from;
    line->of[line->windows] = of;
    line->read[line->windows] = svi_bits_below(_mm512_reduce_max_epi32(last) + 1);
    line->windows++;
    return of;
}

static bool make_permuted_line(struct svi_permuted_line *line, const int32_t *offset)
{
    vec at[QUARTERS];
    uint64_t left = 0;

#pragma GCC unroll 4
    for (int k = 0; k < QUARTERS; k++) {
        at[k] = load((const char *)(offset + 16 * k));
        left |= (uint64_t)_mm512_cmpgt_epi32_mask(at[k], _mm512_set1_epi32(SVI_GAP / 2)) << 16 * k;
    }
    store((char *)line->lane, _mm512_setzero_si512());
    line->stored = left;
    for (line->windows = 0; left != 0 && line->windows < SVI_WINDOWS;)
        left &= ~find_window(line, at, left);
    return left == 0;
}
#endif

#endif
