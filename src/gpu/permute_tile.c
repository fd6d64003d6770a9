#include "gpu/permute_tile.h"

#include "base/checked.h"

enum {
    LEAST_TILE = 1024, /* bytes of its segments, or of its runs, that a tile has room for */
    GAP = 32,          /* bytes from run to run of a segment, less one */
    TRIES = 6          /* to make an axis shorter until there is room */
};

/* --- axes ---------------------------------------------------------------------------------------------- */

static bool is_faster_side(const struct svi_permute_side *a, const struct svi_permute_side *b)
{
    return a->src != 0 && (b->src == 0 || svi_abs(a->src) < svi_abs(b->src));
}

static void sort_sides(struct svi_permute_tile *tile)
{
    for (int32_t i = 0; i < tile->naxes; i++) {
        int32_t at = i;

        for (; at > 0 && is_faster_side(&tile->axes[i], &tile->axes[tile->by_src[at - 1]]); at--)
            tile->by_src[at] = tile->by_src[at - 1];
        tile->by_src[at] = i;
    }
}

static bool set_sides(struct svi_permute_tile *tile, const struct svi_plan *plan, int64_t word)
{
    tile->word = word;
    tile->naxes = 0;
    if (plan->ndim >= SVI_PERMUTE_NDIM)
        return false;
    if (plan->item > word)
        tile->axes[tile->naxes++] =
            (struct svi_permute_side){.extent = plan->item / word, .dst = word, .src = word, .tile = 1};
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        if (plan->shape[k] > SVI_MOST_BLOCKS)
            return false;
        tile->axes[tile->naxes++] =
            (struct svi_permute_side){.extent = plan->shape[k], .dst = plan->dst[k], .src = plan->src[k], .tile = 1};
    }
    sort_sides(tile);
    return true;
}

/* --- what a tile is ---------------------------------------------------------------------------------------- */

static int64_t round_bytes_up(int64_t n, int64_t to)
{
    return svi_divide_up(n, to) * to;
}

/* Short runs are in slots that are units of any size, so that the next one begins where a unit may. */
static int64_t slot_bytes_of(const struct svi_permute_tile *tile)
{
    int64_t slot = tile->word < 4 ? 4 : tile->word;

    if (tile->run >= SVI_PERMUTE_VECTOR)
        return round_bytes_up(tile->run, SVI_PERMUTE_VECTOR);
    while (slot < tile->run)
        slot *= 2;
    return slot;
}

static void measure_runs(struct svi_permute_tile *tile)
{
    tile->run = tile->word;
    tile->runs = tile->payload = 1;
    for (int32_t k = 0; k < tile->naxes; k++) {
        struct svi_permute_side *axis = &tile->axes[k];

        axis->is_in_run = axis->tile > 1 && tile->runs == 1 && axis->dst == tile->run;
        *(axis->is_in_run ? &tile->run : &tile->runs) *= axis->tile;
    }
    tile->payload = tile->runs * tile->run;
    tile->slot = slot_bytes_of(tile);
}

static void measure_segments(struct svi_permute_tile *tile)
{
    tile->span = tile->word;
    tile->segments = 1;
    for (int32_t i = 0; i < tile->naxes; i++) {
        struct svi_permute_side *axis = &tile->axes[tile->by_src[i]];
        const int64_t step = (int64_t)svi_abs(axis->src);

        axis->is_in_segment = tile->segments == 1 && step - tile->span < GAP;
        if (axis->tile == 1 || step == 0)
            continue;
        if (axis->is_in_segment)
            tile->span += (axis->tile - 1) * step;
        else
            tile->segments *= axis->tile;
    }
    tile->vectors = svi_divide_up(tile->span, SVI_PERMUTE_VECTOR) * tile->segments;
}

static bool has_tile_room(struct svi_permute_tile *tile)
{
    measure_runs(tile);
    measure_segments(tile);
    return tile->slot * tile->runs <= tile->most && tile->vectors * SVI_PERMUTE_VECTOR <= tile->most;
}

/* --- how it grows ---------------------------------------------------------------------------------------- */

/* A little less, so that tiles end where sectors do, or where vectors or words do. */
static int64_t fit_sectors(int64_t want, int64_t sector)
{
    for (; sector > 1; sector /= 2)
        if (want / sector * sector * 4 >= want * 3)
            return want / sector * sector;
    return want;
}

/* The items that the last two tiles share, if all are of this length. */
static int64_t count_shared(const struct svi_permute_side *axis, int64_t tile)
{
    return svi_divide_up(axis->extent, tile) * tile - axis->extent;
}

/* So many items or a little fewer: all tiles of the same length where the last two would share many. */
static int64_t fit(const struct svi_permute_side *axis, int64_t want)
{
    const int64_t by_dst = svi_items_of_sector(axis->dst), by_src = svi_items_of_sector(axis->src);
    const int64_t sector = by_dst > by_src ? by_dst : by_src;
    int64_t fitting, even;

    if (want >= axis->extent)
        return axis->extent;
    fitting = fit_sectors(want, sector);
    if (count_shared(axis, fitting) * 16 <= axis->extent)
        return fitting;
    even = svi_divide_up(axis->extent, svi_divide_up(axis->extent, want));
    fitting = round_bytes_up(even, sector);
    return fitting <= want && count_shared(axis, fitting) * 16 <= axis->extent ? fitting : even;
}

/* As many of an axis as there is room for: both sides' bytes grow with them about evenly. */
static int64_t find_most(const struct svi_permute_tile *tile, const struct svi_permute_side *axis)
{
    const int64_t runs = tile->slot * tile->runs, segments = tile->vectors * SVI_PERMUTE_VECTOR;
    const int64_t larger = axis->src == 0 || runs > segments ? runs : segments;

    return tile->most * axis->tile / larger + 1;
}

static void widen(struct svi_permute_tile *tile, struct svi_permute_side *axis, int64_t want)
{
    const int64_t before = axis->tile;

    want = fit(axis, svi_smaller(want, 2 * find_most(tile, axis)));
    for (int tries = 0; want > before; tries++) {
        axis->tile = want;
        if (has_tile_room(tile))
            return;
        axis->is_closed = true;
        if (tries == TRIES)
            break;
        want = fit(axis, svi_smaller(find_most(tile, axis), want - 1 - want / 16));
    }
    axis->tile = before;
    has_tile_room(tile);
}

static int32_t count_axes(const struct svi_permute_tile *tile)
{
    int32_t count = 0;

    for (int32_t k = 0; k < tile->naxes; k++)
        count += tile->axes[k].tile > 1;
    return count;
}

/* So that the tile has runs of so many bytes on one side. */
static void grow_sides(struct svi_permute_tile *tile, bool is_src, int64_t goal)
{
    int64_t run = tile->word;

    for (int32_t i = 0; i < tile->naxes && run < goal; i++) {
        struct svi_permute_side *axis = &tile->axes[is_src ? tile->by_src[i] : i];
        const int64_t want = svi_divide_up(goal, run);

        if (want > axis->tile && !axis->is_closed && (axis->tile > 1 || count_axes(tile) < SVI_BOX_AXES))
            widen(tile, axis, want);
        run *= axis->tile;
        if (axis->tile < axis->extent)
            return;
    }
}

static void choose_permute_tile(struct svi_permute_tile *tile, int64_t nbytes)
{
    const int64_t share = round_bytes_up(nbytes / SVI_MULTIPROCESSORS, LEAST_TILE);

    tile->most = share < LEAST_TILE ? LEAST_TILE : svi_smaller(share, SVI_PERMUTE_BYTES);
    has_tile_room(tile);
    for (int64_t goal = SVI_SECTOR; goal < tile->most; goal += goal / 2) {
        grow_sides(tile, true, goal);
        grow_sides(tile, false, goal);
    }
    grow_sides(tile, true, tile->most);
    grow_sides(tile, false, tile->most);
}

/* Where the items of the segments lie in shared memory. */
static void lay_out_segments(struct svi_permute_tile *tile)
{
    int64_t next = round_bytes_up(tile->span, SVI_PERMUTE_VECTOR);

    for (int32_t i = 0; i < tile->naxes; i++) {
        struct svi_permute_side *axis = &tile->axes[tile->by_src[i]];

        axis->staged = axis->is_in_segment ? (int64_t)svi_abs(axis->src) : next;
        if (axis->src == 0)
            axis->staged = 0;
        else if (!axis->is_in_segment)
            next *= axis->tile;
        if (axis->src < 0)
            axis->staged = -axis->staged;
    }
}

bool svi_permute_tile_make(const struct svi_plan *plan, int64_t word, struct svi_permute_tile *tile)
{
    if (!set_sides(tile, plan, word))
        return false;
    choose_permute_tile(tile, plan->nbytes);
    lay_out_segments(tile);
    return true;
}
