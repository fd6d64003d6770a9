/* Walks over the blocks of a transpose, straight from the source or by way of a packed buffer: blocking.h. */
#include <string.h>

#include "alloc.h"
#include "checked.h"
#include "blocking.h"

enum {
    DENSE_ROW_BYTES = 512,
    MIN_PIECE_BYTES = 512 /* of rows that follow each other */
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

/* The unit in which an element is begins so many bytes away on the other side; its offset is from there. */
static int64_t unit_of(const struct svi_axis_group *group, int64_t element)
{
    return group->lead != 0 ? 0 : element / group->unit * group->other;
}

static const int64_t *offset_in_unit(const struct svi_axis_group *group, int64_t element)
{
    return group->offset + (group->lead != 0 ? element : element % group->unit);
}

static void find(struct svi_blocks *b)
{
    const struct svi_axis_group *rows = &b->blocking->rows, *columns = &b->blocking->columns;
    const int64_t row = enter_side(rows, b->at.axis[b->row_axis].index, &b->rows);
    const int64_t column = enter_side(columns, b->at.axis[b->column_axis].index, &b->columns);

    b->dst = b->at.dst + row * rows->item + unit_of(columns, column);
    b->src = b->at.src + column * columns->item + unit_of(rows, row);
    b->row = offset_in_unit(rows, row);
    b->offset = offset_in_unit(columns, column);
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

static int64_t lines_of(const struct svi_blocks *b)
{
    return (b->rows * b->columns * b->blocking->item + SVI_LINE - 1) / SVI_LINE;
}

static int64_t count_blocks(const struct svi_blocks *b)
{
    int64_t count = 1;

    for (int32_t k = 0; k < b->at.ndim; k++)
        count *= b->at.axis[k].extent;
    return count;
}

/* --- pieces of rows ----------------------------------------------------------- */

/* Bytes between the rows of a buffer: an odd number of lines, so that these share no sets of the caches. */
static int64_t pitch_of(const struct svi_blocks *b)
{
    const int64_t nbytes = b->columns * b->blocking->item;

    return svi_blocking_is_dense(b->blocking) ? nbytes : (nbytes / SVI_LINE | 1) * SVI_LINE;
}

/* Rows of a dense blocking that are whole lines together, and some of these. */
static int64_t rows_of_piece(const struct svi_blocking *blocking)
{
    const int64_t nbytes = blocking->columns.items * blocking->item;
    const int64_t rows = SVI_LINE / (int64_t)svi_gcd(SVI_LINE, (uint64_t)nbytes);

    return rows * (1 + MIN_PIECE_BYTES / (rows * nbytes));
}

static void enter_block(struct svi_reader *r)
{
    const struct svi_blocks *b = &r->blocks;
    const bool dense = svi_blocking_is_dense(b->blocking);

    r->row = 0;
    r->rows = dense ? rows_of_piece(b->blocking) : 1;
    r->skip = pitch_of(b) - b->columns * b->blocking->item;
}

/* After the last block comes the first again: nobody needs it. */
static struct svi_piece next_piece(struct svi_pieces *pieces)
{
    struct svi_reader *r = (struct svi_reader *)pieces; /* whose first member it is */
    const struct svi_blocks *b = &r->blocks;
    int64_t rows, nbytes;
    const char *at;

    if (r->rest != 0) { /* a line that begins in the one before */
        r->pieces.skip = r->rest - SVI_LINE;
        r->end += r->rest;
        r->rest = 0;
        return (struct svi_piece){r->end - SVI_LINE, r->end};
    }
    if (r->to_the_end && (uintptr_t)r->end % SVI_LINE != 0)
        __builtin_prefetch(r->end);
    if (r->row == b->rows) {
        svi_blocks_next(&r->blocks);
        enter_block(r);
    }
    rows = svi_smaller(r->rows, b->rows - r->row);
    nbytes = rows * b->columns * b->blocking->item;
    at = b->src + b->row[r->row];
    r->row += rows;
    r->rest = nbytes % SVI_LINE;
    r->end = at + nbytes - r->rest;
    r->pieces.skip = r->skip;
    return (struct svi_piece){at, r->end};
}

/* --- a walk ------------------------------------------------------------------- */

static void prefetch_first(struct svi_walk *w, int64_t ahead)
{
    while (ahead > 0) {
        const struct svi_piece piece = next_piece(&w->ahead.pieces);

        for (const char *at = piece.at; at < piece.end; at += SVI_LINE)
            __builtin_prefetch(at);
        ahead -= piece.end - piece.at;
    }
}

/* The feed has the lines of the first block; ahead is so many bytes in front, prefetched. */
static void begin(struct svi_walk *w, const struct svi_blocking *blocking, char *dst, const char *src, int64_t ahead)
{
    svi_blocks_begin(&w->blocks, blocking, dst, src);
    w->left = count_blocks(&w->blocks);
    w->from.blocks = w->ahead.blocks = w->blocks;
    w->from.to_the_end = w->ahead.to_the_end = false;
    w->from.rest = w->ahead.rest = 0;
    enter_block(&w->from);
    enter_block(&w->ahead);
    prefetch_first(w, ahead);
    w->from.pieces.next = w->ahead.pieces.next = next_piece;
    w->feed.from_pieces = &w->from.pieces;
    w->feed.ahead_pieces = &w->ahead.pieces;
    w->feed.from = next_piece(&w->from.pieces);
    w->feed.ahead = next_piece(&w->ahead.pieces);
    w->feed.left = lines_of(&w->blocks);
    w->feed.further = ahead > 0;
}

/* The feed gets the lines of the next block. */
static void feed_next(struct svi_walk *w)
{
    w->feed.left = w->left > 1 ? lines_of(&w->from.blocks) : 0;
}

/* False after the last block. */
static bool next(struct svi_walk *w)
{
    w->left--;
    return svi_blocks_next(&w->blocks);
}

/* A walk over an open blocking, with room for buffers behind it. NULL: out of memory. */
static struct svi_walk *new_walk(struct svi_blocking *blocking, int64_t nbytes)
{
    struct svi_walk *w = svi_malloc(sizeof *w + (size_t)nbytes + SVI_LINE);

    if (w != NULL && svi_blocking_open(blocking))
        return w;
    svi_free(w);
    return NULL;
}

static void free_walk(struct svi_walk *w, struct svi_blocking *blocking)
{
    svi_blocking_close(blocking);
    svi_free(w);
}

/* --- the buffer ------------------------------------------------------------------------ */

static int64_t buffer_nbytes(const struct svi_blocking *s)
{
    const int64_t rows = svi_larger(svi_axis_group_largest(&s->rows), s->rows.block);

    return (rows + 1) * (svi_axis_group_largest(&s->columns) * s->item + SVI_LINE);
}

/* --- with non-temporal stores --------------------------------------------------------- */

/* Straight from the source, or from a buffer. */
static void store_block(struct svi_walk *w, svi_stream_tiles *stream_tiles, enum svi_op op, const char *buffer)
{
    const struct svi_blocks *b = &w->blocks;
    const int64_t item = b->blocking->item, columns = SVI_LINE / item, first = 0;
    struct svi_line_tiles t = {b->dst, b->offset, b->src, b->row, b->pitch, b->rows * item / SVI_LINE, item, op};

    if (buffer != NULL) {
        t.src = buffer;
        t.row = &first;
        t.pitch = pitch_of(b);
    }
    for (int64_t i = 0; i < b->columns; i += columns, t.column += columns, t.src += SVI_LINE)
        stream_tiles(&t, &w->feed);
}

/* For each line that is stored one of the next block is packed or prefetched, and one further ahead is prefetched. */
static bool run_blocks(struct svi_blocking *blocking, const struct svi_isa *isa, enum svi_op op, bool packs,
                       const struct svi_block_store *store, int64_t ahead, char *dst, const char *src)
{
    const int64_t nbytes = packs ? buffer_nbytes(blocking) : 0;
    svi_stream_tiles *const stream_tiles = op == SVI_OP_COUNT ? isa->stream_tiles : isa->turn_cast_stream;
    struct svi_walk *w = new_walk(blocking, 2 * nbytes);
    char *now, *later;

    if (w == NULL)
        return false;
    now = svi_line_from((char *)(w + 1));
    later = now + nbytes;
    begin(w, blocking, dst, src, ahead);
    w->ahead.to_the_end = w->feed.packs = packs;
    w->feed.to = now;
    isa->feed(&w->feed);
    do {
        char *done = now;

        w->feed.to = later;
        feed_next(w);
        if (store != NULL)
            store->run(store->work, &(struct svi_packed){&w->blocks, now, pitch_of(&w->blocks), &w->feed});
        else
            store_block(w, stream_tiles, op, packs ? now : NULL);
        isa->feed(&w->feed);
        now = later;
        later = done;
    } while (next(w));
    free_walk(w, blocking);
    return true;
}

bool svi_run_blocks(struct svi_blocking *blocking, const struct svi_isa *isa, enum svi_op op, bool packs, int64_t ahead,
                    char *dst, const char *src)
{
    return run_blocks(blocking, isa, op, packs, NULL, ahead, dst, src);
}

bool svi_run_packed(struct svi_blocking *blocking, const struct svi_isa *isa, const struct svi_block_store *store,
                    int64_t ahead, char *dst, const char *src)
{
    return run_blocks(blocking, isa, SVI_OP_COUNT, true, store, ahead, dst, src);
}
