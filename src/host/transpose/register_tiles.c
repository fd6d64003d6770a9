/*
 * The loop register_tiles: transposes in cache of two axes that are multiples of a tile. Small ones are too fast for
 * blocks or a table of loops.
 */
#include "host/transpose/blocking.h"
#include "host/loop/loop.h"
#include "host/transpose/transpose.h"
#include "host/transpose/register_tiles.h"

/* Measured: doc/internals/copy_experiments.md#transposes-in-cache. */
enum {
    SMALL_BYTES = 16384, /* bytes of a side that is small whatever its rows are */
    SMALL_ROW_BYTES = 256, /* bytes of a row of the source of such a side; of a dense one twice as many */
    DENSE_BYTES = 32768, /* bytes of a side whose rows in the destination are so close that L1 keeps a line of each */
    MAX_ROWS = 256 /* elements of a row of the destination; longer rows of few columns are for few_channels.c */
};

/* Whether a line of each row of the destination stays in L1 until it is complete. */
static bool is_small(const struct svi_plan *plan)
{
    const int64_t rows = plan->shape[plan->src_axis], width = rows * plan->item;

    if (plan->shape[plan->ndim - 1] > MAX_ROWS)
        return false;
    if (plan->nbytes <= SMALL_BYTES)
        return width <= SMALL_ROW_BYTES;
    return plan->nbytes <= DENSE_BYTES && width <= 2 * SMALL_ROW_BYTES &&
           plan->dst[plan->src_axis] <= DENSE_BYTES / rows;
}

const struct svi_tile *svi_whole_tile(const struct svi_machine *machine, const struct svi_plan *plan)
{
    const int32_t i = plan->src_axis, j = plan->ndim - 1;
    const struct svi_tile *tile;

    if (plan->ndim != 2 || !is_small(plan) || !svi_is_matrix(plan) || plan->src[i] < 0)
        return NULL;
    tile = svi_tile_that_fits(machine, plan);
    return tile != NULL && svi_beyond_tiles(plan->shape[j], tile->rows) == 0 &&
                   svi_beyond_tiles(plan->shape[i], tile->columns) == 0
               ? tile
               : NULL;
}

/*
 * Transposes the elements before the first aligned vector of the destination's rows, and the last tiles. Returns the
 * row after the first ones. Not inline, to keep small transposes short.
 */
static __attribute__((noinline)) int64_t transpose_ends(const struct svi_tile *tile, const struct svi_plan *plan,
                                                        char *dst, const char *src)
{
    const struct svi_matrix m = {plan->shape[1], plan->shape[0], plan->item, dst, plan->dst[0], src, plan->src[1]};
    const int64_t first = svi_first_strip(tile, &m);

    if (first == 0)
        return 0;
    svi_matrix_strip(tile, &m, 0);
    svi_matrix_strip(tile, &m, m.rows - tile->rows);
    return first + tile->rows;
}

void svi_host_whole_tiles(const struct svi_tile *tile, const struct svi_plan *plan, char *dst, const char *src)
{
    const int64_t count = svi_tiles_in(plan->shape[0], tile->columns);
    int64_t row = plan->nbytes > SMALL_BYTES ? transpose_ends(tile, plan, dst, src) : 0;

    for (; row <= plan->shape[1] - tile->rows; row += tile->rows)
        tile->run(dst + row * plan->item, plan->dst[0], src + row * plan->src[1], plan->src[1], count, plan->item);
}

static bool is_transpose(const struct svi_host_copy *c)
{
    return c->plan->kind == SVI_CLASS_TRANSPOSE;
}

static bool register_tiles(const struct svi_host_copy *c)
{
    const struct svi_tile *tile = svi_whole_tile(c->machine, c->plan);

    if (tile != NULL && c->beyond_cache && svi_refuse(c, "the copy is beyond the cache"))
        return false;
    if (tile != NULL && !c->dry_run)
        svi_host_whole_tiles(tile, c->plan, c->dst, c->src);
    return tile != NULL;
}

const struct svi_loop svi_loop_register_tiles = {
    .name = "register_tiles",
    .can = is_transpose,
    .run = register_tiles,
    .late = true,
    .what = "small transposes of whole tiles, turned in registers",
};
