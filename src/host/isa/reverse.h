/*
 * Reversed runs, for the vectors of the file that includes this; after lanes.h. The source is read forwards, which is
 * what processors prefetch, and the lanes of each vector and the elements of each lane change their order.
 */
#ifndef SVI_HOST_REVERSE_H
#define SVI_HOST_REVERSE_H

enum { LANE = 16 }; /* bytes */

/* several: vectors at once, up to 4. */
SVI_INLINE void backwards(char *dst, const char *end, int64_t nbytes, vec mask, int several, put_vector *put)
{
    int64_t k = nbytes;

    for (; k >= several * VECTOR; k -= several * VECTOR)
#pragma GCC unroll 4
        for (int v = 1; v <= several; v++)
            put(dst + k - v * VECTOR, pick(lanes_backwards(load(end - k + (v - 1) * VECTOR)), mask));
    for (; k > 0; k -= VECTOR)
        put(dst + k - VECTOR, pick(lanes_backwards(load(end - k)), mask));
}

/* By non-temporal stores, alternately a line of each quarter; what is left over comes first. */
SVI_INLINE void quarters_backwards(char *dst, const char *end, int64_t nbytes, vec mask)
{
    const int64_t quarter = nbytes / (4 * SVI_LINE) * SVI_LINE;

    backwards(dst + 4 * quarter, end - 4 * quarter, nbytes - 4 * quarter, mask, 1, stream);
    for (int64_t k = quarter; k > 0; k -= SVI_LINE)
#pragma GCC unroll 4
        for (int q = 0; q < 4; q++)
            backwards(dst + q * quarter + k - SVI_LINE, end - q * quarter - k + SVI_LINE, SVI_LINE, mask, 1, stream);
}

/* The byte shuffle of a lane for elements of a power of 2 of bytes. */
SVI_INLINE vec even_mask(int item)
{
    static const unsigned char bytes[][LANE] = {
        {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1},
        {12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3}, {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    };

    return load_lanes((const char *)bytes[__builtin_ctz((unsigned)item)], 0);
}

static void reverse(char *dst, const char *end, int64_t nbytes, int item, bool beyond_cache, bool quarters)
{
    const vec mask = even_mask(item);

    if (quarters)
        quarters_backwards(dst, end, nbytes, mask);
    else if (beyond_cache)
        backwards(dst, end, nbytes, mask, 1, stream);
    else
        backwards(dst, end, nbytes, mask, 4, store);
}

/* The same for other sizes, of a lane that ends with the run; 128 gives 0. */
SVI_INLINE vec odd_mask(int item)
{
    const int each = LANE / item;
    unsigned char bytes[LANE];

    for (int b = 0; b < LANE; b++)
        bytes[b] = (unsigned char)(b < each * item ? LANE - (b / item + 1) * item + b % item : 128);
    return load_lanes((const char *)bytes, 0);
}

/* So many lanes, a constant; returns how many elements these are. */
SVI_INLINE int64_t odd_lanes(char *dst, const char *end, vec mask, int item, int lanes)
{
    const int nbytes = LANE / item * item;
    const vec v = pick(load_lanes(end - LANE, lanes > 1 ? -nbytes : 0), mask);

#pragma GCC unroll 4
    for (int lane = 0; lane < lanes; lane++)
        store_lane(dst + lane * nbytes, v, lane);
    return lanes * (LANE / item);
}

/* What is stored behind the elements of a lane is overwritten by the next. What is loaded before them belongs to the
 * row, but for the last ones, which are copied one by one. */
SVI_INLINE void odd_rows(char *dst, int64_t dst_pitch, const char *end, int64_t src_pitch, int64_t rows, int64_t count,
                         int item)
{
    const vec mask = odd_mask(item);

    for (; rows > 0; rows--, dst += dst_pitch, end += src_pitch) {
        int64_t k = 0;

        while (count - k > LANES * (LANE / item))
            k += odd_lanes(dst + k * item, end - k * item, mask, item, LANES);
        while (count - k > LANE / item)
            k += odd_lanes(dst + k * item, end - k * item, mask, item, 1);
        for (; k < count; k++)
            memcpy(dst + k * item, end - (k + 1) * item, (size_t)item);
    }
}

/* A vector or more in front of end; the last vector overlaps the one before. */
SVI_INLINE void whole_vectors(char *dst, const char *end, int64_t nbytes, vec mask)
{
    const int64_t rest = nbytes % VECTOR;

    backwards(dst + rest, end - rest, nbytes - rest, mask, 1, store);
    if (rest > 0)
        store(dst, pick(lanes_backwards(load(end - VECTOR)), mask));
}

/* Less than a vector, by lanes. */
SVI_INLINE void whole_lanes(char *dst, const char *end, int64_t nbytes, vec mask)
{
    int64_t k = 0;

    for (; k + LANE <= nbytes; k += LANE)
        store_lane(dst + k, pick(load_lanes(end - k - LANE, 0), mask), 0);
    if (k < nbytes)
        store_lane(dst + nbytes - LANE, pick(load_lanes(end - nbytes, 0), mask), 0);
}

SVI_INLINE void even_rows(char *dst, int64_t dst_pitch, const char *end, int64_t src_pitch, int64_t rows,
                          int64_t nbytes, int item)
{
    const vec mask = even_mask(item);

    if (nbytes >= VECTOR)
        for (; rows > 0; rows--, dst += dst_pitch, end += src_pitch)
            whole_vectors(dst, end, nbytes, mask);
    else
        for (; rows > 0; rows--, dst += dst_pitch, end += src_pitch)
            whole_lanes(dst, end, nbytes, mask);
}

static void reverse_rows(char *dst, int64_t dst_pitch, const char *end, int64_t src_pitch, int64_t rows, int64_t count,
                         int item)
{
    switch (item) {
    case 1:
    case 2:
    case 4:
    case 8:
    case 16: even_rows(dst, dst_pitch, end, src_pitch, rows, count * item, item); break;
    case 3: odd_rows(dst, dst_pitch, end, src_pitch, rows, count, 3); break;
    case 5: odd_rows(dst, dst_pitch, end, src_pitch, rows, count, 5); break;
    case 6: odd_rows(dst, dst_pitch, end, src_pitch, rows, count, 6); break;
    default: odd_rows(dst, dst_pitch, end, src_pitch, rows, count, 7);
    }
}

#endif
