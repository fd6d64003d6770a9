/*
 * Copies of several sources whose places interleave in one destination: columns into the rows of a matrix, planes into
 * pixels. One by one, each would touch every cache line of the destination. Here they are done in blocks that stay in
 * cache, in two passes: each source is copied, and converted, to planes of a buffer, one for each of its places along
 * the stacked axis, and then all planes are copied to the destination as one transpose, which the host's loops do well.
 *
 * Sources are taken in groups whose places make runs of a few lines in the destination, so that the block is long
 * along the other axes. The block takes the fastest axes of the destination, and, where the sources have another
 * fastest axis, a part of each.
 */
#include "copy/stacked.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "host/front/host.h"
#include "overlap/overlap.h"

/* Measured: doc/internals/copy_experiments.md#stacks. */
enum {
    LINE = 64,
    LEAST_BYTES = 1 << 15, /* of dst: a smaller one stays in the first cache */
    MIN_SOURCES_PER_LINE = 4, /* that write to one cache line of dst, on average; fewer are copied one by one */
    BUFFER_BYTES = 1 << 18, /* of all planes: half of a small second-level cache, at most */
    GROUP_BYTES = 1024, /* of a run of dst that the places of a group make */
    SIDE_ELEMENTS = 64, /* of the destination's fastest axis, where it is not that of the sources */
    PLANE_PAD = 2 * LINE /* bytes between planes, which would else share the sets of a cache */
};

/* One pass over a block: a plan, and what does it. */
struct pass {
    struct svi_plan plan;
    struct svi_choice choice;
};

struct blocks {
    const struct svi_stack *stack;
    const int64_t *shape; /* of dst */
    int32_t ndim;         /* of the other axes */
    int32_t axes[SV_MAX_NDIM];  /* of dst, the fastest first */
    int64_t most[SV_MAX_NDIM];  /* elements of each in a block */
    int64_t first[SV_MAX_NDIM]; /* index at which the block begins, */
    int64_t count[SV_MAX_NDIM]; /* and its elements */
    int64_t plane; /* bytes of one */
    int64_t begin, end; /* the group: its sources, */
    int64_t place, places; /* and where along the axis it is */
    const sv_view *packed; /* the source that pack is for; NULL: none */
    bool is_unpack_made;
    struct pass pack, unpack;
    _Alignas(LINE) char buffer[];
};

static const int64_t *dst_strides(const struct svi_stack *stack)
{
    return svi_layout_byte_strides(stack->dst->layout);
}

/* The axis of a source that an axis of dst is; all but the stacked one. */
static int32_t source_axis(const struct svi_stack *stack, const sv_view *src, int32_t axis)
{
    return src->layout->ndim == stack->dst->layout->ndim || axis < stack->axis ? axis : axis - 1;
}

static int64_t source_stride(const struct svi_stack *stack, const sv_view *src, int32_t axis)
{
    return svi_layout_byte_strides(src->layout)[source_axis(stack, src, axis)];
}

/* --- whether ----------------------------------------------------------------- */

static bool may_share(const sv_view *a, const sv_view *b)
{
    return svi_overlap_two((uintptr_t)a->base, a->layout, (uintptr_t)b->base, b->layout, SVI_OVERLAP_WORK) != SV_NO;
}

static bool are_apart_on_host(const struct svi_stack *stack)
{
    if (!svi_is_cpu(stack->dst->device) || svi_overlap_self(stack->dst->layout, SVI_OVERLAP_WORK) != SV_NO)
        return false;
    for (int64_t i = 0; i < stack->count; i++)
        if (!svi_is_cpu(stack->src[i]->device) || may_share(stack->dst, stack->src[i]))
            return false;
    return true;
}

/* Whether another axis of dst is slower than the stacked one, so that each source comes back to the same lines. */
static bool is_slowest(const struct svi_stack *stack)
{
    const sv_layout *dst = stack->dst->layout;
    const uint64_t step = svi_abs(dst_strides(stack)[stack->axis]);

    for (int32_t k = 0; k < dst->ndim; k++)
        if (k != stack->axis && svi_layout_shape(dst)[k] > 1 && svi_abs(dst_strides(stack)[k]) > step)
            return false;
    return true;
}

/* Whether a line has runs of several sources, and no run is longer than half a group. */
static bool are_runs_short(const struct svi_stack *stack)
{
    const int64_t step = (int64_t)svi_abs(dst_strides(stack)[stack->axis]);
    int64_t all = 0;

    if (step >= LINE)
        return false;
    for (int64_t i = 0; i < stack->count; i++) {
        const int64_t places = svi_stack_places(stack, i);

        if (places > GROUP_BYTES / 2 / step)
            return false;
        all += places;
    }
    return all * step <= LINE / MIN_SOURCES_PER_LINE * stack->count;
}

bool svi_stack_is_interleaved(const struct svi_stack *stack)
{
    const sv_layout *dst = stack->dst->layout;

    if (stack->count < MIN_SOURCES_PER_LINE || dst->extent.size < LEAST_BYTES / dst->itemsize || is_slowest(stack))
        return false;
    return are_runs_short(stack) && are_apart_on_host(stack);
}

/* --- blocks ------------------------------------------------------------------ */

/* Sorts the other axes, and gives the fastest axis of the first source in that order; 0 where it has none. */
static int32_t sort_other_axes(struct blocks *b)
{
    const struct svi_stack *stack = b->stack;
    const int64_t *strides = dst_strides(stack);
    int32_t fastest = 0;

    b->ndim = 0;
    for (int32_t axis = stack->dst->layout->ndim - 1; axis >= 0; axis--) {
        int32_t place = b->ndim;

        if (axis == stack->axis || b->shape[axis] == 1)
            continue;
        for (; place > 0 && svi_abs(strides[b->axes[place - 1]]) > svi_abs(strides[axis]); place--)
            b->axes[place] = b->axes[place - 1];
        b->axes[place] = axis;
        b->ndim++;
    }
    for (int32_t k = 1; k < b->ndim; k++)
        if (svi_abs(source_stride(stack, stack->src[0], b->axes[k])) - 1 <
            svi_abs(source_stride(stack, stack->src[0], b->axes[fastest])) - 1)
            fastest = k;
    return fastest;
}

static void extend_planes(struct blocks *b, int32_t k, int64_t most, int64_t *left)
{
    if (b->most[k] != 0)
        return;
    b->most[k] = svi_smaller(b->shape[b->axes[k]], svi_larger(svi_smaller(*left, most), 1));
    *left /= b->most[k];
}

static void choose_block(struct blocks *b)
{
    int64_t left = svi_larger(BUFFER_BYTES / b->stack->dst->layout->itemsize / b->places, 1);
    const int32_t fastest = sort_other_axes(b);

    memset(b->most, 0, sizeof b->most);
    extend_planes(b, 0, fastest == 0 ? INT64_MAX : SIDE_ELEMENTS, &left);
    extend_planes(b, fastest, INT64_MAX, &left);
    for (int32_t k = 1; k < b->ndim; k++)
        extend_planes(b, k, INT64_MAX, &left);
}

/* Bytes of the buffer, whatever the group. */
static int64_t planes_nbytes(const struct svi_stack *stack)
{
    const int64_t most = GROUP_BYTES / stack->dst->layout->itemsize + 1;

    return BUFFER_BYTES + svi_smaller(most, svi_layout_shape(stack->dst->layout)[stack->axis]) *
                              (stack->dst->layout->itemsize + PLANE_PAD);
}

/* --- passes ------------------------------------------------------------------ */

static void choose_pass(struct pass *pass)
{
    svi_host.choose(&pass->plan, svi_cpu, svi_cpu, &pass->choice);
}

static sv_status run_pass(const struct pass *pass, char *dst, const char *src)
{
    const struct svi_request request = {&pass->plan, svi_cpu, dst, svi_cpu, src, 0, 0, NULL, NULL};

    return pass->choice.run != NULL ? pass->choice.run(&pass->plan, dst, src, pass->choice.with)
                                    : svi_host.copy(&request);
}

/* Extents and strides of the block: the stacked axis first, then the others, the slowest first. */
struct box {
    int64_t shape[SV_MAX_NDIM], in_buffer[SV_MAX_NDIM], in_dst[SV_MAX_NDIM], in_src[SV_MAX_NDIM];
};

static void fill_box(const struct blocks *b, int64_t places, const sv_view *src, struct box *box)
{
    const struct svi_stack *stack = b->stack;
    int64_t nbytes = stack->dst->layout->itemsize;

    box->shape[0] = places;
    box->in_buffer[0] = b->plane;
    box->in_dst[0] = dst_strides(stack)[stack->axis];
    box->in_src[0] = 0;
    if (src != NULL && src->layout->ndim == stack->dst->layout->ndim)
        box->in_src[0] = svi_layout_byte_strides(src->layout)[stack->axis];
    for (int32_t k = 0; k < b->ndim; k++) {
        const int32_t place = b->ndim - k;

        box->shape[place] = b->count[k];
        box->in_buffer[place] = nbytes;
        box->in_dst[place] = dst_strides(stack)[b->axes[k]];
        box->in_src[place] = src == NULL ? 0 : source_stride(stack, src, b->axes[k]);
        nbytes *= b->count[k];
    }
}

static sv_status make_pack(struct blocks *b, const sv_view *src, int64_t places)
{
    const sv_view *dst = b->stack->dst;
    const bool swaps = (b->stack->flags & SV_COPY_SWAP) != 0;
    const bool unsafe = (b->stack->flags & SV_COPY_CAST_UNSAFE) != 0;
    struct svi_chain chain = {.count = 0};
    struct box box;

    fill_box(b, places, src, &box);
    if (swaps || src->dtype != dst->dtype || src->layout->itemsize != dst->layout->itemsize)
        SVI_TRY(svi_chain_find(dst->dtype, src->dtype, unsafe, swaps, &chain));
    if (chain.count == 0)
        svi_plan_make(b->ndim + 1, box.shape, box.in_buffer, box.in_src, dst->layout->itemsize, &b->pack.plan);
    else
        svi_plan_make_cast(b->ndim + 1, box.shape, box.in_buffer, box.in_src, &chain,
                           (int32_t)svi_dtype_lanes(dst->dtype), &b->pack.plan);
    choose_pass(&b->pack);
    b->packed = src;
    return SV_OK;
}

static void make_unpack(struct blocks *b)
{
    struct box box;

    fill_box(b, b->places, NULL, &box);
    svi_plan_make(b->ndim + 1, box.shape, box.in_dst, box.in_buffer, b->stack->dst->layout->itemsize, &b->unpack.plan);
    choose_pass(&b->unpack);
    b->is_unpack_made = true;
}

static bool is_packed_like(const struct blocks *b, const sv_view *src)
{
    return b->packed != NULL && b->packed->dtype == src->dtype && svi_layout_is_like(b->packed->layout, src->layout);
}

static char *address_in(const struct blocks *b, const sv_view *view, bool is_source)
{
    intptr_t at = view->layout->byte_offset;

    for (int32_t k = 0; k < b->ndim; k++)
        at += b->first[k] * (is_source ? source_stride(b->stack, view, b->axes[k]) : dst_strides(b->stack)[b->axes[k]]);
    if (!is_source)
        at += b->place * dst_strides(b->stack)[b->stack->axis];
    return view->base + at;
}

static sv_status run_block(struct blocks *b)
{
    const struct svi_stack *stack = b->stack;
    char *to = b->buffer;

    for (int64_t i = b->begin; i < b->end; i++) {
        const int64_t places = svi_stack_places(stack, i);

        if (places == 0)
            continue;
        if (!is_packed_like(b, stack->src[i]))
            SVI_TRY(make_pack(b, stack->src[i], places));
        SVI_TRY(run_pass(&b->pack, to, address_in(b, stack->src[i], true)));
        to += places * b->plane;
    }
    if (!b->is_unpack_made)
        make_unpack(b);
    return run_pass(&b->unpack, address_in(b, stack->dst, false), b->buffer);
}

/* --- all blocks -------------------------------------------------------------- */

/* Sets the extents of the block, and forgets the passes where they change. */
static void fit_planes(struct blocks *b)
{
    int64_t nbytes = b->stack->dst->layout->itemsize;

    for (int32_t k = 0; k < b->ndim; k++) {
        const int64_t count = svi_smaller(b->most[k], b->shape[b->axes[k]] - b->first[k]);

        if (count != b->count[k]) {
            b->packed = NULL;
            b->is_unpack_made = false;
        }
        b->count[k] = count;
        nbytes *= count;
    }
    b->plane = svi_round_up(nbytes, LINE) + (nbytes >= PLANE_PAD ? PLANE_PAD / 2 : 0);
}

/* Moves on to the next block. False: that was the last one. */
static bool next_block(struct blocks *b)
{
    for (int32_t k = 0; k < b->ndim; k++) {
        b->first[k] += b->most[k];
        if (b->first[k] < b->shape[b->axes[k]])
            return true;
        b->first[k] = 0;
    }
    return false;
}

static sv_status run_group(struct blocks *b)
{
    choose_block(b);
    memset(b->first, 0, sizeof b->first);
    memset(b->count, 0, sizeof b->count);
    do {
        fit_planes(b);
        SVI_TRY(run_block(b));
    } while (next_block(b));
    return SV_OK;
}

/* The sources from begin on whose places make a run of GROUP_BYTES; at least one that has places, if there is one. */
static void find_group(struct blocks *b)
{
    const int64_t most = svi_larger(GROUP_BYTES / b->stack->dst->layout->itemsize, 1);

    b->places = 0;
    for (b->end = b->begin; b->end < b->stack->count; b->end++) {
        const int64_t places = svi_stack_places(b->stack, b->end);

        if (b->places > 0 && b->places + places > most)
            return;
        b->places += places;
    }
}

sv_status svi_stack_run(const struct svi_stack *stack)
{
    struct blocks *b = svi_malloc(sizeof *b + (size_t)planes_nbytes(stack));
    sv_status status = SV_OK;

    if (b == NULL)
        return SV_ERROR_MEMORY;
    b->stack = stack;
    b->shape = svi_layout_shape(stack->dst->layout);
    b->place = 0;
    for (b->begin = 0; status == SV_OK && b->begin < stack->count; b->begin = b->end) {
        find_group(b);
        if (b->places > 0)
            status = run_group(b);
        b->place += b->places;
    }
    svi_free(b);
    return status;
}
