/* Any plan, by words in the order of the destination. */
#include "base/checked.h"
#include "gpu/launch_cost.h"
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
    struct svi_launch_flat *launch = &out->block.flat;
    const int64_t units = walk->word <= 2 ? SVI_LAUNCH_THREADS * 16 / walk->word : SVI_LAUNCH_UNITS;

    launch->at = svi_launch_begin(plan);
    launch->count = plan->nbytes / walk->word;
    launch->at.naxes = (uint32_t)walk->naxes;
    return make_axes(plan, walk, launch->at.axes) &&
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

enum { MANY_AXES = 4 /* times as much, one unit after the other */ };

/* A block's units are neighbours in the order of the destination. Those of one or two bytes go one by one, unless they
 * are dense on both sides. */
static struct svi_cost cost_of_flat(const struct svi_plan *plan, const struct walk *walk, uintptr_t dst, uintptr_t src,
                                    double blocks)
{
    const double by_word[] = {6, 3, 1.5, .75, .4};
    const double threads = (double)plan->nbytes * by_word[__builtin_ctzll((uint64_t)walk->word)] *
                           (walk->naxes > SVI_LAUNCH_AXES ? MANY_AXES : 1);
    int64_t extents[SVI_PLAN_NDIM + 1], to[SVI_PLAN_NDIM + 1], from[SVI_PLAN_NDIM + 1], share = walk->words;
    uint64_t to_bits = dst, from_bits = src;
    int32_t naxes = 1;
    double sectors;

    extents[0] = walk->words;
    to[0] = from[0] = walk->word;
    for (int32_t axis = walk->last; axis >= 0; axis--) {
        to[naxes] = plan->dst[axis];
        from[naxes] = plan->src[axis];
        extents[naxes] =
            svi_smaller(plan->shape[axis], share < SVI_LAUNCH_UNITS ? svi_divide_up(SVI_LAUNCH_UNITS, share) : 1);
        share *= extents[naxes];
        to_bits |= (uint64_t)to[naxes];
        from_bits |= (uint64_t)from[naxes++];
    }
    sectors = (svi_cost_sectors(naxes, extents, to, walk->word, svi_cost_alignment(to_bits)) +
               svi_cost_sectors(naxes, extents, from, walk->word, svi_cost_alignment(from_bits))) /
              2 / (double)(share * walk->word) * (double)plan->nbytes;
    return svi_cost_make(sectors, threads, blocks);
}

bool svi_family_flat(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, struct svi_launch_shape *out)
{
    const struct walk walk = walk_of(plan, dst, src);

    if (!(walk.naxes <= SVI_LAUNCH_AXES ? shape_few(plan, &walk, out) : shape_many(plan, &walk, out)))
        return false;
    out->cost =
        cost_of_flat(plan, &walk, dst + (uintptr_t)plan->dst_offset, src + (uintptr_t)plan->src_offset, out->grid);
    return true;
}
