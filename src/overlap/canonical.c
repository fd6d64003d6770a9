/* Sorts, flips and merges the axes of two layouts. Runs once for each plan, so most pairs must cost little. */
#include "overlap/canonical.h"

#include <stdbool.h>

#include "base/checked.h"

struct axis {
    int64_t extent;
    int64_t dst;
    int64_t src;
};

static struct axis get_axis(const struct svi_pair *pair, int32_t k)
{
    return (struct axis){pair->shape[k], pair->dst[k], pair->src[k]};
}

static void put_axis(struct svi_pair *pair, int32_t k, struct axis axis)
{
    pair->shape[k] = axis.extent;
    pair->dst[k] = axis.dst;
    pair->src[k] = axis.src;
}

static int64_t negate_wrapping(int64_t a)
{
    return (int64_t)(0 - (uint64_t)a);
}

/* Reverses the axis on both sides: its first index becomes the last. */
static void flip_axis(struct svi_pair *pair, struct axis *axis)
{
    uint64_t last = (uint64_t)axis->extent - 1;

    pair->dst_offset = (int64_t)((uint64_t)pair->dst_offset + last * (uint64_t)axis->dst);
    pair->src_offset = (int64_t)((uint64_t)pair->src_offset + last * (uint64_t)axis->src);
    axis->dst = negate_wrapping(axis->dst);
    axis->src = negate_wrapping(axis->src);
}

static bool is_slower_axis(const struct axis *a, const struct axis *b)
{
    if (a->dst != b->dst)
        return svi_abs(a->dst) > svi_abs(b->dst);
    return svi_abs(a->src) > svi_abs(b->src);
}

/* Whether the span of inner is the stride of outer, on both sides. */
static bool can_join_axes(const struct axis *outer, const struct axis *inner)
{
    int64_t dst, src;

    return !svi_mul(inner->extent, inner->dst, &dst) && dst == outer->dst &&
           !svi_mul(inner->extent, inner->src, &src) && src == outer->src;
}

/* Inserts axis into the sorted axes [0, count), the slowest first. Equal axes keep their order. */
static void insert_sorted_axis(struct svi_pair *pair, int32_t count, const struct axis *axis)
{
    int32_t k = count;

    while (k > 0) {
        struct axis before = get_axis(pair, k - 1);

        if (!is_slower_axis(axis, &before))
            break;
        put_axis(pair, k--, before);
    }
    put_axis(pair, k, *axis);
}

static void merge_pair_axes(struct svi_pair *pair)
{
    int32_t count = 0;

    for (int32_t k = 0; k < pair->ndim; k++) {
        struct axis inner = get_axis(pair, k);

        if (count > 0) {
            struct axis outer = get_axis(pair, count - 1);

            if (can_join_axes(&outer, &inner)) {
                inner.extent *= outer.extent;
                count--;
            }
        }
        if (count != k || inner.extent != pair->shape[k]) /* else it is there already */
            put_axis(pair, count, inner);
        count++;
    }
    pair->ndim = count;
}

void svi_canonicalise(struct svi_pair *pair)
{
    int32_t count = 0;

    for (int32_t k = 0; k < pair->ndim; k++) {
        struct axis axis = get_axis(pair, k);

        if (axis.extent == 1)
            continue;
        if (axis.dst < 0 || (axis.dst == 0 && axis.src < 0))
            flip_axis(pair, &axis);
        insert_sorted_axis(pair, count++, &axis);
    }
    pair->ndim = count;
    merge_pair_axes(pair);
}
