/* Merging axes, and splitting one, which is in reshape.c. */
#include "support/layouts.h"

/* Whether two neighbouring axes of a layout that is not empty step as one. */
static bool step_as_one(const sv_layout *layout, int32_t axis)
{
    const int64_t *shape = sv_layout_shape(layout), *strides = sv_layout_byte_strides(layout);

    return shape[axis] == 1 || shape[axis + 1] == 1 || strides[axis] == shape[axis + 1] * strides[axis + 1];
}

Test(merge, flatten_keeps_elements_and_leaves_nothing_to_merge)
{
    int fewer = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(6), *flat, *again;
        int32_t ndim = sv_layout_ndim(layout), last = ndim > 0 ? ndim - 1 : 0;
        int32_t start = (int32_t)test_between(0, last), end = (int32_t)test_between(start, last), behind;

        cr_assert_eq(sv_layout_flatten(layout, start, end - last - 1, &flat), SV_OK, "%s", sv_last_message());
        cr_assert(test_same_offsets(layout, flat));
        cr_assert_eq(sv_layout_byte_offset(flat), sv_layout_byte_offset(layout));
        behind = last - end;
        for (int32_t k = start; k + 1 < sv_layout_ndim(flat) - behind && sv_layout_size(flat) > 0; k++)
            cr_assert_not(step_as_one(flat, k), "axis %d", k);
        for (int32_t k = 0; k < start; k++)
            cr_assert_eq(sv_layout_shape(flat)[k], sv_layout_shape(layout)[k]);
        for (int32_t k = 1; k <= behind; k++)
            cr_assert_eq(sv_layout_shape(flat)[sv_layout_ndim(flat) - k], sv_layout_shape(layout)[ndim - k]);
        fewer += sv_layout_ndim(flat) < ndim;
        cr_assert_eq(sv_layout_flatten(flat, start, -1 - behind, &again), SV_OK, "%s", sv_last_message());
        cr_assert(sv_layout_equal(flat, again), "again");
        sv_layout_release(again);
        sv_layout_release(flat);
        sv_layout_release(layout);
    }
    cr_assert_gt(fewer, test_cases() / 8);
}

/* Another layout of the same shape. */
static sv_layout *other_of(const sv_layout *layout)
{
    sv_layout *other;
    int32_t ndim = sv_layout_ndim(layout), axes[8];

    test_shuffle(ndim, axes);
    cr_assert_eq(sv_layout_to_dense(layout, test_between(0, 2) ? SV_ORDER_C : SV_ORDER_AXES, ndim, axes, 0, &other),
                 SV_OK);
    return other;
}

Test(merge, masks_hold_for_two_layouts_and_for_fewer_bits)
{
    int fewer = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(6), *other = other_of(layout), *flat, *other_flat, *all;
        uint64_t mask = sv_layout_flatten_mask(layout), both = mask & sv_layout_flatten_mask(other);
        int32_t ndim = sv_layout_ndim(layout);

        cr_assert_eq(mask & ~((UINT64_C(2) << (ndim > 0 ? ndim - 1 : 0)) - 2), 0, "no such axes");
        both &= test_between(0, 1) ? UINT64_MAX : test_random();
        cr_assert_eq(sv_layout_flatten_masked(layout, both, &flat), SV_OK);
        cr_assert_eq(sv_layout_flatten_masked(other, both, &other_flat), SV_OK);
        cr_assert(test_same_offsets(layout, flat) && test_same_offsets(other, other_flat));
        cr_assert_eq(sv_layout_ndim(flat), ndim - __builtin_popcountll(both));
        cr_assert_eq(sv_layout_ndim(other_flat), sv_layout_ndim(flat));
        cr_assert_arr_eq(sv_layout_shape(flat), sv_layout_shape(other_flat),
                         (size_t)sv_layout_ndim(flat) * sizeof(int64_t));
        fewer += both != 0;
        sv_layout_release(other_flat);
        sv_layout_release(flat);

        cr_assert_eq(sv_layout_flatten_masked(layout, UINT64_MAX, &all), SV_OK);
        cr_assert_eq(sv_layout_flatten(layout, 0, -1, &flat), SV_OK);
        cr_assert(ndim == 0 || sv_layout_equal(all, flat));
        sv_layout_release(flat);
        sv_layout_release(all);
        sv_layout_release(other);
        sv_layout_release(layout);
    }
    cr_assert_gt(fewer, test_cases() / 10);
}

Test(merge, split_and_merge)
{
    int done = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(4), *split, *shaped, *merged;
        int32_t ndim = sv_layout_ndim(layout), axis, count = 0;
        int64_t extents[8], shape[16], left;

        if (ndim == 0) {
            sv_layout_release(layout);
            continue;
        }
        axis = (int32_t)test_between(0, ndim - 1);
        left = sv_layout_shape(layout)[axis];
        while (left > 1 && count < 4) {
            int64_t extent = test_between(1, left);
            if (left % extent == 0)
                extents[count++] = extent, left /= extent;
        }
        if (left != 1 || count == 0)
            extents[count++] = left;
        memcpy(shape, sv_layout_shape(layout), (size_t)axis * sizeof *shape);
        memcpy(shape + axis, extents, (size_t)count * sizeof *shape);
        memcpy(shape + axis + count, sv_layout_shape(layout) + axis + 1, (size_t)(ndim - axis - 1) * sizeof *shape);
        if (left != 0 && test_between(0, 1))
            extents[test_between(0, count - 1)] = -1;
        cr_assert_eq(sv_layout_split_axis(layout, axis - ndim, count, extents, &split), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_layout_ndim(split), ndim - 1 + count);
        cr_assert_arr_eq(sv_layout_shape(split), shape, (size_t)(ndim - 1 + count) * sizeof *shape);
        cr_assert(test_same_offsets(layout, split));
        cr_assert_eq(sv_layout_reshape(layout, ndim - 1 + count, shape, &shaped), SV_OK, "what splits reshapes");
        cr_assert(test_same_offsets(shaped, split));
        cr_assert_eq(sv_layout_merge_axes(split, axis, axis + count - 1, &merged), SV_OK, "%s", sv_last_message());
        cr_assert_arr_eq(sv_layout_shape(merged), sv_layout_shape(layout), (size_t)ndim * sizeof *shape);
        cr_assert(test_same_offsets(layout, merged));
        done++;
        sv_layout_release(merged);
        sv_layout_release(shaped);
        sv_layout_release(split);
        sv_layout_release(layout);
    }
    cr_assert_gt(done, test_cases() / 2);
}

Test(merge, merges_what_reshapes_into_one)
{
    int made = 0, refused = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *merged = untouched, *shaped = untouched;
        int32_t ndim = sv_layout_ndim(layout), start, end;
        int64_t shape[8], extent = 1;
        sv_status status;

        if (ndim > 0 && sv_layout_size(layout) > 0) {
            start = (int32_t)test_between(0, ndim - 1);
            end = (int32_t)test_between(start < ndim - 1 && i % 4 ? start + 1 : start, ndim - 1);
            for (int32_t k = 0; k < start; k++)
                shape[k] = sv_layout_shape(layout)[k];
            for (int32_t k = start; k <= end; k++)
                extent *= sv_layout_shape(layout)[k];
            shape[start] = extent;
            for (int32_t k = end + 1; k < ndim; k++)
                shape[k - end + start] = sv_layout_shape(layout)[k];
            status = sv_layout_merge_axes(layout, start, end, &merged);
            cr_assert_eq(sv_layout_reshape(layout, ndim - end + start, shape, &shaped), status);
            if (status == SV_OK) {
                cr_assert(test_same_offsets(merged, shaped));
                cr_assert_eq(sv_layout_ndim(merged), ndim - end + start);
                sv_layout_release(shaped);
                sv_layout_release(merged);
                made++;
            } else {
                cr_assert_eq(status, SV_ERROR_LAYOUT);
                cr_assert_eq(merged, untouched);
                refused++;
            }
        }
        sv_layout_release(layout);
    }
    cr_assert_gt(made, test_cases() / 4);
    cr_assert_gt(refused, test_cases() / 10, "%d refused", refused);
}

/* --- results in numbers, and what is refused ------------------------------- */

Test(merge, flatten_numbers)
{
    static const struct {
        const char *name;
        int32_t ndim, start, end;
        int64_t shape[5], strides[5];
        uint64_t mask;
        int32_t new_ndim;
        int64_t new_shape[5], result[5];
    } rows[] = { /* 1 byte */
        {"C order", 3, 0, -1, {4, 5, 3}, {15, 3, 1}, 6, 1, {60}, {1}},
        {"a range", 5, 1, 3, {5, 1, 2, 4, 2}, {24, 24, 12, 3, -2}, 14, 3, {5, 8, 2}, {24, 3, -2}},
        {"a range that ends first", 2, 1, 0, {2, 3}, {3, 1}, 2, 2, {2, 3}, {3, 1}},
        {"backward", 2, 0, 1, {2, 3}, {-3, -1}, 2, 1, {6}, {-1}},
        {"repeated", 2, 0, 1, {2, 3}, {0, 0}, 2, 1, {6}, {0}},
        {"an extent of 1 between two runs", 3, 0, 2, {5, 1, 7}, {100, 3, 1}, 2, 2, {5, 7}, {100, 1}},
        {"an extent of 1 inside one run", 3, 0, 2, {5, 1, 7}, {7, 3, 1}, 6, 1, {35}, {1}},
        {"an extent of 1 in front", 2, 0, 1, {1, 6}, {100, 2}, 2, 1, {6}, {2}},
        {"an extent of 1 behind", 2, 0, 1, {6, 1}, {2, 9}, 2, 1, {6}, {2}},
        {"extents of 1 alone", 3, 0, -1, {1, 1, 1}, {7, 8, 9}, 6, 1, {1}, {9}},
        {"without axes", 0, 0, -1, {0}, {0}, 0, 1, {1}, {1}},
        {"empty", 3, 0, -1, {2, 0, 3}, {9, -7, 5}, 6, 1, {0}, {5}},
        {"empty, as far as int64 goes", 3, 0, -1, {INT64_MAX, 2, 0}, {1, 1, 1}, 4, 2, {INT64_MAX, 0}, {1, 1}},
        {"a product that does not fit", 2, 0, 1, {1, 2}, {5, INT64_MIN}, 2, 1, {2}, {INT64_MIN}},
        {"a step that does not fit", 2, 0, 1, {2, 2}, {-2, INT64_C(1) << 62}, 0, 2, {2, 2}, {-2, INT64_C(1) << 62}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout, *flat;

        cr_assert_eq(sv_layout_new(rows[i].ndim, rows[i].shape, rows[i].strides, 1, &layout), SV_OK, "%s",
                     rows[i].name);
        cr_expect_eq(sv_layout_flatten_mask(layout), rows[i].mask, "%s", rows[i].name);
        cr_assert_eq(sv_layout_flatten(layout, rows[i].start, rows[i].end, &flat), SV_OK, "%s", rows[i].name);
        cr_expect(test_has(flat, rows[i].new_ndim, rows[i].new_shape, rows[i].result, 0), "%s", rows[i].name);
        sv_layout_release(flat);
        sv_layout_release(layout);
    }
}

Test(merge, split_numbers)
{
    static const struct {
        const char *name;
        int64_t shape[2], strides[2];
        int32_t axis, count;
        int64_t extents[3];
        sv_status status;
        int32_t ndim;
        int64_t new_shape[4], result[4];
    } rows[] = { /* 1 byte */
        {"in two", {6, 5}, {10, 1}, 0, 2, {2, 3}, SV_OK, 3, {2, 3, 5}, {30, 10, 1}},
        {"backward", {5, 6}, {10, -1}, 1, 2, {-1, 2}, SV_OK, 3, {5, 3, 2}, {10, -2, -1}},
        {"with extents of 1", {4, 5}, {10, 1}, 0, 3, {1, 4, 1}, SV_OK, 4, {1, 4, 1, 5}, {40, 10, 10, 1}},
        {"into none", {1, 5}, {10, 1}, 0, 0, {0}, SV_OK, 1, {5}, {1}},
        {"into none, of two", {2, 5}, {10, 1}, 0, 0, {0}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"into itself", {6, 5}, {10, 1}, -1, 1, {-1}, SV_OK, 2, {6, 5}, {10, 1}},
        {"empty", {0, 5}, {10, 1}, 0, 2, {3, 0}, SV_OK, 3, {3, 0, 5}, {0, 0, 1}},
        {"another size", {6, 5}, {10, 1}, 0, 2, {2, 4}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"unknown that does not divide", {6, 5}, {10, 1}, 0, 2, {4, -1}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"two unknown", {6, 5}, {10, 1}, 0, 2, {-1, -1}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"unknown beside none", {0, 5}, {10, 1}, 0, 2, {0, -1}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"negative extent", {6, 5}, {10, 1}, 0, 2, {-2, -3}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"no such axis", {6, 5}, {10, 1}, 2, 2, {2, 3}, SV_ERROR_INDEX, 0, {0}, {0}},
        {"negative count", {6, 5}, {10, 1}, 0, -1, {2, 3}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"most negative count", {6, 5}, {10, 1}, 0, INT32_MIN, {2, 3}, SV_ERROR_INVALID, 0, {0}, {0}},
        {"too many", {6, 5}, {10, 1}, 0, 64, {2, 3}, SV_ERROR_RANGE, 0, {0}, {0}},
        {"far too many", {6, 5}, {10, 1}, 0, INT32_MAX, {2, 3}, SV_ERROR_RANGE, 0, {0}, {0}},
        {"an outer 1 whose stride does not fit", {3, 1}, {INT64_C(1) << 61, 1}, 0, 2, {1, 3}, SV_OK, 3, {1, 3, 1},
         {3 * (INT64_C(1) << 61), INT64_C(1) << 61, 1}},
        {"a stride of the most negative", {2, 1}, {INT64_MIN, 1}, 0, 2, {1, 2}, SV_OK, 3, {1, 2, 1},
         {INT64_MIN, INT64_MIN, 1}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout, *split = untouched;

        cr_assert_eq(sv_layout_new(2, rows[i].shape, rows[i].strides, 1, &layout), SV_OK, "%s", rows[i].name);
        cr_expect_eq(sv_layout_split_axis(layout, rows[i].axis, rows[i].count, rows[i].extents, &split), rows[i].status,
                     "%s: %s", rows[i].name, sv_last_message());
        test_expect(rows[i].name, split, rows[i].status, rows[i].ndim, rows[i].new_shape, rows[i].result);
        sv_layout_release(layout);
    }
}

/* Four elements so far apart that no stride reaches from the first to the third. */
Test(merge, strides_that_do_not_fit_are_refused)
{
    static const int64_t big = INT64_C(3000000000000000000), shape[2] = {4, 4}, strides[2] = {big, -big},
                         halves[2] = {2, 2}, thirds[2] = {1, 4};
    static const int32_t second[1] = {1};
    sv_layout *layout, *turned, *line, *out = untouched;

    cr_assert_eq(sv_layout_new(2, shape, strides, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_flip(layout, 1, second, &turned), SV_OK);
    cr_assert_eq(sv_layout_diagonal(turned, 0, 0, 1, &line), SV_OK);
    cr_expect_eq(sv_layout_reshape(line, 2, halves, &out), SV_ERROR_OVERFLOW);
    cr_expect_eq(sv_layout_split_axis(line, 0, 2, halves, &out), SV_ERROR_OVERFLOW);
    cr_expect_eq(out, untouched);
    cr_assert_eq(sv_layout_split_axis(line, 0, 2, thirds, &out), SV_OK);
    cr_expect_eq(sv_layout_shape(out)[1], 4);
    cr_expect_eq(sv_layout_byte_strides(out)[1], 2 * big);
    cr_expect_eq(sv_layout_byte_offset(out), -3 * big);
    sv_layout_release(out);
    sv_layout_release(line);
    sv_layout_release(turned);
    sv_layout_release(layout);
}

Test(merge, refused)
{
    static const int64_t shape[3] = {2, 3, 4}, huge[3] = {INT64_MAX, 2, 0};
    sv_layout *layout, *point, *empty, *out = untouched;

    cr_assert_eq(sv_layout_new_dense(3, shape, SV_ORDER_F, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_layout_new(0, NULL, NULL, 4, &point), SV_OK);
    cr_assert_eq(sv_layout_new(3, huge, NULL, 4, &empty), SV_OK);
    cr_expect_eq(sv_layout_flatten(layout, 3, -1, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_flatten(layout, 0, -4, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_flatten(point, 1, 0, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_merge_axes(layout, 0, 3, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_merge_axes(point, 0, -1, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_merge_axes(layout, 1, 0, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_merge_axes(layout, 0, 1, &out), SV_ERROR_LAYOUT);
    cr_expect_eq(sv_layout_merge_axes(empty, 0, 1, &out), SV_ERROR_OVERFLOW);
    cr_expect_eq(out, untouched);
    sv_layout_release(empty);
    sv_layout_release(point);
    sv_layout_release(layout);
}

Test(merge, sixty_four_axes)
{
    int64_t shape[64], extent = INT64_C(1) << 32;
    sv_layout *layout, *flat, *line, *split;

    for (int k = 0; k < 64; k++)
        shape[k] = k % 2 ? 2 : 1;
    cr_assert_eq(sv_layout_new(64, shape, NULL, 4, &layout), SV_OK);
    cr_expect_eq(sv_layout_flatten_mask(layout), UINT64_MAX - 1);
    cr_assert_eq(sv_layout_flatten(layout, 0, -1, &flat), SV_OK);
    cr_assert_eq(sv_layout_new(1, &extent, NULL, 4, &line), SV_OK);
    cr_expect(sv_layout_equal(flat, line));
    sv_layout_release(flat);
    cr_assert_eq(sv_layout_flatten(layout, 62, 63, &flat), SV_OK);
    cr_expect_eq(sv_layout_ndim(flat), 63);
    sv_layout_release(flat);
    cr_assert_eq(sv_layout_merge_axes(layout, 0, 63, &flat), SV_OK);
    cr_expect(sv_layout_equal(flat, line));
    cr_assert_eq(sv_layout_split_axis(flat, 0, 64, shape, &split), SV_OK);
    cr_expect(sv_layout_equal(split, layout));
    sv_layout_release(split);
    sv_layout_release(flat);
    sv_layout_release(line);
    sv_layout_release(layout);
}
