/* What chooses elements beside slices and indices, which are in layout_ops.c. */
#include "support/layouts.h"

static bool is_same(const sv_layout *layout, const sv_layout *other)
{
    return test_has(other, sv_layout_ndim(layout), sv_layout_shape(layout), sv_layout_byte_strides(layout),
                    sv_layout_byte_offset(layout));
}

Test(slice, flip_is_a_slice_and_its_own_inverse)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *flipped, *sliced, *back;
        int32_t ndim = sv_layout_ndim(layout), count = (int32_t)test_between(0, ndim), axes[8];
        int64_t start[8], stop[8], step[8];
        bool all = count == ndim && test_between(0, 1);

        test_shuffle(ndim, axes);
        for (int32_t k = 0; k < ndim; k++)
            start[k] = 0, stop[k] = INT64_MAX, step[k] = 1;
        for (int32_t k = 0; k < count; k++) {
            start[axes[k]] = INT64_MAX, stop[axes[k]] = INT64_MIN, step[axes[k]] = -1;
            axes[k] -= test_between(0, 1) ? ndim : 0;
        }
        cr_assert_eq(sv_layout_flip(layout, count, all ? NULL : axes, &flipped), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_layout_slice(layout, ndim, start, stop, step, &sliced), SV_OK);
        cr_assert(sv_layout_equal(sliced, flipped));
        cr_assert_eq(sv_layout_flip(flipped, count, all ? NULL : axes, &back), SV_OK);
        cr_assert(is_same(layout, back));
        sv_layout_release(back);
        sv_layout_release(sliced);
        sv_layout_release(flipped);
        sv_layout_release(layout);
    }
}

/* Every element of the diagonal is found by its two indices. Returns what is wrong. */
static const char *check_diagonal(const sv_layout *layout, const sv_layout *diagonal, int64_t offset, int32_t axis,
                                  int32_t other)
{
    int32_t ndim = sv_layout_ndim(layout);
    const int64_t *shape = sv_layout_shape(layout);
    int64_t index[8] = {0}, old[8], length = 0;

    for (int64_t n = 0; n < shape[axis]; n++)
        length += n + offset >= 0 && n + offset < shape[other];
    if (sv_layout_ndim(diagonal) != ndim - 1 || sv_layout_shape(diagonal)[ndim - 2] != length)
        return "another shape";
    if (sv_layout_size(diagonal) == 0)
        return NULL;
    do {
        int32_t at = 0;
        for (int32_t k = 0; k < ndim; k++)
            if (k != axis && k != other)
                old[k] = index[at++];
        old[axis] = index[at] + (offset < 0 ? -offset : 0);
        old[other] = index[at] + (offset > 0 ? offset : 0);
        if (test_element(diagonal, index) != test_element(layout, old))
            return "another element";
    } while (test_next(ndim - 1, sv_layout_shape(diagonal), index));
    return NULL;
}

Test(slice, diagonal_against_brute_force)
{
    int done = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *diagonal = untouched;
        int32_t ndim = sv_layout_ndim(layout), axes[8];
        int64_t offset = test_between(-5, 5);

        if (ndim >= 2) {
            const char *wrong;

            test_shuffle(ndim, axes);
            cr_assert_eq(sv_layout_diagonal(layout, offset, axes[0] - (test_between(0, 1) ? ndim : 0), axes[1],
                                            &diagonal),
                         SV_OK, "%s", sv_last_message());
            wrong = check_diagonal(layout, diagonal, offset, axes[0], axes[1]);
            cr_assert_null(wrong, "%s", wrong);
            sv_layout_release(diagonal);
            done++;
        }
        sv_layout_release(layout);
    }
    cr_assert_gt(done, test_cases() / 3);
}

/* Element (place, within) of the windows is element place + within of the layout. */
static bool is_window(const sv_layout *layout, const sv_layout *windows, int32_t count, const int32_t *axes)
{
    int32_t ndim = sv_layout_ndim(layout);
    int64_t index[16] = {0}, old[8];

    if (sv_layout_size(windows) == 0)
        return true;
    do {
        memcpy(old, index, (size_t)ndim * sizeof *old);
        for (int32_t k = 0; k < count; k++)
            old[axes[k]] += index[ndim + k];
        if (test_element(windows, index) != test_element(layout, old))
            return false;
    } while (test_next(ndim + count, sv_layout_shape(windows), index));
    return true;
}

Test(slice, window_against_brute_force)
{
    int made = 0, refused = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(4), *windows = untouched;
        int32_t ndim = sv_layout_ndim(layout), count = ndim > 0 ? (int32_t)test_between(0, 3) : 0, axes[8];
        bool all = test_between(0, 3) == 0, fits = true;
        int64_t shape[8], extents[8];
        sv_status status;

        memcpy(shape, sv_layout_shape(layout), (size_t)ndim * sizeof *shape);
        count = all ? ndim : count;
        for (int32_t k = 0; k < count; k++) {
            axes[k] = all ? k : (int32_t)test_between(0, ndim - 1);
            extents[k] = test_between(0, 20) == 0 ? 0 : test_between(1, 3);
            fits = fits && extents[k] <= shape[axes[k]];
            shape[axes[k]] -= extents[k] - 1;
        }
        status = sv_layout_window(layout, count, all ? NULL : axes, extents, &windows);
        if (fits) {
            cr_assert_eq(status, SV_OK, "%s", sv_last_message());
            cr_assert_eq(sv_layout_ndim(windows), ndim + count);
            cr_assert_arr_eq(sv_layout_shape(windows), shape, (size_t)ndim * sizeof *shape);
            cr_assert_arr_eq(sv_layout_shape(windows) + ndim, extents, (size_t)count * sizeof *shape);
            cr_assert(is_window(layout, windows, count, axes));
            sv_layout_release(windows);
            made++;
        } else {
            cr_assert_eq(status, SV_ERROR_LAYOUT);
            cr_assert_eq(windows, untouched);
            refused++;
        }
        sv_layout_release(layout);
    }
    cr_assert_gt(made, test_cases() / 4);
    cr_assert_gt(refused, test_cases() / 10);
}

/* --- results in numbers, and what is refused ------------------------------- */

Test(slice, diagonal_numbers)
{
    static const struct {
        const char *name;
        int64_t shape[2], strides[2], offset;
        sv_status status;
        int64_t extent, stride, byte_offset;
    } rows[] = { /* 1 byte */
        {"main", {3, 4}, {4, 1}, 0, SV_OK, 3, 5, 0},
        {"above", {3, 4}, {4, 1}, 2, SV_OK, 2, 5, 2},
        {"below", {3, 4}, {4, 1}, -2, SV_OK, 1, 5, 8},
        {"just outside", {3, 4}, {4, 1}, 4, SV_OK, 0, 5, 0},
        {"far outside", {3, 4}, {4, 1}, INT64_MAX, SV_OK, 0, 5, 0},
        {"far below", {3, 4}, {4, 1}, INT64_MIN, SV_OK, 0, 5, 0},
        {"strides that cancel", {3, 4}, {1, -1}, 0, SV_OK, 3, 0, 0},
        {"together beyond int64, one element", {1, 3}, {INT64_MAX, 9}, 0, SV_OK, 1, 0, 0},
        {"together below int64, two elements",
         {2, 2}, {-(INT64_C(1) << 62), -(INT64_C(1) << 62)}, 0, SV_OK, 2, INT64_MIN, 0},
        {"none", {0, 4}, {INT64_MAX, 1}, 0, SV_OK, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout, *diagonal = untouched;

        cr_assert_eq(sv_layout_new(2, rows[i].shape, rows[i].strides, 1, &layout), SV_OK, "%s", rows[i].name);
        cr_expect_eq(sv_layout_diagonal(layout, rows[i].offset, 0, 1, &diagonal), rows[i].status, "%s", rows[i].name);
        cr_expect(test_has(diagonal, 1, &rows[i].extent, &rows[i].stride, rows[i].byte_offset), "%s", rows[i].name);
        sv_layout_release(diagonal);
        sv_layout_release(layout);
    }
}

Test(slice, refused)
{
    static const int64_t shape[3] = {2, 3, 4}, negative[1] = {-1}, wide[1] = {5}, ones[3] = {1, 1, 1};
    static const int32_t axes[3] = {2, 1, 0}, twice[2] = {1, -2}, outside[1] = {3};
    int64_t many[64], huge[2] = {INT64_MAX, INT64_MAX}, zeros[2] = {0, 0}, none[1] = {0};
    int64_t window[2] = {INT64_C(1) << 60, 1 << 10};
    sv_layout *layout, *line, *out = untouched;

    for (int k = 0; k < 64; k++)
        many[k] = 1;
    cr_assert_eq(sv_layout_new(3, shape, NULL, 4, &layout), SV_OK);
    cr_expect_eq(sv_layout_flip(layout, 2, twice, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_flip(layout, 1, outside, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_flip(layout, -1, axes, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_diagonal(layout, 0, 1, -2, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_diagonal(layout, 0, 0, 3, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_diagonal(layout, 0, -4, 1, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_window(layout, 1, axes, negative, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_window(layout, 1, axes, wide, &out), SV_ERROR_LAYOUT);
    cr_expect_eq(sv_layout_window(layout, 1, outside, ones, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_window(layout, 2, NULL, ones, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_window(layout, -1, axes, ones, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_window(layout, 62, axes, many, &out), SV_ERROR_RANGE);
    cr_expect_eq(sv_layout_window(layout, INT32_MAX, axes, many, &out), SV_ERROR_RANGE);
    cr_expect_eq(sv_layout_window(layout, 1, axes, NULL, &out), SV_ERROR_NULL);
    sv_layout_release(layout);

    cr_assert_eq(sv_layout_new(1, huge, zeros, 1, &line), SV_OK);
    cr_expect_eq(sv_layout_window(line, 1, NULL, none, &out), SV_ERROR_OVERFLOW, "2^63 places");
    cr_expect_eq(sv_layout_window(line, 2, (int32_t[]){0, 0}, window, &out), SV_ERROR_OVERFLOW, "too many elements");
    sv_layout_release(line);

    cr_assert_eq(sv_layout_new(1, (int64_t[]){2}, (int64_t[]){INT64_MIN}, 1, &line), SV_OK);
    cr_expect_eq(sv_layout_flip(line, 0, NULL, &out), SV_ERROR_OVERFLOW, "a stride of 2^63");
    sv_layout_release(line);
    cr_expect_eq(out, untouched);
}

/* Two strides that fit may make one that does not, or a step twice as far apart as an int64. */
Test(slice, diagonal_of_long_strides)
{
    static const int64_t big = INT64_MAX / 2, shape[2] = {2, 2}, strides[2] = {big, -big - 1};
    static const int32_t second[1] = {1};
    int64_t extent = 2, stride = INT64_MAX;
    sv_layout *layout, *turned, *diagonal = untouched;

    cr_assert_eq(sv_layout_new(2, shape, strides, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_flip(layout, 1, second, &turned), SV_OK);
    cr_assert_eq(sv_layout_diagonal(turned, 0, 0, 1, &diagonal), SV_OK, "%s", sv_last_message());
    cr_expect(test_has(diagonal, 1, &extent, &stride, -big - 1));
    sv_layout_release(diagonal);
    sv_layout_release(turned);
    sv_layout_release(layout);

    cr_assert_eq(sv_layout_new(2, shape, (int64_t[]){big + 1, -big - 1}, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_flip(layout, 1, second, &turned), SV_OK);
    diagonal = untouched;
    cr_expect_eq(sv_layout_diagonal(turned, 0, 0, 1, &diagonal), SV_ERROR_OVERFLOW);
    cr_expect_eq(diagonal, untouched);
    sv_layout_release(turned);
    sv_layout_release(layout);
}

Test(slice, sixty_four_axes)
{
    int64_t shape[64], window[32];
    int32_t along[32];
    sv_layout *layout, *flipped, *back, *part;

    for (int32_t k = 0; k < 64; k++)
        shape[k] = k < 31 ? 2 : 1;
    for (int32_t k = 0; k < 32; k++)
        along[k] = k, window[k] = shape[k];
    cr_assert_eq(sv_layout_new(64, shape, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_layout_flip(layout, 0, NULL, &flipped), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(flipped), sv_layout_nbytes(layout) - 4);
    cr_assert_eq(sv_layout_flip(flipped, 0, NULL, &back), SV_OK);
    cr_expect(is_same(layout, back));
    cr_assert_eq(sv_layout_diagonal(layout, 1, 0, 63, &part), SV_OK);
    cr_expect_eq(sv_layout_ndim(part), 63);
    cr_expect_eq(sv_layout_size(part), 0);
    sv_layout_release(part);
    sv_layout_release(back);
    sv_layout_release(flipped);
    sv_layout_release(layout);

    cr_assert_eq(sv_layout_new(32, shape, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_layout_window(layout, 32, along, window, &part), SV_OK);
    cr_expect_eq(sv_layout_ndim(part), 64);
    cr_expect_eq(sv_layout_size(part), INT64_C(1) << 31);
    sv_layout_release(part);
    sv_layout_release(layout);
}
