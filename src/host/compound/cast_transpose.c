/*
 * Transposes that convert, beyond the cache. If vectors convert in registers, tiles are transposed from the source to
 * whole lines of the destination. Their edges, and all other conversions, use a buffer: a block of the source is
 * converted to it row by row, while later rows are prefetched, and then transposed by strips to rows of the
 * destination.
 */
#include "base/checked.h"
#include "host/convert/cast_job.h"
#include "host/base/buffer.h"
#include "host/base/memory_hints.h"
#include "host/dispatch/dispatch.h"
#include "host/transpose/blocking.h"
#include "host/convert/convert.h"
#include "host/compound/cast_transpose.h"
#include "host/transpose/block_run.h"
#include "host/transpose/blocks_nt.h"
#include "plan/part.h"

/* Measured: doc/internals/copy_experiments.md#how-are-transposes-converted. */
enum {
    RUN_BYTES = 256, /* bytes of each row of the destination that a block makes */
    MAX_COLUMNS = 512, /* columns of a block */
    STRIP_COLUMNS = 64 /* columns that are transposed together */
};

/* The state of a copy, and its buffers. */
struct turn {
    const struct svi_cast *c;
    int64_t rows, columns;      /* of a full block */
    int64_t pitch;              /* bytes from row to row of the buffer */
    int64_t ahead;              /* prefetch distance in rows */
    struct svi_odometer planes; /* the next plane */
    int64_t shape[2];           /* columns and rows of the strip that strip_plan is for */
    struct svi_plan strip_plan; /* transposes a strip from buffer to buffer */
    _Alignas(SVI_LINE) char strip[RUN_BYTES * STRIP_COLUMNS]; /* rows of the destination */
    char buffer[];
};

bool svi_is_cast_transpose(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->src_axis >= 0 && plan->src_axis != last && plan->dst[last] == plan->item &&
           plan->src[plan->src_axis] == plan->src_item && plan->shape[plan->src_axis] * plan->src_item >= SVI_LINE &&
           plan->shape[last] * plan->item >= SVI_LINE;
}

/* NULL: out of memory. */
static struct turn *new_turn(const struct svi_cast *c)
{
    const struct svi_plan *plan = c->plan;
    const struct svi_tuning *tuning = c->machine->tuning;
    const int64_t most = svi_smaller(tuning->cast_block_row_bytes / plan->src_item, MAX_COLUMNS);
    const int64_t columns = svi_smaller(most, plan->shape[plan->src_axis]);
    const int64_t rows = RUN_BYTES / plan->item, pitch = svi_odd_lines(columns * plan->item);
    struct turn *t = svi_scratch_new(sizeof *t + (size_t)(rows * pitch));

    if (t == NULL)
        return NULL;
    t->c = c;
    t->rows = rows;
    t->columns = columns;
    t->pitch = pitch;
    t->ahead = svi_smaller(tuning->cast_prefetch_bytes / (columns * plan->src_item) + 1, rows);
    t->shape[0] = t->shape[1] = 0;
    return t;
}

static void turn_strip(struct turn *t, int64_t rows, int64_t columns, const char *from)
{
    const int64_t item = t->c->plan->item;

    if (columns != t->shape[0] || rows != t->shape[1]) {
        const int64_t dst[2] = {rows * item, item}, src[2] = {item, t->pitch};

        t->shape[0] = columns;
        t->shape[1] = rows;
        svi_plan_make(2, t->shape, dst, src, item, &t->strip_plan);
    }
    svi_host_run_leaf(&t->c->in_cache, &t->strip_plan, t->strip, from);
}

/* Converts a block to the buffer. With its last rows the first rows of the next block are prefetched. */
static void convert_turn_block(struct turn *t, int64_t rows, int64_t columns, const char *src, const char *next)
{
    const struct svi_plan *plan = t->c->plan;
    const int64_t step = plan->src[plan->ndim - 1], nbytes = columns * plan->src_item;
    const int64_t ahead = svi_smaller(t->ahead, rows);

    for (int64_t k = 0; k < rows; k++) {
        const int64_t later = k + ahead;
        const char *row = later < rows ? src + later * step : next + (later - rows) * step;

        for (int64_t line = 0; line < nbytes; line += SVI_LINE)
            svi_prefetch(row + line);
        svi_host_convert(t->c->isa, &plan->chain, t->buffer + k * t->pitch, src + k * step, columns);
    }
}

static void store_turned_block(struct turn *t, int64_t rows, int64_t columns, char *dst)
{
    const struct svi_plan *plan = t->c->plan;
    const int64_t nbytes = rows * plan->item;

    for (int64_t k = 0; k < columns; k += STRIP_COLUMNS) {
        const int64_t count = svi_smaller(STRIP_COLUMNS, columns - k);

        turn_strip(t, rows, count, t->buffer + k * plan->item);
        for (int64_t i = 0; i < count; i++)
            t->c->isa->nt->copy(dst + (k + i) * plan->dst[plan->src_axis], t->strip + i * nbytes, (size_t)nbytes);
    }
}

/* Converts a plane. The first blocks have the rows before the first whole line of the destination, if there are any. */
static void turn_plane(struct turn *t, char *dst, const char *src)
{
    const struct svi_plan *plan = t->c->plan;
    const int64_t item = plan->item, head = (int64_t)(-(uintptr_t)dst % SVI_LINE), step = plan->src[plan->ndim - 1];
    const int64_t all_rows = plan->shape[plan->ndim - 1], all_columns = plan->shape[plan->src_axis];
    int64_t rows = svi_smaller(head > 0 && head % item == 0 ? head / item : t->rows, all_rows);

    for (int64_t row = 0; row < all_rows; row += rows, rows = svi_smaller(t->rows, all_rows - row))
        for (int64_t column = 0; column < all_columns; column += t->columns) {
            const int64_t columns = svi_smaller(t->columns, all_columns - column);
            const char *from = src + row * step + column * plan->src_item;
            const char *next = from + columns * plan->src_item;

            if (column + columns == all_columns)
                next = row + rows == all_rows ? t->planes.src : src + (row + rows) * step;
            convert_turn_block(t, rows, columns, from, next);
            store_turned_block(t, rows, columns, dst + row * item + column * plan->dst[plan->src_axis]);
        }
}

static bool by_buffers(const struct svi_cast *c, char *dst, const char *src)
{
    struct turn *t = new_turn(c);

    if (t == NULL)
        return false;
    svi_odometer_init(&t->planes, c->plan, c->plan->ndim - 1, c->plan->src_axis, dst, src);
    while (!t->planes.ended) {
        dst = t->planes.dst;
        src = t->planes.src;
        svi_odometer_next(&t->planes);
        turn_plane(t, dst, src);
    }
    svi_scratch_free(t);
    return true;
}

/* --- tiles straight from the source, converted in registers ------------------------- */

/* Finds the part of the two axes that is whole lines on both sides. */
static bool choose_body(const struct svi_plan *plan, const char *dst, struct svi_interior *body)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE), columns = plan->shape[plan->src_axis];
    const int64_t line = SVI_LINE / svi_smaller(plan->item, plan->src_item);

    if (head % plan->item != 0)
        return false;
    body->first = head / plan->item;
    body->rows = (plan->shape[plan->ndim - 1] - body->first) / line * line;
    body->columns = columns - columns % (SVI_LINE / plan->src_item);
    return body->rows * plan->item >= RUN_BYTES && body->columns > 0;
}

static bool choose_shape(struct svi_blocking *blocking, const struct svi_cast *c, const struct svi_interior *body)
{
    const struct svi_plan *plan = c->plan;
    const int64_t columns = c->machine->tuning->cast_block_row_bytes / plan->src_item;
    const int32_t i = plan->src_axis, j = plan->ndim - 1;
    const int64_t line = SVI_LINE / svi_smaller(plan->item, plan->src_item);
    bool taken[SVI_PLAN_NDIM] = {false};

    taken[j] = true;
    if (!svi_keeps_lines(plan, taken))
        return false;
    taken[i] = true;
    blocking->item = plan->src_item;
    svi_axis_group_make(&blocking->rows, plan, plan->dst, plan->src, body->rows, plan->src[j], 0, NULL);
    svi_axis_group_make(&blocking->columns, plan, plan->src, plan->dst, body->columns, plan->dst[i], 0, NULL);
    blocking->columns.item = plan->src_item;
    svi_blocking_outer(blocking, plan, taken);
    return svi_axis_group_cut(&blocking->rows, SVI_LINE / line, svi_larger(RUN_BYTES / plan->item, line)) &&
           svi_axis_group_cut(&blocking->columns, plan->src_item, columns) && svi_stays_in_cache(blocking);
}

/* Converts the body by tiles. False: vectors do not convert so, or memory is lacking. */
static bool convert_by_tiles(const struct svi_cast *c, char *dst, const char *src, struct svi_interior *body)
{
    const struct svi_plan *plan = c->plan;
    const struct svi_step *step = &plan->chain.steps[0];
    struct svi_blocking blocking;

    if (!svi_converts_in_registers(c->isa, &plan->chain) || step->src != plan->src_item ||
        !choose_body(plan, dst, body) || !choose_shape(&blocking, c, body))
        return false;
    return svi_run_blocks(&blocking, c->isa,
                          &(struct svi_block_run){.ahead = c->machine->tuning->direct_prefetch_bytes, .op = step->op},
                          dst + body->first * plan->item, src + body->first * plan->src[plan->ndim - 1]);
}

static bool part_by_buffers(const struct svi_cast *c, int64_t row, int64_t rows, int64_t column, int64_t columns,
                            char *dst, const char *src)
{
    const int32_t i = c->plan->src_axis, j = c->plan->ndim - 1;
    struct svi_plan plan = *c->plan;
    struct svi_cast part = *c;

    if (rows == 0 || columns == 0)
        return true;
    svi_part_set_extent(&plan, j, rows);
    svi_part_set_extent(&plan, i, columns);
    part.plan = &plan;
    return by_buffers(&part, dst + row * plan.dst[j] + column * plan.dst[i],
                      src + row * plan.src[j] + column * plan.src[i]);
}

/* Converts the elements around the body. */
static bool convert_edges(const struct svi_cast *c, const struct svi_interior *b, char *dst, const char *src)
{
    const int64_t rows = c->plan->shape[c->plan->ndim - 1], columns = c->plan->shape[c->plan->src_axis];
    const int64_t end = b->first + b->rows;

    return part_by_buffers(c, 0, b->first, 0, columns, dst, src) &&
           part_by_buffers(c, end, rows - end, 0, columns, dst, src) &&
           part_by_buffers(c, b->first, b->rows, b->columns, columns - b->columns, dst, src);
}

bool svi_cast_transpose(const struct svi_cast *c, char *dst, const char *src)
{
    struct svi_interior body;

    if (convert_by_tiles(c, dst, src, &body))
        return convert_edges(c, &body, dst, src);
    return by_buffers(c, dst, src);
}
