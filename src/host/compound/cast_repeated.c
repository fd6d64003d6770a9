/*
 * Conversions of a source that is broadcast, by stride 0 along an axis. Each item is converted once, to a buffer in
 * cache, and copied from there to all its places by the loops of plain copies, which have fills and non-temporal stores
 * of rows.
 */
#include "host/convert/cast_job.h"
#include "plan/detour.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"
#include "host/loop/loop.h"
#include "plan/split.h"
#include "plan/part.h"
#include "host/compound/two_pass.h"
#include "host/compound/cast.h"
#include "host/compound/cast_small.h"

/* Measured: doc/internals/copy_experiments.md#what-do-repeated-elements-cost. */
enum {
    MIN_REPEATS = 4, /* how often each element is repeated, at least */
    MIN_REPEATED_BYTES = 4096, /* bytes of the destination; making two plans takes as long as a copy of fewer */
    CHUNK_BYTES = 65536, /* bytes of items that are converted before they are copied */
    LONG_ROW_BYTES = 16384, /* bytes of a row from which on converting is as fast as memory */
    L2_SHARE = 2 /* the converted items of a transpose, which is not cut, take at most L2 / L2_SHARE */
};

/* The fastest axis of the destination along which the source moves; -1: none. */
static int32_t fastest_axis(const struct svi_plan *plan)
{
    int32_t axis = plan->ndim - 1;

    while (axis >= 0 && plan->src[axis] == 0)
        axis--;
    return axis;
}

/* Bytes of converted items in the buffer at a time; 0: there would be too many. */
static int64_t chunk_bytes(const struct svi_host_copy *c)
{
    const int64_t all = svi_detour_nbytes(c->plan, SVI_SIDE_DST);

    if (all <= CHUNK_BYTES)
        return all;
    if (svi_cast_has_rows(c->plan) && svi_row_nbytes(c->plan) >= LONG_ROW_BYTES)
        return 0;
    if (fastest_axis(c->plan) == c->plan->src_axis)
        return CHUNK_BYTES;
    return all <= c->machine->l2_bytes / L2_SHARE ? all : 0;
}

static bool can_repeat(const struct svi_host_copy *c)
{
    return !svi_scales(c->plan);
}

static bool refuses_repeats(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;

    if (svi_refuse_less(c, "bytes", plan->nbytes, MIN_REPEATED_BYTES))
        return true;
    if (svi_refuse_less(c, "times", plan->nbytes / svi_detour_nbytes(plan, SVI_SIDE_DST), MIN_REPEATS))
        return true;
    return chunk_bytes(c) == 0 && svi_reject(c, "its items have no room in the cache, or are long rows");
}

/* Converts each item once, to a buffer in cache. */
static void convert_once(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    static const struct svi_loop *const loops[] = {&svi_loop_convert_one,      &svi_loop_convert_rows,
                                                   &svi_loop_convert_small,    &svi_loop_convert_blocks,
                                                   &svi_loop_convert_elements, NULL};
    const struct svi_host_copy c = svi_host_copy_of(machine, plan, dst, src, NULL, false);

    svi_run_loops(loops, &c);
}

/* Allocated, since plans need much stack. */
struct work {
    struct svi_split split;
    struct svi_plan part, in, out;
    _Alignas(SVI_LINE) char buffer[];
};

static bool convert_repeated(const struct svi_host_copy *c)
{
    const struct svi_plan *const plan = c->plan;
    const int64_t most = chunk_bytes(c);
    struct work *w = svi_scratch_new(sizeof *w + (size_t)most);

    if (w == NULL)
        return false;
    svi_split_chunks(plan, SVI_SIDE_DST, SVI_SIDE_DST, most, &w->split);
    for (int64_t k = 0; k < w->split.count; k++) {
        svi_split_part(plan, &w->split, k, &w->part);
        svi_detour_make(&w->part, SVI_SIDE_DST, SVI_SIDE_DST, &w->in, &w->out);
        svi_plan_set_reach(&w->out, plan->reach);
        convert_once(c->machine, &w->in, w->buffer, c->src - plan->src_offset);
        svi_run_plan(c->machine, &w->out, c->dst - plan->dst_offset, w->buffer, &svi_loop_two_pass);
    }
    svi_scratch_free(w);
    return true;
}

const struct svi_loop svi_loop_convert_repeated = {
    .name = "convert_repeated",
    .can = can_repeat,
    .refuses = refuses_repeats,
    .run = convert_repeated,
    .stores = SVI_STORES_BY_SIZE,
    .what = "items that the source repeats: converted once, then copied",
};
