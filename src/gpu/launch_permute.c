/*
 * Any strides, by tiles of several axes that are read by vectors along the runs of the source and written by vectors
 * along those of the destination. A tile grows along both sides' axes by turns, as long as its segments and its runs
 * have room in shared memory.
 */
#include "gpu/launch_permute.h"

#include "base/checked.h"
#include "gpu/launch_cost.h"

enum {
    LEAST = 2048,      /* bytes of a plan; with fewer, the places of items take longer than the items */
    LEAST_TILE = 1024, /* bytes of its segments, or of its runs, that a tile has room for */
    SHORTEST_LONG = 64, /* bytes of a run that is stored by vectors where its address is none of theirs */
    WIDE_UNIT = 8,      /* bytes that are stored as fast as vectors */
    VECTOR = 16,
    GAP = 32, /* bytes from run to run of a segment, less one */
    MOST_AXES = SVI_BOX_AXES + SVI_BOX_OUTER,
    MOST_TILES = 16, /* of a block */
    BLOCKS = 528     /* four for each multiprocessor of a large device */
};

struct axis {
    int64_t extent, dst, src;
    int64_t tile;   /* items of a tile */
    int64_t staged; /* bytes from item to item in the segments */
    bool is_in_run, is_in_segment;
};

struct tile {
    int64_t word;  /* bytes of an item */
    int64_t most;  /* bytes of segments, and of runs */
    int32_t naxes; /* in the order of the destination, the fastest first */
    int32_t by_src[MOST_AXES];
    struct axis axes[MOST_AXES];
    int64_t runs, run, slot;         /* how many, bytes of one, bytes of its slot */
    int64_t segments, span, vectors; /* how many, bytes from the first to the last of one, vectors of all */
    int64_t payload;
};

/* --- axes ---------------------------------------------------------------------------------------------- */

static bool is_faster(const struct axis *a, const struct axis *b)
{
    return a->src != 0 && (b->src == 0 || svi_abs(a->src) < svi_abs(b->src));
}

static void sort_by_src(struct tile *tile)
{
    for (int32_t i = 0; i < tile->naxes; i++) {
        int32_t at = i;

        for (; at > 0 && is_faster(&tile->axes[i], &tile->axes[tile->by_src[at - 1]]); at--)
            tile->by_src[at] = tile->by_src[at - 1];
        tile->by_src[at] = i;
    }
}

static bool set_axes(struct tile *tile, const struct svi_plan *plan, int64_t word)
{
    tile->word = word;
    tile->naxes = 0;
    if (plan->ndim >= MOST_AXES)
        return false;
    if (plan->item > word)
        tile->axes[tile->naxes++] = (struct axis){.extent = plan->item / word, .dst = word, .src = word, .tile = 1};
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        if (plan->shape[k] > SVI_MOST_BLOCKS)
            return false;
        tile->axes[tile->naxes++] =
            (struct axis){.extent = plan->shape[k], .dst = plan->dst[k], .src = plan->src[k], .tile = 1};
    }
    sort_by_src(tile);
    return true;
}

/* --- what a tile is ---------------------------------------------------------------------------------------- */

static int64_t round_up(int64_t n, int64_t to)
{
    return svi_divide_up(n, to) * to;
}

/* Short runs are in slots that are units of any size, so that the next one begins where a unit may. */
static int64_t slot_of(const struct tile *tile)
{
    int64_t slot = tile->word < 4 ? 4 : tile->word;

    if (tile->run >= VECTOR)
        return round_up(tile->run, VECTOR);
    while (slot < tile->run)
        slot *= 2;
    return slot;
}

static void measure_runs(struct tile *tile)
{
    tile->run = tile->word;
    tile->runs = tile->payload = 1;
    for (int32_t k = 0; k < tile->naxes; k++) {
        struct axis *axis = &tile->axes[k];

        axis->is_in_run = axis->tile > 1 && tile->runs == 1 && axis->dst == tile->run;
        *(axis->is_in_run ? &tile->run : &tile->runs) *= axis->tile;
    }
    tile->payload = tile->runs * tile->run;
    tile->slot = slot_of(tile);
}

static void measure_segments(struct tile *tile)
{
    tile->span = tile->word;
    tile->segments = 1;
    for (int32_t i = 0; i < tile->naxes; i++) {
        struct axis *axis = &tile->axes[tile->by_src[i]];
        const int64_t step = (int64_t)svi_abs(axis->src);

        axis->is_in_segment = tile->segments == 1 && step - tile->span < GAP;
        if (axis->tile == 1 || step == 0)
            continue;
        if (axis->is_in_segment)
            tile->span += (axis->tile - 1) * step;
        else
            tile->segments *= axis->tile;
    }
    tile->vectors = svi_divide_up(tile->span, VECTOR) * tile->segments;
}

static bool has_room(struct tile *tile)
{
    measure_runs(tile);
    measure_segments(tile);
    return tile->slot * tile->runs <= tile->most && tile->vectors * VECTOR <= tile->most;
}

/* --- how it grows ---------------------------------------------------------------------------------------- */

/* Items of an axis that end where a sector does on a side, if some do. */
static int64_t items_of_sector(int64_t stride)
{
    const int64_t power = (int64_t)((uint64_t)stride & -(uint64_t)stride);

    return power == 0 || power > SVI_SECTOR ? 1 : SVI_SECTOR / power;
}

/* A little less, so that tiles end where sectors do, or that the last two share fewer items. */
static int64_t fit(const struct axis *axis, int64_t want)
{
    const int64_t by_dst = items_of_sector(axis->dst), by_src = items_of_sector(axis->src);
    const int64_t sector = by_dst > by_src ? by_dst : by_src;
    int64_t even;

    if (want >= axis->extent)
        return axis->extent;
    even = round_up(svi_divide_up(axis->extent, svi_divide_up(axis->extent, want)), sector);
    if (even <= want)
        return even;
    return want / sector * sector * 4 >= want * 3 ? want / sector * sector : want;
}

static void widen(struct tile *tile, struct axis *axis, int64_t want)
{
    const int64_t before = axis->tile;

    for (want = fit(axis, want); want > before; want = fit(axis, want - svi_divide_up(want, 8))) {
        axis->tile = want;
        if (has_room(tile))
            return;
    }
    axis->tile = before;
}

static int32_t count_axes(const struct tile *tile)
{
    int32_t count = 0;

    for (int32_t k = 0; k < tile->naxes; k++)
        count += tile->axes[k].tile > 1;
    return count;
}

/* So that the tile has runs of so many bytes on one side. */
static void grow(struct tile *tile, bool is_src, int64_t goal)
{
    int64_t run = tile->word;

    for (int32_t i = 0; i < tile->naxes && run < goal; i++) {
        struct axis *axis = &tile->axes[is_src ? tile->by_src[i] : i];
        const int64_t want = svi_divide_up(goal, run);

        if (want > axis->tile && (axis->tile > 1 || count_axes(tile) < SVI_BOX_AXES))
            widen(tile, axis, want);
        run *= axis->tile;
        if (axis->tile < axis->extent)
            return;
    }
}

static void choose_tile(struct tile *tile, int64_t nbytes)
{
    const int64_t share = round_up(nbytes / SVI_MULTIPROCESSORS, LEAST_TILE);

    tile->most = share < LEAST_TILE ? LEAST_TILE : svi_smaller(share, SVI_PERMUTE_BYTES);
    for (int64_t goal = SVI_SECTOR; goal <= tile->most; goal += goal / 2) {
        grow(tile, true, goal);
        grow(tile, false, goal);
    }
    measure_runs(tile);
    measure_segments(tile);
}

/* --- the parameter block ------------------------------------------------------------------------------- */

static struct svi_permute_axis make_axis(int64_t extent, int64_t stride)
{
    const struct svi_axis division = svi_axis_make(extent, 0, 0);

    return (struct svi_permute_axis){division.extent, division.magic, division.shift, (int32_t)stride};
}

/* Where the items of the segments lie in shared memory. */
static void lay_out_segments(struct tile *tile)
{
    int64_t next = round_up(tile->span, VECTOR);

    for (int32_t i = 0; i < tile->naxes; i++) {
        struct axis *axis = &tile->axes[tile->by_src[i]];

        axis->staged = axis->is_in_segment ? (int64_t)svi_abs(axis->src) : next;
        if (axis->src == 0)
            axis->staged = 0;
        else if (!axis->is_in_segment)
            next *= axis->tile;
        if (axis->src < 0)
            axis->staged = -axis->staged;
    }
}

/* Whether places within a tile are of 31 bits. */
static bool set_tile_axes(const struct tile *tile, struct svi_launch_permute *launch)
{
    int64_t dst = 0, src = 0;

    for (int32_t i = 0; i < tile->naxes; i++) {
        const struct axis *by_dst = &tile->axes[i], *by_src = &tile->axes[tile->by_src[i]];

        if (by_src->tile > 1 && by_src->src != 0 && !by_src->is_in_segment)
            launch->segments[launch->nsegments++] = make_axis(by_src->tile, (int64_t)svi_abs(by_src->src));
        if (by_dst->tile == 1)
            continue;
        if (by_dst->dst > SVI_MOST_BLOCKS || (int64_t)svi_abs(by_dst->src) > SVI_MOST_BLOCKS)
            return false;
        dst += (by_dst->tile - 1) * by_dst->dst;
        src += (by_dst->tile - 1) * (int64_t)svi_abs(by_dst->src);
        launch->axes[launch->naxes++] = make_axis(by_dst->tile, by_dst->staged);
        if (!by_dst->is_in_run)
            launch->run[launch->nruns++] = make_axis(by_dst->tile, by_dst->dst);
        if (by_dst->src < 0) {
            launch->first += (uint32_t)((1 - by_dst->tile) * by_dst->staged);
            launch->src_offset += (by_dst->tile - 1) * by_dst->src;
        }
    }
    return dst <= SVI_MOST_BLOCKS && src <= SVI_MOST_BLOCKS;
}

static bool set_outer_axes(const struct tile *tile, struct svi_launch_permute *launch)
{
    int64_t tiles = 1;

    for (int32_t i = 0; i < tile->naxes; i++) {
        const struct axis *axis = &tile->axes[i];
        const int64_t count = svi_divide_up(axis->extent, axis->tile);
        const struct svi_axis division = svi_axis_make(count, 0, 0);

        if (count == 1)
            continue;
        if (launch->nouter == SVI_BOX_OUTER || count > SVI_MOST_BLOCKS / tiles)
            return false;
        tiles *= count;
        launch->outer[launch->nouter++] =
            (struct svi_box_outer){division.extent,           division.magic, division.shift, (uint32_t)axis->tile,
                                   axis->extent - axis->tile, axis->dst,      axis->src};
    }
    launch->tiles = (uint32_t)tiles;
    launch->per = (uint32_t)svi_smaller(tiles / BLOCKS < 1 ? 1 : tiles / BLOCKS, MOST_TILES);
    return true;
}

/* What the addresses of all runs are multiples of, but for those of tiles at the end of an axis. */
static int64_t find_unit(const struct tile *tile, uintptr_t dst, int64_t offset)
{
    uint64_t bits = dst + (uint64_t)offset;
    int64_t unit;

    for (int32_t i = 0; i < tile->naxes; i++) {
        const struct axis *axis = &tile->axes[i];

        if (axis->tile > 1 && !axis->is_in_run)
            bits |= (uint64_t)axis->dst;
        if (axis->tile < axis->extent)
            bits |= (uint64_t)(axis->tile * axis->dst);
    }
    unit = svi_divides(bits, 0);
    while (unit > tile->run)
        unit /= 2;
    return unit;
}

static void set_runs(const struct tile *tile, int64_t unit, struct svi_launch_permute *launch)
{
    const int64_t bytes_of_word = tile->word < 4 ? 4 : tile->word;

    launch->span = (uint32_t)tile->span;
    launch->vectors = (uint32_t)tile->vectors;
    launch->words = (uint32_t)(tile->runs * tile->slot / bytes_of_word);
    launch->runs = (uint32_t)tile->runs;
    launch->run_bytes = (uint32_t)tile->run;
    launch->slot_bytes = (uint32_t)tile->slot;
    launch->unit = (uint32_t)unit;
    launch->chunks = make_axis(svi_divide_up(tile->span, VECTOR), 0);
    launch->slot = make_axis(tile->slot / bytes_of_word, 0);
    launch->pieces = make_axis(tile->run / unit, 0);
    launch->items = make_axis(tile->run / tile->word, 0);
    launch->single = make_axis(1, 0);
    if (unit < WIDE_UNIT && tile->run >= SHORTEST_LONG)
        launch->vectors_of_run = make_axis(svi_divide_up(tile->run + VECTOR - tile->word, VECTOR), 0);
}

/* --- the estimate ---------------------------------------------------------------------------------------- */

static double cost_of_sectors(const struct tile *tile, uintptr_t dst, uintptr_t src)
{
    int64_t extents[MOST_AXES], to[MOST_AXES], from[MOST_AXES];
    uint64_t to_bits = dst, from_bits = src;

    for (int32_t k = 0; k < tile->naxes; k++) {
        const struct axis *axis = &tile->axes[k];

        extents[k] = axis->tile;
        to[k] = axis->dst;
        from[k] = axis->src;
        to_bits |= (uint64_t)(axis->is_in_run && axis->tile == axis->extent ? 0 : axis->tile * axis->dst);
        from_bits |= (uint64_t)(axis->is_in_segment && axis->tile == axis->extent ? 0 : axis->tile * axis->src);
    }
    return (svi_cost_sectors(tile->naxes, extents, to, tile->word, svi_cost_alignment(to_bits)) +
            svi_cost_sectors(tile->naxes, extents, from, tile->word, svi_cost_alignment(from_bits))) /
           2;
}

/* What threads do for the bytes of segments, of words and of pieces, to what they could in the time of a dense copy. */
static double cost_of_threads(const struct tile *tile, const struct svi_launch_permute *launch, bool is_aligned)
{
    const double by_word[] = {.35, .25, .12, .08};
    const double piece = launch->vectors_of_run.extent != 0 ? .2 : 1.6 / launch->unit;

    return (double)tile->vectors * VECTOR * (is_aligned ? .15 : .25) +
           (double)(tile->runs * tile->slot) * by_word[__builtin_ctzll((uint64_t)tile->word)] +
           (double)tile->payload * piece;
}

/* The places of a block's items, which are found once. */
static double cost_of_places(const struct tile *tile, const struct svi_launch_permute *launch)
{
    const int64_t items_of_word = tile->word < 4 ? 4 / tile->word : 1;
    const double each = 10 + (double)items_of_word * (double)(6 + 6 * (launch->naxes - 1));

    return svi_cost_instructions((double)svi_divide_up(launch->words, SVI_LAUNCH_THREADS) * each + 60);
}

static double cost_of(const struct tile *tile, const struct svi_launch_permute *launch, uintptr_t dst, uintptr_t src)
{
    const bool is_aligned = ((src | (uintptr_t)launch->src_offset) & (VECTOR - 1)) == 0;
    const double blocks = svi_divide_up(launch->tiles, launch->per), tiles = launch->tiles;

    return svi_launch_cost(tiles * cost_of_sectors(tile, dst, src),
                           tiles * cost_of_threads(tile, launch, is_aligned) + blocks * cost_of_places(tile, launch),
                           blocks);
}

/* --- the family ------------------------------------------------------------------------------------------ */

static int64_t find_word(const struct svi_plan *plan, uintptr_t dst, uintptr_t src)
{
    const int64_t to = svi_launch_alignment(plan, dst, plan->dst_offset, plan->dst, SVI_NO_AXIS, SVI_NO_AXIS);
    const int64_t from = svi_launch_alignment(plan, src, plan->src_offset, plan->src, SVI_NO_AXIS, SVI_NO_AXIS);

    return svi_smaller(svi_divides((uint64_t)plan->item, (uint64_t)(to | from)), 8);
}

static int32_t find_kernel(int64_t word)
{
    static const int32_t kernels[] = {SVI_KERNEL_permute_1, SVI_KERNEL_permute_2, SVI_KERNEL_permute_4,
                                      SVI_KERNEL_permute_8};

    return kernels[__builtin_ctzll((uint64_t)word)];
}

bool svi_family_permute(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    struct svi_launch_permute *launch = &out->block.permute;
    const struct svi_launch_sides sides = svi_launch_begin(plan);
    struct tile tile;
    int64_t shared;

    if (plan->kind == SVI_CLASS_CONTIGUOUS || plan->nbytes < LEAST || !set_axes(&tile, plan, find_word(plan, dst, src)))
        return false;
    choose_tile(&tile, plan->nbytes);
    lay_out_segments(&tile);
    *launch = (struct svi_launch_permute){.dst_offset = sides.dst_offset,
                                          .src_offset = sides.src_offset,
                                          .src_lower = sides.src_lower,
                                          .src_upper = sides.src_upper};
    if (!set_tile_axes(&tile, launch) || !set_outer_axes(&tile, launch))
        return false;
    set_runs(&tile, find_unit(&tile, dst, plan->dst_offset), launch);
    out->cost = cost_of(&tile, launch, dst + (uintptr_t)plan->dst_offset, src + (uintptr_t)plan->src_offset);
    shared = round_up(tile.vectors, 8) * VECTOR + tile.runs * tile.slot;
    return svi_launch_end(find_kernel(tile.word), svi_divide_up(launch->tiles, launch->per), 1, shared, out);
}
