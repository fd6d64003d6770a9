/* Calls of the fault suite: layouts, made and asked. */
#include "fault.h"

static sv_status layout_new(struct fault_outputs *o)
{
    return sv_layout_new(2, given.shape, NULL, 4, &o->layout);
}

static sv_status layout_new_bytes(struct fault_outputs *o)
{
    return sv_layout_new_bytes(2, given.shape, NULL, 4, &o->layout);
}

static sv_status layout_new_dense(struct fault_outputs *o)
{
    return sv_layout_new_dense(2, given.shape, SV_ORDER_AXES, given.axes, 4, &o->layout);
}

static sv_status layout_retain_release(struct fault_outputs *o)
{
    (void)o;
    sv_layout_release(sv_layout_retain(given.table));
    return fault_right(sv_layout_ndim(given.table) == 2);
}

static sv_status layout_ndim(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_ndim(given.table) == 2);
}

static sv_status layout_shape(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_shape(given.table)[1] == 6);
}

static sv_status layout_byte_strides(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_byte_strides(given.table)[0] == 24);
}

static sv_status layout_strides(struct fault_outputs *o)
{
    return sv_layout_strides(given.table, &o->strides);
}

static sv_status layout_itemsize(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_itemsize(given.table) == 4);
}

static sv_status layout_size(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_size(given.table) == 24);
}

static sv_status layout_nbytes(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_nbytes(given.table) == 96);
}

static sv_status layout_byte_offset(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_byte_offset(given.table) == 0);
}

static sv_status layout_is_contiguous(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_is_contiguous(given.table, SV_ORDER_K) == 1);
}

static sv_status layout_byte_bounds(struct fault_outputs *o)
{
    return sv_layout_byte_bounds(given.table, &o->numbers[0], &o->numbers[1]);
}

static sv_status layout_required_size(struct fault_outputs *o)
{
    return sv_layout_required_size(given.table, &o->numbers[0]);
}

static sv_status layout_equal(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_equal(given.table, given.row) == 0);
}

static sv_status layout_parse(struct fault_outputs *o)
{
    return sv_layout_parse("(3, 450):(1, -3)*4+5388", &o->layout);
}

static sv_status layout_is_dense(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_is_dense(given.table) == 1);
}

static sv_status layout_is_within(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_is_within(given.table, 0, 96) == 1);
}

static sv_status layout_alignment(struct fault_outputs *o)
{
    return sv_layout_alignment(given.table, 64, &o->numbers[0]);
}

static sv_status layout_max_itemsize(struct fault_outputs *o)
{
    return sv_layout_max_itemsize(given.table, 16, 0, -1, &o->numbers[0]);
}

static sv_status layout_hash(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_hash(given.table) != sv_layout_hash(given.row));
}

static sv_status layout_text(struct fault_outputs *o)
{
    return sv_layout_text(given.table, sizeof o->text, o->text, &o->length);
}

static sv_status layout_same_bytes(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_layout_same_bytes(given.table, given.row) == 1);
}

static sv_status layout_common(struct fault_outputs *o)
{
    return sv_layout_common(given.row, given.back, &o->layout, &o->other_layout);
}

static sv_status layout_common_itemsize(struct fault_outputs *o)
{
    return sv_layout_common_itemsize(given.row, given.back, 0, 0, 16, &o->numbers[0]);
}

static sv_status layout_broadcast_shape(struct fault_outputs *o)
{
    return sv_layout_broadcast_shape(given.row, given.unit, &o->count, o->extents);
}

static sv_status layout_permutation(struct fault_outputs *o)
{
    return sv_layout_permutation(given.table, given.table, o->axes);
}

static sv_status layout_is_unique(struct fault_outputs *o)
{
    return sv_layout_is_unique(given.table, 0, &o->answer);
}

static sv_status layout_overlap(struct fault_outputs *o)
{
    return sv_layout_overlap(given.table, given.row, 0, 64, 0, &o->answer);
}

static sv_status layout_is_unique_searched(struct fault_outputs *o)
{
    return sv_layout_is_unique(given.coprime, 0, &o->answer);
}

static sv_status layout_is_unique_by_lattice(struct fault_outputs *o)
{
    return sv_layout_is_unique(given.large, 0, &o->answer);
}

static sv_status layout_overlap_searched(struct fault_outputs *o)
{
    return sv_layout_overlap(given.coprime, given.coprime, 64, 64 + 8, 0, &o->answer);
}

static sv_status layout_overlap_by_lattice(struct fault_outputs *o)
{
    return sv_layout_overlap(given.large, given.large, 64, 64 + 8, 0, &o->answer);
}

static const struct fault_row rows[] = {
    {"sv_layout_new", layout_new, ALLOCATES},
    {"sv_layout_new_bytes", layout_new_bytes, ALLOCATES},
    {"sv_layout_new_dense", layout_new_dense, ALLOCATES},
    {"sv_layout_parse", layout_parse, ALLOCATES},
    {"sv_layout_retain", layout_retain_release, ALLOCATES_NOTHING},
    {"sv_layout_release", layout_retain_release, ALLOCATES_NOTHING},
    {"sv_layout_ndim", layout_ndim, ALLOCATES_NOTHING},
    {"sv_layout_shape", layout_shape, ALLOCATES_NOTHING},
    {"sv_layout_byte_strides", layout_byte_strides, ALLOCATES_NOTHING},
    {"sv_layout_strides", layout_strides, ALLOCATES_NOTHING},
    {"sv_layout_itemsize", layout_itemsize, ALLOCATES_NOTHING},
    {"sv_layout_size", layout_size, ALLOCATES_NOTHING},
    {"sv_layout_nbytes", layout_nbytes, ALLOCATES_NOTHING},
    {"sv_layout_byte_offset", layout_byte_offset, ALLOCATES_NOTHING},
    {"sv_layout_is_contiguous", layout_is_contiguous, ALLOCATES_NOTHING},
    {"sv_layout_byte_bounds", layout_byte_bounds, ALLOCATES_NOTHING},
    {"sv_layout_required_size", layout_required_size, ALLOCATES_NOTHING},
    {"sv_layout_equal", layout_equal, ALLOCATES_NOTHING},
    {"sv_layout_is_dense", layout_is_dense, ALLOCATES_NOTHING},
    {"sv_layout_is_within", layout_is_within, ALLOCATES_NOTHING},
    {"sv_layout_alignment", layout_alignment, ALLOCATES_NOTHING},
    {"sv_layout_max_itemsize", layout_max_itemsize, ALLOCATES_NOTHING},
    {"sv_layout_hash", layout_hash, ALLOCATES_NOTHING},
    {"sv_layout_text", layout_text, ALLOCATES_NOTHING},
    {"sv_layout_same_bytes", layout_same_bytes, ALLOCATES_NOTHING},
    {"sv_layout_common", layout_common, ALLOCATES},
    {"sv_layout_common_itemsize", layout_common_itemsize, ALLOCATES_NOTHING},
    {"sv_layout_broadcast_shape", layout_broadcast_shape, ALLOCATES_NOTHING},
    {"sv_layout_permutation", layout_permutation, ALLOCATES_NOTHING},
    {"sv_layout_is_unique", layout_is_unique, ALLOCATES_NOTHING},
    {"sv_layout_overlap", layout_overlap, ALLOCATES_NOTHING},
    {"sv_layout_is_unique", layout_is_unique_searched, ALLOCATES},
    {"sv_layout_is_unique", layout_is_unique_by_lattice, ALLOCATES},
    {"sv_layout_overlap", layout_overlap_searched, ALLOCATES},
    {"sv_layout_overlap", layout_overlap_by_lattice, ALLOCATES},
};

const struct fault_rows fault_layout = {sizeof rows / sizeof *rows, rows};
