/* Plans of two layouts, in canonical form, and the rules of that form. */
#include "plan/plan.h"

#include "base/checked.h"

enum { LINE = 64 }; /* bytes of a cache line */

/* --- from two layouts --------------------------------------------------------- */

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
    out->src_axis = -1;
    for (int32_t k = 0; k < pair->ndim; k++) {
        const int64_t extent = pair->shape[k], dst = pair->dst[k], src = pair->src[k];

        nbytes *= extent;
        dst_hull += (uint64_t)(extent - 1) * svi_abs(dst);
        src_hull += (uint64_t)(extent - 1) * svi_abs(src);
        if (src != 0 && svi_abs(src) <= least) {
            least = svi_abs(src);
            out->src_axis = k;
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
                 (out->src_axis < 0 ? src_hull : count_reached_bytes(src_hull, out, out->src_axis, least));
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
            *out = (struct svi_plan){.kind = SVI_CLASS_EMPTY, .item = 1, .src_item = 1, .src_axis = -1};
            svi_plan_assure(out, svi_plan_fault);
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
    out->src_axis = single ? -1 : 0;
    out->chain.count = 0;
    out->scaled.affine = NULL;
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
        svi_plan_assure(out, svi_plan_fault);
        return;
    }
    pair.itemsize = itemsize;
    if (!load_pair(ndim, shape, dst, src, &pair, out))
        return;
    split_items(&pair);
    widen_item(&pair);
    finish_plan(&pair, out);
    out->kind = svi_class_of(out->ndim, out->dst, out->src, out->item, out->src_axis);
    out->chain.count = 0;
    out->scaled.affine = NULL;
    out->src_item = pair.itemsize;
    svi_plan_assure(out, svi_plan_fault);
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
    out->scaled.affine = NULL;
    out->src_item = (int64_t)svi_chain_src_bytes(chain);
    out->reach += (uint64_t)(out->src_item - out->item);
    svi_plan_assure(out, svi_plan_fault);
}

/* --- the rules of the canonical form --------------------------------------------- */

static bool has_class(const struct svi_plan *p)
{
    return p->kind >= 0 && p->kind < SVI_CLASS_COUNT && p->ndim >= 0 && p->ndim <= SVI_PLAN_NDIM;
}

static bool is_empty_rightly(const struct svi_plan *p)
{
    return p->kind != SVI_CLASS_EMPTY ||
           (p->ndim == 0 && p->nbytes == 0 && p->item == 1 && p->src_item == 1 && p->src_axis == -1);
}

static bool has_items(const struct svi_plan *p)
{
    if (p->kind != SVI_CLASS_CAST)
        return p->item >= 1 && p->src_item == p->item && p->chain.count == 0;
    return p->chain.count >= 1 && p->item == (int64_t)svi_chain_dst_bytes(&p->chain) &&
           p->src_item == (int64_t)svi_chain_src_bytes(&p->chain);
}

static bool scales_rightly(const struct svi_plan *p)
{
    return !svi_scales(p) ||
           (p->kind == SVI_CLASS_CAST && p->scaled.axis >= -1 && p->scaled.axis < p->ndim && p->scaled.first >= 0);
}

static bool has_short_items(const struct svi_plan *p)
{
    return p->item <= SVI_PLAN_ITEM && p->src_item <= SVI_PLAN_ITEM;
}

/* INT64_MIN is the one stride that cannot be turned round. */
static bool has_axes(const struct svi_plan *p)
{
    for (int32_t k = 0; k < p->ndim; k++)
        if (p->shape[k] < 1 || (p->dst[k] < 0 && p->dst[k] != INT64_MIN))
            return false;
    return true;
}

static bool has_long_axes(const struct svi_plan *p)
{
    for (int32_t k = 0; k < p->ndim; k++)
        if (p->shape[k] == 1)
            return false;
    return true;
}

static bool counts_bytes(const struct svi_plan *p)
{
    int64_t nbytes = p->kind == SVI_CLASS_EMPTY ? 0 : p->item;

    for (int32_t k = 0; k < p->ndim; k++)
        if (svi_mul(nbytes, p->shape[k], &nbytes))
            return false;
    return p->nbytes == nbytes;
}

static bool names_source_axis(const struct svi_plan *p)
{
    return p->src_axis == -1 || (p->src_axis >= 0 && p->src_axis < p->ndim && p->src[p->src_axis] != 0);
}

static bool names_fastest_axis(const struct svi_plan *p)
{
    return p->src_axis == svi_source_axis(p->ndim, p->src);
}

/* Items of a larger element are the last axis, whatever the steps of the others are. */
static bool is_sorted(const struct svi_plan *p)
{
    for (int32_t k = 0; k + 1 < p->ndim; k++) {
        const bool is_element = k + 2 == p->ndim && p->dst[k + 1] == p->item && p->src[k + 1] == p->src_item;
        const uint64_t step = svi_abs(p->dst[k]), next = svi_abs(p->dst[k + 1]);

        if (!is_element && (step < next || (step == next && svi_abs(p->src[k]) < svi_abs(p->src[k + 1]))))
            return false;
    }
    return true;
}

/* Whether a step of an axis is as long as all of the next one. */
static bool is_joined(int64_t step, int64_t next, int64_t extent)
{
    int64_t all;

    return !svi_mul(next, extent, &all) && all == step;
}

static bool is_merged(const struct svi_plan *p)
{
    for (int32_t k = 0; k + 1 < p->ndim; k++)
        if (is_joined(p->dst[k], p->dst[k + 1], p->shape[k + 1]) &&
            is_joined(p->src[k], p->src[k + 1], p->shape[k + 1]))
            return false;
    return true;
}

static bool is_widened(const struct svi_plan *p)
{
    const int32_t last = p->ndim - 1;

    return p->kind == SVI_CLASS_CAST || last < 0 || p->dst[last] != p->item || p->src[last] != p->item ||
           p->shape[last] > SVI_PLAN_ITEM / p->item;
}

static bool is_classified(const struct svi_plan *p)
{
    return p->kind == SVI_CLASS_EMPTY || p->kind == SVI_CLASS_CAST ||
           p->kind == svi_class_of(p->ndim, p->dst, p->src, p->item, p->src_axis);
}

/* In the order in which they are asked: a rule may read what those before it have found to be right. */
static const struct rule {
    bool (*is_kept)(const struct svi_plan *plan);
    bool of_parts;
    const char *words;
} rules[] = {
    {has_class, true, "it has a class, and no more axes than a plan has room for"},
    {is_empty_rightly, true, "an empty plan has no axis, no byte, and items of one byte"},
    {has_items, true, "items are as large on both sides or, with a conversion, as the ends of its chain"},
    {scales_rightly, true, "a conversion alone scales, along one of its axes or none"},
    {has_axes, true, "extents are 1 or more, and strides of the destination are not negative"},
    {counts_bytes, true, "nbytes is an item times all extents"},
    {names_source_axis, true, "the axis of the source is an axis along which it moves"},
    {has_short_items, false, "items have 16 bytes at most"},
    {has_long_axes, false, "no axis has one index only"},
    {names_fastest_axis, false, "the axis of the source is its fastest one, the last of those"},
    {is_sorted, false, "axes are in the order of the destination's strides, then of the source's"},
    {is_merged, false, "no two axes are one run on both sides"},
    {is_widened, false, "a short run of both sides is an item"},
    {is_classified, false, "the class is the first that fits"},
};

static const char *find_broken_rule(const struct svi_plan *plan, bool of_parts)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if ((rules[i].of_parts || !of_parts) && !rules[i].is_kept(plan))
            return rules[i].words;
    return NULL;
}

const char *svi_plan_fault(const struct svi_plan *plan)
{
    return find_broken_rule(plan, false);
}

const char *svi_part_fault(const struct svi_plan *part)
{
    return find_broken_rule(part, true);
}
