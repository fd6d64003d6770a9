/*
 * A walk over the blocks of a transpose: straight from the source, or by way of a buffer into which blocks are packed,
 * while those that follow are prefetched.
 */
#ifndef SVI_HOST_BLOCKS_H
#define SVI_HOST_BLOCKS_H

#include <stdbool.h>

#include "host/base/odometer.h"
#include "blocking.h"

/* Where a walk is: a block. */
struct svi_blocks {
    char *dst;
    const char *src;
    int64_t rows, columns;
    const int64_t *offset; /* of each column, from dst */
    const int64_t *row;    /* of each row, from src; */
    int64_t pitch;         /* between them, if it is the same, else 0 */

    const struct svi_shape *shape;
    int32_t row_axis, column_axis; /* along which there are blocks of the groups */
    struct svi_odometer at;
};

/* The shape is open. */
void svi_blocks_begin(struct svi_blocks *b, const struct svi_shape *shape, char *dst, const char *src);

/* False after the last: at the first again. */
bool svi_blocks_next(struct svi_blocks *b);

/* A cursor over the pieces of rows that make the blocks. */
struct svi_reader {
    struct svi_blocks blocks;
    int64_t row;     /* of the block, that comes next */
    bool to_the_end; /* the line in which a piece ends is prefetched, too; behind the others of the piece, */
    const char *end; /* when the next piece is asked for */
};

/* From is at the block that follows the one that is stored, ahead is further. */
struct svi_walk {
    struct svi_blocks blocks;
    struct svi_reader from, ahead;
    struct svi_feed feed;
    int64_t left; /* blocks, with this one */
};

/* A block that is packed into a buffer, whose rows are pitch bytes apart. */
struct svi_packed {
    const struct svi_blocks *blocks;
    const char *buffer;
    int64_t pitch;
    struct svi_feed *feed; /* brings the next block */
};

/* How blocks of a shape that goes down are stored. */
struct svi_block_store {
    void (*run)(void *work, const struct svi_packed *packed);
    void *work;
};

/*
 * With non-temporal stores. packs: from a buffer into which each block is packed, ahead bytes behind what is prefetched.
 * Else straight from the source, whose rows find room in the caches (svi_stays_in_cache); L2 gets ahead bytes before
 * L1, with the block between them, and where that is 0 the next block is all that is prefetched. op is the conversion
 * of blocks that are not packed; SVI_OP_COUNT: none. False: out of memory.
 */
bool svi_run_blocks(struct svi_shape *shape, const struct svi_isa *isa, enum svi_op op, bool packs, int64_t ahead,
                    char *dst, const char *src);

/* The same of packed blocks that store takes. */
bool svi_run_packed(struct svi_shape *shape, const struct svi_isa *isa, const struct svi_block_store *store,
                    int64_t ahead, char *dst, const char *src);
bool svi_stays_in_cache(const struct svi_shape *shape);

#endif
