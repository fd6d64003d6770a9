/*
 * A block of the source is copied to a buffer, in long pieces of few rows at a
 * time, however many bytes are between them; from there it goes to its place,
 * a long run of each row of the destination. Both at once: for each line that is
 * stored one of the next block comes, and one further ahead is fetched.
 */
#include "alloc.h"
#include "blocks.h"

enum {
    AHEAD = 8192, /* bytes that are fetched before they are needed */
    STREAMS = 8,  /* lines of a row that go to as many places of a buffer, at most: more are too many to be foreseen, */
    DOWN = 128    /* and so many to each */
};

/* Bytes from a line of a buffer to the next of its row of the source, and to the next of its column. */
struct steps {
    int64_t along, down;
};

/*
 * Columns are read, so their lines follow each other; but in rows of many lines, or columns of many, those of a row do,
 * as they are stored. An odd number of lines to the next row or column: they share no sets of the caches.
 */
static struct steps steps_of(const struct svi_blocks *b)
{
    const int64_t lines = b->columns * b->shape->item / SVI_LINE, rows = b->rows;

    if (lines <= STREAMS && rows <= DOWN)
        return (struct steps){(rows | 1) * SVI_LINE, SVI_LINE};
    return (struct steps){SVI_LINE, (lines | 1) * SVI_LINE};
}

static void feed_to(struct svi_feed *feed, char *buffer, const struct svi_blocks *b)
{
    const struct steps steps = steps_of(b);

    feed->to = buffer;
    feed->step = steps.along;
    feed->turn = steps.down - b->columns * b->shape->item / SVI_LINE * steps.along;
}

static void write_block(struct svi_walk *w, svi_streams *streams, const char *buffer)
{
    const struct svi_blocks *b = &w->blocks;
    const struct steps steps = steps_of(b);
    const int64_t item = w->shape.item, width = b->columns * item;
    const int64_t count = b->rows * item / SVI_LINE;
    char *dst = b->dst;

    for (int64_t at = 0; at < width; at += SVI_UNIT)
        streams(dst, b->offset + at / item, buffer + at / SVI_LINE * steps.along + at % SVI_LINE,
                steps.down, count, &w->feed);
}

/* now, next: the buffers. */
static void write_all(struct svi_walk *w, const struct svi_isa *isa, svi_streams *streams, char *now, char *next)
{
    feed_to(&w->feed, now, &w->blocks);
    isa->feed(&w->feed);
    do {
        char *done = now;

        feed_to(&w->feed, next, &w->from.blocks);
        svi_walk_feed(w);
        write_block(w, streams, now);
        isa->feed(&w->feed);
        now = next;
        next = done;
    } while (svi_walk_next(w));
}

static int64_t items_of(const struct svi_side *side)
{
    return svi_smaller(side->block, svi_side_items(side));
}

bool svi_pack(struct svi_walk *walk, const struct svi_isa *isa, int size, char *dst, const char *src)
{
    const struct svi_shape *s = &walk->shape;
    const int64_t rows = items_of(&s->rows), width = items_of(&s->columns) * s->item;
    const int64_t nbytes = (rows + 1) * (width + SVI_LINE);
    char *buffers = svi_malloc(2 * (size_t)nbytes + SVI_LINE), *first;

    if (buffers == NULL)
        return false;
    first = svi_line_from(buffers);
    svi_walk_begin(walk, dst, src, AHEAD);
    walk->ahead.to_the_end = true;
    write_all(walk, isa, isa->stream[size], first, first + nbytes);
    svi_free(buffers);
    return true;
}
