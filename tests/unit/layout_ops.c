#include <stdlib.h>

#include "layouts.h"

static sv_layout *const untouched = (sv_layout *)1;

static sv_layout *dense(int32_t ndim, const int64_t *shape, int64_t itemsize)
{
    sv_layout *layout;

    cr_assert_eq(sv_layout_new(ndim, shape, NULL, itemsize, &layout), SV_OK);
    return layout;
}

/* --- against brute force: where the elements of the result lie ---------- */

Test(layout_ops, permute_and_back)
{
    for (int i = 0; i < test_cases(); i++) {
        sv_layout *layout = test_layout(6), *turned, *back;
        int32_t ndim = sv_layout_ndim(layout), axes[8], inverse[8];
        int64_t index[8] = {0}, old[8];

        test_shuffle(ndim, axes);
        for (int32_t k = 0; k < ndim; k++)
            inverse[axes[k]] = test_between(0, 1) ? k : k - ndim;
        cr_assert_eq(sv_layout_permute(layout, ndim, axes, &turned), SV_OK);
        cr_assert_eq(sv_layout_permute(turned, ndim, inverse, &back), SV_OK);
        cr_assert(test_has(back, ndim, sv_layout_shape(layout), sv_layout_byte_strides(layout),
                           sv_layout_byte_offset(layout)), "case %d", i);
        cr_assert_eq(sv_layout_size(turned), sv_layout_size(layout));
        do {
            for (int32_t k = 0; k < ndim; k++)
                old[axes[k]] = index[k];
            cr_assert_eq(test_element(turned, index), test_element(layout, old), "case %d", i);
        } while (sv_layout_size(turned) > 0 && test_next(ndim, sv_layout_shape(turned), index));
        sv_layout_release(back);
        sv_layout_release(turned);
        sv_layout_release(layout);
    }
}

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

Test(layout_ops, slice)
{
    for (int i = 0; i < test_cases(); i++) {
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
        cr_assert_eq(sv_layout_slice(layout, count, start, stop, step, &part), SV_OK, "case %d: %s", i,
                     sv_last_message());
        cr_assert_eq(sv_layout_ndim(part), ndim);
        for (int32_t k = 0; k < ndim; k++)
            cr_assert_eq(sv_layout_shape(part)[k], shape[k], "case %d, axis %d: %d, not %d", i, k,
                         (int)sv_layout_shape(part)[k], (int)shape[k]);
        if (sv_layout_size(part) > 0) {
            do {
                for (int32_t k = 0; k < ndim; k++)
                    old[k] = taken[k][index[k]];
                cr_assert_eq(test_element(part, index), test_element(layout, old), "case %d", i);
            } while (test_next(ndim, shape, index));
        } else if (sv_layout_size(layout) > 0) {
            for (int32_t k = 0; k < ndim; k++)
                cr_assert_eq(sv_layout_byte_strides(part)[k], 0, "case %d", i);
        }
        sv_layout_release(part);
        sv_layout_release(layout);
    }
}

Test(layout_ops, index)
{
    for (int i = 0; i < test_cases(); i++) {
        sv_layout *layout = test_layout(5), *part = untouched;
        int32_t ndim = sv_layout_ndim(layout), axis = (int32_t)test_between(-6, 6);
        int32_t k = axis < 0 ? axis + ndim : axis;
        int64_t at = test_between(-6, 6), extent = k >= 0 && k < ndim ? sv_layout_shape(layout)[k] : 0;
        sv_status status = sv_layout_index(layout, axis, at, &part);

        if (k < 0 || k >= ndim || at < -extent || at >= extent) {
            cr_assert_eq(status, SV_ERROR_INDEX, "case %d", i);
            cr_assert_eq(part, untouched, "case %d", i);
        } else {
            int64_t start[8], stop[8];
            int32_t axes[1] = {axis};
            sv_layout *one, *same;

            for (int32_t n = 0; n < ndim; n++) {
                start[n] = n == k ? at : 0;
                stop[n] = n == k && at != -1 ? at + 1 : INT64_MAX;
            }
            cr_assert_eq(status, SV_OK, "case %d", i);
            cr_assert_eq(sv_layout_slice(layout, ndim, start, stop, NULL, &one), SV_OK);
            cr_assert_eq(sv_layout_squeeze(one, 1, axes, &same), SV_OK);
            cr_assert(test_same_offsets(part, same), "case %d", i);
            cr_assert_eq(sv_layout_ndim(part), ndim - 1, "case %d", i);
            sv_layout_release(same);
            sv_layout_release(one);
            sv_layout_release(part);
        }
        sv_layout_release(layout);
    }
}

/* A shape of the same size, as a rule. */
static int32_t random_shape(int64_t size, int64_t *shape)
{
    int32_t ndim = 0;

    while (size > 1 && ndim < 7) {
        int64_t extent = test_between(1, 6);
        if (size % extent == 0 || test_between(0, 200) == 0) {
            shape[ndim++] = extent;
            size /= extent;
        } else if (test_between(0, 9) == 0) {
            shape[ndim++] = size;
            size = 1;
        }
    }
    if (size != 1)
        shape[ndim++] = size;
    return ndim;
}

/* Whether strides exist that give the elements, in C order, this shape. */
static bool is_strided(int32_t ndim, const int64_t *shape, const int64_t *offsets)
{
    int64_t strides[8], index[8] = {0}, below = 1, n = 0;

    for (int32_t k = ndim - 1; k >= 0; k--) {
        strides[k] = shape[k] > 1 ? offsets[below] - offsets[0] : 0;
        below *= shape[k];
    }
    do {
        int64_t at = offsets[0];
        for (int32_t k = 0; k < ndim; k++)
            at += index[k] * strides[k];
        if (at != offsets[n++])
            return false;
    } while (test_next(ndim, shape, index));
    return true;
}

Test(layout_ops, reshape_and_back)
{
    int made = 0, refused = 0;

    for (int i = 0; i < test_cases(); i++) {
        static int64_t offsets[TEST_SIZE];
        sv_layout *layout = test_layout(5), *other = untouched, *back;
        int64_t size = sv_layout_size(layout), shape[8], product = 1;
        int32_t ndim = random_shape(size, shape), unknown = -1;
        sv_status status;

        for (int32_t k = 0; k < ndim; k++)
            product *= shape[k];
        if (ndim > 0 && size > 0 && product == size && test_between(0, 1)) {
            unknown = (int32_t)test_between(0, ndim - 1);
            product = shape[unknown];
            shape[unknown] = -1;
        }
        status = sv_layout_reshape(layout, ndim, shape, &other);
        if (unknown >= 0) {
            shape[unknown] = product;
            product = size;
        }
        test_offsets(layout, offsets);
        if (product != size) {
            cr_assert_eq(status, SV_ERROR_INVALID, "case %d", i);
        } else if (size > 0 && !is_strided(ndim, shape, offsets)) {
            cr_assert_eq(status, SV_ERROR_LAYOUT, "case %d", i);
            refused++;
        } else {
            cr_assert_eq(status, SV_OK, "case %d: %s", i, sv_last_message());
            cr_assert_eq(sv_layout_ndim(other), ndim);
            for (int32_t k = 0; k < ndim; k++)
                cr_assert_eq(sv_layout_shape(other)[k], shape[k], "case %d", i);
            cr_assert(test_same_offsets(layout, other), "case %d", i);
            cr_assert_eq(sv_layout_byte_offset(other), sv_layout_byte_offset(layout));
            cr_assert_eq(sv_layout_reshape(other, sv_layout_ndim(layout), sv_layout_shape(layout), &back), SV_OK);
            cr_assert(test_same_offsets(layout, back), "case %d", i);
            sv_layout_release(back);
            sv_layout_release(other);
            made++;
        }
        if (status != SV_OK)
            cr_assert_eq(other, untouched, "case %d", i);
        sv_layout_release(layout);
    }
    cr_assert_gt(made, test_cases() / 4);
    cr_assert_gt(refused, test_cases() / 20);
}

Test(layout_ops, broadcast)
{
    for (int i = 0; i < test_cases(); i++) {
        sv_layout *layout = test_layout(3), *wide = untouched;
        int32_t ndim = sv_layout_ndim(layout), added = (int32_t)test_between(-1, 2), axis = 0;
        int64_t shape[8], index[8] = {0}, old[8];
        bool fits = added >= 0 || ndim == 0;
        sv_status status;

        if (ndim == 0 && added < 0)
            added = 0;
        for (int32_t k = 0; k < ndim + added; k++) {
            int64_t extent = k < added ? 1 : sv_layout_shape(layout)[k - added];
            shape[k] = extent == 1 ? test_between(0, 3) : test_between(0, 20) == 0 ? test_between(0, 3) : extent;
            fits = fits && (extent == 1 || extent == shape[k]);
        }
        status = sv_layout_broadcast(layout, ndim + added, shape, &wide);
        if (!fits) {
            cr_assert_eq(status, SV_ERROR_LAYOUT, "case %d", i);
            cr_assert_eq(wide, untouched, "case %d", i);
            sv_layout_release(layout);
            continue;
        }
        cr_assert_eq(status, SV_OK, "case %d: %s", i, sv_last_message());
        cr_assert_eq(sv_layout_ndim(wide), ndim + added);
        for (axis = 0; axis < ndim + added; axis++)
            cr_assert_eq(sv_layout_shape(wide)[axis], shape[axis], "case %d", i);
        do {
            for (int32_t k = 0; k < ndim; k++)
                old[k] = sv_layout_shape(layout)[k] == 1 ? 0 : index[added + k];
            cr_assert_eq(test_element(wide, index), test_element(layout, old), "case %d", i);
        } while (sv_layout_size(wide) > 0 && test_next(ndim + added, shape, index));
        sv_layout_release(wide);
        sv_layout_release(layout);
    }
}

Test(layout_ops, unsqueeze_and_squeeze)
{
    for (int i = 0; i < test_cases(); i++) {
        sv_layout *layout = test_layout(4), *wide, *back, *all;
        int32_t ndim = sv_layout_ndim(layout), count = (int32_t)test_between(0, 3), axes[8], moving = 0;

        test_shuffle(ndim + count, axes);
        if (count > 0 && test_between(0, 1))
            axes[0] -= ndim + count;
        cr_assert_eq(sv_layout_unsqueeze(layout, count, axes, &wide), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_layout_ndim(wide), ndim + count);
        for (int32_t k = 0; k < count; k++)
            cr_assert_eq(sv_layout_shape(wide)[axes[k] < 0 ? axes[k] + ndim + count : axes[k]], 1, "case %d", i);
        cr_assert(test_same_offsets(layout, wide), "case %d", i);
        cr_assert_eq(sv_layout_squeeze(wide, count, axes, &back), SV_OK);
        cr_assert(test_has(back, ndim, sv_layout_shape(layout), sv_layout_byte_strides(layout),
                           sv_layout_byte_offset(layout)), "case %d", i);
        cr_assert_eq(sv_layout_squeeze(wide, 0, NULL, &all), SV_OK);
        for (int32_t k = 0; k < ndim; k++)
            moving += sv_layout_shape(layout)[k] != 1;
        cr_assert_eq(sv_layout_ndim(all), moving, "case %d", i);
        cr_assert(test_same_offsets(layout, all), "case %d", i);
        sv_layout_release(all);
        sv_layout_release(back);
        sv_layout_release(wide);
        sv_layout_release(layout);
    }
}

Test(layout_ops, to_dense)
{
    for (int i = 0; i < test_cases(); i++) {
        sv_layout *layout = test_layout(5), *packed, *again, *turned, *kept;
        int32_t ndim = sv_layout_ndim(layout), axes[8];
        const int64_t *shape = sv_layout_shape(layout);

        for (sv_order order = SV_ORDER_C; order <= SV_ORDER_AXES; order++) {
            test_shuffle(ndim, axes);
            cr_assert_eq(sv_layout_to_dense(layout, order, ndim, axes, &packed), SV_OK);
            cr_assert(test_has(packed, ndim, shape, sv_layout_byte_strides(packed), 0), "case %d", i);
            cr_assert_eq(sv_layout_is_contiguous(packed, order == SV_ORDER_AXES ? SV_ORDER_K : order), 1, "case %d", i);
            if (order == SV_ORDER_AXES) { /* with the slowest axis first it is in C order */
                cr_assert_eq(sv_layout_permute(packed, ndim, axes, &turned), SV_OK);
                cr_assert_eq(sv_layout_is_contiguous(turned, SV_ORDER_C), 1, "case %d", i);
                sv_layout_release(turned);
            }
            cr_assert_eq(sv_layout_to_dense(packed, SV_ORDER_K, 0, NULL, &again), SV_OK);
            cr_assert(test_same_offsets(packed, again), "case %d: K keeps what is dense", i);
            sv_layout_release(again);
            sv_layout_release(packed);
        }

        /* K does not change which of two axes steps further. */
        cr_assert_eq(sv_layout_to_dense(layout, SV_ORDER_K, 0, NULL, &kept), SV_OK);
        for (int32_t k = 0; k < ndim && sv_layout_size(layout) > 0; k++)
            for (int32_t n = 0; n < ndim; n++)
                if (shape[k] > 1 && shape[n] > 1 && llabs(sv_layout_byte_strides(layout)[k]) >
                                                        llabs(sv_layout_byte_strides(layout)[n]))
                    cr_assert_gt(sv_layout_byte_strides(kept)[k], sv_layout_byte_strides(kept)[n], "case %d", i);
        sv_layout_release(kept);
        sv_layout_release(layout);
    }
}

/* --- results in numbers -------------------------------------------------- */

Test(layout_ops, slice_numbers)
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
    sv_layout *layout = dense(2, shape, 1), *part;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(sv_layout_slice(layout, 2, rows[i].start, rows[i].stop, rows[i].step, &part), SV_OK, "%s: %s",
                     rows[i].name, sv_last_message());
        cr_expect(test_has(part, 2, rows[i].shape, rows[i].strides, rows[i].offset), "%s", rows[i].name);
        sv_layout_release(part);
    }
    sv_layout_release(layout);
}

Test(layout_ops, slice_of_slice)
{
    for (int64_t start = 0; start < 13; start++) {
        for (int64_t step = 1; step < 5; step++) {
            int64_t shape[1] = {13}, end = INT64_MAX, begin = INT64_MIN, back = -1, zero = 0, by = 2 * step;
            sv_layout *layout = dense(1, shape, 4), *part, *second, *direct, *there, *again;

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

Test(layout_ops, reshape_numbers)
{
    static const struct {
        const char *name;
        int32_t ndim, new_ndim;
        int64_t shape[4], strides[4], new_shape[4];
        sv_status status;
        int64_t result_shape[4], result[4];
    } rows[] = { /* 1 byte */
        {"split", 1, 2, {6}, {2}, {2, 3}, SV_OK, {2, 3}, {6, 2}},
        {"merge", 2, 1, {2, 3}, {6, 2}, {6}, SV_OK, {6}, {2}},
        {"merge of backward axes", 2, 1, {2, 3}, {-6, -2}, {6}, SV_OK, {6}, {-2}},
        {"merge of repeated axes", 2, 1, {2, 3}, {0, 0}, {6}, SV_OK, {6}, {0}},
        {"one axis backwards", 2, 1, {2, 3}, {6, -2}, {6}, SV_ERROR_LAYOUT, {0}, {0}},
        {"repeated rows", 2, 1, {4, 6}, {0, 1}, {24}, SV_ERROR_LAYOUT, {0}, {0}},
        {"inside one run", 3, 2, {2, 3, 2}, {2, 4, 1}, {6, 2}, SV_ERROR_LAYOUT, {0}, {0}},
        {"stride of an extent of 1 is free", 3, 1, {5, 1, 5}, {5, 77, 1}, {25}, SV_OK, {25}, {1}},
        {"new extents of 1", 1, 4, {6}, {2}, {1, 2, 1, 3}, SV_OK, {1, 2, 1, 3}, {12, 6, 6, 2}},
        {"last new extent of 1", 1, 2, {6}, {2}, {6, 1}, SV_OK, {6, 1}, {2, 2}},
        {"to 0-d", 2, 0, {1, 1}, {7, 9}, {0}, SV_OK, {0}, {0}},
        {"from 0-d", 0, 2, {0}, {0}, {1, 1}, SV_OK, {1, 1}, {1, 1}},
        {"one unknown", 2, 2, {2, 3}, {3, 1}, {3, -1}, SV_OK, {3, 2}, {2, 1}},
        {"unknown of extent 1", 1, 2, {6}, {1}, {6, -1}, SV_OK, {6, 1}, {1, 1}},
        {"unknown of none", 2, 2, {0, 3}, {3, 1}, {3, -1}, SV_OK, {3, 0}, {0, 0}},
        {"empty to empty", 2, 3, {0, 3}, {3, 1}, {7, 0, INT64_MAX}, SV_OK, {7, 0, INT64_MAX}, {0, 0, 0}},
        {"unknown beside 0", 1, 2, {0}, {1}, {0, -1}, SV_ERROR_INVALID, {0}, {0}},
        {"unknown beside 0 of some", 1, 2, {6}, {1}, {0, -1}, SV_ERROR_INVALID, {0}, {0}},
        {"unknown that does not divide", 1, 2, {6}, {1}, {4, -1}, SV_ERROR_INVALID, {0}, {0}},
        {"two unknown", 1, 2, {6}, {1}, {-1, -1}, SV_ERROR_INVALID, {0}, {0}},
        {"extent of -2", 1, 2, {6}, {1}, {-2, -3}, SV_ERROR_INVALID, {0}, {0}},
        {"another size", 1, 2, {6}, {1}, {2, 4}, SV_ERROR_INVALID, {0}, {0}},
        {"size that wraps to the right one", 1, 3, {4}, {1}, {INT64_C(1) << 62, 4, 4}, SV_ERROR_INVALID, {0}, {0}},
        {"some to none", 1, 1, {6}, {1}, {0}, SV_ERROR_INVALID, {0}, {0}},
        {"none to some", 1, 1, {0}, {1}, {6}, SV_ERROR_INVALID, {0}, {0}},
        {"huge unknown", 1, 3, {6}, {1}, {INT64_MAX, INT64_MAX, -1}, SV_ERROR_INVALID, {0}, {0}},
        {"a run that spans all", 1, 2, {2}, {INT64_MIN}, {1, 2}, SV_OK, {1, 2}, {INT64_MIN, INT64_MIN}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout, *other = untouched;

        cr_assert_eq(sv_layout_new(rows[i].ndim, rows[i].shape, rows[i].strides, 1, &layout), SV_OK);
        cr_expect_eq(sv_layout_reshape(layout, rows[i].new_ndim, rows[i].new_shape, &other), rows[i].status, "%s: %s",
                     rows[i].name, sv_last_message());
        if (rows[i].status == SV_OK) {
            cr_expect(test_has(other, rows[i].new_ndim, rows[i].result_shape, rows[i].result, 0), "%s", rows[i].name);
            sv_layout_release(other);
        } else {
            cr_expect_eq(other, untouched, "%s", rows[i].name);
        }
        sv_layout_release(layout);
    }
}

Test(layout_ops, unsqueeze_numbers)
{
    static const struct {
        const char *name;
        int32_t ndim, count;
        int64_t shape[3], strides[3];
        int32_t axes[3];
        int64_t new_shape[6], result[6];
    } rows[] = { /* 4 bytes; strides in elements, result in bytes */
        {"in front", 1, 1, {7}, {1}, {0}, {1, 7}, {28, 4}},
        {"behind", 1, 1, {7}, {3}, {-1}, {7, 1}, {12, 12}},
        {"0-d", 0, 2, {0}, {0}, {1, 0}, {1, 1}, {4, 4}},
        {"between", 2, 1, {2, 3}, {3, 1}, {1}, {2, 1, 3}, {12, 12, 4}},
        {"two together", 2, 2, {2, 3}, {3, 1}, {2, 1}, {2, 1, 1, 3}, {12, 12, 12, 4}},
        {"backward axis", 1, 1, {3}, {-1}, {0}, {1, 3}, {-12, -4}},
        {"none", 2, 0, {2, 3}, {3, 1}, {0}, {2, 3}, {12, 4}},
        {"span that does not fit", 1, 1, {2}, {INT64_C(1) << 60}, {0}, {1, 2}, {INT64_C(1) << 62, INT64_C(1) << 62}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout, *wide;

        cr_assert_eq(sv_layout_new(rows[i].ndim, rows[i].shape, rows[i].strides, 4, &layout), SV_OK);
        cr_assert_eq(sv_layout_unsqueeze(layout, rows[i].count, rows[i].axes, &wide), SV_OK, "%s", rows[i].name);
        cr_expect(test_has(wide, rows[i].ndim + rows[i].count, rows[i].new_shape, rows[i].result, 0), "%s",
                  rows[i].name);
        sv_layout_release(wide);
        sv_layout_release(layout);
    }
}

Test(layout_ops, empty_layouts_squeeze_as_any)
{
    int64_t shape[4] = {2, 0, 1, 3}, strides[4] = {2, 7, -8, -3}, result_shape[3] = {2, 0, 3}, result[3] = {8, 28, -12};
    sv_layout *layout, *part;

    cr_assert_eq(sv_layout_new(4, shape, strides, 4, &layout), SV_OK);
    cr_assert_eq(sv_layout_squeeze(layout, 0, NULL, &part), SV_OK);
    cr_expect(test_has(part, 3, result_shape, result, 0));
    sv_layout_release(part);
    sv_layout_release(layout);
}

Test(layout_ops, order_k_numbers)
{
    static const struct {
        const char *name;
        int64_t shape[4], strides[4], result[4];
    } rows[] = { /* what numpy.copy(order='K') gives, 1 byte */
        {"equal strides keep their order", {1, 2, 3, 4}, {0, 3, 3, 3}, {1, 12, 4, 1}},
        {"sizes of strides, not signs", {3, 2, 3, 5}, {4, -8, -5, 5}, {1, 45, 15, 3}},
        {"repeated axes innermost", {2, 3, 4, 2}, {0, 4, 1, 40}, {1, 8, 2, 24}},
        {"C order by extents of 1 that say otherwise", {1, 3, 1, 2}, {1, 2, 99, 1}, {6, 2, 2, 1}},
        {"F order by extents of 1 that say otherwise", {3, 1, 2, 1}, {1, 50, 3, 1}, {1, 3, 3, 6}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout, *packed;

        cr_assert_eq(sv_layout_new(4, rows[i].shape, rows[i].strides, 1, &layout), SV_OK);
        cr_assert_eq(sv_layout_to_dense(layout, SV_ORDER_K, 0, NULL, &packed), SV_OK);
        cr_expect(test_has(packed, 4, rows[i].shape, rows[i].result, 0), "%s", rows[i].name);
        sv_layout_release(packed);
        sv_layout_release(layout);
    }
}

/* --- refused --------------------------------------------------------------- */

/* One call on a 2 x 3 x 1 layout each; everything that is wrong is in the row. */
enum operation { PERMUTE, SLICE, INDEX, RESHAPE, BROADCAST, SQUEEZE, UNSQUEEZE, TO_DENSE };

static sv_status run(enum operation operation, const sv_layout *layout, int32_t count, const int32_t *axes,
                     const int64_t *numbers, sv_layout **out)
{
    static const int64_t zeros[8] = {0};

    switch (operation) {
    case PERMUTE:
        return sv_layout_permute(layout, count, axes, out);
    case SLICE: /* numbers are steps */
        return sv_layout_slice(layout, count, zeros, zeros, numbers, out);
    case INDEX:
        return sv_layout_index(layout, count, numbers[0], out);
    case RESHAPE:
        return sv_layout_reshape(layout, count, numbers, out);
    case BROADCAST:
        return sv_layout_broadcast(layout, count, numbers, out);
    case SQUEEZE:
        return sv_layout_squeeze(layout, count, axes, out);
    case UNSQUEEZE:
        return sv_layout_unsqueeze(layout, count, axes, out);
    default:
        return sv_layout_to_dense(layout, (sv_order)numbers[0], count, axes, out);
    }
}

Test(layout_ops, refused)
{
    static const struct {
        const char *name;
        enum operation operation;
        int32_t count, axes[4];
        int64_t numbers[4];
        sv_status status;
    } rows[] = {
        {"permute, too few", PERMUTE, 2, {0, 1}, {0}, SV_ERROR_INVALID},
        {"permute, too many", PERMUTE, 4, {0, 1, 2, 3}, {0}, SV_ERROR_INVALID},
        {"permute, negative count", PERMUTE, -3, {0, 1, 2}, {0}, SV_ERROR_INVALID},
        {"permute, twice", PERMUTE, 3, {0, 1, 1}, {0}, SV_ERROR_INVALID},
        {"permute, twice by its negative", PERMUTE, 3, {0, 2, -1}, {0}, SV_ERROR_INVALID},
        {"permute, outside", PERMUTE, 3, {0, 1, 3}, {0}, SV_ERROR_INDEX},
        {"permute, far outside", PERMUTE, 3, {0, 1, INT32_MIN}, {0}, SV_ERROR_INDEX},
        {"slice, step 0", SLICE, 2, {0}, {1, 0}, SV_ERROR_INVALID},
        {"slice, too many", SLICE, 4, {0}, {1, 1, 1, 1}, SV_ERROR_INDEX},
        {"slice, negative count", SLICE, -1, {0}, {1}, SV_ERROR_INVALID},
        {"index, axis", INDEX, 3, {0}, {0}, SV_ERROR_INDEX},
        {"index, negative axis", INDEX, -4, {0}, {0}, SV_ERROR_INDEX},
        {"index, too large", INDEX, 0, {0}, {2}, SV_ERROR_INDEX},
        {"index, too small", INDEX, 0, {0}, {-3}, SV_ERROR_INDEX},
        {"index, most negative", INDEX, 0, {0}, {INT64_MIN}, SV_ERROR_INDEX},
        {"index, largest", INDEX, 0, {0}, {INT64_MAX}, SV_ERROR_INDEX},
        {"reshape, 65 axes", RESHAPE, 65, {0}, {0}, SV_ERROR_RANGE},
        {"reshape, negative ndim", RESHAPE, -1, {0}, {0}, SV_ERROR_RANGE},
        {"broadcast, 65 axes", BROADCAST, 65, {0}, {0}, SV_ERROR_RANGE},
        {"broadcast, negative ndim", BROADCAST, -1, {0}, {0}, SV_ERROR_RANGE},
        {"broadcast, fewer axes", BROADCAST, 2, {0}, {3, 1}, SV_ERROR_LAYOUT},
        {"broadcast, negative extent", BROADCAST, 3, {0}, {2, 3, -1}, SV_ERROR_INVALID},
        {"broadcast, another extent", BROADCAST, 3, {0}, {2, 4, 1}, SV_ERROR_LAYOUT},
        {"broadcast, down to 1", BROADCAST, 3, {0}, {1, 3, 1}, SV_ERROR_LAYOUT},
        {"broadcast, down to 0", BROADCAST, 3, {0}, {0, 3, 1}, SV_ERROR_LAYOUT},
        {"broadcast, too large", BROADCAST, 4, {0}, {INT64_MAX, 2, 3, 1}, SV_ERROR_OVERFLOW},
        {"squeeze, not 1", SQUEEZE, 1, {0}, {0}, SV_ERROR_LAYOUT},
        {"squeeze, twice", SQUEEZE, 2, {2, -1}, {0}, SV_ERROR_INVALID},
        {"squeeze, outside", SQUEEZE, 1, {3}, {0}, SV_ERROR_INDEX},
        {"squeeze, negative count", SQUEEZE, -1, {2}, {0}, SV_ERROR_INVALID},
        {"unsqueeze, outside", UNSQUEEZE, 1, {4}, {0}, SV_ERROR_INDEX},
        {"unsqueeze, twice", UNSQUEEZE, 2, {0, -5}, {0}, SV_ERROR_INVALID},
        {"unsqueeze, negative count", UNSQUEEZE, -1, {0}, {0}, SV_ERROR_INVALID},
        {"unsqueeze, most negative count", UNSQUEEZE, INT32_MIN, {0}, {0}, SV_ERROR_INVALID},
        {"unsqueeze, too many", UNSQUEEZE, 62, {0}, {0}, SV_ERROR_RANGE},
        {"unsqueeze, far too many", UNSQUEEZE, INT32_MAX, {0}, {0}, SV_ERROR_RANGE},
        {"to_dense, unknown order", TO_DENSE, 3, {0, 1, 2}, {4}, SV_ERROR_INVALID},
        {"to_dense, too few axes", TO_DENSE, 2, {0, 1}, {SV_ORDER_AXES}, SV_ERROR_INVALID},
        {"to_dense, axis twice", TO_DENSE, 3, {0, 1, 1}, {SV_ORDER_AXES}, SV_ERROR_INVALID},
        {"to_dense, axis outside", TO_DENSE, 3, {0, 1, 3}, {SV_ORDER_AXES}, SV_ERROR_INDEX},
    };
    int64_t shape[3] = {2, 3, 1};
    sv_layout *layout = dense(3, shape, 4);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *out = untouched;

        cr_expect_eq(run(rows[i].operation, layout, rows[i].count, rows[i].axes, rows[i].numbers, &out), rows[i].status,
                     "%s: %s", rows[i].name, sv_last_message());
        cr_expect_eq(out, untouched, "%s", rows[i].name);
    }
    sv_layout_release(layout);
}

Test(layout_ops, null_arguments)
{
    static const int32_t axes[1] = {0};
    static const int64_t numbers[1] = {0};
    int64_t shape[1] = {1};
    sv_layout *layout = dense(1, shape, 4), *out = untouched;

    for (enum operation k = PERMUTE; k <= TO_DENSE; k++) {
        cr_expect_eq(run(k, NULL, 1, axes, numbers, &out), SV_ERROR_NULL, "operation %d", k);
        cr_expect_eq(run(k, layout, 1, axes, numbers, NULL), SV_ERROR_NULL, "operation %d", k);
    }
    cr_expect_eq(sv_layout_slice(layout, 1, NULL, numbers, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_slice(layout, 1, numbers, NULL, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_reshape(layout, 1, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_broadcast(layout, 1, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_unsqueeze(layout, 1, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_to_dense(layout, SV_ORDER_AXES, 1, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(out, untouched);

    /* Nothing given is no array at all. */
    cr_assert_eq(sv_layout_slice(layout, 0, NULL, NULL, NULL, &out), SV_OK);
    sv_layout_release(out);
    cr_assert_eq(sv_layout_reshape(layout, 0, NULL, &out), SV_OK);
    sv_layout_release(out);
    cr_assert_eq(sv_layout_unsqueeze(layout, 0, NULL, &out), SV_OK);
    sv_layout_release(out);
    sv_layout_release(layout);
}

/* --- the ends of int64, and 64 axes ---------------------------------------- */

Test(layout_ops, spans_beyond_int64_between_legal_ends)
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
Test(layout_ops, offset_of_an_empty_layout)
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

Test(layout_ops, sixty_four_axes)
{
    int64_t ones[64], start[64], stop[64], step[64], wide[64];
    int32_t axes[64];
    sv_layout *layout, *out, *back;

    for (int k = 0; k < 64; k++) {
        ones[k] = 1;
        wide[k] = k < 31 ? 2 : 1;
        axes[k] = 63 - k;
        start[k] = INT64_MAX, stop[k] = INT64_MIN, step[k] = -1;
    }
    layout = dense(64, ones, 4);
    cr_assert_eq(sv_layout_broadcast(layout, 64, wide, &out), SV_OK);
    cr_expect_eq(sv_layout_size(out), INT64_C(1) << 31);
    sv_layout_release(out);
    cr_assert_eq(sv_layout_squeeze(layout, 64, axes, &out), SV_OK);
    cr_expect_eq(sv_layout_ndim(out), 0);
    cr_assert_eq(sv_layout_unsqueeze(out, 64, axes, &back), SV_OK);
    cr_expect(sv_layout_equal(layout, back));
    sv_layout_release(back);
    sv_layout_release(out);
    sv_layout_release(layout);

    layout = dense(64, wide, 4);
    cr_assert_eq(sv_layout_slice(layout, 64, start, stop, step, &out), SV_OK);
    cr_expect_eq(sv_layout_byte_offset(out), sv_layout_nbytes(layout) - 4);
    cr_assert_eq(sv_layout_slice(out, 64, start, stop, step, &back), SV_OK);
    cr_expect(sv_layout_equal(layout, back));
    sv_layout_release(back);
    sv_layout_release(out);
    cr_assert_eq(sv_layout_permute(layout, 64, axes, &out), SV_OK);
    cr_expect_eq(sv_layout_is_contiguous(out, SV_ORDER_F), 1);
    sv_layout_release(out);
    cr_assert_eq(sv_layout_reshape(layout, 1, (int64_t[]){-1}, &out), SV_OK);
    cr_assert_eq(sv_layout_reshape(out, 64, wide, &back), SV_OK);
    cr_expect(test_has(back, 64, wide, sv_layout_byte_strides(layout), 0));
    sv_layout_release(back);
    sv_layout_release(out);
    sv_layout_release(layout);
}
