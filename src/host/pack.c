/*
 * A block of the source is copied to a buffer, in long pieces of few rows at a
 * time, however many bytes are between them; from there it goes to its place,
 * a long run of each row of the destination. Both at once: for each line that is
 * stored one of the next block comes, and one further ahead is fetched.
 */
#include "alloc.h"
#include "blocks.h"

enum { AHEAD = 8192 }; /* bytes that are fetched before they are needed */

/* Rows of a buffer are an odd number of lines apart: they share no sets of the caches. */
static int64_t gap_of(const struct svi_blocks *b)
{
    return svi_blocks_columns(b) * b->shape->item / SVI_LINE % 2 == 0 ? SVI_LINE : 2 * SVI_LINE;
}

static void write_block(struct svi_walk *w, svi_streams *streams, const char *buffer)
{
    const struct svi_blocks *b = &w->blocks;
    const int64_t item = w->shape.item, step = 16 / item, width = svi_blocks_columns(b) * item;
    const int64_t count = svi_blocks_rows(b) * item / SVI_LINE;
    char *dst = svi_blocks_dst(b);

    for (int64_t i = 0; i * item < width; i += step)
        streams(dst, w->shape.columns.offset + i, buffer + i * item, width + gap_of(b), count, &w->feed);
}

/* now, next: the buffers. */
static void write_all(struct svi_walk *w, const struct svi_isa *isa, svi_streams *streams, char *now, char *next)
{
    w->feed.to = now;
    w->feed.gap = gap_of(&w->blocks);
    isa->feed(&w->feed);
    do {
        char *done = now;

        w->feed.to = next;
        w->feed.gap = gap_of(&w->from.blocks);
        svi_walk_feed(w);
        write_block(w, streams, now);
        isa->feed(&w->feed);
        now = next;
        next = done;
    } while (svi_walk_next(w));
}

static char *line_from(char *address)
{
    return address + -(uintptr_t)address % SVI_LINE;
}

static int64_t items_of(const struct svi_side *side)
{
    return side->unit * svi_smaller(side->block, side->steps);
}

bool svi_pack(struct svi_walk *walk, const struct svi_isa *isa, int size, char *dst, const char *src)
{
    const struct svi_shape *s = &walk->shape;
    const int64_t nbytes = items_of(&s->rows) * (items_of(&s->columns) * s->item + 2 * SVI_LINE);
    char *buffers = svi_malloc(2 * (size_t)nbytes + SVI_LINE), *first;

    if (buffers == NULL)
        return false;
    first = line_from(buffers);
    svi_walk_begin(walk, dst, src, AHEAD);
    write_all(walk, isa, isa->stream[size], first, first + nbytes);
    svi_free(buffers);
    return true;
}
