#include "blocks.h"

#include <string.h>

enum {
    MANY = 8,     /* lines */
    WIDE = 16,    /* lines */
    SHORT = 4096, /* bytes of rows of one axis whose ends are worth being taken together; */
    STEPS = 4,    /* of the axis that goes on with them at least, the last of which is copied by itself, */
    LONG = 448    /* or bytes of columns */
};

/* --- which axes are rows and columns ------------------------------------------ */

/* Whether each step of the axes that are no rows goes on by whole lines. */
static bool keeps_lines(const struct svi_plan *plan, const bool *rows)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!rows[k] && plan->dst[k] % SVI_LINE != 0)
            return false;
    return true;
}

/* The axis that rows go on with, where its last step is worth a copy of its own, and what is no line of columns too. */
static bool goes_on(const struct svi_plan *plan, const struct svi_matrix *m, int32_t next)
{
    if (next < 0 || plan->shape[next] < STEPS)
        return false;
    return next != plan->tile || (m->dst_pitch > 0 && m->columns * m->item >= LONG);
}

/* Rows that are whole lines but begin within one: of one axis where another goes on with them, or of several. */
static bool choose_rows_behind(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m,
                               int64_t head, bool *mine, int64_t items, struct svi_body *body)
{
    const int64_t all = svi_side_items(rows), line = SVI_LINE / m->item;
    int32_t next;

    if (m->rows < line || all > SVI_SIDE / 2 || all % line != 0 || !keeps_lines(plan, mine) ||
        (rows->unit == 1 && all * m->item > SHORT))
        return false;
    next = svi_side_axis(plan, plan->dst, all * m->item, mine);
    if (!goes_on(plan, m, next))
        next = -1;
    if (next < 0 && rows->unit == 1)
        return false;
    svi_side_cut_behind(rows, m->item, items, head, next >= 0 ? plan->src[next] : 0, next < 0);
    body->lead = head;
    body->next = next;
    body->outer = plan->ndim;
    while (mine[body->outer - 1])
        body->outer--;
    return true;
}

/* Rows of several axes are whole lines, without an end; else they are of one axis. */
static bool choose_rows(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m, bool *taken,
                        int64_t items, bool behind, struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item, head = (int64_t)(-(uintptr_t)m->dst % SVI_LINE) / m->item;
    bool mine[SVI_PLAN_NDIM] = {false};

    mine[plan->tile] = mine[plan->ndim - 1] = true;
    svi_side_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, items, mine);
    mine[plan->tile] = false;
    *body = (struct svi_body){.rows = m->rows, .columns = m->columns, .next = -1};
    if (behind && head != 0 && choose_rows_behind(rows, plan, m, head, mine, items, body)) {
        memcpy(taken, mine, sizeof mine);
        return true;
    }
    if (rows->unit == 1 || head != 0 || !keeps_lines(plan, mine) || !svi_side_cut(rows, m->item, items)) {
        for (int32_t k = 0; k < plan->ndim; k++)
            mine[k] = k == plan->ndim - 1;
        body->first = head;
        body->rows = (m->rows - head) / line * line;
        if (body->rows <= 0 || !keeps_lines(plan, mine))
            return false;
        svi_side_make(rows, plan, plan->dst, plan->src, body->rows, m->src_pitch, 0, mine);
        svi_side_cut(rows, m->item, items);
    }
    memcpy(taken, mine, sizeof mine);
    return true;
}

/* As few axes as are whole lines, or so long that it is no matter that the last block begins within the one before. */
static bool choose_columns_of_lines(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                                    bool *taken)
{
    const int64_t line = svi_items_of_lines(m->item);
    bool mine[SVI_PLAN_NDIM];

    taken[plan->tile] = true;
    for (int64_t least = line; least <= MANY * line; least *= MANY) {
        memcpy(mine, taken, sizeof mine);
        svi_side_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, least, mine);
        if (svi_side_items(columns) % line == 0)
            break;
    }
    memcpy(taken, mine, sizeof mine);
    return svi_side_items(columns) >= line;
}

/* Blocks of whole lines, alike but for the last. */
static void cut_into_lines(struct svi_side *columns, int64_t line, int64_t items)
{
    const int64_t all = svi_side_items(columns), blocks = (all + items / 2 - 1) / items;
    const int64_t even = blocks > 1 ? (all + blocks - 1) / blocks : all;

    svi_side_cut_anywhere(columns, svi_smaller((even + line - 1) / line, all / line) * line);
}

/* Of one axis, but for what is no whole line. */
static bool choose_axis(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                        int64_t items, struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item;

    body->columns = m->columns / line * line;
    body->rest = m->columns - body->columns;
    svi_side_make(columns, plan, plan->src, plan->dst, body->columns, m->dst_pitch, 0, NULL);
    return body->columns > 0 && svi_side_cut(columns, m->item, items);
}

static bool choose_columns(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                           bool *taken, int64_t items, struct svi_body *body)
{
    bool mine[SVI_PLAN_NDIM];

    memcpy(mine, taken, sizeof mine);
    mine[plan->tile] = true;
    svi_side_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, items, mine);
    if (columns->unit > 1 && svi_side_cut(columns, m->item, items)) {
        memcpy(taken, mine, sizeof mine);
        return true;
    }
    memcpy(mine, taken, sizeof mine);
    if (choose_columns_of_lines(columns, plan, m, mine) && columns->unit > 1) {
        cut_into_lines(columns, SVI_LINE / m->item, items);
        memcpy(taken, mine, sizeof mine);
        return true;
    }
    taken[plan->tile] = true;
    return choose_axis(columns, plan, m, items, body);
}

static void add_axis(struct svi_plan *plan, int64_t count, int64_t dst, int64_t src)
{
    plan->shape[plan->ndim] = count;
    plan->dst[plan->ndim] = dst;
    plan->src[plan->ndim++] = src;
}

void svi_shape_outer(struct svi_shape *shape, const struct svi_plan *plan, const bool *taken)
{
    shape->by_source = false;
    shape->outer.ndim = 0;
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k])
            add_axis(&shape->outer, plan->shape[k], plan->dst[k], plan->src[k]);
}

bool svi_shape_choose(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m, int64_t rows,
                      int64_t columns, struct svi_body *body)
{
    bool taken[SVI_PLAN_NDIM];
    struct svi_plan inner;
    struct svi_matrix part = *m;

    shape->item = m->item;
    if (!choose_rows(&shape->rows, plan, m, taken, rows, true, body))
        return false;
    if (body->next >= 0) {
        inner = *plan;
        inner.shape[body->next]--;
        part.columns = inner.shape[plan->tile];
        plan = &inner;
        m = &part;
    }
    if (!choose_columns(&shape->columns, plan, m, taken, columns, body))
        return false;
    if (body->next == plan->tile) {
        body->columns = svi_smaller(body->columns, part.columns);
        body->rest = part.columns + 1 - body->columns;
    }
    svi_shape_outer(shape, plan, taken);
    return true;
}

static bool choose_rows_of_axis(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m,
                                bool *taken, bool ragged, struct svi_body *body)
{
    if (!ragged)
        return choose_rows(rows, plan, m, taken, SVI_LINE / m->item, false, body) && rows->unit == 1;
    *body = (struct svi_body){.rows = m->rows, .columns = m->columns, .next = -1};
    svi_side_make(rows, plan, plan->dst, plan->src, body->rows, m->src_pitch, 0, NULL);
    for (int32_t k = 0; k < plan->ndim; k++)
        taken[k] = k == plan->ndim - 1;
    return true;
}

bool svi_shape_choose_lines(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                            bool ragged, struct svi_body *body)
{
    bool taken[SVI_PLAN_NDIM];

    shape->item = m->item;
    if (!choose_rows_of_axis(&shape->rows, plan, m, taken, ragged, body) ||
        !choose_columns_of_lines(&shape->columns, plan, m, taken))
        return false;
    svi_shape_outer(shape, plan, taken);
    shape->rows.block = shape->rows.steps;
    svi_shape_cut_columns(shape, WIDE * svi_items_of_lines(m->item));
    shape->by_source = true;
    return true;
}

void svi_shape_cut_columns(struct svi_shape *shape, int64_t items)
{
    const int64_t line = svi_items_of_lines(shape->item), whole = svi_side_items(&shape->columns) / line * line;

    svi_side_cut_anywhere(&shape->columns, svi_smaller(items, whole));
}

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
    add_axis(&order, blocks_in(rows), rows->block * (rows->run / rows->unit),
             rows->block / rows->unit * rows->other);
    b->column_axis = order.ndim;
    add_axis(&order, blocks_in(columns), 0, columns->block * shape->item);
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
