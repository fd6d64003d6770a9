/*
 * Copies that convert. Where both sides have runs of one axis, they go row by
 * row; transposes are in cast_turn.c, pixels in few_units.c. All else goes block
 * by block: a block of the source is brought into the order of the
 * destination, by the kernels of plain copies, into a buffer in cache, and is
 * converted from there to the destination's runs, while the next one is fetched.
 * Without memory for a block it goes by a few items at a time.
 */
#include "cast_job.h"
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/base/scratch.h"
#include "host/dispatch/dispatch.h"

enum {
    SMALL_BLOCK = 4864,   /* bytes in the frame for a copy that is one block, since allocating takes as long, */
    SMALLER_BLOCK = 2048  /* and where several steps need more of the stack */
};

/* --- rows ------------------------------------------------------------------ */

static bool has_rows(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->dst[last] == plan->item && plan->src[last] == plan->src_item &&
           (plan->ndim == 1 || plan->shape[last] >= SVI_CAST_RUN);
}

static bool rows(const struct svi_cast *c, char *dst, const char *src)
{
    const int64_t lines = svi_cast_piece(c->plan) * c->plan->src_item / SVI_LINE;
    const int32_t last = c->plan->ndim - 1;
    struct svi_odometer outer;

    svi_odometer_init(&outer, c->plan, last, -1, dst, src);
    do {
        struct svi_ahead ahead = {outer.src + c->machine->tuning->cast_prefetch_bytes, 0, INT64_MAX, 0, 1, lines};

        svi_cast_run(c, outer.dst, outer.src, c->plan->shape[last], &ahead);
    } while (svi_odometer_next(&outer));
    return true;
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
    svi_cast_plan_in(plan, p->shape, strides, &p->in);
    p->run_axis = svi_cast_find_run(plan, p->shape, &p->run);
    find_lines(plan, p);
    p->has_runs = has_runs || p->run >= SVI_CAST_RUN;
    if (p->has_runs)
        svi_cast_plan_runs(plan, p->shape, strides, p->run_axis, &p->out);
    else
        svi_cast_plan_out(plan, p->shape, strides, &p->out);
}

/* A block's items in the order of the destination: in the buffer, or where they are. */
static const char *bring(const struct svi_cast *c, const struct svi_plan *in, char *buffer, const char *src)
{
    if (in->kind == SVI_CLASS_CONTIGUOUS)
        return src + in->src_offset;
    svi_host_run_block(&c->in_cache, in, buffer, src);
    return buffer;
}

/* To runs of so many items. */
static __attribute__((noinline)) void convert_runs(const struct svi_cast *c, const struct svi_plan *out, int64_t run,
                                                   char *dst, const char *src, struct svi_ahead *ahead)
{
    struct svi_odometer o;

    svi_odometer_init(&o, out, out->ndim, -1, dst, src);
    do
        svi_cast_run(c, o.dst, o.src, run, ahead);
    while (svi_odometer_next(&o));
}

/* next: the source of the next block. before: 2 * SVI_CAST_BLOCK bytes. */
static void convert_block(const struct svi_cast *c, const struct part *p, char *before, char *dst, const char *src,
                          const char *next)
{
    char *const after = before + SVI_CAST_BLOCK;
    const char *items = bring(c, &p->in, before, src);
    struct svi_ahead ahead = p->lies;

    ahead.row = next + p->lowest;
    if (p->has_runs) {
        convert_runs(c, &p->out, p->run, dst, items, &ahead);
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
    svi_cast_lay_grid(c->plan, &w->block, &w->grid, w->axes);
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

/* False: out of memory. Not inline: small blocks do without its part of the stack. */
static __attribute__((noinline)) bool blocks(const struct svi_cast *c, char *dst, const char *src)
{
    struct work *w = svi_scratch_new(sizeof *w);

    if (w == NULL)
        return false;
    run_blocks(w, c, dst, src);
    svi_scratch_free(w);
    return true;
}

/* --- a copy of one small block ------------------------------------------------- */

/* Bytes of n, and those to the next line. */
static int64_t whole_lines(int64_t n)
{
    return (n + SVI_LINE - 1) / SVI_LINE * SVI_LINE;
}

static void small_runs(const struct svi_cast *c, int32_t axes, int64_t run, struct svi_plan *out, char *dst,
                       const char *src)
{
    int64_t strides[SVI_PLAN_NDIM];
    struct svi_ahead nothing = {.rows = 0};

    if (axes == 0) {
        svi_cast_run(c, dst, src, run, &nothing);
        return;
    }
    svi_cast_dense_strides(c->plan, c->plan->shape, c->plan->src_item, strides);
    svi_cast_plan_runs(c->plan, c->plan->shape, strides, axes, out);
    convert_runs(c, out, run, dst, src, &nothing);
}

static __attribute__((noinline)) void make_in(const struct svi_plan *plan, struct svi_plan *out)
{
    int64_t strides[SVI_PLAN_NDIM];

    svi_cast_plan_in(plan, plan->shape, strides, out);
}

static __attribute__((noinline)) void make_out(const struct svi_plan *plan, struct svi_plan *out)
{
    int64_t strides[SVI_PLAN_NDIM];

    svi_cast_plan_out(plan, plan->shape, strides, out);
}

/* Plans are made one after the other in one place, since they take much of the stack, too. */
SVI_INLINE void through_buffer(const struct svi_cast *c, char *buffer, char *dst, const char *src)
{
    const struct svi_plan *plan = c->plan;
    const int64_t count = plan->nbytes / plan->item;
    int64_t run;
    const int32_t axes = svi_cast_find_run(plan, plan->shape, &run);
    struct svi_plan step;

    make_in(plan, &step);
    src = bring(c, &step, buffer, src);
    if (run >= SVI_CAST_RUN) {
        small_runs(c, axes, run, &step, dst, src);
    } else {
        char *const after = buffer + whole_lines(count * plan->src_item);

        svi_host_convert(c->isa, &plan->chain, after, src, count);
        make_out(plan, &step);
        svi_host_run_block(&c->in_cache, &step, dst, after);
    }
}

static __attribute__((noinline)) void by_small_block(const struct svi_cast *c, char *dst, const char *src)
{
    _Alignas(SVI_LINE) char buffer[SMALL_BLOCK];

    through_buffer(c, buffer, dst, src);
}

static __attribute__((noinline)) void by_smaller_block(const struct svi_cast *c, char *dst, const char *src)
{
    _Alignas(SVI_LINE) char buffer[SMALLER_BLOCK];

    through_buffer(c, buffer, dst, src);
}

/* Whether both buffers have room in a frame. */
static bool is_small(const struct svi_plan *plan)
{
    const int64_t room = plan->chain.count == 1 ? SMALL_BLOCK : SMALLER_BLOCK;
    const int64_t nbytes = whole_lines(plan->nbytes / plan->item * plan->src_item);
    int64_t run;

    if (nbytes > room)
        return false;
    svi_cast_find_run(plan, plan->shape, &run);
    return run >= SVI_CAST_RUN || nbytes + plan->nbytes <= room;
}

static bool small_block(const struct svi_cast *c, char *dst, const char *src)
{
    (c->plan->chain.count == 1 ? by_small_block : by_smaller_block)(c, dst, src);
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

static bool items(const struct svi_cast *c, char *dst, const char *src)
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
    return true;
}

/* --- which of them ------------------------------------------------------------- */

typedef bool way(const struct svi_cast *c, char *dst, const char *src);

static bool convert(const struct svi_host_copy *copy, way *run)
{
    const struct svi_isa *isa = copy->machine->isa;
    const struct svi_cast c = {
        .machine = copy->machine,
        .plan = copy->plan,
        .isa = isa,
        .in_cache = svi_machine_in_cache(copy->machine),
        .past_cache = isa->stream_copy != NULL && copy->past_cache,
        .in_turns = svi_cast_in_turns(copy->machine, copy->plan),
    };
    const bool done = run(&c, copy->dst, copy->src);

    if (c.past_cache)
        isa->fence();
    return done;
}

bool svi_is_cast_one(const struct svi_host_copy *c)
{
    return c->plan->ndim == 0;
}

bool svi_cast_one(const struct svi_host_copy *c)
{
    svi_host_convert(c->machine->isa, &c->plan->chain, c->dst, c->src, 1);
    return true;
}

bool svi_is_cast_rows(const struct svi_host_copy *c)
{
    return has_rows(c->plan);
}

bool svi_cast_rows(const struct svi_host_copy *c)
{
    return convert(c, rows);
}

bool svi_is_cast_turned(const struct svi_host_copy *c)
{
    return c->past_cache && c->machine->isa->stream_copy != NULL && svi_is_cast_turn(c->plan);
}

bool svi_cast_turned(const struct svi_host_copy *c)
{
    return convert(c, svi_cast_turn);
}

bool svi_cast_units(const struct svi_host_copy *c)
{
    return convert(c, svi_cast_pixels);
}

bool svi_is_cast_small(const struct svi_host_copy *c)
{
    return is_small(c->plan);
}

bool svi_cast_small(const struct svi_host_copy *c)
{
    return convert(c, small_block);
}

bool svi_cast_by_blocks(const struct svi_host_copy *c)
{
    return convert(c, blocks);
}

bool svi_cast_by_elements(const struct svi_host_copy *c)
{
    return convert(c, items);
}
