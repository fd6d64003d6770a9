/*
 * Transposes of elements for which an instruction set has no tiles. Elements of odd sizes, or short rows, may be a
 * matrix of their own for the loops beyond the cache. In cache, tiles are copied element by element.
 */
#include "host/transpose/blocking.h"
#include "base/checked.h"
#include "plan/part.h"
#include "host/base/elements.h"
#include "host/base/odometer.h"
#include "host/loop/loop.h"
#include "host/transpose/element_tiles.h"
#include "host/rows/rows_nt.h"
#include "host/transpose/transpose.h"

/* Measured: doc/internals/copy_experiments.md#elements-of-odd-sizes. */
enum {
    MIN_LONG_ODD_BYTES = 512, /* bytes of an odd element that is copied as a run */
    MIN_ODD_RUN_BYTES = 256, /* bytes of a run of odd elements in the destination */
    MAX_CACHED_ROW_BYTES = 24, /* bytes of rows from the last-level cache; longer ones are copied one by one */
    TILE_ELEMENTS = 16, /* elements of a side of a tile */
    TILE_AREA_ELEMENTS = 1024, /* elements of a tile if one axis is shorter than a side */
    ODD_TILE_ROWS = 64, /* rows of a tile of elements of no power of 2 of bytes */
    BLOCK_ROWS = 256, /* rows of the source that are walked together */
    BLOCK_ROW_BYTES = 4096 /* bytes of each of these rows; shorter pieces restart the hardware prefetcher */
};

/* --- elements of odd sizes -------------------------------------------------------- */

/* Odd elements: of 3, 5, 6, 7 or 9 to 15 bytes, or short rows. Axis i is a run of them in the source, axis j in the
 * destination. */
struct grid {
    int32_t i, j;
    int64_t item; /* bytes */
};

/* Bytes of the run of the destination that begins with axis j, without axis i. */
static int64_t run_of(const struct svi_plan *plan, const struct grid *g)
{
    int64_t nbytes = g->item * plan->shape[g->j];

    for (int32_t k = g->j - 1; k >= 0 && nbytes < MIN_ODD_RUN_BYTES; k--)
        if (k != g->i && plan->dst[k] == nbytes)
            nbytes *= plan->shape[k];
    return nbytes;
}

static bool find_grid(const struct svi_plan *plan, struct grid *g)
{
    const int32_t last = plan->ndim - 1;

    if (plan->kind == SVI_CLASS_TRANSPOSE)
        *g = (struct grid){plan->src_axis, last, plan->item};
    else if (plan->kind == SVI_CLASS_ROWS && plan->ndim > 2)
        *g = (struct grid){svi_fastest_axis(plan, last, last - 1), last - 1, plan->item * plan->shape[last]};
    else
        return false;
    return g->i >= 0 && (g->item > SVI_PLAN_ITEM || (g->item & (g->item - 1)) != 0) && g->item < MIN_LONG_ODD_BYTES &&
           plan->dst[g->j] == g->item && svi_abs(plan->src[g->i]) == (uint64_t)g->item &&
           run_of(plan, g) >= MIN_ODD_RUN_BYTES;
}

bool svi_is_odd(const struct svi_plan *plan)
{
    struct grid g;

    return find_grid(plan, &g);
}

/* Short rows are worth it only if rows_nt.c does not store them as whole lines. */
bool svi_refuses_odd(const struct svi_host_copy *c)
{
    if (!svi_is_beyond_l2(c->machine, c->plan, 1))
        return svi_refuse(c, "the copy is in cache");
    if (c->plan->kind != SVI_CLASS_ROWS)
        return false;
    if (svi_stays_in_last_cache(c->machine, c->plan) &&
        svi_refuse_more(c, "bytes of a row from the last-level cache", svi_row_nbytes(c->plan), MAX_CACHED_ROW_BYTES))
        return true;
    return (svi_has_lines(c->plan, c->dst) || svi_is_joined(c->machine, c->plan)) &&
           svi_refuse(c, "rows are stored as whole lines");
}

bool svi_odd_matrix(const struct svi_host_copy *c, struct svi_plan *plan, struct svi_matrix *m)
{
    struct svi_host_copy of_items = *c;
    struct grid g;

    if (!find_grid(c->plan, &g))
        return false;
    svi_part_of_rows(c->plan, g.j + 1, g.item, g.i, plan);
    of_items.plan = plan;
    *m = svi_matrix_of(&of_items);
    return true;
}

/* --- tiles of elements ------------------------------------------------------------ */

typedef void plane_body(const struct svi_plane *plane, char *dst, const char *src, size_t item);

/* Walks tiles, which use whole lines on both sides, along the rows of the source (axis 0). */
SVI_INLINE void walk_tiles(const struct svi_plane *plane, int64_t columns, int64_t rows, char *dst, const char *src,
                           size_t item, plane_body *body)
{
    struct svi_plane part = *plane;

    for (int64_t j = 0; j < plane->count[1]; j += rows)
        for (int64_t i = 0; i < plane->count[0]; i += columns) {
            part.count[0] = svi_smaller(columns, plane->count[0] - i);
            part.count[1] = svi_smaller(rows, plane->count[1] - j);
            body(&part, dst + i * plane->dst[0] + j * plane->dst[1], src + i * plane->src[0] + j * plane->src[1], item);
        }
}

/* Copies a tile, with the longer side as the inner loop. */
SVI_INLINE void copy_tile(const struct svi_plane *p, char *dst, const char *src, size_t item)
{
    const struct svi_plane turned = {{p->count[1], p->count[0]}, {p->dst[1], p->dst[0]}, {p->src[1], p->src[0]}};

    svi_items(p->count[1] >= p->count[0] ? p : &turned, dst, src, item);
}

/* Copies a plane by tiles. If one axis is shorter than a tile, tiles are longer along the other. */
SVI_INLINE void copy_tile_block(const struct svi_plane *plane, char *dst, const char *src, size_t item)
{
    walk_tiles(plane, plane->count[1] < TILE_ELEMENTS ? TILE_AREA_ELEMENTS / plane->count[1] : TILE_ELEMENTS,
               plane->count[0] < TILE_ELEMENTS ? TILE_AREA_ELEMENTS / plane->count[0] : TILE_ELEMENTS, dst, src, item,
               copy_tile);
}

/* Whether items of no power of 2 of bytes have neighbours behind them, so that one load and one store of more bytes
 * copies an item instead of two of each. */
SVI_INLINE bool is_wide_plane(const struct svi_plane *plane, size_t item)
{
    return item < 8 && (item & (item - 1)) != 0 && plane->dst[1] == (int64_t)item && svi_abs(plane->src[0]) == item &&
           plane->count[0] >= TILE_ELEMENTS && plane->count[1] >= TILE_ELEMENTS;
}

/* Copies a plane by such loads and stores, except the last column in memory, behind which nothing may be read. */
SVI_INLINE void wide_plane(const struct svi_plane *plane, char *dst, const char *src, size_t item)
{
    const int64_t first = plane->src[0] < 0, last = first != 0 ? 0 : plane->count[0] - 1, rows = plane->count[1];

    svi_line(rows, dst + last * plane->dst[0], (int64_t)item, src + last * plane->src[0], plane->src[1], item);
    dst += first * plane->dst[0];
    src += first * plane->src[0];
    for (int64_t j = 0; j < rows; j += ODD_TILE_ROWS)
        for (int64_t i = 0; i < plane->count[0] - 1; i++)
            svi_wide_line(svi_smaller(ODD_TILE_ROWS, rows - j), dst + i * plane->dst[0] + j * (int64_t)item,
                          src + i * plane->src[0] + j * plane->src[1], plane->src[1], item);
}

SVI_INLINE void tile_elements(const struct svi_plan *plan, char *dst, const char *src, size_t item)
{
    const struct svi_plane plane = svi_plane_of(plan, plan->src_axis, plan->ndim - 1);
    struct svi_odometer outer;

    svi_odometer_init(&outer, plan, plan->ndim - 1, plan->src_axis, dst, src);
    do
        if (is_wide_plane(&plane, item))
            wide_plane(&plane, outer.dst, outer.src, item);
        else
            walk_tiles(&plane, BLOCK_ROW_BYTES / (int64_t)item, BLOCK_ROWS, outer.dst, outer.src, item,
                       copy_tile_block);
    while (svi_odometer_next(&outer));
}

static bool element_tiles(const struct svi_host_copy *c)
{
    svi_by_item(c->plan, c->dst, c->src, tile_elements);
    return true;
}

const struct svi_loop svi_loop_element_tiles = {
    .name = "element_tiles",
    .run = element_tiles,
    .what = "tiles moved element by element",
};
