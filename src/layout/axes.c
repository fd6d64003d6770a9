/* Operations that move, remove and add whole axes. Extents and strides only change places, so nothing can overflow. */
#include <inttypes.h>

#include "base/checked.h"
#include "layout/geometry.h"
#include "layout/axes.h"

static void reorder_axes(struct svi_geometry *g, const int32_t *order)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM];

    for (int32_t i = 0; i < g->ndim; i++) {
        shape[i] = g->shape[order[i]];
        strides[i] = g->strides[order[i]];
    }
    svi_geometry_set_axes(g, g->ndim, shape, strides);
}

static void exchange_values(int64_t *values, int32_t i, int32_t k)
{
    int64_t value = values[i];

    values[i] = values[k];
    values[k] = value;
}

static void reverse_axes(struct svi_geometry *g)
{
    for (int32_t i = 0, k = g->ndim - 1; i < k; i++, k--) {
        exchange_values(g->shape, i, k);
        exchange_values(g->strides, i, k);
    }
}

sv_status svi_geometry_permute(struct svi_geometry *g, int32_t ndim, const int32_t *axes)
{
    int32_t order[SV_MAX_NDIM];

    if (axes == NULL) {
        reverse_axes(g);
        return SV_OK;
    }
    if (ndim != g->ndim)
        return svi_fail(SV_ERROR_INVALID, "%" PRId32 " axes given for a layout of %" PRId32, ndim, g->ndim);
    SVI_TRY(svi_axes_resolve(ndim, axes, ndim, order));
    reorder_axes(g, order);
    return SV_OK;
}

sv_status svi_geometry_move_axes(struct svi_geometry *g, int32_t count, const int32_t *axes, const int32_t *places)
{
    int32_t from[SV_MAX_NDIM], to[SV_MAX_NDIM], order[SV_MAX_NDIM], next = 0;
    uint64_t moved = 0, taken = 0;

    if (count > 0) {
        SVI_NEED(axes);
        SVI_NEED(places);
    }
    SVI_TRY(svi_axes_resolve(count, axes, g->ndim, from));
    SVI_TRY(svi_axes_resolve(count, places, g->ndim, to));
    for (int32_t i = 0; i < count; i++) {
        order[to[i]] = from[i];
        moved |= UINT64_C(1) << from[i];
        taken |= UINT64_C(1) << to[i];
    }
    for (int32_t i = 0; i < g->ndim; i++) {
        if (taken >> i & 1)
            continue;
        while (moved >> next & 1)
            next++;
        order[i] = next++;
    }
    reorder_axes(g, order);
    return SV_OK;
}

sv_status svi_geometry_swap_axes(struct svi_geometry *g, int32_t axis, int32_t other)
{
    SVI_TRY(svi_axis_resolve(axis, g->ndim, &axis));
    SVI_TRY(svi_axis_resolve(other, g->ndim, &other));
    exchange_values(g->shape, axis, other);
    exchange_values(g->strides, axis, other);
    return SV_OK;
}

sv_status svi_geometry_squeeze(struct svi_geometry *g, int32_t count, const int32_t *axes)
{
    int32_t given[SV_MAX_NDIM], kept = 0;
    uint64_t drop = 0;

    if (axes == NULL) {
        for (int32_t i = 0; i < g->ndim; i++)
            drop |= (uint64_t)(g->shape[i] == 1) << i;
    } else {
        SVI_TRY(svi_axes_resolve(count, axes, g->ndim, given));
        for (int32_t i = 0; i < count; i++) {
            if (g->shape[given[i]] != 1)
                return svi_fail(SV_ERROR_LAYOUT, "axis %" PRId32 " has extent %" PRId64 ", not 1", given[i],
                                g->shape[given[i]]);
            drop |= UINT64_C(1) << given[i];
        }
    }
    for (int32_t i = 0; i < g->ndim; i++) {
        if (drop >> i & 1)
            continue;
        g->shape[kept] = g->shape[i];
        g->strides[kept++] = g->strides[i];
    }
    g->ndim = kept;
    return SV_OK;
}

/* The stride of a new axis of extent 1 before `axis`: the span of that axis. After the last axis: its stride. */
static int64_t unit_stride(const struct svi_geometry *g, int32_t axis)
{
    int64_t stride;

    if (g->ndim == 0)
        return g->itemsize;
    if (axis == g->ndim)
        return g->strides[axis - 1];
    return svi_mul(g->shape[axis], g->strides[axis], &stride) ? g->strides[axis] : stride;
}

sv_status svi_geometry_unsqueeze(struct svi_geometry *g, int32_t count, const int32_t *axes)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM];
    int32_t places[SV_MAX_NDIM], ndim, old = 0;
    uint64_t added = 0;

    if (count > 0)
        SVI_NEED(axes);
    if (count > SV_MAX_NDIM - g->ndim)
        return svi_fail(SV_ERROR_RANGE, "%" PRId32 " more than %" PRId32 " axes, there can be 0 to %d", count, g->ndim,
                        SV_MAX_NDIM);
    ndim = g->ndim + count;
    SVI_TRY(svi_axes_resolve(count, axes, ndim, places));
    for (int32_t i = 0; i < count; i++)
        added |= UINT64_C(1) << places[i];
    for (int32_t i = 0; i < ndim; i++) {
        bool fresh = added >> i & 1;
        shape[i] = fresh ? 1 : g->shape[old];
        strides[i] = fresh ? unit_stride(g, old) : g->strides[old];
        old += !fresh;
    }
    svi_geometry_set_axes(g, ndim, shape, strides);
    return SV_OK;
}
