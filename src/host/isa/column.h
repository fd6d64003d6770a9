/*
 * Items anywhere in the source, step bytes apart, put together in a register: a
 * line is stored once, so that what limits the loads under way is not the room
 * that the processor has for stores. After channels.h, for the vectors of the file
 * that includes this, which has said
 *
 *     from_units(unit)    a vector of LANES units
 */
#ifndef SVI_HOST_COLUMN_H
#define SVI_HOST_COLUMN_H

typedef uint16_t two_bytes __attribute__((vector_size(SVI_UNIT)));
typedef uint32_t four_bytes __attribute__((vector_size(SVI_UNIT)));
typedef uint64_t eight_bytes __attribute__((vector_size(SVI_UNIT)));

SVI_INLINE uint8_t load_1(const char *src)
{
    return (uint8_t)*src;
}

SVI_INLINE uint16_t load_2(const char *src)
{
    uint16_t item;

    memcpy(&item, src, sizeof item);
    return item;
}

SVI_INLINE uint32_t load_4(const char *src)
{
    uint32_t item;

    memcpy(&item, src, sizeof item);
    return item;
}

SVI_INLINE uint64_t load_8(const char *src)
{
    uint64_t item;

    memcpy(&item, src, sizeof item);
    return item;
}

SVI_INLINE svi_unit unit_of_1(const char *a, int64_t step)
{
    const char *b = next(a, 4 * step), *c = next(b, 4 * step), *d = next(c, 4 * step);

    return (svi_unit){load_1(a), load_1(a + step), load_1(a + 2 * step), load_1(a + 3 * step),
                      load_1(b), load_1(b + step), load_1(b + 2 * step), load_1(b + 3 * step),
                      load_1(c), load_1(c + step), load_1(c + 2 * step), load_1(c + 3 * step),
                      load_1(d), load_1(d + step), load_1(d + 2 * step), load_1(d + 3 * step)};
}

SVI_INLINE svi_unit unit_of_2(const char *a, int64_t step)
{
    const char *b = next(a, 4 * step);

    return (svi_unit)(two_bytes){load_2(a), load_2(a + step), load_2(a + 2 * step), load_2(a + 3 * step),
                                 load_2(b), load_2(b + step), load_2(b + 2 * step), load_2(b + 3 * step)};
}

SVI_INLINE svi_unit unit_of(const char *src, int64_t step, int item)
{
    svi_unit whole;

    switch (item) {
    case 1: return unit_of_1(src, step);
    case 2: return unit_of_2(src, step);
    case 4:
        return (svi_unit)(four_bytes){load_4(src), load_4(src + step), load_4(src + 2 * step), load_4(src + 3 * step)};
    case 8: return (svi_unit)(eight_bytes){load_8(src), load_8(src + step)};
    default: memcpy(&whole, src, sizeof whole); return whole;
    }
}

/* The first cache is left to what is in use. */
SVI_INLINE void fetch_items(const char *src, int64_t step, int count)
{
#pragma GCC unroll 16
    for (int k = 0; k < count; k++) {
        __builtin_prefetch(src, 0, 2);
        src = next(src, step);
    }
}

/* Vectors of LANES units. */
SVI_INLINE void column_vectors(char *dst, const char *src, int64_t step, int64_t vectors, int64_t ahead, int item,
                               put_vector *put)
{
    for (; vectors > 0; vectors--) {
        svi_unit unit[LANES];

        if (ahead != 0)
            fetch_items(src + ahead, step, VECTOR / item);
#pragma GCC unroll 4
        for (int k = 0; k < LANES; k++) {
            unit[k] = unit_of(src, step, item);
            src = next(src, SVI_UNIT / item * step);
        }
        put(dst, from_units(unit));
        dst += VECTOR;
    }
}

/* Small items unit by unit: a vector of them has more addresses than there are registers. */
SVI_INLINE void column_units(char *dst, const char *src, int64_t step, int64_t units, int64_t ahead, int item,
                             bool streams)
{
    for (; units > 0; units--) {
        const svi_unit unit = unit_of(src, step, item);

        if (ahead != 0)
            fetch_items(src + ahead, step, SVI_UNIT / item);
        if (streams)
            stream_unit(dst, (const char *)&unit);
        else
            memcpy(dst, &unit, sizeof unit);
        dst += SVI_UNIT;
        src += SVI_UNIT / item * step;
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

/* Past the cache vectors begin where one can be stored; the ends go item by item. */
SVI_INLINE void column(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool past_cache,
                       int item)
{
    const int64_t before = (int64_t)(-(uintptr_t)dst % VECTOR);
    const bool streams = past_cache && before % item == 0 && before / item <= count;
    const int64_t head = streams ? before / item : 0, vectors = (count - head) * item / VECTOR;
    const int64_t done = head + vectors * VECTOR / item;

    svi_line(head, dst, item, src, step, (size_t)item);
    if (streams)
        column_body(dst + head * item, src + head * step, step, vectors, ahead, item, true);
    else
        column_body(dst, src, step, vectors, ahead, item, false);
    svi_line(count - done, dst + done * item, item, src + done * step, step, (size_t)item);
}

static void column_1(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool past_cache)
{
    column(dst, src, step, count, ahead, past_cache, 1);
}

static void column_2(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool past_cache)
{
    column(dst, src, step, count, ahead, past_cache, 2);
}

static void column_4(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool past_cache)
{
    column(dst, src, step, count, ahead, past_cache, 4);
}

static void column_8(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool past_cache)
{
    column(dst, src, step, count, ahead, past_cache, 8);
}

static void column_16(char *dst, const char *src, int64_t step, int64_t count, int64_t ahead, bool past_cache)
{
    column(dst, src, step, count, ahead, past_cache, 16);
}

#define SVI_COLUMNS                                                                                                   \
    {                                                                                                                 \
        column_1, column_2, column_4, column_8, column_16                                                             \
    }

#endif
