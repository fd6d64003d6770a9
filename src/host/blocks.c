#include "blocks.h"

#include <string.h>

/* --- which axes are rows and columns ------------------------------------------ */

/* Whether each step of the axes that are no rows goes on by whole lines. */
static bool keeps_lines(const struct svi_plan *plan, const bool *rows)
{
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!rows[k] && plan->dst[k] % SVI_LINE != 0)
            return false;
    return true;
}

/* Rows of several axes are whole lines, without an end; else they are of one axis. */
static bool choose_rows(struct svi_side *rows, const struct svi_plan *plan, const struct svi_matrix *m, bool *taken,
                        int64_t items, struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item, head = (int64_t)(-(uintptr_t)m->dst % SVI_LINE) / m->item;
    bool mine[SVI_PLAN_NDIM] = {false};

    mine[plan->tile] = mine[plan->ndim - 1] = true;
    svi_side_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, items, mine);
    mine[plan->tile] = false;
    *body = (struct svi_body){0, m->rows, m->columns, 0};
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

static bool choose_columns(struct svi_side *columns, const struct svi_plan *plan, const struct svi_matrix *m,
                           bool *taken, int64_t items, struct svi_body *body)
{
    const int64_t line = SVI_LINE / m->item;
    bool mine[SVI_PLAN_NDIM];

    taken[plan->tile] = true;
    memcpy(mine, taken, sizeof mine);
    svi_side_make(columns, plan, plan->src, plan->dst, m->columns, m->dst_pitch, items, mine);
    if (columns->unit == 1 || !svi_side_cut(columns, m->item, items)) {
        memcpy(mine, taken, sizeof mine);
        body->columns = m->columns / line * line;
        body->rest = m->columns - body->columns;
        if (body->columns == 0)
            return false;
        svi_side_make(columns, plan, plan->src, plan->dst, body->columns, m->dst_pitch, 0, mine);
        svi_side_cut(columns, m->item, items);
    }
    memcpy(taken, mine, sizeof mine);
    return true;
}

bool svi_shape_choose(struct svi_shape *shape, const struct svi_plan *plan, const struct svi_matrix *m, int64_t rows,
                      int64_t columns, struct svi_body *body)
{
    struct svi_plan *outer = &shape->outer;
    bool taken[SVI_PLAN_NDIM];

    shape->item = m->item;
    if (!choose_rows(&shape->rows, plan, m, taken, rows, body) ||
        !choose_columns(&shape->columns, plan, m, taken, columns, body))
        return false;
    outer->ndim = 0;
    for (int32_t k = 0; k < plan->ndim; k++)
        if (!taken[k]) {
            outer->shape[outer->ndim] = plan->shape[k];
            outer->dst[outer->ndim] = plan->dst[k];
            outer->src[outer->ndim++] = plan->src[k];
        }
    return true;
}

/* --- blocks ------------------------------------------------------------------- */

static void blocks_begin(struct svi_blocks *b, const struct svi_shape *shape, char *dst, const char *src)
{
    b->shape = shape;
    b->row = 0;
    b->column = 0;
    svi_odometer_init(&b->outer, &shape->outer, shape->outer.ndim, -1, dst, src);
}

/* False after the last, which stays. */
static bool blocks_next(struct svi_blocks *b)
{
    const struct svi_side *rows = &b->shape->rows, *columns = &b->shape->columns;
    const bool last_column = b->column + columns->block >= columns->steps;
    const bool last_row = b->row + rows->block >= rows->steps;

    if (!last_column) {
        b->column += columns->block;
        return true;
    }
    if (last_row && !svi_odometer_next(&b->outer))
        return false;
    b->column = 0;
    b->row = last_row ? 0 : b->row + rows->block;
    return true;
}

int64_t svi_blocks_rows(const struct svi_blocks *b)
{
    const struct svi_side *s = &b->shape->rows;

    return svi_smaller(s->block, s->steps - b->row) * s->unit;
}

int64_t svi_blocks_columns(const struct svi_blocks *b)
{
    const struct svi_side *s = &b->shape->columns;

    return svi_smaller(s->block, s->steps - b->column) * s->unit;
}

char *svi_blocks_dst(const struct svi_blocks *b)
{
    return b->outer.dst + b->row * b->shape->rows.run + b->column * b->shape->columns.other;
}

const char *svi_blocks_src(const struct svi_blocks *b)
{
    return b->outer.src + b->row * b->shape->rows.other + b->column * b->shape->columns.run;
}

static int64_t lines_of(const struct svi_blocks *b)
{
    return svi_blocks_rows(b) * svi_blocks_columns(b) * b->shape->item / SVI_LINE;
}

static int64_t count_blocks(const struct svi_shape *s)
{
    int64_t count = ((s->rows.steps - 1) / s->rows.block + 1) * ((s->columns.steps - 1) / s->columns.block + 1);

    for (int32_t k = 0; k < s->outer.ndim; k++)
        count *= s->outer.shape[k];
    return count;
}

/* --- pieces of rows ----------------------------------------------------------- */

static void enter(struct svi_reader *r)
{
    const struct svi_blocks *b = &r->blocks;

    r->src = svi_blocks_src(b);
    r->width = svi_blocks_columns(b) * b->shape->item;
    r->rows = svi_blocks_rows(b);
    r->row = 0;
}

/* After the last block it comes again: nobody needs it. */
struct svi_piece svi_reader_next(struct svi_reader *r)
{
    const char *at;

    if (r->row == r->rows) {
        blocks_next(&r->blocks);
        enter(r);
    }
    at = r->src + r->blocks.shape->rows.offset[r->row++];
    return (struct svi_piece){at, at + r->width};
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
    blocks_begin(&w->blocks, &w->shape, dst, src);
    w->left = count_blocks(&w->shape);
    w->from.blocks = w->ahead.blocks = w->blocks;
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
    return blocks_next(&w->blocks);
}
