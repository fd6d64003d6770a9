#include <criterion/criterion.h>
#include <stdbool.h>

#include "sv.h"

static int64_t live_bytes(void)
{
    int64_t bytes = -1;

    cr_assert_eq(sv_memory_stats(SV_MEMORY_UNKNOWN, SV_STAT_LIVE_BYTES, &bytes), SV_OK);
    return bytes;
}

static bool is_zero(const unsigned char *bytes, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

Test(empty, dense_arrays)
{
    static const int64_t many[SV_MAX_NDIM] = {[3] = 0};
    static const struct {
        const char *name;
        sv_dtype dtype;
        int32_t ndim;
        int64_t shape[4];
        int64_t nbytes;
    } cases[] = {
        {"a number", SV_FLOAT64, 0, {0}, 8},
        {"a row", SV_UINT8, 1, {5}, 5},
        {"a cube", SV_INT16, 3, {3, 4, 5}, 120},
        {"no element", SV_INT32, 3, {3, 0, 5}, 0},
        {"with a handle of its own", SV_INT32, 2, {256, 257}, 263168},
        {"packed numbers", SV_FLOAT4_E2M1FN_X2, 1, {7}, 7},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t before = live_bytes();
        sv_view *view;

        cr_assert_eq(sv_empty(NULL, cases[i].dtype, cases[i].ndim, cases[i].shape, SV_BUFFER_ZERO, 0, &view), SV_OK,
                     "%s: %s", cases[i].name, sv_last_message());
        cr_expect_eq(sv_layout_nbytes(sv_view_layout(view)), cases[i].nbytes, "%s", cases[i].name);
        cr_expect(sv_layout_is_contiguous(sv_view_layout(view), SV_ORDER_C), "%s", cases[i].name);
        cr_expect_eq(sv_view_dtype(view), cases[i].dtype, "%s", cases[i].name);
        cr_expect_eq(sv_view_device_type(view), SV_DEVICE_CPU, "%s", cases[i].name);
        cr_expect(!sv_view_is_readonly(view), "%s", cases[i].name);
        cr_expect_eq(sv_buffer_nbytes(sv_view_buffer(view)), cases[i].nbytes, "%s", cases[i].name);
        cr_expect_eq(sv_buffer_exports(sv_view_buffer(view)), 1, "%s", cases[i].name);
        cr_expect_eq((sv_view_data(view) == NULL), cases[i].nbytes == 0, "%s", cases[i].name);
        cr_expect(is_zero(sv_view_data(view), cases[i].nbytes), "%s", cases[i].name);
        cr_expect_eq(live_bytes() - before, cases[i].nbytes, "%s", cases[i].name);
        sv_view_release(view);
        cr_expect_eq(live_bytes(), before, "%s", cases[i].name);
    }
    {
        sv_view *view;

        cr_assert_eq(sv_empty(NULL, SV_INT8, SV_MAX_NDIM, many, 0, 0, &view), SV_OK);
        cr_expect_eq(sv_layout_ndim(sv_view_layout(view)), SV_MAX_NDIM);
        sv_view_release(view);
    }
}

Test(empty, what_is_no_array_is_refused)
{
    static const int64_t huge[] = {INT64_MAX / 2, 3}, negative[] = {2, -1}, many[SV_MAX_NDIM + 1] = {0};
    static const struct {
        const char *name;
        sv_dtype dtype;
        int32_t ndim;
        const int64_t *shape;
        uint32_t flags;
        sv_status status;
    } cases[] = {
        {"opaque", SV_OPAQUE, 1, huge, 0, SV_ERROR_DTYPE},
        {"no type", 0x7f, 1, huge, 0, SV_ERROR_DTYPE},
        {"a negative extent", SV_INT8, 2, negative, 0, SV_ERROR_INVALID},
        {"too many axes", SV_INT8, SV_MAX_NDIM + 1, many, 0, SV_ERROR_RANGE},
        {"fewer axes than none", SV_INT8, -1, many, 0, SV_ERROR_RANGE},
        {"too many elements", SV_INT8, 2, huge, 0, SV_ERROR_OVERFLOW},
        {"too many bytes", SV_INT64, 1, huge, 0, SV_ERROR_OVERFLOW},
        {"more than there is", SV_INT8, 1, huge, 0, SV_ERROR_MEMORY},
        {"a flag of copies", SV_INT8, 1, huge, 1, SV_ERROR_INVALID},
        {"no shape", SV_INT8, 1, NULL, 0, SV_ERROR_NULL},
    };
    const int64_t before = live_bytes();

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_view *view = (sv_view *)&cases;

        cr_expect_eq(sv_empty(NULL, cases[i].dtype, cases[i].ndim, cases[i].shape, cases[i].flags, 0, &view),
                     cases[i].status, "%s: %s", cases[i].name, sv_last_message());
        cr_expect_eq(view, (sv_view *)&cases, "%s", cases[i].name);
    }
    cr_expect_eq(live_bytes(), before);
}

/* The memory is exactly what the layout reaches, wherever it counts from. */
Test(empty, any_layout)
{
    static const struct {
        const char *name;
        const char *layout;
        int64_t nbytes;
    } cases[] = {
        {"dense", "(3, 4):(4, 1)*2", 24},
        {"gaps", "(3, 4):(10, 2)*2", 54},
        {"backwards", "(3, 4):(-4, 1)*2", 24},
        {"both ways", "(3, 4):(-10, 1)*2", 48},
        {"repeated", "(100, 4):(0, 1)*2", 8},
        {"no element", "(3, 0):(1, 1)*2", 0},
        {"one number", "()*2", 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_layout *layout;
        sv_view *view;
        int64_t lower, upper;

        cr_assert_eq(sv_layout_parse(cases[i].layout, &layout), SV_OK, "%s: %s", cases[i].name, sv_last_message());
        cr_assert_eq(sv_empty_layout(NULL, layout, SV_INT16, SV_BUFFER_ZERO, 0, &view), SV_OK, "%s: %s",
                     cases[i].name, sv_last_message());
        cr_expect(sv_layout_equal(sv_view_layout(view), layout), "%s", cases[i].name);
        cr_assert_eq(sv_view_bounds(view, &lower, &upper), SV_OK);
        cr_expect_eq(upper - lower, cases[i].nbytes, "%s", cases[i].name);
        cr_expect_eq(sv_buffer_nbytes(sv_view_buffer(view)), cases[i].nbytes, "%s", cases[i].name);
        if (cases[i].nbytes > 0) {
            const char *first = (const char *)sv_view_data(view) - sv_layout_byte_offset(layout) + lower;

            cr_expect_eq(first, (const char *)sv_buffer_data(sv_view_buffer(view)), "%s", cases[i].name);
        }
        cr_expect_eq(sv_fill(view, "ab", 2, SV_COPY_TRUST, 0), i == 4 ? SV_ERROR_OVERLAP : SV_OK, "%s",
                     cases[i].name);
        sv_view_release(view);
        cr_expect_eq(sv_empty_layout(NULL, layout, SV_INT32, 0, 0, &view), SV_ERROR_DTYPE, "%s", cases[i].name);
        cr_assert_eq(sv_empty_layout(NULL, layout, SV_OPAQUE, 0, 0, &view), SV_OK, "%s", cases[i].name);
        sv_view_release(view);
        sv_layout_release(layout);
    }
}

Test(empty, like_another_array)
{
    static const struct {
        const char *name, *layout;
        sv_order order;
        const char *made;
    } cases[] = {
        {"as in C", "(3, 4):(1, 3)*2", SV_ORDER_C, "(3, 4):(4, 1)*2"},
        {"as in Fortran", "(3, 4):(4, 1)*2", SV_ORDER_F, "(3, 4):(1, 3)*2"},
        {"as in memory", "(3, 4):(10, 30)*2", SV_ORDER_K, "(3, 4):(1, 3)*2"},
        {"what goes backwards goes forwards", "(3, 4):(-4, 1)*2", SV_ORDER_C, "(3, 4):(4, 1)*2"},
        {"what is repeated has memory", "(3, 4):(0, 0)*2", SV_ORDER_C, "(3, 4):(4, 1)*2"},
    };
    static char memory[4096];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_layout *layout, *made;
        sv_view *view, *like;

        cr_assert_eq(sv_layout_parse(cases[i].layout, &layout), SV_OK, "%s", cases[i].name);
        cr_assert_eq(sv_layout_parse(cases[i].made, &made), SV_OK, "%s", cases[i].name);
        cr_assert_eq(sv_view_new(layout, SV_INT16, memory + 1024, -1024, 3072, SV_DEVICE_CPU, 0, SV_READ_ONLY, NULL,
                                 NULL, &view), SV_OK, "%s", cases[i].name);
        cr_assert_eq(sv_empty_like(NULL, view, cases[i].order, 0, 0, &like), SV_OK, "%s: %s", cases[i].name,
                     sv_last_message());
        cr_expect(sv_layout_equal(sv_view_layout(like), made), "%s", cases[i].name);
        cr_expect_eq(sv_view_dtype(like), SV_INT16, "%s", cases[i].name);
        cr_expect_eq(sv_copy(like, view, 0, 0), SV_OK, "%s: %s", cases[i].name, sv_last_message());
        sv_view_release(like);
        cr_expect_eq(sv_empty_like(NULL, view, SV_ORDER_AXES, 0, 0, &like), SV_ERROR_INVALID, "%s", cases[i].name);
        sv_view_release(view);
        sv_layout_release(made);
        sv_layout_release(layout);
    }
}
