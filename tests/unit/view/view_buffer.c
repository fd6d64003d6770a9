/* Views of buffers: what they hold, where they lie, what is refused. */
#include <criterion/criterion.h>
#include <string.h>

#include <dlpack/dlpack.h>

#include "sv.h"

static sv_buffer *make(int64_t nbytes)
{
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_buffer_new(NULL, nbytes, 0, SV_BUFFER_ZERO, 0, &buffer), SV_OK, "%s", sv_last_message());
    return buffer;
}

static _Alignas(64) char cells[128];
static int freed;

static sv_status count_free(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)alignment, (void)stream;
    freed++;
    return SV_OK;
}

static sv_buffer *adopt(uint32_t flags)
{
    sv_buffer *buffer = NULL;

    freed = 0;
    cr_assert_eq(sv_buffer_adopt(cells, sizeof cells, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, flags, 0, count_free, NULL,
                                 &buffer), SV_OK);
    return buffer;
}

Test(view_buffer, views_keep_the_memory_in_place)
{
    sv_buffer *buffer = adopt(0);
    sv_view *view = NULL, *other = NULL;

    cr_assert_eq(sv_view_from_buffer(buffer, NULL, SV_INT32, 8, 0, &view), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_view_data(view), cells + 8);
    cr_expect_eq(sv_view_layout(view) == NULL, 0);
    cr_expect_eq(sv_layout_shape(sv_view_layout(view))[0], ((int64_t)sizeof cells - 8) / 4);
    cr_expect_eq(sv_view_buffer(view), buffer);
    cr_expect_eq(sv_buffer_exports(buffer), 1);
    cr_expect_eq(sv_buffer_close(buffer, 0), SV_ERROR_BLOCKED);
    sv_buffer_release(buffer);
    cr_assert_eq(sv_view_as_readonly(view, &other), SV_OK);
    sv_view_release(view);
    cr_expect_eq(sv_view_buffer(other), buffer);
    cr_expect_eq(freed, 0);
    sv_view_release(other);
    cr_expect_eq(freed, 1);
}

static const struct {
    int64_t stride, offset;
    sv_dtype dtype;
    uint32_t flags;
    sv_status status;
} reads[] = {
    {4, 0, SV_INT32, 0, SV_OK},
    {-4, 28, SV_INT32, 0, SV_OK}, /* below what it counts from */
    {-4, 24, SV_INT32, 0, SV_ERROR_RANGE},
    {4, 4, SV_INT32, 0, SV_ERROR_RANGE},
    {4, 0, SV_INT16, 0, SV_ERROR_DTYPE},
    {4, 0, SV_OPAQUE, SV_READ_ONLY, SV_OK},
    {4, 0, SV_INT32, SV_IS_COPIED, SV_ERROR_INVALID},
    {4, -1, SV_INT32, 0, SV_ERROR_RANGE},
    {4, 33, SV_INT32, 0, SV_ERROR_RANGE},
};

Test(view_buffer, views_through_a_layout_are_within_the_buffer)
{
    static const int64_t extent = 8;
    sv_buffer *buffer = make(32);

    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        sv_layout *layout = NULL;
        sv_view *view = NULL;
        sv_status status;

        cr_assert_eq(sv_layout_new_bytes(1, &extent, &reads[i].stride, 4, &layout), SV_OK);
        status = sv_view_from_buffer(buffer, layout, reads[i].dtype, reads[i].offset, reads[i].flags, &view);
        cr_expect_eq(status, reads[i].status, "row %d: %s", (int)i, sv_last_message());
        cr_expect_eq(sv_buffer_exports(buffer), status == SV_OK);
        sv_view_release(view);
        sv_layout_release(layout);
        cr_expect_eq(sv_buffer_exports(buffer), 0);
    }
    sv_buffer_release(buffer);
}

Test(view_buffer, views_without_a_layout_have_whole_items)
{
    sv_buffer *buffer = make(33), *empty = make(0);
    sv_view *view = NULL;

    cr_expect_eq(sv_view_from_buffer(buffer, NULL, SV_INT32, 0, 0, &view), SV_ERROR_LAYOUT);
    cr_expect_eq(sv_view_from_buffer(buffer, NULL, SV_OPAQUE, 0, 0, &view), SV_ERROR_DTYPE);
    cr_expect_eq(sv_view_from_buffer(buffer, NULL, SV_INT32, 34, 0, &view), SV_ERROR_RANGE);
    cr_expect_null(view);
    cr_expect_eq(sv_view_from_buffer(empty, NULL, SV_INT32, 0, 0, &view), SV_OK);
    sv_view_release(view);
    sv_buffer_release(empty);
    sv_buffer_release(buffer);
}

Test(view_buffer, views_of_slices_hold_the_slice)
{
    sv_buffer *root = adopt(0), *slice = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_buffer_slice(root, 16, 32, SV_READ_ONLY, &slice), SV_OK);
    cr_assert_eq(sv_view_from_buffer(slice, NULL, SV_INT64, 8, 0, &view), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_view_data(view), cells + 24);
    cr_expect_eq(sv_view_buffer(view), slice);
    cr_expect_eq(sv_layout_size(sv_view_layout(view)), 3);
    cr_expect(sv_view_is_readonly(view), "as the slice is");
    cr_expect_eq(sv_buffer_exports(slice), 1);
    cr_expect_eq(sv_buffer_exports(root), 1, "that of the slice");
    cr_expect_eq(sv_buffer_close(slice, 0), SV_ERROR_BLOCKED);
    sv_buffer_release(root);
    sv_buffer_release(slice);
    cr_expect_eq(freed, 0);
    sv_view_release(view);
    cr_expect_eq(freed, 1);
}

/* The bounds of a view of a slice are those of the slice. */
Test(view_buffer, a_layout_does_not_leave_a_slice)
{
    const int64_t extent = 4, backwards = -4, forwards = 4;
    sv_buffer *root = make(64), *slice = NULL;
    sv_layout *down = NULL, *up = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_buffer_slice(root, 16, 16, 0, &slice), SV_OK);
    cr_assert_eq(sv_layout_new_bytes(1, &extent, &backwards, 4, &down), SV_OK);
    cr_assert_eq(sv_layout_new_bytes(1, &extent, &forwards, 4, &up), SV_OK);
    cr_expect_eq(sv_view_from_buffer(slice, down, SV_INT32, 8, 0, &view), SV_ERROR_RANGE);
    cr_expect_eq(sv_view_from_buffer(slice, up, SV_INT32, 4, 0, &view), SV_ERROR_RANGE);
    cr_assert_eq(sv_view_from_buffer(slice, down, SV_INT32, 12, 0, &view), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_view_data(view), (char *)sv_buffer_data(root) + 28);
    sv_view_release(view);
    sv_layout_release(down);
    sv_layout_release(up);
    sv_buffer_release(slice);
    sv_buffer_release(root);
}

Test(view_buffer, read_only)
{
    static const struct {
        uint32_t buffer, view;
        bool read_only;
    } cases[] = {{0, 0, false}, {0, SV_READ_ONLY, true}, {SV_READ_ONLY, 0, true}, {SV_READ_ONLY, SV_READ_ONLY, true}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_buffer *buffer = adopt(cases[i].buffer);
        sv_view *view = NULL;

        cr_assert_eq(sv_view_from_buffer(buffer, NULL, SV_UINT8, 0, cases[i].view, &view), SV_OK);
        cr_expect_eq(sv_view_is_readonly(view), cases[i].read_only, "row %zu", i);
        sv_view_release(view);
        sv_buffer_release(buffer);
    }
}

/* A tensor that was given away holds the buffer as its view did. */
Test(view_buffer, exports_of_views_hold_the_buffer)
{
    sv_buffer *buffer = adopt(0);
    struct DLManagedTensorVersioned *tensor = NULL;
    sv_view *view = NULL, *back = NULL;

    cr_assert_eq(sv_view_from_buffer(buffer, NULL, SV_FLOAT32, 0, 0, &view), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(view, 0, &tensor), SV_OK);
    sv_view_release(view);
    cr_expect_eq(sv_buffer_exports(buffer), 1);
    cr_expect_eq(sv_buffer_close(buffer, 0), SV_ERROR_BLOCKED);
    cr_assert_eq(sv_view_from_dlpack(tensor, 0, &back), SV_OK);
    cr_expect_eq(sv_view_buffer(back), buffer, "a tensor of libsv's own is known again");
    sv_buffer_release(buffer);
    cr_expect_eq(freed, 0);
    sv_view_release(back);
    cr_expect_eq(freed, 1);
}

Test(view_buffer, other_views_have_none)
{
    const int64_t extent = 8;
    sv_view *view = NULL;

    cr_assert_eq(sv_view_from_array(SV_INT8, 1, &extent, NULL, cells, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view), SV_OK);
    cr_expect_null(sv_view_buffer(view));
    sv_view_release(view);
    cr_expect_null(sv_view_buffer(NULL));
}

Test(view_buffer, foreign_memory_keeps_its_device)
{
    sv_buffer *buffer = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_buffer_adopt(cells, 64, SV_MEMORY_FOREIGN, SV_DEVICE_ROCM, 3, SV_BUFFER_BORROWED, 0, NULL, NULL,
                                 &buffer), SV_OK);
    cr_assert_eq(sv_view_from_buffer(buffer, NULL, SV_INT16, 2, 0, &view), SV_OK, "%s", sv_last_message());
    cr_expect(sv_view_device_type(view) == SV_DEVICE_ROCM && sv_view_device_id(view) == 3);
    cr_expect_eq(sv_view_data(view), cells + 2);
    sv_buffer_release(buffer);
    cr_expect_eq(sv_view_buffer(view), buffer);
    sv_view_release(view);
}
