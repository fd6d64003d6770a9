#include "view/view.h"

#include <string.h>

#include "support/cells.h"

Test(view_query, answers)
{
    sv_layout *layout = row(N);
    sv_view *view;
    int64_t lower, upper;

    cr_assert_eq(sv_view_from_pointer(layout, SV_INT32, cells, sizeof cells, 0, &view), SV_OK);
    cr_assert_eq(sv_view_data(view), cells);
    cr_assert_eq(sv_view_layout(view), layout);
    cr_assert_eq(sv_view_dtype(view), SV_INT32);
    cr_assert_eq(sv_view_device_type(view), SV_DEVICE_CPU);
    cr_assert_eq(sv_view_device_id(view), 0);
    cr_assert_eq(sv_view_is_readonly(view), 0);
    cr_assert_eq(sv_view_bounds(view, &lower, &upper), SV_OK);
    cr_assert_eq(lower, 0);
    cr_assert_eq(upper, sizeof cells);
    sv_layout_release(layout);
    cr_assert_eq(sv_layout_size(sv_view_layout(view)), N); /* kept by the view */
    sv_view_release(view);
}

Test(view_query, references)
{
    sv_layout *layout = row(N);
    sv_view *view, *part;
    struct DLManagedTensorVersioned *tensor;

    cr_assert_eq(sv_view_references(NULL), 0);
    cr_assert_eq(sv_view_from_pointer(layout, SV_INT32, cells, sizeof cells, 0, &view), SV_OK);
    cr_expect_eq(sv_view_references(view), 1);
    part = sliced(view, 0, 2, 1);
    cr_expect_eq(sv_view_references(view), 2);
    cr_expect_eq(sv_view_references(part), 2);
    sv_view_release(view);
    cr_expect_eq(sv_view_references(part), 1); /* and with it those of the memory */
    cr_assert_eq(sv_view_to_dlpack(part, 0, &tensor), SV_OK);
    cr_expect_eq(sv_view_references(part), 2);
    sv_view_retain(part);
    cr_expect_eq(sv_view_references(part), 3);
    tensor->deleter(tensor);
    sv_view_release(part);
    cr_expect_eq(sv_view_references(part), 1);
    sv_view_release(part);
    sv_layout_release(layout);
}

static void let_go(void *ctx)
{
    ++*(int *)ctx;
}

static void let_go_otherwise(void *ctx)
{
    (void)ctx;
}

Test(view_query, context)
{
    sv_layout *layout = row(N);
    struct DLManagedTensorVersioned *tensor;
    sv_view *view, *part, *back;
    int gone = 0;

    cr_assert_null(sv_view_context(NULL, let_go));
    cr_assert_eq(sv_view_new(layout, SV_INT32, cells, 0, sizeof cells, SV_DEVICE_CPU, 0, 0, let_go, &gone, &view), SV_OK);
    part = sliced(view, 0, 2, 1);
    cr_expect_eq(sv_view_context(view, let_go), &gone);
    cr_expect_eq(sv_view_context(part, let_go), &gone);
    cr_expect_null(sv_view_context(view, let_go_otherwise));
    cr_expect_null(sv_view_context(view, NULL));
    sv_view_release(view);
    cr_expect_eq(sv_view_context(part, let_go), &gone);
    sv_view_release(part);
    cr_expect_eq(gone, 1);
    cr_assert_eq(sv_view_from_pointer(layout, SV_INT32, cells, sizeof cells, 0, &view), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(view, 0, &tensor), SV_OK);
    cr_assert_eq(sv_view_from_dlpack(tensor, 0, &back), SV_OK);
    cr_expect_null(sv_view_context(back, let_go));
    sv_view_release(back);
    sv_view_release(view);
    sv_layout_release(layout);
}

Test(view_query, borrowed_struct_tells_the_view)
{
    const int64_t shape[2] = {4, 5};
    sv_layout *layout = bytes_layout(2, shape, NULL, 4), *scalar = bytes_layout(0, NULL, NULL, 4);
    const struct DLManagedTensorVersioned *b;
    sv_view *view, *back, *point;

    cr_assert_eq(sv_view_from_pointer(layout, SV_INT32, cells, sizeof cells, SV_READ_ONLY, &view), SV_OK);
    back = sliced(view, INT64_MAX, INT64_MIN, -2);
    b = sv_view_borrow(back);
    cr_assert_not_null(b);
    cr_assert_eq(b->version.major, 1);
    cr_assert_eq(b->version.minor, 3);
    cr_assert_null(b->manager_ctx);
    cr_assert_null(b->deleter);
    cr_assert_eq(b->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    cr_assert_eq(b->dl_tensor.data, cells + 15);
    cr_assert_eq(b->dl_tensor.byte_offset, 0);
    cr_assert_eq(b->dl_tensor.ndim, 2);
    cr_assert_eq(b->dl_tensor.shape[0], 2);
    cr_assert_eq(b->dl_tensor.shape[1], 5);
    cr_assert_eq(b->dl_tensor.strides[0], -10);
    cr_assert_eq(b->dl_tensor.strides[1], 1);
    cr_assert_eq(b->dl_tensor.dtype.code, kDLInt);
    cr_assert_eq(b->dl_tensor.dtype.bits, 32);
    cr_assert_eq(b->dl_tensor.dtype.lanes, 1);
    cr_assert_eq(b->dl_tensor.device.device_type, kDLCPU);

    cr_assert_eq(sv_view_with_layout(view, scalar, &point), SV_OK);
    b = sv_view_borrow(point);
    cr_assert_eq(b->dl_tensor.ndim, 0);
    cr_assert_null(b->dl_tensor.shape);
    cr_assert_null(b->dl_tensor.strides);
    cr_assert_eq(b->dl_tensor.data, cells);
    sv_view_release(view);
    sv_view_release(back);
    sv_view_release(point);
    sv_layout_release(layout);
    sv_layout_release(scalar);
}

Test(view_query, what_dlpack_cannot_say)
{
    const int64_t shape[3] = {1, 3, 4}, strides[3] = {3, 18, 4};
    sv_layout *odd = bytes_layout(3, shape, strides, 4), *all = row(N);
    sv_view *view, *opaque;
    struct DLManagedTensorVersioned *tensor = NULL;
    struct DLManagedTensor *old = NULL;

    cr_assert_eq(sv_view_from_pointer(odd, SV_INT32, cells, sizeof cells, 0, &view), SV_OK);
    cr_assert_null(sv_view_borrow(view));
    cr_assert(strstr(sv_last_message(), "axis 1 has a stride of 18 bytes"), "%s", sv_last_message());
    cr_assert_eq(sv_view_to_dlpack(view, 0, &tensor), SV_ERROR_LAYOUT);
    cr_assert_eq(sv_view_to_dlpack_unversioned(view, &old), SV_ERROR_LAYOUT);
    cr_assert_eq(sv_view_from_pointer(all, SV_OPAQUE, cells, sizeof cells, 0, &opaque), SV_OK);
    cr_assert_null(sv_view_borrow(opaque));
    cr_assert(strstr(sv_last_message(), "opaque"), "%s", sv_last_message());
    cr_assert_eq(sv_view_to_dlpack(opaque, 0, &tensor), SV_ERROR_DTYPE);
    cr_assert_eq(sv_view_to_dlpack_unversioned(opaque, &old), SV_ERROR_DTYPE);
    cr_assert_null(tensor);
    cr_assert_null(old);
    sv_view_release(view);
    sv_view_release(opaque);
    sv_layout_release(odd);
    sv_layout_release(all);
}

Test(view_query, handles_are_not_added_to)
{
    static const int32_t types[] = {SV_DEVICE_OPENCL, SV_DEVICE_VULKAN, SV_DEVICE_METAL, SV_DEVICE_WEBGPU};
    void *handle = (void *)(UINTPTR_MAX - 3);

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const int64_t stride = -4, extent = 3;
        sv_layout *all = row(N), *below;
        const struct DLManagedTensorVersioned *b;
        sv_view *view, *part, *low, *null;
        int64_t start = -2, stop = INT64_MAX;

        cr_assert_eq(sv_view_new(all, SV_INT32, handle, INT64_MIN, 400, types[i], 0, 0, NULL, NULL, &view), SV_OK, "%s",
                     sv_last_message());
        cr_assert_eq(sv_view_new(all, SV_INT32, NULL, 0, 400, types[i], 0, 0, NULL, NULL, &null), SV_OK);
        part = sliced(view, 10, 90, 2);
        b = sv_view_borrow(part);
        cr_assert_eq(b->dl_tensor.data, handle);
        cr_assert_eq(b->dl_tensor.byte_offset, 40);
        cr_assert_eq(sv_view_data(part), handle);
        sv_layout_release(all);

        /* An offset below the handle has no place in DLPack. */
        all = bytes_layout(1, &extent, &stride, 4);
        cr_assert_eq(sv_layout_slice(all, 1, &start, &stop, NULL, &below), SV_OK);
        cr_assert_eq(sv_view_with_layout(view, below, &low), SV_OK);
        cr_assert_null(sv_view_borrow(low));
        cr_assert(strstr(sv_last_message(), "-4 bytes from a handle"), "%s", sv_last_message());
        sv_view_release(view);
        sv_view_release(null);
        sv_view_release(part);
        sv_view_release(low);
        sv_layout_release(all);
        sv_layout_release(below);
    }
}

Test(view_query, empty_has_no_address)
{
    sv_layout *nothing = row(0), *some = row(1);
    sv_view *view, *out = NULL;

    cr_assert_eq(sv_view_from_pointer(nothing, SV_INT32, NULL, -1, 0, &out), SV_ERROR_RANGE);
    cr_assert_eq(sv_view_from_pointer(nothing, SV_INT32, NULL, 0, 0, &view), SV_OK);
    cr_assert_null(sv_view_data(view));
    cr_assert_null(sv_view_borrow(view)->dl_tensor.data);
    cr_assert_eq(sv_view_with_layout(view, some, &out), SV_ERROR_RANGE);
    sv_view_release(view);
    cr_assert_eq(sv_view_from_pointer(nothing, SV_INT32, NULL, 4, 0, &view), SV_OK);
    cr_assert_eq(sv_view_with_layout(view, some, &out), SV_ERROR_NULL);
    cr_assert_null(out);
    sv_view_release(view);
    sv_layout_release(nothing);
    sv_layout_release(some);
}

Test(view_query, overlap_of_two)
{
    static const struct {
        const char *name;
        int32_t type, id, other_type, other_id;
        sv_answer same, next; /* the same four bytes; the four behind them */
    } rows[] = {
        {"host", SV_DEVICE_CPU, 0, SV_DEVICE_CPU, 0, SV_YES, SV_NO},
        {"one address space", SV_DEVICE_CPU, 0, SV_DEVICE_CUDA_HOST, 0, SV_YES, SV_NO},
        {"one address space, two devices", SV_DEVICE_CUDA, 0, SV_DEVICE_CUDA_MANAGED, 1, SV_YES, SV_NO},
        {"a device of another kind", SV_DEVICE_ROCM, 1, SV_DEVICE_ROCM, 1, SV_YES, SV_NO},
        {"two devices of another kind", SV_DEVICE_ROCM, 0, SV_DEVICE_ROCM, 1, SV_NO, SV_NO},
        {"two kinds", SV_DEVICE_CPU, 0, SV_DEVICE_ROCM_HOST, 0, SV_MAYBE, SV_MAYBE},
        {"handles", SV_DEVICE_VULKAN, 0, SV_DEVICE_VULKAN, 0, SV_YES, SV_MAYBE},
        {"handles of two devices", SV_DEVICE_VULKAN, 0, SV_DEVICE_VULKAN, 1, SV_NO, SV_NO},
    };
    sv_layout *one = row(1), *none = row(0);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_view *view, *same, *next, *empty;
        sv_answer answer = 77;

        cr_assert_eq(sv_view_new(one, SV_INT32, cells, INT64_MIN, INT64_MAX, rows[i].type, rows[i].id, 0, NULL, NULL,
                                 &view), SV_OK);
        cr_assert_eq(sv_view_new(one, SV_INT32, cells, INT64_MIN, INT64_MAX, rows[i].other_type, rows[i].other_id, 0,
                                 NULL, NULL, &same), SV_OK);
        cr_assert_eq(sv_view_new(one, SV_INT32, cells + 1, INT64_MIN, INT64_MAX, rows[i].other_type, rows[i].other_id,
                                 0, NULL, NULL, &next), SV_OK);
        cr_assert_eq(sv_view_with_layout(same, none, &empty), SV_OK);
        cr_expect_eq(sv_view_overlap(view, same, -1, &answer), SV_ERROR_INVALID, "%s", rows[i].name);
        cr_expect_eq(answer, 77, "%s: written by a failed call", rows[i].name);
        cr_expect_eq(sv_view_overlap(view, same, 0, &answer), SV_OK, "%s", rows[i].name);
        cr_expect_eq(answer, rows[i].same, "%s: the same is %d", rows[i].name, answer);
        cr_expect_eq(sv_view_overlap(view, next, 0, &answer), SV_OK, "%s", rows[i].name);
        cr_expect_eq(answer, rows[i].next, "%s: the next is %d", rows[i].name, answer);
        cr_expect_eq(sv_view_overlap(empty, view, 0, &answer), SV_OK, "%s", rows[i].name);
        cr_expect_eq(answer, SV_NO, "%s: nothing is %d", rows[i].name, answer);
        sv_view_release(empty);
        sv_view_release(next);
        sv_view_release(same);
        sv_view_release(view);
    }
    sv_layout_release(none);
    sv_layout_release(one);
}
