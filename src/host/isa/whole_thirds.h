/*
 * Tiles of elements of 3, 6 and 12 bytes that read and write nothing but their elements, so that transposes in cache
 * need no buffer (cached.c). The tiles of unaligned.h read and write further. Each lane transposes 12 bytes of some
 * rows at a time. Four such quarters are 48 bytes of each column, which are three whole stores. After unaligned.h, for
 * vectors of two lanes that also have
 *
 *     load_ends(src, step)     load_lanes() that reads only 12 bytes of the second lane
 *     words_from(a, b, first)  a, with the 4-byte words of each lane of b from `first` on, a constant
 */
#ifndef SVI_HOST_ISA_WHOLE_THIRDS_H
#define SVI_HOST_ISA_WHOLE_THIRDS_H

enum { QUARTERS = 4 }; /* quarters of 48 bytes of a column */

/* The shuffle that moves the bytes of a quarter to their places in the stores: 12, 8 and 4, or 4, 8 and 12 of them. */
SVI_INLINE vec quarter_mask(int quarter, int item)
{
    switch (quarter) {
    case 0:
        return item == 3   ? all_lanes(0x0908060504020100, 0x808080800e0d0c0a)
               : item == 6 ? all_lanes(0x0908050403020100, 0x808080800d0c0b0a)
                           : all_lanes(0x0706050403020100, 0x808080800b0a0908);
    case 1:
        return item == 3   ? all_lanes(0x0e0d0c0a09080605, 0x0402010080808080)
               : item == 6 ? all_lanes(0x0d0c0b0a09080504, 0x0302010080808080)
                           : all_lanes(0x0b0a090807060504, 0x0302010080808080);
    case 2:
        return item == 3   ? all_lanes(0x808080800e0d0c0a, 0x0908060504020100)
               : item == 6 ? all_lanes(0x808080800d0c0b0a, 0x0908050403020100)
                           : all_lanes(0x808080800b0a0908, 0x0706050403020100);
    default:
        return item == 3   ? all_lanes(0x0402010080808080, 0x0e0d0c0a09080605)
               : item == 6 ? all_lanes(0x0302010080808080, 0x0d0c0b0a09080504)
                           : all_lanes(0x0302010080808080, 0x0b0a090807060504);
    }
}

/* Transposes a quarter: THIRD_COLUMNS(item) columns of as many rows in each lane. ends: reads nothing behind the last
 * column. */
SVI_INLINE void turn_quarter(vec *v, const char *src, int64_t pitch, int item, int quarter, bool ends)
{
    const int n = THIRD_COLUMNS(item);

    src += quarter * n * pitch;
#pragma GCC unroll 4
    for (int k = 0; k < n; k++)
        v[k] = ends ? load_ends(src + k * pitch, THIRDS) : load_lanes(src + k * pitch, THIRDS);
    turn_thirds(v, item);
#pragma GCC unroll 4
    for (int k = 0; k < n; k++)
        v[k] = pick(v[k], quarter_mask(quarter, item));
}

/* Stores 16 bytes of each column, of two quarters; those of the second begin at the word `first`. */
SVI_INLINE void store_columns(char *dst, int64_t pitch, const vec *a, const vec *b, int item, int first)
{
    const int n = THIRD_COLUMNS(item);

#pragma GCC unroll 4
    for (int k = 0; k < n; k++) {
        const vec v = words_from(a[k], b[k], first);

        store_lane(dst + k * pitch, v, 0);
        store_lane(dst + (n + k) * pitch, v, 1);
    }
}

/* Handles two quarters at a time, since more do not fit the registers. */
SVI_INLINE void whole_third_tile(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int item, bool ends)
{
    vec a[4], b[4];

    turn_quarter(a, src, src_pitch, item, 0, ends);
    turn_quarter(b, src, src_pitch, item, 1, ends);
    store_columns(dst, dst_pitch, a, b, item, 3);
    turn_quarter(a, src, src_pitch, item, 2, ends);
    store_columns(dst + SVI_UNIT, dst_pitch, b, a, item, 2);
    turn_quarter(b, src, src_pitch, item, 3, ends);
    store_columns(dst + 2 * SVI_UNIT, dst_pitch, a, b, item, 1);
}

SVI_INLINE void whole_third_tiles(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count,
                                  int item)
{
    const int n = LANES * THIRDS / item;

    for (; count > 1; count--, dst += n * dst_pitch, src += n * item)
        whole_third_tile(dst, dst_pitch, src, src_pitch, item, false);
    if (count > 0)
        whole_third_tile(dst, dst_pitch, src, src_pitch, item, true);
}

static void turn_whole_thirds(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count,
                              int64_t item)
{
    switch (item) {
    case 3: whole_third_tiles(dst, dst_pitch, src, src_pitch, count, 3); break;
    case 6: whole_third_tiles(dst, dst_pitch, src, src_pitch, count, 6); break;
    default: whole_third_tiles(dst, dst_pitch, src, src_pitch, count, 12); break;
    }
}

#endif
