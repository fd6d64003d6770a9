/* Calls of the fault suite: layouts made of others. */
#include "fault.h"

static sv_status layout_permute(struct fault_outputs *o)
{
    return sv_layout_permute(given.table, 2, given.axes, &o->layout);
}

static sv_status layout_slice(struct fault_outputs *o)
{
    return sv_layout_slice(given.table, 2, given.start, given.stop, NULL, &o->layout);
}

static sv_status layout_index(struct fault_outputs *o)
{
    return sv_layout_index(given.table, 0, -1, &o->layout);
}

static sv_status layout_reshape(struct fault_outputs *o)
{
    return sv_layout_reshape(given.row, 2, given.shape, &o->layout);
}

static sv_status layout_broadcast(struct fault_outputs *o)
{
    const int64_t wide[2] = {5, 24};

    return sv_layout_broadcast(given.row, 2, wide, &o->layout);
}

static sv_status layout_squeeze(struct fault_outputs *o)
{
    return sv_layout_squeeze(given.unit, 0, NULL, &o->layout);
}

static sv_status layout_unsqueeze(struct fault_outputs *o)
{
    return sv_layout_unsqueeze(given.row, 2, given.axes, &o->layout);
}

static sv_status layout_to_dense(struct fault_outputs *o)
{
    return sv_layout_to_dense(given.table, SV_ORDER_F, 0, NULL, 0, &o->layout);
}

static sv_status layout_stride_order(struct fault_outputs *o)
{
    return sv_layout_stride_order(given.table, o->axes);
}

static sv_status layout_flatten_mask(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_flatten_mask(given.table) == 2);
}

static sv_status layout_flatten(struct fault_outputs *o)
{
    return sv_layout_flatten(given.table, 0, -1, &o->layout);
}

static sv_status layout_flatten_masked(struct fault_outputs *o)
{
    return sv_layout_flatten_masked(given.table, 2, &o->layout);
}

static sv_status layout_merge_axes(struct fault_outputs *o)
{
    return sv_layout_merge_axes(given.table, 0, 1, &o->layout);
}

static sv_status layout_split_axis(struct fault_outputs *o)
{
    return sv_layout_split_axis(given.row, 0, 2, given.shape, &o->layout);
}

static sv_status layout_move_axes(struct fault_outputs *o)
{
    return sv_layout_move_axes(given.table, 1, given.axes, given.axes + 1, &o->layout);
}

static sv_status layout_swap_axes(struct fault_outputs *o)
{
    return sv_layout_swap_axes(given.table, 0, 1, &o->layout);
}

static sv_status layout_flip(struct fault_outputs *o)
{
    return sv_layout_flip(given.table, 0, NULL, &o->layout);
}

static sv_status layout_diagonal(struct fault_outputs *o)
{
    return sv_layout_diagonal(given.table, 1, 0, 1, &o->layout);
}

static sv_status layout_window(struct fault_outputs *o)
{
    return sv_layout_window(given.table, 2, NULL, given.start, &o->layout);
}

static sv_status layout_repack(struct fault_outputs *o)
{
    return sv_layout_repack(given.table, 8, 0, 1, 1, &o->layout);
}

static const struct fault_row rows[] = {
    {"sv_layout_permute", layout_permute, ALLOCATES},
    {"sv_layout_slice", layout_slice, ALLOCATES},
    {"sv_layout_index", layout_index, ALLOCATES},
    {"sv_layout_reshape", layout_reshape, ALLOCATES},
    {"sv_layout_broadcast", layout_broadcast, ALLOCATES},
    {"sv_layout_squeeze", layout_squeeze, ALLOCATES},
    {"sv_layout_unsqueeze", layout_unsqueeze, ALLOCATES},
    {"sv_layout_to_dense", layout_to_dense, ALLOCATES},
    {"sv_layout_stride_order", layout_stride_order, ALLOCATES_NOTHING},
    {"sv_layout_flatten_mask", layout_flatten_mask, ALLOCATES_NOTHING},
    {"sv_layout_flatten", layout_flatten, ALLOCATES},
    {"sv_layout_flatten_masked", layout_flatten_masked, ALLOCATES},
    {"sv_layout_merge_axes", layout_merge_axes, ALLOCATES},
    {"sv_layout_split_axis", layout_split_axis, ALLOCATES},
    {"sv_layout_move_axes", layout_move_axes, ALLOCATES},
    {"sv_layout_swap_axes", layout_swap_axes, ALLOCATES},
    {"sv_layout_flip", layout_flip, ALLOCATES},
    {"sv_layout_diagonal", layout_diagonal, ALLOCATES},
    {"sv_layout_window", layout_window, ALLOCATES},
    {"sv_layout_repack", layout_repack, ALLOCATES},
};

const struct fault_rows fault_layout_ops = {sizeof rows / sizeof *rows, rows};
