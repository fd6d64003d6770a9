/*
 * Tiles for any vector of 16-byte lanes. The file that includes this has said
 * what a vector is:
 *
 *     vec                          the type; LANES of 16 bytes
 *     STORE_VECTORS                of a destination row that a tile in cache has
 *     load_lanes(src, step)        16 bytes each from src, src + step, ...
 *     load_rows(src, row, step)    from src + row[0], src + row[step], ...
 *     low(a, b, item)              in each lane the lower half of a and of b, items in turns
 *     high(a, b, item)             the upper half
 *     store(dst, v), stream(dst, v)
 *
 * and with SVI_WIDE_TILES, for vectors of four lanes:
 *
 *     load_halves(src, step)       32 bytes each from src and src + step
 *     even(a, b), odd(a, b)        lanes 0 and 2, 1 and 3, of a and then of b
 */
#ifndef SVI_HOST_LANES_H
#define SVI_HOST_LANES_H

#include "isa.h"

enum { VECTOR = 16 * LANES, VECTORS_OF_LINE = SVI_LINE / VECTOR, ROW = STORE_VECTORS * VECTOR };

typedef void put_vector(char *dst, vec v);

/* Done log2(n) times this transposes n items of n rows in each lane. */
SVI_INLINE void in_turns(vec *v, int n, int item)
{
    vec t[16];

#pragma GCC unroll 8
    for (int k = 0; k < n / 2; k++) {
        t[2 * k] = low(v[k], v[k + n / 2], item);
        t[2 * k + 1] = high(v[k], v[k + n / 2], item);
    }
#pragma GCC unroll 16
    for (int k = 0; k < n; k++)
        v[k] = t[k];
}

/* 16 bytes of each of VECTOR / item rows become 16 / item vectors. */
SVI_INLINE void columns(vec *v, const char *src, int64_t pitch, int item)
{
    const int n = 16 / item;

#pragma GCC unroll 16
    for (int k = 0; k < n; k++)
        v[k] = load_lanes(src + k * pitch, n * pitch);
#pragma GCC unroll 4
    for (int k = 1; k < n; k *= 2)
        in_turns(v, n, item);
}

/* 16 bytes of each row. */
SVI_INLINE void narrow_tile(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int item)
{
    const int rows = 16 / item;
    vec v[STORE_VECTORS][16];

#pragma GCC unroll 4
    for (int k = 0; k < STORE_VECTORS; k++)
        columns(v[k], src + k * (VECTOR / item) * src_pitch, src_pitch, item);
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int k = 0; k < STORE_VECTORS; k++)
            store(dst + i * dst_pitch + k * VECTOR, v[k][i]);
}

#ifdef SVI_WIDE_TILES
#define TILE_BYTES(item) ((item) == 1 || (item) == 16 ? 16 : 32)

/* 32 bytes of each row: half the loads, and no more of all else. */
SVI_INLINE void wide_tile(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int item)
{
    const int n = 16 / item;
    vec a[8], b[8];

#pragma GCC unroll 8
    for (int k = 0; k < n; k++) {
        a[k] = load_halves(src + k * src_pitch, n * src_pitch);
        b[k] = load_halves(src + (k + 2 * n) * src_pitch, n * src_pitch);
    }
#pragma GCC unroll 4
    for (int k = 1; k < n; k *= 2) {
        in_turns(a, n, item);
        in_turns(b, n, item);
    }
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) {
        store(dst + i * dst_pitch, even(a[i], b[i]));
        store(dst + (i + n) * dst_pitch, odd(a[i], b[i]));
    }
}

SVI_INLINE void tile(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int item)
{
    if (TILE_BYTES(item) == 16)
        narrow_tile(dst, dst_pitch, src, src_pitch, item);
    else
        wide_tile(dst, dst_pitch, src, src_pitch, item);
}
#else
#define TILE_BYTES(item) 16

SVI_INLINE void tile(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int item)
{
    narrow_tile(dst, dst_pitch, src, src_pitch, item);
}
#endif

SVI_INLINE void tiles(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down,
                      int item)
{
    if (down)
        for (; count > 0; count--) {
            tile(dst, dst_pitch, src, src_pitch, item);
            dst += ROW;
            src += ROW / item * src_pitch;
        }
    else
        for (; count > 0; count--) {
            tile(dst, dst_pitch, src, src_pitch, item);
            dst += TILE_BYTES(item) / item * dst_pitch;
            src += TILE_BYTES(item);
        }
}

static void store_1(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    tiles(dst, dst_pitch, src, src_pitch, count, down, 1);
}

static void store_2(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    tiles(dst, dst_pitch, src, src_pitch, count, down, 2);
}

static void store_4(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    tiles(dst, dst_pitch, src, src_pitch, count, down, 4);
}

static void store_8(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    tiles(dst, dst_pitch, src, src_pitch, count, down, 8);
}

static void store_16(char *dst, int64_t dst_pitch, const char *src, int64_t src_pitch, int64_t count, bool down)
{
    tiles(dst, dst_pitch, src, src_pitch, count, down, 16);
}

/* What is less than a vector at the end of a row goes in units, the last of them over the one before. */
static void copy_rows(char *dst, int64_t dst_pitch, const char *src, const int64_t *row, int64_t rows, int64_t nbytes)
{
    for (int64_t r = 0; r < rows; r++) {
        const char *from = src + row[r];
        int64_t k = 0;

        for (; k + VECTOR <= nbytes; k += VECTOR)
            store(dst + k, load(from + k));
        for (; k + SVI_UNIT <= nbytes; k += SVI_UNIT)
            memcpy(dst + k, from + k, SVI_UNIT);
        if (k < nbytes)
            memcpy(dst + nbytes - SVI_UNIT, from + nbytes - SVI_UNIT, SVI_UNIT);
        dst += dst_pitch;
    }
}

/* buffered: a line goes to the buffer of its block; else to the first cache, and what is ahead to the second. */
SVI_INLINE void feed_line(struct svi_feed *feed, bool buffered)
{
    if (buffered) {
        __builtin_prefetch(feed->ahead.at);
        for (int v = 0; v < SVI_LINE; v += VECTOR)
            store(feed->to + v, load(feed->from.at + v));
        feed->to += SVI_LINE;
    } else {
        __builtin_prefetch(feed->from.at);
        __builtin_prefetch(feed->ahead.at, 0, 2);
    }
    feed->from.at += SVI_LINE;
    feed->ahead.at += SVI_LINE;
}

SVI_INLINE void feed_turn(struct svi_feed *feed)
{
    if (feed->ahead.at == feed->ahead.end)
        feed->ahead = svi_reader_next(feed->ahead_reader);
    if (feed->from.at == feed->from.end) {
        feed->from = svi_reader_next(feed->from_reader);
        feed->to += feed->gap;
    }
}

/* count lines of a block, or none where it is complete. */
SVI_INLINE void feed_lines(struct svi_feed *feed, int count, bool buffered)
{
    const int64_t nbytes = count * SVI_LINE;

    if (feed->left == 0)
        return;
    feed->left -= count;
    if (feed->from.end - feed->from.at >= nbytes && feed->ahead.end - feed->ahead.at >= nbytes) {
#pragma GCC unroll 16
        for (int k = 0; k < count; k++)
            feed_line(feed, buffered);
        feed_turn(feed);
        return;
    }
    for (int k = 0; k < count; k++) {
        feed_line(feed, buffered);
        feed_turn(feed);
    }
}

static void feed_block(struct svi_feed *feed)
{
    while (feed->left > 0)
        feed_lines(feed, 1, true);
}

static void fetch_block(struct svi_feed *feed)
{
    while (feed->left > 0)
        feed_lines(feed, 1, false);
}

SVI_INLINE void streams(char *dst, const int64_t *row, const char *src, int64_t src_pitch, int64_t count,
                        struct svi_feed *feed, int item)
{
    const int rows = 16 / item;
    struct svi_feed near = *feed; /* in registers */
    vec v[4][16];

    for (; count > 0; count--) {
        feed_lines(&near, rows, true);
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS_OF_LINE; k++)
            columns(v[k], src + k * (VECTOR / item) * src_pitch, src_pitch, item);
#pragma GCC unroll 16
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
            for (int k = 0; k < VECTORS_OF_LINE; k++)
                stream(dst + row[i] + k * VECTOR, v[k][i]);
        dst += SVI_LINE;
        src += SVI_LINE / item * src_pitch;
    }
    *feed = near;
}

static void stream_1(char *dst, const int64_t *row, const char *src, int64_t src_pitch, int64_t count,
                     struct svi_feed *feed)
{
    streams(dst, row, src, src_pitch, count, feed, 1);
}

static void stream_2(char *dst, const int64_t *row, const char *src, int64_t src_pitch, int64_t count,
                     struct svi_feed *feed)
{
    streams(dst, row, src, src_pitch, count, feed, 2);
}

static void stream_4(char *dst, const int64_t *row, const char *src, int64_t src_pitch, int64_t count,
                     struct svi_feed *feed)
{
    streams(dst, row, src, src_pitch, count, feed, 4);
}

static void stream_8(char *dst, const int64_t *row, const char *src, int64_t src_pitch, int64_t count,
                     struct svi_feed *feed)
{
    streams(dst, row, src, src_pitch, count, feed, 8);
}

static void stream_16(char *dst, const int64_t *row, const char *src, int64_t src_pitch, int64_t count,
                     struct svi_feed *feed)
{
    streams(dst, row, src, src_pitch, count, feed, 16);
}

/* The same from rows anywhere: an address of each has to be read. */
SVI_INLINE void columns_of_rows(vec *v, const char *src, const int64_t *row, int item)
{
    const int n = 16 / item;

#pragma GCC unroll 16
    for (int k = 0; k < n; k++)
        v[k] = load_rows(src, row + k, n);
#pragma GCC unroll 4
    for (int k = 1; k < n; k *= 2)
        in_turns(v, n, item);
}

/* 16 bytes of rows of the source to 16 / item rows of the destination, of each so many bytes for a vector. */
SVI_INLINE void direct_tile(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                            bool even, int item, int nbytes, put_vector *put)
{
    const int rows = 16 / item, rows_of_vector = VECTOR / item;
    vec v[4][16];

#pragma GCC unroll 4
    for (int k = 0; k < VECTORS_OF_LINE; k++)
        if (even)
            columns(v[k], src + row[0] + k * rows_of_vector * pitch, pitch, item);
        else
            columns_of_rows(v[k], src, row + k * rows_of_vector, item);
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS_OF_LINE; k++)
            put(dst + column[i] + k * nbytes, v[k][i]);
}

/* Few rows of the destination take turns; where items are long, lines of the source are read whole. */
SVI_INLINE void direct_tiles(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                             int64_t count, struct svi_feed *feed, bool even, int item, int nbytes, put_vector *put)
{
    const int width = item < 8 ? 16 : SVI_LINE;
    struct svi_feed near = *feed;

    for (int64_t k = 0; k < SVI_LINE; k += width)
        for (int64_t r = 0; r < count; r++)
#pragma GCC unroll 4
            for (int i = 0; i < width; i += 16) {
                feed_lines(&near, 16 / item, false);
                direct_tile(dst + r * VECTORS_OF_LINE * nbytes, column + (k + i) / item, src + k + i,
                            row + r * (SVI_LINE / item), pitch, even, item, nbytes, put);
            }
    *feed = near;
}

SVI_INLINE void directs(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                        int64_t count, struct svi_feed *feed, int item)
{
    if (pitch != 0)
        direct_tiles(dst, column, src, row, pitch, count, feed, true, item, VECTOR, stream);
    else
        direct_tiles(dst, column, src, row, 0, count, feed, false, item, VECTOR, stream);
}

static void direct_1(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                     int64_t count, struct svi_feed *feed)
{
    directs(dst, column, src, row, pitch, count, feed, 1);
}

static void direct_2(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                     int64_t count, struct svi_feed *feed)
{
    directs(dst, column, src, row, pitch, count, feed, 2);
}

static void direct_4(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                     int64_t count, struct svi_feed *feed)
{
    directs(dst, column, src, row, pitch, count, feed, 4);
}

static void direct_8(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                     int64_t count, struct svi_feed *feed)
{
    directs(dst, column, src, row, pitch, count, feed, 8);
}

static void direct_16(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                     int64_t count, struct svi_feed *feed)
{
    directs(dst, column, src, row, pitch, count, feed, 16);
}

#define SVI_STORE_TILE(item) {ROW / (item), TILE_BYTES(item) / (item), store_##item}
#define SVI_STORE_TILES                                                                                               \
    {                                                                                                                 \
        SVI_STORE_TILE(1), SVI_STORE_TILE(2), SVI_STORE_TILE(4), SVI_STORE_TILE(8), SVI_STORE_TILE(16)                \
    }
#define SVI_STREAMS                                                                                                   \
    {                                                                                                                 \
        stream_1, stream_2, stream_4, stream_8, stream_16                                                             \
    }
#define SVI_DIRECTS                                                                                                   \
    {                                                                                                                 \
        direct_1, direct_2, direct_4, direct_8, direct_16                                                             \
    }

#endif
