/*
 * Lines of the destination whose bytes come from up to eight vectors of the source, the windows. AVX-512 VBMI permutes
 * bytes. Without it words are permuted, once for the even bytes and once for the odd bytes if these differ, and shifted
 * to their places. Vectors are loaded, and partial lines stored, by masks.
 */
#ifndef SVI_HOST_PERMUTE_LINES_H
#define SVI_HOST_PERMUTE_LINES_H

enum {
    SRC_PREFETCH_BYTES = 4096, /* prefetch distance in the source, rounded to whole rows */
    DST_PREFETCH_BYTES = 2048  /* prefetch distance of lines that are stored through the cache */
};

/* Bytes to the row that is prefetched, a multiple of pitch. */
SVI_INLINE int64_t row_ahead(int64_t pitch, int64_t distance)
{
    const int64_t step = (int64_t)svi_abs(pitch);

    return step == 0 ? 0 : svi_larger(distance / step, 1) * pitch;
}

/*
 * The table of a line in registers: the byte or word that each place takes, and a bit for each place that a window
 * fills. Words of even bytes come before those of odd bytes, with the bits by which they are shifted.
 */
struct permutation {
    vec lane[2], shift[2];
    uint64_t of[2][SVI_WINDOWS];
};

/* Adds the bytes that window k has to v, which has those of the windows before. */
typedef void take_window(const struct permutation *p, vec *v, vec window, int k);

SVI_VBMI SVI_INLINE void take_bytes(const struct permutation *p, vec *v, vec window, int k)
{
    v[0] = _mm512_mask_permutexvar_epi8(v[0], p->of[0][k], p->lane[0], window);
}

SVI_INLINE void take_words(const struct permutation *p, vec *v, vec window, int k)
{
    v[0] = _mm512_mask_permutexvar_epi16(v[0], (__mmask32)p->of[0][k], p->lane[0], window);
}

SVI_INLINE void take_words_twice(const struct permutation *p, vec *v, vec window, int k)
{
    take_words(p, v, window, k);
    v[1] = _mm512_mask_permutexvar_epi16(v[1], (__mmask32)p->of[1][k], p->lane[1], window);
}

static __mmask32 every_second_bit(uint64_t bits)
{
    __mmask32 found = 0;

    for (int k = 0; k < SVI_LINE / 2; k++)
        found |= (__mmask32)(bits >> 2 * k & 1) << k;
    return found;
}

/* Whether pairs of bytes stay together. */
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

SVI_INLINE void begin_bytes(struct permutation *p, const struct svi_permuted_line *line, int windows)
{
    p->lane[0] = load((const char *)line->lane);
#pragma GCC unroll 8
    for (int k = 0; k < windows; k++)
        p->of[0][k] = line->of[k];
}

SVI_INLINE void begin_words(struct permutation *p, const struct svi_permuted_line *line, int windows, bool twice)
{
    const vec lane = load((const char *)line->lane), low = _mm512_set1_epi16(0xff), one = _mm512_set1_epi16(1);
    const vec even = _mm512_and_si512(lane, low), odd = _mm512_srli_epi16(lane, 8);

    p->lane[0] = _mm512_srli_epi16(even, 1);
    p->lane[1] = _mm512_srli_epi16(odd, 1);
    p->shift[0] = _mm512_slli_epi16(_mm512_and_si512(even, one), 3);
    p->shift[1] = _mm512_slli_epi16(_mm512_andnot_si512(odd, one), 3);
    for (int k = 0; k < windows; k++) {
        p->of[0][k] = every_second_bit(line->of[k]);
        p->of[1][k] = twice ? every_second_bit(line->of[k] >> 1) : 0;
    }
}

SVI_INLINE vec even_and_odd(const struct permutation *p, const vec *v)
{
    const __mmask64 odd_bytes = 0xaaaaaaaaaaaaaaaa;

    return _mm512_mask_blend_epi8(odd_bytes, _mm512_srlv_epi16(v[0], p->shift[0]),
                                  _mm512_sllv_epi16(v[1], p->shift[1]));
}

SVI_INLINE void store_permuted(char *dst, vec v, uint64_t stored, bool whole, bool streams)
{
    if (!whole)
        _mm512_mask_storeu_epi8(dst, stored, v);
    else if (streams)
        SVI_NT_STORE(_mm512_stream_si512, __m512i, dst, v);
    else
        _mm512_storeu_si512(dst, v);
}

/* Makes lines. whole: every byte of a line is stored. */
SVI_INLINE void permute_by(const struct svi_permuted_line *line, const struct svi_rows *lines, int windows, bool whole,
                           take_window *take, bool prefetches, bool streams)
{
    const bool twice = take == take_words_twice;
    const struct svi_rows a = *lines;
    const int64_t src_ahead = row_ahead(a.src_pitch, SRC_PREFETCH_BYTES);
    const int64_t dst_ahead = row_ahead(a.dst_pitch, DST_PREFETCH_BYTES);
    const uint64_t stored = line->stored;
    struct permutation p;
    uint64_t read[SVI_WINDOWS];
    const char *from[SVI_WINDOWS];
    char *dst = a.dst;

    if (twice || take == take_words)
        begin_words(&p, line, windows, twice);
    else
        begin_bytes(&p, line, windows);
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
                svi_prefetch(at + src_ahead);
            take(&p, v, _mm512_maskz_loadu_epi8(read[k], at), k);
        }
        if (prefetches && !streams)
            svi_prefetch_store(dst + dst_ahead);
        store_permuted(dst, twice ? even_and_odd(&p, v) : v[0], stored, whole, streams);
    }
}

SVI_INLINE void permute_whole(const struct svi_permuted_line *line, const struct svi_rows *lines, int windows,
                              bool whole, take_window *take, bool prefetches, bool streams)
{
    if (whole)
        permute_by(line, lines, windows, true, take, prefetches, streams);
    else
        permute_by(line, lines, windows, false, take, prefetches, false);
}

/* Makes lines by bytes (by_bytes is take_bytes) or, if it is NULL, by words. */
SVI_INLINE void permute_windows(const struct svi_permuted_line *line, const struct svi_rows *lines, int windows,
                                take_window *by_bytes, bool prefetches, bool streams)
{
    const bool whole = line->stored == ~(uint64_t)0;

    if (by_bytes != NULL)
        permute_whole(line, lines, windows, whole, by_bytes, prefetches, streams);
    else if (permutes_words(line))
        permute_by(line, lines, windows, whole, take_words, prefetches, streams);
    else
        permute_whole(line, lines, windows, whole, take_words_twice, prefetches, streams);
}

SVI_INLINE void permute_lines_by(const struct svi_permuted_line *line, const struct svi_rows *lines,
                                 take_window *by_bytes, bool prefetches, bool streams)
{
    switch (line->windows) {
    case 1: permute_windows(line, lines, 1, by_bytes, prefetches, streams); break;
    case 2: permute_windows(line, lines, 2, by_bytes, prefetches, streams); break;
    case 3: permute_windows(line, lines, 3, by_bytes, prefetches, streams); break;
    case 4: permute_windows(line, lines, 4, by_bytes, prefetches, streams); break;
    case 5: permute_windows(line, lines, 5, by_bytes, prefetches, streams); break;
    case 6: permute_windows(line, lines, 6, by_bytes, prefetches, streams); break;
    case 7: permute_windows(line, lines, 7, by_bytes, prefetches, streams); break;
    default: permute_windows(line, lines, 8, by_bytes, prefetches, streams); break;
    }
}

static void permute_lines(const struct svi_permuted_line *line, const struct svi_rows *lines, bool prefetches,
                          bool streams)
{
    permute_lines_by(line, lines, NULL, prefetches, streams);
}

SVI_VBMI static void permute_lines_vbmi(const struct svi_permuted_line *line, const struct svi_rows *lines,
                                        bool prefetches, bool streams)
{
    permute_lines_by(line, lines, take_bytes, prefetches, streams);
}

/* --- tables --- */

enum { QUARTERS = 4 }; /* of a line: the offsets of one are a vector */

SVI_INLINE __mmask16 bits_of_quarter(uint64_t bits, int k)
{
    return (__mmask16)(bits >> 16 * k);
}

/* The least offset among those in left. */
SVI_INLINE int32_t least_of(const vec *offset, uint64_t left)
{
    vec least = _mm512_set1_epi32(INT32_MAX);

#pragma GCC unroll 4
    for (int k = 0; k < QUARTERS; k++)
        least = _mm512_mask_min_epi32(least, bits_of_quarter(left, k), least, offset[k]);
    return _mm512_reduce_min_epi32(least);
}

/* Adds a window that begins at the least offset in left. Returns the bytes that come from it. */
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
