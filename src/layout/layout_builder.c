/* Builders. Operations (layout_ops.c) change the geometry of a builder; sv_layout_builder_finish() makes the handle. */
#include "layout/layout_builder.h"

#include "base/alloc.h"
#include "layout/layout.h"

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
