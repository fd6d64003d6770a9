/*
 * Transposes past the cache, block by block: along the rows of the source, and
 * after that in the order of either side.
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
    int64_t rows, columns; /* of the last columns the first may be in the block before, too */
    const int64_t *offset; /* of each column, from dst */
    const int64_t *row;    /* of each row, from src; */
    int64_t pitch;         /* between them, if it is the same, else 0 */

    const struct svi_shape *shape;
    int32_t row_axis, column_axis; /* along which there are blocks of the sides */
    struct svi_odometer at;
};

void svi_blocks_begin(struct svi_blocks *b, const struct svi_shape *shape, char *dst, const char *src);

/* False after the last: at the first again. */
bool svi_blocks_next(struct svi_blocks *b);

/* The pieces of rows that make the blocks. */
struct svi_reader {
    struct svi_blocks blocks;
    const char *src;     /* of the block */
    int64_t width, rows; /* of it: bytes, count */
    int64_t row;         /* that comes next */
    bool to_the_end;     /* where a piece ends within a line, that is fetched as well; behind the others of the piece, */
    const char *end;     /* when the next one is asked for */
};

/* From is at the block that follows the one that is written, ahead is further. */
struct svi_walk {
    struct svi_shape shape;
    struct svi_blocks blocks;
    struct svi_reader from, ahead;
    struct svi_feed feed;
    int64_t left; /* blocks, with this one */
};

/* The shape is chosen already. The feed has the lines of the first block; ahead is so many bytes in front, fetched. */
void svi_walk_begin(struct svi_walk *walk, char *dst, const char *src, int64_t ahead);

/* The feed gets the lines of the next block. */
void svi_walk_feed(struct svi_walk *walk);

/* False after the last. */
bool svi_walk_next(struct svi_walk *walk);

/* From the source to the destination by way of buffers. False without memory for them. */
bool svi_pack(struct svi_walk *walk, const struct svi_isa *isa, int size, char *dst, const char *src);

/* Straight from the source, whose rows find room in the caches: see there. The second cache gets so many bytes before
 * the first, with the block between them; 0: the next block is all that is fetched. */
enum { SVI_AHEAD = 32768 };

bool svi_is_direct(const struct svi_shape *shape);
bool svi_stays_in_cache(const struct svi_shape *shape);
void svi_direct(struct svi_walk *walk, const struct svi_isa *isa, svi_directs *directs, int64_t ahead, char *dst,
                const char *src);

/* In the order of the source, for items that have lay and raise; the shape is of svi_shape_choose_lines, of which
 * columns are cut then. False without memory. */
void svi_bands_cut(struct svi_shape *shape);
bool svi_bands(const struct svi_shape *shape, const struct svi_isa *isa, int size, char *dst, const char *src);

/* A block; a walk is much more. */
struct svi_place {
    char *dst;
    const char *src;
    int64_t columns;
    const int64_t *offset;
};

static inline struct svi_place svi_place_of(const struct svi_blocks *b)
{
    return (struct svi_place){b->dst, b->src, b->columns, b->offset};
}

/* Rows [row, row + rows) of a block whose columns begin anywhere in a line; where it goes on. */
struct svi_part {
    const struct svi_shape *shape;
    struct svi_place block, next;
    int64_t row, rows, next_row;
    char *carry; /* a line of each column */
};

/* Parts of lines, at the ends of columns, go through the cache: of so many from one on they are fetched. */
void svi_part_fetch(const struct svi_part *part, bool next, int64_t column, int64_t count);

/* svi_bands of such a part, of bytes; the buffer has svi_band_room bytes, for no more rows. */
int64_t svi_band_room(const struct svi_shape *shape, int64_t rows);
void svi_band_resume(const struct svi_part *part, const struct svi_isa *isa, char *buffer);

#endif
