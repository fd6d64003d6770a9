#include "overlap/canon.h"

#include <stdbool.h>

#include "base/checked.h"

struct axis {
    int64_t extent;
    int64_t dst;
    int64_t src;
};

static struct axis get(const struct svi_pair *pair, int32_t k)
{
    return (struct axis){pair->shape[k], pair->dst[k], pair->src[k]};
}

static void put(struct svi_pair *pair, int32_t k, struct axis axis)
{
    pair->shape[k] = axis.extent;
    pair->dst[k] = axis.dst;
    pair->src[k] = axis.src;
}

static int64_t negative(int64_t a)
{
    return (int64_t)(0 - (uint64_t)a);
}

/* Walks the axis from its other end. */
static void flip(struct svi_pair *pair, struct axis *axis)
{
    uint64_t last = (uint64_t)axis->extent - 1;

    pair->dst_offset = (int64_t)((uint64_t)pair->dst_offset + last * (uint64_t)axis->dst);
    pair->src_offset = (int64_t)((uint64_t)pair->src_offset + last * (uint64_t)axis->src);
    axis->dst = negative(axis->dst);
    axis->src = negative(axis->src);
}

static bool slower(const struct axis *a, const struct axis *b)
{
    if (a->dst != b->dst)
        return svi_abs(a->dst) > svi_abs(b->dst);
    return svi_abs(a->src) > svi_abs(b->src);
}

/* Whether stepping over all of inner is one step of outer, on both sides. */
static bool joins(const struct axis *outer, const struct axis *inner)
{
    int64_t dst, src;

    return !svi_mul(inner->extent, inner->dst, &dst) && dst == outer->dst &&
           !svi_mul(inner->extent, inner->src, &src) && src == outer->src;
}

/* Keeps axes [0, count) sorted, the slowest first; equal ones stay in their order. */
static void insert(struct svi_pair *pair, int32_t count, const struct axis *axis)
{
    int32_t k = count;

    while (k > 0) {
        struct axis before = get(pair, k - 1);

        if (!slower(axis, &before))
            break;
        put(pair, k--, before);
    }
    put(pair, k, *axis);
}

static void merge(struct svi_pair *pair)
{
    int32_t count = 0;

    for (int32_t k = 0; k < pair->ndim; k++) {
        struct axis inner = get(pair, k);

        if (count > 0) {
            struct axis outer = get(pair, count - 1);

            if (joins(&outer, &inner)) {
                inner.extent *= outer.extent;
                count--;
            }
        }
        if (count != k || inner.extent != pair->shape[k]) /* most stay where they are */
            put(pair, count, inner);
        count++;
    }
    pair->ndim = count;
}

void svi_canon(struct svi_pair *pair)
{
    int32_t count = 0;

    for (int32_t k = 0; k < pair->ndim; k++) {
        struct axis axis = get(pair, k);

        if (axis.extent == 1)
            continue;
        if (axis.dst < 0 || (axis.dst == 0 && axis.src < 0))
            flip(pair, &axis);
        insert(pair, count++, &axis);
    }
    pair->ndim = count;
    merge(pair);
}
