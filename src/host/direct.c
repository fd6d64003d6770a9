/*
 * Tiles straight from the source, whole lines of it, while the next block is
 * fetched to the first cache and what is ahead of that to the second.
 */
#include "blocks.h"

enum {
    AHEAD = 32768, /* bytes that the second cache gets before the first; with the block between them */
    PLACE = 1024,  /* bytes: a row of a block is in about one place of */
    PLACES = 64,   /* addresses 64 KiB apart share a set of the second cache: it has 1024 sets of 64 bytes nearly everywhere, */
    SHARED = 8     /* of 16 lines or a few more, which two blocks share */
};

/* Whether two blocks find room in the caches, however far their rows are apart. */
bool svi_is_direct(const struct svi_shape *shape)
{
    const struct svi_side *rows = &shape->rows;
    int count[PLACES] = {0}, most = 0;

    for (int64_t k = 0; k < rows->unit * svi_smaller(rows->block, rows->steps); k++) {
        int *here = &count[(uint64_t)rows->offset[k] / PLACE % PLACES];

        *here += 1;
        most = *here > most ? *here : most;
    }
    return most <= SHARED;
}

static void write_block(struct svi_walk *w, svi_directs *directs)
{
    const struct svi_blocks *b = &w->blocks;
    const int64_t item = w->shape.item, step = SVI_LINE / item, columns = svi_blocks_columns(b);
    const int64_t count = svi_blocks_rows(b) * item / SVI_LINE;
    const char *src = svi_blocks_src(b);
    char *dst = svi_blocks_dst(b);

    for (int64_t i = 0; i < columns; i += step)
        directs(dst, w->shape.columns.offset + i, src + i * item, w->shape.rows.offset, count, &w->feed);
}

void svi_direct(struct svi_walk *walk, const struct svi_isa *isa, int size, char *dst, const char *src)
{
    svi_walk_begin(walk, dst, src, AHEAD);
    isa->fetch(&walk->feed);
    do {
        svi_walk_feed(walk);
        write_block(walk, isa->direct[size]);
        isa->fetch(&walk->feed);
    } while (svi_walk_next(walk));
}
