/*
 * Two axes in tiles: one that is fastest in the source, i, and one that is
 * fastest in the destination, j, so that whole cache lines are used on both
 * sides. Tiles go along the source's rows, a block of rows at a time.
 */
#include "checked.h"
#include "host/base/elements.h"
#include "host/kernels.h"
#include "host/base/odometer.h"

enum {
    TILE = 16,         /* items of a tile's side */
    AREA = 1024,       /* items of a tile where one axis is shorter than that */
    WIDE_ROWS = 64,    /* of a tile of items of no power of 2 */
    BLOCK_ROWS = 256,  /* rows of the source that are walked together */
    BLOCK_BYTES = 4096 /* of each row: shorter pieces restart the prefetcher */
};

/* Plane of i (outer) and j (inner). The longer side of a tile is the inner loop. */
SVI_INLINE void tile(const struct svi_plane *plane, int64_t i_count, int64_t j_count, char *dst, const char *src,
                     size_t item)
{
    const int inner = j_count >= i_count, outer = 1 - inner;
    const int64_t count[2] = {i_count, j_count};

    for (int64_t k = 0; k < count[outer]; k++)
        svi_line(count[inner], dst + k * plane->dst[outer], plane->dst[inner], src + k * plane->src[outer],
                 plane->src[inner], item);
}

SVI_INLINE void block(const struct svi_plane *plane, int64_t i_count, int64_t j_count, char *dst, const char *src,
                      size_t item)
{
    /* Where one axis is shorter than a tile, tiles are the longer along the other. */
    const int64_t i_side = j_count < TILE ? AREA / j_count : TILE;
    const int64_t j_side = i_count < TILE ? AREA / i_count : TILE;

    for (int64_t j = 0; j < j_count; j += j_side)
        for (int64_t i = 0; i < i_count; i += i_side)
            tile(plane, svi_smaller(i_side, i_count - i), svi_smaller(j_side, j_count - j),
                 dst + i * plane->dst[0] + j * plane->dst[1], src + i * plane->src[0] + j * plane->src[1], item);
}

SVI_INLINE void blocks(const struct svi_plane *plane, char *dst, const char *src, size_t item)
{
    const int64_t width = BLOCK_BYTES / (int64_t)item;

    for (int64_t j = 0; j < plane->count[1]; j += BLOCK_ROWS)
        for (int64_t i = 0; i < plane->count[0]; i += width)
            block(plane, svi_smaller(width, plane->count[0] - i), svi_smaller(BLOCK_ROWS, plane->count[1] - j),
                  dst + i * plane->dst[0] + j * plane->dst[1], src + i * plane->src[0] + j * plane->src[1], item);
}

/* Whether behind items in memory others follow, which makes one load and one store of what would be two of each. */
SVI_INLINE bool is_wide(const struct svi_plane *plane, size_t item)
{
    return item < 8 && (item & (item - 1)) != 0 && plane->dst[1] == (int64_t)item && svi_abs(plane->src[0]) == item &&
           plane->count[0] >= TILE && plane->count[1] >= TILE;
}

/* Items of no power of 2: columns of the source that are not the last in memory. */
SVI_INLINE void wide_block(const struct svi_plane *plane, int64_t i_count, int64_t j_count, char *dst, const char *src,
                           size_t item)
{
    for (int64_t j = 0; j < j_count; j += WIDE_ROWS)
        for (int64_t i = 0; i < i_count; i++)
            svi_wide_line(svi_smaller(WIDE_ROWS, j_count - j), dst + i * plane->dst[0] + j * (int64_t)item,
                          src + i * plane->src[0] + j * plane->src[1], plane->src[1], item);
}

SVI_INLINE void wide_blocks(const struct svi_plane *plane, char *dst, const char *src, size_t item)
{
    const int64_t first = plane->src[0] < 0, last = first != 0 ? 0 : plane->count[0] - 1;

    svi_line(plane->count[1], dst + last * plane->dst[0], (int64_t)item, src + last * plane->src[0], plane->src[1],
             item);
    wide_block(plane, plane->count[0] - 1, plane->count[1], dst + first * plane->dst[0], src + first * plane->src[0],
               item);
}

SVI_INLINE void walk(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    struct svi_plane plane = svi_plane_of(plan, plan->tile, plan->ndim - 1);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->tile, dst, src);
    do
        if (is_wide(&plane, item))
            wide_blocks(&plane, outer.dst, outer.src, item);
        else
            blocks(&plane, outer.dst, outer.src, item);
    while (svi_odometer_next(&outer));
}

bool svi_is_list_across(const struct svi_host_copy *c)
{
    return svi_is_listed_across(c->plan) || (svi_is_listed(c->plan) && !c->beyond_cache);
}

void svi_host_tile(const struct svi_machine *machine, const struct svi_plan *plan, char *dst, const char *src)
{
    (void)machine;
    svi_by_item(plan, dst, src, walk);
}
