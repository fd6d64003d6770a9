#include "blocks.h"

/* --- blocks ------------------------------------------------------------------- */

static int64_t blocks_in(const struct svi_side *side)
{
    return (svi_side_items(side) + side->block - 1) / side->block;
}

/* Where it is: the last block has fewer rows; or fewer columns, but whole lines, of which the first ones may be in the
 * block before as well. */
static void find(struct svi_blocks *b)
{
    const struct svi_side *rows = &b->shape->rows, *columns = &b->shape->columns;
    const struct svi_odometer_axis *down = &b->at.axis[b->row_axis], *along = &b->at.axis[b->column_axis];
    const int64_t row = down->index * rows->block, at = along->index * columns->block;
    const int64_t line = svi_items_of_lines(b->shape->item), all = svi_side_items(columns);
    int64_t first;

    b->rows = svi_smaller(rows->block, svi_side_items(rows) - row);
    b->columns = svi_smaller(columns->block, (all - at + line - 1) / line * line);
    first = svi_smaller(at, all - b->columns);
    b->dst = b->at.dst + first / columns->unit * columns->other;
    b->src = b->at.src + (first - at) * b->shape->item;
    b->offset = columns->offset + first % columns->unit;
    b->row = rows->offset;
    if (rows->lead != 0) { /* offsets are from the beginning of the side */
        b->src -= down->index * down->src;
        b->row += row;
    }
    b->pitch = rows->unit == 1 && row + b->rows + rows->lead <= rows->steps ? rows->other : 0;
}

/* Which axis a is, when a and b have changed places. */
static int32_t moved(int32_t axis, int32_t a, int32_t b)
{
    return axis == a ? b : axis == b ? a : axis;
}

static void swap_axes(struct svi_odometer *o, int32_t a, int32_t b)
{
    const struct svi_odometer_axis axis = o->axis[a];

    o->axis[a] = o->axis[b];
    o->axis[b] = axis;
}

static void sort_by_source(struct svi_blocks *b)
{
    for (int32_t k = 1; k < b->at.ndim; k++)
        for (int32_t i = k; i > 0 && svi_abs(b->at.axis[i - 1].src) < svi_abs(b->at.axis[i].src); i--) {
            swap_axes(&b->at, i - 1, i);
            b->row_axis = moved(b->row_axis, i - 1, i);
            b->column_axis = moved(b->column_axis, i - 1, i);
        }
}

void svi_blocks_begin(struct svi_blocks *b, const struct svi_shape *shape, char *dst, const char *src)
{
    const struct svi_side *rows = &shape->rows, *columns = &shape->columns;
    struct svi_plan order = shape->outer;

    b->shape = shape;
    b->row_axis = order.ndim;
    svi_shape_axis(&order, blocks_in(rows), rows->block * (rows->run / rows->unit),
                   rows->block / rows->unit * rows->other);
    b->column_axis = order.ndim;
    svi_shape_axis(&order, blocks_in(columns), 0, columns->block * shape->item);
    svi_odometer_init(&b->at, &order, order.ndim, -1, dst, src);
    if (shape->by_source)
        sort_by_source(b);
    find(b);
}

bool svi_blocks_next(struct svi_blocks *b)
{
    const bool more = svi_odometer_next(&b->at);

    find(b);
    return more;
}

static int64_t lines_of(const struct svi_blocks *b)
{
    return b->rows * b->columns * b->shape->item / SVI_LINE;
}

static int64_t count_blocks(const struct svi_shape *s)
{
    int64_t count = blocks_in(&s->rows) * blocks_in(&s->columns);

    for (int32_t k = 0; k < s->outer.ndim; k++)
        count *= s->outer.shape[k];
    return count;
}

void svi_part_fetch(const struct svi_part *part, bool next, int64_t column, int64_t count)
{
    const struct svi_place *p = next ? &part->next : &part->block;
    const int64_t row = next ? part->next_row : part->row, all = part->shape->rows.steps;
    const char *to = p->dst + (row == 0 ? 0 : all * part->shape->item - 1);

    if (row != 0 && row + part->rows < all)
        return;
    for (int64_t i = 0; i < count; i++)
        __builtin_prefetch(to + p->offset[column + i], 1);
}

/* --- pieces of rows ----------------------------------------------------------- */

static void enter(struct svi_reader *r)
{
    const struct svi_blocks *b = &r->blocks;

    r->src = b->src;
    r->width = b->columns * b->shape->item;
    r->rows = b->rows;
    r->row = 0;
}

/* After the last block comes the first again: nobody needs it. */
struct svi_piece svi_reader_next(struct svi_reader *r)
{
    const char *at;

    if (r->to_the_end && (uintptr_t)r->end % SVI_LINE != 0)
        __builtin_prefetch(r->end);
    if (r->row == r->rows) {
        svi_blocks_next(&r->blocks);
        enter(r);
    }
    at = r->src + r->blocks.row[r->row++];
    r->end = at + r->width;
    return (struct svi_piece){at, r->end};
}

/* --- a walk ------------------------------------------------------------------- */

static void fetch_first(struct svi_walk *w, int64_t ahead)
{
    for (int64_t k = 0; k < ahead; k += w->ahead.width) {
        const struct svi_piece piece = svi_reader_next(&w->ahead);

        for (const char *at = piece.at; at < piece.end; at += SVI_LINE)
            __builtin_prefetch(at);
    }
}

void svi_walk_begin(struct svi_walk *w, char *dst, const char *src, int64_t ahead)
{
    svi_blocks_begin(&w->blocks, &w->shape, dst, src);
    w->left = count_blocks(&w->shape);
    w->from.blocks = w->ahead.blocks = w->blocks;
    w->from.to_the_end = w->ahead.to_the_end = false;
    enter(&w->from);
    enter(&w->ahead);
    fetch_first(w, ahead);
    w->feed.from_reader = &w->from;
    w->feed.ahead_reader = &w->ahead;
    w->feed.from = svi_reader_next(&w->from);
    w->feed.ahead = svi_reader_next(&w->ahead);
    w->feed.left = lines_of(&w->blocks);
    w->feed.further = ahead > 0;
}

void svi_walk_feed(struct svi_walk *w)
{
    w->feed.left = w->left > 1 ? lines_of(&w->from.blocks) : 0;
}

bool svi_walk_next(struct svi_walk *w)
{
    w->left--;
    return svi_blocks_next(&w->blocks);
}
