/* Transposes with an axis of a few items that are neighbours on one side: pixels to planes, and back. */
#include "base/checked.h"
#include "gpu/launch_cost.h"
#include "gpu/launch_families.h"
#include "gpu/launch_channels.h"

enum {
    MOST_CHANNELS = 32,
    LEAST = 4096,        /* bytes of a plan */
    LEAST_BLOCK = 2048,  /* bytes */
    SHORTEST_PIECE = 64, /* bytes of a block's pixels of one channel */
    SHORTEST_RUN = 64,   /* bytes of a pixel; longer ones are for tiles, where both sides are aligned */
    VECTOR = 16,         /* bytes */
    MOST_VECTORS = SVI_LAUNCH_BYTES / VECTOR, /* of a block, on each side: four of a thread */
    LEAST_VECTORS = SVI_LAUNCH_THREADS,       /* that it has room for, where a copy is too small for more blocks */
};

/* What the kernel is to copy. The pixels are in planes in the destination (apart) or in the source. */
struct channels {
    bool apart, is_aligned[2]; /* the segments, the pieces */
    int64_t item;              /* bytes */
    int32_t channel, pixel;    /* axes */
    int64_t count, pitch;      /* channels, and items from pixel to pixel where these are neighbours */
    int64_t pixels;
    int64_t most;              /* vectors of a block */
};

/* Whether the fastest axis of one side is that of channels. A source may have more of them, or go backwards. */
static bool find_axes(const struct svi_plan *plan, struct channels *c)
{
    const int32_t a = plan->ndim - 1, b = plan->src_axis;
    const int64_t item = plan->item;

    if (plan->kind != SVI_CLASS_TRANSPOSE || item > 8 || (item & (item - 1)) != 0 || plan->dst[a] != item ||
        (int64_t)svi_abs(plan->src[b]) != item)
        return false;
    c->item = item;
    c->apart = plan->shape[b] <= MOST_CHANNELS && plan->src[a] >= plan->shape[b] * item &&
               plan->src[a] <= MOST_CHANNELS * item && plan->src[a] % item == 0;
    c->channel = c->apart ? b : a;
    c->pixel = c->apart ? a : b;
    c->count = plan->shape[c->channel];
    c->pitch = c->apart ? plan->src[a] / item : c->count;
    c->pixels = plan->shape[c->pixel];
    return c->apart || (c->count <= MOST_CHANNELS && plan->src[b] > 0 && plan->dst[b] == c->count * item);
}

/* The channels of a source that goes backwards are walked from the other end. */
static void set_channels(const struct svi_plan *plan, const struct channels *c, struct svi_launch_channels *launch)
{
    int64_t dst = plan->dst[c->channel], src = plan->src[c->channel];

    if (c->apart && src < 0) {
        launch->at.dst_offset += (c->count - 1) * dst;
        launch->at.src_offset += (c->count - 1) * src;
        dst = -dst;
        src = -src;
    }
    launch->channels = svi_axis_make(c->count, dst, src);
}

/* Whether items are words at their addresses, and not better copied by tiles. */
static bool find_vector_alignment(const struct svi_plan *plan, uintptr_t dst, uintptr_t src,
                                  const struct svi_launch_channels *launch, struct channels *c)
{
    const int32_t skipped = c->apart ? SVI_NO_AXIS : c->channel;
    const int64_t to = svi_launch_alignment(plan, dst, launch->at.dst_offset, plan->dst, c->pixel, skipped);
    const int64_t from = svi_launch_alignment(plan, src, launch->at.src_offset, plan->src, c->pixel,
                                              c->apart ? c->channel : SVI_NO_AXIS);

    c->is_aligned[0] = (c->apart ? from : to) == VECTOR;
    c->is_aligned[1] = (c->apart ? to : from) == VECTOR;
    return to >= c->item && from >= c->item &&
           !(c->is_aligned[0] && c->is_aligned[1] && c->count * c->item >= SHORTEST_RUN);
}

/* Vectors that so many bytes touch, at most. */
static int64_t vectors_of(const struct channels *c, bool is_piece, int64_t nbytes)
{
    return svi_divide_up(nbytes + (c->is_aligned[is_piece] ? 0 : VECTOR - c->item), VECTOR);
}

static int64_t segment_of(const struct channels *c, int64_t pixels)
{
    return vectors_of(c, false, ((pixels - 1) * c->pitch + c->count) * c->item);
}

static int64_t count_piece_vectors(const struct channels *c, int64_t pixels)
{
    return vectors_of(c, true, pixels * c->item);
}

/* Vectors of the side that has more. */
static int64_t most_of(const struct channels *c, int64_t pixels)
{
    const int64_t segment = segment_of(c, pixels), all = c->count * count_piece_vectors(c, pixels);

    return segment > all ? segment : all;
}

/* Pixels of a row that a block has: those of the whole row, or as many as make pieces of whole sectors. */
static int64_t choose_pixels(const struct channels *c)
{
    const int64_t unit = SHORTEST_PIECE / c->item;
    int64_t most = c->most * VECTOR / (c->pitch * c->item) / unit * unit, each;

    if (most_of(c, svi_smaller(c->pixels, SVI_LAUNCH_BYTES)) <= c->most)
        return c->pixels;
    most = most < unit ? unit : most;
    while (most > unit && most_of(c, most) > c->most)
        most -= unit;
    each = svi_divide_up(svi_divide_up(c->pixels, svi_divide_up(c->pixels, most)), unit) * unit;
    return svi_smaller(c->pixels, each);
}

/* As many blocks as a device has multiprocessors, before they grow. */
static int64_t find_most_vectors(const struct svi_plan *plan)
{
    const int64_t share = plan->nbytes / SVI_MULTIPROCESSORS / VECTOR;

    return share < LEAST_VECTORS ? LEAST_VECTORS : svi_smaller(share, MOST_VECTORS);
}

static int32_t find_channel_kernel(const struct channels *c)
{
    static const int32_t kernels[2][4] = {
        {SVI_KERNEL_together_1, SVI_KERNEL_together_2, SVI_KERNEL_together_4, SVI_KERNEL_together_8},
        {SVI_KERNEL_apart_1, SVI_KERNEL_apart_2, SVI_KERNEL_apart_4, SVI_KERNEL_apart_8},
    };

    return kernels[c->apart][__builtin_ctzll((uint64_t)c->item)];
}

/* The fastest of the outer axes are the rows, of which a block has several. */
static void take_rows(struct svi_launch_channels *launch)
{
    struct svi_launch_sides *at = &launch->at;

    launch->row_count = at->naxes > 0 ? at->axes[0].extent : 1;
    launch->dst_pitch = at->naxes > 0 ? at->axes[0].dst : 0;
    launch->src_pitch = at->naxes > 0 ? at->axes[0].src : 0;
    for (uint32_t k = 1; k < at->naxes; k++)
        at->axes[k - 1] = at->axes[k];
    at->naxes -= at->naxes > 0;
}

/* Threads go over a block's vectors in whole steps; ends of runs that are not aligned go item by item. */
static struct svi_cost cost_of_channels(const struct channels *c, const struct svi_launch_channels *launch,
                                        double blocks)
{
    const int64_t in = launch->rows * launch->segment.extent;
    const int64_t out = launch->rows * c->count * launch->piece.extent;
    const int64_t steps = svi_divide_up(in, SVI_LAUNCH_THREADS) + svi_divide_up(out, SVI_LAUNCH_THREADS);
    const double of_block = (double)(launch->rows * launch->pixels * (c->pitch + c->count) * c->item) / 2;

    return svi_cost_make(blocks * of_block * (launch->has_ends ? 1.05 : 1),
                         blocks * (double)steps * SVI_LAUNCH_THREADS * VECTOR / 2 * (launch->has_ends ? .8 : .5),
                         blocks);
}

/* Bytes of shared memory for so many vectors, with the gaps among them. */
static int64_t shared_of(const struct channels *c, int64_t vectors)
{
    return vectors * VECTOR + vectors / c->pitch * (c->item == 8 ? 8 : 4);
}

bool svi_family_channels(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    struct svi_launch_channels *launch = &out->block.channels;
    struct channels c;
    int64_t outer, pixels, along, rows, blocks;

    if (plan->nbytes < LEAST || !find_axes(plan, &c))
        return false;
    *launch = (struct svi_launch_channels){.at = svi_launch_begin(plan)};
    set_channels(plan, &c, launch);
    outer = svi_launch_outer(plan, c.channel, c.pixel, &launch->at);
    if (outer == 0 || !find_vector_alignment(plan, dst, src, launch, &c))
        return false;
    take_rows(launch);
    c.most = find_most_vectors(plan);
    pixels = choose_pixels(&c);
    rows = svi_smaller(launch->row_count, c.most / most_of(&c, pixels));
    rows = rows < 1 ? 1 : svi_divide_up(launch->row_count, svi_divide_up(launch->row_count, rows));
    along = svi_divide_up(c.pixels, pixels);
    if (pixels * c.item < SHORTEST_PIECE || rows * pixels * c.count * c.item < LEAST_BLOCK || along > SVI_MOST_BLOCKS)
        return false;
    launch->row_pixels = c.pixels;
    launch->along = svi_axis_make(along, 0, 0);
    launch->across = svi_axis_make(svi_divide_up(launch->row_count, rows), 0, 0);
    launch->segment = svi_axis_make(segment_of(&c, pixels), 0, 0);
    launch->piece = svi_axis_make(count_piece_vectors(&c, pixels), 0, 0);
    launch->pixel = svi_axis_make(c.pitch, 0, 0);
    launch->pixels = (uint32_t)pixels;
    launch->rows = (uint32_t)rows;
    launch->has_ends = !c.is_aligned[c.apart] || (c.apart ? c.pixels : c.pixels * c.count) * c.item % VECTOR != 0;
    blocks = outer / launch->row_count * launch->across.extent;
    out->cost = cost_of_channels(&c, launch, (double)blocks * (double)along);
    return svi_launch_end(find_channel_kernel(&c), along, blocks, shared_of(&c, rows * launch->segment.extent), out);
}
