/*
 * The public operations, each on a layout handle and on a builder. On a handle it loads the geometry, changes it in
 * place and makes another handle. On a builder it changes the builder's geometry.
 */
#include "layout/layout.h"
#include "layout/layout_builder.h"
#include "layout/axes.h"
#include "layout/merge.h"
#include "layout/order.h"
#include "layout/repack.h"
#include "layout/reshape.h"
#include "layout/slice.h"

/* Checks the arguments of an operation on a handle, and loads the geometry. */
static sv_status load_layout(const sv_layout *layout, sv_layout *const *out, struct svi_geometry *g)
{
    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(out);
    svi_layout_load(layout, g);
    return SV_OK;
}

/* The geometry of a builder for an operation that may reach other elements, or the same ones more often. The extent is
 * measured later, where the rule of layouts is checked. */
static struct svi_geometry *mark_unmeasured(sv_layout_builder *builder)
{
    builder->measured = false;
    return &builder->geometry;
}

sv_status sv_layout_permute(const sv_layout *layout, int32_t ndim, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_permute(&g, ndim, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_permute(sv_layout_builder *builder, int32_t ndim, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_permute(&builder->geometry, ndim, axes);
}

sv_status sv_layout_slice(const sv_layout *layout, int32_t count, const int64_t *start, const int64_t *stop,
                          const int64_t *step, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_slice(&g, count, start, stop, step));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_builder_slice(sv_layout_builder *builder, int32_t count, const int64_t *start, const int64_t *stop,
                                  const int64_t *step)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_slice(mark_unmeasured(builder), count, start, stop, step);
}

sv_status sv_layout_index(const sv_layout *layout, int32_t axis, int64_t index, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_index(&g, axis, index));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_builder_index(sv_layout_builder *builder, int32_t axis, int64_t index)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_index(mark_unmeasured(builder), axis, index);
}

sv_status sv_layout_reshape(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_reshape(&g, ndim, shape));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_reshape(sv_layout_builder *builder, int32_t ndim, const int64_t *shape)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_reshape(&builder->geometry, ndim, shape);
}

sv_status sv_layout_broadcast(const sv_layout *layout, int32_t ndim, const int64_t *shape, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_broadcast(&g, ndim, shape));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_builder_broadcast(sv_layout_builder *builder, int32_t ndim, const int64_t *shape)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_broadcast(mark_unmeasured(builder), ndim, shape);
}

sv_status sv_layout_squeeze(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_squeeze(&g, count, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_squeeze(sv_layout_builder *builder, int32_t count, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_squeeze(&builder->geometry, count, axes);
}

sv_status sv_layout_unsqueeze(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_unsqueeze(&g, count, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_unsqueeze(sv_layout_builder *builder, int32_t count, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_unsqueeze(&builder->geometry, count, axes);
}

sv_status sv_layout_to_dense(const sv_layout *layout, sv_order order, int32_t ndim, const int32_t *axes,
                             int64_t itemsize, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_to_dense(&g, order, ndim, axes, itemsize));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_builder_to_dense(sv_layout_builder *builder, sv_order order, int32_t ndim, const int32_t *axes,
                                     int64_t itemsize)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_to_dense(mark_unmeasured(builder), order, ndim, axes, itemsize);
}

sv_status sv_layout_flatten(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_flatten(&g, start_axis, end_axis));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_flatten(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_flatten(&builder->geometry, start_axis, end_axis);
}

sv_status sv_layout_flatten_masked(const sv_layout *layout, uint64_t mask, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    svi_geometry_flatten_masked(&g, mask);
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_flatten_masked(sv_layout_builder *builder, uint64_t mask)
{
    SVI_TRY(svi_layout_builder_check(builder));
    svi_geometry_flatten_masked(&builder->geometry, mask);
    return SV_OK;
}

sv_status sv_layout_merge_axes(const sv_layout *layout, int32_t start_axis, int32_t end_axis, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_merge_axes(&g, start_axis, end_axis));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_merge_axes(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_merge_axes(&builder->geometry, start_axis, end_axis);
}

sv_status sv_layout_split_axis(const sv_layout *layout, int32_t axis, int32_t count, const int64_t *extents,
                               sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_split_axis(&g, axis, count, extents));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_split_axis(sv_layout_builder *builder, int32_t axis, int32_t count, const int64_t *extents)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_split_axis(&builder->geometry, axis, count, extents);
}

sv_status sv_layout_move_axes(const sv_layout *layout, int32_t count, const int32_t *axes, const int32_t *places,
                              sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_move_axes(&g, count, axes, places));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_move_axes(sv_layout_builder *builder, int32_t count, const int32_t *axes,
                                      const int32_t *places)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_move_axes(&builder->geometry, count, axes, places);
}

sv_status sv_layout_swap_axes(const sv_layout *layout, int32_t axis, int32_t other, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_swap_axes(&g, axis, other));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_swap_axes(sv_layout_builder *builder, int32_t axis, int32_t other)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_swap_axes(&builder->geometry, axis, other);
}

sv_status sv_layout_flip(const sv_layout *layout, int32_t count, const int32_t *axes, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_flip(&g, count, axes));
    return svi_layout_make_measured(&g, &layout->extent, out);
}

sv_status sv_layout_builder_flip(sv_layout_builder *builder, int32_t count, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_flip(&builder->geometry, count, axes);
}

sv_status sv_layout_diagonal(const sv_layout *layout, int64_t offset, int32_t axis, int32_t other, sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_diagonal(&g, offset, axis, other));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_builder_diagonal(sv_layout_builder *builder, int64_t offset, int32_t axis, int32_t other)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_diagonal(mark_unmeasured(builder), offset, axis, other);
}

sv_status sv_layout_window(const sv_layout *layout, int32_t count, const int32_t *axes, const int64_t *window,
                           sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_window(&g, count, axes, window));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_builder_window(sv_layout_builder *builder, int32_t count, const int32_t *axes,
                                   const int64_t *window)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_window(mark_unmeasured(builder), count, axes, window);
}

sv_status sv_layout_repack(const sv_layout *layout, int64_t itemsize, uintptr_t address, int32_t axis, int32_t keep_dim,
                           sv_layout **out)
{
    struct svi_geometry g;

    SVI_TRY(load_layout(layout, out, &g));
    SVI_TRY(svi_geometry_repack(&g, itemsize, address, axis, keep_dim != 0));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_builder_repack(sv_layout_builder *builder, int64_t itemsize, uintptr_t address, int32_t axis,
                                   int32_t keep_dim)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_repack(mark_unmeasured(builder), itemsize, address, axis, keep_dim != 0);
}
