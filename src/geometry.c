#include "geometry.h"

#include <inttypes.h>
#include <string.h>

#include "checked.h"

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

bool svi_geometry_is_empty(const struct svi_geometry *g)
{
    for (int32_t i = 0; i < g->ndim; i++)
        if (g->shape[i] == 0)
            return true;
    return false;
}

sv_status svi_geometry_size(const struct svi_geometry *g, int64_t *out)
{
    int64_t size = 1;
    bool overflow = false;

    for (int32_t i = 0; i < g->ndim; i++) {
        if (g->shape[i] == 0) {
            *out = 0;
            return SV_OK;
        }
        overflow = overflow || svi_mul(size, g->shape[i], &size);
    }
    if (overflow)
        return svi_fail(SV_ERROR_OVERFLOW, "the number of elements does not fit int64");
    *out = size;
    return SV_OK;
}

static sv_status count_bytes(const struct svi_geometry *g, int64_t *size, int64_t *nbytes)
{
    int64_t count;

    SVI_TRY(svi_geometry_size(g, &count));
    if (svi_mul(count, g->itemsize, nbytes))
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " elements of %" PRId64 " bytes do not fit int64", count,
                        g->itemsize);
    *size = count;
    return SV_OK;
}

sv_status svi_geometry_measure(const struct svi_geometry *g, struct svi_extent *out)
{
    struct svi_extent extent = {0, 0, 0};
    int64_t nbytes, lower = g->byte_offset, upper = g->byte_offset;
    bool overflow;

    SVI_TRY(count_bytes(g, &extent.size, &nbytes));
    if (extent.size == 0) {
        *out = extent;
        return SV_OK;
    }
    overflow = svi_add(upper, g->itemsize, &upper);
    for (int32_t i = 0; i < g->ndim && !overflow; i++) {
        int64_t *end = g->strides[i] < 0 ? &lower : &upper;
        overflow = svi_advance(*end, g->shape[i] - 1, g->strides[i], end);
    }
    if (overflow)
        return svi_fail(SV_ERROR_OVERFLOW, "the offset of an element does not fit int64");
    extent.lower = lower;
    extent.upper = upper;
    *out = extent;
    return SV_OK;
}

sv_status svi_geometry_set_dense(struct svi_geometry *g, const int32_t *axes)
{
    int64_t size = 0, nbytes, stride = g->itemsize;

    SVI_TRY(count_bytes(g, &size, &nbytes));
    if (size == 0)
        stride = 0;
    for (int32_t i = g->ndim - 1; i >= 0; i--) {
        int32_t axis = axes == NULL ? i : axes[i];
        g->strides[axis] = stride;
        stride *= g->shape[axis]; /* at most nbytes */
    }
    return SV_OK;
}

sv_status svi_geometry_set_strides(struct svi_geometry *g, const int64_t *strides, int64_t unit)
{
    int64_t bytes[SV_MAX_NDIM];
    bool empty = svi_geometry_is_empty(g);

    for (int32_t i = 0; i < g->ndim; i++) {
        if (!svi_mul(strides[i], unit, &bytes[i]))
            continue;
        if (g->shape[i] > 1 && !empty)
            return svi_fail(SV_ERROR_OVERFLOW, "stride %" PRId64 " of axis %" PRId32 ", in bytes, does not fit int64",
                            strides[i], i);
        bytes[i] = 0;
    }
    for (int32_t i = 0; i < g->ndim; i++)
        g->strides[i] = bytes[i];
    return SV_OK;
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

static sv_status resolve_axis(int32_t axis, int32_t limit, int32_t *out)
{
    if (axis < -limit || axis >= limit)
        return svi_fail(SV_ERROR_INDEX, "axis %" PRId32 " of %" PRId32 " axes", axis, limit);
    *out = axis < 0 ? axis + limit : axis;
    return SV_OK;
}

sv_status svi_axes_resolve(int32_t count, const int32_t *axes, int32_t limit, int32_t *out)
{
    int32_t resolved[SV_MAX_NDIM];
    uint64_t seen = 0;

    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "a count of %" PRId32 " axes is negative", count);
    if (count > 0)
        SVI_NEED(axes);
    for (int32_t i = 0; i < count; i++) {
        int32_t axis = 0;
        SVI_TRY(resolve_axis(axes[i], limit, &axis));
        if (seen >> axis & 1)
            return svi_fail(SV_ERROR_INVALID, "axis %" PRId32 " is given twice", axis);
        seen |= UINT64_C(1) << axis;
        resolved[i] = axis; /* without repeats never more than limit */
    }
    for (int32_t i = 0; i < count; i++)
        out[i] = resolved[i];
    return SV_OK;
}

sv_status svi_geometry_permute(struct svi_geometry *g, int32_t ndim, const int32_t *axes)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM];
    int32_t order[SV_MAX_NDIM];

    if (axes == NULL) {
        for (int32_t i = 0; i < g->ndim; i++)
            order[i] = g->ndim - 1 - i;
    } else if (ndim != g->ndim) {
        return svi_fail(SV_ERROR_INVALID, "%" PRId32 " axes given for a layout of %" PRId32, ndim, g->ndim);
    } else {
        SVI_TRY(svi_axes_resolve(ndim, axes, ndim, order));
    }
    for (int32_t i = 0; i < g->ndim; i++) {
        shape[i] = g->shape[order[i]];
        strides[i] = g->strides[order[i]];
    }
    for (int32_t i = 0; i < g->ndim; i++) {
        g->shape[i] = shape[i];
        g->strides[i] = strides[i];
    }
    return SV_OK;
}

/* One end of a Python slice, cut to the axis. */
static int64_t slice_end(int64_t at, int64_t extent, int64_t step)
{
    int64_t low = step < 0 ? -1 : 0, high = step < 0 ? extent - 1 : extent;

    if (at < 0)
        at += extent;
    return at < low ? low : at > high ? high : at;
}

/* Number of indices a Python slice takes; the first of them if there are any. */
static int64_t slice_count(int64_t extent, int64_t start, int64_t stop, int64_t step, int64_t *first)
{
    int64_t from = slice_end(start, extent, step), to = slice_end(stop, extent, step);
    int64_t distance = step < 0 ? from - to : to - from;

    if (distance <= 0)
        return 0;
    *first = from;
    return step == 1 || step == -1 ? distance : (int64_t)((uint64_t)(distance - 1) / svi_abs(step)) + 1;
}

/* One axis of a slice. An axis left with one index never moves: a stride that does not fit then stays. */
static sv_status slice_axis(const struct svi_geometry *g, int32_t axis, int64_t start, int64_t stop, int64_t step,
                            int64_t *extent, int64_t *stride, int64_t *offset)
{
    int64_t first = 0;

    if (step == 0)
        return svi_fail(SV_ERROR_INVALID, "step 0 on axis %" PRId32, axis);
    *extent = slice_count(g->shape[axis], start, stop, step, &first);
    if (svi_advance(*offset, first, g->strides[axis], offset))
        return svi_fail(SV_ERROR_OVERFLOW, "the offset of index %" PRId64 " of axis %" PRId32 " does not fit int64",
                        first, axis);
    if (svi_mul(g->strides[axis], step, stride)) {
        if (*extent > 1)
            return svi_fail(SV_ERROR_OVERFLOW, "stride %" PRId64 " of axis %" PRId32 " times %" PRId64
                            " does not fit int64", g->strides[axis], axis, step);
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
    int64_t offset;

    SVI_TRY(resolve_axis(axis, g->ndim, &axis));
    if (index < -g->shape[axis] || index >= g->shape[axis])
        return svi_fail(SV_ERROR_INDEX, "index %" PRId64 " of axis %" PRId32 " with extent %" PRId64, index, axis,
                        g->shape[axis]);
    if (index < 0)
        index += g->shape[axis];
    if (svi_advance(g->byte_offset, index, g->strides[axis], &offset))
        return svi_fail(SV_ERROR_OVERFLOW, "the offset of index %" PRId64 " of axis %" PRId32 " does not fit int64",
                        index, axis);

    g->byte_offset = offset;
    g->ndim--;
    for (int32_t i = axis; i < g->ndim; i++) {
        g->shape[i] = g->shape[i + 1];
        g->strides[i] = g->strides[i + 1];
    }
    return SV_OK;
}
