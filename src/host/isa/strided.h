/*
 * Strided runs: elements at any step in the source, elements at every second to fourth place in the destination, and
 * reversed runs. For the vectors of the file that includes this, which has defined from_units(unit), a vector of LANES
 * units; after channels.h.
 */
#ifndef SVI_HOST_STRIDED_H
#define SVI_HOST_STRIDED_H

#include "dtype/numbers.h"

enum { SCATTER_PREFETCH_BYTES = 2048 }; /* prefetch distance in the destination, whose lines are read before stores */

/* --- strided loads -------------------------------------------------------------- */

/* Elements are collected in registers and each line is stored once, so that the store buffer does not limit the number
 * of loads in flight. */

typedef uint16_t two_bytes __attribute__((vector_size(SVI_UNIT)));
typedef uint32_t four_bytes __attribute__((vector_size(SVI_UNIT)));
typedef uint64_t eight_bytes __attribute__((vector_size(SVI_UNIT)));

/* Collects 16 bytes of elements. item is a constant. */
SVI_INLINE svi_unit unit_of(const char *src, int64_t step, int item)
{
    svi_unit one = {0};
    two_bytes two = {0};
    four_bytes four = {0};
    eight_bytes eight = {0};

#pragma GCC unroll 16
    for (int k = 0; k < SVI_UNIT / item; k++, src = next(src, step))
        switch (item) {
        case 1: one[k] = *(const uint8_t *)src; break;
        case 2: two[k] = *(const u16 *)src; break;
        case 4: four[k] = *(const u32 *)src; break;
        case 8: eight[k] = *(const u64 *)src; break;
        default: memcpy(&one, src, sizeof one); break;
        }
    switch (item) {
    case 2: return (svi_unit)two;
    case 4: return (svi_unit)four;
    case 8: return (svi_unit)eight;
    default: return one;
    }
}

/* Prefetches to L2, so that L1 keeps what is in use. */
SVI_INLINE void prefetch_elements(const char *src, int64_t step, int count)
{
#pragma GCC unroll 16
    for (int k = 0; k < count; k++) {
        svi_prefetch_l2(src);
        src = next(src, step);
    }
}

/* Non-temporal stores begin at an aligned vector; head and tail are copied element by element. item is a constant. */
SVI_INLINE void column_of(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool beyond_cache,
                          int item)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % VECTOR), each = VECTOR / item;
    const bool streams = beyond_cache && before % item == 0 && before / item <= count;
    const int64_t head = streams ? before / item : 0;

    svi_line(head, dst, item, src, step, (size_t)item);
    dst += head * item;
    src += head * step;
    for (count -= head; count >= each; count -= each, dst += VECTOR) {
        svi_unit unit[LANES];

        if (ahead != 0)
            prefetch_elements(src + ahead, step, VECTOR / item);
#pragma GCC unroll 4
        for (int k = 0; k < LANES; k++) {
            unit[k] = unit_of(src, step, item);
            src = next(src, SVI_UNIT / item * step);
        }
        if (streams)
            stream(dst, from_units(unit));
        else
            store(dst, from_units(unit));
    }
    svi_line(count, dst, item, src, step, (size_t)item);
}

static void column(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool beyond_cache, int item)
{
    switch (item) {
    case 1: column_of(dst, src, step, count, ahead, beyond_cache, 1); break;
    case 2: column_of(dst, src, step, count, ahead, beyond_cache, 2); break;
    case 4: column_of(dst, src, step, count, ahead, beyond_cache, 4); break;
    case 8: column_of(dst, src, step, count, ahead, beyond_cache, 8); break;
    default: column_of(dst, src, step, count, ahead, beyond_cache, 16); break;
    }
}

/* --- masked strided stores --- */

#ifdef SVI_AVX512
SVI_INLINE void scatter_by(const struct svi_spread *s, char *dst, const char *src, int64_t nbytes, int lines)
{
    vec word[SVI_CHANNELS];

    for (int c = 0; c < lines; c++)
        word[c] = load((const char *)s->word[c]);
    for (int64_t k = 0; k < nbytes; k += SVI_LINE) {
        const vec v = load(src + k);

#pragma GCC unroll 4
        for (int c = 0; c < lines; c++) {
            char *line = dst + k * lines + c * SVI_LINE;

            if (s->beyond_cache)
                svi_prefetch_store(line + SCATTER_PREFETCH_BYTES);
            _mm512_mask_storeu_epi32(line, s->there[c], _mm512_permutexvar_epi32(word[c], v));
        }
    }
}

static void scatter(const struct svi_spread *s, char *dst, const char *src, int64_t nbytes)
{
    switch (s->lines) {
    case 2: scatter_by(s, dst, src, nbytes, 2); break;
    case 3: scatter_by(s, dst, src, nbytes, 3); break;
    default: scatter_by(s, dst, src, nbytes, 4); break;
    }
}
#endif

/* --- reversed runs -------------------------------------------------------------- */

/* The source is read forwards, as hardware prefetchers expect. */

#ifndef SVI_NO_BYTE_SHUFFLE
enum { LANE = 16 }; /* bytes of a lane */

/* Reverses whole vectors in front of end. several: vectors at a time, up to 4. */
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

/* Reverses by non-temporal stores, a line of each quarter alternately. The remainder comes first. */
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

/* The byte shuffle of a lane that ends with the run, for elements of other sizes. 128 gives 0. */
SVI_INLINE vec odd_mask(int item)
{
    const int each = LANE / item;
    unsigned char bytes[LANE];

    for (int b = 0; b < LANE; b++)
        bytes[b] = (unsigned char)(b < each * item ? LANE - (b / item + 1) * item + b % item : 128);
    return load_lanes((const char *)bytes, 0);
}

/* Reverses a number of lanes, a constant. Returns the number of elements in them. */
SVI_INLINE int64_t odd_lanes(char *dst, const char *end, vec mask, int item, int lanes)
{
    const int nbytes = LANE / item * item;
    const vec v = pick(load_lanes(end - LANE, lanes > 1 ? -nbytes : 0), mask);

#pragma GCC unroll 4
    for (int lane = 0; lane < lanes; lane++)
        store_lane(dst + lane * nbytes, v, lane);
    return lanes * (LANE / item);
}

/* The bytes that a lane stores behind its elements are overwritten by the next lane. The bytes loaded before them are
 * in the row, except for the last elements, which are copied one by one. */
SVI_INLINE void odd_rows(struct svi_rows r, int item)
{
    const vec mask = odd_mask(item);
    const int64_t count = r.nbytes / item;

    for (; r.count > 0; svi_next_rows(&r, 1)) {
        int64_t k = 0;

        while (count - k > LANES * (LANE / item))
            k += odd_lanes(r.dst + k * item, r.src - k * item, mask, item, LANES);
        while (count - k > LANE / item)
            k += odd_lanes(r.dst + k * item, r.src - k * item, mask, item, 1);
        for (; k < count; k++)
            memcpy(r.dst + k * item, r.src - (k + 1) * item, (size_t)item);
    }
}

/* Reverses a vector or more in front of end. The last vector overlaps the one before. */
SVI_INLINE void whole_vectors(char *dst, const char *end, int64_t nbytes, vec mask)
{
    const int64_t rest = nbytes % VECTOR;

    backwards(dst + rest, end - rest, nbytes - rest, mask, 1, store);
    if (rest > 0)
        store(dst, pick(lanes_backwards(load(end - VECTOR)), mask));
}

/* Reverses less than a vector, by lanes. */
SVI_INLINE void whole_lanes(char *dst, const char *end, int64_t nbytes, vec mask)
{
    int64_t k = 0;

    for (; k + LANE <= nbytes; k += LANE)
        store_lane(dst + k, pick(load_lanes(end - k - LANE, 0), mask), 0);
    if (k < nbytes)
        store_lane(dst + nbytes - LANE, pick(load_lanes(end - nbytes, 0), mask), 0);
}

static void reverse_rows(const struct svi_rows *rows, int item)
{
    struct svi_rows r = *rows;
    const vec mask = even_mask(item & -item);

    switch (item) {
    case 3: odd_rows(r, 3); break;
    case 5: odd_rows(r, 5); break;
    case 6: odd_rows(r, 6); break;
    case 7: odd_rows(r, 7); break;
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
    case 15: odd_rows(r, item); break;
    default:
        for (; r.count > 0; svi_next_rows(&r, 1))
            if (r.nbytes >= VECTOR)
                whole_vectors(r.dst, r.src, r.nbytes, mask);
            else
                whole_lanes(r.dst, r.src, r.nbytes, mask);
    }
}

#endif

#endif
