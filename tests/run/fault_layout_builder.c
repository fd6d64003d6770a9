/* Calls of the fault suite: the layout builder. */
#include "fault.h"

static sv_status builder_new(struct fault_outputs *o)
{
    return sv_layout_builder_new(&o->builder);
}

static sv_status builder_release(struct fault_outputs *o)
{
    (void)o;
    sv_layout_builder_release(NULL);
    return SV_OK;
}

static sv_status builder_start(struct fault_outputs *o)
{
    (void)o;
    return sv_layout_builder_start(given.builder, given.table);
}

static bool started(struct fault_outputs *o)
{
    return builder_start(o) == SV_OK;
}

static sv_status builder_permute(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_permute(given.builder, 2, given.axes) : SV_ERROR_STATE;
}

static sv_status builder_slice(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_slice(given.builder, 2, given.start, given.stop, NULL) : SV_ERROR_STATE;
}

static sv_status builder_index(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_index(given.builder, 0, -1) : SV_ERROR_STATE;
}

static sv_status builder_reshape(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_reshape(given.builder, 1, given.unit_shape + 1) : SV_ERROR_STATE;
}

static sv_status builder_broadcast(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_broadcast(given.builder, 2, given.shape) : SV_ERROR_STATE;
}

static sv_status builder_squeeze(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_squeeze(given.builder, 0, NULL) : SV_ERROR_STATE;
}

static sv_status builder_unsqueeze(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_unsqueeze(given.builder, 2, given.axes) : SV_ERROR_STATE;
}

static sv_status builder_to_dense(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_to_dense(given.builder, SV_ORDER_F, 0, NULL, 0) : SV_ERROR_STATE;
}

static sv_status builder_flatten(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_flatten(given.builder, 0, -1) : SV_ERROR_STATE;
}

static sv_status builder_flatten_masked(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_flatten_masked(given.builder, 2) : SV_ERROR_STATE;
}

static sv_status builder_merge_axes(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_merge_axes(given.builder, 0, 1) : SV_ERROR_STATE;
}

static sv_status builder_split_axis(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_split_axis(given.builder, 1, 1, given.shape + 1) : SV_ERROR_STATE;
}

static sv_status builder_move_axes(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_move_axes(given.builder, 1, given.axes, given.axes + 1) : SV_ERROR_STATE;
}

static sv_status builder_swap_axes(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_swap_axes(given.builder, 0, 1) : SV_ERROR_STATE;
}

static sv_status builder_flip(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_flip(given.builder, 0, NULL) : SV_ERROR_STATE;
}

static sv_status builder_diagonal(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_diagonal(given.builder, 1, 0, 1) : SV_ERROR_STATE;
}

static sv_status builder_window(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_window(given.builder, 2, NULL, given.start) : SV_ERROR_STATE;
}

static sv_status builder_repack(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_repack(given.builder, 8, 0, 1, 1) : SV_ERROR_STATE;
}

static sv_status builder_finish(struct fault_outputs *o)
{
    return started(o) ? sv_layout_builder_finish(given.builder, &o->layout) : SV_ERROR_STATE;
}

static sv_status builder_view(struct fault_outputs *o)
{
    return started(o) ? sv_view_with_builder(given.whole, given.builder, &o->view) : SV_ERROR_STATE;
}

static const struct fault_row rows[] = {
    {"sv_layout_builder_new", builder_new, ALLOCATES},
    {"sv_layout_builder_release", builder_release, ALLOCATES_NOTHING},
    {"sv_layout_builder_start", builder_start, ALLOCATES_NOTHING},
    {"sv_layout_builder_permute", builder_permute, ALLOCATES_NOTHING},
    {"sv_layout_builder_slice", builder_slice, ALLOCATES_NOTHING},
    {"sv_layout_builder_index", builder_index, ALLOCATES_NOTHING},
    {"sv_layout_builder_reshape", builder_reshape, ALLOCATES_NOTHING},
    {"sv_layout_builder_broadcast", builder_broadcast, ALLOCATES_NOTHING},
    {"sv_layout_builder_squeeze", builder_squeeze, ALLOCATES_NOTHING},
    {"sv_layout_builder_unsqueeze", builder_unsqueeze, ALLOCATES_NOTHING},
    {"sv_layout_builder_to_dense", builder_to_dense, ALLOCATES_NOTHING},
    {"sv_layout_builder_flatten", builder_flatten, ALLOCATES_NOTHING},
    {"sv_layout_builder_flatten_masked", builder_flatten_masked, ALLOCATES_NOTHING},
    {"sv_layout_builder_merge_axes", builder_merge_axes, ALLOCATES_NOTHING},
    {"sv_layout_builder_split_axis", builder_split_axis, ALLOCATES_NOTHING},
    {"sv_layout_builder_move_axes", builder_move_axes, ALLOCATES_NOTHING},
    {"sv_layout_builder_swap_axes", builder_swap_axes, ALLOCATES_NOTHING},
    {"sv_layout_builder_flip", builder_flip, ALLOCATES_NOTHING},
    {"sv_layout_builder_diagonal", builder_diagonal, ALLOCATES_NOTHING},
    {"sv_layout_builder_window", builder_window, ALLOCATES_NOTHING},
    {"sv_layout_builder_repack", builder_repack, ALLOCATES_NOTHING},
    {"sv_layout_builder_finish", builder_finish, ALLOCATES},
    {"sv_view_with_builder", builder_view, ALLOCATES},
};

const struct fault_rows fault_layout_builder = {sizeof rows / sizeof *rows, rows};
