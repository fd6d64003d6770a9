/* The algebra in place. What it computes is tested through the handles, in layout_ops.c; here: nothing moves when it
 * fails, and the parts that have no handle. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/checked.h"
#include "layout/geometry.h"
#include "layout/axes.h"
#include "layout/merge.h"
#include "layout/order.h"
#include "layout/repack.h"
#include "layout/reshape.h"
#include "layout/slice.h"

static struct svi_geometry make(int32_t ndim, const int64_t *shape)
{
    struct svi_geometry g;

    memset(&g, 0x55, sizeof g);
    cr_assert_eq(svi_geometry_init(&g, ndim, shape, 4), SV_OK);
    cr_assert_eq(svi_geometry_set_dense(&g, NULL), SV_OK);
    return g;
}

Test(geometry, untouched_on_failure)
{
    static const int64_t shape[3] = {2, 3, 1}, negative[1] = {-1}, wide[3] = {2, 9, 1}, sizes[2] = {2, 2},
                         huge[3] = {1, 1, INT64_MAX}, zeros[3] = {0}, steps[3] = {1, 1, 0}, ends[3] = {9, 9, 9};
    static const int32_t twice[3] = {0, 1, 1}, outside[3] = {2, 3, 0};
    struct svi_geometry before = make(3, shape), g = before;

#define REFUSED(call)                                                       \
    do {                                                                    \
        cr_expect_neq(call, SV_OK, #call);                                  \
        cr_expect_eq(memcmp(&g, &before, sizeof g), 0, "%s writes", #call); \
    } while (0)
    REFUSED(svi_geometry_init(&g, 1, negative, 1));
    REFUSED(svi_geometry_init(&g, 65, shape, 1));
    REFUSED(svi_geometry_init(&g, 1, shape, 0));
    REFUSED(svi_geometry_set_strides(&g, huge + 1, INT64_MAX));
    REFUSED(svi_geometry_permute(&g, 3, twice));
    REFUSED(svi_geometry_slice(&g, 3, zeros, ends, steps));
    REFUSED(svi_geometry_index(&g, 1, 3));
    REFUSED(svi_geometry_reshape(&g, 2, sizes));
    REFUSED(svi_geometry_broadcast(&g, 3, wide));
    REFUSED(svi_geometry_squeeze(&g, 3, outside));
    REFUSED(svi_geometry_unsqueeze(&g, 3, twice));
    REFUSED(svi_geometry_to_dense(&g, SV_ORDER_AXES, 3, twice, 0));
    REFUSED(svi_geometry_to_dense(&g, 7, 0, NULL, 8));
    REFUSED(svi_geometry_move_axes(&g, 3, outside + 1, twice));
    REFUSED(svi_geometry_swap_axes(&g, 0, 3));
    REFUSED(svi_geometry_flip(&g, 3, twice));
    REFUSED(svi_geometry_diagonal(&g, 1, 0, -3));
    REFUSED(svi_geometry_window(&g, 3, NULL, wide));
    REFUSED(svi_geometry_flatten(&g, 0, 3));
    REFUSED(svi_geometry_merge_axes(&g, 2, 0));
    REFUSED(svi_geometry_split_axis(&g, 1, 2, sizes));
    REFUSED(svi_geometry_repack(&g, 8, 0, 1, true));
    g.shape[1] = before.shape[1] = INT64_MAX;
    REFUSED(svi_geometry_set_dense(&g, NULL));
    REFUSED(svi_geometry_to_dense(&g, SV_ORDER_F, 0, NULL, 0));
    REFUSED(svi_geometry_to_dense(&g, SV_ORDER_F, 0, NULL, 16));
#undef REFUSED
}

Test(geometry, a_sequence_without_handles)
{
    static const int64_t shape[3] = {4, 6, 3}, start[2] = {1, 0}, stop[2] = {INT64_MAX, INT64_MAX}, step[2] = {1, 2},
                         flat[1] = {-1};
    static const int32_t axes[3] = {2, 0, 1};
    struct svi_geometry g = make(3, shape);
    struct svi_extent extent;

    cr_assert_eq(svi_geometry_slice(&g, 2, start, stop, step), SV_OK);
    cr_assert_eq(svi_geometry_permute(&g, 3, axes), SV_OK);
    cr_assert_eq(svi_geometry_index(&g, 0, -1), SV_OK);
    cr_assert_eq(svi_geometry_measure(&g, &extent), SV_OK);
    cr_expect_eq(g.ndim, 2);
    cr_expect_eq(g.byte_offset, 72 + 8);
    cr_expect_eq(extent.size, 9);
    cr_expect_eq(extent.lower, 80);
    cr_expect_eq(extent.upper, 80 + 2 * 72 + 2 * 24 + 4);
    cr_assert_eq(svi_geometry_reshape(&g, 1, flat), SV_OK);
    cr_expect_eq(g.shape[0], 9);
    cr_expect_eq(g.strides[0], 24);
}

Test(geometry, memory_order)
{
    static const struct {
        const char *name;
        int64_t strides[4];
        int32_t axes[4];
    } rows[] = {
        {"C", {100, 20, 5, 1}, {0, 1, 2, 3}},
        {"F", {1, 5, 20, 100}, {3, 2, 1, 0}},
        {"equal", {5, 5, 5, 5}, {0, 1, 2, 3}},
        {"signs", {-5, 5, -6, 6}, {2, 3, 0, 1}},
        {"zero is the smallest", {0, 1, 0, 2}, {3, 1, 0, 2}},
        {"most negative is the largest", {INT64_MAX, INT64_MIN, 0, -INT64_MAX}, {1, 0, 3, 2}},
    };
    static const int64_t shape[4] = {2, 2, 2, 2};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct svi_geometry g = make(4, shape);
        int32_t axes[4];

        memcpy(g.strides, rows[i].strides, sizeof rows[i].strides);
        svi_geometry_memory_order(&g, axes);
        cr_expect_arr_eq(axes, rows[i].axes, sizeof axes, "%s", rows[i].name);
    }
}

Test(geometry, axes)
{
    static const int32_t axes[4] = {-1, 0, 1, -2}, result[4] = {3, 0, 1, 2}, many[65] = {0};
    int32_t out[4] = {9, 9, 9, 9};

    cr_expect_eq(svi_axes_resolve(4, axes, 4, out), SV_OK);
    cr_expect_arr_eq(out, result, sizeof out);
    cr_expect_eq(svi_axes_resolve(65, many, 64, out), SV_ERROR_INVALID);
    cr_expect_eq(svi_axes_resolve(1, NULL, 4, out), SV_ERROR_NULL);
    cr_expect_eq(svi_axes_resolve(1, axes, 0, out), SV_ERROR_INDEX);
    cr_expect_eq(svi_axes_resolve(0, NULL, 0, out), SV_OK);
}

Test(geometry, advance_is_exact)
{
    static const struct {
        const char *name;
        int64_t at, count, stride;
        bool overflow;
        int64_t sum;
    } rows[] = {
        {"small", 5, 3, -2, false, -1},
        {"product of 2^63", INT64_MIN, 2, INT64_C(1) << 62, false, 0},
        {"all of int64 upwards", INT64_MIN, 3, INT64_MAX / 3 * 2 + 1, false, INT64_MAX},
        {"all of int64 downwards", INT64_MAX, 1, INT64_MIN, false, -1},
        {"to the bottom", 0, 1, INT64_MIN, false, INT64_MIN},
        {"below the bottom", -1, 1, INT64_MIN, true, 0},
        {"over the top", 1, INT64_MAX, 1, true, 0},
        {"beyond 64 bits", INT64_MIN, INT64_MAX, INT64_MAX, true, 0},
        {"no way at all", INT64_MAX, 0, INT64_MIN, false, INT64_MAX},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t sum;
        bool overflow = svi_advance(rows[i].at, rows[i].count, rows[i].stride, &sum);

        cr_expect_eq(overflow, rows[i].overflow, "%s", rows[i].name);
        cr_expect(overflow || sum == rows[i].sum, "%s: %lld", rows[i].name, (long long)sum);
    }
}
