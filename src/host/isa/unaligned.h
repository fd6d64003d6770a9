/*
 * Tiles and funnel shifts for rows of the destination that begin anywhere in a line (unaligned.c). A funnel shift makes
 * each stored vector of the present vector of a tile and the one before. Elements of 3, 6, 12 and 24 bytes are spread
 * to elements of 4 and 8 bytes, 12 bytes of each lane at a time, transposed like those, and compacted again. After
 * lanes.h, for vectors that have
 *
 *     all_lanes(low, high)      the same 16 bytes in each lane
 *     pick(v, mask)             shuffles the bytes of each lane; 128 gives 0
 *     closed_up(v)              compacts the first 12 bytes of each lane
 *     all_closed_up(v)          compacts four vectors to three
 *     struct shift              the state of a row: its distance from a line, and in `came` the vector before
 *     shift_of(carry, n, part)  the state of a row that begins n bytes, or n parts of 4, behind a line
 *     shifted(shift, v)         the next vector to store
 *
 * and with SVI_AVX512 also for parts of 1 and 2 bytes.
 */
#ifndef SVI_HOST_ISA_UNALIGNED_H
#define SVI_HOST_ISA_UNALIGNED_H

/* --- elements of 3 * 2^k bytes --------------------------------------------------- */

enum { THIRDS = 12 }; /* bytes of a lane that are used; all 16 are read */

/* Columns that are transposed together, rows of a vector, and vectors of three lines. */
#define THIRD_COLUMNS(item) ((item) < THIRDS ? THIRDS / (item) : 1)
#define THIRD_ROWS(item) (LANES * THIRDS / (item))
#define THIRD_VECTORS (4 * VECTORS_OF_LINE)

SVI_INLINE vec apart_mask(int item)
{
    return item == 3 ? all_lanes(0x8005040380020100, 0x800b0a0980080706)
                     : all_lanes(0x8080050403020100, 0x80800b0a09080706);
}

SVI_INLINE vec closer_mask(int item)
{
    return item == 3 ? all_lanes(0x0908060504020100, 0x808080800e0d0c0a)
                     : all_lanes(0x0908050403020100, 0x808080800d0c0b0a);
}

/* Transposes rows in vectors, of 12 bytes in each lane. */
SVI_INLINE void turn_thirds(vec *v, int item)
{
    const int n = THIRD_COLUMNS(item);

#pragma GCC unroll 4
    for (int k = 0; k < n; k++)
        if (n > 1)
            v[k] = pick(v[k], apart_mask(item));
#pragma GCC unroll 2
    for (int k = 1; k < n; k *= 2)
        in_turns(v, n, 16 / n);
}

/* Loads and transposes the rows of a vector. */
SVI_INLINE void thirds(vec *v, const char *src, int64_t pitch, int item)
{
    const int n = THIRD_COLUMNS(item);

    if (item == 2 * THIRDS) {
        const int64_t lane[] = {0, THIRDS, pitch, pitch + THIRDS};

        v[0] = load_rows(src, lane, 1);
        return;
    }
#pragma GCC unroll 4
    for (int k = 0; k < n; k++)
        v[k] = load_lanes(src + k * pitch, n * pitch);
    turn_thirds(v, item);
#pragma GCC unroll 4
    for (int k = 0; k < n; k++)
        if (n > 1)
            v[k] = pick(v[k], closer_mask(item));
}

/* The bytes that a vector stores behind its elements are overwritten by the next vector or tile, or never read. */
SVI_INLINE void third_tiles(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, int item)
{
    const int n = THIRD_COLUMNS(item);
    vec v[4];

    for (; count > 0; count--) {
        for (int k = 0; k < THIRD_VECTORS; k++) {
            thirds(v, src + k * THIRD_ROWS(item) * src_pitch, src_pitch, item);
#pragma GCC unroll 4
            for (int i = 0; i < n; i++)
                store(dst + i * dst_pitch + k * LANES * THIRDS, closed_up(v[i]));
        }
        dst += n * dst_pitch;
        src += n * item;
    }
}

static void store_thirds(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, int64_t item)
{
    switch (item) {
    case 3: third_tiles(dst, dst_pitch, src, src_pitch, count, 3); break;
    case 6: third_tiles(dst, dst_pitch, src, src_pitch, count, 6); break;
    case 12: third_tiles(dst, dst_pitch, src, src_pitch, count, 12); break;
    default: third_tiles(dst, dst_pitch, src, src_pitch, count, 24); break;
    }
}

#define SVI_THIRD_TILE(item) {THIRD_VECTORS * THIRD_ROWS(item), THIRD_COLUMNS(item), store_thirds, NULL}
#define SVI_THIRD_TILES {SVI_THIRD_TILE(3), SVI_THIRD_TILE(6), SVI_THIRD_TILE(12), SVI_THIRD_TILE(24)}

/* --- funnel shifts ---------------------------------------------------------------- */

/* Transposes to columns that begin anywhere in a line. part: the alignment of dst, 1, 2 or 4 bytes. */
SVI_INLINE void shift_lines(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry, int item,
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

/* shift_lines() for items of 3, 6, 12 or 24 bytes. count is a multiple of three lines. */
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

static void shift_columns(char *const *dst, const char *src, int64_t src_pitch, int64_t count, char *carry,
                          int64_t item)
{
    switch (item) {
#ifdef SVI_AVX512
    case 2: shift_lines(dst, src, src_pitch, count, carry, 2, 2); break;
    case 3:
        if ((((uintptr_t)dst[0] | (uintptr_t)dst[1] | (uintptr_t)dst[2] | (uintptr_t)dst[3]) & 1) == 0)
            shift_thirds(dst, src, src_pitch, count, carry, 3, 2);
        else
            shift_thirds(dst, src, src_pitch, count, carry, 3, 1);
        break;
    case 6: shift_thirds(dst, src, src_pitch, count, carry, 6, 2); break;
#endif
    case 4: shift_lines(dst, src, src_pitch, count, carry, 4, 4); break;
    case 8: shift_lines(dst, src, src_pitch, count, carry, 8, 4); break;
    case 12: shift_thirds(dst, src, src_pitch, count, carry, 12, 4); break;
    case 16: shift_lines(dst, src, src_pitch, count, carry, 16, 4); break;
    case 24: shift_thirds(dst, src, src_pitch, count, carry, 24, 4); break;
    }
}

#endif
