#include <stdlib.h>

#include "support/layouts.h"

/* --- against brute force: where the elements of the result lie ---------- */

Test(layout_ops, permute_and_back)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(6), *turned, *back;
        int32_t ndim = sv_layout_ndim(layout), axes[8], inverse[8];
        int64_t index[8] = {0}, old[8];

        test_shuffle(ndim, axes);
        for (int32_t k = 0; k < ndim; k++)
            inverse[axes[k]] = test_between(0, 1) ? k : k - ndim;
        cr_assert_eq(sv_layout_permute(layout, ndim, axes, &turned), SV_OK);
        cr_assert_eq(sv_layout_permute(turned, ndim, inverse, &back), SV_OK);
        cr_assert(test_has(back, ndim, sv_layout_shape(layout), sv_layout_byte_strides(layout),
                           sv_layout_byte_offset(layout)));
        cr_assert_eq(sv_layout_size(turned), sv_layout_size(layout));
        do {
            for (int32_t k = 0; k < ndim; k++)
                old[axes[k]] = index[k];
            cr_assert_eq(test_element(turned, index), test_element(layout, old));
        } while (sv_layout_size(turned) > 0 && test_next(ndim, sv_layout_shape(turned), index));
        sv_layout_release(back);
        sv_layout_release(turned);
        sv_layout_release(layout);
    }
}

Test(layout_ops, broadcast)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
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
            cr_assert_eq(status, SV_ERROR_LAYOUT);
            cr_assert_eq(wide, untouched);
            sv_layout_release(layout);
            continue;
        }
        cr_assert_eq(status, SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_layout_ndim(wide), ndim + added);
        for (axis = 0; axis < ndim + added; axis++)
            cr_assert_eq(sv_layout_shape(wide)[axis], shape[axis]);
        do {
            for (int32_t k = 0; k < ndim; k++)
                old[k] = sv_layout_shape(layout)[k] == 1 ? 0 : index[added + k];
            cr_assert_eq(test_element(wide, index), test_element(layout, old));
        } while (sv_layout_size(wide) > 0 && test_next(ndim + added, shape, index));
        sv_layout_release(wide);
        sv_layout_release(layout);
    }
}

Test(layout_ops, unsqueeze_and_squeeze)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(4), *wide, *back, *all;
        int32_t ndim = sv_layout_ndim(layout), count = (int32_t)test_between(0, 3), axes[8], moving = 0;

        test_shuffle(ndim + count, axes);
        if (count > 0 && test_between(0, 1))
            axes[0] -= ndim + count;
        cr_assert_eq(sv_layout_unsqueeze(layout, count, axes, &wide), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_layout_ndim(wide), ndim + count);
        for (int32_t k = 0; k < count; k++)
            cr_assert_eq(sv_layout_shape(wide)[axes[k] < 0 ? axes[k] + ndim + count : axes[k]], 1);
        cr_assert(test_same_offsets(layout, wide));
        cr_assert_eq(sv_layout_squeeze(wide, count, axes, &back), SV_OK);
        cr_assert(test_has(back, ndim, sv_layout_shape(layout), sv_layout_byte_strides(layout),
                           sv_layout_byte_offset(layout)));
        cr_assert_eq(sv_layout_squeeze(wide, 0, NULL, &all), SV_OK);
        for (int32_t k = 0; k < ndim; k++)
            moving += sv_layout_shape(layout)[k] != 1;
        cr_assert_eq(sv_layout_ndim(all), moving);
        cr_assert(test_same_offsets(layout, all));
        sv_layout_release(all);
        sv_layout_release(back);
        sv_layout_release(wide);
        sv_layout_release(layout);
    }
}

/* The destination of a conversion: the same axes, in the same order, of items of another size. */
Test(layout_ops, to_dense_of_another_itemsize)
{
    static const int64_t shape[3] = {2, 3, 4}, huge[1] = {INT64_MAX / 4};
    static const int32_t axes[3] = {1, 2, 0};
    static const struct {
        sv_order order;
        int64_t itemsize, strides[3];
    } rows[] = {
        {SV_ORDER_C, 0, {48, 16, 4}},  {SV_ORDER_C, 1, {12, 4, 1}},    {SV_ORDER_C, 16, {192, 64, 16}},
        {SV_ORDER_F, 2, {2, 4, 12}},   {SV_ORDER_K, 3, {3, 6, 18}},    {SV_ORDER_AXES, 8, {8, 64, 16}},
    };
    const int64_t columns[3] = {4, 8, 24};
    sv_layout *layout, *wide, *out = untouched;

    cr_assert_eq(sv_layout_new_bytes(3, shape, columns, 4, &layout), SV_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(sv_layout_to_dense(layout, rows[i].order, 3, axes, rows[i].itemsize, &out), SV_OK);
        cr_expect(test_has(out, 3, shape, rows[i].strides, 0), "row %d", (int)i);
        cr_expect_eq(sv_layout_itemsize(out), rows[i].itemsize == 0 ? 4 : rows[i].itemsize, "row %d", (int)i);
        cr_expect_eq(sv_layout_is_dense(out), 1, "row %d", (int)i);
        sv_layout_release(out);
    }
    out = untouched;
    cr_expect_eq(sv_layout_to_dense(layout, SV_ORDER_C, 0, NULL, -1, &out), SV_ERROR_RANGE);
    cr_expect(strstr(sv_last_message(), "the least is 0") != NULL, "%s", sv_last_message());
    cr_expect_eq(sv_layout_to_dense(layout, SV_ORDER_C, 0, NULL, INT64_MAX, &out), SV_ERROR_OVERFLOW);
    cr_assert_eq(sv_layout_new(1, huge, NULL, 4, &wide), SV_OK);
    cr_expect_eq(sv_layout_to_dense(wide, SV_ORDER_C, 0, NULL, 8, &out), SV_ERROR_OVERFLOW);
    cr_expect_eq(out, untouched);
    sv_layout_release(wide);
    sv_layout_release(layout);
}

Test(layout_ops, to_dense)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *packed, *again, *turned, *kept;
        int32_t ndim = sv_layout_ndim(layout), axes[8];
        const int64_t *shape = sv_layout_shape(layout);

        for (sv_order order = SV_ORDER_C; order <= SV_ORDER_AXES; order++) {
            test_shuffle(ndim, axes);
            cr_assert_eq(sv_layout_to_dense(layout, order, ndim, axes, 0, &packed), SV_OK);
            cr_assert(test_has(packed, ndim, shape, sv_layout_byte_strides(packed), 0));
            cr_assert_eq(sv_layout_is_contiguous(packed, order == SV_ORDER_AXES ? SV_ORDER_K : order), 1);
            if (order == SV_ORDER_AXES) { /* with the slowest axis first it is in C order */
                cr_assert_eq(sv_layout_permute(packed, ndim, axes, &turned), SV_OK);
                cr_assert_eq(sv_layout_is_contiguous(turned, SV_ORDER_C), 1);
                sv_layout_release(turned);
            }
            cr_assert_eq(sv_layout_to_dense(packed, SV_ORDER_K, 0, NULL, 0, &again), SV_OK);
            cr_assert(test_same_offsets(packed, again), "K keeps what is dense");
            sv_layout_release(again);
            sv_layout_release(packed);
        }

        /* K does not change which of two axes steps further. */
        cr_assert_eq(sv_layout_to_dense(layout, SV_ORDER_K, 0, NULL, 0, &kept), SV_OK);
        for (int32_t k = 0; k < ndim && sv_layout_size(layout) > 0; k++)
            for (int32_t n = 0; n < ndim; n++)
                if (shape[k] > 1 && shape[n] > 1 && llabs(sv_layout_byte_strides(layout)[k]) >
                                                        llabs(sv_layout_byte_strides(layout)[n]))
                    cr_assert_gt(sv_layout_byte_strides(kept)[k], sv_layout_byte_strides(kept)[n]);
        sv_layout_release(kept);
        sv_layout_release(layout);
    }
}

/* --- results in numbers -------------------------------------------------- */

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
        cr_assert_eq(sv_layout_to_dense(layout, SV_ORDER_K, 0, NULL, 0, &packed), SV_OK);
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
        return sv_layout_to_dense(layout, (sv_order)numbers[0], count, axes, 0, out);
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
    sv_layout *layout = test_dense(3, shape, 4);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *out = untouched;

        cr_expect_eq(run(rows[i].operation, layout, rows[i].count, rows[i].axes, rows[i].numbers, &out), rows[i].status,
                     "%s: %s", rows[i].name, sv_last_message());
        cr_expect_eq(out, untouched, "%s", rows[i].name);
    }
    sv_layout_release(layout);
}

Test(layout_ops, broadcast_tells_both_shapes)
{
    int64_t shape[SV_MAX_NDIM], far[SV_MAX_NDIM];
    sv_layout *layout = test_dense(2, (const int64_t[]){2, 3}, 4), *out = untouched;

    cr_expect_eq(sv_layout_broadcast(layout, 2, (const int64_t[]){4, 3}, &out), SV_ERROR_LAYOUT);
    cr_expect_str_eq(sv_last_message(), "shape (2, 3) does not broadcast to (4, 3)");
    cr_expect_eq(sv_layout_broadcast(layout, 1, (const int64_t[]){3}, &out), SV_ERROR_LAYOUT);
    cr_expect_str_eq(sv_last_message(), "shape (2, 3) does not broadcast to (3,)");
    cr_expect_eq(sv_layout_broadcast(layout, 0, NULL, &out), SV_ERROR_LAYOUT);
    cr_expect_str_eq(sv_last_message(), "shape (2, 3) does not broadcast to ()");
    for (int i = 0; i < SV_MAX_NDIM; i++) {
        shape[i] = i == 0 ? INT64_MAX : 1;
        far[i] = INT64_MAX;
    }
    cr_expect_eq(sv_layout_broadcast(layout, SV_MAX_NDIM, far, &out), SV_ERROR_LAYOUT);
    cr_expect_not_null(strstr(sv_last_message(), "shape (2, 3) does not broadcast to (9223372036854775807, "));
    cr_expect_str_eq(sv_last_message() + strlen(sv_last_message()) - 4, "...)");
    cr_expect_eq(sv_layout_broadcast(layout, SV_MAX_NDIM, shape, &out), SV_ERROR_LAYOUT);
    cr_expect_eq(out, untouched);
    sv_layout_release(layout);
}

Test(layout_ops, null_arguments)
{
    static const int32_t axes[1] = {0};
    static const int64_t numbers[1] = {0};
    int64_t shape[1] = {1};
    sv_layout *layout = test_dense(1, shape, 4), *out = untouched;

    for (enum operation k = PERMUTE; k <= TO_DENSE; k++) {
        cr_expect_eq(run(k, NULL, 1, axes, numbers, &out), SV_ERROR_NULL, "operation %d", k);
        cr_expect_eq(run(k, layout, 1, axes, numbers, NULL), SV_ERROR_NULL, "operation %d", k);
    }
    cr_expect_eq(sv_layout_slice(layout, 1, NULL, numbers, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_slice(layout, 1, numbers, NULL, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_reshape(layout, 1, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_broadcast(layout, 1, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_unsqueeze(layout, 1, NULL, &out), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_to_dense(layout, SV_ORDER_AXES, 1, NULL, 0, &out), SV_ERROR_NULL);
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

/* --- 64 axes -------------------------------------------------------------- */

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
    layout = test_dense(64, ones, 4);
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

    layout = test_dense(64, wide, 4);
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
