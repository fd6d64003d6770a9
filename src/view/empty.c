/* New arrays: memory of an allocator, and a view of it that owns it. */
#include <inttypes.h>

#include "view/view_buffer.h"
#include "layout/order.h"

/* Gives the only reference to buffer to a view of it through g. */
static sv_status make_view(sv_buffer *buffer, sv_dtype dtype, const struct svi_geometry *g,
                           const struct svi_extent *extent, sv_view **out)
{
    struct svi_view_memory memory;
    sv_status status;

    svi_buffer_become_export(buffer);
    svi_view_of_buffer(buffer, &memory);
    memory.base = (char *)((uintptr_t)memory.base - (uintptr_t)extent->lower);
    memory.dtype = dtype;
    status = svi_view_make(&memory, g, extent, out);
    if (status != SV_OK)
        svi_buffer_unhold(buffer);
    return status;
}

/* g was measured, and its items are those of the type. */
static sv_status make_empty_view(const sv_allocator *allocator, sv_dtype dtype, const struct svi_geometry *g,
                                 const struct svi_extent *extent, uint32_t flags, uintptr_t stream, sv_view **out)
{
    sv_buffer *buffer;

    SVI_TRY(sv_buffer_new(allocator, extent->upper - extent->lower, 0, flags, stream, &buffer));
    return make_view(buffer, dtype, g, extent, out);
}

sv_status sv_empty(const sv_allocator *allocator, sv_dtype dtype, int32_t ndim, const int64_t *shape, uint32_t flags,
                   uintptr_t stream, sv_view **out)
{
    const int64_t itemsize = sv_dtype_itemsize(dtype);
    struct svi_geometry g;
    struct svi_extent extent;

    if (ndim > 0)
        SVI_NEED(shape);
    SVI_NEED(out);
    if (itemsize == 0)
        return svi_fail(SV_ERROR_DTYPE, "0x%" PRIx32 " is no type with items of a known size", dtype);
    SVI_TRY(svi_geometry_read(&g, ndim, shape, NULL, itemsize, itemsize, &extent));
    return make_empty_view(allocator, dtype, &g, &extent, flags, stream, out);
}

sv_status sv_empty_layout(const sv_allocator *allocator, const sv_layout *layout, sv_dtype dtype, uint32_t flags,
                          uintptr_t stream, sv_view **out)
{
    struct svi_geometry g;

    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(out);
    SVI_TRY(svi_dtype_fits(dtype, layout->itemsize));
    svi_layout_load(layout, &g);
    return make_empty_view(allocator, dtype, &g, &layout->extent, flags, stream, out);
}

sv_status sv_empty_like(const sv_allocator *allocator, const sv_view *view, sv_order order, uint32_t flags,
                        uintptr_t stream, sv_view **out)
{
    struct svi_geometry g;
    struct svi_extent extent;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(out);
    if (order != SV_ORDER_C && order != SV_ORDER_F && order != SV_ORDER_K)
        return svi_fail(SV_ERROR_INVALID, "order is %d, not SV_ORDER_C, SV_ORDER_F or SV_ORDER_K", (int)order);
    svi_layout_load(view->layout, &g);
    SVI_TRY(svi_geometry_to_dense(&g, order, 0, NULL, 0));
    SVI_TRY(svi_geometry_measure(&g, &extent));
    return make_empty_view(allocator, view->dtype, &g, &extent, flags, stream, out);
}
