/* The public functions of builders. Operations work on the builder's geometry; only the end makes a handle. */
#include "layout/layout_builder.h"

#include "base/alloc.h"
#include "layout/layout.h"
#include "layout/axes.h"
#include "layout/merge.h"
#include "layout/order.h"
#include "layout/repack.h"
#include "layout/reshape.h"
#include "layout/slice.h"

sv_status svi_layout_builder_check(const sv_layout_builder *builder)
{
    SVI_TRY(svi_handle_check((const struct svi_handle *)builder, SVI_TAG_BUILDER, "builder"));
    if (!builder->started)
        return svi_fail(SV_ERROR_STATE, "the builder has no layout to start from");
    return SV_OK;
}

sv_status svi_layout_builder_measure(const sv_layout_builder *builder, struct svi_extent *out)
{
    if (!builder->measured)
        return svi_geometry_measure(&builder->geometry, out);
    *out = builder->extent;
    return SV_OK;
}

/* Checks the rule of layouts after an operation that may reach other elements or more of them. */
static struct svi_geometry *mark_unmeasured(sv_layout_builder *builder)
{
    builder->measured = false;
    return &builder->geometry;
}

sv_status sv_layout_builder_new(sv_layout_builder **out)
{
    sv_layout_builder *builder;

    SVI_NEED(out);
    builder = svi_malloc(sizeof *builder);
    if (builder == NULL)
        return SV_ERROR_MEMORY;
    svi_handle_init(&builder->handle, SVI_TAG_BUILDER);
    builder->started = false;
    *out = builder;
    return SV_OK;
}

void sv_layout_builder_release(sv_layout_builder *builder)
{
    if (builder == NULL || svi_handle_check(&builder->handle, SVI_TAG_BUILDER, "builder") != SV_OK)
        return;
    svi_handle_drop(&builder->handle);
    svi_free(builder);
}

sv_status sv_layout_builder_start(sv_layout_builder *builder, const sv_layout *layout)
{
    SVI_TRY(svi_handle_check((const struct svi_handle *)builder, SVI_TAG_BUILDER, "builder"));
    SVI_TRY(svi_layout_check(layout, "layout"));
    svi_layout_load(layout, &builder->geometry);
    builder->extent = layout->extent;
    builder->measured = true;
    builder->started = true;
    return SV_OK;
}

sv_status sv_layout_builder_finish(const sv_layout_builder *builder, sv_layout **out)
{
    struct svi_extent extent;

    SVI_TRY(svi_layout_builder_check(builder));
    SVI_NEED(out);
    SVI_TRY(svi_layout_builder_measure(builder, &extent));
    return svi_layout_make_measured(&builder->geometry, &extent, out);
}

sv_status sv_layout_builder_permute(sv_layout_builder *builder, int32_t ndim, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_permute(&builder->geometry, ndim, axes);
}

sv_status sv_layout_builder_slice(sv_layout_builder *builder, int32_t count, const int64_t *start, const int64_t *stop,
                                  const int64_t *step)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_slice(mark_unmeasured(builder), count, start, stop, step);
}

sv_status sv_layout_builder_index(sv_layout_builder *builder, int32_t axis, int64_t index)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_index(mark_unmeasured(builder), axis, index);
}

sv_status sv_layout_builder_reshape(sv_layout_builder *builder, int32_t ndim, const int64_t *shape)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_reshape(&builder->geometry, ndim, shape);
}

sv_status sv_layout_builder_broadcast(sv_layout_builder *builder, int32_t ndim, const int64_t *shape)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_broadcast(mark_unmeasured(builder), ndim, shape);
}

sv_status sv_layout_builder_squeeze(sv_layout_builder *builder, int32_t count, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_squeeze(&builder->geometry, count, axes);
}

sv_status sv_layout_builder_unsqueeze(sv_layout_builder *builder, int32_t count, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_unsqueeze(&builder->geometry, count, axes);
}

sv_status sv_layout_builder_to_dense(sv_layout_builder *builder, sv_order order, int32_t ndim, const int32_t *axes,
                                     int64_t itemsize)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_to_dense(mark_unmeasured(builder), order, ndim, axes, itemsize);
}

sv_status sv_layout_builder_flatten(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_flatten(&builder->geometry, start_axis, end_axis);
}

sv_status sv_layout_builder_flatten_masked(sv_layout_builder *builder, uint64_t mask)
{
    SVI_TRY(svi_layout_builder_check(builder));
    svi_geometry_flatten_masked(&builder->geometry, mask);
    return SV_OK;
}

sv_status sv_layout_builder_merge_axes(sv_layout_builder *builder, int32_t start_axis, int32_t end_axis)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_merge_axes(&builder->geometry, start_axis, end_axis);
}

sv_status sv_layout_builder_split_axis(sv_layout_builder *builder, int32_t axis, int32_t count, const int64_t *extents)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_split_axis(&builder->geometry, axis, count, extents);
}

sv_status sv_layout_builder_move_axes(sv_layout_builder *builder, int32_t count, const int32_t *axes,
                                      const int32_t *places)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_move_axes(&builder->geometry, count, axes, places);
}

sv_status sv_layout_builder_swap_axes(sv_layout_builder *builder, int32_t axis, int32_t other)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_swap_axes(&builder->geometry, axis, other);
}

sv_status sv_layout_builder_flip(sv_layout_builder *builder, int32_t count, const int32_t *axes)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_flip(&builder->geometry, count, axes);
}

sv_status sv_layout_builder_diagonal(sv_layout_builder *builder, int64_t offset, int32_t axis, int32_t other)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_diagonal(mark_unmeasured(builder), offset, axis, other);
}

sv_status sv_layout_builder_window(sv_layout_builder *builder, int32_t count, const int32_t *axes,
                                   const int64_t *window)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_window(mark_unmeasured(builder), count, axes, window);
}

sv_status sv_layout_builder_repack(sv_layout_builder *builder, int64_t itemsize, uintptr_t address, int32_t axis,
                                   int32_t keep_dim)
{
    SVI_TRY(svi_layout_builder_check(builder));
    return svi_geometry_repack(mark_unmeasured(builder), itemsize, address, axis, keep_dim != 0);
}
