#include <stdlib.h>

#include "base/alloc.h"
#include "support/layouts.h"
#include "support/no_memory.h"

Test(layout, made_from_strides)
{
    static const struct {
        const char *name;
        int32_t ndim;
        int64_t shape[4], strides[4], itemsize;
        bool bytes, implicit;
        int64_t byte_strides[4], size, lower, upper;
    } rows[] = {
        {"0-d", 0, {0}, {0}, 8, false, true, {0}, 1, 0, 8},
        {"C order", 3, {2, 3, 4}, {0}, 2, false, true, {24, 8, 2}, 24, 0, 48},
        {"elements", 2, {2, 3}, {5, -1}, 4, false, false, {20, -4}, 6, -8, 24},
        {"bytes", 2, {2, 3}, {5, -1}, 4, true, false, {5, -1}, 6, -2, 9},
        {"zero strides", 2, {2, 3}, {0, 0}, 4, false, false, {0, 0}, 6, 0, 4},
        {"empty keeps its strides", 2, {5, 0}, {0, 1}, 8, false, false, {0, 8}, 0, 0, 0},
        {"empty in C order", 3, {3, 0, 3}, {0}, 4, false, true, {0, 0, 0}, 0, 0, 0},
        {"empty and huge", 3, {INT64_MAX, INT64_MAX, 0}, {0}, 8, false, true, {0, 0, 0}, 0, 0, 0},
        {"empty, huge strides", 2, {3, 0}, {INT64_MAX, INT64_MIN}, 1, false, false, {INT64_MAX, INT64_MIN}, 0, 0, 0},
        {"stride that does not fit where nothing moves", 2, {1, 3}, {INT64_MAX, 1}, 4, false, false, {0, 4}, 3, 0, 12},
        {"stride that does not fit in an empty one", 2, {5, 0}, {INT64_MIN, 1}, 4, false, false, {0, 4}, 0, 0, 0},
        {"extent of 1 keeps its stride", 2, {1, 3}, {-7, 1}, 4, false, false, {-28, 4}, 3, 0, 12},
        {"most negative stride", 1, {2}, {INT64_MIN}, 1, true, false, {INT64_MIN}, 2, INT64_MIN, 1},
        {"largest", 1, {INT64_MAX}, {1}, 1, true, false, {1}, INT64_MAX, 0, INT64_MAX},
        {"largest item", 1, {1}, {0}, INT64_MAX, true, true, {INT64_MAX}, 1, 0, INT64_MAX},
        {"both ends", 2, {2, 2}, {INT64_MIN, INT64_MAX - 1}, 1, true, false, {INT64_MIN, INT64_MAX - 1}, 4, INT64_MIN,
         INT64_MAX},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t *strides = rows[i].implicit ? NULL : rows[i].strides;
        sv_layout *layout;
        int64_t lower, upper;

        cr_assert_eq((rows[i].bytes ? sv_layout_new_bytes : sv_layout_new)(rows[i].ndim, rows[i].shape, strides,
                                                                          rows[i].itemsize, &layout),
                     SV_OK, "%s: %s", rows[i].name, sv_last_message());
        cr_expect(test_has(layout, rows[i].ndim, rows[i].shape, rows[i].byte_strides, 0), "%s", rows[i].name);
        cr_expect_eq(sv_layout_itemsize(layout), rows[i].itemsize, "%s", rows[i].name);
        cr_expect_eq(sv_layout_size(layout), rows[i].size, "%s", rows[i].name);
        cr_expect_eq(sv_layout_nbytes(layout), rows[i].size * rows[i].itemsize, "%s", rows[i].name);
        cr_expect_eq(sv_layout_byte_bounds(layout, &lower, &upper), SV_OK, "%s", rows[i].name);
        cr_expect_eq(lower, rows[i].lower, "%s", rows[i].name);
        cr_expect_eq(upper, rows[i].upper, "%s", rows[i].name);
        sv_layout_release(layout);
    }
}

Test(layout, refused)
{
    static const struct {
        const char *name;
        int32_t ndim;
        int64_t shape[4], strides[4], itemsize;
        bool implicit;
        sv_status status;
    } rows[] = {
        {"negative ndim", -1, {1}, {1}, 1, true, SV_ERROR_RANGE},
        {"65 axes", 65, {1}, {1}, 1, true, SV_ERROR_RANGE},
        {"item of no bytes", 1, {1}, {1}, 0, true, SV_ERROR_RANGE},
        {"item of negative size", 1, {1}, {1}, INT64_MIN, true, SV_ERROR_RANGE},
        {"negative extent", 2, {2, -1}, {1, 1}, 1, true, SV_ERROR_INVALID},
        {"negative extent beside 0", 2, {0, -1}, {1, 1}, 1, true, SV_ERROR_INVALID},
        {"size", 2, {INT64_C(1) << 32, INT64_C(1) << 31}, {0}, 1, true, SV_ERROR_OVERFLOW},
        {"size of a broadcast", 2, {INT64_C(1) << 32, INT64_C(1) << 31}, {0, 0}, 1, false, SV_ERROR_OVERFLOW},
        {"bytes", 1, {INT64_C(1) << 60}, {0}, 8, true, SV_ERROR_OVERFLOW},
        {"bytes of a broadcast", 1, {INT64_C(1) << 60}, {0}, 8, false, SV_ERROR_OVERFLOW},
        {"stride in bytes", 1, {2}, {INT64_C(1) << 61}, 4, false, SV_ERROR_OVERFLOW},
        {"upper bound", 1, {3}, {INT64_C(1) << 62}, 1, false, SV_ERROR_OVERFLOW},
        {"upper bound by the item", 1, {2}, {INT64_MAX}, 1, false, SV_ERROR_OVERFLOW},
        {"upper bound of two axes", 2, {2, 2}, {INT64_C(1) << 62, INT64_C(1) << 62}, 1, false, SV_ERROR_OVERFLOW},
        {"lower bound", 1, {3}, {-(INT64_C(1) << 62) - 1}, 1, false, SV_ERROR_OVERFLOW},
        {"lower bound of two axes", 2, {2, 2}, {INT64_MIN, -1}, 1, false, SV_ERROR_OVERFLOW},
        {"bound beyond 64 bits", 1, {INT64_C(1) << 40}, {INT64_C(1) << 40}, 1, false, SV_ERROR_OVERFLOW},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = untouched;
        int64_t shape[65];

        for (int k = 0; k < 65; k++)
            shape[k] = k < 4 ? rows[i].shape[k] : 1;
        cr_expect_eq(sv_layout_new(rows[i].ndim, shape, rows[i].implicit ? NULL : rows[i].strides, rows[i].itemsize,
                                   &layout),
                     rows[i].status, "%s", rows[i].name);
        cr_expect_eq(layout, untouched, "%s", rows[i].name);
        if (rows[i].itemsize != 1)
            continue;
        cr_expect_eq(sv_layout_new_bytes(rows[i].ndim, shape, rows[i].implicit ? NULL : rows[i].strides, 1, &layout),
                     rows[i].status, "%s", rows[i].name);
        cr_expect_eq(layout, untouched, "%s", rows[i].name);
    }
}

Test(layout, dense)
{
    static const struct {
        const char *name;
        int32_t ndim;
        int64_t shape[3];
        sv_order order;
        int32_t axes[3];
        sv_status status;
        int64_t strides[3];
    } rows[] = {
        {"C", 3, {5, 3, 7}, SV_ORDER_C, {0}, SV_OK, {42, 14, 2}},
        {"F", 3, {5, 3, 7}, SV_ORDER_F, {0}, SV_OK, {2, 10, 30}},
        {"axes", 3, {5, 3, 7}, SV_ORDER_AXES, {2, 0, 1}, SV_OK, {6, 2, 30}},
        {"negative axes", 2, {2, 3}, SV_ORDER_AXES, {-2, -1}, SV_OK, {6, 2}},
        {"extents of 1", 3, {1, 3, 1}, SV_ORDER_F, {0}, SV_OK, {2, 2, 6}},
        {"0-d", 0, {0}, SV_ORDER_AXES, {0}, SV_OK, {0}},
        {"empty", 3, {3, 0, 3}, SV_ORDER_F, {0}, SV_OK, {0, 0, 0}},
        {"K", 2, {2, 3}, SV_ORDER_K, {0}, SV_ERROR_INVALID, {0}},
        {"unknown order", 2, {2, 3}, 4, {0}, SV_ERROR_INVALID, {0}},
        {"negative order", 2, {2, 3}, -1, {0}, SV_ERROR_INVALID, {0}},
        {"axis twice", 2, {2, 3}, SV_ORDER_AXES, {0, -2}, SV_ERROR_INVALID, {0}},
        {"no such axis", 2, {2, 3}, SV_ORDER_AXES, {0, 2}, SV_ERROR_INDEX, {0}},
        {"no such negative axis", 2, {2, 3}, SV_ORDER_AXES, {0, -3}, SV_ERROR_INDEX, {0}},
        {"too large", 2, {INT64_MAX, 2}, SV_ORDER_F, {0}, SV_ERROR_OVERFLOW, {0}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = untouched;

        cr_expect_eq(sv_layout_new_dense(rows[i].ndim, rows[i].shape, rows[i].order, rows[i].axes, 2, &layout),
                     rows[i].status, "%s: %s", rows[i].name, sv_last_message());
        test_expect(rows[i].name, layout, rows[i].status, rows[i].ndim, rows[i].shape, rows[i].strides);
    }
}

Test(layout, element_strides)
{
    static const struct {
        const char *name;
        int64_t shape[2], byte_strides[2];
        sv_status status;
        int64_t strides[2];
    } rows[] = {
        {"whole", {2, 3}, {12, -4}, SV_OK, {3, -1}},
        {"not whole", {2, 3}, {12, 6}, SV_ERROR_LAYOUT, {0}},
        {"not whole, negative", {2, 3}, {-13, 4}, SV_ERROR_LAYOUT, {0}},
        {"not whole where nothing moves", {1, 3}, {-13, 4}, SV_OK, {-3, 1}},
        {"not whole in an empty one", {2, 0}, {13, 7}, SV_OK, {3, 1}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t *const before = rows[i].shape, *strides = before;
        sv_layout *layout;

        cr_assert_eq(sv_layout_new_bytes(2, rows[i].shape, rows[i].byte_strides, 4, &layout), SV_OK);
        cr_expect_eq(sv_layout_strides(layout, &strides), rows[i].status, "%s", rows[i].name);
        if (rows[i].status == SV_OK)
            cr_expect_arr_eq(strides, rows[i].strides, sizeof rows[i].strides, "%s", rows[i].name);
        else
            cr_expect_eq(strides, before, "%s", rows[i].name);
        sv_layout_release(layout);
    }
}

Test(layout, sixty_four_axes)
{
    int64_t shape[64];
    const int64_t *strides;
    sv_layout *layout;

    for (int i = 0; i < 64; i++)
        shape[i] = i < 62 ? 2 : 1;
    cr_assert_eq(sv_layout_new(64, shape, NULL, 1, &layout), SV_OK);
    cr_expect_eq(sv_layout_ndim(layout), 64);
    cr_expect_eq(sv_layout_size(layout), INT64_C(1) << 62);
    cr_expect_eq(sv_layout_byte_strides(layout)[0], INT64_C(1) << 61);
    cr_expect_eq(sv_layout_byte_strides(layout)[63], 1);
    cr_assert_eq(sv_layout_strides(layout, &strides), SV_OK);
    cr_expect_eq(strides[0], INT64_C(1) << 61);
    sv_layout_release(layout);
    shape[63] = 2;
    cr_expect_eq(sv_layout_new(64, shape, NULL, 1, &layout), SV_ERROR_OVERFLOW);
}

Test(layout, null_arguments)
{
    int64_t shape[1] = {3}, strides[1] = {1};
    const int64_t *out_strides;
    sv_layout *layout = untouched;

    cr_expect_eq(sv_layout_new(1, shape, strides, 1, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_new(1, NULL, strides, 1, &layout), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_new_bytes(1, shape, strides, 1, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_new_bytes(1, NULL, strides, 1, &layout), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_new_dense(1, shape, SV_ORDER_C, NULL, 1, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_new_dense(1, NULL, SV_ORDER_C, NULL, 1, &layout), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_new_dense(1, shape, SV_ORDER_AXES, NULL, 1, &layout), SV_ERROR_NULL);
    cr_expect_eq(layout, untouched);
    cr_expect_eq(sv_layout_new(0, NULL, NULL, 1, &layout), SV_OK);
    cr_expect_eq(sv_layout_strides(layout, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_strides(NULL, &out_strides), SV_ERROR_NULL);
    sv_layout_release(layout);

    sv_layout_release(NULL);
    cr_expect_null(sv_layout_retain(NULL));
    cr_expect_eq(sv_layout_ndim(NULL), 0);
    cr_expect_null(sv_layout_shape(NULL));
    cr_expect_null(sv_layout_byte_strides(NULL));
    cr_expect_eq(sv_layout_itemsize(NULL), 0);
    cr_expect_eq(sv_layout_size(NULL), 0);
    cr_expect_eq(sv_layout_nbytes(NULL), 0);
    cr_expect_eq(sv_layout_byte_offset(NULL), 0);
}

static int allocations, releases;

static void *counting_allocate(size_t nbytes)
{
    allocations++;
    return malloc(nbytes);
}

static void counting_release(void *pointer)
{
    releases++;
    free(pointer);
}

/* Bounds, element strides and all: one allocation a layout, freed with the last reference. */
Test(layout, one_allocation)
{
    int64_t shape[2] = {2, 3};
    sv_layout *layout = untouched, *turned;

    svi_alloc = (struct svi_alloc){counting_allocate, counting_release, NULL};
    cr_assert_eq(sv_layout_new(2, shape, NULL, 4, &layout), SV_OK);
    cr_expect_eq(allocations, 1);
    cr_assert_eq(sv_layout_permute(layout, 0, NULL, &turned), SV_OK);
    cr_expect_eq(allocations, 2);
    cr_expect_eq(sv_layout_retain(layout), layout);
    sv_layout_release(layout);
    cr_expect_eq(releases, 0);
    cr_expect_eq(sv_layout_size(layout), 6);
    sv_layout_release(layout);
    cr_expect_eq(releases, 1);
    sv_layout_release(turned);
    cr_expect_eq(releases, 2);

    layout = untouched;
    svi_alloc.allocate = no_memory;
    cr_expect_eq(sv_layout_new(2, shape, NULL, 4, &layout), SV_ERROR_MEMORY);
    cr_expect_eq(layout, untouched);
    cr_expect_neq(strlen(sv_last_message()), 0);
}
