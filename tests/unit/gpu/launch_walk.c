#include "unit/gpu/launch_walk.h"

#include <stdlib.h>
#include <string.h>

#include "overlap/canonical.h"

/* The bytes that a launch copies as a pair of layouts of bytes, and what its kernel takes for granted. */
struct walk {
    struct svi_pair pair;
    const struct svi_launch_sides *bounds; /* where the source may be read; NULL: the kernel reads nothing but items */
    uint64_t dst_bits, src_bits;     /* of the strides that are multiples of an alignment, as the first item is */
    int64_t dst_alignment, src_alignment;
    int64_t blocks, shared;
    bool ok; /* blocks cover the axes, and there is none too many */
};

static void add(struct walk *w, int64_t extent, int64_t dst, int64_t src)
{
    struct svi_pair *pair = &w->pair;

    pair->shape[pair->ndim] = extent;
    pair->dst[pair->ndim] = dst;
    pair->src[pair->ndim++] = src;
}

static void keep_bits(struct walk *w, int64_t dst, int64_t src)
{
    w->dst_bits |= (uint64_t)dst;
    w->src_bits |= (uint64_t)src;
}

static int64_t pieces(int64_t count, int64_t of)
{
    return (count - 1) / of + 1;
}

/* Where n / divisor changes, and its neighbours; n below 2^31. */
static bool divides(const struct svi_axis *axis, uint32_t n)
{
    const uint64_t wide = (uint64_t)n << 31 | n;

    return (((uint64_t)n * axis->magic >> 32) + n) >> axis->shift == n / axis->extent &&
           ((uint64_t)((unsigned __int128)wide * axis->wide >> 64) + wide) >> axis->shift == wide / axis->extent;
}

static bool is_axis(const struct svi_axis *axis)
{
    const uint32_t most = (uint32_t)SVI_MOST_BLOCKS, last = most / (axis->extent | !axis->extent) * axis->extent;

    return axis->extent >= 1 && axis->extent <= most && divides(axis, 0) && divides(axis, axis->extent - 1) &&
           divides(axis, axis->extent) && divides(axis, last - 1) && divides(axis, last) && divides(axis, most);
}

/* The outer axes. How many blocks they multiply others to. */
static int64_t add_axes(struct walk *w, const struct svi_axis *axes, int64_t naxes)
{
    int64_t product = 1;

    for (int64_t k = naxes - 1; k >= 0; k--) {
        w->ok = w->ok && is_axis(&axes[k]);
        add(w, axes[k].extent, axes[k].dst, axes[k].src);
        keep_bits(w, axes[k].dst, axes[k].src);
        product *= axes[k].extent;
    }
    return product;
}

/* Axes that only count blocks. */
static int64_t count_of(struct walk *w, const struct svi_axis *axis)
{
    w->ok = w->ok && is_axis(axis) && axis->dst == 0 && axis->src == 0;
    return axis->extent;
}

static void begin(struct walk *w, int64_t dst_offset, int64_t src_offset)
{
    w->pair.itemsize = 1;
    w->pair.dst_offset = dst_offset;
    w->pair.src_offset = src_offset;
    w->dst_alignment = w->src_alignment = 1;
    w->ok = true;
}

/* --- families ----------------------------------------------------------------------------------- */

/* S: the bytes of an item, in the kernel's name; 0 where there is none. */
typedef void family(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w);

static void add_row(struct walk *w, int64_t width, int64_t item, int64_t step)
{
    w->ok = w->ok && width % item == 0;
    add(w, width / item, item, step);
    add(w, item, 1, 1);
}

static void walk_line(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_line *p = &shape->block.line;
    const bool aligned = strcmp(name, "line_16") == 0;
    int64_t blocks;

    (void)S;
    begin(w, p->at.dst_offset, p->at.src_offset);
    w->bounds = &p->at;
    blocks = count_of(w, &p->blocks);
    w->blocks = blocks * add_axes(w, p->at.axes, p->at.naxes);
    add_row(w, p->width, 1, 1);
    if (aligned)
        w->dst_alignment = w->src_alignment = 16;
    w->ok = w->ok && blocks == pieces(p->width, SVI_LAUNCH_BYTES) && (!aligned || p->width % 16 == 0);
}

/* Of a row of 16 bytes for each thread of a block, or more, each block has 16 KiB; of shorter rows four for each group
 * of threads, which has a vector for each of its threads. */
static void walk_row(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_row *p = &shape->block.row;
    const bool is_long = p->per_block == 1;
    int64_t blocks, lanes;

    begin(w, p->at.dst_offset, p->at.src_offset);
    w->bounds = &p->at;
    blocks = count_of(w, &p->blocks);
    lanes = count_of(w, &p->lanes);
    w->ok = add_axes(w, p->at.axes, p->at.naxes) == p->count && w->ok && SVI_LAUNCH_THREADS % lanes == 0 &&
            (is_long || p->per_block == SVI_LAUNCH_THREADS / lanes * 4) &&
            (is_long ? blocks == pieces(p->width, SVI_LAUNCH_BYTES) : blocks == 1 && lanes >= p->width / 16);
    w->blocks = is_long ? blocks * p->count : pieces(p->count, p->per_block);
    add_row(w, p->width, S, strncmp(name, "repeat", 6) == 0 ? 0 : -S);
    w->dst_alignment = w->src_alignment = S;
}

static void walk_rows(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_rows *p = &shape->block.rows;
    const int64_t lanes = p->lanes;

    (void)name, (void)S;
    begin(w, p->at.dst_offset, p->at.src_offset);
    w->bounds = &p->at;
    w->blocks = count_of(w, &p->blocks) * add_axes(w, p->at.axes, p->at.naxes);
    w->ok = w->ok && lanes >= 1 && lanes <= SVI_LAUNCH_THREADS && (lanes & (lanes - 1)) == 0 &&
            lanes * 16 >= p->width + 15 && p->blocks.extent == pieces(p->count, SVI_LAUNCH_THREADS / lanes * 4);
    add(w, p->count, p->dst_pitch, p->src_pitch);
    add(w, p->width, 1, 1);
}

static void walk_tile(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_tile *p = &shape->block.tile;
    const char *alignment = strrchr(name, '_') + 1; /* of the source, of the destination */
    const int64_t along_a = S <= 2 ? 128 : S == 4 ? 64 : 32, along_b = SVI_LAUNCH_BYTES / S / along_a;
    const int64_t tiles_b = pieces(p->b_extent, along_b);
    int64_t bands, groups;

    begin(w, p->at.dst_offset, p->at.src_offset);
    w->bounds = &p->at;
    bands = count_of(w, &p->band);
    groups = count_of(w, &p->bands);
    w->blocks = count_of(w, &p->tiles_a) * bands * groups * add_axes(w, p->at.axes, p->at.naxes);
    w->shared = SVI_LAUNCH_BYTES;
    w->ok = w->ok && p->tiles_a.extent == pieces(p->a_extent, along_a) && groups == pieces(tiles_b, bands);
    w->src_alignment = alignment[0] == '1' ? 16 : S;
    w->dst_alignment = alignment[1] == '1' ? 16 : S;
    keep_bits(w, p->b_dst, p->a_src);
    add(w, p->b_extent, p->b_dst, S);
    add(w, p->a_extent, S, p->a_src);
    add(w, S, 1, 1);
}

/* Vectors of so many bytes that may begin anywhere; with fewer vectors the side has to be aligned. */
static bool has_vectors(const struct svi_axis *vectors, int64_t nbytes, int64_t S, int64_t *alignment)
{
    if ((int64_t)vectors->extent * 16 < nbytes + 16 - S)
        *alignment = 16;
    return is_axis(vectors) && (int64_t)vectors->extent * 16 >= nbytes;
}

static void walk_channels(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_channels *p = &shape->block.channels;
    const struct svi_launch_sides *at = &p->at;
    const bool apart = name[0] == 'a';
    const int64_t channels = p->channels.extent, pitch = p->pixel.extent * S;
    const int64_t vectors = (int64_t)p->rows * p->segment.extent;
    const int64_t run = apart ? p->row_pixels * S : p->row_pixels * pitch; /* of the destination */

    begin(w, at->dst_offset, at->src_offset);
    w->bounds = at;
    w->blocks = count_of(w, &p->along) * count_of(w, &p->across) * add_axes(w, at->axes, at->naxes);
    w->shared = vectors * 16 + vectors / p->pixel.extent * (S == 8 ? 8 : 4);
    w->dst_alignment = w->src_alignment = S;
    w->ok = w->ok && is_axis(&p->channels) && is_axis(&p->pixel) && channels * S <= pitch &&
            p->along.extent == pieces(p->row_pixels, p->pixels) && p->across.extent == pieces(p->row_count, p->rows) &&
            vectors <= 1024 && (int64_t)p->rows * channels * p->piece.extent <= 1024 &&
            (p->along.extent == 1 || p->pixels * S % 16 == 0) && (apart || pitch == channels * S) &&
            has_vectors(&p->segment, (p->pixels - 1) * pitch + channels * S, S,
                        apart ? &w->src_alignment : &w->dst_alignment) &&
            has_vectors(&p->piece, p->pixels * S, S, apart ? &w->dst_alignment : &w->src_alignment) &&
            (p->has_ends || run % 16 == 0);
    if (!p->has_ends)
        w->dst_alignment = 16;
    keep_bits(w, p->dst_pitch | (apart ? p->channels.dst : 0), p->src_pitch | (apart ? 0 : p->channels.src));
    add(w, p->row_count, p->dst_pitch, p->src_pitch);
    add(w, p->row_pixels, apart ? S : pitch, apart ? pitch : S);
    add(w, channels, p->channels.dst, p->channels.src);
    add(w, S, 1, 1);
}

static void walk_units(const struct svi_axis *axes, int64_t naxes, int64_t count, int64_t units, int64_t S,
                       struct walk *w)
{
    w->ok = add_axes(w, axes, naxes) == count && w->ok;
    w->blocks = pieces(count, units);
    w->dst_alignment = w->src_alignment = S;
    add(w, S, 1, 1);
}

static void walk_flat(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_flat *p = &shape->block.flat;

    (void)name;
    begin(w, p->at.dst_offset, p->at.src_offset);
    w->bounds = &p->at;
    walk_units(p->at.axes, p->at.naxes, p->count, S <= 2 ? 4096 / S : SVI_LAUNCH_UNITS, S, w);
}

static void walk_many(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_many *p = &shape->block.many;

    (void)name;
    begin(w, p->dst_offset, p->src_offset);
    walk_units(p->axes, p->naxes, p->count, SVI_LAUNCH_UNITS, S, w);
}

/* As is_axis(), for the quotients of 32 bits alone. */
static bool is_division(uint32_t extent, uint32_t magic, uint32_t shift)
{
    const struct svi_axis axis = svi_axis_make(extent, 0, 0);

    return extent >= 2 && axis.magic == magic && axis.shift == shift;
}

/* The axes of a tile by the one order: together its items, at most half apart, no two in one place of shared memory. */
static bool is_tile(const struct svi_launch_box *p, const struct svi_box_axis *axes)
{
    int64_t items = 1, reach = 0, shared = 0;
    uint32_t last = 0;

    for (uint32_t done = 0; done < p->naxes; done++) {
        const struct svi_box_axis *next = NULL;

        for (uint32_t k = 0; k < p->naxes; k++)
            if (axes[k].shared > last && (next == NULL || axes[k].shared < next->shared))
                next = &axes[k];
        if (next == NULL || next->shared <= shared || !is_division(next->extent, next->magic, next->shift))
            return false;
        last = next->shared;
        items *= next->extent;
        shared += (int64_t)next->shared * (next->extent - 1);
        reach += llabs((int64_t)next->stride) * (next->extent - 1);
    }
    return items == p->items && shared < p->half && p->half < 1 << 16 && reach <= SVI_MOST_BLOCKS;
}

/* The axis of the tile that is the same one in the other order. */
static const struct svi_box_axis *find_by_src(const struct svi_launch_box *p, const struct svi_box_axis *by_dst)
{
    for (uint32_t k = 0; k < p->naxes; k++)
        if (p->by_src[k].shared == by_dst->shared)
            return &p->by_src[k];
    return NULL;
}

static bool is_walked(const struct svi_launch_box *p, const struct svi_box_axis *by_dst)
{
    for (uint32_t k = 0; k < p->nouter; k++)
        if (p->outer[k].dst == by_dst->stride && p->outer[k].step == by_dst->extent)
            return true;
    return false;
}

/* Axes that are walked tile by tile have all their items in the outer axes; others are whole in a tile. */
static void add_tile_axes(const struct svi_launch_box *p, struct walk *w)
{
    for (uint32_t k = p->naxes; k-- > 0;) {
        const struct svi_box_axis *to = &p->by_dst[k], *from = find_by_src(p, to);

        w->ok = w->ok && from != NULL && from->extent == to->extent;
        if (!w->ok)
            return;
        keep_bits(w, to->stride, from->stride);
        if (from->stride < 0)
            w->pair.src_offset -= (int64_t)from->stride * (from->extent - 1);
        if (!is_walked(p, to))
            add(w, to->extent, to->stride, from->stride);
    }
}

static int64_t add_outer_axes(const struct svi_launch_box *p, struct walk *w)
{
    int64_t tiles = 1;

    for (uint32_t k = p->nouter; k-- > 0;) {
        const struct svi_box_outer *axis = &p->outer[k];
        const int64_t extent = axis->most + axis->step;

        w->ok = w->ok && is_division(axis->tiles, axis->magic, axis->shift) &&
                axis->tiles == pieces(extent, axis->step);
        tiles *= axis->tiles;
        keep_bits(w, axis->dst, axis->src);
        add(w, extent, axis->dst, axis->src);
    }
    return tiles;
}

static void walk_box(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_box *p = &shape->block.box;

    (void)name;
    begin(w, p->dst_offset, p->src_offset);
    w->ok = p->items <= SVI_BOX_ITEMS(S) && p->naxes <= SVI_BOX_AXES && is_tile(p, p->by_src) && is_tile(p, p->by_dst) &&
            p->tiles == add_outer_axes(p, w);
    add_tile_axes(p, w);
    w->ok = w->ok && w->pair.src_offset - p->src_offset == p->first;
    w->blocks = pieces(p->tiles, p->per);
    w->shared = 2 * p->half * S;
    w->dst_alignment = w->src_alignment = S;
    add(w, S, 1, 1);
}

/* --- permute ------------------------------------------------------------------------------------ */

static bool is_permute_axis(const struct svi_permute_axis *axis)
{
    const struct svi_axis want = svi_axis_make(axis->extent, 0, 0);

    return axis->extent >= 1 && axis->magic == want.magic && axis->shift == want.shift;
}

/* Where the axis of the destination that has these staged bytes lies, in the source: a segment's, or one around it. */
static int64_t find_src_stride(const struct svi_launch_permute *p, int64_t staged, int64_t extent)
{
    const int64_t segment = (int64_t)p->chunks.extent * 16;
    int64_t next = segment;

    for (uint32_t k = 0; k < p->nsegments; k++) {
        if (llabs(staged) == next && p->segments[k].extent == extent)
            return staged < 0 ? -(int64_t)p->segments[k].stride : p->segments[k].stride;
        next *= p->segments[k].extent;
    }
    return staged; /* within a segment the bytes lie as in the source */
}

/* The stride in the destination of axis number k: dense behind those before it while these are in the run. */
static int64_t find_dst_stride(const struct svi_launch_permute *p, uint32_t k, int64_t *dense, uint32_t *around)
{
    int64_t stride = *dense;

    if (stride * p->axes[k].extent <= p->run_bytes && *around == 0 && stride != p->run_bytes) {
        *dense *= p->axes[k].extent;
        return stride;
    }
    return *around < p->nruns ? p->run[(*around)++].stride : -1;
}

static const struct svi_box_outer *find_outer(const struct svi_launch_permute *p, int64_t dst, int64_t src,
                                              int64_t extent)
{
    for (uint32_t k = 0; k < p->nouter; k++)
        if (p->outer[k].dst == dst && p->outer[k].src == src && p->outer[k].step == extent)
            return &p->outer[k];
    return NULL;
}

static void add_permute_axes(const struct svi_launch_permute *p, int64_t S, struct walk *w)
{
    int64_t dense = S, items = 1;
    uint32_t around = 0;

    for (uint32_t k = 0; k < p->naxes && w->ok; k++) {
        const int64_t extent = p->axes[k].extent, dst = find_dst_stride(p, k, &dense, &around);
        const int64_t src = find_src_stride(p, p->axes[k].stride, extent);

        w->ok = dst > 0 && is_permute_axis(&p->axes[k]);
        items *= extent;
        keep_bits(w, 0, src);
        if (src < 0)
            w->pair.src_offset -= src * (extent - 1);
        if (find_outer(p, dst, src, extent) == NULL)
            add(w, extent, dst, src);
    }
    w->ok = w->ok && around == p->nruns && dense == p->run_bytes && items * S == (int64_t)p->runs * p->run_bytes;
}

static int64_t add_permute_outer(const struct svi_launch_permute *p, int64_t S, struct walk *w)
{
    int64_t tiles = 1;

    for (uint32_t k = 0; k < p->nouter; k++) {
        const struct svi_box_outer *axis = &p->outer[k];
        const int64_t extent = axis->most + axis->step;

        w->ok = w->ok && is_division(axis->tiles, axis->magic, axis->shift) &&
                axis->tiles == pieces(extent, axis->step);
        tiles *= axis->tiles;
        w->ok = w->ok && axis->dst % S == 0;
        keep_bits(w, axis->dst * axis->step, axis->src); /* the last tile need not begin where units do */
        add(w, extent, axis->dst, axis->src);
    }
    return tiles;
}

static void walk_permute(const struct svi_launch_shape *shape, const char *name, int64_t S, struct walk *w)
{
    const struct svi_launch_permute *p = &shape->block.permute;
    const int64_t word = S < 4 ? 4 : S, vectors = (p->vectors + 7) / 8 * 8;

    (void)name;
    begin(w, p->dst_offset, p->src_offset);
    w->ok = is_permute_axis(&p->chunks) && is_permute_axis(&p->slot) && is_permute_axis(&p->pieces) &&
            is_permute_axis(&p->items) && is_permute_axis(&p->single) && p->single.extent == 1 &&
            p->chunks.extent == pieces(p->span, 16) && p->slot.extent * word == p->slot_bytes &&
            p->run_bytes <= p->slot_bytes && p->words * word == (int64_t)p->runs * p->slot_bytes &&
            p->words * word <= SVI_PERMUTE_BYTES && p->vectors * 16 <= SVI_PERMUTE_BYTES &&
            p->items.extent * S == p->run_bytes && p->unit >= S &&
            p->slot_bytes % p->unit == 0 && p->pieces.extent == p->run_bytes / p->unit && p->naxes >= 1 && p->naxes <= SVI_BOX_AXES &&
            p->tiles == add_permute_outer(p, S, w) &&
            (p->middle == 0 ||
             ((p->middle == 16 || (p->middle == 4 && S < 4)) && p->run_bytes >= 2 * p->middle &&
              p->slot_bytes % p->middle == 0 && p->middles.extent == pieces(p->run_bytes + p->middle - S, p->middle)));
    add_permute_axes(p, S, w);
    w->blocks = pieces(p->tiles, p->per);
    w->shared = vectors * 16 + (int64_t)p->words * word;
    for (uint32_t k = 0; k < p->nruns; k++)
        keep_bits(w, p->run[k].stride, 0);
    w->dst_alignment = p->unit;
    w->src_alignment = S;
    add(w, S, 1, 1);
}

static const struct {
    const char *prefix;
    family *walk;
} families[] = {
    {"line_", walk_line},   {"rows_", walk_rows},      {"repeat_", walk_row},
    {"reverse_", walk_row}, {"tile_", walk_tile},      {"flat_", walk_flat},
    {"many_", walk_many},   {"box_", walk_box},        {"apart_", walk_channels},
    {"together_", walk_channels}, {"permute_", walk_permute},
};

static bool find_walk(const struct svi_launch_shape *shape, struct walk *w)
{
    const char *name = svi_kernel_name(shape->kernel) + strlen("svi_");
    const int64_t S = atoi(name + strcspn(name, "0123456789"));

    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(name, families[i].prefix, strlen(families[i].prefix)) == 0) {
            families[i].walk(shape, name, S, w);
            return true;
        }
    return false;
}

/* --- comparison ----------------------------------------------------------------------------------- */

static struct svi_pair pair_of(const struct svi_plan *plan)
{
    struct svi_pair pair = {.itemsize = 1, .dst_offset = plan->dst_offset, .src_offset = plan->src_offset};

    for (int32_t k = 0; k < plan->ndim; k++) {
        pair.shape[k] = plan->shape[k];
        pair.dst[k] = plan->dst[k];
        pair.src[k] = plan->src[k];
    }
    pair.shape[plan->ndim] = plan->item;
    pair.dst[plan->ndim] = pair.src[plan->ndim] = 1;
    pair.ndim = plan->ndim + 1;
    svi_canonicalise(&pair);
    return pair;
}

static bool is_same(const struct svi_pair *a, const struct svi_pair *b)
{
    const size_t nbytes = (size_t)a->ndim * sizeof *a->shape;

    return a->ndim == b->ndim && a->dst_offset == b->dst_offset && a->src_offset == b->src_offset &&
           memcmp(a->shape, b->shape, nbytes) == 0 && memcmp(a->dst, b->dst, nbytes) == 0 &&
           memcmp(a->src, b->src, nbytes) == 0;
}

/* Whether the bytes that may be read are those from the first to the last one of the source. */
static bool has_bounds(const struct walk *w)
{
    int64_t lower = w->pair.src_offset, upper = lower + 1;

    if (w->bounds == NULL)
        return true;
    for (int32_t k = 0; k < w->pair.ndim; k++) {
        const int64_t reach = (w->pair.shape[k] - 1) * w->pair.src[k];

        *(reach < 0 ? &lower : &upper) += reach;
    }
    return w->bounds->src_lower == lower && w->bounds->src_upper == upper;
}

static bool is_aligned(uint64_t first, uint64_t bits, int64_t alignment)
{
    return ((first | bits) & (uint64_t)(alignment - 1)) == 0;
}

const char *launch_wrong(const struct svi_plan *plan, uintptr_t dst, uintptr_t src,
                         const struct svi_launch_shape *shape)
{
    const struct svi_pair whole = pair_of(plan);
    struct walk w;

    if (!find_walk(shape, &w))
        return "no family of tests/unit/gpu/launch_walk.c knows the kernel";
    if (!w.ok)
        return "an axis, a division or the blocks along an axis";
    if (w.blocks != shape->grid)
        return "the number of blocks";
    if (w.shared != shape->shared)
        return "the shared memory";
    if (!is_aligned(dst + (uint64_t)w.pair.dst_offset, w.dst_bits, w.dst_alignment))
        return "the alignment of the destination";
    if (!is_aligned(src + (uint64_t)w.pair.src_offset, w.src_bits, w.src_alignment))
        return "the alignment of the source";
    if (!has_bounds(&w))
        return "the bounds of the source";
    svi_canonicalise(&w.pair);
    return is_same(&w.pair, &whole) ? NULL : "the bytes that are copied";
}
