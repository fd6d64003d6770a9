/* Sorts axes by their strides, and makes layouts dense in C, F, K or a given order. */
#include <inttypes.h>

#include "base/checked.h"
#include "layout/geometry.h"
#include "layout/order.h"

void svi_geometry_memory_order(const struct svi_geometry *g, int32_t *axes)
{
    for (int32_t i = 0; i < g->ndim; i++) {
        uint64_t stride = svi_abs(g->strides[i]);
        int32_t place = i;
        for (; place > 0 && svi_abs(g->strides[axes[place - 1]]) < stride; place--)
            axes[place] = axes[place - 1];
        axes[place] = i;
    }
}

void svi_geometry_stride_order(const struct svi_geometry *g, int32_t *axes)
{
    for (int32_t i = 0; i < g->ndim; i++) {
        uint64_t stride = svi_abs(g->strides[i]);
        int32_t place = i;
        for (; place > 0; place--) {
            int32_t last = axes[place - 1];
            uint64_t other = svi_abs(g->strides[last]);
            if (other > stride || (other == stride && g->shape[last] >= g->shape[i]))
                break;
            axes[place] = last;
        }
        axes[place] = i;
    }
}

/* NumPy's order 'K'. A C- or F-contiguous layout stays so, whatever the strides of extents of 1 are. */
static void keep_order(const struct svi_geometry *g, int32_t *axes)
{
    for (int32_t i = 0; i < g->ndim; i++)
        axes[i] = i;
    if (svi_geometry_is_dense(g, axes))
        return;
    for (int32_t i = 0; i < g->ndim; i++)
        axes[i] = g->ndim - 1 - i;
    if (!svi_geometry_is_dense(g, axes))
        svi_geometry_memory_order(g, axes);
}

static sv_status find_order(const struct svi_geometry *g, sv_order order, int32_t ndim, const int32_t *axes,
                            int32_t *slowest_first)
{
    switch (order) {
    case SV_ORDER_C:
    case SV_ORDER_F:
        for (int32_t i = 0; i < g->ndim; i++)
            slowest_first[i] = order == SV_ORDER_C ? i : g->ndim - 1 - i;
        break;
    case SV_ORDER_K: keep_order(g, slowest_first); break;
    case SV_ORDER_AXES:
        if (g->ndim > 0)
            SVI_NEED(axes);
        if (ndim != g->ndim)
            return svi_fail(SV_ERROR_INVALID, "%" PRId32 " axes given for a layout of %" PRId32, ndim, g->ndim);
        return svi_axes_resolve(ndim, axes, ndim, slowest_first);
    default: return svi_fail(SV_ERROR_INVALID, "order %" PRId32 " is unknown", order);
    }
    return SV_OK;
}

sv_status svi_geometry_to_dense(struct svi_geometry *g, sv_order order, int32_t ndim, const int32_t *axes,
                                int64_t itemsize)
{
    const int64_t kept = g->itemsize;
    int32_t slowest_first[SV_MAX_NDIM];
    sv_status status;

    if (itemsize < 0)
        return svi_fail(SV_ERROR_RANGE, "item size of %" PRId64 " bytes, the least is 0, for that of the layout",
                        itemsize);
    SVI_TRY(find_order(g, order, ndim, axes, slowest_first));
    if (itemsize > 0)
        g->itemsize = itemsize;
    status = svi_geometry_set_dense(g, slowest_first);
    if (status != SV_OK) {
        g->itemsize = kept;
        return status;
    }
    g->byte_offset = 0;
    return SV_OK;
}
