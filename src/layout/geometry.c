/* Making, checking and measuring a geometry. Layouts are made often, so the ordinary case is one pass over the axes. */
#include "layout/geometry.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"

sv_status svi_geometry_init(struct svi_geometry *g, int32_t ndim, const int64_t *shape, int64_t itemsize)
{
    if (ndim > 0)
        SVI_NEED(shape);
    if (ndim < 0 || ndim > SV_MAX_NDIM)
        return svi_fail(SV_ERROR_RANGE, "%" PRId32 " axes, there can be 0 to %d", ndim, SV_MAX_NDIM);
    if (itemsize < 1)
        return svi_fail(SV_ERROR_RANGE, "item size of %" PRId64 " bytes, the least is 1", itemsize);
    for (int32_t i = 0; i < ndim; i++)
        if (shape[i] < 0)
            return svi_fail(SV_ERROR_INVALID, "extent %" PRId64 " of axis %" PRId32 " is negative", shape[i], i);

    g->ndim = ndim;
    g->itemsize = itemsize;
    g->byte_offset = 0;
    for (int32_t i = 0; i < ndim; i++)
        g->shape[i] = shape[i];
    return SV_OK;
}

void svi_geometry_set_axes(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const int64_t *strides)
{
    g->ndim = ndim;
    for (int32_t i = 0; i < ndim; i++) {
        g->shape[i] = shape[i];
        g->strides[i] = strides[i];
    }
}

void svi_geometry_drop_axis(struct svi_geometry *g, int32_t axis)
{
    g->ndim--;
    for (int32_t i = axis; i < g->ndim; i++) {
        g->shape[i] = g->shape[i + 1];
        g->strides[i] = g->strides[i + 1];
    }
}

bool svi_geometry_is_empty(const struct svi_geometry *g)
{
    for (int32_t i = 0; i < g->ndim; i++)
        if (g->shape[i] == 0)
            return true;
    return false;
}

/* Multiplies the extents. False: the product, or its bytes, does not fit int64. */
static inline bool multiply_shape(int32_t ndim, const int64_t *shape, int64_t itemsize, int64_t *count)
{
    int64_t product = 1, nbytes;
    bool overflow = false;

    for (int32_t i = 0; i < ndim; i++)
        overflow |= svi_mul(product, shape[i], &product);
    *count = product;
    return !(overflow | svi_mul(product, itemsize, &nbytes));
}

/* Counts a shape whose product overflows: 0 if any extent is 0, else an error. */
static sv_status count_large(int32_t ndim, const int64_t *shape, int64_t itemsize, int64_t *size)
{
    for (int32_t i = 0; i < ndim; i++) {
        if (shape[i] == 0) {
            *size = 0;
            return SV_OK;
        }
    }
    return svi_fail(SV_ERROR_OVERFLOW, "the number of elements times %" PRId64 " bytes does not fit int64", itemsize);
}

sv_status svi_shape_count(int32_t ndim, const int64_t *shape, int64_t itemsize, int64_t *size)
{
    int64_t count;

    if (!multiply_shape(ndim, shape, itemsize, &count))
        return count_large(ndim, shape, itemsize, size);
    *size = count;
    return SV_OK;
}

sv_status svi_geometry_measure(const struct svi_geometry *g, struct svi_extent *out)
{
    int64_t size, lower = g->byte_offset, upper;
    bool overflow;

    SVI_TRY(svi_shape_count(g->ndim, g->shape, g->itemsize, &size));
    if (size == 0) {
        *out = (struct svi_extent){0, 0, 0};
        return SV_OK;
    }
    overflow = svi_add(lower, g->itemsize, &upper);
    for (int32_t i = 0; i < g->ndim; i++) {
        int64_t last = g->shape[i] - 1, stride = g->strides[i];

        if (stride < 0)
            overflow |= svi_advance(lower, last, stride, &lower);
        else
            overflow |= svi_advance(upper, last, stride, &upper);
    }
    if (overflow)
        return svi_fail(SV_ERROR_OVERFLOW, "the offset of an element does not fit int64");
    *out = (struct svi_extent){size, lower, upper};
    return SV_OK;
}

sv_status svi_geometry_set_dense(struct svi_geometry *g, const int32_t *axes)
{
    int64_t size = 0, stride = g->itemsize;

    SVI_TRY(svi_shape_count(g->ndim, g->shape, g->itemsize, &size));
    if (size == 0)
        stride = 0;
    for (int32_t i = g->ndim - 1; i >= 0; i--) {
        int32_t axis = axes == NULL ? i : axes[i];
        g->strides[axis] = stride;
        stride *= g->shape[axis]; /* at most size * itemsize */
    }
    return SV_OK;
}

sv_status svi_geometry_set_strides(struct svi_geometry *g, const int64_t *strides, int64_t unit)
{
    int64_t bytes[SV_MAX_NDIM];

    for (int32_t i = 0; i < g->ndim; i++) {
        if (!svi_mul(strides[i], unit, &bytes[i]))
            continue;
        if (g->shape[i] > 1 && !svi_geometry_is_empty(g))
            return svi_fail(SV_ERROR_OVERFLOW, "stride %" PRId64 " of axis %" PRId32 ", in bytes, does not fit int64",
                            strides[i], i);
        bytes[i] = 0;
    }
    for (int32_t i = 0; i < g->ndim; i++)
        g->strides[i] = bytes[i];
    return SV_OK;
}

/* Reads and measures in one pass. False: the shape is empty, or a number does not fit or is wrong. */
static bool read_ordinary(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const int64_t *strides,
                          int64_t unit, int64_t itemsize, struct svi_extent *found)
{
    int64_t size = 1, nbytes, lower = 0, upper = itemsize;
    bool odd = itemsize < 1;

    for (int32_t i = 0; i < ndim; i++) {
        int64_t extent = shape[i], last, stride, reach; /* shape[i] is read once: another thread may change it */

        odd |= extent < 1;
        odd |= svi_mul(size, extent, &size);
        odd |= svi_mul(strides[i], unit, &stride);
        odd |= svi_add(extent, -1, &last);
        odd |= svi_mul(last, stride, &reach);
        odd |= svi_add(lower, reach < 0 ? reach : 0, &lower);
        odd |= svi_add(upper, reach < 0 ? 0 : reach, &upper);
        g->shape[i] = extent;
        g->strides[i] = stride;
    }
    odd |= svi_mul(size, itemsize, &nbytes);
    g->ndim = ndim;
    g->itemsize = itemsize;
    g->byte_offset = 0;
    *found = (struct svi_extent){size, lower, upper};
    return !odd;
}

sv_status svi_geometry_read(struct svi_geometry *g, int32_t ndim, const int64_t *shape, const int64_t *strides,
                            int64_t unit, int64_t itemsize, struct svi_extent *extent)
{
    int64_t copy[SV_MAX_NDIM]; /* checked and used, since another thread may change the caller's array */

    if (ndim >= 0 && ndim <= SV_MAX_NDIM && shape != NULL) {
        if (strides != NULL && read_ordinary(g, ndim, shape, strides, unit, itemsize, extent))
            return SV_OK;
        for (int32_t i = 0; i < ndim; i++)
            copy[i] = shape[i];
        shape = copy;
    }
    SVI_TRY(svi_geometry_init(g, ndim, shape, itemsize));
    SVI_TRY(strides == NULL ? svi_geometry_set_dense(g, NULL) : svi_geometry_set_strides(g, strides, unit));
    return svi_geometry_measure(g, extent);
}

bool svi_geometry_is_dense(const struct svi_geometry *g, const int32_t *axes)
{
    int64_t expected = g->itemsize;

    if (svi_geometry_is_empty(g))
        return true;
    for (int32_t i = g->ndim - 1; i >= 0; i--) {
        int32_t axis = axes == NULL ? i : axes[i];
        if (g->shape[axis] == 1)
            continue;
        if (g->strides[axis] != expected || svi_mul(expected, g->shape[axis], &expected))
            return false;
    }
    return true;
}

sv_status svi_axis_resolve(int32_t axis, int32_t limit, int32_t *out)
{
    if (axis < -limit || axis >= limit)
        return svi_fail(SV_ERROR_INDEX, "axis %" PRId32 " of %" PRId32 " axes", axis, limit);
    *out = axis < 0 ? axis + limit : axis;
    return SV_OK;
}

sv_status svi_axes_resolve(int32_t count, const int32_t *axes, int32_t limit, int32_t *out)
{
    uint64_t seen = 0;

    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "a count of %" PRId32 " axes is negative", count);
    if (count > 0)
        SVI_NEED(axes);
    for (int32_t i = 0; i < count; i++) {
        int32_t axis = 0;
        SVI_TRY(svi_axis_resolve(axes[i], limit, &axis));
        if (seen >> axis & 1)
            return svi_fail(SV_ERROR_INVALID, "axis %" PRId32 " is given twice", axis);
        seen |= UINT64_C(1) << axis;
        out[i] = axis; /* without repeats never more than limit */
    }
    return SV_OK;
}
