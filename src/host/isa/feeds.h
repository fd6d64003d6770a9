/*
 * Whole lines of transposes beyond the cache, from a buffer or from the source itself, while the next block is brought;
 * after lanes.h.
 */
#ifndef SVI_HOST_FEEDS_H
#define SVI_HOST_FEEDS_H

/* buffered: a line goes to the buffer of its block; else to L1; further: what is ahead to L2. */
SVI_INLINE void feed_line(struct svi_feed *feed, bool buffered, bool further)
{
    if (buffered) {
        __builtin_prefetch(feed->ahead.at);
        for (int v = 0; v < SVI_LINE; v += VECTOR)
            store(feed->to + v, load(feed->from.at + v));
        feed->to += SVI_LINE;
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
        feed->ahead = feed->ahead_pieces->next(feed->ahead_pieces);
    if (feed->from.at == feed->from.end) {
        feed->from = feed->from_pieces->next(feed->from_pieces);
        if (buffered)
            feed->to += feed->from_pieces->skip;
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
    while (feed->packs && feed->left >= 8)
        feed_lines(feed, 8, true);
    while (feed->left > 0)
        if (feed->packs)
            feed_lines(feed, 1, true);
        else
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
SVI_INLINE void stream_tile(char *dst, const int64_t *column, const char *src, const int64_t *row, int64_t pitch,
                            int item, int nbytes, int how)
{
    const int rows = 16 / item, rows_of_vector = VECTOR / item;
    vec v[4][16];

#pragma GCC unroll 4
    for (int k = 0; k < VECTORS_OF_LINE; k++)
        if (row == NULL)
            columns(v[k], src + k * rows_of_vector * pitch, pitch, item);
        else
            columns_of_rows(v[k], src, row + k * rows_of_vector, item);
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS_OF_LINE; k++)
            put_by(dst + column[i] + k * nbytes, v[k][i], how);
}

/* Few rows of the destination take turns; where items are long, lines of the source are read whole. */
SVI_INLINE void stream_tiles_by(const struct svi_line_tiles *tiles, struct svi_feed *feed, bool packed, bool even,
                                int item, int nbytes, int how)
{
    const int width = packed || item < 8 ? 16 : SVI_LINE, line = SVI_LINE / item;
    const struct svi_line_tiles t = *tiles; /* in registers */
    struct svi_feed near = *feed;
    const char *src = even ? t.src + t.row[0] : t.src;

    for (int64_t k = 0; k < SVI_LINE; k += width)
        for (int64_t r = 0; r < t.count; r++)
#pragma GCC unroll 4
            for (int i = 0; i < width; i += 16) {
                feed_lines(&near, 16 / item, packed);
                stream_tile(t.dst + r * VECTORS_OF_LINE * nbytes, t.column + (k + i) / item,
                            src + k + i + (even ? r * line * t.pitch : 0), even ? NULL : t.row + r * line, t.pitch,
                            item, nbytes, how);
            }
    *feed = near;
}

SVI_INLINE void stream_tiles_of(const struct svi_line_tiles *t, struct svi_feed *feed, int item)
{
    if (feed->packs)
        stream_tiles_by(t, feed, true, true, item, VECTOR, PUT_STREAM);
    else if (t->pitch != 0)
        stream_tiles_by(t, feed, false, true, item, VECTOR, PUT_STREAM);
    else
        stream_tiles_by(t, feed, false, false, item, VECTOR, PUT_STREAM);
}

static void stream_tiles(const struct svi_line_tiles *t, struct svi_feed *feed)
{
    switch (t->item) {
    case 1: stream_tiles_of(t, feed, 1); break;
    case 2: stream_tiles_of(t, feed, 2); break;
    case 4: stream_tiles_of(t, feed, 4); break;
    case 8: stream_tiles_of(t, feed, 8); break;
    case 16: stream_tiles_of(t, feed, 16); break;
    }
}

#endif
