/*
 * The elements that go from one rank to another are a product of runs, one of each axis: the runs are found for each
 * axis, and every choice of one run an axis is a box, in which a repeated run has two axes. A box that is larger than a
 * chunk is cut along the axis at which its inner part fits. Boxes and cuts depend on the two distributions alone, so that
 * both ranks find the same ones in the same order.
 */
#include "parts.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "memory.h"
#include "runs.h"

/* The boxes of both sides, of equal shapes. */
struct pair {
    struct svm_box dst, src;
    int64_t dst_offset, src_offset;
};

static void add_axis(struct svm_box *box, int64_t extent, int64_t stride)
{
    box->shape[box->ndim] = extent;
    box->strides[box->ndim++] = stride;
}

/* The axes of one run for each axis of the arrays. */
static void make_pair(const struct svm_exchange *exchange, const struct svm_run *const *runs, struct pair *pair)
{
    pair->dst.ndim = pair->src.ndim = 0;
    pair->dst_offset = pair->src_offset = 0;
    for (int32_t k = 0; k < exchange->ndim; k++) {
        const struct svm_run *run = runs[k];
        const int64_t dst = exchange->dst.strides[k], src = exchange->src.strides[k];

        pair->dst_offset += run->dst * dst;
        pair->src_offset += run->src * src;
        if (run->count > 1) {
            add_axis(&pair->dst, run->count, run->dst_step * dst);
            add_axis(&pair->src, run->count, run->src_step * src);
        }
        add_axis(&pair->dst, run->extent, dst);
        add_axis(&pair->src, run->extent, src);
    }
}

/* --- lists ------------------------------------------------------------------- */

static struct svm_part *append(struct svm_parts *parts)
{
    struct svm_part *items = svm_grow(parts->items, parts->count, &parts->capacity, sizeof *items);

    if (items == NULL)
        return NULL;
    parts->items = items;
    parts->items[parts->count] = (struct svm_part){0};
    return &parts->items[parts->count++];
}

void svm_parts_free(struct svm_parts *parts)
{
    for (int64_t i = 0; i < parts->count; i++)
        sv_plan_release(parts->items[i].plan);
    free(parts->items);
    *parts = (struct svm_parts){0};
}

/* --- boxes to parts ---------------------------------------------------------- */

/* Who moves the elements of a pair: nobody, where they are one run of the bytes that travel. */
static sv_status plan_pair(const struct svm_exchange *exchange, const struct pair *pair, enum svm_here here,
                           sv_plan **out)
{
    const struct svm_side *side = here == SVM_HERE_DST ? &exchange->dst : &exchange->src;
    const struct svm_box *box = here == SVM_HERE_DST ? &pair->dst : &pair->src;
    struct svm_box packed = *box;

    if (here == SVM_HERE_BOTH)
        return svm_box_plan(exchange->dst.view, &pair->dst, exchange->src.view, &pair->src, exchange->flags, out);
    *out = NULL;
    if (sv_view_dtype(side->view) == sv_view_dtype(exchange->packed) && svm_box_is_run(box, exchange->itemsize) &&
        svm_memory_is_taken(side->view))
        return SV_OK;
    svm_box_make_run(&packed, exchange->itemsize);
    return here == SVM_HERE_DST ? svm_box_plan(side->view, box, exchange->packed, &packed, exchange->flags, out)
                                : svm_box_plan(exchange->packed, &packed, side->view, box, exchange->flags, out);
}

/* At which axis a box is cut, and into slabs of how many of its indices: all from the next axis on fits into a chunk. */
static int32_t cut_of(const struct svm_exchange *exchange, const struct svm_box *box, int64_t *extent)
{
    int64_t nbytes = exchange->itemsize;

    for (int32_t k = box->ndim - 1; k >= 0; k--) {
        if (box->shape[k] > exchange->chunk / nbytes) {
            *extent = exchange->chunk / nbytes;
            return k;
        }
        nbytes *= box->shape[k];
    }
    *extent = box->ndim > 0 ? box->shape[0] : 1;
    return 0;
}

/* The parts of a box for the indices of its axes before the cut, slab by slab. Slabs of one shape have one plan. */
static sv_status add_slabs(const struct svm_exchange *exchange, const struct pair *pair, enum svm_here here,
                           int32_t cut, int64_t extent, int64_t dst, int64_t src, sv_plan **plans,
                           struct svm_parts *out)
{
    for (int64_t begin = 0; begin < pair->dst.shape[cut]; begin += extent) {
        const bool is_last = pair->dst.shape[cut] - begin < extent;
        struct svm_part *part = append(out);
        struct pair slab = *pair;
        sv_status status;

        if (part == NULL)
            return svm_fail(SV_ERROR_MEMORY, "no memory for the parts of a message");
        for (int32_t k = 0; k < cut; k++)
            slab.dst.shape[k] = slab.src.shape[k] = 1;
        slab.dst.shape[cut] = slab.src.shape[cut] = is_last ? pair->dst.shape[cut] - begin : extent;
        if (plans[is_last] == NULL && (status = plan_pair(exchange, &slab, here, &plans[is_last])))
            return status;
        part->plan = sv_plan_retain(plans[is_last]);
        part->nbytes = svm_box_size(&slab.dst) * exchange->itemsize;
        part->dst = dst + begin * pair->dst.strides[cut];
        part->src = src + begin * pair->src.strides[cut];
    }
    return SV_OK;
}

/* The next index of the axes before the cut, in C order; false behind the last. */
static bool advance(const struct svm_box *box, int32_t cut, int64_t *index)
{
    for (int32_t k = cut - 1; k >= 0; k--) {
        if (++index[k] < box->shape[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static int64_t place(const struct svm_box *box, int32_t cut, const int64_t *index)
{
    int64_t offset = 0;

    for (int32_t k = 0; k < cut; k++)
        offset += index[k] * box->strides[k];
    return offset;
}

static sv_status add_pair(const struct svm_exchange *exchange, const struct pair *pair, enum svm_here here,
                          struct svm_parts *out)
{
    int64_t index[2 * SVM_MAX_NDIM] = {0}, extent = pair->dst.shape[0];
    const int32_t cut = here == SVM_HERE_BOTH ? 0 : cut_of(exchange, &pair->dst, &extent);
    sv_plan *plans[2] = {NULL, NULL}; /* of whole slabs, and of the last ones */
    sv_status status;

    do
        status = add_slabs(exchange, pair, here, cut, extent, pair->dst_offset + place(&pair->dst, cut, index),
                           pair->src_offset + place(&pair->src, cut, index), plans, out);
    while (status == SV_OK && advance(&pair->dst, cut, index));
    sv_plan_release(plans[0]);
    sv_plan_release(plans[1]);
    return status;
}

/* --- all boxes --------------------------------------------------------------- */

/* Every choice of one run an axis. */
static sv_status add_pairs(const struct svm_exchange *exchange, const struct svm_runs *runs, enum svm_here here,
                           struct svm_parts *out)
{
    int64_t chosen[SVM_MAX_NDIM] = {0};

    for (;;) {
        const struct svm_run *each[SVM_MAX_NDIM];
        struct pair pair;
        int32_t k;
        sv_status status;

        for (k = 0; k < exchange->ndim; k++)
            each[k] = &runs[k].items[chosen[k]];
        make_pair(exchange, each, &pair);
        if ((status = add_pair(exchange, &pair, here, out)))
            return status;
        for (k = exchange->ndim - 1; k >= 0 && ++chosen[k] == runs[k].count; k--)
            chosen[k] = 0;
        if (k < 0)
            return SV_OK;
    }
}

sv_status svm_parts_find(const struct svm_exchange *exchange, const int64_t *to, const int64_t *from,
                         enum svm_here here, struct svm_parts *out)
{
    struct svm_runs runs[SVM_MAX_NDIM] = {{0}};
    sv_status status = SV_OK;
    bool is_empty = false;

    for (int32_t k = 0; k < exchange->ndim && status == SV_OK && !is_empty; k++) {
        status = svm_runs_find(&exchange->dst.axes[k], to[k], &exchange->src.axes[k], from[k], &runs[k]);
        is_empty = runs[k].count == 0;
    }
    if (status == SV_OK && !is_empty)
        status = add_pairs(exchange, runs, here, out);
    for (int32_t k = 0; k < exchange->ndim; k++)
        svm_runs_free(&runs[k]);
    return status;
}
