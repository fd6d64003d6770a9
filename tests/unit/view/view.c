#include "view/view.h"

#include <string.h>

#include "support/cells.h"

static void count_release(void *ctx)
{
    ++*(int *)ctx;
}

Test(view, null_handles)
{
    sv_view *out = NULL;
    int64_t lower = 7, upper = 8;

    cr_assert_null(sv_view_retain(NULL));
    sv_view_release(NULL);
    cr_assert_null(sv_view_data(NULL));
    cr_assert_null(sv_view_layout(NULL));
    cr_assert_null(sv_view_borrow(NULL));
    cr_assert_eq(sv_view_dtype(NULL), 0);
    cr_assert_eq(sv_view_device_type(NULL), 0);
    cr_assert_eq(sv_view_device_id(NULL), 0);
    cr_assert_eq(sv_view_is_readonly(NULL), 0);
    cr_assert_eq(sv_view_bounds(NULL, &lower, &upper), SV_ERROR_NULL);
    cr_assert_eq(lower, 7);
    cr_assert_eq(sv_view_with_dtype(NULL, SV_INT8, &out), SV_ERROR_NULL);
    cr_assert_eq(sv_view_as_readonly(NULL, &out), SV_ERROR_NULL);
    cr_assert_null(out);
}

Test(view, bad_arguments)
{
    static const struct {
        const char *name;
        void *base;
        int64_t lower, upper;
        sv_dtype dtype;
        int32_t device_type, device_id;
        uint32_t flags;
        sv_status status;
        const char *message;
    } rows[] = {
        {"good", cells, 0, 400, SV_INT32, 1, 0, 0, SV_OK, ""},
        {"opaque", cells, 0, 400, SV_OPAQUE, 1, 0, SV_READ_ONLY, SV_OK, ""},
        {"limits not known", cells, INT64_MIN, INT64_MAX, SV_INT32, 1, 0, 0, SV_OK, ""},
        {"number on a CPU", cells, 0, 400, SV_INT32, 1, 3, 0, SV_OK, ""},
        {"no address", NULL, 0, 400, SV_INT32, 1, 0, 0, SV_ERROR_NULL, "100 elements"},
        {"too small", cells, 0, 399, SV_INT32, 1, 0, 0, SV_ERROR_RANGE, "bytes 0 to 400"},
        {"starts late", cells, 1, 400, SV_INT32, 1, 0, 0, SV_ERROR_RANGE, "1 to 400"},
        {"negative size", cells, 0, -1, SV_INT32, 1, 0, 0, SV_ERROR_RANGE, "-1"},
        {"another item size", cells, 0, 400, SV_INT64, 1, 0, 0, SV_ERROR_DTYPE, "int64"},
        {"no type", cells, 0, 400, 0x01f9ff, 1, 0, 0, SV_ERROR_DTYPE, "there is no such type"},
        {"unknown flag", cells, 0, 400, SV_INT32, 1, 0, 4, SV_ERROR_INVALID, "0x4"},
        {"flag of exports", cells, 0, 400, SV_INT32, 1, 0, SV_IS_COPIED, SV_ERROR_INVALID, "0x2"},
        {"device 0", cells, 0, 400, SV_INT32, 0, 0, 0, SV_ERROR_DEVICE, "0"},
        {"device 5", cells, 0, 400, SV_INT32, 5, 0, 0, SV_ERROR_DEVICE, "5"},
        {"device 19", cells, 0, 400, SV_INT32, 19, 0, 0, SV_ERROR_DEVICE, "19"},
        {"device -1", cells, 0, 400, SV_INT32, -1, 0, 0, SV_ERROR_DEVICE, "-1"},
        {"device number -2", cells, 0, 400, SV_INT32, 2, -2, 0, SV_ERROR_DEVICE, "-2"},
        {"past the top", (void *)(UINTPTR_MAX - 398), 0, 400, SV_INT32, 2, 0, 0, SV_ERROR_OVERFLOW, "0 to 400"},
        {"up to the top", (void *)(UINTPTR_MAX - 400), 0, 400, SV_INT32, 2, 0, 0, SV_OK, ""},
    };
    sv_layout *layout = row(N);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_view *out = NULL;
        int released = 0;
        sv_status status =
            sv_view_new(layout, rows[i].dtype, rows[i].base, rows[i].lower, rows[i].upper, rows[i].device_type,
                        rows[i].device_id, rows[i].flags, count_release, &released, &out);

        cr_assert_eq(status, rows[i].status, "%s: %s %s", rows[i].name, sv_status_name(status), sv_last_message());
        cr_assert_eq(out != NULL, status == SV_OK, "%s", rows[i].name);
        cr_assert_eq(released, 0, "%s", rows[i].name);
        if (status != SV_OK)
            cr_assert(strstr(sv_last_message(), rows[i].message), "%s: %s", rows[i].name, sv_last_message());
        sv_view_release(out);
        cr_assert_eq(released, status == SV_OK, "%s", rows[i].name);
    }
    sv_layout_release(layout);
}

Test(view, capacity_on_both_sides)
{
    static const struct {
        const char *name;
        int32_t ndim;
        int64_t shape[2], strides[2];
        int64_t lower, upper;
        sv_status status;
    } rows[] = {
        {"whole", 2, {5, 20}, {80, 4}, 0, 400, SV_OK},
        {"one byte short", 2, {5, 20}, {80, 4}, 0, 399, SV_ERROR_RANGE},
        {"last row alone reaches the end", 2, {5, 2}, {80, 4}, 0, 328, SV_OK},
        {"and no further", 2, {5, 2}, {80, 4}, 0, 327, SV_ERROR_RANGE},
        {"backwards", 1, {10}, {-4}, -36, 4, SV_OK},
        {"backwards, short below", 1, {10}, {-4}, -35, 4, SV_ERROR_RANGE},
        {"backwards, short above", 1, {10}, {-4}, -36, 3, SV_ERROR_RANGE},
        {"both ways", 2, {3, 4}, {-40, 4}, -80, 16, SV_OK},
        {"both ways, short below", 2, {3, 4}, {-40, 4}, -79, 16, SV_ERROR_RANGE},
        {"repeated", 1, {1000000}, {0}, 0, 4, SV_OK},
        {"nothing in nothing", 2, {0, 9}, {0, 0}, 0, 0, SV_OK},
        {"one in nothing", 1, {1}, {4}, 0, 0, SV_ERROR_RANGE},
        {"lower limit not known", 1, {10}, {-4}, INT64_MIN, 4, SV_OK},
        {"upper limit not known", 1, {10}, {-4}, -35, INT64_MAX, SV_ERROR_RANGE},
        {"scalar", 0, {0}, {0}, 0, 4, SV_OK},
        {"scalar in three bytes", 0, {0}, {0}, 0, 3, SV_ERROR_RANGE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = bytes_layout(rows[i].ndim, rows[i].shape, rows[i].strides, 4);
        sv_layout *nothing = row(0);
        sv_view *direct = NULL, *root, *again = NULL;

        cr_assert_eq(sv_view_new(layout, SV_INT32, cells + 50, rows[i].lower, rows[i].upper, SV_DEVICE_CPU, 0, 0, NULL,
                                 NULL, &direct),
                     rows[i].status, "%s: %s", rows[i].name, sv_last_message());
        /* The same through a re-view. */
        cr_assert_eq(sv_view_new(nothing, SV_INT32, cells + 50, rows[i].lower, rows[i].upper, SV_DEVICE_CPU, 0, 0,
                                 NULL, NULL, &root),
                     SV_OK, "%s", rows[i].name);
        cr_assert_eq(sv_view_with_layout(root, layout, &again), rows[i].status, "%s", rows[i].name);
        cr_assert_eq(direct != NULL && again != NULL, rows[i].status == SV_OK, "%s", rows[i].name);
        sv_view_release(direct);
        sv_view_release(again);
        sv_view_release(root);
        sv_layout_release(nothing);
        sv_layout_release(layout);
    }
}

Test(view, slice_of_a_review_of_a_slice)
{
    const int64_t table_shape[2] = {5, 20}, start[2] = {2, 3}, stop[2] = {4, 7};
    sv_layout *all = row(N), *table = bytes_layout(2, table_shape, NULL, 4), *too_much = row(N + 1), *part_layout;
    sv_view *whole, *slice, *review, *part, *out = NULL;
    int64_t lower, upper;
    int released = 0;

    cr_assert_eq(sv_view_new(all, SV_INT32, cells, 0, sizeof cells, SV_DEVICE_CPU, 0, 0, count_release, &released,
                             &whole),
                 SV_OK);
    slice = sliced(whole, 10, 90, 2);
    cr_assert_eq(sv_view_data(slice), cells + 10);
    cr_assert_eq(sv_view_with_layout(slice, table, &review), SV_OK);
    cr_assert_eq(sv_view_data(review), cells); /* from the base, not from the slice */
    cr_assert_eq(sv_layout_slice(table, 2, start, stop, NULL, &part_layout), SV_OK);
    cr_assert_eq(sv_view_with_layout(review, part_layout, &part), SV_OK);
    cr_assert_eq(sv_view_data(part), cells + 2 * 20 + 3);
    cr_assert_eq(sv_view_bounds(part, &lower, &upper), SV_OK);
    cr_assert_eq(lower, 0);
    cr_assert_eq(upper, sizeof cells);
    cr_assert_eq(part->root, whole); /* not a chain */
    cr_assert_eq(sv_view_with_layout(part, too_much, &out), SV_ERROR_RANGE);
    cr_assert_null(out);

    /* The memory stays until its last view is gone, in whatever order. */
    sv_view_release(whole);
    sv_view_release(review);
    sv_view_release(slice);
    cr_assert_eq(released, 0);
    cr_assert_eq(sv_view_data(part), cells + 43);
    sv_view_release(part);
    cr_assert_eq(released, 1);
    sv_layout_release(all);
    sv_layout_release(table);
    sv_layout_release(too_much);
    sv_layout_release(part_layout);
}

Test(view, reversed_slice_points_at_its_first_element)
{
    sv_layout *all = row(N);
    sv_view *whole, *back, *again;

    cr_assert_eq(sv_view_from_pointer(all, SV_INT32, cells, sizeof cells, 0, &whole), SV_OK);
    back = sliced(whole, INT64_MAX, INT64_MIN, -1);
    cr_assert_eq(sv_view_data(back), cells + N - 1);
    again = sliced(back, 1, 3, 1);
    cr_assert_eq(sv_view_data(again), cells + N - 2);
    sv_view_release(again);
    sv_view_release(back);
    sv_view_release(whole);
    sv_layout_release(all);
}

Test(view, other_type_and_item_size)
{
    const int64_t one = N / 2;
    sv_layout *all = row(N), *wide = bytes_layout(1, &one, NULL, 8);
    sv_view *view, *floats, *opaque, *items, *doubles, *out = NULL;

    cr_assert_eq(sv_view_from_pointer(all, SV_INT32, cells, sizeof cells, 0, &view), SV_OK);
    cr_assert_eq(sv_view_with_dtype(view, SV_FLOAT32, &floats), SV_OK);
    cr_assert_eq(sv_view_dtype(floats), SV_FLOAT32);
    cr_assert_eq(sv_view_with_dtype(view, SV_FLOAT64, &out), SV_ERROR_DTYPE);
    cr_assert_eq(sv_view_with_layout(view, wide, &out), SV_ERROR_DTYPE);
    cr_assert_null(out);

    /* By way of opaque items the size may change too. */
    cr_assert_eq(sv_view_with_dtype(view, SV_OPAQUE, &opaque), SV_OK);
    cr_assert_eq(sv_view_with_layout(opaque, wide, &items), SV_OK);
    cr_assert_eq(sv_view_with_dtype(items, SV_FLOAT64, &doubles), SV_OK);
    cr_assert_eq(sv_view_data(doubles), cells);
    sv_view_release(view);
    sv_view_release(floats);
    sv_view_release(opaque);
    sv_view_release(items);
    sv_view_release(doubles);
    sv_layout_release(all);
    sv_layout_release(wide);
}

Test(view, read_only_stays)
{
    sv_layout *all = row(N);
    sv_view *view, *fixed, *typed, *part;

    cr_assert_eq(sv_view_from_pointer(all, SV_INT32, cells, sizeof cells, 0, &view), SV_OK);
    cr_assert_eq(sv_view_as_readonly(view, &fixed), SV_OK);
    cr_assert_eq(sv_view_with_dtype(fixed, SV_FLOAT32, &typed), SV_OK);
    part = sliced(typed, 1, 2, 1);
    cr_assert_eq(sv_view_is_readonly(view), 0);
    cr_assert_eq(sv_view_is_readonly(fixed), 1);
    cr_assert_eq(sv_view_is_readonly(part), 1);
    sv_view_release(view);
    sv_view_release(fixed);
    sv_view_release(typed);
    sv_view_release(part);
    sv_layout_release(all);
}
