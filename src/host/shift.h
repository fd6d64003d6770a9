/* Lines of rows that begin anywhere in one, for vectors that are a line; after lanes.h. */
#ifndef SVI_HOST_SHIFT_H
#define SVI_HOST_SHIFT_H


/* Numbers that follow each other; parts of 2 bytes, or of 4. */
SVI_INLINE vec parts_from(int64_t first, int part)
{
    if (part == 2)
        return _mm512_add_epi16(_mm512_set1_epi16((short)first),
                                _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                                                 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    return _mm512_add_epi32(_mm512_set1_epi32((int)first),
                            _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}

SVI_INLINE vec two_parts(vec a, vec parts, vec b, int part)
{
    return part == 2 ? _mm512_permutex2var_epi16(a, parts, b) : _mm512_permutex2var_epi32(a, parts, b);
}

/* part: bytes that dst is aligned to, 2 or 4. */
SVI_INLINE void shifts(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry, int item,
                       int part)
{
    const int rows = 16 / item;
    char *line[16];
    vec last[16], parts[16], v[16];

#pragma GCC unroll 16
    for (int i = 0; i < rows; i++) {
        const int64_t before = (int64_t)((uintptr_t)dst[i] % SVI_LINE);

        line[i] = dst[i] - before;
        parts[i] = parts_from((SVI_LINE - before) / part, part);
        last[i] = load(carry + i * SVI_LINE);
    }
    for (int64_t k = 0; k < count; k++) {
        columns(v, src + k * (SVI_LINE / item) * src_pitch, src_pitch, item);
#pragma GCC unroll 16
        for (int i = 0; i < rows; i++) {
            stream(line[i] + k * SVI_LINE, two_parts(last[i], parts[i], v[i], part));
            last[i] = v[i];
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
        store(carry + i * SVI_LINE, last[i]);
}

static void shift_2(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shifts(dst, src, src_pitch, count, carry, 2, 2);
}

static void shift_4(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shifts(dst, src, src_pitch, count, carry, 4, 4);
}

static void shift_8(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shifts(dst, src, src_pitch, count, carry, 8, 4);
}

static void shift_16(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shifts(dst, src, src_pitch, count, carry, 16, 4);
}

#endif
