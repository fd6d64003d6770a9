/* The public operations on layout handles. Each loads the geometry, changes it in place and makes another handle. */
#include "layout/layout.h"
#include "layout/axes.h"
#include "layout/merge.h"
#include "layout/order.h"
#include "layout/repack.h"
#include "layout/reshape.h"
#include "layout/slice.h"

static sv_status load_layout(const sv_layout *layout, sv_layout *const *out, struct svi_geometry *g)
{
    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(out);
    svi_layout_load(layout, g);
    return SV_OK;
}

sv_status sv_layout_permute(const sv_layout *layout, int32_t ndim, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_permute(&g, ndim, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_slice(const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop,
                          const int64_t *step, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_slice(&g, count, start, stop, step));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_index(const sv_layout *layout, int32_t axis, int64_t index, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_index(&g, axis, index));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_reshape(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_reshape(&g, ndim, shape));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_broadcast(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_broadcast(&g, ndim, shape));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_squeeze(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_squeeze(&g, count, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_unsqueeze(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_unsqueeze(&g, count, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_to_dense(const sv_layout *layout, sv_order order, int32_t ndim, const int32_t *axes,
                             int64_t itemsize, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_to_dense(&g, order, ndim, axes, itemsize));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_flatten(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_flatten(&g, start_axis, end_axis));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_flatten_masked(const sv_layout *layout, uint64_t mask, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    svi_geometry_flatten_masked(&g, mask);
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_merge_axes(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_merge_axes(&g, start_axis, end_axis));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_split_axis(const sv_layout *layout, int32_t axis, int32_t count, const int64_t *extents,
                               sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_split_axis(&g, axis, count, extents));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_move_axes(const sv_layout *layout, int32_t count, const int32_t *axes, const int32_t *places,
                              sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_move_axes(&g, count, axes, places));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_swap_axes(const sv_layout *layout, int32_t axis, int32_t other, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_swap_axes(&g, axis, other));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_flip(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_flip(&g, count, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_diagonal(const sv_layout *layout, int64_t offset, int32_t axis, int32_t other, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_diagonal(&g, offset, axis, other));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_window(const sv_layout *layout, int32_t count, const int32_t *axes, const int64_t *window,
                           sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_window(&g, count, axes, window));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_repack(const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim,
                           sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_repack(&g, itemsize, address, axis, keep_dim != 0));
    return svi_layout_make(&g, out);
}
