/* Operations that choose elements. Each moves the offset to the first element that is left, which may overflow. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "layout/geometry.h"
#include "layout/slice.h"

/* The indices that a Python slice chooses. */
struct taken {
    int64_t first; /* 0 if count is 0 */
    int64_t count;
};

/* Resolves one end of a Python slice and clamps it to the axis. */
static inline int64_t slice_end(int64_t at, int64_t extent, int64_t step)
{
    int64_t low = step < 0 ? -1 : 0, high = extent + low;

    if (at < 0)
        at += extent;
    return at < low ? low : at > high ? high : at;
}

static inline struct taken resolve_slice(int64_t extent, int64_t start, int64_t stop, int64_t step)
{
    int64_t from = slice_end(start, extent, step), to = slice_end(stop, extent, step);
    int64_t distance = step < 0 ? from - to : to - from;

    if (distance <= 0)
        return (struct taken){0, 0};
    if (step != 1 && step != -1)
        distance = (int64_t)((uint64_t)(distance - 1) / svi_abs(step)) + 1;
    return (struct taken){from, distance};
}

/* Moves an offset to an index. An offset that does not fit stays in an empty layout, which has no element there. */
static inline sv_status move_offset(const struct svi_geometry *g, int32_t axis, int64_t index, int64_t *offset)
{
    int64_t moved;

    if (!svi_advance(*offset, index, g->strides[axis], &moved))
        *offset = moved;
    else if (!svi_geometry_is_empty(g))
        return svi_fail(SV_ERROR_OVERFLOW, "the offset of index %" PRId64 " of axis %" PRId32 " does not fit int64",
                        index, axis);
    return SV_OK;
}

/* Slices one axis. A stride that does not fit stays if at most one element is left. */
static inline sv_status slice_axis(const struct svi_geometry *g, int32_t axis, int64_t start, int64_t stop,
                                   int64_t step, int64_t *extent, int64_t *stride, int64_t *offset)
{
    struct taken taken;

    if (step == 0)
        return svi_fail(SV_ERROR_INVALID, "step 0 on axis %" PRId32, axis);
    taken = resolve_slice(g->shape[axis], start, stop, step);
    *extent = taken.count;
    SVI_TRY(move_offset(g, axis, taken.first, offset));
    if (svi_mul(g->strides[axis], step, stride)) {
        if (taken.count > 1 && !svi_geometry_is_empty(g))
            return svi_fail(SV_ERROR_OVERFLOW,
                            "stride %" PRId64 " of axis %" PRId32 " times %" PRId64 " does not fit int64",
                            g->strides[axis], axis, step);
        *stride = g->strides[axis];
    }
    return SV_OK;
}

sv_status svi_geometry_slice(struct svi_geometry *g, int32_t count, const int64_t *start, const int64_t *stop,
                             const int64_t *step)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM], offset = g->byte_offset;
    bool emptied = false;

    if (count > 0) {
        SVI_NEED(start);
        SVI_NEED(stop);
    }
    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "a count of %" PRId32 " slices is negative", count);
    if (count > g->ndim)
        return svi_fail(SV_ERROR_INDEX, "%" PRId32 " slices for %" PRId32 " axes", count, g->ndim);
    for (int32_t i = 0; i < count; i++) {
        SVI_TRY(slice_axis(g, i, start[i], stop[i], step == NULL ? 1 : step[i], &shape[i], &strides[i], &offset));
        emptied = emptied || shape[i] == 0;
    }

    g->byte_offset = offset;
    for (int32_t i = 0; i < count; i++) {
        g->shape[i] = shape[i];
        g->strides[i] = strides[i];
    }
    if (emptied)
        memset(g->strides, 0, (size_t)g->ndim * sizeof *g->strides);
    return SV_OK;
}

sv_status svi_geometry_index(struct svi_geometry *g, int32_t axis, int64_t index)
{
    SVI_TRY(svi_axis_resolve(axis, g->ndim, &axis));
    if (index < -g->shape[axis] || index >= g->shape[axis])
        return svi_fail(SV_ERROR_INDEX, "index %" PRId64 " of axis %" PRId32 " with extent %" PRId64, index, axis,
                        g->shape[axis]);
    if (index < 0)
        index += g->shape[axis];
    SVI_TRY(move_offset(g, axis, index, &g->byte_offset));
    svi_geometry_drop_axis(g, axis);
    return SV_OK;
}

sv_status svi_geometry_flip(struct svi_geometry *g, int32_t count, const int32_t *axes)
{
    int64_t strides[SV_MAX_NDIM], extent, offset = g->byte_offset;
    int32_t turned[SV_MAX_NDIM];

    if (axes == NULL) {
        count = g->ndim;
        for (int32_t i = 0; i < count; i++)
            turned[i] = i;
    } else {
        SVI_TRY(svi_axes_resolve(count, axes, g->ndim, turned));
    }
    for (int32_t i = 0; i < count; i++)
        SVI_TRY(slice_axis(g, turned[i], INT64_MAX, INT64_MIN, -1, &extent, &strides[i], &offset));

    g->byte_offset = offset;
    for (int32_t i = 0; i < count; i++)
        g->strides[turned[i]] = strides[i];
    return SV_OK;
}

/* Elements of an axis from first on. */
static int64_t rest_from(int64_t extent, uint64_t first)
{
    return first < (uint64_t)extent ? extent - (int64_t)first : 0;
}

sv_status svi_geometry_diagonal(struct svi_geometry *g, int64_t offset, int32_t axis, int32_t other)
{
    uint64_t down = offset < 0 ? svi_abs(offset) : 0, right = offset > 0 ? svi_abs(offset) : 0;
    int64_t length, across, stride, start = g->byte_offset;

    SVI_TRY(svi_axis_resolve(axis, g->ndim, &axis));
    SVI_TRY(svi_axis_resolve(other, g->ndim, &other));
    if (axis == other)
        return svi_fail(SV_ERROR_INVALID, "axis %" PRId32 " is given twice", axis);
    length = rest_from(g->shape[axis], down);
    across = rest_from(g->shape[other], right);
    if (across < length)
        length = across;
    if (length > 0) {
        SVI_TRY(move_offset(g, axis, (int64_t)down, &start));
        SVI_TRY(move_offset(g, other, (int64_t)right, &start));
    }
    if (svi_add(g->strides[axis], g->strides[other], &stride)) {
        if (length > 1 && !svi_geometry_is_empty(g))
            return svi_fail(SV_ERROR_OVERFLOW, "strides %" PRId64 " and %" PRId64 " together do not fit int64",
                            g->strides[axis], g->strides[other]);
        stride = 0; /* at most one element is left, or none */
    }

    svi_geometry_drop_axis(g, axis > other ? axis : other);
    svi_geometry_drop_axis(g, axis > other ? other : axis);
    g->shape[g->ndim] = length;
    g->strides[g->ndim++] = stride;
    g->byte_offset = start;
    return SV_OK;
}

/* Adds a window along an axis, whose extent becomes the number of places of the window. */
static sv_status add_window(int32_t axis, int64_t size, int64_t *extent)
{
    if (size < 0)
        return svi_fail(SV_ERROR_INVALID, "a window of %" PRId64 " along axis %" PRId32 " is negative", size, axis);
    if (size > *extent)
        return svi_fail(SV_ERROR_LAYOUT, "a window of %" PRId64 " along axis %" PRId32 " with extent %" PRId64, size,
                        axis, *extent);
    if (svi_sub(*extent, size - 1, extent))
        return svi_fail(SV_ERROR_OVERFLOW, "the places of an empty window along axis %" PRId32 " do not fit int64",
                        axis);
    return SV_OK;
}

sv_status svi_geometry_window(struct svi_geometry *g, int32_t count, const int32_t *axes, const int64_t *window)
{
    int64_t shape[SV_MAX_NDIM], size;
    int32_t along[SV_MAX_NDIM];

    if (count > 0)
        SVI_NEED(window);
    if (count < 0 || (axes == NULL && count != g->ndim))
        return svi_fail(SV_ERROR_INVALID, "%" PRId32 " windows for %" PRId32 " axes", count, g->ndim);
    if (count > SV_MAX_NDIM - g->ndim)
        return svi_fail(SV_ERROR_RANGE, "%" PRId32 " more than %" PRId32 " axes, there can be 0 to %d", count, g->ndim,
                        SV_MAX_NDIM);
    for (int32_t i = 0; i < g->ndim; i++)
        shape[i] = g->shape[i];
    for (int32_t i = 0; i < count; i++) {
        SVI_TRY(svi_axis_resolve(axes == NULL ? i : axes[i], g->ndim, &along[i]));
        SVI_TRY(add_window(along[i], window[i], &shape[along[i]]));
        shape[g->ndim + i] = window[i];
    }
    SVI_TRY(svi_shape_count(g->ndim + count, shape, g->itemsize, &size));

    for (int32_t i = 0; i < count; i++)
        g->strides[g->ndim + i] = g->strides[along[i]];
    svi_geometry_set_axes(g, g->ndim + count, shape, g->strides);
    return SV_OK;
}
