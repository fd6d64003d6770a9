#include "support/layouts.h"

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

Test(reshape, reshape_and_back)
{
    int made = 0, refused = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
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
            cr_assert_eq(status, SV_ERROR_INVALID);
        } else if (size > 0 && !is_strided(ndim, shape, offsets)) {
            cr_assert_eq(status, SV_ERROR_LAYOUT);
            refused++;
        } else {
            cr_assert_eq(status, SV_OK, "%s", sv_last_message());
            cr_assert_eq(sv_layout_ndim(other), ndim);
            for (int32_t k = 0; k < ndim; k++)
                cr_assert_eq(sv_layout_shape(other)[k], shape[k]);
            cr_assert(test_same_offsets(layout, other));
            cr_assert_eq(sv_layout_byte_offset(other), sv_layout_byte_offset(layout));
            cr_assert_eq(sv_layout_reshape(other, sv_layout_ndim(layout), sv_layout_shape(layout), &back), SV_OK);
            cr_assert(test_same_offsets(layout, back));
            sv_layout_release(back);
            sv_layout_release(other);
            made++;
        }
        if (status != SV_OK)
            cr_assert_eq(other, untouched);
        sv_layout_release(layout);
    }
    cr_assert_gt(made, test_cases() / 4);
    cr_assert_gt(refused, test_cases() / 20);
}

Test(reshape, reshape_numbers)
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
        test_expect(rows[i].name, other, rows[i].status, rows[i].new_ndim, rows[i].result_shape, rows[i].result);
        sv_layout_release(layout);
    }
}
