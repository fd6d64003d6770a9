/*
 * Two axes in blocks: one that is fastest in the destination, one that is
 * fastest in the source, so that whole cache lines are used on both sides.
 */
#include "items.h"
#include "kernels.h"
#include "odometer.h"

enum {
    LINE = 64,         /* bytes of a tile's side, where strides are one item */
    BLOCK_ROWS = 256,  /* rows of the source that are walked together */
    BLOCK_BYTES = 4096 /* of each row: shorter pieces restart the prefetcher */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Axis 0 of plane is the source's fastest, axis 1 the destination's. */
SVI_INLINE void tile(const struct svi_plane *plane, int64_t i, int64_t j, int64_t rows, int64_t columns, char *dst,
                     const char *src, size_t item)
{
    struct svi_plane part = {{columns, rows}, {plane->dst[0], plane->dst[1]}, {plane->src[0], plane->src[1]}};

    svi_items(&part, dst + i * plane->dst[0] + j * plane->dst[1], src + i * plane->src[0] + j * plane->src[1], item);
}

SVI_INLINE void block(const struct svi_plane *plane, int64_t i0, int64_t i1, int64_t j0, int64_t j1, char *dst,
                      const char *src, size_t item)
{
    const int64_t side = item > 4 ? LINE / (int64_t)item : 16;

    for (int64_t j = j0; j < j1; j += side)
        for (int64_t i = i0; i < i1; i += side)
            tile(plane, i, j, smaller(side, j1 - j), smaller(side, i1 - i), dst, src, item);
}

SVI_INLINE void blocks(const struct svi_plane *plane, char *dst, const char *src, size_t item)
{
    const int64_t width = BLOCK_BYTES / (int64_t)item;

    for (int64_t j = 0; j < plane->count[1]; j += BLOCK_ROWS)
        for (int64_t i = 0; i < plane->count[0]; i += width)
            block(plane, i, smaller(i + width, plane->count[0]), j, smaller(j + BLOCK_ROWS, plane->count[1]), dst, src,
                  item);
}

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_plane plane = svi_plane_of(plan, plan->tile, plan->ndim - 1);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, dst, src);
    do
        blocks(&plane, outer.dst, outer.src, item);
    while (svi_odometer_next(&outer));
}

void svi_host_tile(const struct svi_plan *plan, char *dst, const char *src)
{
    svi_by_item(plan, dst, src, walk);
}
