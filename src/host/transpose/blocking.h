/*
 * Blocks of transposes. The axes of a copy fall into three groups: rows of the source, which are a run in the
 * destination; its columns, which are a run in the source; and all others, around them. Where an axis is short, axes
 * that continue its run belong to its group, too, and then its elements lie anywhere on the other side of the copy.
 * blocking.c chooses the groups and cuts them into blocks, over which blocks.c walks; block_run.c stores them.
 */
#ifndef SVI_HOST_BLOCKING_H
#define SVI_HOST_BLOCKING_H

#include <stdbool.h>

#include "base/checked.h"
#include "host/loop/facts.h"

/* --- two axes of a transpose --------------------------------------------------- */

/* A run in the source, its rows, and a run in the destination, whose rows are its columns. */
struct svi_matrix {
    int64_t rows, columns; /* of the source */
    int64_t item;
    char *dst;
    int64_t dst_pitch; /* a column of the source is a row of the destination */
    const char *src;
    int64_t src_pitch;
};

/* Whether both axes are runs, of elements of any size. */
static inline bool svi_is_matrix(const struct svi_plan *plan)
{
    return plan->dst[plan->ndim - 1] == plan->item && svi_abs(plan->src[plan->tile]) == (uint64_t)plan->item;
}

static inline struct svi_matrix svi_matrix_part(const struct svi_matrix *m, int64_t row, int64_t rows, int64_t column,
                                                int64_t columns)
{
    struct svi_matrix p = *m;

    p.rows = rows;
    p.columns = columns;
    p.dst += column * m->dst_pitch + row * m->item;
    p.src += row * m->src_pitch + column * m->item;
    return p;
}

/* How many tiles of size, a power of 2, and what is left over. */
static inline int64_t svi_tiles_in(int64_t extent, int32_t size)
{
    return extent >> __builtin_ctz((unsigned)size);
}

static inline int64_t svi_beyond_tiles(int64_t extent, int32_t size)
{
    return extent & (size - 1);
}

enum { SVI_STRIPS = 4 }; /* from as many on it pays to store the rows of one again, or to fetch those of the next */

/* Where strips of tiles begin so that they store whole vectors of rows that begin as far into one: not behind row 0.
 * Of elements of no power of two of bytes, at row 0. */
static inline int64_t svi_first_strip(const struct svi_tile *tile, const struct svi_matrix *m)
{
    const int64_t width = tile->rows * m->item, past = (int64_t)((uintptr_t)m->dst & (uintptr_t)(width - 1));

    if ((m->item & (m->item - 1)) != 0 || m->rows < SVI_STRIPS * tile->rows || past == 0 ||
        ((m->dst_pitch & (width - 1)) | (past & (m->item - 1))) != 0)
        return 0;
    return -past / m->item;
}

/* The row of a strip that begins before the first row or ends behind the last. */
static inline int64_t svi_row_of_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row)
{
    return svi_larger(svi_smaller(row, m->rows - tile->rows), 0);
}

/* A strip of tiles from row on; what is left over is in a tile that is moved back, over what others write as well. */
static inline void svi_matrix_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row)
{
    struct svi_matrix p = svi_matrix_part(m, row, tile->rows, 0, m->columns);

    tile->run(p.dst, p.dst_pitch, p.src, p.src_pitch, svi_tiles_in(m->columns, tile->columns), m->item);
    if (svi_beyond_tiles(m->columns, tile->columns) != 0) {
        p = svi_matrix_part(m, row, tile->rows, m->columns - tile->columns, tile->columns);
        tile->run(p.dst, p.dst_pitch, p.src, p.src_pitch, 1, m->item);
    }
}

/* --- axis groups -------------------------------------------------------------- */

enum { SVI_GROUP_AXES = 12 }; /* whole axes of a group, of two elements and more, at most */

struct svi_axis_group {
    int64_t item;              /* bytes of an element where the group is a run; on the other side of the copy: */
    int64_t shape[SVI_GROUP_AXES], stride[SVI_GROUP_AXES]; /* the axes that each block has whole, */
    int32_t inner;             /* so many; */
    int64_t unit;              /* elements of them; */
    int64_t steps, other;      /* and the axis that is cut into blocks: its extent and stride */
    int64_t items;             /* of all blocks */
    int64_t block;             /* elements of one */
    int64_t granule; /* blocks are a multiple of this, for which the last one begins earlier, or all of it */
    int64_t lead, next; /* blocks begin at element lead; behind the last come the first ones, next bytes away */
    int64_t *offset; /* of the elements of a block, from a unit on; with a lead of all elements */
};

/*
 * The group of the axis that has so many steps, other_step apart on the other side. Axes of the plan that continue in
 * run, its strides there, are taken, and marked so, while a block has fewer than least elements; other has their
 * strides on the other side.
 */
void svi_axis_group_make(struct svi_axis_group *group, const struct svi_plan *plan, const int64_t *run,
                         const int64_t *other, int64_t steps, int64_t other_step, int64_t least, bool *taken);

/* Cuts it into blocks of about so many elements, and of whole lines. False where that takes more than twice as many. */
bool svi_axis_group_cut(struct svi_axis_group *group, int64_t item, int64_t items);

/* Elements of the largest block. */
static inline int64_t svi_axis_group_largest(const struct svi_axis_group *group)
{
    return svi_smaller((group->block + group->granule - 1) / group->granule * group->granule, group->items);
}

/* Bytes from the first element of the blocks to another, on the other side. */
int64_t svi_axis_group_offset(const struct svi_axis_group *group, int64_t index);

/* --- blocking ------------------------------------------------------------------- */

struct svi_blocking {
    int64_t item; /* bytes of an element of the source */
    struct svi_axis_group rows, columns; /* of the source */
    int32_t outer_ndim;
    struct svi_odometer_axis outer[SVI_PLAN_NDIM]; /* the other axes */
    bool by_source; /* blocks are in the order of the source; or in that of the destination, but for those of a row */
    bool down; /* or those of a column panel follow each other, and are packed row by row */
};

/* As few elements as are whole lines. */
static inline int64_t svi_items_of_lines(int64_t item)
{
    return svi_larger(SVI_LINE / (item & -item), 1);
}

/*
 * What the blocks have of a matrix: rows in whole lines of the destination, from first on, and the first columns. Or,
 * where an axis, next, continues the rows of the destination, those from element lead on of each of its steps but the
 * last, and up to there in the step behind it.
 */
struct svi_interior {
    int64_t first, rows, columns;
    int64_t lead;
    int32_t next; /* -1: lead is 0 */
};

/* Blocks of about so many rows and columns. False where none are whole lines of the destination. */
bool svi_blocking_choose(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                         int64_t rows, int64_t columns, struct svi_interior *interior);

/*
 * Some lines of columns make a block, in the order of the source, with all rows, of one axis; unaligned: rows need not
 * be whole lines of the destination.
 */
bool svi_blocking_choose_lines(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                               bool unaligned, struct svi_interior *interior);

/* Its columns into blocks of so many at most, whole lines. */
void svi_blocking_cut_columns(struct svi_blocking *blocking, int64_t items);

/* The outer axes: those that are not taken. Columns are walked by whole lines. */
void svi_blocking_outer(struct svi_blocking *blocking, const struct svi_plan *plan, const bool *taken);

/* Makes the tables of offsets, which a walk needs. False: out of memory. */
bool svi_blocking_open(struct svi_blocking *blocking);
void svi_blocking_close(struct svi_blocking *blocking);

/* Whether each step of the axes that are no rows goes on by whole lines of the destination. */
bool svi_keeps_lines(const struct svi_plan *plan, const bool *rows);

/* Whether rows of the destination have ends that are no whole lines, and are so short that these take most of the time
 * (measured: doc/internals/copy_experiments.md#what-do-non-temporal-stores-of-partial-lines-cost). */
enum { SVI_LONG_ROW = 4096 };

static inline bool svi_has_dear_edges(const struct svi_matrix *m, const struct svi_interior *interior)
{
    return interior->lead == 0 && interior->rows < m->rows && m->rows * m->item < SVI_LONG_ROW;
}

/* --- the walk: straight from the source, or by way of a buffer --------------------- */

/* Where a walk is: a block. */
struct svi_blocks {
    char *dst;
    const char *src;
    int64_t rows, columns;
    const int64_t *offset; /* of each column, from dst */
    const int64_t *row; /* of each row, from src; */
    int64_t pitch; /* between them, if it is the same, else 0 */

    const struct svi_blocking *blocking;
    int32_t row_axis, column_axis; /* along which there are blocks of the groups */
    struct svi_odometer at;
};

/* A block is stored while the next one comes to a second buffer or to the caches. */
struct svi_walk;

/* A block that is packed into a buffer, whose rows are pitch bytes apart. */
struct svi_packed {
    const struct svi_blocks *blocks;
    const char *buffer;
    int64_t pitch;
    struct svi_walk *walk;
};

/* How blocks are brought and stored. */
struct svi_block_run {
    bool packs; /* to a buffer; else they are read straight from the source, whose rows find room in the caches */
    bool mixes; /* the next block is brought between the stores, where nothing is converted; else after some */
    int64_t ahead; /* bytes that are prefetched before what is packed; or to L2, before the next block is to L1 */
    enum svi_op op; /* converts what is not packed; SVI_OP_COUNT: none */
    void (*store)(void *work, const struct svi_packed *packed); /* NULL: as whole lines, by non-temporal stores */
    void *work;
};

#endif
