/* Walks over the blocks of a transpose, straight from the source or by way of a packed buffer: blocking.h. */
#include <string.h>

#include "alloc.h"
#include "checked.h"
#include "blocking.h"

enum {
    DENSE_ROW_BYTES = 512, /* of rows that are packed as one where they follow each other */
    PIECE_BYTES = 512      /* that are packed or prefetched at a time, at most */
};

/* --- blocks ------------------------------------------------------------------- */

static int64_t blocks_in(const struct svi_axis_group *group)
{
    return (group->items + group->block - 1) / group->block;
}

/* The first element of a block of a group, and how many it has. */
static int64_t enter_side(const struct svi_axis_group *group, int64_t index, int64_t *count)
{
    const int64_t at = index * group->block, left = svi_smaller(group->block, group->items - at);

    *count = svi_smaller((left + group->granule - 1) / group->granule * group->granule, group->items);
    return svi_smaller(at, group->items - *count);
}

/* The offset of an element from the unit in which it is, which begins so many bytes away on the other side. */
static const int64_t *offset_in_unit(const struct svi_axis_group *group, int64_t element, int64_t *unit)
{
    *unit = group->lead != 0 ? 0 : element / group->unit * group->other;
    return group->offset + (group->lead != 0 ? element : element % group->unit);
}

static void find(struct svi_blocks *b)
{
    const struct svi_axis_group *rows = &b->blocking->rows, *columns = &b->blocking->columns;
    const int64_t row = enter_side(rows, b->at.axis[b->row_axis].index, &b->rows);
    const int64_t column = enter_side(columns, b->at.axis[b->column_axis].index, &b->columns);
    int64_t row_unit, column_unit;

    b->row = offset_in_unit(rows, row, &row_unit);
    b->offset = offset_in_unit(columns, column, &column_unit);
    b->dst = b->at.dst + row * rows->item + column_unit;
    b->src = b->at.src + column * columns->item + row_unit;
    b->pitch = rows->unit == 1 && row + b->rows + rows->lead <= rows->steps ? rows->other : 0;
}

static int32_t add_axis(struct svi_odometer *o, int64_t extent, int64_t src)
{
    o->axis[o->ndim] = (struct svi_odometer_axis){.extent = extent, .src = src};
    return o->ndim++;
}

/* Which axis a is, when a and b have changed places. */
static int32_t moved(int32_t axis, int32_t a, int32_t b)
{
    return axis == a ? b : axis == b ? a : axis;
}

static void sort_by_source(struct svi_blocks *b)
{
    struct svi_odometer_axis *axis = b->at.axis;

    for (int32_t k = 1; k < b->at.ndim; k++)
        for (int32_t i = k; i > 0 && svi_abs(axis[i - 1].src) < svi_abs(axis[i].src); i--) {
            const struct svi_odometer_axis slower = axis[i];

            axis[i] = axis[i - 1];
            axis[i - 1] = slower;
            b->row_axis = moved(b->row_axis, i - 1, i);
            b->column_axis = moved(b->column_axis, i - 1, i);
        }
}

/* The odometer counts blocks of rows and of columns, whose addresses find() knows. */
void svi_blocks_begin(struct svi_blocks *b, const struct svi_blocking *blocking, char *dst, const char *src)
{
    const struct svi_axis_group *rows = &blocking->rows, *columns = &blocking->columns;

    b->blocking = blocking;
    svi_odometer_init(&b->at, &blocking->outer, blocking->outer.ndim, -1, dst, src);
    if (blocking->down)
        b->column_axis = add_axis(&b->at, blocks_in(columns), 0);
    b->row_axis = add_axis(&b->at, blocks_in(rows), rows->block / rows->unit * rows->other);
    if (!blocking->down)
        b->column_axis = add_axis(&b->at, blocks_in(columns), columns->block * blocking->item);
    if (blocking->by_source)
        sort_by_source(b);
    b->at.axis[b->row_axis].src = b->at.axis[b->column_axis].src = 0;
    find(b);
}

bool svi_blocks_next(struct svi_blocks *b)
{
    const bool more = svi_odometer_next(&b->at);

    find(b);
    return more;
}

bool svi_blocking_is_dense(const struct svi_blocking *blocking)
{
    const int64_t nbytes = blocking->columns.items * blocking->item;

    return blocking->down && blocking->rows.unit == 1 && blocking->rows.other == nbytes && nbytes <= DENSE_ROW_BYTES &&
           nbytes % SVI_LINE != 0;
}

int64_t svi_blocks_count(const struct svi_blocks *b, int32_t axis)
{
    int64_t count = 1;

    for (int32_t k = axis; k < b->at.ndim; k++)
        count *= b->at.axis[k].extent;
    return count;
}

/* --- rows of the next block ----------------------------------------------------- */

/* A cursor over the rows of the blocks: which one of its block is next, and how many bytes of it were read. Rows of a
 * dense blocking are one. */
struct reader {
    struct svi_blocks blocks;
    int64_t row, rows;    /* rows: so many are read as one, */
    int64_t nbytes, done; /* of so many bytes */
};

struct svi_walk {
    struct svi_blocks blocks;
    struct reader from, ahead; /* what comes next, and what is prefetched meanwhile */
    bool packs;                /* rows are copied to a buffer; else they are prefetched to L1, */
    bool further;              /* and those ahead to L2 */
    char *to;                  /* in the buffer, in which rows are */
    int64_t skip;              /* bytes from the end of one to the next */
    int64_t blocks_left;       /* behind those that come */
    int64_t nbytes, left;      /* of the block that comes; and those of them that are still to come */
    int64_t due;               /* bytes, times the parts that the block that is stored has */
};

/* Bytes between the rows of a buffer: an odd number of lines, so that these share no sets of the caches. */
static int64_t pitch_of(const struct svi_blocks *b)
{
    const int64_t nbytes = b->columns * b->blocking->item;

    return svi_blocking_is_dense(b->blocking) ? nbytes : (nbytes / SVI_LINE | 1) * SVI_LINE;
}

static int64_t nbytes_of(const struct svi_blocks *b)
{
    return b->rows * b->columns * b->blocking->item;
}

static void enter_block(struct reader *r)
{
    const struct svi_blocks *b = &r->blocks;

    r->row = 0;
    r->rows = svi_blocking_is_dense(b->blocking) ? b->rows : 1;
    r->nbytes = r->rows * b->columns * b->blocking->item;
}

/* What comes next. Behind the last block comes the first again. */
static inline const char *next_piece(struct reader *r, int64_t *nbytes)
{
    const char *at = r->blocks.src + r->blocks.row[r->row] + r->done;

    *nbytes = svi_smaller(PIECE_BYTES, r->nbytes - r->done);
    r->done += *nbytes;
    if (r->done == r->nbytes) {
        r->done = 0;
        r->row += r->rows;
        if (r->row == r->blocks.rows) {
            svi_blocks_next(&r->blocks);
            enter_block(r);
        }
    }
    return at;
}

SVI_INLINE void prefetch(const char *at, int64_t nbytes, bool to_l1)
{
    for (int64_t k = 0; k < nbytes; k += SVI_LINE)
        if (to_l1)
            __builtin_prefetch(at + k);
        else
            __builtin_prefetch(at + k, 0, 2);
}

/* How many bytes. */
static int64_t bring_piece(struct svi_walk *w)
{
    int64_t nbytes, nbytes_ahead;
    const char *const from = next_piece(&w->from, &nbytes);

    if (!w->packs)
        prefetch(from, nbytes, true);
    if (w->further) {
        const char *ahead = next_piece(&w->ahead, &nbytes_ahead);

        if (w->packs)
            prefetch(ahead, nbytes_ahead, true);
        else
            prefetch(ahead, nbytes_ahead, false);
    }
    if (w->packs) {
        memcpy(w->to, from, (size_t)nbytes);
        w->to += nbytes + (w->from.done == 0 ? w->skip : 0);
    }
    w->left -= nbytes;
    return nbytes;
}

void svi_bring_part(struct svi_walk *w, int64_t part, int64_t all)
{
    w->due += part * w->nbytes;
    while (w->due >= all && w->left > 0)
        w->due -= bring_piece(w) * all;
}

static void bring_rest(struct svi_walk *w)
{
    while (w->left > 0)
        bring_piece(w);
}

/* None comes behind the last. */
static void begin_next(struct svi_walk *w, char *buffer)
{
    const struct svi_blocks *b = &w->from.blocks;

    w->to = buffer;
    w->skip = pitch_of(b) - b->columns * b->blocking->item;
    w->due = 0;
    w->nbytes = w->left = w->blocks_left > 0 ? nbytes_of(b) : 0;
    w->blocks_left--;
}

/* --- a walk --------------------------------------------------------------------- */

/* Ahead is so many bytes in front, prefetched. */
static void begin(struct svi_walk *w, const struct svi_blocking *blocking, const struct svi_block_run *run, char *dst,
                  const char *src)
{
    int64_t ahead = run->ahead;

    svi_blocks_begin(&w->blocks, blocking, dst, src);
    w->blocks_left = svi_blocks_count(&w->blocks, 0);
    w->from = (struct reader){.blocks = w->blocks};
    enter_block(&w->from);
    w->ahead = w->from;
    w->packs = run->packs;
    w->further = run->packs || ahead > 0;
    while (ahead > 0) {
        int64_t nbytes;
        const char *at = next_piece(&w->ahead, &nbytes);

        prefetch(at, nbytes, true);
        ahead -= nbytes;
    }
}

/* Of one buffer. */
static int64_t buffer_nbytes(const struct svi_blocking *s)
{
    const int64_t rows = svi_larger(svi_axis_group_largest(&s->rows), s->rows.block);

    return (rows + 1) * (svi_axis_group_largest(&s->columns) * s->item + SVI_LINE);
}

/* Straight from the source, or from a buffer; there lines of items of 8 bytes and more are read whole. */
static void store_block(struct svi_walk *w, svi_stream_tiles *stream_tiles, enum svi_op op, const char *buffer)
{
    const struct svi_blocks *b = &w->blocks;
    const int64_t item = b->blocking->item, width = buffer != NULL || item < 8 ? SVI_UNIT : SVI_LINE;
    struct svi_line_tiles t = {b->dst, b->offset, b->src, b->row, b->pitch, width, b->rows * item / SVI_LINE, item, op};

    if (buffer != NULL) {
        t.src = buffer;
        t.pitch = pitch_of(b);
    } else if (t.pitch != 0) {
        t.src += b->row[0];
    }
    if (t.pitch != 0)
        t.row = NULL;
    for (int64_t i = 0; i < b->columns; i += width / item, t.column += width / item, t.src += width) {
        stream_tiles(&t);
        svi_bring_part(w, width / item, b->columns);
    }
}

/* While a block is stored the next one is packed or prefetched, and what is further ahead is prefetched. */
bool svi_run_blocks(struct svi_blocking *blocking, const struct svi_isa *isa, const struct svi_block_run *run,
                    char *dst, const char *src)
{
    const int64_t nbytes = run->packs ? buffer_nbytes(blocking) : 0;
    svi_stream_tiles *const stream_tiles = run->op == SVI_OP_COUNT ? isa->stream_tiles : isa->turn_cast_stream;
    struct svi_walk *w = svi_malloc(sizeof *w + (size_t)(2 * nbytes) + SVI_LINE);
    char *now, *later;

    if (w == NULL || !svi_blocking_open(blocking)) {
        svi_free(w);
        return false;
    }
    now = svi_line_from((char *)(w + 1));
    later = now + nbytes;
    begin(w, blocking, run, dst, src);
    begin_next(w, now);
    do {
        char *done = now;

        bring_rest(w);
        begin_next(w, later);
        if (run->store != NULL)
            run->store(run->work, &(struct svi_packed){&w->blocks, now, pitch_of(&w->blocks), w});
        else
            store_block(w, stream_tiles, run->op, run->packs ? now : NULL);
        now = later;
        later = done;
    } while (svi_blocks_next(&w->blocks));
    svi_blocking_close(blocking);
    svi_free(w);
    return true;
}
