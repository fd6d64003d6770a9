/* Plans that are made of a plan: part.h. */
#include "plan/part.h"

#include <string.h>

#include "base/checked.h"

/* --- in canonical form ---------------------------------------------------------- */

/* Offsets are added modulo 2^64, as addresses are: a step of INT64_MIN is one way as long as the other. */
static int64_t add_steps(int64_t offset, int64_t count, int64_t stride)
{
    return (int64_t)((uint64_t)offset + (uint64_t)count * (uint64_t)stride);
}

/* Bytes from the first item of a plan to that of a box. */
static void find_box(const struct svi_plan *plan, const int64_t *first, int64_t *dst, int64_t *src)
{
    *dst = *src = 0;
    for (int32_t k = 0; k < plan->ndim; k++) {
        *dst = add_steps(*dst, first[k], plan->dst[k]);
        *src = add_steps(*src, first[k], plan->src[k]);
    }
}

void svi_plan_move(struct svi_plan *plan, int64_t dst, int64_t src)
{
    plan->dst_offset = add_steps(plan->dst_offset, 1, dst);
    plan->src_offset = add_steps(plan->src_offset, 1, src);
}

void svi_plan_set_affine(struct svi_plan *plan, const struct svi_affine *affine)
{
    plan->scaled.affine = affine;
}

void svi_plan_set_reach(struct svi_plan *plan, uint64_t reach)
{
    plan->reach = reach;
}

/* All axes but one. */
static void drop_axis(int32_t ndim, int32_t axis, const int64_t *from, int64_t *to)
{
    for (int32_t k = 0; k < ndim; k++)
        if (k != axis)
            *to++ = from[k];
}

/* Puts an axis of two indices or more where the stride of the destination belongs. */
static void insert_scaled_axis(int64_t extent, int64_t dst, int64_t src, struct svi_plan *out)
{
    int32_t at = out->ndim++;

    if (dst < 0) {
        svi_plan_move(out, (extent - 1) * dst, (extent - 1) * src);
        out->scaled.first += (extent - 1) * out->scaled.step;
        out->scaled.step = -out->scaled.step;
        dst = -dst;
        src = -src;
    }
    for (; at > 0 && out->dst[at - 1] < dst; at--) {
        out->shape[at] = out->shape[at - 1];
        out->dst[at] = out->dst[at - 1];
        out->src[at] = out->src[at - 1];
    }
    out->shape[at] = extent;
    out->dst[at] = dst;
    out->src[at] = src;
    out->nbytes *= extent;
    out->scaled.axis = at;
    out->src_axis = svi_source_axis(out->ndim, out->src);
}

void svi_plan_make_scaled(int32_t ndim, const int64_t *shape, const int64_t *dst, const int64_t *src,
                          const struct svi_chain *sizes, int32_t lanes, const struct svi_scaled *scaled,
                          struct svi_plan *out)
{
    const int32_t axis = scaled->axis;
    int64_t other_shape[SVI_PLAN_NDIM], other_dst[SVI_PLAN_NDIM], other_src[SVI_PLAN_NDIM];
    uint64_t reach;

    svi_plan_make_cast(ndim, shape, dst, src, sizes, lanes, out);
    if (out->kind == SVI_CLASS_EMPTY)
        return;
    reach = out->reach;
    if (axis >= 0 && shape[axis] > 1) {
        drop_axis(ndim, axis, shape, other_shape);
        drop_axis(ndim, axis, dst, other_dst);
        drop_axis(ndim, axis, src, other_src);
        svi_plan_make_cast(ndim - 1, other_shape, other_dst, other_src, sizes, lanes, out);
    }
    out->scaled = *scaled;
    out->scaled.axis = -1;
    if (axis >= 0 && shape[axis] > 1)
        insert_scaled_axis(shape[axis], dst[axis], src[axis], out);
    out->reach = reach;
    svi_plan_assure(out, svi_part_fault);
}

void svi_plan_make_like(const struct svi_plan *plan, const int64_t *shape, const int64_t *dst, const int64_t *src,
                        struct svi_plan *out)
{
    if (svi_scales(plan))
        svi_plan_make_scaled(plan->ndim, shape, dst, src, &plan->chain, 1, &plan->scaled, out);
    else if (plan->kind == SVI_CLASS_CAST)
        svi_plan_make_cast(plan->ndim, shape, dst, src, &plan->chain, 1, out);
    else
        svi_plan_make(plan->ndim, shape, dst, src, plan->item, out);
}

void svi_plan_box(const struct svi_plan *plan, const int64_t *first, const int64_t *count, struct svi_plan *out)
{
    int64_t dst, src;

    find_box(plan, first, &dst, &src);
    svi_plan_make_like(plan, count, plan->dst, plan->src, out);
    if (svi_scales(plan) && plan->scaled.axis >= 0)
        out->scaled.first += first[plan->scaled.axis] * plan->scaled.step;
    svi_plan_move(out, plan->dst_offset, plan->src_offset);
    svi_plan_move(out, dst, src);
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
    out->scaled = plan->scaled;
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
    if (svi_scales(plan) && plan->scaled.axis >= 0)
        out->scaled.first += first[plan->scaled.axis] * plan->scaled.step;
    find_box(plan, first, &dst, &src);
    svi_plan_move(out, plan->dst_offset, plan->src_offset);
    svi_plan_move(out, dst, src);
    svi_plan_assure(out, svi_part_fault);
}

void svi_part_of_axes(const struct svi_plan *plan, int32_t first, struct svi_plan *out)
{
    begin_part(plan, plan->ndim - first, plan->src_axis < first ? -1 : plan->src_axis - first, out);
    out->scaled.axis = plan->scaled.axis < first ? -1 : plan->scaled.axis - first;
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
    out->scaled.axis = plan->scaled.axis < 0 ? -1 : plan->scaled.axis + 1;
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

bool svi_part_without_cast(const struct svi_plan *plan, struct svi_plan *out)
{
    out->ndim = plan->ndim;
    out->src_axis = plan->src_axis;
    out->chain.count = 0;
    out->scaled.affine = NULL;
    out->item = out->src_item = plan->src_item;
    if (svi_mul(plan->nbytes / plan->item, plan->src_item, &out->nbytes))
        return false;
    out->reach = plan->reach;
    out->dst_offset = out->src_offset = 0;
    for (int32_t k = 0; k < plan->ndim; k++) {
        if (plan->dst[k] < 0 || plan->dst[k] % plan->item != 0 ||
            svi_mul(plan->dst[k] / plan->item, plan->src_item, &out->dst[k]))
            return false;
        out->shape[k] = plan->shape[k];
        out->src[k] = plan->src[k];
    }
    out->kind = svi_class_of(out->ndim, out->dst, out->src, out->item, out->src_axis);
    svi_plan_assure(out, svi_part_fault);
    return true;
}
