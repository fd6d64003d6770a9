/*
 * Transposes past the cache whose destination is written in whole lines.
 *
 * A block of the source is copied to a buffer, in long pieces of few rows at a
 * time, however many bytes are between them; from there it goes to its place,
 * a long run of each row of the destination. Both at once: for each line that is
 * stored one of the next block comes, and one further ahead is fetched.
 */
#include <string.h>

#include "alloc.h"
#include "matrix.h"
#include "kernels.h"
#include "odometer.h"
#include "side.h"

enum {
    ROWS = 64,    /* of a block, about; and as many as make */
    RUN = 256,    /* bytes of each row of the destination */
    WIDTH = 2048, /* bytes of a row of a block, about: a reader of fewer is soon at another row, */
    BYTES = 1024, /* but where items are bytes a block has many rows */
    AHEAD = 8192  /* bytes that are fetched before they are needed */
};

static int64_t rows_of(int64_t item)
{
    return item * ROWS < RUN ? RUN / item : ROWS;
}

static int64_t columns_of(int64_t item)
{
    return item == 1 ? BYTES : WIDTH / item;
}

/* Two axes, or more, that are cut into blocks, and the others. */
struct shape {
    int64_t item;
    struct svi_side rows, columns;
    struct svi_plan outer;
};

/* One block after the other, along rows first. */
struct blocks {
    const struct shape *shape;
    int64_t row, column; /* steps of the sides */
    struct svi_odometer outer;
};

static void blocks_begin(struct blocks *b, const struct shape *shape, char *dst, const char *src)
{
    b->shape = shape;
    b->row = 0;
    b->column = 0;
    svi_odometer_init(&b->outer, &shape->outer, shape->outer.ndim, -1, dst, src);
}

/* False after the last, which stays. */
static bool blocks_next(struct blocks *b)
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

static int64_t rows_here(const struct blocks *b)
{
    const struct svi_side *s = &b->shape->rows;

    return svi_smaller(s->block, s->steps - b->row) * s->unit;
}

static int64_t columns_here(const struct blocks *b)
{
    const struct svi_side *s = &b->shape->columns;

    return svi_smaller(s->block, s->steps - b->column) * s->unit;
}

static int64_t lines_here(const struct blocks *b)
{
    return rows_here(b) * columns_here(b) * b->shape->item / SVI_LINE;
}

/* Rows of a buffer are an odd number of lines apart: they share no sets of the caches. */
static int64_t gap_here(const struct blocks *b)
{
    return columns_here(b) * b->shape->item / SVI_LINE % 2 == 0 ? SVI_LINE : 2 * SVI_LINE;
}

/* --- reading ---------------------------------------------------------------- */

struct svi_reader {
    struct blocks blocks;
    const char *src;       /* of the block */
    int64_t width, rows;   /* of it: bytes, count */
    int64_t row;           /* that comes next */
};

static void enter(struct svi_reader *r)
{
    const struct blocks *b = &r->blocks;

    r->src = b->outer.src + b->row * b->shape->rows.other + b->column * b->shape->columns.run;
    r->width = columns_here(b) * b->shape->item;
    r->rows = rows_here(b);
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

/* --- writing ---------------------------------------------------------------- */

struct work {
    struct shape shape;
    struct blocks blocks;
    struct svi_reader from, ahead;
    struct svi_feed feed;
};

static void fetch_first(struct work *w)
{
    for (int64_t k = 0; k < AHEAD; k += w->ahead.width) {
        const struct svi_piece piece = svi_reader_next(&w->ahead);

        for (const char *at = piece.at; at < piece.end; at += SVI_LINE)
            __builtin_prefetch(at);
    }
}

static void begin(struct work *w, char *dst, const char *src)
{
    blocks_begin(&w->blocks, &w->shape, dst, src);
    w->from.blocks = w->ahead.blocks = w->blocks;
    enter(&w->from);
    enter(&w->ahead);
    fetch_first(w);
    w->feed.from_reader = &w->from;
    w->feed.ahead_reader = &w->ahead;
    w->feed.from = svi_reader_next(&w->from);
    w->feed.ahead = svi_reader_next(&w->ahead);
}

static void write_block(struct work *w, svi_streams *streams, const char *buffer)
{
    const struct blocks *b = &w->blocks;
    const struct svi_side *columns = &w->shape.columns;
    const int64_t item = w->shape.item, step = 16 / item, pitch = columns_here(b) * item + gap_here(b);
    const int64_t count = rows_here(b) * item / SVI_LINE;
    char *dst = b->outer.dst + b->row * w->shape.rows.run + b->column * columns->other;

    for (int64_t i = 0; i < columns_here(b); i += step)
        streams(dst, columns->offset + i, buffer + i * item, pitch, count, &w->feed);
}

static int64_t count_blocks(const struct shape *s)
{
    int64_t count = ((s->rows.steps - 1) / s->rows.block + 1) * ((s->columns.steps - 1) / s->columns.block + 1);

    for (int32_t k = 0; k < s->outer.ndim; k++)
        count *= s->outer.shape[k];
    return count;
}

/* now, next: the buffers. */
static void write_all(struct work *w, const struct svi_isa *isa, svi_streams *streams, char *now, char *next)
{
    w->feed.to = now;
    w->feed.gap = gap_here(&w->blocks);
    w->feed.left = lines_here(&w->blocks);
    isa->feed(&w->feed);
    for (int64_t count = count_blocks(&w->shape); count > 0; count--) {
        char *done = now;

        w->feed.to = next;
        w->feed.gap = gap_here(&w->from.blocks);
        w->feed.left = count > 1 ? lines_here(&w->from.blocks) : 0;
        write_block(w, streams, now);
        isa->feed(&w->feed);
        blocks_next(&w->blocks);
        now = next;
        next = done;
    }
    isa->fence();
}

/* --- which axes are rows and columns ------------------------------------------ */

/* Rows of m in whole lines of the destination, from first on; rest is what they leave over of a row of the source. */
struct body {
    int64_t first, rows, columns, rest;
};

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
                        struct body *body)
{
    const int64_t line = SVI_LINE / m->item, head = (int64_t)(-(uintptr_t)m->dst % SVI_LINE) / m->item;
    const int64_t items = rows_of(m->item);
    bool mine[SVI_PLAN_NDIM] = {false};

    mine[plan->tile] = mine[plan->ndim - 1] = true;
    svi_side_make(rows, plan, plan->dst, plan->src, m->rows, m->src_pitch, items, mine);
    mine[plan->tile] = false;
    *body = (struct body){0, m->rows, m->columns, 0};
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
                           bool *taken, struct body *body)
{
    const int64_t line = SVI_LINE / m->item, items = columns_of(m->item);
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

static bool choose_shape(struct shape *shape, const struct svi_plan *plan, const struct svi_matrix *m,
                         struct body *body)
{
    struct svi_plan *outer = &shape->outer;
    bool taken[SVI_PLAN_NDIM];

    shape->item = m->item;
    if (!choose_rows(&shape->rows, plan, m, taken, body) || !choose_columns(&shape->columns, plan, m, taken, body))
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

/* --- what is no whole line ---------------------------------------------------- */

static void edges_of_plane(const struct svi_tile *tile, const struct svi_matrix *m, const struct body *body)
{
    const int64_t tail = body->first + body->rows;
    const struct svi_matrix rest = svi_matrix_part(m, 0, m->rows, body->columns, body->rest);

    for (int64_t j = 0; j < body->first; j += tile->rows)
        svi_matrix_strip(tile, m, j);
    for (int64_t j = tail; j < m->rows; j += tile->rows)
        svi_matrix_strip(tile, m, svi_smaller(j, m->rows - tile->rows));
    for (int64_t j = 0; body->rest > 0 && j < m->rows; j += tile->rows)
        svi_matrix_strip(tile, &rest, svi_smaller(j, m->rows - tile->rows));
}

static bool has_edges(const struct svi_matrix *m, const struct body *body)
{
    return body->rows < m->rows || body->rest > 0;
}

static void edges(const struct svi_tile *tile, const struct svi_plan *plan, const struct svi_matrix *m,
                  const struct body *body)
{
    struct svi_matrix plane = *m;
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, m->dst, m->src);
    do {
        plane.dst = outer.dst;
        plane.src = outer.src;
        edges_of_plane(tile, &plane, body);
    } while (svi_odometer_next(&outer));
}

/* --- all of it ---------------------------------------------------------------- */

static char *line_from(char *address)
{
    return address + -(uintptr_t)address % SVI_LINE;
}

bool svi_host_pack(const struct svi_isa *isa, const struct svi_tile *tile, int size, const struct svi_plan *plan,
                   const struct svi_matrix *m)
{
    const int64_t rows = 2 * rows_of(m->item), nbytes = rows * (2 * columns_of(m->item) * m->item + 2 * SVI_LINE);
    struct svi_matrix first;
    struct body body;
    struct work *w;

    if ((uintptr_t)m->dst % (uintptr_t)m->item != 0)
        return false;
    w = svi_malloc(sizeof *w + 2 * (size_t)nbytes + SVI_LINE);
    if (w == NULL)
        return false;
    if (!choose_shape(&w->shape, plan, m, &body) || (tile == NULL && has_edges(m, &body))) {
        svi_free(w);
        return false;
    }
    first = svi_matrix_part(m, body.first, body.rows, 0, body.columns);
    begin(w, first.dst, first.src);
    write_all(w, isa, isa->stream[size], line_from((char *)(w + 1)), line_from((char *)(w + 1)) + nbytes);
    if (has_edges(m, &body))
        edges(tile, plan, m, &body);
    svi_free(w);
    return true;
}
