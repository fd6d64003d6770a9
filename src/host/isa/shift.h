/*
 * Lines of rows that begin anywhere in one: each vector is put together of what a tile brings and of what it brought
 * before. After lanes.h and thirds.h, for files that have said
 *
 *     struct shift              what is known of a row;
 *     shift_of(carry, n, part)  at first, where its lines begin n bytes, or parts of 4, before it
 *     shifted(shift, v)         the next vector of its lines; shift.came: v, of a line the last
 *
 * and with SVI_SHIFTED_PAIRS also for parts of 1 and 2 bytes. With SVI_WIDE_TILES lines of the source are read once; for
 * these
 *
 *     store_bytes(line, n, m, v)  bytes n to m - 1 of v
 *     three_in_turns(v, unit)     units of 4 or 8 bytes of three vectors, one of each at a time
 */
#ifndef SVI_HOST_SHIFT_H
#define SVI_HOST_SHIFT_H

/* part: bytes that dst is aligned to, 1, 2 or 4. */
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
    const uintptr_t bits = (uintptr_t)dst[0] | (uintptr_t)dst[1] | (uintptr_t)dst[2] | (uintptr_t)dst[3];

    if (bits % 2 == 0)
        shift_thirds(dst, src, src_pitch, count, carry, 3, 2);
    else
        shift_thirds(dst, src, src_pitch, count, carry, 3, 1);
}

static void shift_6(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry)
{
    shift_thirds(dst, src, src_pitch, count, carry, 6, 2);
}
#endif

#ifdef SVI_WIDE_TILES
/* Bytes of the line that dst is in: of what came before those at src, which are a line or more, and of these. */
SVI_INLINE vec seam(const char *dst, const char *came, const char *src)
{
    struct shift shift = shift_of(came - SVI_LINE, (int64_t)((uintptr_t)dst % SVI_LINE), 1);

    return shifted(&shift, load(src));
}

static void stream_joined(char *dst, const char *src, int64_t pitch, int64_t rows, int64_t nbytes, int64_t ahead)
{
    const char *came = NULL;

    for (; rows > 0; rows--, src += pitch, dst += nbytes) {
        const int64_t before = (int64_t)((uintptr_t)dst % SVI_LINE);
        int64_t k = 0;

        for (int64_t line = 0; ahead != 0 && line < nbytes; line += SVI_LINE)
            fetch_line(src + ahead + line + SVI_LINE - 1, false);
        if (before != 0) {
            if (came != NULL)
                stream(dst - before, seam(dst, came, src));
            else
                store_bytes(dst - before, before, SVI_LINE, seam(dst, src + SVI_LINE, src));
            k = SVI_LINE - before;
        }
        for (; k + SVI_LINE <= nbytes; k += SVI_LINE)
            stream(dst + k, load(src + k));
        came = src + nbytes;
    }
    if ((uintptr_t)dst % SVI_LINE != 0)
        store_bytes(dst - (uintptr_t)dst % SVI_LINE, 0, (int64_t)((uintptr_t)dst % SVI_LINE),
                    seam(dst, came, came - SVI_LINE));
}

#endif

#endif
