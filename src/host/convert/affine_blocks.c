/*
 * Affine conversions, block by block: a block of the source is brought into the
 * order of the destination by the kernels of plain copies, in cache, and goes from
 * there through affine_run.c to the destination's runs; or, where these are short,
 * to a second buffer and from there to its place. As cast.c does, but for scale and
 * bias, which go on along an axis.
 */
#include "affine_run.h"
#include "cast_job.h"
#include "checked.h"
#include "host/base/odometer.h"
#include "host/dispatch/dispatch.h"
#include "host/base/scratch.h"

struct walk {
    const struct svi_affine *affine;
    struct svi_machine in_cache;
    struct svi_cast_block block;
    int32_t axes[SVI_PLAN_NDIM]; /* of the plan, of each of the grid */
    struct svi_plan grid;
    struct svi_odometer at;
    int64_t shape[SVI_PLAN_NDIM]; /* of the block that what follows is for */
    int64_t size;                 /* items of it; 0 before the first */
    int64_t run;                  /* those that are one run in the destination, one after the other */
    bool has_runs;                /* they are stored one by one */
    struct svi_plan in;           /* to the buffer, dense in the order of the destination */
    struct svi_plan out;          /* from there: over the runs, or from a second buffer, as it is */
    struct svi_affine_run state;
    _Alignas(SVI_LINE) char buffer[2 * SVI_CAST_BLOCK];
};

/* --- a block ---------------------------------------------------------------------- */

static void prepare(struct walk *w)
{
    const struct svi_plan *plan = &w->affine->plan;
    int64_t strides[SVI_PLAN_NDIM];
    int32_t axis;

    w->size = 1;
    for (int32_t k = 0; k < plan->ndim; k++)
        w->size *= w->shape[k];
    svi_cast_plan_in(plan, w->shape, strides, &w->in);
    axis = svi_cast_find_run(plan, w->shape, &w->run);
    w->has_runs = w->block.has_runs || w->run >= SVI_CAST_RUN;
    if (w->has_runs)
        svi_cast_plan_runs(plan, w->shape, strides, axis, &w->out);
    else
        svi_cast_plan_out(plan, w->shape, strides, &w->out);
}

/* A block's items in the order of the destination: in the buffer, or where they are. */
static const char *bring(struct walk *w, const char *src)
{
    if (w->in.kind == SVI_CLASS_CONTIGUOUS)
        return src + w->in.src_offset;
    svi_host_run_block(&w->in_cache, &w->in, w->buffer, src);
    return w->buffer;
}

static void convert_runs(struct walk *w, char *dst, const char *items)
{
    int64_t first = 0;
    struct svi_odometer o;

    svi_odometer_init(&o, &w->out, w->out.ndim, -1, dst, items);
    do {
        svi_affine_run(&w->state, o.dst, o.src, first, w->run, true);
        first += w->run;
    } while (svi_odometer_next(&o));
}

static void convert_block(struct walk *w, char *dst, const char *src)
{
    const char *items = bring(w, src);

    if (w->has_runs) {
        convert_runs(w, dst, items);
    } else {
        svi_affine_run(&w->state, w->buffer + SVI_CAST_BLOCK, items, 0, w->size, false);
        svi_host_run_block(&w->in_cache, &w->out, dst, w->buffer + SVI_CAST_BLOCK);
    }
}

/* --- all of them ------------------------------------------------------------------ */

/* What goes on along the axis. */
static void find_order(struct walk *w, int64_t first)
{
    const int32_t axis = w->affine->axis;
    struct svi_affine_order *o = &w->state.order;

    *o = (struct svi_affine_order){first, axis < 0 ? 1 : w->shape[axis], 1};
    for (int32_t k = axis < 0 ? 0 : axis + 1; k < w->affine->plan.ndim; k++)
        o->inner *= w->shape[k];
}

/* Everything is for blocks of this size. */
static void fit(struct walk *w)
{
    const struct svi_plan *plan = &w->affine->plan;
    bool changed = w->size == 0;
    int64_t along = 0;

    for (int32_t i = 0; i < w->grid.ndim; i++) {
        const int32_t k = w->axes[i];
        const int64_t first = w->at.axis[i].index * w->block.shape[k];
        const int64_t count = svi_smaller(w->block.shape[k], plan->shape[k] - first);

        changed = changed || count != w->shape[k];
        w->shape[k] = count;
        if (k == w->affine->axis)
            along = first;
    }
    if (changed)
        prepare(w);
    if (changed || w->affine->axis >= 0)
        find_order(w, along);
}

static void run_blocks(struct walk *w, char *dst, const char *src)
{
    w->block = svi_cast_block_of(&w->affine->plan);
    svi_cast_lay_grid(&w->affine->plan, &w->block, &w->grid, w->axes);
    svi_odometer_init(&w->at, &w->grid, w->grid.ndim, -1, dst, src);
    w->size = 0;
    do {
        fit(w);
        convert_block(w, w->at.dst, w->at.src);
    } while (svi_odometer_next(&w->at));
}

static void run_one(struct walk *w, char *dst, const char *src)
{
    w->state.order = (struct svi_affine_order){0, 1, 1};
    svi_affine_run(&w->state, dst, src, 0, 1, false);
}

bool svi_host_affine(const struct svi_machine *machine, const struct svi_affine *affine, bool apart, char *dst,
                     const char *src)
{
    const bool past_cache = machine->isa->stream_copy != NULL && svi_is_past_cache(machine, &affine->plan);
    struct walk *w = svi_scratch_new(sizeof *w);

    if (w == NULL)
        return false;
    w->affine = affine;
    w->in_cache = svi_machine_in_cache(machine);
    svi_affine_run_init(&w->state, affine, machine->isa, past_cache, apart);
    if (affine->plan.ndim == 0)
        run_one(w, dst, src);
    else
        run_blocks(w, dst, src);
    svi_scratch_free(w);
    if (past_cache)
        machine->isa->fence();
    return true;
}
