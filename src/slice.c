/* The part of the layout algebra that chooses elements. */
#include <inttypes.h>
#include <string.h>

#include "checked.h"
#include "geometry.h"

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

    SVI_TRY(svi_axis_resolve(axis, g->ndim, &axis));
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
