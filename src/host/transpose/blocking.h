/*
 * Blocks of transposes. The axes of a copy fall into three groups: rows of the source, which are a run in the
 * destination; its columns, which are a run in the source; and all others, around them. Where an axis is short, axes
 * that continue its run belong to its group, too, and then its elements lie anywhere on the other side of the copy.
 * blocking.c chooses the groups and cuts them into blocks, over which blocks.c walks.
 */
#ifndef SVI_HOST_BLOCKING_H
#define SVI_HOST_BLOCKING_H

#include <stdbool.h>

#include "host/base/matrix.h"
#include "host/base/odometer.h"

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
    int64_t granule;           /* blocks are a multiple of this, for which the last one begins earlier, or all of it */
    int64_t lead, next;        /* blocks begin at element lead; behind the last come the first ones, next bytes away */
    int64_t *offset;           /* of the elements of a block, from a unit on; with a lead of all elements */
};

/* The axis, not taken, whose stride in run is nbytes; -1: none. */
int32_t svi_axis_group_next(const struct svi_plan *plan, const int64_t *run, int64_t nbytes, const bool *taken);

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
    int64_t item;                  /* bytes of an element of the source */
    struct svi_axis_group rows, columns; /* of the source */
    struct svi_plan outer;         /* the other axes: shape, dst, src */
    bool by_source; /* blocks are in the order of the source; or in that of the destination, but for those of a row */
    bool down;      /* or those of a column panel follow each other, and are packed row by row */
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

/* Whether an interior is not all of it. */
bool svi_has_edges(const struct svi_matrix *m, const struct svi_interior *interior);

/* All of a transpose but its interior, by tiles. */
void svi_host_edges(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                    const struct svi_interior *interior);

/* --- the walk: straight from the source, or by way of a buffer --------------------- */

/* Where a walk is: a block. */
struct svi_blocks {
    char *dst;
    const char *src;
    int64_t rows, columns;
    const int64_t *offset; /* of each column, from dst */
    const int64_t *row;    /* of each row, from src; */
    int64_t pitch;         /* between them, if it is the same, else 0 */

    const struct svi_blocking *blocking;
    int32_t row_axis, column_axis; /* along which there are blocks of the groups */
    struct svi_odometer at;
};

/* The blocking is open. */
void svi_blocks_begin(struct svi_blocks *b, const struct svi_blocking *blocking, char *dst, const char *src);

/* False after the last: at the first again. */
bool svi_blocks_next(struct svi_blocks *b);

/* A cursor over the pieces that make the blocks: a row or, if the blocking is dense, a few. */
struct svi_reader {
    struct svi_pieces pieces;
    struct svi_blocks blocks;
    int64_t rows;    /* of a piece, but for the last of a block */
    int64_t skip;    /* of a piece that begins with a row */
    int64_t row;     /* of the block, that comes next; before it */
    int64_t rest;    /* bytes of the piece before that are no whole line */
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

/* How blocks of a blocking that goes down are stored. */
struct svi_block_store {
    void (*run)(void *work, const struct svi_packed *packed);
    void *work;
};

/*
 * With non-temporal stores. packs: from a buffer into which each block is packed, ahead bytes behind what is
 * prefetched. Else straight from the source, whose rows find room in the caches (svi_stays_in_cache); L2 gets ahead
 * bytes before L1, with the block between them, and where that is 0 the next block is all that is prefetched. op is the
 * conversion of blocks that are not packed; SVI_OP_COUNT: none. False: out of memory.
 */
bool svi_run_blocks(struct svi_blocking *blocking, const struct svi_isa *isa, enum svi_op op, bool packs, int64_t ahead,
                    char *dst, const char *src);

/* The same of packed blocks that store takes. */
bool svi_run_packed(struct svi_blocking *blocking, const struct svi_isa *isa, const struct svi_block_store *store,
                    int64_t ahead, char *dst, const char *src);
bool svi_stays_in_cache(const struct svi_blocking *blocking);

/* Whether rows are few columns that are no whole lines, and follow each other: in the source and in a packed block. */
bool svi_blocking_is_dense(const struct svi_blocking *blocking);

#endif
