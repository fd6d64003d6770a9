/*
 * Copies that convert. Where both sides have runs of one axis, they go row by
 * row; transposes are in cast_turn.c, pixels in pixels.c. All else goes block
 * by block: a block of the source is brought into the order of the
 * destination, by the kernels of plain copies, into a buffer in cache, and is
 * converted from there to the destination's runs, while the next one is fetched.
 * Without memory for a block it goes by a few items at a time.
 */
#include "cast.h"
#include "items.h"
#include "odometer.h"
#include "scratch.h"
#include "relay.h"

enum {
    AHEAD = 8192, /* bytes of the source that are fetched before they are needed */
    IN_CACHE = 0  /* reach of a block: its buffer stays in the first cache, and the source is fetched */
};

/* --- rows ------------------------------------------------------------------ */

static bool has_rows(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->dst[last] == plan->item && plan->src[last] == plan->src_item &&
           (plan->ndim == 1 || plan->shape[last] >= SVI_CAST_RUN);
}

static void rows(const struct svi_cast *c, char *dst, const char *src)
{
    const int64_t lines = svi_cast_piece(c->plan) * c->plan->src_item / SVI_LINE;
    const int32_t last = c->plan->ndim - 1;
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, last, -1, dst, src);
    do {
        struct svi_ahead ahead = {outer.src + AHEAD, 0, INT64_MAX, 0, 1, lines};

        svi_cast_run(c, outer.dst, outer.src, c->plan->shape[last], &ahead);
    } while (svi_odometer_next(&outer));
}

/* --- blocks ---------------------------------------------------------------- */

/* What is done with blocks of one shape. */
struct part {
    int64_t shape[SVI_PLAN_NDIM];
    int64_t size;          /* items */
    int32_t run_axis;      /* axes from here on are one run in the destination, */
    int64_t run;           /* of so many items; */
    bool has_runs;         /* they are stored one by one */
    struct svi_ahead lies; /* where it is in the source, */
    int64_t lowest;        /* from so many bytes after its first item on */
    struct svi_plan in;    /* to the buffer, dense in the order of the destination */
    struct svi_plan out;   /* from there: over the runs, or from a second buffer, as it is */
};

static void dense_strides(const struct svi_plan *plan, const int64_t *shape, int64_t item, int64_t *out)
{
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        out[k] = item;
        item *= shape[k];
    }
}

static void find_run(const struct svi_plan *plan, struct part *p)
{
    p->run = 1;
    p->run_axis = plan->ndim;
    while (p->run_axis > 0 && plan->dst[p->run_axis - 1] == p->run * plan->item) {
        p->run *= p->shape[--p->run_axis];
        if (p->shape[p->run_axis] < plan->shape[p->run_axis])
            break;
    }
}

static void plan_runs(const struct svi_plan *plan, const int64_t *strides, struct part *p)
{
    p->out.ndim = p->run_axis;
    for (int32_t k = 0; k < p->run_axis; k++) {
        p->out.shape[k] = p->shape[k];
        p->out.dst[k] = plan->dst[k];
        p->out.src[k] = strides[k];
    }
}

/* Axes that leave out less than a line are read as a row of bytes; of further axes one, as so many rows. */
static void find_lines(const struct svi_plan *plan, struct part *p)
{
    int32_t k = svi_cast_axis_after(plan, -1);

    p->lies = (struct svi_ahead){.nbytes = plan->src_item, .rows = 1};
    p->lowest = 0;
    while (k >= 0 && svi_distance(plan->src[k]) <= p->lies.nbytes + SVI_LINE) {
        p->lies.nbytes += svi_distance(plan->src[k]) * (p->shape[k] - 1);
        p->lowest += plan->src[k] < 0 ? plan->src[k] * (p->shape[k] - 1) : 0;
        k = svi_cast_axis_after(plan, k);
    }
    if (k >= 0) {
        p->lies.rows = p->shape[k];
        p->lies.step = plan->src[k];
    }
    p->lies.lines = (p->lies.nbytes / SVI_LINE + 1) * p->lies.rows * svi_cast_piece(plan) / p->size + 1;
}

static void prepare(const struct svi_plan *plan, bool has_runs, struct part *p)
{
    int64_t strides[SVI_PLAN_NDIM];

    p->size = 1;
    for (int32_t k = 0; k < plan->ndim; k++)
        p->size *= p->shape[k];
    dense_strides(plan, p->shape, plan->src_item, strides);
    svi_plan_make(plan->ndim, p->shape, strides, plan->src, plan->src_item, &p->in);
    p->in.reach = IN_CACHE;
    find_run(plan, p);
    find_lines(plan, p);
    p->has_runs = has_runs || p->run >= SVI_CAST_RUN;
    if (p->has_runs) {
        plan_runs(plan, strides, p);
    } else {
        dense_strides(plan, p->shape, plan->item, strides);
        svi_plan_make(plan->ndim, p->shape, plan->dst, strides, plan->item, &p->out);
        p->out.reach = IN_CACHE;
    }
}

/* The block's items in the order of the destination: in the buffer, or where they are. */
static const char *bring(const struct svi_cast *c, const struct part *p, char *buffer, const char *src)
{
    if (p->in.kind == SVI_CLASS_CONTIGUOUS)
        return src + p->in.src_offset;
    svi_host_run_block(&c->in_cache, &p->in, buffer, src);
    return buffer;
}

static void convert_runs(const struct svi_cast *c, const struct part *p, char *dst, const char *src,
                         struct svi_ahead *ahead)
{
    struct svi_odometer o;

    svi_odometer_init(&o, &p->out, p->run_axis, -1, dst, src);
    do
        svi_cast_run(c, o.dst, o.src, p->run, ahead);
    while (svi_odometer_next(&o));
}

/* next: the source of the next block. before: 2 * SVI_CAST_BLOCK bytes. */
static void convert_block(const struct svi_cast *c, const struct part *p, char *before, char *dst, const char *src,
                          const char *next)
{
    char *const after = before + SVI_CAST_BLOCK;
    const char *items = bring(c, p, before, src);
    struct svi_ahead ahead = p->lies;

    ahead.row = next + p->lowest;
    if (p->has_runs) {
        convert_runs(c, p, dst, items, &ahead);
    } else {
        svi_host_convert(c->isa, &c->plan->chain, after, items, p->size);
        svi_host_run_block(&c->in_cache, &p->out, dst, after);
    }
}

/* A walk over blocks. */
struct work {
    struct svi_cast_block block;
    int32_t axes[SVI_PLAN_NDIM]; /* of the plan, of each of the grid */
    struct svi_plan grid;
    struct svi_odometer at;
    struct part part;
    _Alignas(SVI_LINE) char buffer[2 * SVI_CAST_BLOCK];
};

/* Axes of blocks: the tile's is the last, so that they follow each other along the source. */
static void lay_grid(const struct svi_plan *plan, const struct svi_cast_block *b, struct svi_plan *grid, int32_t *axes)
{
    grid->ndim = 0;
    for (int32_t i = 0; i < plan->ndim + 1; i++) {
        const int32_t k = i < plan->ndim ? i : plan->tile;

        if (k < 0 || (k == plan->tile && i < plan->ndim))
            continue;
        axes[grid->ndim] = k;
        grid->shape[grid->ndim] = (plan->shape[k] + b->shape[k] - 1) / b->shape[k];
        grid->dst[grid->ndim] = plan->dst[k] * b->shape[k];
        grid->src[grid->ndim] = plan->src[k] * b->shape[k];
        grid->ndim++;
    }
}

/* The part is for blocks of this size. */
static void fit(struct work *w, const struct svi_plan *plan)
{
    bool changed = w->part.size == 0;

    for (int32_t i = 0; i < w->grid.ndim; i++) {
        const int32_t k = w->axes[i];
        const int64_t first = w->at.axis[i].index * w->block.shape[k];
        const int64_t count = svi_smaller(w->block.shape[k], plan->shape[k] - first);

        changed = changed || count != w->part.shape[k];
        w->part.shape[k] = count;
    }
    if (changed)
        prepare(plan, w->block.has_runs, &w->part);
}

static void run_blocks(struct work *w, const struct svi_cast *c, char *dst, const char *src)
{
    bool more;

    w->block = svi_cast_block_of(c->plan);
    lay_grid(c->plan, &w->block, &w->grid, w->axes);
    svi_odometer_init(&w->at, &w->grid, w->grid.ndim, -1, dst, src);
    w->part.size = 0;
    do {
        fit(w, c->plan);
        dst = w->at.dst;
        src = w->at.src;
        more = svi_odometer_next(&w->at);
        convert_block(c, &w->part, w->buffer, dst, src, w->at.src);
    } while (more);
}

/* False: out of memory. */
static bool blocks(const struct svi_cast *c, char *dst, const char *src)
{
    struct work *w = svi_scratch_new(sizeof *w);

    if (w == NULL)
        return false;
    run_blocks(w, c, dst, src);
    svi_scratch_free(w);
    return true;
}

/* --- without memory for a block ----------------------------------------------- */

/* count items, SVI_BLOCK at most. */
static void convert_few(const struct svi_cast *c, char *dst, int64_t dst_step, const char *src, int64_t src_step,
                        int64_t count)
{
    _Alignas(SVI_LINE) char before[SVI_BLOCK * SVI_STEP_ITEM], after[SVI_BLOCK * SVI_STEP_ITEM];
    const size_t item = (size_t)c->plan->item, src_item = (size_t)c->plan->src_item;

    for (int64_t k = 0; k < count; k++)
        memcpy(before + (size_t)k * src_item, src + k * src_step, src_item);
    svi_host_convert(c->isa, &c->plan->chain, after, before, count);
    for (int64_t k = 0; k < count; k++)
        memcpy(dst + k * dst_step, after + (size_t)k * item, item);
}

static void items(const struct svi_cast *c, char *dst, const char *src)
{
    const struct svi_plan *plan = c->plan;
    const int32_t last = plan->ndim - 1;
    const int64_t count = plan->shape[last], dst_step = plan->dst[last], src_step = plan->src[last];
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, last, -1, dst, src);
    do
        for (int64_t k = 0; k < count; k += SVI_BLOCK)
            convert_few(c, outer.dst + k * dst_step, dst_step, outer.src + k * src_step, src_step,
                        svi_smaller(SVI_BLOCK, count - k));
    while (svi_odometer_next(&outer));
}

void svi_host_cast(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    const struct svi_cast c = {
        .plan = plan,
        .isa = machine->isa,
        .in_cache = svi_machine_in_cache(machine),
        .past_cache = machine->isa->stream_copy != NULL && svi_is_past_cache(machine, plan),
        .in_turns = svi_cast_in_turns(machine, plan),
    };

    if (plan->ndim == 0)
        svi_host_convert(machine->isa, &plan->chain, dst, src, 1);
    else if (has_rows(plan))
        rows(&c, dst, src);
    else if (!svi_cast_turn(&c, dst, src) && !svi_cast_pixels(&c, machine, dst, src) && !blocks(&c, dst, src))
        items(&c, dst, src);
    if (c.past_cache)
        machine->isa->fence();
}
