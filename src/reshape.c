/* The part of the layout algebra that gives the elements another shape. */
#include <inttypes.h>

#include "checked.h"
#include "geometry.h"

static sv_status check_ndim(int32_t ndim, const int64_t *shape)
{
    if (ndim > 0)
        SVI_NEED(shape);
    if (ndim < 0 || ndim > SV_MAX_NDIM)
        return svi_fail(SV_ERROR_RANGE, "%" PRId32 " axes, there can be 0 to %d", ndim, SV_MAX_NDIM);
    return SV_OK;
}

/* Copies shape to out with its -1 replaced by what makes size elements. */
static sv_status find_shape(int64_t size, int32_t ndim, const int64_t *shape, int64_t *out)
{
    int64_t product = 1;
    int32_t unknown = -1;
    bool zero = false, large = false;

    for (int32_t i = 0; i < ndim; i++) {
        out[i] = shape[i];
        if (shape[i] < -1)
            return svi_fail(SV_ERROR_INVALID, "extent %" PRId64 " of axis %" PRId32 " is negative", shape[i], i);
        if (shape[i] == -1 && unknown >= 0)
            return svi_fail(SV_ERROR_INVALID, "axes %" PRId32 " and %" PRId32 " are both -1", unknown, i);
        if (shape[i] == -1)
            unknown = i;
        else if (shape[i] == 0)
            zero = true;
        else
            large = large || svi_mul(product, shape[i], &product);
    }
    if (unknown >= 0 && zero)
        return svi_fail(SV_ERROR_INVALID, "axis %" PRId32 " is -1 beside an extent of 0", unknown);
    if (unknown >= 0 && size == 0)
        out[unknown] = 0;
    else if (unknown >= 0 && !large && size % product == 0)
        out[unknown] = size / product;
    else if (unknown >= 0)
        return svi_fail(SV_ERROR_INVALID, "no extent of axis %" PRId32 " makes %" PRId64 " elements", unknown, size);
    else if (zero ? size != 0 : large || product != size)
        return svi_fail(SV_ERROR_INVALID, "the new shape does not have the %" PRId64 " elements of the layout", size);
    return SV_OK;
}

/* Neighbouring axes that step as one, merged; extents of 1 left out. Innermost last. Returns their number. */
static int32_t merge_runs(const struct svi_geometry *g, int64_t *extents, int64_t *strides)
{
    int32_t count = 0;
    int64_t step;

    for (int32_t i = 0; i < g->ndim; i++) {
        if (g->shape[i] == 1)
            continue;
        if (count > 0 && !svi_mul(g->strides[i], g->shape[i], &step) && step == strides[count - 1])
            extents[count - 1] *= g->shape[i];
        else
            extents[count++] = g->shape[i];
        strides[count - 1] = g->strides[i];
    }
    return count;
}

/*
 * Strides that give the elements of g, not empty, another shape of as many; false when there are none. Each new axis
 * must lie inside one run: from the innermost axis outwards, cut the runs up.
 */
static bool find_strides(const struct svi_geometry *g, int32_t ndim, const int64_t *shape, int64_t *strides)
{
    int64_t extents[SV_MAX_NDIM], steps[SV_MAX_NDIM], left = 1, next;
    int32_t run = merge_runs(g, extents, steps);
    int64_t stride = run > 0 ? steps[run - 1] : g->itemsize;

    for (int32_t i = ndim - 1; i >= 0; i--) {
        if (shape[i] > 1 && left == 1) {
            left = extents[--run];
            stride = steps[run];
        }
        strides[i] = stride;
        if (shape[i] == 1)
            continue;
        if (left % shape[i] != 0)
            return false;
        left /= shape[i];
        if (!svi_mul(stride, shape[i], &next))
            stride = next; /* else the run is used up, and what follows never moves */
    }
    return true;
}

sv_status svi_geometry_reshape(struct svi_geometry *g, int32_t ndim, const int64_t *shape)
{
    int64_t extents[SV_MAX_NDIM], strides[SV_MAX_NDIM] = {0}, size;

    SVI_TRY(check_ndim(ndim, shape));
    SVI_TRY(svi_geometry_size(g, &size));
    SVI_TRY(find_shape(size, ndim, shape, extents));
    if (size > 0 && !find_strides(g, ndim, extents, strides))
        return svi_fail(SV_ERROR_LAYOUT, "the strides do not allow the new shape without a copy");
    svi_geometry_set_axes(g, ndim, extents, strides);
    return SV_OK;
}

sv_status svi_geometry_broadcast(struct svi_geometry *g, int32_t ndim, const int64_t *shape)
{
    int64_t strides[SV_MAX_NDIM];
    int32_t added = ndim - g->ndim;

    SVI_TRY(check_ndim(ndim, shape));
    for (int32_t i = 0; i < ndim; i++)
        if (shape[i] < 0)
            return svi_fail(SV_ERROR_INVALID, "extent %" PRId64 " of axis %" PRId32 " is negative", shape[i], i);
    if (added < 0)
        return svi_fail(SV_ERROR_LAYOUT, "%" PRId32 " axes do not broadcast to %" PRId32, g->ndim, ndim);
    for (int32_t i = 0; i < ndim; i++) {
        int64_t extent = i < added ? 1 : g->shape[i - added];
        if (extent != 1 && extent != shape[i])
            return svi_fail(SV_ERROR_LAYOUT, "extent %" PRId64 " does not broadcast to %" PRId64 " of axis %" PRId32,
                            extent, shape[i], i);
        strides[i] = i < added || extent != shape[i] ? 0 : g->strides[i - added];
    }
    svi_geometry_set_axes(g, ndim, shape, strides);
    return SV_OK;
}
