/*
 * The loop convert_small: conversions of a few KiB as one block, whose buffer is in the frame, since allocating would
 * take as long as the conversion.
 */
#include "base/checked.h"
#include "host/convert/cast_job.h"
#include "host/base/buffer.h"
#include "host/dispatch/dispatch.h"
#include "host/loop/loop.h"
#include "host/convert/convert.h"
#include "host/compound/cast.h"
#include "host/compound/cast_blocks.h"
#include "host/compound/two_pass.h"

enum { SMALL_BLOCK_BYTES = 4224 }; /* allocating memory takes as long as to convert so many */

/* n bytes, rounded up to whole lines. */
static int64_t whole_lines(int64_t n)
{
    return svi_round_up(n, SVI_LINE);
}

/* Not inline, so that its odometer is not in the frame that has the buffer. */
static __attribute__((noinline)) void small_runs(const struct svi_cast *c, int32_t axes, int64_t run, char *dst,
                                                 const char *src)
{
    struct svi_odometer o;

    svi_cast_walk_runs(c->plan, c->plan->shape, axes, dst, src, &o);
    do
        svi_cast_run(c, &(struct svi_cast_items){o.dst, o.src, 0, run}, NULL);
    while (svi_odometer_next(&o));
}

/* Makes one plan after the other in the same place, since plans need much stack too. */
static bool small_block(const struct svi_cast *c, char *dst, const char *src)
{
    _Alignas(SVI_LINE) char buffer[SMALL_BLOCK_BYTES];
    const struct svi_plan *plan = c->plan;
    const int64_t count = plan->nbytes / plan->item;
    char *const after = buffer + whole_lines(count * plan->src_item);
    int64_t run;
    const int32_t axes = svi_cast_find_run(plan, plan->shape, &run);
    struct svi_plan step;

    svi_plan_buffered(plan, plan->shape, true, &step);
    src = svi_cast_order(&c->in_cache, &step, buffer, src);
    if (run >= SVI_CAST_RUN) {
        small_runs(c, axes, run, dst, src);
        return true;
    }
    svi_host_convert(c->isa, &plan->chain, after, src, count);
    svi_plan_buffered(plan, plan->shape, false, &step);
    svi_host_run_block(&c->in_cache, &step, dst, after);
    return true;
}

/* Whether a frame has room for both buffers. */
static bool can_convert_small(const struct svi_host_copy *c)
{
    const struct svi_plan *plan = c->plan;
    const int64_t nbytes = whole_lines(plan->nbytes / plan->item * plan->src_item);
    int64_t run;

    if (svi_scales(c->plan) || nbytes > SMALL_BLOCK_BYTES)
        return false;
    svi_cast_find_run(plan, plan->shape, &run);
    return run >= SVI_CAST_RUN || nbytes + plan->nbytes <= SMALL_BLOCK_BYTES;
}

static bool convert_small(const struct svi_host_copy *c)
{
    return svi_cast_by(c, small_block);
}

const struct svi_loop svi_loop_convert_small = {
    .name = "convert_small",
    .can = can_convert_small,
    .run = convert_small,
    .stores = SVI_STORES_BY_SIZE,
    .what = "a few KiB, ordered in a buffer on the stack",
};
