/* Reads the same bytes as items of another size: joins neighbouring items along one axis, or splits them. */
#include <inttypes.h>

#include "base/checked.h"
#include "layout/geometry.h"
#include "layout/repack.h"

/* Checks that the items of an axis are contiguous. Its stride does not matter if nothing moves along it. */
static sv_status check_axis(const struct svi_geometry *g, int32_t axis)
{
    if (g->strides[axis] != g->itemsize && g->shape[axis] != 1 && !svi_geometry_is_empty(g))
        return svi_fail(SV_ERROR_LAYOUT, "axis %" PRId32 " steps %" PRId64 " bytes, not one item of %" PRId64, axis,
                        g->strides[axis], g->itemsize);
    return SV_OK;
}

/* Checks that address, offset, strides and the extent are multiples of the larger item. */
static sv_status check_packing(const struct svi_geometry *g, int64_t itemsize, uintptr_t address, int32_t axis)
{
    int64_t factor = itemsize / g->itemsize;

    if (address % (uint64_t)itemsize != 0)
        return svi_fail(SV_ERROR_ALIGNMENT, "address 0x%" PRIxPTR " is no multiple of %" PRId64, address, itemsize);
    if (g->shape[axis] % factor != 0)
        return svi_fail(SV_ERROR_LAYOUT, "extent %" PRId64 " of axis %" PRId32 " is no multiple of %" PRId64,
                        g->shape[axis], axis, factor);
    if (svi_geometry_is_empty(g))
        return SV_OK;
    if (g->byte_offset % itemsize != 0)
        return svi_fail(SV_ERROR_LAYOUT, "the offset of %" PRId64 " bytes is no multiple of %" PRId64, g->byte_offset,
                        itemsize);
    for (int32_t i = 0; i < g->ndim; i++)
        if (i != axis && g->shape[i] != 1 && g->strides[i] % itemsize != 0)
            return svi_fail(SV_ERROR_LAYOUT,
                            "the stride of %" PRId64 " bytes of axis %" PRId32 " is no multiple of %" PRId64,
                            g->strides[i], i, itemsize);
    return SV_OK;
}

sv_status svi_geometry_repack(struct svi_geometry *g, int64_t itemsize, uintptr_t address, int32_t axis, bool keep_dim)
{
    bool packs = itemsize > g->itemsize;
    int64_t extent;

    if (itemsize < 1)
        return svi_fail(SV_ERROR_RANGE, "item size of %" PRId64 " bytes, the least is 1", itemsize);
    if (itemsize == g->itemsize)
        return SV_OK;
    SVI_TRY(svi_axis_resolve(axis, g->ndim, &axis));
    if ((packs ? itemsize % g->itemsize : g->itemsize % itemsize) != 0)
        return svi_fail(SV_ERROR_INVALID, "items of %" PRId64 " bytes cannot become items of %" PRId64, g->itemsize,
                        itemsize);
    SVI_TRY(check_axis(g, axis));
    if (packs) {
        SVI_TRY(check_packing(g, itemsize, address, axis));
        extent = g->shape[axis] / (itemsize / g->itemsize);
    } else if (svi_mul(g->shape[axis], g->itemsize / itemsize, &extent)) {
        return svi_fail(SV_ERROR_OVERFLOW,
                        "extent %" PRId64 " of axis %" PRId32 " times %" PRId64 " does not fit int64", g->shape[axis],
                        axis, g->itemsize / itemsize);
    }

    g->itemsize = itemsize;
    g->shape[axis] = extent;
    g->strides[axis] = itemsize;
    if (packs && extent == 1 && !keep_dim)
        svi_geometry_drop_axis(g, axis);
    return SV_OK;
}

sv_status svi_geometry_max_itemsize(const struct svi_geometry *g, int64_t limit, uintptr_t address, int32_t axis,
                                    int64_t *out)
{
    uint64_t size = (uint64_t)g->itemsize, whole = (uint64_t)limit, factor;

    SVI_TRY(svi_axis_resolve(axis, g->ndim, &axis));
    if (limit < g->itemsize)
        return svi_fail(SV_ERROR_INVALID, "a limit of %" PRId64 " bytes for items of %" PRId64, limit, g->itemsize);
    *out = g->itemsize;
    if (svi_geometry_is_empty(g) || (g->strides[axis] != g->itemsize && g->shape[axis] != 1))
        return SV_OK;

    /* A larger item divides all of these, and the extent of its axis. */
    whole = svi_gcd(whole, svi_gcd(address, svi_abs(g->byte_offset)));
    for (int32_t i = 0; i < g->ndim; i++)
        if (i != axis && g->shape[i] != 1)
            whole = svi_gcd(whole, svi_abs(g->strides[i]));
    factor = whole % size == 0 ? svi_gcd(whole / size, (uint64_t)g->shape[axis]) : 1;
    *out = (int64_t)(size * factor);
    return SV_OK;
}
