/*
 * Strided runs, for the vectors of the file that includes this; after channels.h: one element again and again (a stride
 * of 0 in the source), elements at any step of the source, elements at every second to fourth place of the destination.
 * The file has said from_units(unit): a vector of LANES units.
 */
#ifndef SVI_HOST_STRIDED_H
#define SVI_HOST_STRIDED_H

#include "host/base/words.h"
#include "numbers.h"

enum {
    FILL_PREFETCH_ROWS = 8,
    SCATTER_PREFETCH_BYTES = 2048 /* distance in the destination, which is read before it is written */
};

/* --- fills in cache --- */

/* By both ends of size bytes, a constant, which meet or overlap. */
SVI_INLINE void fill_ends(char *dst, struct svi_words w, int64_t nbytes, int64_t size)
{
    const vec v = all_lanes(w.low, w.high);
    char ends[2 * VECTOR];

    for (int64_t k = 0; k < size; k += VECTOR)
        store(ends + k, v);
    memcpy(dst, ends, (size_t)size);
    memcpy(dst + nbytes - size, ends, (size_t)size);
}

/* Two vectors or more. Those between the ends are aligned where elements are. */
SVI_INLINE void fill_long(char *dst, struct svi_words w, int64_t nbytes, int64_t item)
{
    const vec v = all_lanes(w.low, w.high);
    const uintptr_t head = -(uintptr_t)dst % VECTOR;
    char *const last = dst + nbytes - VECTOR;

    store(dst, v);
    dst += (head & (uintptr_t)(item - 1)) == 0 ? head : VECTOR;
    for (; last - dst >= 4 * VECTOR; dst += 4 * VECTOR)
#pragma GCC unroll 4
        for (int k = 0; k < 4 * VECTOR; k += VECTOR)
            store(dst + k, v);
    for (; dst < last; dst += VECTOR)
        store(dst, v);
    store(last, v);
}

SVI_INLINE void fill_rows_by(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows,
                             int64_t nbytes, int64_t item, int64_t size, bool fetches)
{
    for (; rows > 0; rows--, dst += dst_pitch, src += src_pitch) {
        const struct svi_words w = svi_words_of(src, (size_t)item);

        if (fetches)
            __builtin_prefetch(dst + FILL_PREFETCH_ROWS * dst_pitch, 1);
        if (size > VECTOR)
            fill_long(dst, w, nbytes, item);
        else
            fill_ends(dst, w, nbytes, size);
    }
}

static void fill_rows(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t rows, int64_t nbytes,
                      int64_t item)
{
    /* A row that is one store to two lines waits for both. */
    const bool waits = (nbytes == 32 || nbytes == 64) && (((uintptr_t)dst | (uint64_t)dst_pitch) & (nbytes - 1)) != 0;

    if (nbytes > 2 * VECTOR)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 2 * VECTOR, false);
    else if (nbytes >= 64 && VECTOR >= 64 && waits)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 64, true);
    else if (nbytes >= 64 && VECTOR >= 64)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 64, false);
    else if (nbytes == 32 && VECTOR >= 32 && waits)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 32, true);
    else if (nbytes >= 32 && VECTOR >= 32)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 32, false);
    else if (nbytes >= 16)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 16, false);
    else if (nbytes >= 8)
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 8, false);
    else
        fill_rows_by(dst, dst_pitch, src, src_pitch, rows, nbytes, item, 4, false);
}

/* --- strided loads: a line is stored once, so the room for stores does not limit how many loads are under way --- */

typedef uint16_t two_bytes __attribute__((vector_size(SVI_UNIT)));
typedef uint32_t four_bytes __attribute__((vector_size(SVI_UNIT)));
typedef uint64_t eight_bytes __attribute__((vector_size(SVI_UNIT)));

SVI_INLINE uint8_t load_1(const char *src)
{
    return *(const uint8_t *)src;
}

SVI_INLINE uint16_t load_2(const char *src)
{
    return *(const u16 *)src;
}

SVI_INLINE uint32_t load_4(const char *src)
{
    return *(const u32 *)src;
}

SVI_INLINE uint64_t load_8(const char *src)
{
    return *(const u64 *)src;
}

/* 16 bytes of elements of item bytes, a constant. */
SVI_INLINE svi_unit unit_of(const char *a, int64_t step, int item)
{
    const char *b, *c, *d;
    svi_unit whole;

    switch (item) {
    case 1:
        b = next(a, 4 * step), c = next(b, 4 * step), d = next(c, 4 * step);
        return (svi_unit){load_1(a), load_1(a + step), load_1(a + 2 * step), load_1(a + 3 * step),
                          load_1(b), load_1(b + step), load_1(b + 2 * step), load_1(b + 3 * step),
                          load_1(c), load_1(c + step), load_1(c + 2 * step), load_1(c + 3 * step),
                          load_1(d), load_1(d + step), load_1(d + 2 * step), load_1(d + 3 * step)};
    case 2:
        b = next(a, 4 * step);
        return (svi_unit)(two_bytes){load_2(a), load_2(a + step), load_2(a + 2 * step), load_2(a + 3 * step),
                                     load_2(b), load_2(b + step), load_2(b + 2 * step), load_2(b + 3 * step)};
    case 4: return (svi_unit)(four_bytes){load_4(a), load_4(a + step), load_4(a + 2 * step), load_4(a + 3 * step)};
    case 8: return (svi_unit)(eight_bytes){load_8(a), load_8(a + step)};
    default: memcpy(&whole, a, sizeof whole); return whole;
    }
}

/* To L2: L1 is left to what is in use. */
SVI_INLINE void prefetch_elements(const char *src, int64_t step, int count)
{
#pragma GCC unroll 16
    for (int k = 0; k < count; k++) {
        __builtin_prefetch(src, 0, 2);
        src = next(src, step);
    }
}

SVI_INLINE void column_vectors(char *dst, const char *src, int64_t step, int64_t vectors, int64_t ahead, int item,
                               put_vector *put)
{
    for (; vectors > 0; vectors--, dst += VECTOR) {
        svi_unit unit[LANES];

        if (ahead != 0)
            prefetch_elements(src + ahead, step, VECTOR / item);
#pragma GCC unroll 4
        for (int k = 0; k < LANES; k++) {
            unit[k] = unit_of(src, step, item);
            src = next(src, SVI_UNIT / item * step);
        }
        put(dst, from_units(unit));
    }
}

/* Small elements unit by unit: a vector of them has more addresses than there are registers. */
SVI_INLINE void column_units(char *dst, const char *src, int64_t step, int64_t units, int64_t ahead, int item,
                             bool streams)
{
    for (; units > 0; units--, dst += SVI_UNIT, src += SVI_UNIT / item * step) {
        const svi_unit unit = unit_of(src, step, item);

        if (ahead != 0)
            prefetch_elements(src + ahead, step, SVI_UNIT / item);
        if (streams)
            stream_unit(dst, (const char *)&unit);
        else
            memcpy(dst, &unit, sizeof unit);
    }
}

SVI_INLINE void column_body(char *dst, const char *src, int64_t step, int64_t vectors, int64_t ahead, int item,
                            bool streams)
{
    if (item < 4)
        column_units(dst, src, step, vectors * LANES, ahead, item, streams);
    else
        column_vectors(dst, src, step, vectors, ahead, item, streams ? stream : store);
}

/* Non-temporal stores begin with an aligned vector; head and tail go element by element. */
SVI_INLINE void column_of(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool beyond_cache,
                          int item)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % VECTOR);
    const bool streams = beyond_cache && before % item == 0 && before / item <= count;
    const int64_t head = streams ? before / item : 0, vectors = (count - head) * item / VECTOR;
    const int64_t done = head + vectors * VECTOR / item;

    svi_line(head, dst, item, src, step, (size_t)item);
    if (streams)
        column_body(dst + head * item, src + head * step, step, vectors, ahead, item, true);
    else
        column_body(dst, src, step, vectors, ahead, item, false);
    svi_line(count - done, dst + done * item, item, src + done * step, step, (size_t)item);
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

#ifdef SVI_MASKS
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
                __builtin_prefetch(line + SCATTER_PREFETCH_BYTES, 1);
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

#endif
