/* Facts about plans by which two passes (compound/two_pass.c) are chosen. */
#include "host/loop/facts.h"
#include "host/transpose/two_pass_plans.h"
#include "host/interleave/few_units.h"
#include "host/interleave/few_channels.h"

/* Measured: doc/internals/copy_experiments.md#when-are-two-passes-faster-than-one. */
enum {
    CACHED_ITEM_BYTES = 4, /* bytes of an element for which a transpose in cache without runs is worth two passes */
    MIN_NESTED_BYTES = 8192, /* bytes of a block that is itself worth two passes */
    SHORT_PLANE_BYTES = 512, /* bytes of a run of a plane */
    SHORT_PIXELS_BYTES = 288 /* bytes of a run of pixels */
};

/* Whether the destination has no runs. */
bool svi_is_spread(const struct svi_plan *plan)
{
    return plan->dst[plan->ndim - 1] != plan->item;
}

/* Whether the source has no runs. */
bool svi_is_sparse(const struct svi_plan *plan)
{
    return svi_abs(plan->src[plan->src_axis]) != (uint64_t)plan->item;
}

/* Whether either side has no runs, and two axes are long. */
bool svi_is_stepped(const struct svi_plan *plan)
{
    return (plan->item & (plan->item - 1)) == 0 && (svi_is_spread(plan) || svi_is_sparse(plan)) &&
           plan->shape[plan->src_axis] > SVI_SHORT_AXIS && plan->shape[plan->ndim - 1] > SVI_SHORT_AXIS;
}

/* Whether a pass is worth two passes of its own. */
bool svi_is_nested(const struct svi_plan *plan)
{
    return svi_is_stepped(plan) && svi_is_spread(plan) && plan->item <= CACHED_ITEM_BYTES &&
           plan->nbytes > MIN_NESTED_BYTES;
}

bool svi_has_pixels(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_TRANSPOSE && (svi_is_channels(plan) || svi_is_pixels(plan));
}

/* Whether a plan deinterleaves pixels to planes. */
static bool is_deinterleaving(const struct svi_plan *plan)
{
    return plan->src[plan->ndim - 1] == plan->item * plan->shape[plan->src_axis];
}

/* Whether runs of each plane are short and no whole lines, but contiguous, so that runs of blocks are longer. */
static bool has_short_planes(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t run = plan->item * plan->shape[last];

    if (!is_deinterleaving(plan) || run >= SHORT_PLANE_BYTES || run % SVI_LINE == 0)
        return false;
    for (int32_t k = 0; k < last; k++)
        if (k != plan->src_axis && plan->dst[k] == run)
            return true;
    return false;
}

/* Bytes of pixels that are contiguous on both sides: of one plane, or of all planes if these are contiguous. */
static int64_t common_run(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->src_axis;
    const bool apart = is_deinterleaving(plan);
    const int64_t run = plan->item * plan->shape[apart ? last : tile];

    if ((apart ? plan->dst[tile] : plan->src[last]) != run)
        return run;
    return run * plan->shape[apart ? tile : last];
}

/* Whether the pixels after a short run in the destination are at another place in the source. */
static bool goes_elsewhere(const struct svi_plan *plan)
{
    int32_t next = -1, nearest = -1;

    for (int32_t k = 0; k < plan->ndim - 1; k++)
        if (k != plan->src_axis) {
            next = k;
            if (nearest < 0 || svi_abs(plan->src[k]) < svi_abs(plan->src[nearest]))
                nearest = k;
        }
    return next != nearest && common_run(plan) < SHORT_PIXELS_BYTES;
}

/* Whether elements of both sides are at steps of a few sizes, as permute_period copies them. */
static bool is_near(const struct svi_plan *plan)
{
    const int64_t most = SVI_CHANNELS * plan->item;

    return plan->dst[plan->ndim - 1] <= most && svi_abs(plan->src[plan->src_axis]) <= (uint64_t)most;
}

static bool are_steps_worth_it(const struct svi_plan *plan, bool beyond_cache)
{
    if (plan->item < CACHED_ITEM_BYTES)
        return true;
    if (plan->item == CACHED_ITEM_BYTES)
        return beyond_cache || is_near(plan);
    if (svi_is_spread(plan))
        return beyond_cache && !svi_is_sparse(plan) && is_near(plan) && plan->item < SVI_UNIT;
    return beyond_cache;
}

bool svi_is_worth_two_passes(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const bool beyond_cache = svi_is_beyond_cache(machine, plan);

    if ((plan->nbytes <= SVI_BUFFER_BYTES && !svi_is_nested(plan)) || machine->isa->pixels == NULL)
        return false;
    if (svi_is_stepped(plan))
        return are_steps_worth_it(plan, beyond_cache);
    if (!svi_has_pixels(plan))
        return true;
    return beyond_cache && (svi_is_pixels(plan) ? goes_elsewhere(plan) : has_short_planes(plan));
}
