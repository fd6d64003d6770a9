/* Slices and indices of layouts. */
#include "support/layouts.h"

/* Indices that a Python slice takes, by walking. Returns their number. */
static int64_t walk(int64_t extent, int64_t start, int64_t stop, int64_t step, int64_t *out)
{
    int64_t count = 0, at;

    start = start < -extent ? -1 : start < 0 ? start + extent : start;
    stop = stop < -extent ? -1 : stop < 0 ? stop + extent : stop;
    for (at = start; step > 0 ? at < stop && at < extent : at > stop && at >= 0;) {
        if (at >= 0 && at < extent) {
            out[count++] = at;
        } else if (step < 0) { /* Python begins at the last index then, not at a multiple of step */
            at = extent;
            if (stop >= extent - 1 || extent == 0)
                break;
            at = extent - 1;
            continue;
        } else {
            at = 0;
            continue;
        }
        if (__builtin_add_overflow(at, step, &at))
            break;
    }
    return count;
}

static int64_t slice_number(int64_t extent)
{
    int64_t edges[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, -extent, -extent - 1, extent, extent + 1};

    return test_between(0, 3) == 0 ? edges[test_between(0, 7)] : test_between(-7, 7);
}

Test(index, slice)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *part;
        int32_t ndim = sv_layout_ndim(layout), count = (int32_t)test_between(0, ndim);
        int64_t start[8], stop[8], step[8], taken[8][8], shape[8], index[8] = {0}, old[8];

        for (int32_t k = 0; k < ndim; k++) {
            int64_t extent = shape[k] = sv_layout_shape(layout)[k];
            for (int64_t n = 0; n < extent; n++)
                taken[k][n] = n;
            if (k >= count)
                continue;
            start[k] = slice_number(extent);
            stop[k] = slice_number(extent);
            do
                step[k] = test_between(0, 9) == 0 ? slice_number(extent) : test_between(-3, 3);
            while (step[k] == 0);
            shape[k] = walk(extent, start[k], stop[k], step[k], taken[k]);
        }
        cr_assert_eq(sv_layout_slice(layout, count, start, stop, step, &part), SV_OK, "%s",
                     sv_last_message());
        cr_assert_eq(sv_layout_ndim(part), ndim);
        for (int32_t k = 0; k < ndim; k++)
            cr_assert_eq(sv_layout_shape(part)[k], shape[k], "axis %d: %d, not %d", k,
                         (int)sv_layout_shape(part)[k], (int)shape[k]);
        if (sv_layout_size(part) > 0) {
            do {
                for (int32_t k = 0; k < ndim; k++)
                    old[k] = taken[k][index[k]];
                cr_assert_eq(test_element(part, index), test_element(layout, old));
            } while (test_next(ndim, shape, index));
        } else if (sv_layout_size(layout) > 0) {
            for (int32_t k = 0; k < ndim; k++)
                cr_assert_eq(sv_layout_byte_strides(part)[k], 0);
        }
        sv_layout_release(part);
        sv_layout_release(layout);
    }
}

Test(index, index)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *part = untouched;
        int32_t ndim = sv_layout_ndim(layout), axis = (int32_t)test_between(-6, 6);
        int32_t k = axis < 0 ? axis + ndim : axis;
        int64_t at = test_between(-6, 6), extent = k >= 0 && k < ndim ? sv_layout_shape(layout)[k] : 0;
        sv_status status = sv_layout_index(layout, axis, at, &part);

        if (k < 0 || k >= ndim || at < -extent || at >= extent) {
            cr_assert_eq(status, SV_ERROR_INDEX);
            cr_assert_eq(part, untouched);
        } else {
            int64_t start[8], stop[8];
            int32_t axes[1] = {axis};
            sv_layout *one, *same;

            for (int32_t n = 0; n < ndim; n++) {
                start[n] = n == k ? at : 0;
                stop[n] = n == k && at != -1 ? at + 1 : INT64_MAX;
            }
            cr_assert_eq(status, SV_OK);
            cr_assert_eq(sv_layout_slice(layout, ndim, start, stop, NULL, &one), SV_OK);
            cr_assert_eq(sv_layout_squeeze(one, 1, axes, &same), SV_OK);
            cr_assert(test_same_offsets(part, same));
            cr_assert_eq(sv_layout_ndim(part), ndim - 1);
            sv_layout_release(same);
            sv_layout_release(one);
            sv_layout_release(part);
        }
        sv_layout_release(layout);
    }
}

Test(index, slice_numbers)
{
    static const struct {
        const char *name;
        int64_t start[2], stop[2], step[2];
        int64_t shape[2], strides[2], offset;
    } rows[] = { /* of 3 x 5, in C order, 1 byte */
        {"all", {0, 0}, {INT64_MAX, INT64_MAX}, {1, 1}, {3, 5}, {5, 1}, 0},
        {"reversed", {INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN}, {-1, -1}, {3, 5}, {-5, -1}, 14},
        {"empty moves by the axis that is not", {1, 5}, {INT64_MAX, 4}, {1, 1}, {2, 0}, {0, 0}, 5},
        {"empty from behind", {0, 2}, {3, 2}, {1, -1}, {3, 0}, {0, 0}, 0},
        {"from the end", {-2, -3}, {INT64_MAX, -1}, {1, 1}, {2, 2}, {5, 1}, 7},
        {"largest step", {1, 1}, {3, 5}, {INT64_MAX, INT64_MAX}, {1, 1}, {5, INT64_MAX}, 6},
        {"most negative step", {1, 1}, {INT64_MIN, INT64_MIN}, {INT64_MIN, INT64_MIN}, {1, 1}, {5, INT64_MIN}, 6},
        {"every second", {0, 0}, {3, 5}, {2, 2}, {2, 3}, {10, 2}, 0},
    };
    int64_t shape[2] = {3, 5};
    sv_layout *layout = test_dense(2, shape, 1), *part;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(sv_layout_slice(layout, 2, rows[i].start, rows[i].stop, rows[i].step, &part), SV_OK, "%s: %s",
                     rows[i].name, sv_last_message());
        cr_expect(test_has(part, 2, rows[i].shape, rows[i].strides, rows[i].offset), "%s", rows[i].name);
        sv_layout_release(part);
    }
    sv_layout_release(layout);
}

Test(index, slice_of_slice)
{
    for (int64_t start = 0; start < 13; start++) {
        for (int64_t step = 1; step < 5; step++) {
            int64_t shape[1] = {13}, end = INT64_MAX, begin = INT64_MIN, back = -1, zero = 0, by = 2 * step;
            sv_layout *layout = test_dense(1, shape, 4), *part, *second, *direct, *there, *again;

            cr_assert_eq(sv_layout_slice(layout, 1, &start, &end, &step, &part), SV_OK);
            cr_assert_eq(sv_layout_slice(part, 1, &zero, &end, (int64_t[]){2}, &second), SV_OK);
            cr_assert_eq(sv_layout_slice(layout, 1, &start, &end, &by, &direct), SV_OK);
            cr_expect(sv_layout_equal(second, direct), "%d by %d", (int)start, (int)step);
            cr_assert_eq(sv_layout_slice(part, 1, &end, &begin, &back, &there), SV_OK);
            cr_assert_eq(sv_layout_slice(there, 1, &end, &begin, &back, &again), SV_OK);
            cr_expect(sv_layout_equal(again, part), "%d by %d reversed twice", (int)start, (int)step);
            sv_layout_release(again);
            sv_layout_release(there);
            sv_layout_release(direct);
            sv_layout_release(second);
            sv_layout_release(part);
            sv_layout_release(layout);
        }
    }
}

Test(index, spans_beyond_int64_between_legal_ends)
{
    int64_t shape[1] = {3}, strides[1] = {-(INT64_C(1) << 62)}, back[1] = {INT64_C(1) << 62};
    int64_t end = INT64_MAX, begin = INT64_MIN, step = -1, lower, upper;
    sv_layout *layout, *turned, *again, *last;

    cr_assert_eq(sv_layout_new(1, shape, strides, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_slice(layout, 1, &end, &begin, &step, &turned), SV_OK, "%s", sv_last_message());
    cr_expect(test_has(turned, 1, shape, back, INT64_MIN));
    cr_assert_eq(sv_layout_byte_bounds(turned, &lower, &upper), SV_OK);
    cr_expect_eq(lower, INT64_MIN);
    cr_expect_eq(upper, 1);
    cr_assert_eq(sv_layout_slice(turned, 1, &end, &begin, &step, &again), SV_OK);
    cr_expect(sv_layout_equal(layout, again));
    cr_assert_eq(sv_layout_index(turned, 0, 2, &last), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(last), 0);
    sv_layout_release(last);
    sv_layout_release(again);
    sv_layout_release(turned);
    sv_layout_release(layout);

    shape[0] = 2, strides[0] = INT64_MIN; /* the other way its stride would be 2^63 */
    cr_assert_eq(sv_layout_new(1, shape, strides, 1, &layout), SV_OK);
    turned = untouched;
    cr_expect_eq(sv_layout_slice(layout, 1, &end, &begin, &step, &turned), SV_ERROR_OVERFLOW);
    cr_expect_eq(turned, untouched);
    cr_assert_eq(sv_layout_index(layout, 0, 1, &last), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(last), INT64_MIN);
    sv_layout_release(last);
    sv_layout_release(layout);
}

/* The offset of an empty layout has no bounds to stay within; one that does not fit int64 stays where it was. */
Test(index, offset_of_an_empty_layout)
{
    int64_t shape[2] = {0, 5}, strides[2] = {1, INT64_MAX}, start[2] = {0, 1}, stop[2] = {0, 5};
    sv_layout *layout, *part;

    cr_assert_eq(sv_layout_new(2, shape, strides, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_index(layout, 1, 1, &part), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(part), INT64_MAX);
    sv_layout_release(part);
    cr_assert_eq(sv_layout_index(layout, 1, 2, &part), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(part), 0);
    sv_layout_release(part);
    start[1] = 3;
    cr_assert_eq(sv_layout_slice(layout, 2, start, stop, NULL, &part), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(part), 0);
    sv_layout_release(part);
    cr_assert_eq(sv_layout_flip(layout, 0, NULL, &part), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(part), 0);
    sv_layout_release(part);
    sv_layout_release(layout);

    strides[1] = INT64_MIN; /* the other way it would be 2^63 */
    cr_assert_eq(sv_layout_new(2, shape, strides, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_flip(layout, 0, NULL, &part), SV_OK, "%s", sv_last_message());
    sv_layout_release(part);
    sv_layout_release(layout);
}
