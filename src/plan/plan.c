#include "plan/plan.h"

#include <stdbool.h>

#include "base/checked.h"

enum { LINE = 64 }; /* bytes of a cache line */

static bool is_run(const struct svi_pair *pair, int32_t axis)
{
    return axis >= 0 && pair->dst[axis] == pair->itemsize && pair->src[axis] == pair->itemsize;
}

/* Elements of more bytes than an item become runs of items. There is room: 64 axes of 2 or more would not fit int64. */
static void split_items(struct svi_pair *pair)
{
    int64_t item = pair->itemsize & -pair->itemsize;
    int64_t count;
    int32_t last = pair->ndim - 1;

    if (pair->itemsize <= SVI_PLAN_ITEM)
        return;
    if (item > SVI_PLAN_ITEM)
        item = SVI_PLAN_ITEM;
    count = pair->itemsize / item;
    if (is_run(pair, last)) {
        count *= pair->shape[last];
    } else {
        last++;
        pair->ndim++;
    }
    pair->itemsize = item;
    pair->shape[last] = count;
    pair->dst[last] = item;
    pair->src[last] = item;
}

/* A short run in both becomes the item. */
static void widen_item(struct svi_pair *pair)
{
    int32_t last = pair->ndim - 1;

    if (!is_run(pair, last) || pair->shape[last] > SVI_PLAN_ITEM / pair->itemsize)
        return;
    pair->itemsize *= pair->shape[last];
    pair->ndim--;
}

static int32_t classify_pair(const struct svi_pair *pair, int32_t tile)
{
    int32_t last = pair->ndim - 1;
    int64_t item = pair->itemsize;

    if (pair->ndim == 0)
        return SVI_CLASS_CONTIGUOUS;
    if (is_run(pair, last))
        return pair->ndim == 1 ? SVI_CLASS_CONTIGUOUS : SVI_CLASS_ROWS;
    if (pair->src[last] == 0)
        return SVI_CLASS_REPEAT;
    if (pair->dst[last] == item && pair->src[last] == -item)
        return SVI_CLASS_REVERSED;
    if (tile != last)
        return SVI_CLASS_TRANSPOSE;
    if (pair->dst[last] == item)
        return SVI_CLASS_GATHER;
    return pair->src[last] == item || pair->src[last] == -item ? SVI_CLASS_SCATTER : SVI_CLASS_STRIDED;
}

/*
 * Bytes of one side: from its first to its last or, where its runs are far apart, these and the rest of their lines. A
 * run is the axis of the least step, if that is less than a line, or one element.
 */
static uint64_t count_reached_bytes(uint64_t hull, const struct svi_plan *plan, int32_t run, uint64_t step)
{
    const uint64_t nbytes = (uint64_t)plan->nbytes, item = (uint64_t)plan->item;
    const uint64_t count = step < LINE ? (uint64_t)plan->shape[run] : 1;
    uint64_t lines;

    if (hull <= nbytes)
        return hull;
    lines = nbytes / (count * item) * ((count - 1) * step + item + LINE);
    return hull < lines ? hull : lines;
}

static inline void finish_plan(const struct svi_pair *pair, struct svi_plan *out)
{
    const int32_t last = pair->ndim - 1;
    const int64_t item = pair->itemsize;
    int64_t nbytes = item;
    uint64_t dst_hull = (uint64_t)nbytes, src_hull = (uint64_t)nbytes, least = UINT64_MAX;

    out->ndim = pair->ndim;
    out->tile = -1;
    for (int32_t k = 0; k < pair->ndim; k++) {
        const int64_t extent = pair->shape[k], dst = pair->dst[k], src = pair->src[k];

        nbytes *= extent;
        dst_hull += (uint64_t)(extent - 1) * svi_abs(dst);
        src_hull += (uint64_t)(extent - 1) * svi_abs(src);
        if (src != 0 && svi_abs(src) <= least) {
            least = svi_abs(src);
            out->tile = k;
        }
        out->shape[k] = extent;
        out->dst[k] = dst;
        out->src[k] = src;
    }
    out->item = item;
    out->nbytes = nbytes;
    out->dst_offset = pair->dst_offset;
    out->src_offset = pair->src_offset;
    out->reach = (last < 0 ? dst_hull : count_reached_bytes(dst_hull, out, last, svi_abs(out->dst[last]))) +
                 (out->tile < 0 ? src_hull : count_reached_bytes(src_hull, out, out->tile, least));
}

/* False when there is nothing to do, which out then says. */
static inline bool load_pair(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                             struct svi_pair *pair, struct svi_plan *out)
{
    pair->ndim = ndim;
    pair->dst_offset = 0;
    pair->src_offset = 0;
    for (int32_t k = 0; k < ndim; k++) {
        if (shape[k] == 0) {
            *out = (struct svi_plan){.kind = SVI_CLASS_EMPTY, .item = 1, .src_item = 1, .tile = -1};
            return false;
        }
        pair->shape[k] = shape[k];
        pair->dst[k] = dst[k];
        pair->src[k] = src[k];
    }
    svi_canonicalise(pair);
    return true;
}

/* Bytes that follow each other on both sides in the order of the axes; 0 where it is not so, or is not seen. */
static inline int64_t dense_bytes(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                                  int64_t itemsize)
{
    int64_t nbytes = itemsize;

    for (int32_t k = ndim - 1; k >= 0; k--) {
        if (shape[k] == 1)
            continue;
        if (dst[k] != nbytes || src[k] != nbytes || svi_mul(nbytes, shape[k], &nbytes))
            return 0;
    }
    return nbytes;
}

/* What the canonical form of such a copy comes to. */
static inline void make_dense(int64_t nbytes, int64_t itemsize, struct svi_plan *out)
{
    const int64_t power = itemsize & -itemsize;
    const bool single = nbytes <= SVI_PLAN_ITEM;
    int64_t item = itemsize;

    if (single)
        item = nbytes;
    else if (itemsize > SVI_PLAN_ITEM)
        item = power < SVI_PLAN_ITEM ? power : SVI_PLAN_ITEM;
    out->kind = SVI_CLASS_CONTIGUOUS;
    out->ndim = single ? 0 : 1;
    out->tile = single ? -1 : 0;
    out->chain.count = 0;
    out->item = out->src_item = item;
    out->nbytes = nbytes;
    out->reach = 2 * (uint64_t)nbytes;
    out->dst_offset = out->src_offset = 0;
    out->shape[0] = nbytes / item;
    out->dst[0] = out->src[0] = item;
}

void svi_plan_make(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src, int64_t itemsize,
                   struct svi_plan *out)
{
    const int64_t nbytes = dense_bytes(ndim, shape, dst, src, itemsize);
    struct svi_pair pair;

    if (nbytes > 0) {
        make_dense(nbytes, itemsize, out);
        return;
    }
    pair.itemsize = itemsize;
    if (!load_pair(ndim, shape, dst, src, &pair, out))
        return;
    split_items(&pair);
    widen_item(&pair);
    finish_plan(&pair, out);
    out->kind = classify_pair(&pair, out->tile);
    out->chain.count = 0;
    out->src_item = pair.itemsize;
}

/* There is room: see split_items(). */
static void split_lanes(struct svi_pair *pair, const struct svi_chain *chain, int32_t lanes)
{
    if (lanes == 1)
        return;
    pair->shape[pair->ndim] = lanes;
    pair->dst[pair->ndim] = (int64_t)svi_chain_dst_bytes(chain);
    pair->src[pair->ndim] = (int64_t)svi_chain_src_bytes(chain);
    pair->ndim++;
    svi_canonicalise(pair);
}

void svi_plan_make_cast(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                        const struct svi_chain *chain, int32_t lanes, struct svi_plan *out)
{
    struct svi_pair pair;

    pair.itemsize = (int64_t)svi_chain_dst_bytes(chain);
    if (!load_pair(ndim, shape, dst, src, &pair, out))
        return;
    split_lanes(&pair, chain, lanes);
    finish_plan(&pair, out);
    out->kind = SVI_CLASS_CAST;
    out->chain = *chain;
    out->src_item = (int64_t)svi_chain_src_bytes(chain);
    out->reach += (uint64_t)(out->src_item - out->item);
}

void svi_plan_box(const struct svi_plan *plan, const int64_t *first, const int64_t *count, struct svi_plan *out)
{
    int64_t dst_offset = plan->dst_offset, src_offset = plan->src_offset;

    for (int32_t k = 0; k < plan->ndim; k++) {
        dst_offset += first[k] * plan->dst[k];
        src_offset += first[k] * plan->src[k];
    }
    if (plan->kind == SVI_CLASS_CAST)
        svi_plan_make_cast(plan->ndim, count, plan->dst, plan->src, &plan->chain, 1, out);
    else
        svi_plan_make(plan->ndim, count, plan->dst, plan->src, plan->item, out);
    out->dst_offset += dst_offset;
    out->src_offset += src_offset;
    out->reach = plan->reach;
}

const char *svi_class_name(int32_t kind)
{
    static const char *const names[SVI_CLASS_COUNT] = {
        [SVI_CLASS_EMPTY] = "empty",   [SVI_CLASS_CONTIGUOUS] = "contiguous", [SVI_CLASS_ROWS] = "rows",
        [SVI_CLASS_REPEAT] = "repeat", [SVI_CLASS_REVERSED] = "reversed",     [SVI_CLASS_TRANSPOSE] = "transpose",
        [SVI_CLASS_GATHER] = "gather", [SVI_CLASS_SCATTER] = "scatter",       [SVI_CLASS_STRIDED] = "strided",
        [SVI_CLASS_CAST] = "cast",
    };

    return kind >= 0 && kind < SVI_CLASS_COUNT ? names[kind] : "unknown";
}
