/* The public queries of layouts: contiguity, bounds, offsets, the order of axes, equality and hash. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "layout/layout.h"
#include "layout/merge.h"
#include "layout/order.h"
#include "layout/repack.h"

int32_t sv_layout_is_contiguous(const sv_layout *layout, sv_order order)
{
    struct svi_geometry g;
    int32_t axes[SV_MAX_NDIM];

    if (svi_layout_check(layout, "layout") != SV_OK)
        return 0;
    svi_layout_load(layout, &g);
    switch (order) {
    case SV_ORDER_C: return svi_geometry_is_dense(&g, NULL);
    case SV_ORDER_F:
        for (int32_t i = 0; i < g.ndim; i++)
            axes[i] = g.ndim - 1 - i;
        return svi_geometry_is_dense(&g, axes);
    case SV_ORDER_K: svi_geometry_memory_order(&g, axes); return svi_geometry_is_dense(&g, axes);
    default: return 0;
    }
}

int32_t sv_layout_is_dense(const sv_layout *layout)
{
    return sv_layout_is_contiguous(layout, SV_ORDER_K) && (layout->extent.size == 0 || layout->byte_offset == 0);
}

int32_t sv_layout_is_within(const sv_layout *layout, int64_t lower, int64_t upper)
{
    if (svi_layout_check(layout, "layout") != SV_OK)
        return 0;
    return layout->extent.size == 0 || (lower <= layout->extent.lower && layout->extent.upper <= upper);
}

sv_status sv_layout_byte_bounds(const sv_layout *layout, int64_t *lower, int64_t *upper)
{
    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(lower);
    SVI_NEED(upper);
    *lower = layout->extent.lower;
    *upper = layout->extent.upper;
    return SV_OK;
}

sv_status sv_layout_required_size(const sv_layout *layout, int64_t *nbytes)
{
    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(nbytes);
    if (layout->extent.lower < 0)
        return svi_fail(SV_ERROR_LAYOUT, "the first byte lies at %" PRId64 ", below the base", layout->extent.lower);
    *nbytes = layout->extent.upper;
    return SV_OK;
}

sv_status sv_layout_alignment(const sv_layout *layout, uintptr_t address, int64_t *alignment)
{
    uint64_t bits = UINT64_C(1) << 62;

    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(alignment);
    if (layout->extent.size > 0) {
        bits |= address + (uint64_t)layout->byte_offset;
        for (int32_t i = 0; i < layout->ndim; i++)
            if (svi_layout_shape(layout)[i] > 1)
                bits |= (uint64_t)svi_layout_byte_strides(layout)[i];
    }
    *alignment = (int64_t)(bits & -bits);
    return SV_OK;
}

sv_status sv_layout_max_itemsize(const sv_layout *layout, int64_t limit, uintptr_t address, int32_t axis,
                                 int64_t *itemsize)
{
    struct svi_geometry g;

    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(itemsize);
    svi_layout_load(layout, &g);
    return svi_geometry_max_itemsize(&g, limit, address, axis, itemsize);
}

sv_status sv_layout_stride_order(const sv_layout *layout, int32_t *axes)
{
    struct svi_geometry g;

    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(axes);
    svi_layout_load(layout, &g);
    svi_geometry_stride_order(&g, axes);
    return SV_OK;
}

uint64_t sv_layout_flatten_mask(const sv_layout *layout)
{
    struct svi_geometry g;

    if (svi_layout_check(layout, "layout") != SV_OK)
        return 0;
    svi_layout_load(layout, &g);
    return svi_geometry_flatten_mask(&g);
}

int32_t sv_layout_equal(const sv_layout *layout, const sv_layout *other)
{
    size_t nbytes;

    if (svi_layout_check(layout, "layout") != SV_OK || svi_layout_check(other, "other") != SV_OK)
        return 0;
    if (layout->ndim != other->ndim || layout->itemsize != other->itemsize)
        return 0;
    nbytes = (size_t)layout->ndim * sizeof *layout->values;
    if (memcmp(svi_layout_shape(layout), svi_layout_shape(other), nbytes) != 0)
        return 0;
    if (layout->extent.size == 0)
        return 1;
    return layout->byte_offset == other->byte_offset &&
           memcmp(svi_layout_byte_strides(layout), svi_layout_byte_strides(other), nbytes) == 0;
}

/* Mixes a value into a hash: multiplies by an odd constant and folds the high bits down. */
static uint64_t mix_hash(uint64_t hash, int64_t value)
{
    hash = (hash ^ (uint64_t)value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

uint64_t sv_layout_hash(const sv_layout *layout)
{
    uint64_t hash = 1;
    int32_t count;

    if (svi_layout_check(layout, "layout") != SV_OK)
        return 0;
    hash = mix_hash(mix_hash(hash, layout->ndim), layout->itemsize);
    if (layout->extent.size != 0)
        hash = mix_hash(hash, layout->byte_offset);
    count = layout->extent.size == 0 ? layout->ndim : 2 * layout->ndim; /* the shape, then the byte strides */
    for (int32_t i = 0; i < count; i++)
        hash = mix_hash(hash, layout->values[i]);
    return hash;
}
