/* Which plans are pixels, and of what kind. */
#include "recipe.h"

#include "isa.h"
#include "kernels.h"

enum { LEAST_RUN = 128 }; /* bytes of each unit of a run of pixels: below, it is mostly ends */

/* Where one plane is taken, bytes of a run, and of a copy, below which items are as fast one by one; by the logarithm
 * of an item. */
static const int32_t least_run[] = {160, 160, 512, 2048, 4096};
static const int32_t least_copy[] = {1024, 1024, 2048, 6144, 131072};

static const struct svi_recipe none = {SVI_NO_PIXELS, 0, 0, 0, 0, 0, false};

static bool has_channels(const struct svi_plan *plan, int32_t axis, const int64_t *strides, int32_t pixel)
{
    const int64_t item = plan->item, count = plan->shape[axis];

    return count <= SVI_CHANNELS && strides[axis] == item && strides[pixel] == count * item;
}

static struct svi_recipe of_transpose(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const int item = (int)plan->item;

    if (plan->dst[last] == item && has_channels(plan, tile, plan->src, last))
        return (struct svi_recipe){SVI_SPLIT, (int)plan->shape[tile], (int)plan->shape[tile], item, last, tile, false};
    if (plan->src[tile] == item && has_channels(plan, last, plan->dst, tile))
        return (struct svi_recipe){SVI_JOIN, (int)plan->shape[last], (int)plan->shape[last], item, tile, last, false};
    return none;
}

/* Items a few units apart. */
static struct svi_recipe of_gather(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t item = plan->item, step = plan->src[last];
    int64_t unit = 16;
    int from, to;

    if (step < item || step > SVI_CHANNELS * 16)
        return none;
    while (item % unit != 0 || step % unit != 0)
        unit /= 2;
    if (step / unit > SVI_CHANNELS)
        return none;
    from = (int)(step / unit);
    to = (int)(item / unit);
    return (struct svi_recipe){to == 1 ? SVI_SPLIT : SVI_MIX, from, to, (int)unit, last, -1, false};
}

static struct svi_recipe of_reversed(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t count = plan->shape[last], size = count * plan->item;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[pixel] != size || plan->src[pixel] != size)
        return none;
    return (struct svi_recipe){SVI_MIX, (int)count, (int)count, (int)plan->item, pixel, last, true};
}

static bool is_worth_it(const struct svi_plan *plan, const struct svi_recipe *r)
{
    return plan->shape[r->pixel] * r->unit >= LEAST_RUN;
}

/* Each item two to four times. */
static struct svi_recipe of_repeat(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t count = plan->shape[last], item = plan->item;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[last] != item || plan->dst[pixel] != count * item ||
        plan->src[pixel] != item)
        return none;
    return (struct svi_recipe){SVI_MIX, 1, (int)count, (int)item, pixel, last, false};
}

struct svi_recipe svi_recipe_of(const struct svi_plan *plan)
{
    struct svi_recipe r = none;

    if (plan->kind == SVI_CLASS_TRANSPOSE)
        r = of_transpose(plan);
    else if (plan->kind == SVI_CLASS_GATHER)
        r = of_gather(plan);
    else if (plan->kind == SVI_CLASS_REVERSED)
        r = of_reversed(plan);
    else if (plan->kind == SVI_CLASS_REPEAT)
        r = of_repeat(plan);
    if (r.form == SVI_NO_PIXELS || (r.unit & (r.unit - 1)) != 0 || !is_worth_it(plan, &r))
        return none;
    return r;
}

bool svi_is_pixels(const struct svi_plan *plan)
{
    struct svi_recipe r;
    int log;

    if (plan->nbytes < SVI_PIXELS_LEAST)
        return false;
    r = svi_recipe_of(plan);
    log = __builtin_ctz((unsigned)r.unit | 16);
    if (plan->kind == SVI_CLASS_GATHER && r.form == SVI_SPLIT)
        return plan->nbytes >= least_copy[log] && plan->shape[r.pixel] * r.unit >= least_run[log];
    return r.form != SVI_NO_PIXELS;
}
