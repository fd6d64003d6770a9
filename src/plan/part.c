/* Plans that are made of a plan: part.h. */
#include "plan/part.h"

#include <string.h>

#include "base/checked.h"

/* --- in canonical form ---------------------------------------------------------- */

/* Bytes from the first item of a plan to that of a box. */
static void find_box(const struct svi_plan *plan, const int64_t *first, int64_t *dst, int64_t *src)
{
    *dst = *src = 0;
    for (int32_t k = 0; k < plan->ndim; k++) {
        *dst += first[k] * plan->dst[k];
        *src += first[k] * plan->src[k];
    }
}

void svi_plan_move(struct svi_plan *plan, int64_t dst, int64_t src)
{
    plan->dst_offset += dst;
    plan->src_offset += src;
}

void svi_plan_set_reach(struct svi_plan *plan, uint64_t reach)
{
    plan->reach = reach;
}

void svi_plan_box(const struct svi_plan *plan, const int64_t *first, const int64_t *count, struct svi_plan *out)
{
    int64_t dst, src;

    find_box(plan, first, &dst, &src);
    if (plan->kind == SVI_CLASS_CAST)
        svi_plan_make_cast(plan->ndim, count, plan->dst, plan->src, &plan->chain, 1, out);
    else
        svi_plan_make(plan->ndim, count, plan->dst, plan->src, plan->item, out);
    svi_plan_move(out, plan->dst_offset + dst, plan->src_offset + src);
    out->reach = plan->reach;
}

/* --- parts ---------------------------------------------------------------------- */

/* All but the axes, for addresses of the first item. */
static inline void begin_part(const struct svi_plan *plan, int32_t ndim, int32_t src_axis, struct svi_plan *out)
{
    out->kind = plan->kind;
    out->ndim = ndim;
    out->src_axis = src_axis;
    out->chain = plan->chain;
    out->item = plan->item;
    out->src_item = plan->src_item;
    out->reach = plan->reach;
    out->dst_offset = out->src_offset = 0;
}

static void take_axes(const struct svi_plan *plan, int32_t first, int32_t count, struct svi_plan *out)
{
    const size_t nbytes = (size_t)count * sizeof *out->shape;

    memcpy(out->shape, plan->shape + first, nbytes);
    memcpy(out->dst, plan->dst + first, nbytes);
    memcpy(out->src, plan->src + first, nbytes);
}

void svi_part_set_extent(struct svi_plan *part, int32_t axis, int64_t extent)
{
    part->nbytes = part->nbytes / part->shape[axis] * extent;
    part->shape[axis] = extent;
    svi_plan_assure(part, svi_part_fault);
}

void svi_part_of_box(const struct svi_plan *plan, const int64_t *first, const int64_t *count, struct svi_plan *out)
{
    int64_t dst, src;

    begin_part(plan, plan->ndim, plan->src_axis, out);
    take_axes(plan, 0, plan->ndim, out);
    memcpy(out->shape, count, (size_t)plan->ndim * sizeof *count);
    out->nbytes = plan->item;
    for (int32_t k = 0; k < plan->ndim; k++)
        out->nbytes *= count[k];
    find_box(plan, first, &dst, &src);
    svi_plan_move(out, plan->dst_offset + dst, plan->src_offset + src);
    svi_plan_assure(out, svi_part_fault);
}

void svi_part_of_axes(const struct svi_plan *plan, int32_t first, struct svi_plan *out)
{
    begin_part(plan, plan->ndim - first, plan->src_axis < first ? -1 : plan->src_axis - first, out);
    take_axes(plan, first, out->ndim, out);
    out->nbytes = plan->item;
    for (int32_t k = 0; k < out->ndim; k++)
        out->nbytes *= out->shape[k];
    svi_plan_assure(out, svi_part_fault);
}

void svi_part_of_rows(const struct svi_plan *plan, int32_t ndim, int64_t item, int32_t src_axis, struct svi_plan *out)
{
    begin_part(plan, ndim, src_axis, out);
    take_axes(plan, 0, ndim, out);
    out->item = out->src_item = item;
    out->nbytes = plan->nbytes;
    svi_plan_assure(out, svi_part_fault);
}

void svi_part_with_axis(const struct svi_plan *plan, int64_t dst, int64_t src, struct svi_plan *out)
{
    begin_part(plan, plan->ndim + 1, plan->src_axis < 0 ? -1 : plan->src_axis + 1, out);
    out->shape[0] = 1;
    out->dst[0] = dst;
    out->src[0] = src;
    memcpy(out->shape + 1, plan->shape, (size_t)plan->ndim * sizeof *plan->shape);
    memcpy(out->dst + 1, plan->dst, (size_t)plan->ndim * sizeof *plan->dst);
    memcpy(out->src + 1, plan->src, (size_t)plan->ndim * sizeof *plan->src);
    out->nbytes = plan->nbytes;
    svi_plan_move(out, plan->dst_offset, plan->src_offset);
    svi_plan_assure(out, svi_part_fault);
}

int32_t svi_part_insert_axis(struct svi_plan *part, int64_t extent, int64_t dst, int64_t src)
{
    int32_t at = part->ndim++;

    if (dst < 0) {
        svi_plan_move(part, (extent - 1) * dst, (extent - 1) * src);
        dst = -dst;
        src = -src;
    }
    for (; at > 0 && part->dst[at - 1] < dst; at--) {
        part->shape[at] = part->shape[at - 1];
        part->dst[at] = part->dst[at - 1];
        part->src[at] = part->src[at - 1];
    }
    part->shape[at] = extent;
    part->dst[at] = dst;
    part->src[at] = src;
    part->nbytes *= extent;
    part->src_axis = svi_source_axis(part->ndim, part->src);
    svi_plan_assure(part, svi_part_fault);
    return at;
}

void svi_part_with_source(const struct svi_plan *plan, const int64_t *strides, struct svi_plan *out)
{
    begin_part(plan, plan->ndim, svi_source_axis(plan->ndim, strides), out);
    take_axes(plan, 0, plan->ndim, out);
    memcpy(out->src, strides, (size_t)plan->ndim * sizeof *strides);
    out->nbytes = plan->nbytes;
    svi_plan_move(out, plan->dst_offset, 0);
    svi_plan_assure(out, svi_part_fault);
}

bool svi_part_without_cast(const struct svi_plan *plan, struct svi_plan *out)
{
    out->ndim = plan->ndim;
    out->src_axis = plan->src_axis;
    out->chain.count = 0;
    out->item = out->src_item = plan->src_item;
    if (svi_mul(plan->nbytes / plan->item, plan->src_item, &out->nbytes))
        return false;
    out->reach = plan->reach;
    out->dst_offset = out->src_offset = 0;
    for (int32_t k = 0; k < plan->ndim; k++) {
        if (plan->dst[k] % plan->item != 0 || svi_mul(plan->dst[k] / plan->item, plan->src_item, &out->dst[k]))
            return false;
        out->shape[k] = plan->shape[k];
        out->src[k] = plan->src[k];
    }
    out->kind = svi_class_of(out->ndim, out->dst, out->src, out->item, out->src_axis);
    svi_plan_assure(out, svi_part_fault);
    return true;
}
