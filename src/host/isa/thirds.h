/*
 * Items of 3, 6, 12 and 24 bytes, as many as are 12 bytes in each lane, or half of one: the short ones are spread to
 * items of 4 and 8 bytes, turned like those and drawn together again. After lanes.h, for vectors that have
 *
 *     all_lanes(low, high)
 *     pick(v, mask)        bytes of each lane; 128: 0
 *     closed_up(v)         the first 12 bytes of each lane, one after the other
 *     all_closed_up(v)     of four vectors, which become three
 */
#ifndef SVI_HOST_THIRDS_H
#define SVI_HOST_THIRDS_H

enum { THIRDS = 12 }; /* bytes of a lane that are used; all 16 are read */

/* Columns that are turned together, rows of a vector, vectors of three lines. */
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

/* Of rows of a vector. */
SVI_INLINE void thirds(vec *v, const char *src, int64_t pitch, int item)
{
    const int n = THIRD_COLUMNS(item);

    if (item == 2 * THIRDS) {
        const int64_t lane[] = {0, THIRDS, pitch, pitch + THIRDS};

        v[0] = load_rows(src, lane, 1);
        return;
    }
#pragma GCC unroll 4
    for (int k = 0; k < n; k++) {
        v[k] = load_lanes(src + k * pitch, n * pitch);
        if (n > 1)
            v[k] = pick(v[k], apart_mask(item));
    }
#pragma GCC unroll 2
    for (int k = 1; k < n; k *= 2)
        in_turns(v, n, 16 / n);
#pragma GCC unroll 4
    for (int k = 0; k < n; k++)
        if (n > 1)
            v[k] = pick(v[k], closer_mask(item));
}

/* What is behind each vector of the destination is under the next, and at the end under the next tile or for nobody. */
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

static void store_3(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    (void)down;
    third_tiles(dst, dst_pitch, src, src_pitch, count, 3);
}

static void store_6(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    (void)down;
    third_tiles(dst, dst_pitch, src, src_pitch, count, 6);
}

static void store_12(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    (void)down;
    third_tiles(dst, dst_pitch, src, src_pitch, count, 12);
}

static void store_24(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    (void)down;
    third_tiles(dst, dst_pitch, src, src_pitch, count, 24);
}

#define SVI_THIRD_TILE(item) {THIRD_VECTORS * THIRD_ROWS(item), THIRD_COLUMNS(item), store_##item}
#define SVI_THIRD_TILES                                                                                               \
    {                                                                                                                 \
        SVI_THIRD_TILE(3), SVI_THIRD_TILE(6), SVI_THIRD_TILE(12), SVI_THIRD_TILE(24)                                  \
    }

#endif
