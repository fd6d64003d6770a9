/*
 * Two to four channels, pixel by pixel on one side and plane by plane on the
 * other: too few columns or rows for tiles. Vectors of the pixels are shuffled
 * with masks that are made once for a copy.
 */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

static bool has_channels(const struct svi_plan *plan, int32_t axis, const int64_t *strides, int32_t pixel)
{
    const int64_t item = plan->item, count = plan->shape[axis];

    return count <= SVI_CHANNELS && strides[axis] == item && strides[pixel] == count * item;
}

static bool is_split(const struct svi_plan *plan)
{
    const int32_t last = plan->ndim - 1;

    return plan->dst[last] == plan->item && has_channels(plan, plan->tile, plan->src, last);
}

static bool is_join(const struct svi_plan *plan)
{
    return plan->src[plan->tile] == plan->item && has_channels(plan, plan->ndim - 1, plan->dst, plan->tile);
}

bool svi_is_pixels(const struct svi_plan *plan)
{
    return plan->kind == SVI_CLASS_TRANSPOSE && plan->item <= 8 && (plan->item & (plan->item - 1)) == 0 &&
           (is_split(plan) || is_join(plan));
}

/* Byte b of plane c is byte b % item of item b / item * channels + c of the pixels. */
static void make_masks(struct svi_pixels *p, int item, bool split)
{
    memset(p->mask, 0x80, sizeof p->mask); /* puts a 0 */
    for (int c = 0; c < p->channels; c++)
        for (int b = 0; b < 16; b++) {
            int pixels = (b / item * p->channels + c) * item + b % item;

            if (split)
                p->mask[c][pixels / 16][b] = (unsigned char)(pixels % 16);
            else
                p->mask[pixels / 16][c][pixels % 16] = (unsigned char)b;
        }
}

/* Steps until the destination is at the beginning of a line; -1 when it never is. */
static int64_t head_of(const char *dst, int64_t step)
{
    for (int64_t k = 0; k < SVI_LINE; k++)
        if ((uintptr_t)(dst + k * step) % SVI_LINE == 0)
            return k;
    return -1;
}

/* Pixels [from, to) one by one. */
static void each(const struct svi_plane *plane, char *dst, const char *src, int64_t from, int64_t to, size_t item)
{
    struct svi_plane part = *plane;

    part.count[1] = to - from;
    svi_items(&part, dst + from * part.dst[1], src + from * part.src[1], item);
}

/* plane: channels, then pixels. */
static void run(const struct svi_isa *isa, struct svi_pixels *p, const struct svi_plane *plane, bool split, char *dst,
                const char *src, size_t item)
{
    const int64_t vector = isa->vector / (int64_t)item, count = plane->count[1];
    int64_t head = p->past_cache && (!split || p->pitch % SVI_LINE == 0) ? head_of(dst, plane->dst[1]) : -1;
    int64_t body;

    p->stream = head >= 0 && head < count;
    head = p->stream ? head : 0;
    body = (count - head) / vector * vector;
    each(plane, dst, src, 0, head, item);
    (split ? isa->split : isa->join)(p, dst + head * plane->dst[1], src + head * plane->src[1], body * (int64_t)item);
    each(plane, dst, src, head + body, count, item);
}

SVI_INLINE void walk(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src,
                     size_t item)
{
    const int32_t last = plan->ndim - 1;
    const bool split = is_split(plan);
    const struct svi_plane plane =
        split ? svi_plane_of(plan, plan->tile, last) : svi_plane_of(plan, last, plan->tile);
    struct svi_pixels p = {.channels = (int)plane.count[0], .pitch = split ? plane.dst[0] : plane.src[0]};
    struct svi_odometer outer;

    p.past_cache = svi_is_past_cache(machine, plan);
    make_masks(&p, (int)item, split);
    svi_odometer_init(&outer, plan, last, plan->tile, dst, src);
    do
        run(machine->isa, &p, &plane, split, outer.dst, outer.src, item);
    while (svi_odometer_next(&outer));
    if (p.past_cache)
        machine->isa->fence();
}

void svi_host_pixels(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    if (machine->isa->split == NULL)
        svi_host_tile(machine, plan, dst, src);
    else
        walk(machine, plan, dst, src, (size_t)plan->item);
}
