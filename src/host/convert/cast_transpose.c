/*
 * Transposes that convert, beyond the NT threshold. Where vectors convert in registers, tiles go straight from the
 * source to whole lines of the destination; all else, and their edges, by way of a buffer: a block of the source comes
 * to it row by row, converted on its way, and leaves it column by column as rows of the destination. Meanwhile the next
 * block comes to a second buffer, and what is behind it is fetched.
 */
#include "cast_job.h"
#include "host/base/elements.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"
#include "host/transpose/blocking.h"

enum {
    RUN_BYTES = 256,   /* of each row of the destination that a block makes */
    COLUMNS = 512,     /* of a block at most */
    STRIP_COLUMNS = 64 /* that are turned together where they are no whole lines */
};

struct turn {
    const struct svi_cast *c;
    int64_t item;                  /* of the destination, as of the buffer */
    int64_t all_rows, all_columns; /* as they are in the source */
    int64_t first;                 /* rows in front of the first line of the destination */
    int64_t rows, columns;         /* of a block, at most */
    int64_t pitch;                 /* of the buffer's rows */
    int64_t source_row, target_row;
    struct scratch *scratch;
    int64_t have_rows, have_columns; /* of the strip that there is a plan for */
};

/* Memory for the time of a copy. */
struct scratch {
    struct svi_plan plan;       /* of a strip, from buffer to buffer */
    struct svi_odometer planes; /* of all blocks */
    _Alignas(SVI_LINE) char strip[RUN_BYTES * STRIP_COLUMNS]; /* rows of the destination */
    char blocks[];                              /* two */
};

bool svi_is_cast_transpose(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->tile >= 0 && plan->tile != last && plan->dst[last] == plan->item &&
           plan->src[plan->tile] == plan->src_item && plan->shape[plan->tile] * plan->src_item >= SVI_LINE &&
           plan->shape[last] * plan->item >= SVI_LINE;
}

/* Rows of the buffer are an odd number of lines apart: they share no sets of the caches. */
static int64_t pitch_of(int64_t nbytes)
{
    return ((nbytes + SVI_LINE - 1) / SVI_LINE | 1) * SVI_LINE;
}

static struct turn turn_of(const struct svi_cast *c, const char *dst)
{
    const struct svi_plan *plan = c->plan;
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE);
    struct turn t = {.c = c, .item = plan->item};

    t.all_rows = plan->shape[plan->ndim - 1];
    t.all_columns = plan->shape[plan->tile];
    t.first = head % t.item == 0 ? svi_smaller(head / t.item, t.all_rows) : 0;
    t.rows = RUN_BYTES / t.item;
    t.columns = svi_smaller(svi_smaller(c->machine->tuning->cast_block_row_bytes / plan->src_item, COLUMNS),
                            t.all_columns);
    t.pitch = pitch_of(t.columns * t.item);
    t.source_row = plan->src[plan->ndim - 1];
    t.target_row = plan->dst[plan->tile];
    return t;
}

/* --- block after block, along the source's rows --------------------------------- */

struct block {
    int64_t row, column; /* its first ones */
};

static int64_t rows_of(const struct turn *t, const struct block *b)
{
    return b->row < t->first ? t->first : svi_smaller(t->rows, t->all_rows - b->row);
}

static int64_t columns_of(const struct turn *t, const struct block *b)
{
    return svi_smaller(t->columns, t->all_columns - b->column);
}

/* No rows are left after the last. */
static void next_block(const struct turn *t, struct block *b)
{
    if (b->column + t->columns < t->all_columns) {
        b->column += t->columns;
    } else {
        b->column = 0;
        b->row += rows_of(t, b);
    }
}

/* --- in ------------------------------------------------------------------------- */

struct cursor {
    struct block block;
    int64_t row; /* of it */
};

/* NULL at the end. */
static const char *next_row(const struct turn *t, const char *src, struct cursor *c, int64_t *columns)
{
    if (c->row == rows_of(t, &c->block)) {
        next_block(t, &c->block);
        c->row = 0;
    }
    if (c->block.row >= t->all_rows)
        return NULL;
    *columns = columns_of(t, &c->block);
    return src + (c->block.row + c->row++) * t->source_row + c->block.column * t->c->plan->src_item;
}

struct intake {
    const char *src;
    struct cursor from, ahead; /* what comes next; what is fetched next */
    char *to;
    int64_t left; /* rows of the block */
    int64_t due;  /* rows times columns of the block that goes out */
};

static void fetch_row(const struct turn *t, struct intake *in)
{
    int64_t columns;
    const char *row = next_row(t, in->src, &in->ahead, &columns);

    for (int64_t k = 0; row != NULL && k < columns * t->c->plan->src_item; k += SVI_LINE)
        __builtin_prefetch(row + k);
}

static void take_row(const struct turn *t, struct intake *in)
{
    int64_t columns;
    const char *row = next_row(t, in->src, &in->from, &columns);

    fetch_row(t, in);
    svi_host_convert(t->c->isa, &t->c->plan->chain, in->to, row, columns);
    in->to += t->pitch;
    in->left--;
}

static void take_rest(const struct turn *t, struct intake *in)
{
    while (in->left > 0)
        take_row(t, in);
}

/* The part of a block that comes while one of so many columns goes out. */
static void take_part(const struct turn *t, struct intake *in, int64_t rows, int64_t columns)
{
    for (in->due += rows; in->due >= columns; in->due -= columns)
        if (in->left > 0)
            take_row(t, in);
}

/* --- out ------------------------------------------------------------------------ */

/* Rows of the destination in whole lines, by non-temporal stores, straight from the buffer; columns: whole units. */
static void give_lines(const struct turn *t, int64_t rows, int64_t columns, char *dst, const char *buffer,
                       struct intake *in)
{
    const int64_t step = SVI_UNIT / t->item, coming = in->left, first = 0;
    int64_t column[SVI_UNIT];
    struct svi_feed nothing = {.packs = true};
    struct svi_line_tiles tiles = {.column = column, .row = &first, .pitch = t->pitch, .width = SVI_UNIT,
                                   .count = rows * t->item / SVI_LINE, .item = t->item};

    for (int64_t k = 0; k < step; k++)
        column[k] = k * t->target_row;
    for (int64_t k = 0; k < columns; k += step) {
        tiles.dst = dst + k * t->target_row;
        tiles.src = buffer + k * t->item;
        t->c->isa->stream_tiles(&tiles, &nothing);
        take_part(t, in, coming * step, columns);
    }
}

static void turn_strip(struct turn *t, int64_t rows, int64_t columns, char *to, const char *from)
{
    if (rows != t->have_rows || columns != t->have_columns) {
        const int64_t shape[2] = {columns, rows}, dst[2] = {rows * t->item, t->item}, src[2] = {t->item, t->pitch};

        svi_plan_make(2, shape, dst, src, t->item, &t->scratch->plan);
        t->have_rows = rows;
        t->have_columns = columns;
    }
    svi_host_run_leaf(&t->c->in_cache, &t->scratch->plan, to, from);
}

/* Rows of the destination that begin and end anywhere. */
static void give_strips(struct turn *t, int64_t rows, int64_t columns, char *dst, const char *buffer,
                        struct intake *in)
{
    const int64_t nbytes = rows * t->item, coming = in->left;

    for (int64_t k = 0; k < columns; k += STRIP_COLUMNS) {
        const int64_t count = svi_smaller(STRIP_COLUMNS, columns - k);

        turn_strip(t, rows, count, t->scratch->strip, buffer + k * t->item);
        for (int64_t i = 0; i < count; i++) {
            t->c->isa->stream_copy(dst, t->scratch->strip + i * nbytes, (size_t)nbytes);
            take_part(t, in, coming, columns);
            dst += t->target_row;
        }
    }
}

static void give_block(struct turn *t, const struct block *b, char *dst, const char *buffer, struct intake *in)
{
    const int64_t rows = rows_of(t, b), columns = columns_of(t, b), step = SVI_UNIT / t->item;
    int64_t whole = 0;

    dst += b->column * t->target_row + b->row * t->item;
    if (((uintptr_t)dst | (uint64_t)t->target_row | (uint64_t)(rows * t->item)) % SVI_LINE == 0)
        whole = columns / step * step;
    give_lines(t, rows, whole, dst, buffer, in);
    give_strips(t, rows, columns - whole, dst + whole * t->target_row, buffer + whole * t->item, in);
}

/* --- all of it ------------------------------------------------------------------ */

static void turn_plane(struct turn *t, char *dst, const char *src, char *now, char *next)
{
    const int64_t distance = t->c->machine->tuning->cast_prefetch_bytes;
    const int64_t far = distance / (t->columns * t->c->plan->src_item) + 1;
    struct block b = {0, 0}, coming = b;
    struct intake in = {.src = src, .to = now, .left = rows_of(t, &b)};

    for (int64_t k = 0; k < far; k++)
        fetch_row(t, &in);
    take_rest(t, &in);
    while (b.row < t->all_rows) {
        char *done = now;

        next_block(t, &coming);
        in.to = next;
        in.left = coming.row < t->all_rows ? rows_of(t, &coming) : 0;
        in.due = 0;
        give_block(t, &b, dst, now, &in);
        take_rest(t, &in);
        b = coming;
        now = next;
        next = done;
    }
}

static bool by_buffers(const struct svi_cast *c, char *dst, const char *src)
{
    struct turn t = turn_of(c, dst);
    const size_t nbytes = (size_t)(t.rows * t.pitch);
    struct svi_odometer *planes;

    t.scratch = svi_scratch_new(sizeof *t.scratch + 2 * nbytes);
    if (t.scratch == NULL)
        return false;
    planes = &t.scratch->planes;
    svi_odometer_init(planes, c->plan, c->plan->ndim - 1, c->plan->tile, dst, src);
    do
        turn_plane(&t, planes->dst, planes->src, t.scratch->blocks, t.scratch->blocks + nbytes);
    while (svi_odometer_next(planes));
    svi_scratch_free(t.scratch);
    return true;
}

/* --- tiles straight from the source, converted in registers ------------------------- */

/* All but less than a line along each axis: rows of the source from first on, and columns, all of other axes. */
struct body {
    int64_t first, rows, columns;
};

static bool has_tiles(const struct svi_cast *c)
{
    return svi_converts_in_registers(c->isa, &c->plan->chain) && c->plan->chain.steps[0].src == c->plan->src_item;
}

/* Whether each step but that along the rows of the destination goes on by whole lines. */
static bool keeps_lines(const struct svi_plan *plan)
{
    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (plan->dst[k] % SVI_LINE != 0)
            return false;
    return true;
}

/* What whole lines of both sides make of the two axes. */
static bool choose_body(const struct svi_plan *plan, const char *dst, struct body *body)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE), columns = plan->shape[plan->tile];
    const int64_t line = SVI_LINE / svi_smaller(plan->item, plan->src_item);

    if (head % plan->item != 0)
        return false;
    body->first = head / plan->item;
    body->rows = (plan->shape[plan->ndim - 1] - body->first) / line * line;
    body->columns = columns - columns % (SVI_LINE / plan->src_item);
    return body->rows * plan->item >= RUN_BYTES && body->columns > 0;
}

static bool choose_shape(struct svi_blocking *blocking, const struct svi_cast *c, const struct body *body)
{
    const struct svi_plan *plan = c->plan;
    const int64_t columns = c->machine->tuning->cast_block_row_bytes / plan->src_item;
    const int32_t i = plan->tile, j = plan->ndim - 1;
    const int64_t line = SVI_LINE / svi_smaller(plan->item, plan->src_item);
    bool taken[SVI_PLAN_NDIM] = {false};

    taken[i] = taken[j] = true;
    blocking->item = plan->src_item;
    svi_axis_group_make(&blocking->rows, plan, plan->dst, plan->src, body->rows, plan->src[j], 0, NULL);
    svi_axis_group_make(&blocking->columns, plan, plan->src, plan->dst, body->columns, plan->dst[i], 0, NULL);
    blocking->columns.item = plan->src_item;
    svi_blocking_outer(blocking, plan, taken);
    return svi_axis_group_cut(&blocking->rows, SVI_LINE / line, svi_larger(RUN_BYTES / plan->item, line)) &&
           svi_axis_group_cut(&blocking->columns, plan->src_item, columns) && svi_stays_in_cache(blocking);
}

/* False: it is not that, or out of memory. */
static bool by_tiles(const struct svi_cast *c, char *dst, const char *src, struct body *body)
{
    const struct svi_plan *plan = c->plan;
    const enum svi_op op = plan->chain.steps[0].op;
    struct svi_blocking blocking;

    if (!has_tiles(c) || !keeps_lines(plan) || !choose_body(plan, dst, body) || !choose_shape(&blocking, c, body))
        return false;
    return svi_run_blocks(&blocking, c->isa, op, false, c->machine->tuning->direct_prefetch_bytes,
                          dst + body->first * plan->item, src + body->first * plan->src[plan->ndim - 1]);
}

static bool part_by_buffers(const struct svi_cast *c, int64_t row, int64_t rows, int64_t column, int64_t columns,
                            char *dst, const char *src)
{
    const int32_t i = c->plan->tile, j = c->plan->ndim - 1;
    struct svi_plan plan = *c->plan;
    struct svi_cast part = *c;

    if (rows == 0 || columns == 0)
        return true;
    plan.shape[j] = rows;
    plan.shape[i] = columns;
    part.plan = &plan;
    return by_buffers(&part, dst + row * plan.dst[j] + column * plan.dst[i],
                      src + row * plan.src[j] + column * plan.src[i]);
}

/* What is around the body. */
static bool edges(const struct svi_cast *c, const struct body *b, char *dst, const char *src)
{
    const int64_t rows = c->plan->shape[c->plan->ndim - 1], columns = c->plan->shape[c->plan->tile];
    const int64_t end = b->first + b->rows;

    return part_by_buffers(c, 0, b->first, 0, columns, dst, src) &&
           part_by_buffers(c, end, rows - end, 0, columns, dst, src) &&
           part_by_buffers(c, b->first, b->rows, b->columns, columns - b->columns, dst, src);
}

bool svi_cast_transpose(const struct svi_cast *c, char *dst, const char *src)
{
    struct body body;

    if (by_tiles(c, dst, src, &body))
        return edges(c, &body, dst, src);
    return by_buffers(c, dst, src);
}
