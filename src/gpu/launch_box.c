/* Transposes by tiles of several axes: runs shorter than tile.cu's, and items that are no power of two. */
#include "base/checked.h"
#include "gpu/launch_cost.h"
#include "gpu/launch_families.h"
#include "gpu/launch_box.h"

enum {
    LEAST = 4096,       /* bytes of a plan; with fewer, the places of items take longer than the items */
    SHORT_ROW = 64,     /* bytes; longer ones are rows whatever the order of the other axes */
    MOST_AXES = SVI_BOX_AXES + SVI_BOX_OUTER,
    RUN = 32,           /* items that a tile has of both sides' runs before it grows, but 128 bytes at most */
    MOST_SHARED = 49152, /* bytes of a block that need no attribute of the kernel */
    MOST_TILES = 16,    /* of a block */
    BLOCKS = 512,       /* that a device has room for, about: blocks have one tile before there are more */
};

struct axis {
    int64_t extent, dst, src;
    int64_t tile;   /* items of a tile */
    int64_t shared; /* from item to item in shared memory */
    int64_t words;  /* of shared memory that the faster axes of the destination touch */
};

struct box {
    int64_t word;        /* bytes */
    int64_t items, most; /* of a tile */
    int32_t naxes, ntile; /* ntile: with more than one item in a tile */
    struct axis axes[MOST_AXES];
    int32_t by_dst[MOST_AXES], by_src[MOST_AXES]; /* the fastest first */
};

/* --- which plans ----------------------------------------------------------------------------------- */

/* The axis that is the next in the source after the last one. */
static int32_t next_of_source(const struct svi_plan *plan)
{
    int32_t next = SVI_NO_AXIS;

    for (int32_t k = plan->ndim - 2; k >= 0; k--)
        if (plan->src[k] != 0 && (next == SVI_NO_AXIS || svi_abs(plan->src[k]) < svi_abs(plan->src[next])))
            next = k;
    return next;
}

/* Short rows are as items are, if not aligned so well that vectors copy them. */
static bool is_boxed(const struct svi_plan *plan, int64_t word)
{
    const int32_t row = plan->ndim - 1;

    if (plan->nbytes < LEAST || plan->ndim >= MOST_AXES)
        return false;
    if (plan->kind == SVI_CLASS_TRANSPOSE)
        return true;
    return plan->kind == SVI_CLASS_ROWS && word < 16 && plan->item * plan->shape[row] < SHORT_ROW &&
           next_of_source(plan) != row - 1;
}

static int64_t find_box_word(const struct svi_plan *plan, uintptr_t dst, uintptr_t src)
{
    const int64_t to = svi_launch_alignment(plan, dst, plan->dst_offset, plan->dst, SVI_NO_AXIS, SVI_NO_AXIS);
    const int64_t from = svi_launch_alignment(plan, src, plan->src_offset, plan->src, SVI_NO_AXIS, SVI_NO_AXIS);

    return svi_divides((uint64_t)plan->item, (uint64_t)(to | from));
}

/* --- axes ---------------------------------------------------------------------------------------------- */

static bool is_faster(const struct axis *a, const struct axis *b)
{
    return a->src != 0 && (b->src == 0 || svi_abs(a->src) < svi_abs(b->src));
}

/* The order of the source, where axes that stand still are the last. */
static void sort_by_src(struct box *box)
{
    for (int32_t i = 0; i < box->naxes; i++) {
        int32_t at = i;

        for (; at > 0 && is_faster(&box->axes[box->by_dst[i]], &box->axes[box->by_src[at - 1]]); at--)
            box->by_src[at] = box->by_src[at - 1];
        box->by_src[at] = box->by_dst[i];
    }
}

static bool set_axes(struct box *box, const struct svi_plan *plan, int64_t word, int64_t most)
{
    *box = (struct box){.word = word, .items = 1, .most = most};
    if (plan->kind != SVI_CLASS_CAST && plan->item > word)
        box->axes[box->naxes++] = (struct axis){.extent = plan->item / word, .dst = word, .src = word, .tile = 1};
    for (int32_t k = plan->ndim - 1; k >= 0; k--) {
        if (plan->shape[k] > SVI_MOST_BLOCKS)
            return false;
        box->axes[box->naxes++] =
            (struct axis){.extent = plan->shape[k], .dst = plan->dst[k], .src = plan->src[k], .tile = 1};
    }
    for (int32_t k = 0; k < box->naxes; k++)
        box->by_dst[k] = k;
    sort_by_src(box);
    return true;
}

/* --- the tile ------------------------------------------------------------------------------------------ */

/* A little less, if pieces of an axis then end where sectors do, or if they then share fewer items: as many tiles along
 * the axis as before, but of equal sizes. */
static int64_t fit_axis_tile(const struct axis *axis, int64_t stride, int64_t want)
{
    const int64_t sector = svi_items_of_sector(stride), whole = want / sector * sector;

    if (want >= axis->extent)
        return axis->extent;
    if (whole * 4 >= want * 3)
        want = whole;
    if ((svi_divide_up(axis->extent, want) * want - axis->extent) * 8 > axis->extent)
        want = svi_divide_up(axis->extent, svi_divide_up(axis->extent, want));
    return want;
}

static void widen_axis(struct box *box, struct axis *axis, int64_t stride, int64_t want)
{
    const int64_t others = box->items / axis->tile, room = box->most / others;

    want = fit_axis_tile(axis, stride, want < room ? want : room);
    if (want <= axis->tile || (axis->tile == 1 && box->ntile == SVI_BOX_AXES))
        return;
    box->ntile += axis->tile == 1;
    box->items = others * want;
    axis->tile = want;
}

/* So that the tile has runs of so many items on one side. */
static void grow_box(struct box *box, const int32_t *order, bool is_src, int64_t goal)
{
    int64_t run = 1;

    for (int32_t i = 0; i < box->naxes && run < goal; i++) {
        struct axis *axis = &box->axes[order[i]];

        widen_axis(box, axis, is_src ? axis->src : axis->dst, svi_divide_up(goal, run));
        run *= axis->tile;
        if (axis->tile < axis->extent)
            return;
    }
}

static void choose_tile(struct box *box)
{
    for (int64_t goal = RUN * 4 / (box->word < 4 ? 4 : box->word); goal <= box->most; goal += goal / 4) {
        grow_box(box, box->by_src, true, goal);
        grow_box(box, box->by_dst, false, goal);
    }
}

/* --- shared memory ------------------------------------------------------------------------------------- */

/*
 * Items lie in the order of the source, so that loads put them to banks one after the other. Stores of a warp are to
 * find them in different banks as well: the fastest axis of the destination has a distance that is an odd number of
 * words, one with twice as many faster items in other banks twice an odd number, and so on.
 */
static int64_t spread_over_banks(int64_t least, int64_t words, int64_t word)
{
    const int64_t unit = word < 4 ? 4 / word : 1, lanes = word == 8 ? 16 : 32;
    int64_t step = unit, distance;

    if (words >= lanes || least < 4)
        return least;
    while (step < unit * words)
        step *= 2;
    distance = (least + step - 1) / (2 * step) * 2 * step + step;
    return distance - least <= least / 2 ? distance : least;
}

static void count_words(struct box *box)
{
    const int64_t unit = box->word < 4 ? 4 / box->word : 1;
    int64_t words = 1;

    for (int32_t i = 0; i < box->naxes; i++) {
        struct axis *axis = &box->axes[box->by_dst[i]];

        axis->words = words;
        words *= axis->shared < unit ? svi_divide_up(axis->tile * axis->shared, unit) : axis->tile;
    }
}

/* The items that the tile takes. */
static int64_t lay_out_box(struct box *box, bool keeps_apart)
{
    int64_t next = 1;

    for (int32_t i = 0; i < box->naxes; i++) {
        struct axis *axis = &box->axes[box->by_src[i]];

        if (axis->tile == 1)
            continue;
        axis->shared = keeps_apart ? spread_over_banks(next, axis->words, box->word) : next;
        next += (axis->tile - 1) * axis->shared;
    }
    return next;
}

static int64_t lay_out_shared(struct box *box)
{
    const int64_t dense = lay_out_box(box, false);
    int64_t half;

    count_words(box);
    half = lay_out_box(box, true);
    return 2 * half * box->word <= MOST_SHARED ? half : (lay_out_box(box, false), dense);
}

/* --- the parameter block ------------------------------------------------------------------------------- */

static struct svi_box_axis tile_axis(const struct axis *axis, int64_t stride)
{
    const struct svi_axis division = svi_axis_make(axis->tile, 0, 0);

    return (struct svi_box_axis){division.extent, division.magic, division.shift, (int32_t)stride,
                                 (uint32_t)axis->shared};
}

/* Whether places within a tile are of 31 bits. */
static bool set_tile_axes(const struct box *box, struct svi_launch_box *launch)
{
    int64_t first = 0, dst = 0, src = 0;
    uint32_t from = 0;

    for (int32_t i = 0; i < box->naxes; i++) {
        const struct axis *to_axis = &box->axes[box->by_dst[i]], *from_axis = &box->axes[box->by_src[i]];

        if (to_axis->tile > 1) {
            if (to_axis->dst > SVI_MOST_BLOCKS || (int64_t)svi_abs(to_axis->src) > SVI_MOST_BLOCKS)
                return false;
            dst += (to_axis->tile - 1) * to_axis->dst;
            src += (to_axis->tile - 1) * (int64_t)svi_abs(to_axis->src);
            first += to_axis->src < 0 ? (1 - to_axis->tile) * to_axis->src : 0;
            launch->by_dst[launch->naxes++] = tile_axis(to_axis, to_axis->dst);
        }
        if (from_axis->tile > 1)
            launch->by_src[from++] = tile_axis(from_axis, from_axis->src);
    }
    launch->first = (uint32_t)first;
    launch->src_offset -= first;
    return dst <= SVI_MOST_BLOCKS && src <= SVI_MOST_BLOCKS;
}

static bool set_outer_axes(const struct box *box, struct svi_launch_box *launch)
{
    int64_t tiles = 1;

    for (int32_t i = 0; i < box->naxes; i++) {
        const struct axis *axis = &box->axes[box->by_dst[i]];

        if (!svi_launch_add_outer(axis->extent, axis->tile, axis->dst, axis->src, launch->outer, &launch->nouter,
                                  &tiles))
            return false;
    }
    launch->tiles = (uint32_t)tiles;
    return true;
}

static int32_t find_box_kernel(int64_t word)
{
    static const int32_t kernels[] = {SVI_KERNEL_box_1, SVI_KERNEL_box_2, SVI_KERNEL_box_4, SVI_KERNEL_box_8};

    return kernels[__builtin_ctzll((uint64_t)word)];
}

/* All of it but for the kernel. How many bytes of shared memory a block has; 0: the plan is none for boxes. */
static int64_t set_box(struct box *box, const struct svi_plan *plan, struct svi_launch_box *launch)
{
    int64_t half;

    choose_tile(box);
    half = lay_out_shared(box);
    *launch = (struct svi_launch_box){.dst_offset = plan->dst_offset,
                                      .src_offset = plan->src_offset,
                                      .items = (uint32_t)box->items,
                                      .half = (uint32_t)half};
    if (!set_tile_axes(box, launch) || !set_outer_axes(box, launch))
        return 0;
    launch->per = launch->tiles / BLOCKS < 1            ? 1
                  : launch->tiles / BLOCKS < MOST_TILES ? launch->tiles / BLOCKS
                                                        : MOST_TILES;
    return 2 * half * box->word;
}

/* Items one by one, on both sides of shared memory. */
static struct svi_cost cost_of_box(const struct box *box, const struct svi_launch_box *launch, uintptr_t dst,
                                   uintptr_t src)
{
    const double by_word[] = {5.5, 2.7, 1.4, .75}, blocks = svi_divide_up(launch->tiles, launch->per);
    int64_t extents[MOST_AXES], to[MOST_AXES], from[MOST_AXES];
    uint64_t to_bits = dst, from_bits = src;
    double sectors, threads, places;

    for (int32_t k = 0; k < box->naxes; k++) {
        const struct axis *axis = &box->axes[k];

        extents[k] = axis->tile;
        to[k] = axis->dst;
        from[k] = axis->src;
        to_bits |= (uint64_t)(axis->tile * axis->dst);
        from_bits |= (uint64_t)(axis->tile * axis->src);
    }
    sectors = (svi_cost_sectors(box->naxes, extents, to, box->word, svi_cost_alignment(to_bits)) +
               svi_cost_sectors(box->naxes, extents, from, box->word, svi_cost_alignment(from_bits))) /
              2;
    threads = (double)(box->items * box->word) * by_word[__builtin_ctzll((uint64_t)box->word)];
    places = svi_cost_instructions((double)svi_divide_up(box->items, SVI_LAUNCH_THREADS) * 13 * launch->naxes);
    return svi_cost_make(sectors * launch->tiles, threads * launch->tiles + places * blocks, blocks);
}

bool svi_family_box(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    const int64_t word = find_box_word(plan, dst, src), least = word < 8 ? word : 8;
    struct svi_launch_box *launch = &out->block.box;
    struct box box;
    int64_t shared;

    if (!is_boxed(plan, word) || !set_axes(&box, plan, least, SVI_BOX_ITEMS(least)))
        return false;
    shared = set_box(&box, plan, launch);
    if (shared == 0)
        return false;
    out->cost = cost_of_box(&box, launch, dst + (uintptr_t)plan->dst_offset, src + (uintptr_t)plan->src_offset);
    return svi_launch_end(find_box_kernel(box.word), svi_divide_up(launch->tiles, launch->per), 1, shared, out);
}

/* --- conversions --------------------------------------------------------------------------------------- */

static bool has_box_words(const struct svi_plan *plan, uintptr_t address, int64_t offset, const int64_t *strides,
                          int64_t item)
{
    return item <= 8 && svi_launch_alignment(plan, address, offset, strides, SVI_NO_AXIS, SVI_NO_AXIS) >= item;
}

/* Those whose source is read along another axis than the destination is written, or in short rows in another order. */
static bool is_turned(const struct svi_plan *plan)
{
    const int32_t row = plan->ndim - 1;

    if (plan->kind != SVI_CLASS_CAST || plan->nbytes < LEAST || plan->ndim < 2 || plan->ndim >= MOST_AXES ||
        plan->src_axis == SVI_NO_AXIS || plan->src[row] == 0)
        return false;
    return plan->src_axis != row || (plan->item * plan->shape[row] < SHORT_ROW && next_of_source(plan) != row - 1);
}

/* Where the axis that a scale changes along is among those of a tile, and among those that are walked. */
static void find_scaled_axes(const struct box *box, const struct svi_plan *plan, struct svi_launch_affine *out)
{
    const int32_t scaled = plan->ndim - 1 - plan->scaled.axis;
    int32_t tile = 0, outer = 0;

    out->axis = out->outer = -1;
    out->period = 0;
    if (plan->scaled.axis < 0)
        return;
    for (int32_t i = 0; i < box->naxes; i++) {
        const struct axis *axis = &box->axes[box->by_dst[i]];
        const bool is_tiled = axis->tile > 1, is_walked = axis->tile < axis->extent;

        if (box->by_dst[i] == scaled) {
            out->axis = is_tiled ? tile : -1;
            out->outer = is_walked ? outer : -1;
        }
        tile += is_tiled;
        outer += is_walked;
    }
}

bool svi_box_cast_set(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, const struct svi_chain *chain,
                      struct svi_launch_box_cast *out, struct svi_launch_affine *scaled, int64_t *shared)
{
    struct box box;

    if (!is_turned(plan) || !has_box_words(plan, dst, plan->dst_offset, plan->dst, plan->item) ||
        !has_box_words(plan, src, plan->src_offset, plan->src, plan->src_item) ||
        !set_axes(&box, plan, plan->src_item, SVI_BOX_CAST_ITEMS))
        return false;
    *shared = set_box(&box, plan, &out->box);
    out->chain = *chain;
    out->dst_word = (uint32_t)plan->item;
    out->src_word = (uint32_t)plan->src_item;
    if (scaled != NULL)
        find_scaled_axes(&box, plan, scaled);
    return *shared != 0;
}

bool svi_box_cast_end(int32_t kernel, const struct svi_launch_box_cast *launch, int64_t shared,
                      struct svi_launch_shape *out)
{
    return svi_launch_end(kernel, svi_divide_up(launch->box.tiles, launch->box.per), 1, shared, out);
}

bool svi_family_box_cast(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    struct svi_launch_box_cast *launch = &out->block.box_cast;
    int64_t shared;

    return svi_box_cast_set(plan, dst, src, &plan->chain, launch, NULL, &shared) &&
           svi_box_cast_end(SVI_KERNEL_box_cast, launch, shared, out);
}
