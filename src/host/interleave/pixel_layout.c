/* Which plans are pixels, and of what kind. */
#include "pixel_layout.h"

#include "host/isa/isa.h"
#include "host/kernels.h"

/* Pixels of a run, or bytes of each unit of them, below which it is mostly ends. */
enum { LEAST_PIXELS = 64, LEAST_RUN = 128 };

/* Where one plane is taken, bytes of a copy, and of each of several runs, below which items are as fast one by one; by
 * the logarithm of an item. */
static const int32_t least_copy[] = {1024, 1024, 1024, 1024, 131072};
static const int32_t least_run[] = {160, 160, 128, 2048, 4096};

static bool has_channels(const struct svi_plan *plan, int32_t axis, const int64_t *strides, int32_t pixel)
{
    const int64_t item = plan->item, count = plan->shape[axis];

    return count <= SVI_CHANNELS && strides[axis] == item && strides[pixel] == count * item;
}

static bool of_transpose(const struct svi_plan *plan, struct svi_recipe *out)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const int item = (int)plan->item;

    if (plan->dst[last] == item && has_channels(plan, tile, plan->src, last)) {
        *out = (struct svi_recipe){SVI_SPLIT, (int)plan->shape[tile], (int)plan->shape[tile], item, last, tile, false};
        return true;
    }
    if (plan->src[tile] == item && has_channels(plan, last, plan->dst, tile)) {
        *out = (struct svi_recipe){SVI_JOIN, (int)plan->shape[last], (int)plan->shape[last], item, tile, last, false};
        return true;
    }
    return false;
}

/* Items a few units apart. */
static bool of_gather(const struct svi_plan *plan, struct svi_recipe *out)
{
    const int32_t last = plan->ndim - 1;
    const int64_t item = plan->item, step = plan->src[last];
    const int log = __builtin_ctzll((uint64_t)(item | step | SVI_UNIT));
    const int64_t from = step >> log, to = item >> log;

    if (step < item || from > SVI_CHANNELS)
        return false;
    *out = (struct svi_recipe){to == 1 ? SVI_SPLIT : SVI_MIX, (int)from, (int)to, 1 << log, last, -1, false};
    return true;
}

static bool of_reversed(const struct svi_plan *plan, struct svi_recipe *out)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t count = plan->shape[last], size = count * plan->item;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[pixel] != size || plan->src[pixel] != size)
        return false;
    *out = (struct svi_recipe){SVI_MIX, (int)count, (int)count, (int)plan->item, pixel, last, true};
    return true;
}

static bool is_worth_it(const struct svi_plan *plan, const struct svi_recipe *r)
{
    return plan->shape[r->pixel] * r->unit >= LEAST_RUN || plan->shape[r->pixel] >= LEAST_PIXELS;
}

/* Each item two to four times. */
static bool of_repeat(const struct svi_plan *plan, struct svi_recipe *out)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t count = plan->shape[last], item = plan->item;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[last] != item || plan->dst[pixel] != count * item ||
        plan->src[pixel] != item)
        return false;
    *out = (struct svi_recipe){SVI_MIX, 1, (int)count, (int)item, pixel, last, false};
    return true;
}

static bool of_class(const struct svi_plan *plan, struct svi_recipe *out)
{
    switch (plan->kind) {
    case SVI_CLASS_TRANSPOSE: return of_transpose(plan, out);
    case SVI_CLASS_GATHER: return of_gather(plan, out);
    case SVI_CLASS_REVERSED: return of_reversed(plan, out);
    case SVI_CLASS_REPEAT: return of_repeat(plan, out);
    default: return false;
    }
}

bool svi_recipe_of(const struct svi_plan *plan, struct svi_recipe *out)
{
    return of_class(plan, out) && (out->unit & (out->unit - 1)) == 0 && is_worth_it(plan, out);
}

/* Whether one plane is long enough. */
static bool is_long(const struct svi_plan *plan, const struct svi_recipe *r)
{
    const int log = __builtin_ctz((unsigned)r->unit);
    const int64_t nbytes = plan->shape[r->pixel] * r->unit;

    return plan->nbytes >= least_copy[log] && (nbytes == plan->nbytes || nbytes >= least_run[log]);
}

bool svi_is_pixels(const struct svi_plan *plan)
{
    struct svi_recipe r;

    if (plan->nbytes < SVI_PIXELS_LEAST || !svi_recipe_of(plan, &r))
        return false;
    return plan->kind != SVI_CLASS_GATHER || r.form != SVI_SPLIT || is_long(plan, &r);
}
