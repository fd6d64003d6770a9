#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/rounds.h"
#include "view/view.h"

static char memory[4096];
static int ended;

static void count_release(void *ctx)
{
    cr_assert_eq(ctx, memory);
    ended++;
}

/* What a view must tell, or how it is refused. strides NULL: C order. */
struct expected {
    sv_status status;
    sv_dtype dtype;
    int64_t itemsize;
};

/* Ends the view after looking at it. */
static void check(const char *name, sv_status status, sv_view *view, const struct expected *expected, int32_t ndim,
                  const int64_t *shape, const int64_t *strides)
{
    const sv_layout *l = sv_view_layout(view);

    cr_expect_eq(status, expected->status, "%s: %d, %s", name, (int)status, sv_last_message());
    if (status != SV_OK) {
        cr_expect_null(view, "%s", name);
        cr_expect_eq(ended, 0, "%s: released after a refusal", name);
        return;
    }
    cr_expect_eq(sv_view_dtype(view), expected->dtype, "%s", name);
    cr_expect_eq(sv_layout_itemsize(l), expected->itemsize, "%s", name);
    cr_expect_eq(sv_layout_ndim(l), ndim, "%s", name);
    for (int32_t i = 0; shape != NULL && i < ndim; i++)
        cr_expect_eq(sv_layout_shape(l)[i], shape[i], "%s: axis %d", name, (int)i);
    for (int32_t i = 0; strides != NULL && i < ndim; i++)
        cr_expect_eq(sv_layout_byte_strides(l)[i], strides[i], "%s: axis %d", name, (int)i);
    if (strides == NULL)
        cr_expect_eq(sv_layout_is_contiguous(l, SV_ORDER_C), 1, "%s", name);
    if (sv_layout_size(l) > 0)
        cr_expect_eq(sv_view_data(view), memory + 2048, "%s", name);
    cr_expect_eq(ended, 0, "%s", name);
    sv_view_release(view);
    cr_expect_eq(ended, 1, "%s: released %d times", name, ended);
    ended = 0;
}

#define BIG INT64_MAX

Test(view_interface, buffers)
{
    static const struct {
        const char *name, *format;
        int64_t itemsize;
        int32_t ndim;
        int64_t shape[3];
        int64_t strides[3]; /* first 0: NULL */
        int64_t nbytes;
        struct expected expected;
    } cases[] = {
        {"numbers", "f", 4, 2, {3, 5}, {0}, 60, {SV_OK, SV_FLOAT32, 4}},
        {"no axes", "d", 8, 0, {0}, {0}, 8, {SV_OK, SV_FLOAT64, 8}},
        {"no format", NULL, 1, 1, {9}, {0}, 9, {SV_OK, SV_UINT8, 1}},
        {"strides", "h", 2, 2, {3, 5}, {-20, 2}, 30, {SV_OK, SV_INT16, 2}},
        {"strides that do not divide", "f", 4, 1, {3}, {5}, 12, {SV_OK, SV_FLOAT32, 4}},
        {"complex", "Zd", 16, 1, {3}, {0}, 48, {SV_OK, SV_COMPLEX128, 16}},
        {"empty", "f", 4, 2, {0, 5}, {0}, 0, {SV_OK, SV_FLOAT32, 4}},
        {"empty, overflowing", "f", 4, 3, {BIG, 0, BIG}, {0}, 0, {SV_OK, SV_FLOAT32, 4}},
        {"record", "T{i:a:d:b:}", 12, 1, {3}, {0}, 36, {SV_OK, SV_OPAQUE, 12}},
        {"record padded by ctypes", "T{<b:a:<i:b:}", 8, 1, {3}, {0}, 24, {SV_OK, SV_OPAQUE, 8}},
        {"union of ctypes", "B", 8, 1, {3}, {0}, 24, {SV_OK, SV_OPAQUE, 8}},
        {"string", "7s", 7, 1, {3}, {0}, 21, {SV_OK, SV_OPAQUE, 7}},
        {"repeat", "3f", 12, 1, {3}, {0}, 36, {SV_OK, SV_OPAQUE, 12}},
        {"sub-array", "(3)f", 12, 1, {3}, {0}, 36, {SV_OK, SV_OPAQUE, 12}},
        {"pointer", "&<i", 8, 1, {3}, {0}, 24, {SV_OK, SV_OPAQUE, 8}},
        {"swapped in a record", "T{>i:a:}", 4, 1, {3}, {0}, 12, {SV_OK, SV_OPAQUE, 4}},
        {"swapped", ">i", 4, 1, {3}, {0}, 12, {SV_ERROR_UNSUPPORTED, 0, 0}},
        {"swapped characters", ">3w", 12, 1, {3}, {0}, 36, {SV_OK, SV_OPAQUE, 12}},
        {"swapped record", "T{>i:a:>f:b:}", 8, 1, {3}, {0}, 24, {SV_OK, SV_OPAQUE, 8}},
        {"objects", "O", 8, 1, {3}, {0}, 24, {SV_ERROR_DTYPE, 0, 0}},
        {"objects in a record", "T{i:a:O:b:}", 12, 1, {3}, {0}, 36, {SV_ERROR_DTYPE, 0, 0}},
        {"broken format", "T{", 4, 1, {3}, {0}, 12, {SV_ERROR_DTYPE, 0, 0}},
        {"no format at all", "", 4, 1, {3}, {0}, 12, {SV_ERROR_DTYPE, 0, 0}},
        {"item size 0", "0s", 0, 1, {3}, {0}, 0, {SV_ERROR_RANGE, 0, 0}},
        {"negative item size", "f", -4, 1, {3}, {0}, -12, {SV_ERROR_RANGE, 0, 0}},
        {"too few bytes", "f", 4, 2, {3, 5}, {0}, 59, {SV_ERROR_PROTOCOL, 0, 0}},
        {"too many bytes", "f", 4, 2, {3, 5}, {0}, 64, {SV_ERROR_PROTOCOL, 0, 0}},
        {"negative bytes", "f", 4, 1, {3}, {0}, -12, {SV_ERROR_PROTOCOL, 0, 0}},
        {"no axes, two items", "f", 4, 0, {0}, {0}, 8, {SV_ERROR_PROTOCOL, 0, 0}},
        {"negative extent", "f", 4, 1, {-3}, {0}, -12, {SV_ERROR_INVALID, 0, 0}},
        {"negative ndim", "f", 4, -1, {3}, {0}, 12, {SV_ERROR_RANGE, 0, 0}},
        {"65 axes", "f", 4, 65, {3}, {0}, 12, {SV_ERROR_RANGE, 0, 0}},
        {"extents overflow", "f", 4, 2, {BIG, 2}, {0}, 0, {SV_ERROR_OVERFLOW, 0, 0}},
        {"bytes overflow", "f", 4, 1, {BIG}, {0}, -4, {SV_ERROR_OVERFLOW, 0, 0}},
        {"reach overflows", "f", 4, 1, {3}, {BIG}, 12, {SV_ERROR_OVERFLOW, 0, 0}},
        {"least stride", "f", 4, 1, {2}, {INT64_MIN}, 8, {SV_ERROR_OVERFLOW, 0, 0}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *strides = cases[i].strides[0] != 0 ? cases[i].strides : NULL;
        int64_t long_shape[65] = {cases[i].shape[0], cases[i].shape[1], cases[i].shape[2]};
        sv_view *view = NULL;
        sv_status status = sv_view_from_pep3118(cases[i].format, cases[i].itemsize, cases[i].ndim, long_shape, strides,
                                                memory + 2048, cases[i].nbytes, 0, count_release, memory, &view);

        check(cases[i].name, status, view, &cases[i].expected, cases[i].ndim, long_shape, strides);
    }
}

Test(view_interface, buffers_without_a_shape)
{
    const int64_t extent = 6, step = -8;
    const struct expected whole = {SV_OK, SV_INT32, 4}, odd = {SV_ERROR_PROTOCOL, 0, 0};
    const struct expected missing = {SV_ERROR_NULL, 0, 0};
    sv_view *view = NULL;
    sv_status status = sv_view_from_pep3118("i", 4, 1, NULL, NULL, memory + 2048, 24, 0, count_release, memory, &view);

    check("whole", status, view, &whole, 1, &extent, NULL);
    view = NULL;
    status = sv_view_from_pep3118("i", 4, 1, NULL, &step, memory + 2048, 24, 0, count_release, memory, &view);
    check("with strides", status, view, &whole, 1, &extent, &step);
    view = NULL;
    status = sv_view_from_pep3118("i", 4, 1, NULL, NULL, memory + 2048, 23, 0, count_release, memory, &view);
    check("odd bytes", status, view, &odd, 1, &extent, NULL);
    status = sv_view_from_pep3118("i", 4, 2, NULL, NULL, memory + 2048, 24, 0, count_release, memory, &view);
    check("two axes", status, view, &missing, 2, NULL, NULL);
}

Test(view_interface, array_interfaces)
{
    static const struct {
        const char *name, *typestr;
        int32_t ndim;
        int64_t shape[3];
        int64_t strides[3]; /* first 0: NULL */
        int32_t device_type, device_id;
        struct expected expected;
    } cases[] = {
        {"numbers", "<f4", 2, {3, 5}, {0}, 1, 0, {SV_OK, SV_FLOAT32, 4}},
        {"no axes", "<f8", 0, {0}, {0}, 1, 0, {SV_OK, SV_FLOAT64, 8}},
        {"strides", "<i2", 2, {3, 5}, {-20, 2}, 1, 0, {SV_OK, SV_INT16, 2}},
        {"strides that do not divide", "<f4", 1, {3}, {5}, 1, 0, {SV_OK, SV_FLOAT32, 4}},
        {"repeated", "<f4", 2, {3, 5}, {4, 0}, 1, 0, {SV_OK, SV_FLOAT32, 4}},
        {"bool", "|b1", 1, {3}, {0}, 1, 0, {SV_OK, SV_BOOL, 1}},
        {"empty", "<f4", 2, {0, 5}, {0}, 1, 0, {SV_OK, SV_FLOAT32, 4}},
        {"device", "<f4", 1, {3}, {0}, 2, 7, {SV_OK, SV_FLOAT32, 4}},
        {"void", "|V7", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 7}},
        {"void of another order", ">V7", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 7}},
        {"bytes", "|S3", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 3}},
        {"characters", "<U3", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 12}},
        {"dates", "<M8[25s]", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 8}},
        {"durations", "<m8", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 8}},
        {"long double", "<f16", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 16}},
        {"short float", "<f1", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 1}},
        {"very long float", "<f64", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"long complex", "<c32", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 32}},
        {"complex of halves", "<W4", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 4}},
        {"swapped complex of halves", ">W4", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 4}},
        {"swapped", ">f4", 1, {3}, {0}, 1, 0, {SV_ERROR_UNSUPPORTED, 0, 0}},
        {"swapped characters", ">U3", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 12}},
        {"swapped dates", ">M8[s]", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 8}},
        {"swapped long double", ">f16", 1, {3}, {0}, 1, 0, {SV_OK, SV_OPAQUE, 16}},
        {"objects", "|O8", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"bits", "|t8", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"void of no bytes", "|V0", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"void without a size", "|V", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"far too large", "|V99999999999999999999", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"rubbish after", "|V7x", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"dates of 4 bytes", "<M4", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"no order", "f4", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"nothing", "", 1, {3}, {0}, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"negative extent", "<f4", 1, {-3}, {0}, 1, 0, {SV_ERROR_INVALID, 0, 0}},
        {"negative ndim", "<f4", -1, {3}, {0}, 1, 0, {SV_ERROR_RANGE, 0, 0}},
        {"65 axes", "<f4", 65, {3}, {0}, 1, 0, {SV_ERROR_RANGE, 0, 0}},
        {"extents overflow", "<f4", 2, {BIG, 2}, {0}, 1, 0, {SV_ERROR_OVERFLOW, 0, 0}},
        {"least stride", "<f4", 1, {2}, {INT64_MIN}, 1, 0, {SV_ERROR_OVERFLOW, 0, 0}},
        {"unknown device", "<f4", 1, {3}, {0}, 5, 0, {SV_ERROR_DEVICE, 0, 0}},
        {"negative device", "<f4", 1, {3}, {0}, 2, -1, {SV_ERROR_DEVICE, 0, 0}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *strides = cases[i].strides[0] != 0 ? cases[i].strides : NULL;
        int64_t long_shape[65] = {cases[i].shape[0], cases[i].shape[1], cases[i].shape[2]};
        sv_view *view = NULL;
        sv_status status =
            sv_view_from_array_interface(cases[i].typestr, cases[i].ndim, long_shape, strides, memory + 2048,
                                         cases[i].device_type, cases[i].device_id, 0, count_release, memory, &view);

        check(cases[i].name, status, view, &cases[i].expected, cases[i].ndim, long_shape, strides);
    }
}

Test(view_interface, addresses_and_flags)
{
    static const int64_t some[1] = {3}, none[1] = {0};
    static const struct {
        const char *name;
        const int64_t *shape;
        void *pointer;
        uint32_t flags;
        sv_status status;
    } cases[] = {
        {"writable", some, memory + 2048, 0, SV_OK},
        {"read-only", some, memory + 2048, SV_READ_ONLY, SV_OK},
        {"unknown flag", some, memory + 2048, 8, SV_ERROR_INVALID},
        {"nowhere", some, NULL, 0, SV_ERROR_NULL},
        {"nothing nowhere", none, NULL, 0, SV_OK},
        {"end of the address space", some, (void *)(UINTPTR_MAX - 4), 0, SV_ERROR_OVERFLOW},
    };

    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        size_t k = i / 2;
        sv_view *view = NULL;
        sv_status status =
            i % 2 ? sv_view_from_pep3118("i", 4, 1, cases[k].shape, NULL, cases[k].pointer, 4 * cases[k].shape[0],
                                         cases[k].flags, NULL, NULL, &view)
                  : sv_view_from_array_interface("<i4", 1, cases[k].shape, NULL, cases[k].pointer, SV_DEVICE_CPU, 0,
                                                 cases[k].flags, NULL, NULL, &view);

        cr_expect_eq(status, cases[k].status, "%s: %s", cases[k].name, sv_last_message());
        cr_expect_eq(sv_view_is_readonly(view), status == SV_OK && cases[k].flags == SV_READ_ONLY, "%s", cases[k].name);
        sv_view_release(view);
    }
}

Test(view_interface, arrays)
{
    static const int64_t shape[3] = {3, 5, -1}, strides[2] = {-20, 4}, odd[2] = {7, 4}, none[2] = {0, 5};
    static const struct {
        const char *name;
        sv_dtype dtype;
        int32_t ndim;
        const int64_t *shape, *strides;
        int32_t device_type, device_id;
        struct expected expected;
    } cases[] = {
        {"C order", SV_FLOAT32, 2, shape, NULL, 1, 0, {SV_OK, SV_FLOAT32, 4}},
        {"strides", SV_INT32, 2, shape, strides, 1, 0, {SV_OK, SV_INT32, 4}},
        {"strides that do not divide", SV_INT32, 2, shape, odd, 1, 0, {SV_OK, SV_INT32, 4}},
        {"no axes", SV_COMPLEX128, 0, NULL, NULL, 1, 0, {SV_OK, SV_COMPLEX128, 16}},
        {"no elements", SV_INT8, 2, none, NULL, 1, 0, {SV_OK, SV_INT8, 1}},
        {"device", SV_BFLOAT16, 1, shape, NULL, 2, 3, {SV_OK, SV_BFLOAT16, 2}},
        {"opaque", SV_OPAQUE, 1, shape, NULL, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"no type", 0x010899, 1, shape, NULL, 1, 0, {SV_ERROR_DTYPE, 0, 0}},
        {"negative extent", SV_INT8, 3, shape, NULL, 1, 0, {SV_ERROR_INVALID, 0, 0}},
        {"no shape", SV_INT8, 1, NULL, NULL, 1, 0, {SV_ERROR_NULL, 0, 0}},
        {"no device", SV_INT8, 1, shape, NULL, 5, 0, {SV_ERROR_DEVICE, 0, 0}},
        {"negative device", SV_INT8, 1, shape, NULL, 1, -1, {SV_ERROR_DEVICE, 0, 0}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_view *view = NULL;
        sv_status status =
            sv_view_from_array(cases[i].dtype, cases[i].ndim, cases[i].shape, cases[i].strides, memory + 2048,
                               cases[i].device_type, cases[i].device_id, 0, count_release, memory, &view);

        check(cases[i].name, status, view, &cases[i].expected, cases[i].ndim, cases[i].shape, cases[i].strides);
    }
}

static void same_view(const sv_view *view, const sv_view *other, const char *text)
{
    int64_t lower = 0, upper = 0, lower_of_layout = 0, upper_of_layout = 0;

    sv_view_bounds(view, &lower, &upper);
    sv_layout_byte_bounds(sv_view_layout(other), &lower_of_layout, &upper_of_layout);
    cr_assert(lower == lower_of_layout && upper == upper_of_layout, "bounds of %s", text);
    cr_assert(sv_layout_equal(sv_view_layout(view), sv_view_layout(other)), "layout of %s", text);
    cr_assert_eq(sv_layout_size(sv_view_layout(view)), sv_layout_size(sv_view_layout(other)), "%s", text);
    cr_assert_eq(sv_view_data(view), sv_view_data(other), "data of %s", text);
    cr_assert_eq(sv_view_dtype(view), sv_view_dtype(other), "%s", text);
    cr_assert_eq(sv_view_borrow(view) != NULL, sv_view_borrow(other) != NULL, "%s", text);
}

/* One call and the two that do the same: the same view, or the same refusal. */
Test(view_interface, array_is_layout_and_view)
{
    static const int64_t numbers[] = {0, 1, 2, 3, 7, 64, 1LL << 31, 1LL << 61, INT64_MAX, INT64_MIN, -1, -8};
    static const sv_dtype dtypes[] = {SV_INT8, SV_FLOAT32, SV_COMPLEX128, 0x030801};

    for (int64_t i = test_first_round(); test_round(i, 100000); i++) {
        int64_t shape[4], strides[4];
        const int64_t *given = test_between(0, 3) ? strides : NULL;
        sv_dtype dtype = dtypes[test_between(0, 3)];
        int32_t ndim = (int32_t)test_between(0, 4);
        bool plain = test_between(0, 1);
        sv_view *view = NULL, *other = NULL;
        sv_layout *layout = NULL;
        sv_status status, wanted;
        char text[128];

        for (int k = 0; k < 4; k++) {
            shape[k] = plain ? test_between(0, 3) : numbers[test_between(0, 11)];
            strides[k] = plain ? test_between(-32, 32) : numbers[test_between(0, 11)];
        }
        snprintf(text, sizeof text, "%d axes", (int)ndim);
        status = i % 2 ? sv_view_from_array(dtype, ndim, shape, given, memory + 2048, 1, 0, 0, NULL, NULL, &view)
                       : sv_view_from_host(dtype, ndim, shape, given, memory + 2048, 0, &view);
        wanted = sv_layout_new_bytes(ndim, shape, given, sv_dtype_itemsize(dtype), &layout);
        if (wanted == SV_OK)
            wanted = sv_view_new(layout, dtype, memory + 2048, INT64_MIN, INT64_MAX, 1, 0, 0, NULL, NULL, &other);
        cr_assert_eq(status, wanted, "%s: %s, not %s", text, sv_status_name(status), sv_status_name(wanted));
        if (status == SV_OK)
            same_view(view, other, text);
        sv_view_release(view);
        sv_view_release(other);
        sv_layout_release(layout);
    }
}

Test(view_interface, arrays_in_host_memory)
{
    static const int64_t shape[2] = {3, 5}, strides[2] = {-40, 8}, negative[1] = {-1}, none[1] = {0};
    static const struct {
        const char *name;
        sv_dtype dtype;
        int32_t ndim;
        const int64_t *shape, *strides;
        void *pointer;
        uint32_t flags;
        sv_status status;
    } rows[] = {
        {"C order", SV_FLOAT32, 2, shape, NULL, memory + 2048, 0, SV_OK},
        {"strides", SV_FLOAT64, 2, shape, strides, memory + 2048, 0, SV_OK},
        {"read-only", SV_UINT8, 2, shape, NULL, memory + 2048, SV_READ_ONLY, SV_OK},
        {"no elements", SV_UINT8, 1, none, NULL, NULL, 0, SV_OK},
        {"no axes", SV_INT16, 0, NULL, NULL, memory + 2048, 0, SV_OK},
        {"opaque", SV_OPAQUE, 2, shape, NULL, memory + 2048, 0, SV_ERROR_DTYPE},
        {"no shape", SV_FLOAT32, 2, NULL, NULL, memory + 2048, 0, SV_ERROR_NULL},
        {"no memory", SV_FLOAT32, 2, shape, NULL, NULL, 0, SV_ERROR_NULL},
        {"negative extent", SV_FLOAT32, 1, negative, NULL, memory + 2048, 0, SV_ERROR_INVALID},
        {"unknown flag", SV_FLOAT32, 2, shape, NULL, memory + 2048, 8, SV_ERROR_INVALID},
        {"65 axes", SV_FLOAT32, 65, shape, NULL, memory + 2048, 0, SV_ERROR_RANGE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_view *view = NULL, *wanted = NULL;

        cr_expect_eq(sv_view_from_host(rows[i].dtype, rows[i].ndim, rows[i].shape, rows[i].strides, rows[i].pointer,
                                       rows[i].flags, &view), rows[i].status, "%s: %s", rows[i].name,
                     sv_last_message());
        cr_expect_eq(view != NULL, rows[i].status == SV_OK, "%s", rows[i].name);
        if (view == NULL)
            continue;
        cr_assert_eq(sv_view_from_array(rows[i].dtype, rows[i].ndim, rows[i].shape, rows[i].strides, rows[i].pointer,
                                        SV_DEVICE_CPU, 0, rows[i].flags, NULL, NULL, &wanted), SV_OK);
        same_view(view, wanted, rows[i].name);
        cr_expect_eq(sv_view_is_readonly(view), (int32_t)(rows[i].flags & SV_READ_ONLY), "%s", rows[i].name);
        cr_expect_eq(sv_view_device_type(view), SV_DEVICE_CPU, "%s", rows[i].name);
        sv_view_release(wanted);
        sv_view_release(view);
    }
}

/* Whatever the fields: a view with its promises kept, or a refusal with a text and nothing done. */
Test(view_interface, random_fields)
{
    static const int64_t numbers[] = {-1, 0, 1, 2, 3, 4, 8, 100, -4, INT64_MAX, INT64_MIN, 1LL << 31, 1LL << 62};
    static const char letters[] = "<>|=@ifdBVSUMmOtTZx{}:()12483 &";

    for (int64_t i = test_first_round(); test_round(i, 200000); i++) {
        int64_t shape[SV_MAX_NDIM + 1], strides[SV_MAX_NDIM + 1], itemsize = numbers[test_between(0, 12)];
        int32_t ndim = (int32_t)(test_between(0, 19) == 0 ? test_between(-2, 67) : test_between(0, 3));
        int64_t plain = test_between(0, 1), length = test_between(0, 5);
        char text[8] = "<f4";
        sv_view *view = NULL;
        sv_status status;

        for (int k = 0; k < SV_MAX_NDIM + 1; k++) {
            shape[k] = plain ? test_between(0, 3) : numbers[test_between(0, 12)];
            strides[k] = plain ? test_between(-32, 31) : numbers[test_between(0, 12)];
        }
        for (int k = 0; k < length; k++)
            text[k] = letters[test_between(0, sizeof letters - 2)];
        if (test_between(0, 1))
            status = sv_view_from_pep3118(text, itemsize, ndim, test_between(0, 7) ? shape : NULL, test_between(0, 1) ? strides : NULL,
                                          memory, (int64_t)((uint64_t)test_between(0, 63) * (uint64_t)itemsize) % 4096, 0,
                                          count_release, memory, &view);
        else
            status = sv_view_from_array_interface(text, ndim, shape, test_between(0, 1) ? strides : NULL, memory, 1, 0, 0,
                                                  count_release, memory, &view);
        cr_assert_eq(status == SV_OK, view != NULL, "%s", text);
        cr_assert(status == SV_OK || sv_last_message()[0] != '\0', "%s", text);
        sv_view_release(view);
        cr_assert_eq(ended, status == SV_OK, "%s", text);
        ended = 0;
    }
}
