/*
 * Lines of rows that begin anywhere in one: each vector is put together of what a tile brings and of what it brought
 * before. After lanes.h and thirds.h, for files that have said
 *
 *     struct shift              what is known of a row;
 *     shift_of(carry, n, part)  at first, where its lines begin n bytes, or parts of 4, before it
 *     shifted(shift, v)         the next vector of its lines; shift.came: v, of a line the last
 *
 * and with SVI_SHIFTED_PAIRS also for parts of 2 bytes. With SVI_WIDE_TILES lines of the source are read once; for
 * these
 *
 *     store_from(line, n, v)    all but the first n bytes of v
 */
#ifndef SVI_HOST_SHIFT_H
#define SVI_HOST_SHIFT_H

/* part: bytes that dst is aligned to, 2 or 4. */
SVI_INLINE void shifts(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry, int item,
                       int part)
{
    const int rows = 16 / item;
    char *line[16];
    struct shift shift[16];
    vec v[VECTORS_OF_LINE][16];
    int64_t done = 0;

#pragma GCC unroll 16
    for (int i = 0; i < rows; i++) {
        const int64_t before = (int64_t)((uintptr_t)dst[i] % SVI_LINE);

        line[i] = dst[i] - before;
        shift[i] = shift_of(carry + i * SVI_LINE, before, part);
    }
    do {
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS_OF_LINE; k++)
            columns(v[k], src + k * (VECTOR / item) * src_pitch, src_pitch, item);
#pragma GCC unroll 16
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
            for (int k = 0; k < VECTORS_OF_LINE; k++)
                stream(line[i] + done * SVI_LINE + k * VECTOR, shifted(&shift[i], v[k][i]));
        src += SVI_LINE / item * src_pitch;
    } while (++done < count);
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS_OF_LINE; k++)
            store(carry + i * SVI_LINE + k * VECTOR, shift[i].came[k]);
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

/* The same of items of 3, 6, 12 or 24 bytes: count is a multiple of three lines. */
SVI_INLINE void shift_thirds(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry, int item,
                             int part)
{
    const int n = THIRD_COLUMNS(item), rows = THIRD_ROWS(item);
    char *line[4];
    struct shift shift[4];
    vec v[THIRD_VECTORS][4];

#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
        const int64_t before = (int64_t)((uintptr_t)dst[i] % SVI_LINE);

        line[i] = dst[i] - before;
        shift[i] = shift_of(carry + i * SVI_LINE, before, part);
    }
    for (int64_t k = 0; k < count; k += 3) {
#pragma GCC unroll 8
        for (int l = 0; l < THIRD_VECTORS; l++, src += rows * src_pitch)
            thirds(v[l], src, src_pitch, item);
#pragma GCC unroll 4
        for (int i = 0; i < n; i++)
#pragma GCC unroll 2
            for (int h = 0; h < VECTORS_OF_LINE; h++) {
                vec of[4] = {v[4 * h][i], v[4 * h + 1][i], v[4 * h + 2][i], v[4 * h + 3][i]};

                all_closed_up(of);
#pragma GCC unroll 3
                for (int l = 0; l < 3; l++)
                    stream(line[i] + k * SVI_LINE + (3 * h + l) * VECTOR, shifted(&shift[i], of[l]));
            }
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++)
#pragma GCC unroll 2
        for (int h = 0; h < VECTORS_OF_LINE; h++)
            store(carry + i * SVI_LINE + h * VECTOR, shift[i].came[h]);
}

static void shift_12(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 12, 4);
}

static void shift_24(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 24, 4);
}

#ifdef SVI_SHIFTED_PAIRS
static void shift_2(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shifts(dst, src, src_pitch, count, carry, 2, 2);
}

static void shift_3(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 3, 2);
}

static void shift_6(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 6, 2);
}
#endif

#ifdef SVI_WIDE_TILES
enum { CARRY_AHEAD = 256 }; /* bytes of rows fetched before they are needed */

/* first: nothing came before. */
SVI_INLINE void carries(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, char *carry,
                        bool first, int item)
{
    const int columns = SVI_LINE / item;
    vec line[32];

    for (; count > 0; count--) {
#pragma GCC unroll 32
        for (int i = 0; i < columns; i++)
            fetch_line(src + i * src_pitch + CARRY_AHEAD, false);
        turn_lines(line, src, src_pitch, item);
#pragma GCC unroll 32
        for (int i = 0; i < columns; i++) {
            char *to = dst + i * dst_pitch, *kept = carry + i * SVI_LINE;
            const int64_t before = (int64_t)((uintptr_t)to % SVI_LINE);
            struct shift shift = shift_of(kept, before, item < 4 ? item : 4);

            if (first)
                store_from(to - before, before, shifted(&shift, line[i]));
            else
                stream(to - before, shifted(&shift, line[i]));
            store(kept, line[i]);
        }
        first = false;
        dst += SVI_LINE;
        src += columns * src_pitch;
    }
}

static void carry_2(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, char *carry,
                    bool first)
{
    carries(dst, dst_pitch, src, src_pitch, count, carry, first, 2);
}

static void carry_4(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, char *carry,
                    bool first)
{
    carries(dst, dst_pitch, src, src_pitch, count, carry, first, 4);
}

static void carry_8(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, char *carry,
                    bool first)
{
    carries(dst, dst_pitch, src, src_pitch, count, carry, first, 8);
}

static void carry_16(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, char *carry,
                     bool first)
{
    carries(dst, dst_pitch, src, src_pitch, count, carry, first, 16);
}

#define SVI_CARRIES                                                                                                   \
    {                                                                                                                 \
        NULL, carry_2, carry_4, carry_8, carry_16                                                                     \
    }
#endif

#endif
