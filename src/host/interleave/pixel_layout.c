/*
 * Which plans are pixels, of a few units or along a short axis, and how these lie.
 * Pixels are dense on at least one side: their units follow each other.
 */
#include "checked.h"
#include "host/kernels.h"
#include "run.h"

/* --- of 2 to 4 units ----------------------------------------------------------- */

/* Pixels of a run, or bytes of each unit of them, below which it is mostly ends. */
enum { LEAST_PIXELS = 64, LEAST_RUN = 128 };

/* Where one plane is taken, bytes of a copy, and of each of several runs, below which elements are as fast one by one;
 * by the logarithm of an element. */
static const int32_t least_copy[] = {1024, 1024, 1024, 1024, 131072};
static const int32_t least_run[] = {160, 160, 128, 2048, 4096};

static bool has_channels(const struct svi_plan *plan, int32_t axis, const int64_t *strides, int32_t pixel)
{
    const int64_t item = plan->item, count = plan->shape[axis];

    return count <= SVI_CHANNELS && strides[axis] == item && strides[pixel] == count * item;
}

/* The axis of the pixels is the last one of the two where they are taken apart. */
static struct svi_pixel_layout of_axes(const struct svi_plan *plan, bool deinterleaves)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const int32_t pixel = deinterleaves ? last : tile, channel = deinterleaves ? tile : last;
    const int channels = (int)plan->shape[channel];

    return (struct svi_pixel_layout){deinterleaves ? SVI_DEINTERLEAVE : SVI_INTERLEAVE,
                                     channels, channels, (int)plan->item, pixel, channel, false};
}

static bool of_transpose(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    const int32_t last = plan->ndim - 1, tile = plan->tile;
    const bool deinterleaves = plan->dst[last] == plan->item && has_channels(plan, tile, plan->src, last);

    if (!deinterleaves && !(plan->src[tile] == plan->item && has_channels(plan, last, plan->dst, tile)))
        return false;
    *out = of_axes(plan, deinterleaves);
    return true;
}

/* Elements a few units apart. */
static bool of_gather(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    const int32_t last = plan->ndim - 1;
    const int64_t item = plan->item, step = plan->src[last];
    const int log = __builtin_ctzll((uint64_t)(item | step | SVI_UNIT));
    const int64_t from = step >> log, to = item >> log;

    if (step < item || from > SVI_CHANNELS)
        return false;
    *out = (struct svi_pixel_layout){to == 1 ? SVI_DEINTERLEAVE : SVI_SWIZZLE, (int)from, (int)to, 1 << log, last, -1,
                                     false};
    return true;
}

/* Units of each pixel in reverse, or one of them two to four times. */
static bool of_pixels(const struct svi_plan *plan, bool reversed, struct svi_pixel_layout *out)
{
    const int32_t last = plan->ndim - 1, pixel = last - 1;
    const int64_t item = plan->item, count = plan->shape[last], from = reversed ? count : 1;

    if (pixel < 0 || count > SVI_CHANNELS || plan->dst[last] != item || plan->dst[pixel] != count * item ||
        plan->src[pixel] != from * item)
        return false;
    *out = (struct svi_pixel_layout){SVI_SWIZZLE, (int)from, (int)count, (int)item, pixel, last, reversed};
    return true;
}

static bool of_class(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    switch (plan->kind) {
    case SVI_CLASS_TRANSPOSE: return of_transpose(plan, out);
    case SVI_CLASS_GATHER: return of_gather(plan, out);
    case SVI_CLASS_REVERSED: return of_pixels(plan, true, out);
    case SVI_CLASS_REPEAT: return of_pixels(plan, false, out);
    default: return false;
    }
}

bool svi_pixel_layout_of(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    return of_class(plan, out) && (out->unit & (out->unit - 1)) == 0 &&
           (plan->shape[out->pixel] * out->unit >= LEAST_RUN || plan->shape[out->pixel] >= LEAST_PIXELS);
}

/* Whether one plane is long enough. */
static bool is_long(const struct svi_plan *plan, const struct svi_pixel_layout *l)
{
    const int log = __builtin_ctz((unsigned)l->unit);
    const int64_t nbytes = plan->shape[l->pixel] * l->unit;

    return plan->nbytes >= least_copy[log] && (nbytes == plan->nbytes || nbytes >= least_run[log]);
}

bool svi_is_pixels(const struct svi_plan *plan)
{
    struct svi_pixel_layout l;

    if (plan->nbytes < SVI_LEAST_PIXEL_BYTES || !svi_pixel_layout_of(plan, &l))
        return false;
    return plan->kind != SVI_CLASS_GATHER || l.form != SVI_DEINTERLEAVE || is_long(plan, &l);
}

/* --- along a short axis ----------------------------------------------------------- */

enum {
    MOST_PIXEL_BYTES = 256,
    MOST_LINE_BYTES = 192,    /* of a pixel that is whole lines, put together from planes, */
    MOST_PLANE_BYTES = 131072, /* which are so far apart at most, where it is more than one line */
    PIXELS_PER_CHANNEL = 4    /* in a run, at least */
};

/* A multiple of a lane's 16 bytes, or of a size that there is a loop for: others of few units are above. */
static bool has_loop(int64_t channels, int64_t item)
{
    return channels > SVI_CHANNELS || channels * item >= SVI_UNIT || (channels == 4 && item == 1);
}

/* Pixels of channels are dense by these strides, few elements each, and many. */
static bool has_pixels(const struct svi_plan *plan, const int64_t *strides, int32_t channel, int32_t pixel)
{
    const int64_t channels = plan->shape[channel], size = channels * plan->item;

    return strides[channel] == plan->item && strides[pixel] == size && channels <= SVI_MOST_CHANNELS &&
           size <= MOST_PIXEL_BYTES && plan->shape[pixel] >= LEAST_PIXELS &&
           plan->shape[pixel] >= PIXELS_PER_CHANNEL * channels && has_loop(channels, plan->item);
}

static bool is_apart(const struct svi_plan *plan)
{
    return has_pixels(plan, plan->src, plan->tile, plan->ndim - 1);
}

static bool is_together(const struct svi_plan *plan)
{
    return has_pixels(plan, plan->dst, plan->ndim - 1, plan->tile);
}

static bool is_matrix(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_TRANSPOSE && (plan->item & (plan->item - 1)) == 0 &&
           plan->src[plan->tile] == plan->item && plan->dst[plan->ndim - 1] == plan->item;
}

/* Tiles, or blocks of them, do better where pixels of the destination are whole lines; mostly. */
bool svi_is_channels(const struct svi_plan *plan)
{
    return is_matrix(plan) && (is_apart(plan) || (is_together(plan) && plan->dst[plan->tile] % SVI_LINE != 0));
}

void svi_channel_layout_of(const struct svi_plan *plan, struct svi_pixel_layout *out)
{
    *out = of_axes(plan, is_apart(plan));
}

/* Planes whose lines at a pixel share a set of L1, at most. */
static int64_t planes_of_a_set(int64_t pitch, int64_t planes)
{
    const uint64_t apart = svi_gcd(svi_abs(pitch), SVI_WAY);
    const int64_t sets = SVI_WAY / svi_larger((int64_t)apart, SVI_LINE);

    return (planes + sets - 1) / sets;
}

/* Beyond the cache blocks do better with long pixels only, planes that drive each other out of it, or some far
 * apart. */
bool svi_has_short_lines(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;
    const int64_t pixel = plan->dst[plan->tile], pitch = plan->src[last];

    if (!is_matrix(plan) || !is_together(plan) || pixel % SVI_LINE != 0 ||
        planes_of_a_set(pitch, plan->shape[last]) > SVI_WAYS)
        return false;
    return pixel == SVI_LINE || (pixel <= MOST_LINE_BYTES && svi_abs(pitch) <= MOST_PLANE_BYTES);
}
