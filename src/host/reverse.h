/* Runs backwards, for the vectors of the file that includes this; after lanes.h. */
#ifndef SVI_HOST_REVERSE_H
#define SVI_HOST_REVERSE_H

/* The source is read forwards: that is what processors foresee. several: vectors at once, up to 4. */
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

/* Past the cache, in turns a line of each quarter; what is left over comes first. */
SVI_INLINE void quarters_backwards(char *dst, const char *end, int64_t nbytes, vec mask)
{
    const int64_t quarter = nbytes / (4 * SVI_LINE) * SVI_LINE;

    backwards(dst + 4 * quarter, end - 4 * quarter, nbytes - 4 * quarter, mask, 1, stream);
    for (int64_t k = quarter; k > 0; k -= SVI_LINE)
#pragma GCC unroll 4
        for (int q = 0; q < 4; q++)
            backwards(dst + q * quarter + k - SVI_LINE, end - q * quarter - k + SVI_LINE, SVI_LINE, mask, 1, stream);
}

static void reverse(char *dst, const char *end, int64_t nbytes, int item, bool past_cache, bool quarters)
{
    static const unsigned char bytes[][16] = {
        {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1},
        {12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3}, {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    };
    const vec mask = load_lanes((const char *)bytes[__builtin_ctz((unsigned)item)], 0);

    if (quarters)
        quarters_backwards(dst, end, nbytes, mask);
    else if (past_cache)
        backwards(dst, end, nbytes, mask, 1, stream);
    else
        backwards(dst, end, nbytes, mask, 4, store);
}

#endif
