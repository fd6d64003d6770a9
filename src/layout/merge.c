/* Merging axes: flatten merges where it can, merge_axes a range or nothing. Layouts are flattened before they are read
 * as runs. */
#include <inttypes.h>

#include "base/checked.h"
#include "layout/geometry.h"
#include "layout/merge.h"

/*
 * The bits i of wanted whose axis continues the run of axes before it. An extent of 1 continues any run, and so does
 * every axis of an empty layout. Callers may clear any of the bits found: a run that begins later has the same steps.
 */
static uint64_t find_runs(const struct svi_geometry *g, uint64_t wanted)
{
    bool empty = svi_geometry_is_empty(g);
    int64_t extent = 1, stride = 0, whole, step;
    uint64_t found = 0;

    for (int32_t i = 0; i < g->ndim; i++) {
        bool free = empty || extent == 1 || g->shape[i] == 1;
        bool joins = free || (!svi_mul(g->strides[i], g->shape[i], &step) && step == stride);
        if (i == 0 || !(wanted >> i & 1) || !joins || svi_mul(extent, g->shape[i], &whole))
            extent = 1, whole = g->shape[i];
        else
            found |= UINT64_C(1) << i;
        if (g->shape[i] != 1 || extent == 1)
            stride = g->strides[i];
        extent = whole;
    }
    return found;
}

/* Merges each axis whose bit is set with the axis before it. */
static void merge_marked_axes(struct svi_geometry *g, uint64_t runs)
{
    int32_t last = -1;

    for (int32_t i = 0; i < g->ndim; i++) {
        bool joins = runs >> i & 1;
        int64_t extent = joins ? g->shape[last] : 1, stride = g->strides[i];
        if (!joins)
            last++;
        else if (g->shape[i] == 1 && extent != 1)
            stride = g->strides[last];
        g->shape[last] = extent * g->shape[i];
        g->strides[last] = stride;
    }
    g->ndim = last + 1;
}

uint64_t svi_geometry_flatten_mask(const struct svi_geometry *g)
{
    return find_runs(g, UINT64_MAX);
}

void svi_geometry_flatten_masked(struct svi_geometry *g, uint64_t mask)
{
    merge_marked_axes(g, find_runs(g, mask));
}

/* The bits of the axes of a range but the first. Shifting by the last axis there can be wraps to 0. */
static uint64_t range_mask(int32_t start, int32_t end)
{
    return start < end ? (UINT64_C(2) << end) - (UINT64_C(2) << start) : 0;
}

sv_status svi_geometry_flatten(struct svi_geometry *g, int32_t start_axis, int32_t end_axis)
{
    int32_t limit = g->ndim > 0 ? g->ndim : 1;

    SVI_TRY(svi_axis_resolve(start_axis, limit, &start_axis));
    SVI_TRY(svi_axis_resolve(end_axis, limit, &end_axis));
    if (g->ndim == 0) {
        g->ndim = 1;
        g->shape[0] = 1;
        g->strides[0] = g->itemsize;
    }
    svi_geometry_flatten_masked(g, range_mask(start_axis, end_axis));
    return SV_OK;
}

sv_status svi_geometry_merge_axes(struct svi_geometry *g, int32_t start_axis, int32_t end_axis)
{
    uint64_t wanted, found;

    SVI_TRY(svi_axis_resolve(start_axis, g->ndim, &start_axis));
    SVI_TRY(svi_axis_resolve(end_axis, g->ndim, &end_axis));
    if (start_axis > end_axis)
        return svi_fail(SV_ERROR_INVALID, "axes from %" PRId32 " to %" PRId32, start_axis, end_axis);
    wanted = range_mask(start_axis, end_axis);
    found = find_runs(g, wanted);
    for (int32_t i = start_axis; i <= end_axis; i++) {
        if (!((wanted & ~found) >> i & 1))
            continue;
        if (svi_geometry_is_empty(g))
            return svi_fail(SV_ERROR_OVERFLOW, "the extents of axes %" PRId32 " to %" PRId32 " do not fit int64",
                            start_axis, end_axis);
        return svi_fail(SV_ERROR_LAYOUT,
                        "axis %" PRId32 ", with extent %" PRId64 " and stride %" PRId64
                        ", does not continue the axis before it",
                        i, g->shape[i], g->strides[i]);
    }
    merge_marked_axes(g, found);
    return SV_OK;
}
