/*
 * Blocks of transposes. The axes of a copy are divided into three groups: the rows of the source, which are a run in
 * the destination; its columns, which are a run in the source; and the outer axes. If an axis is short, axes that
 * continue its run join its group; the elements of the group are then anywhere on the other side of the copy.
 * blocking.c chooses the groups and cuts them into blocks, blocks.c walks over the blocks, and block_run.c stores them.
 */
#ifndef SVI_HOST_BLOCKING_H
#define SVI_HOST_BLOCKING_H

#include <stdbool.h>

#include "base/checked.h"
#include "host/loop/facts.h"

/* --- two axes of a transpose --------------------------------------------------- */

/* A matrix: its rows are runs in the source, and its columns are runs, the rows, in the destination. */
struct svi_matrix {
    int64_t rows, columns; /* of the source */
    int64_t item;
    char *dst;
    int64_t dst_pitch; /* a column of the source is a row of the destination */
    const char *src;
    int64_t src_pitch;
};

/* Whether both axes of a transpose are runs, of elements of any size. */
static inline bool svi_is_matrix(const struct svi_plan *plan)
{
    return plan->dst[plan->ndim - 1] == plan->item && svi_abs(plan->src[plan->src_axis]) == (uint64_t)plan->item;
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

/* The number of tiles that cover an extent, of which the last may be partial. size is a power of 2. */
static inline int64_t svi_tiles_in(int64_t extent, int32_t size)
{
    return extent >> __builtin_ctz((unsigned)size);
}

static inline int64_t svi_beyond_tiles(int64_t extent, int32_t size)
{
    return extent & (size - 1);
}

enum { SVI_STRIPS = 4 }; /* from as many on it pays to store the rows of one again, or to fetch those of the next */

/* The first row of strips of tiles, 0 or before, so that they store aligned vectors if all rows of the destination
 * begin at the same offset in a vector. 0 for elements of no power of 2 of bytes. */
static inline int64_t svi_first_strip(const struct svi_tile *tile, const struct svi_matrix *m)
{
    const int64_t width = tile->rows * m->item, past = (int64_t)((uintptr_t)m->dst & (uintptr_t)(width - 1));

    if ((m->item & (m->item - 1)) != 0 || m->rows < SVI_STRIPS * tile->rows || past == 0 ||
        ((m->dst_pitch & (width - 1)) | (past & (m->item - 1))) != 0)
        return 0;
    return -past / m->item;
}

/* Moves a strip that begins before the first row or ends behind the last to rows that there are. */
static inline int64_t svi_row_of_strip(const struct svi_tile *tile, const struct svi_matrix *m, int64_t row)
{
    return svi_larger(svi_smaller(row, m->rows - tile->rows), 0);
}

/* Transposes a strip of tiles from row on. The last tile is moved back and overlaps the one before. */
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
 * Makes the group of an axis of `steps` elements, other_step bytes apart on the other side. While a block has fewer
 * than least elements, axes of the plan that continue the run join the group and are marked in taken. run has the
 * strides on the side of the run, other those on the other side.
 */
void svi_axis_group_make(struct svi_axis_group *group, const struct svi_plan *plan, const int64_t *run,
                         const int64_t *other, int64_t steps, int64_t other_step, int64_t least, bool *taken);

/* Cuts a group into blocks of about `items` elements and of whole lines. False: that would take more than twice as
 * many. */
bool svi_axis_group_cut(struct svi_axis_group *group, int64_t item, int64_t items);

/* Elements of the largest block. */
static inline int64_t svi_axis_group_largest(const struct svi_axis_group *group)
{
    return svi_smaller((group->block + group->granule - 1) / group->granule * group->granule, group->items);
}

/* Bytes from the first element of the group to another, on the other side of the copy. */
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

/* The least number of elements that are whole lines. */
static inline int64_t svi_items_of_lines(int64_t item)
{
    return svi_larger(SVI_LINE / (item & -item), 1);
}

/*
 * The part of a matrix that blocks copy: rows in whole lines of the destination, from first on, and the first columns.
 * If an axis, next, continues the rows of the destination, these are the elements from lead on of each of its indices
 * but the last, and those before lead of the index after it.
 */
struct svi_interior {
    int64_t first, rows, columns;
    int64_t lead;
    int32_t next; /* -1: lead is 0 */
};

/* Chooses blocks of about the given rows and columns. False: no block is whole lines of the destination. */
bool svi_blocking_choose(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                         int64_t rows, int64_t columns, struct svi_interior *interior);

/*
 * Chooses blocks in the order of the source: some lines of columns with all rows, of one axis. unaligned: rows need not
 * be whole lines of the destination.
 */
bool svi_blocking_choose_lines(struct svi_blocking *blocking, const struct svi_plan *plan, const struct svi_matrix *m,
                               bool unaligned, struct svi_interior *interior);

/* Cuts the columns into blocks of at most `items`, of whole lines. */
void svi_blocking_cut_columns(struct svi_blocking *blocking, int64_t items);

/* Sets the outer axes: those that are not taken. Columns are walked by whole lines. */
void svi_blocking_outer(struct svi_blocking *blocking, const struct svi_plan *plan, const bool *taken);

/* Makes the tables of offsets, which a walk needs. False: out of memory. */
bool svi_blocking_open(struct svi_blocking *blocking);
void svi_blocking_close(struct svi_blocking *blocking);

/* Whether each stride of the axes that are no rows is whole lines of the destination. */
bool svi_keeps_lines(const struct svi_plan *plan, const bool *rows);

/* Whether rows of the destination have ends that are no whole lines, and are so short that these take most of the time
 * (measured: doc/internals/copy_experiments.md#what-do-non-temporal-stores-of-partial-lines-cost). */
enum { SVI_LONG_ROW = 4096 };

static inline bool svi_has_dear_edges(const struct svi_matrix *m, const struct svi_interior *interior)
{
    return interior->lead == 0 && interior->rows < m->rows && m->rows * m->item < SVI_LONG_ROW;
}

/* --- the walk: straight from the source, or by way of a buffer --------------------- */

/* A walk over blocks: the present block. */
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

/* The state of block_run.c: a block is stored while the next one is fetched. */
struct svi_walk;

/* A block that is packed into a buffer, whose rows are pitch bytes apart. */
struct svi_packed {
    const struct svi_blocks *blocks;
    const char *buffer;
    int64_t pitch;
    struct svi_walk *walk;
};

/* How blocks are fetched and stored. */
struct svi_block_run {
    bool packs; /* blocks are packed to a buffer; else they are read from the source, whose rows stay in the caches */
    bool mixes; /* the next block is fetched between stores, if nothing is converted; else after some of them */
    int64_t ahead; /* prefetch distance before packing, or to L2 before the prefetch to L1 */
    enum svi_op op; /* converts blocks that are not packed; SVI_OP_COUNT: none */
    void (*store)(void *work, const struct svi_packed *packed); /* NULL: whole lines, by non-temporal stores */
    void *work;
};

#endif
