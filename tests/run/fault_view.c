/* Calls of the fault suite: views. */
#include <stdio.h>
#include <string.h>

#include "fault.h"

static sv_status view_from_pointer(struct fault_outputs *o)
{
    return sv_view_from_pointer(given.table, SV_INT32, given.cells, sizeof given.cells, 0, &o->view);
}

static sv_status view_new(struct fault_outputs *o)
{
    return sv_view_new(given.table, SV_INT32, given.cells, 0, 96, SV_DEVICE_CPU, 0, 0, fault_end, given.cells,
                       &o->view);
}

static sv_status view_from_dlpack(struct fault_outputs *o)
{
    return sv_view_from_dlpack(&given.versioned, 0, &o->view);
}

static sv_status view_from_dlpack_unversioned(struct fault_outputs *o)
{
    return sv_view_from_dlpack_unversioned(&given.unversioned, 0, &o->view);
}

static sv_status view_from_dltensor(struct fault_outputs *o)
{
    return sv_view_from_dltensor(&given.versioned.dl_tensor, 0, NULL, NULL, &o->view);
}

static sv_status view_from_pep3118(struct fault_outputs *o)
{
    return sv_view_from_pep3118("i", 4, 2, given.shape, NULL, given.cells, 96, 0, fault_end, given.cells, &o->view);
}

/* Names of more fields than fit on the stack. */
static sv_status view_from_long_pep3118(struct fault_outputs *o)
{
    char format[512] = "T{i:0:";

    for (int i = 1; i < 40; i++)
        snprintf(format + strlen(format), 16, "0i:%d:", i);
    strcat(format, "}");
    return sv_view_from_pep3118(format, 4, 2, given.shape, NULL, given.cells, 96, 0, fault_end, given.cells, &o->view);
}

static sv_status view_from_host(struct fault_outputs *o)
{
    return sv_view_from_host(SV_INT32, 2, given.shape, NULL, given.cells, 0, &o->view);
}

static sv_status view_from_array(struct fault_outputs *o)
{
    return sv_view_from_array(SV_INT32, 2, given.shape, NULL, given.cells, SV_DEVICE_CPU, 0, 0, fault_end, given.cells,
                              &o->view);
}

static sv_status view_from_array_interface(struct fault_outputs *o)
{
    return sv_view_from_array_interface("<i4", 2, given.shape, NULL, given.cells, SV_DEVICE_CPU, 0, 0, fault_end,
                                        given.cells, &o->view);
}

static sv_status view_with_layout(struct fault_outputs *o)
{
    return sv_view_with_layout(given.whole, given.row, &o->view);
}

static sv_status view_permute(struct fault_outputs *o)
{
    return sv_view_permute(given.whole, 0, NULL, &o->view);
}

static sv_status view_slice(struct fault_outputs *o)
{
    static const int64_t start[1] = {1}, stop[1] = {INT64_MAX};

    return sv_view_slice(given.whole, 1, start, stop, NULL, &o->view);
}

static sv_status view_index(struct fault_outputs *o)
{
    return sv_view_index(given.whole, 0, 1, &o->view);
}

static sv_status view_reshape(struct fault_outputs *o)
{
    static const int64_t flat[1] = {-1};

    return sv_view_reshape(given.whole, 1, flat, &o->view);
}

static sv_status view_broadcast(struct fault_outputs *o)
{
    const int64_t shape[3] = {2, given.shape[0], given.shape[1]};

    return sv_view_broadcast(given.whole, 3, shape, &o->view);
}

static sv_status view_with_dtype(struct fault_outputs *o)
{
    return sv_view_with_dtype(given.whole, SV_FLOAT32, &o->view);
}

static sv_status view_as_readonly(struct fault_outputs *o)
{
    return sv_view_as_readonly(given.whole, &o->view);
}

static sv_status view_retain_release(struct fault_outputs *o)
{
    (void)o;
    sv_view_release(sv_view_retain(given.whole));
    return fault_right(sv_view_data(given.whole) == given.cells);
}

static sv_status view_data(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_data(given.whole) == given.cells);
}

static sv_status view_layout(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_layout(given.whole) == given.table);
}

static sv_status view_dtype(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_dtype(given.whole) == SV_INT32);
}

static sv_status view_device_type(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_device_type(given.whole) == SV_DEVICE_CPU);
}

static sv_status view_device_id(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_device_id(given.whole) == 0);
}

static sv_status view_is_readonly(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_is_readonly(given.whole) == 0);
}

static sv_status view_references(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_references(given.whole) > 0);
}

static sv_status view_context(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_context(given.whole, NULL) == NULL);
}

static sv_status view_bounds(struct fault_outputs *o)
{
    return sv_view_bounds(given.whole, &o->numbers[0], &o->numbers[1]);
}

static sv_status view_borrow(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_borrow(given.whole) != NULL);
}

static sv_status view_kernel_arg(struct fault_outputs *o)
{
    return sv_view_kernel_arg(given.whole, 2, 4, SV_KERNEL_WRITES | SV_KERNEL_HOST, sizeof o->text, o->text);
}

static sv_status view_overlap(struct fault_outputs *o)
{
    return sv_view_overlap(given.source, given.target, 0, &o->answer);
}

static sv_status view_to_dlpack(struct fault_outputs *o)
{
    return sv_view_to_dlpack(given.whole, 0, &o->versioned);
}

static sv_status view_to_dlpack_unversioned(struct fault_outputs *o)
{
    return sv_view_to_dlpack_unversioned(given.whole, &o->unversioned);
}

static sv_status view_overlap_searched(struct fault_outputs *o)
{
    return sv_view_overlap(given.scattered, given.shifted, 0, &o->answer);
}

static const struct fault_row rows[] = {
    {"sv_view_from_pointer", view_from_pointer, ALLOCATES},
    {"sv_view_new", view_new, TAKES_OWNERSHIP},
    {"sv_view_from_dlpack", view_from_dlpack, TAKES_OWNERSHIP},
    {"sv_view_from_dlpack_unversioned", view_from_dlpack_unversioned, TAKES_OWNERSHIP},
    {"sv_view_from_dltensor", view_from_dltensor, ALLOCATES},
    {"sv_view_from_pep3118", view_from_pep3118, TAKES_OWNERSHIP},
    {"sv_view_from_pep3118", view_from_long_pep3118, TAKES_OWNERSHIP},
    {"sv_view_from_host", view_from_host, ALLOCATES},
    {"sv_view_from_array", view_from_array, TAKES_OWNERSHIP},
    {"sv_view_from_array_interface", view_from_array_interface, TAKES_OWNERSHIP},
    {"sv_view_with_layout", view_with_layout, ALLOCATES},
    {"sv_view_permute", view_permute, ALLOCATES},
    {"sv_view_slice", view_slice, ALLOCATES},
    {"sv_view_index", view_index, ALLOCATES},
    {"sv_view_reshape", view_reshape, ALLOCATES},
    {"sv_view_broadcast", view_broadcast, ALLOCATES},
    {"sv_view_with_dtype", view_with_dtype, ALLOCATES},
    {"sv_view_as_readonly", view_as_readonly, ALLOCATES},
    {"sv_view_retain", view_retain_release, ALLOCATES_NOTHING},
    {"sv_view_release", view_retain_release, ALLOCATES_NOTHING},
    {"sv_view_data", view_data, ALLOCATES_NOTHING},
    {"sv_view_layout", view_layout, ALLOCATES_NOTHING},
    {"sv_view_dtype", view_dtype, ALLOCATES_NOTHING},
    {"sv_view_device_type", view_device_type, ALLOCATES_NOTHING},
    {"sv_view_device_id", view_device_id, ALLOCATES_NOTHING},
    {"sv_view_is_readonly", view_is_readonly, ALLOCATES_NOTHING},
    {"sv_view_references", view_references, ALLOCATES_NOTHING},
    {"sv_view_context", view_context, ALLOCATES_NOTHING},
    {"sv_view_bounds", view_bounds, ALLOCATES_NOTHING},
    {"sv_view_overlap", view_overlap, ALLOCATES_NOTHING},
    {"sv_view_kernel_arg", view_kernel_arg, ALLOCATES_NOTHING},
    {"sv_view_borrow", view_borrow, ALLOCATES_NOTHING},
    {"sv_view_to_dlpack", view_to_dlpack, ALLOCATES},
    {"sv_view_to_dlpack_unversioned", view_to_dlpack_unversioned, ALLOCATES},
    {"sv_view_overlap", view_overlap_searched, ALLOCATES},
};

const struct fault_rows fault_view = {sizeof rows / sizeof *rows, rows};
