#include "base/checked.h"
#include "support/layouts.h"

Test(order, stride_order_sorts)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(6);
        const int64_t *shape = sv_layout_shape(layout), *strides = sv_layout_byte_strides(layout);
        int32_t ndim = sv_layout_ndim(layout), axes[8];
        uint64_t seen = 0;

        cr_assert_eq(sv_layout_stride_order(layout, axes), SV_OK);
        for (int32_t k = 0; k < ndim; k++) {
            uint64_t before = k > 0 ? svi_abs(strides[axes[k - 1]]) : UINT64_MAX, here = svi_abs(strides[axes[k]]);

            seen |= UINT64_C(1) << axes[k];
            cr_assert_geq(before, here);
            if (before == here)
                cr_assert(shape[axes[k - 1]] > shape[axes[k]] ||
                              (shape[axes[k - 1]] == shape[axes[k]] && axes[k - 1] < axes[k]));
        }
        cr_assert_eq(seen, (UINT64_C(1) << ndim) - 1, "each axis once");
        sv_layout_release(layout);
    }
}

Test(order, stride_order_numbers)
{
    static const struct {
        const char *name;
        int64_t shape[3], strides[3];
        int32_t axes[3];
    } rows[] = {
        {"C order", {2, 3, 4}, {12, 4, 1}, {0, 1, 2}},
        {"F order", {2, 3, 4}, {1, 2, 6}, {2, 1, 0}},
        {"larger extent outside", {2, 3, 4}, {1, 1, 1}, {2, 1, 0}},
        {"lower axis outside", {3, 3, 3}, {-1, 1, -1}, {0, 1, 2}},
        {"most negative", {1, 1, 1}, {INT64_MAX, INT64_MIN, 0}, {1, 0, 2}},
        {"empty", {0, 2, 1}, {0, 0, 0}, {1, 2, 0}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t axes[3];
        sv_layout *layout;

        cr_assert_eq(sv_layout_new(3, rows[i].shape, rows[i].strides, 1, &layout), SV_OK);
        cr_assert_eq(sv_layout_stride_order(layout, axes), SV_OK);
        cr_expect_arr_eq(axes, rows[i].axes, sizeof axes, "%s", rows[i].name);
        sv_layout_release(layout);
    }
}
