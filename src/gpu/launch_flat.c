/* Any plan, by words in the order of the destination. */
#include "gpu/launch_families.h"
#include "gpu/launch_flat.h"

static const int32_t few[] = {SVI_KERNEL_flat_1, SVI_KERNEL_flat_2, SVI_KERNEL_flat_4, SVI_KERNEL_flat_8,
                              SVI_KERNEL_flat_16};
static const int32_t many[] = {SVI_KERNEL_many_1, SVI_KERNEL_many_2, SVI_KERNEL_many_4, SVI_KERNEL_many_8,
                               SVI_KERNEL_many_16};

/* The axes of a plan as words see them, the fastest first: those of an item, or of a row, before all others. */
struct walk {
    int64_t word;
    int32_t last;   /* axis of the plan that is the next */
    int64_t words;  /* of an item or row; 1: they are no axis */
    int32_t naxes;
};

static struct walk walk_of(const struct svi_plan *plan, uintptr_t dst, uintptr_t src)
{
    struct walk walk = {.last = plan->ndim - 1};
    int64_t run = plan->item;
    uint64_t bits;

    while (walk.last >= 0 && plan->dst[walk.last] == run && plan->src[walk.last] == run)
        run *= plan->shape[walk.last--];
    bits = (uint64_t)run;
    for (int32_t axis = 0; axis <= walk.last; axis++)
        bits |= (uint64_t)plan->dst[axis] | (uint64_t)plan->src[axis];
    walk.word = svi_divides(bits, (dst + (uint64_t)plan->dst_offset) | (src + (uint64_t)plan->src_offset));
    walk.words = run / walk.word;
    walk.naxes = walk.last + 1 + (walk.words > 1 || walk.last < 0);
    return walk;
}

/* Whether all extents are ones that the kernels divide by. */
static bool make_axes(const struct svi_plan *plan, const struct walk *walk, struct svi_axis *axes)
{
    if (walk->words > SVI_MOST_BLOCKS)
        return false;
    if (walk->words > 1 || walk->last < 0)
        *axes++ = svi_axis_make(walk->words, walk->word, walk->word);
    for (int32_t axis = walk->last; axis >= 0; axis--) {
        if (plan->shape[axis] > SVI_MOST_BLOCKS)
            return false;
        *axes++ = svi_axis_make(plan->shape[axis], plan->dst[axis], plan->src[axis]);
    }
    return true;
}

static bool shape_few(const struct svi_plan *plan, const struct walk *walk, struct svi_launch_shape *out)
{
    struct svi_launch *launch = &out->block.launch;
    const int64_t units = walk->word <= 2 ? SVI_LAUNCH_THREADS * 16 / walk->word : SVI_LAUNCH_UNITS;

    *launch = svi_launch_begin(plan);
    launch->count = plan->nbytes / walk->word;
    launch->naxes = (uint32_t)walk->naxes;
    return make_axes(plan, walk, launch->axes) &&
           svi_launch_end(few[__builtin_ctzll((uint64_t)walk->word)], (launch->count - 1) / units + 1, 1, 0, out);
}

static bool shape_many(const struct svi_plan *plan, const struct walk *walk, struct svi_launch_shape *out)
{
    struct svi_launch_many *launch = &out->block.many;

    launch->dst_offset = plan->dst_offset;
    launch->src_offset = plan->src_offset;
    launch->count = plan->nbytes / walk->word;
    launch->naxes = walk->naxes;
    return make_axes(plan, walk, launch->axes) && svi_launch_end(many[__builtin_ctzll((uint64_t)walk->word)],
                                                                 (launch->count - 1) / SVI_LAUNCH_UNITS + 1, 1, 0, out);
}

bool svi_family_flat(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    const struct walk walk = walk_of(plan, dst, src);

    return walk.naxes <= SVI_LAUNCH_AXES ? shape_few(plan, &walk, out) : shape_many(plan, &walk, out);
}
