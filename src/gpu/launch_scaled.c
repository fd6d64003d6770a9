/* Plans that scale, by the kernels of those that convert. Their values are in the parameter block, so that they are
 * known when a copy is given to a stream, and a captured one keeps them. */
#include "gpu/launch_scaled.h"

#include "base/checked.h"
#include "gpu/launch_box.h"
#include "gpu/launch_cast.h"
#include "plan/affine.h"
#include "plan/part.h"

_Static_assert(sizeof(struct svi_launch_scaled) == SVI_LAUNCH_BLOCK, "without padding");
_Static_assert(sizeof(struct svi_launch_box_scaled) == SVI_LAUNCH_BLOCK, "without padding");

enum { ALIGNMENT = 8, NO_AXIS = -1 };

/* --- values --------------------------------------------------------------------------------------------- */

static int64_t number_bytes(const struct svi_plan *plan)
{
    return plan->scaled.affine->wide ? sizeof(double) : sizeof(float);
}

/* Values of a factor that a launch of the whole plan needs; one that is not there is one that changes nothing. */
static int64_t count_values(const struct svi_plan *plan, const struct svi_factor *factor)
{
    const int32_t axis = plan->scaled.axis;

    return svi_factor_step(factor) && axis >= 0 ? plan->shape[axis] : 1;
}

int64_t svi_scaled_indices(const struct svi_plan *plan)
{
    const struct svi_affine *affine = plan->scaled.affine;
    const int64_t varying = svi_factor_step(&affine->scale) + svi_factor_step(&affine->bias);
    const int64_t unused = (SVI_LAUNCH_MANY_AXES - plan->ndim) * (int64_t)sizeof(struct svi_axis);
    const int64_t of_items = unused + (int64_t)sizeof((struct svi_launch_scaled *)0)->values;
    const int64_t of_boxes = sizeof((struct svi_launch_box_scaled *)0)->values;

    if (plan->scaled.axis < 0 || varying == 0)
        return INT64_MAX;
    return (svi_smaller(of_items, of_boxes) / number_bytes(plan) - 2) / varying;
}

static void put_value(double value, bool wide, unsigned char *to)
{
    const float narrow = (float)value;

    if (wide)
        __builtin_memcpy(to, &value, sizeof value);
    else
        __builtin_memcpy(to, &narrow, sizeof narrow);
}

/* In the order of the plan's axis. The bytes that they take. */
static int64_t put_values(const struct svi_plan *plan, const struct svi_factor *factor, double none, unsigned char *to)
{
    const struct svi_scaled *scaled = &plan->scaled;
    const int64_t count = count_values(plan, factor), step = svi_factor_step(factor), item = number_bytes(plan);

    for (int64_t k = 0; k < count; k++) {
        const int64_t number = (scaled->first + k * scaled->step) * step;

        put_value(factor->values != NULL ? factor->values[number] : none, scaled->affine->wide, to + k * item);
    }
    return count * item;
}

/* room: where values may begin, in a block of SVI_LAUNCH_BLOCK bytes. False: there are too many. */
static bool set_values(const struct svi_plan *plan, void *block, const void *room, struct svi_launch_affine *out)
{
    const struct svi_affine *affine = plan->scaled.affine;
    unsigned char *const begin = block;
    const int64_t at = ((const unsigned char *)room - begin + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const int64_t all = count_values(plan, &affine->scale) + count_values(plan, &affine->bias);

    if (all > (SVI_LAUNCH_BLOCK - at) / number_bytes(plan))
        return false;
    out->scale_at = (uint32_t)at;
    out->bias_at = (uint32_t)(at + put_values(plan, &affine->scale, 1, begin + at));
    put_values(plan, &affine->bias, -0.0, begin + out->bias_at);
    out->scale_step = count_values(plan, &affine->scale) > 1;
    out->bias_step = count_values(plan, &affine->bias) > 1;
    return true;
}

/* --- the kernels ---------------------------------------------------------------------------------------- */

/*
 * Channels that are neighbours on both sides: the run of all pixels, in which an item's number is its place modulo the
 * channels. False: the plan is not that, or its packets do not begin at words.
 */
static bool family_pixels(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                          struct svi_launch_shape *out)
{
    const int32_t last = plan->ndim - 1;
    struct svi_launch_scaled *launch = &out->block.scaled;
    struct svi_axis period;
    struct svi_plan runs;

    if (last < 1 || plan->scaled.axis != last || plan->dst[last] != plan->item || plan->src[last] != plan->src_item ||
        plan->shape[last] > SVI_MOST_BLOCKS)
        return false;
    svi_plan_make_cast(plan->ndim, plan->shape, plan->dst, plan->src, &plan->chain, 1, &runs);
    svi_plan_move(&runs, plan->dst_offset, plan->src_offset);
    if (runs.ndim == plan->ndim || !svi_cast_is_runs(&runs, dst, src) ||
        !svi_cast_set(&runs, dst, src, chain, &launch->cast) ||
        !set_values(plan, launch, launch->cast.at.axes + launch->cast.at.naxes, &launch->affine))
        return false;
    period = svi_axis_make(plan->shape[last], 0, 0);
    launch->affine.axis = 0;
    launch->affine.outer = NO_AXIS;
    launch->affine.period = period.extent;
    launch->affine.magic = period.magic;
    launch->affine.shift = period.shift;
    return svi_cast_end_runs(SVI_KERNEL_scale, &launch->cast, out);
}

/* After the items: room is where values may begin. */
static bool set_items_values(const struct svi_plan *plan, struct svi_launch_scaled *launch, const void *room)
{
    if (!set_values(plan, launch, room, &launch->affine))
        return false;
    launch->affine.axis = plan->scaled.axis < 0 ? NO_AXIS : plan->ndim - 1 - plan->scaled.axis;
    launch->affine.outer = NO_AXIS;
    launch->affine.period = 0;
    return true;
}

static bool set_items(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                      struct svi_launch_scaled *launch)
{
    const struct svi_launch_many *at = &launch->cast.at;

    return svi_cast_set(plan, dst, src, chain, &launch->cast) && set_items_values(plan, launch, at->axes + at->naxes);
}

static bool family_items(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                         struct svi_launch_shape *out)
{
    struct svi_launch_cast *cast = &out->block.scaled.cast;

    if (!set_items(plan, dst, src, chain, &out->block.scaled))
        return false;
    if (svi_cast_is_runs(plan, dst, src))
        return svi_cast_end_runs(SVI_KERNEL_scale, cast, out);
    return svi_cast_end_any(SVI_KERNEL_scaled, cast, out);
}

static bool family_boxes(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                         struct svi_launch_shape *out)
{
    struct svi_launch_box_scaled *launch = &out->block.box_scaled;
    int64_t shared;

    return svi_box_cast_set(plan, dst, src, chain, &launch->cast, &launch->affine, &shared) &&
           set_values(plan, launch, launch->values, &launch->affine) &&
           svi_box_cast_end(SVI_KERNEL_box_scaled, &launch->cast, shared, out);
}

bool svi_family_scaled(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    struct svi_chain chain;

    if (!svi_scales(plan))
        return false;
    svi_affine_steps(plan->scaled.affine, plan->item, &chain);
    return family_boxes(plan, dst, src, &chain, out) || family_pixels(plan, dst, src, &chain, out) ||
           family_items(plan, dst, src, &chain, out);
}

bool svi_scaled_for_table(const struct svi_plan *plan, struct svi_launch_shape *out)
{
    struct svi_launch_scaled *launch = &out->block.scaled;
    struct svi_chain chain;

    svi_affine_steps(plan->scaled.affine, plan->item, &chain);
    return set_items(plan, 0, 0, &chain, launch) && svi_cast_end_any(SVI_KERNEL_batched_scaled, &launch->cast, out);
}

bool svi_scaled_for_batch(const struct svi_plan *plan, int64_t count, const struct svi_transfer *transfers,
                          struct svi_launch_shape *out)
{
    struct svi_launch_scaled *launch = &out->block.scaled;
    struct svi_chain chain;
    const void *room;

    svi_affine_steps(plan->scaled.affine, plan->item, &chain);
    return svi_cast_set_batch(plan, &chain, count, transfers, launch, &room) && set_items_values(plan, launch, room) &&
           svi_cast_end_any(SVI_KERNEL_batched_scaled, &launch->cast, out);
}
