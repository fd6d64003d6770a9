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

/* The same of items of 3, 6, 12 or 24 bytes: count is a multiple of three lines. */
SVI_INLINE void shift_thirds(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry, int item,
                             int part)
{
    const int n = THIRD_COLUMNS(item), rows = THIRD_ROWS(item);
    char *line[4];
    vec last[4], parts[4], v[4][4];

#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
        const int64_t before = (int64_t)((uintptr_t)dst[i] % SVI_LINE);

        line[i] = dst[i] - before;
        parts[i] = parts_from((SVI_LINE - before) / part, part);
        last[i] = load(carry + i * SVI_LINE);
    }
    for (int64_t k = 0; k < count; k += 3) {
#pragma GCC unroll 4
        for (int l = 0; l < 4; l++, src += rows * src_pitch)
            thirds(v[l], src, src_pitch, item);
#pragma GCC unroll 4
        for (int i = 0; i < n; i++) {
            vec of[4] = {v[0][i], v[1][i], v[2][i], v[3][i]};

            three_lines(of);
#pragma GCC unroll 3
            for (int l = 0; l < 3; l++) {
                stream(line[i] + (k + l) * SVI_LINE, two_parts(last[i], parts[i], of[l], part));
                last[i] = of[l];
            }
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
        store(carry + i * SVI_LINE, last[i]);
}

static void shift_3(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 3, 2);
}

static void shift_6(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 6, 2);
}

static void shift_12(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 12, 4);
}

static void shift_24(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 24, 4);
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
