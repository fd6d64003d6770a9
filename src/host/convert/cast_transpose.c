/*
 * Transposes that convert, beyond the NT threshold. Where vectors convert in registers, tiles go straight from the
 * source to whole lines of the destination. All else, and their edges, goes by way of a slab in L2: rows of the source
 * are converted into it, and from there an ordinary transpose with non-temporal stores takes it to the destination.
 */
#include "cast_job.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"
#include "host/transpose/blocking.h"

enum {
    SLAB_RUN_BYTES = 512, /* of each row of the destination that a slab makes, */
    SLAB_COLUMNS = 1024,  /* of the source; more rows where it has fewer */
    TILES_RUN_BYTES = 256 /* of each row of the destination that tiles make, at least */
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

/* --- slabs ------------------------------------------------------------------------ */

/* Memory for the time of a copy. */
struct slabs {
    const struct svi_cast *c;
    int64_t rows, columns;  /* of a slab, at most */
    int64_t pitch;          /* of its rows */
    struct svi_plan copy;   /* of a slab to the destination */
    int64_t shape[2];       /* columns and rows of which that is */
    struct svi_odometer at; /* the axes around rows and columns */
    _Alignas(SVI_LINE) char buffer[];
};

/* NULL: out of memory. */
static struct slabs *new_slabs(const struct svi_cast *c)
{
    const struct svi_plan *plan = c->plan;
    const int64_t columns = svi_smaller(SLAB_COLUMNS, plan->shape[plan->tile]), pitch = pitch_of(columns * plan->item);
    const int64_t fitting = SLAB_RUN_BYTES * SLAB_COLUMNS / pitch / (SLAB_RUN_BYTES / plan->item);
    const int64_t most = svi_larger(fitting, 1) * SLAB_RUN_BYTES / plan->item;
    const int64_t rows = svi_smaller(most, plan->shape[plan->ndim - 1]);
    struct slabs *s = svi_scratch_new(sizeof *s + (size_t)(rows * pitch));

    if (s == NULL)
        return NULL;
    s->c = c;
    s->rows = rows;
    s->columns = columns;
    s->pitch = pitch;
    s->shape[0] = s->shape[1] = 0;
    return s;
}

static void fill_slab(struct slabs *s, int64_t rows, int64_t columns, const char *src)
{
    const struct svi_cast *c = s->c;
    const int64_t step = c->plan->src[c->plan->ndim - 1], nbytes = columns * c->plan->src_item;
    const int64_t ahead = c->machine->tuning->cast_prefetch_bytes / nbytes + 1;

    for (int64_t k = 0; k < rows; k++, src += step) {
        for (int64_t line = 0; k + ahead < rows && line < nbytes; line += SVI_LINE)
            __builtin_prefetch(src + ahead * step + line);
        svi_host_convert(c->isa, &c->plan->chain, s->buffer + k * s->pitch, src, columns);
    }
}

static void store_slab(struct slabs *s, int64_t rows, int64_t columns, char *dst)
{
    const struct svi_plan *plan = s->c->plan;

    if (columns != s->shape[0] || rows != s->shape[1]) {
        const int64_t to[2] = {plan->dst[plan->tile], plan->item}, from[2] = {plan->item, s->pitch};

        s->shape[0] = columns;
        s->shape[1] = rows;
        svi_plan_make(2, s->shape, to, from, plan->item, &s->copy);
        s->copy.reach = plan->reach; /* non-temporal stores */
    }
    svi_host_run_leaf(s->c->machine, &s->copy, dst, s->buffer);
}

/* The first slabs have the rows in front of a whole line of the destination, if they are any. */
static void convert_plane(struct slabs *s, char *dst, const char *src)
{
    const struct svi_plan *plan = s->c->plan;
    const int64_t item = plan->item, head = (int64_t)(-(uintptr_t)dst % SVI_LINE);
    const int64_t all_rows = plan->shape[plan->ndim - 1], all_columns = plan->shape[plan->tile];
    int64_t rows = head > 0 && head % item == 0 ? svi_smaller(head / item, s->rows) : s->rows;

    for (int64_t row = 0; row < all_rows; row += rows, rows = svi_smaller(s->rows, all_rows - row))
        for (int64_t column = 0; column < all_columns; column += s->columns) {
            const int64_t columns = svi_smaller(s->columns, all_columns - column);

            fill_slab(s, rows, columns, src + row * plan->src[plan->ndim - 1] + column * plan->src_item);
            store_slab(s, rows, columns, dst + row * item + column * plan->dst[plan->tile]);
        }
}

static bool by_slabs(const struct svi_cast *c, char *dst, const char *src)
{
    struct slabs *s = new_slabs(c);

    if (s == NULL)
        return false;
    svi_odometer_init(&s->at, c->plan, c->plan->ndim - 1, c->plan->tile, dst, src);
    do
        convert_plane(s, s->at.dst, s->at.src);
    while (svi_odometer_next(&s->at));
    svi_scratch_free(s);
    return true;
}

/* --- tiles straight from the source, converted in registers ------------------------- */

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
static bool choose_body(const struct svi_plan *plan, const char *dst, struct svi_interior *body)
{
    const int64_t head = (int64_t)(-(uintptr_t)dst % SVI_LINE), columns = plan->shape[plan->tile];
    const int64_t line = SVI_LINE / svi_smaller(plan->item, plan->src_item);

    if (head % plan->item != 0)
        return false;
    body->first = head / plan->item;
    body->rows = (plan->shape[plan->ndim - 1] - body->first) / line * line;
    body->columns = columns - columns % (SVI_LINE / plan->src_item);
    return body->rows * plan->item >= TILES_RUN_BYTES && body->columns > 0;
}

static bool choose_shape(struct svi_blocking *blocking, const struct svi_cast *c, const struct svi_interior *body)
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
    return svi_axis_group_cut(&blocking->rows, SVI_LINE / line, svi_larger(TILES_RUN_BYTES / plan->item, line)) &&
           svi_axis_group_cut(&blocking->columns, plan->src_item, columns) && svi_stays_in_cache(blocking);
}

/* False: it is not that, or out of memory. */
static bool by_tiles(const struct svi_cast *c, char *dst, const char *src, struct svi_interior *body)
{
    const struct svi_plan *plan = c->plan;
    const enum svi_op op = plan->chain.steps[0].op;
    struct svi_blocking blocking;

    if (!has_tiles(c) || !keeps_lines(plan) || !choose_body(plan, dst, body) || !choose_shape(&blocking, c, body))
        return false;
    return svi_run_blocks(&blocking, c->isa,
                          &(struct svi_block_run){false, c->machine->tuning->direct_prefetch_bytes, op, NULL, NULL},
                          dst + body->first * plan->item, src + body->first * plan->src[plan->ndim - 1]);
}

static bool part_by_slabs(const struct svi_cast *c, int64_t row, int64_t rows, int64_t column, int64_t columns,
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
    return by_slabs(&part, dst + row * plan.dst[j] + column * plan.dst[i],
                      src + row * plan.src[j] + column * plan.src[i]);
}

/* What is around the body. */
static bool edges(const struct svi_cast *c, const struct svi_interior *b, char *dst, const char *src)
{
    const int64_t rows = c->plan->shape[c->plan->ndim - 1], columns = c->plan->shape[c->plan->tile];
    const int64_t end = b->first + b->rows;

    return part_by_slabs(c, 0, b->first, 0, columns, dst, src) &&
           part_by_slabs(c, end, rows - end, 0, columns, dst, src) &&
           part_by_slabs(c, b->first, b->rows, b->columns, columns - b->columns, dst, src);
}

bool svi_cast_transpose(const struct svi_cast *c, char *dst, const char *src)
{
    struct svi_interior body;

    if (by_tiles(c, dst, src, &body))
        return edges(c, &body, dst, src);
    return by_slabs(c, dst, src);
}
