/*
 * Tiles straight from the source, whole lines of it, while the next block is
 * fetched to the first cache and what is ahead of that to the second.
 */
#include "blocks.h"

enum {
    WHOLE = 8,        /* bytes of an item from which on lines are read once, whole */
    RUN = 256,        /* bytes of the rows of the destination at least: shorter ones are best written one by one */
    SETS = 64,        /* parts of a cache; rows as far apart as all of them share one: */
    FIRST = SVI_LINE, /* bytes of a part of the first, */
    SECOND = 1024,    /* of the second, which has 16 times as many sets, */
    THIRD = 32768,    /* of the third, which has 32 times as many of these; */
    FIRST_SHARE = 8,  /* so many rows of a block may share a part: sets have 8 to 12 lines, some for what comes, */
    SECOND_SHARE = 8, /* and here 16 or a few less, for two blocks, */
    THIRD_SHARE = 4   /* which other threads use too */
};

/* Whether no more than so many rows are in one part of so many bytes. */
static bool finds_room(const struct svi_side *rows, int64_t part, int share)
{
    const int64_t end = svi_smaller(rows->block, svi_side_items(rows));
    int count[SETS] = {0};

    for (int64_t k = 0; k < end; k++)
        if (++count[(uint64_t)rows->offset[k] / (uint64_t)part % SETS] > share)
            return false;
    return true;
}

/*
 * Rows may be so far apart that they drive each other out of the caches before all of a line is read. Items of 8 bytes
 * have eight rows for a line of the destination: it is the third cache that must keep what is fetched; 16 have four.
 */
bool svi_stays_in_cache(const struct svi_shape *shape)
{
    const struct svi_side *rows = &shape->rows;
    const int64_t item = shape->item;

    if (item > WHOLE)
        return true;
    if (item == WHOLE)
        return finds_room(rows, THIRD, THIRD_SHARE);
    return finds_room(rows, FIRST, FIRST_SHARE) && finds_room(rows, SECOND, SECOND_SHARE);
}

bool svi_is_direct(const struct svi_shape *shape)
{
    return svi_side_items(&shape->rows) * shape->item >= RUN && svi_stays_in_cache(shape);
}

static void write_block(struct svi_walk *w, svi_directs *directs)
{
    const struct svi_blocks *b = &w->blocks;
    const int64_t item = w->shape.item, step = SVI_LINE / item, columns = b->columns;
    const int64_t count = b->rows * item / SVI_LINE;
    const char *src = b->src;
    char *dst = b->dst;

    for (int64_t i = 0; i < columns; i += step)
        directs(dst, b->offset + i, src + i * item, b->row, b->pitch, count, &w->feed);
}

void svi_direct(struct svi_walk *walk, const struct svi_isa *isa, svi_directs *directs, int64_t ahead, char *dst,
                const char *src)
{
    svi_walk_begin(walk, dst, src, ahead);
    isa->fetch(&walk->feed);
    do {
        svi_walk_feed(walk);
        write_block(walk, directs);
        isa->fetch(&walk->feed);
    } while (svi_walk_next(walk));
}
