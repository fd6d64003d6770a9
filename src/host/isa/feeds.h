/*
 * Whole lines of transposes beyond the cache, from a buffer or from the source itself, while the next block is brought;
 * after lanes.h.
 */
#ifndef SVI_HOST_FEEDS_H
#define SVI_HOST_FEEDS_H

/* buffered: a line goes to the buffer of its block; else to L1; further: what is ahead to the second. */
SVI_INLINE void feed_line(struct svi_feed *feed, bool buffered, bool further)
{
    if (buffered) {
        __builtin_prefetch(feed->ahead.at);
        for (int v = 0; v < SVI_LINE; v += VECTOR)
            store(feed->to + v, load(feed->from.at + v));
        feed->to += feed->step;
    } else {
        __builtin_prefetch(feed->from.at);
        if (further)
            __builtin_prefetch(feed->ahead.at, 0, 2);
    }
    feed->from.at += SVI_LINE;
    feed->ahead.at += SVI_LINE;
}

SVI_INLINE void feed_turn(struct svi_feed *feed, bool buffered)
{
    if (feed->ahead.at == feed->ahead.end)
        feed->ahead = feed->next_piece(feed->ahead_reader);
    if (feed->from.at == feed->from.end) {
        feed->from = feed->next_piece(feed->from_reader);
        if (buffered)
            feed->to += feed->turn;
    }
}

SVI_INLINE void feed_piece(struct svi_feed *feed, int count, bool buffered, bool further)
{
#pragma GCC unroll 16
    for (int k = 0; k < count; k++)
        feed_line(feed, buffered, further);
    feed_turn(feed, buffered);
}

/* count lines of a block, or none where it is complete. */
SVI_INLINE void feed_lines(struct svi_feed *feed, int count, bool buffered)
{
    const int64_t nbytes = count * SVI_LINE;

    if (feed->left == 0)
        return;
    feed->left -= count;
    if (feed->from.end - feed->from.at >= nbytes && feed->ahead.end - feed->ahead.at >= nbytes) {
        if (buffered || feed->further)
            feed_piece(feed, count, buffered, true);
        else
            feed_piece(feed, count, false, false);
        return;
    }
    for (int k = 0; k < count; k++) {
        feed_line(feed, buffered, feed->further);
        feed_turn(feed, buffered);
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

/* As columns() of lanes.h from rows anywhere: an address of each has to be read. */
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

SVI_INLINE void streams(char *dst, const int64_t *column, const char *src, int64_t src_pitch, int64_t count,
                        struct svi_feed *feed, int item)
{
    const int64_t first = 0;
    struct svi_feed near = *feed; /* in registers */

    for (; count > 0; count--) {
        feed_lines(&near, 16 / item, true);
        direct_tile(dst, column, src, &first, src_pitch, true, item, VECTOR, stream);
        dst += SVI_LINE;
        src += SVI_LINE / item * src_pitch;
    }
    *feed = near;
}

static void stream_packed(char *dst, const int64_t *column, const char *src, int64_t src_pitch, int64_t count,
                          struct svi_feed *feed, int64_t item)
{
    switch (item) {
    case 1: streams(dst, column, src, src_pitch, count, feed, 1); break;
    case 2: streams(dst, column, src, src_pitch, count, feed, 2); break;
    case 4: streams(dst, column, src, src_pitch, count, feed, 4); break;
    case 8: streams(dst, column, src, src_pitch, count, feed, 8); break;
    case 16: streams(dst, column, src, src_pitch, count, feed, 16); break;
    }
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

#define SVI_DIRECTS                                                                                                   \
    {                                                                                                                 \
        direct_1, direct_2, direct_4, direct_8, direct_16                                                             \
    }

#endif
