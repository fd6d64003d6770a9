/* Any strides, by tiles that are read by vectors along the runs of the source and written by vectors along those of the
 * destination. */
#include "gpu/launch_permute.h"

#include "base/checked.h"
#include "gpu/permute_tile.h"

enum {
    LEAST = 4096, /* bytes of a plan; with fewer, the places of items take longer than the items */
    SHORTEST_LONG = 64, /* bytes of a run that is stored by vectors where its address is none of theirs */
    SHORTEST_MIDDLE = 12, /* the same by words of 4 bytes */
    WIDE_UNIT = 8, /* bytes that are stored as fast as vectors */
    MIDDLE_UNIT = 4,
    VECTOR = SVI_PERMUTE_VECTOR,
    MOST_TILES = 16, /* of a block */
    BLOCKS = 528 /* four for each multiprocessor of a large device */
};

/* --- the parameter block ------------------------------------------------------------------------------- */

static struct svi_permute_axis make_permute_axis(int64_t extent, int64_t stride)
{
    const struct svi_axis division = svi_axis_make(extent, 0, 0);

    return (struct svi_permute_axis){division.extent, division.magic, division.shift, (int32_t)stride};
}

/* Whether places within a tile are of 31 bits. */
static bool set_permute_axes(const struct svi_permute_tile *tile, struct svi_launch_permute *launch)
{
    int64_t dst = 0, src = 0;

    for (int32_t i = 0; i < tile->naxes; i++) {
        const struct svi_permute_side *by_dst = &tile->axes[i], *by_src = &tile->axes[tile->by_src[i]];

        if (by_src->tile > 1 && by_src->src != 0 && !by_src->is_in_segment)
            launch->segments[launch->nsegments++] = make_permute_axis(by_src->tile, (int64_t)svi_abs(by_src->src));
        if (by_dst->tile == 1)
            continue;
        if (by_dst->dst > SVI_MOST_BLOCKS || (int64_t)svi_abs(by_dst->src) > SVI_MOST_BLOCKS)
            return false;
        dst += (by_dst->tile - 1) * by_dst->dst;
        src += (by_dst->tile - 1) * (int64_t)svi_abs(by_dst->src);
        launch->axes[launch->naxes++] = make_permute_axis(by_dst->tile, by_dst->staged);
        if (!by_dst->is_in_run)
            launch->run[launch->nruns++] = make_permute_axis(by_dst->tile, by_dst->dst);
        if (by_dst->src < 0) {
            launch->first += (uint32_t)((1 - by_dst->tile) * by_dst->staged);
            launch->src_offset += (by_dst->tile - 1) * by_dst->src;
        }
    }
    return dst <= SVI_MOST_BLOCKS && src <= SVI_MOST_BLOCKS;
}

static bool set_permute_outer(const struct svi_permute_tile *tile, struct svi_launch_permute *launch)
{
    int64_t tiles = 1;

    for (int32_t i = 0; i < tile->naxes; i++) {
        const struct svi_permute_side *axis = &tile->axes[i];

        if (!svi_launch_add_outer(axis->extent, axis->tile, axis->dst, axis->src, launch->outer, &launch->nouter,
                                  &tiles))
            return false;
    }
    launch->tiles = (uint32_t)tiles;
    launch->per = (uint32_t)svi_smaller(tiles / BLOCKS < 1 ? 1 : tiles / BLOCKS, MOST_TILES);
    return true;
}

/* What the addresses of all runs are multiples of, but for those of tiles at the end of an axis. */
static int64_t find_unit(const struct svi_permute_tile *tile, uintptr_t dst, int64_t offset)
{
    uint64_t bits = dst + (uint64_t)offset;
    int64_t unit;

    for (int32_t i = 0; i < tile->naxes; i++) {
        const struct svi_permute_side *axis = &tile->axes[i];

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

/* Units are wide enough, or there are too few bytes between both ends of a run; else what is stored there at once. */
static int64_t find_middle(const struct svi_permute_tile *tile, int64_t unit)
{
    if (unit < WIDE_UNIT && tile->run >= SHORTEST_LONG)
        return VECTOR;
    return unit < MIDDLE_UNIT && tile->run >= SHORTEST_MIDDLE ? MIDDLE_UNIT : 0;
}

static void set_runs(const struct svi_permute_tile *tile, int64_t unit, struct svi_launch_permute *launch)
{
    const int64_t bytes_of_word = tile->word < 4 ? 4 : tile->word;

    launch->span = (uint32_t)tile->span;
    launch->vectors = (uint32_t)tile->vectors;
    launch->words = (uint32_t)(tile->runs * tile->slot / bytes_of_word);
    launch->runs = (uint32_t)tile->runs;
    launch->run_bytes = (uint32_t)tile->run;
    launch->slot_bytes = (uint32_t)tile->slot;
    launch->unit = (uint32_t)unit;
    launch->chunks = make_permute_axis(svi_divide_up(tile->span, VECTOR), 0);
    launch->slot = make_permute_axis(tile->slot / bytes_of_word, 0);
    launch->pieces = make_permute_axis(tile->run / unit, 0);
    launch->items = make_permute_axis(tile->run / tile->word, 0);
    launch->single = make_permute_axis(1, 0);
    launch->middle = (uint32_t)find_middle(tile, unit);
    launch->middles = make_permute_axis(
        launch->middle == 0 ? 1 : svi_divide_up(tile->run + launch->middle - tile->word, launch->middle), 0);
}

/* --- the estimate ---------------------------------------------------------------------------------------- */

static double cost_of_sectors(const struct svi_permute_tile *tile, uintptr_t dst, uintptr_t src)
{
    int64_t extents[SVI_PERMUTE_NDIM], to[SVI_PERMUTE_NDIM], from[SVI_PERMUTE_NDIM];
    uint64_t to_bits = dst, from_bits = src;

    for (int32_t k = 0; k < tile->naxes; k++) {
        const struct svi_permute_side *axis = &tile->axes[k];

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
static double cost_of_threads(const struct svi_permute_tile *tile, const struct svi_launch_permute *launch,
                              bool is_aligned)
{
    const double by_word[] = {.35, .25, .12, .08};
    const double piece = launch->middle == 16 ? .2 : launch->middle == 4 ? .6 : 1.6 / launch->unit;

    return (double)tile->vectors * VECTOR * (is_aligned ? .15 : .25) +
           (double)(tile->runs * tile->slot) * by_word[__builtin_ctzll((uint64_t)tile->word)] +
           (double)tile->payload * piece;
}

/* The places of a block's items, which are found once. */
static double cost_of_places(const struct svi_permute_tile *tile, const struct svi_launch_permute *launch)
{
    const int64_t items_of_word = tile->word < 4 ? 4 / tile->word : 1;
    const double each = 10 + (double)items_of_word * (double)(6 + 6 * (launch->naxes - 1));

    return svi_cost_instructions((double)svi_divide_up(launch->words, SVI_LAUNCH_THREADS) * each + 60);
}

static struct svi_cost cost_of_permute(const struct svi_permute_tile *tile, const struct svi_launch_permute *launch,
                                       uintptr_t dst, uintptr_t src)
{
    const bool is_aligned = ((src | (uintptr_t)launch->src_offset) & (VECTOR - 1)) == 0;
    const double blocks = svi_divide_up(launch->tiles, launch->per), tiles = launch->tiles;

    return svi_cost_make(tiles * cost_of_sectors(tile, dst, src),
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
    struct svi_permute_tile tile;
    int64_t shared;

    if (plan->kind == SVI_CLASS_CONTIGUOUS || plan->nbytes < LEAST ||
        !svi_permute_tile_make(plan, find_word(plan, dst, src), &tile))
        return false;
    *launch = (struct svi_launch_permute){.dst_offset = sides.dst_offset,
                                          .src_offset = sides.src_offset,
                                          .src_lower = sides.src_lower,
                                          .src_upper = sides.src_upper};
    if (!set_permute_axes(&tile, launch) || !set_permute_outer(&tile, launch))
        return false;
    set_runs(&tile, find_unit(&tile, dst, plan->dst_offset), launch);
    out->cost = cost_of_permute(&tile, launch, dst + (uintptr_t)plan->dst_offset, src + (uintptr_t)plan->src_offset);
    shared = svi_divide_up(tile.vectors, 8) * 8 * VECTOR + tile.runs * tile.slot;
    return svi_launch_end(find_kernel(tile.word), svi_divide_up(launch->tiles, launch->per), 1, shared, out);
}
