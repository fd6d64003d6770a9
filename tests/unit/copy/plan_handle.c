#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sv.h"

static const int64_t square[2] = {3, 3};

static sv_view *make_view(void *base, const sv_layout *layout, sv_dtype dtype, int32_t device_id, uint32_t flags)
{
    sv_view *view = NULL;

    cr_assert_eq(sv_view_new(layout, dtype, base, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, device_id, flags, NULL, NULL,
                             &view), SV_OK, "%s", sv_last_message());
    return view;
}

/* The plan of a transpose of 3 x 3 int32. */
static sv_plan *transpose(uint32_t flags)
{
    static int32_t there[9], here[9];
    sv_layout *dense = NULL, *turned = NULL;
    sv_view *dst, *src;
    sv_plan *plan = NULL;

    cr_assert_eq(sv_layout_new(2, square, NULL, 4, &dense), SV_OK);
    cr_assert_eq(sv_layout_permute(dense, 2, NULL, &turned), SV_OK);
    dst = make_view(here, dense, SV_INT32, 0, 0);
    src = make_view(there, turned, SV_INT32, 0, SV_READ_ONLY);
    cr_assert_eq(sv_plan_new(dst, src, flags, &plan), SV_OK, "%s", sv_last_message());
    sv_view_release(dst);
    sv_view_release(src);
    sv_layout_release(dense);
    sv_layout_release(turned);
    return plan;
}

static const int32_t counted[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, turned_round[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};

Test(plan_handle, says_what_it_is)
{
    sv_plan *plan = transpose(0);
    int64_t read = 0, written = 0;

    cr_expect_eq(sv_plan_traffic(plan, &read, &written), SV_OK);
    cr_expect_eq(read, 64);
    cr_expect_eq(written, 64);
    cr_expect_str_eq(sv_plan_class(plan), "transpose");
    cr_expect_gt(strlen(sv_plan_kernel(plan)), 0);
    cr_expect_eq(sv_plan_nbytes(plan), 36);
    cr_expect_eq(sv_plan_launches(plan), 0);
    sv_plan_release(plan);
    cr_expect_null(sv_plan_class(NULL));
    cr_expect_null(sv_plan_kernel(NULL));
    cr_expect_eq(sv_plan_nbytes(NULL), 0);
    cr_expect_eq(sv_plan_launches(NULL), 0);
}

/* The loop that is marked is the kernel, whatever else is said. */
Test(plan_handle, explains_itself)
{
    sv_plan *plan = transpose(0);
    char text[16384], marked[64];
    size_t length = 0, whole = 0;

    cr_expect_eq(sv_plan_explain(plan, NULL, NULL, 0, NULL, &whole), SV_OK);
    cr_assert_eq(sv_plan_explain(plan, NULL, NULL, sizeof text, text, &length), SV_OK);
    cr_expect(length == whole && strlen(text) == length && length < 4096, "%zu and %zu", length, whole);
    cr_expect_not_null(strstr(text, "class transpose: "));
    snprintf(marked, sizeof marked, "\n-> %s ", sv_plan_kernel(plan));
    cr_expect_not_null(strstr(text, marked), "%s", text);
    cr_expect_null(strstr(strstr(text, marked) + 1, "\n-> "));
    cr_expect_eq(sv_plan_explain(plan, NULL, NULL, whole, text, NULL), SV_ERROR_BUFFER);
    cr_expect_eq(sv_plan_explain(plan, text + 1, text + 4099, whole + 1, text, NULL), SV_OK);
    cr_expect_eq(sv_plan_explain(plan, NULL, NULL, 1, NULL, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_plan_explain(NULL, NULL, NULL, sizeof text, text, &length), SV_ERROR_NULL);
    sv_plan_release(plan);
}

Test(plan_handle, outlives_its_views)
{
    sv_plan *plan = transpose(0), *again = sv_plan_retain(plan);
    int32_t to[9];

    cr_expect_eq(again, plan);
    sv_plan_release(plan);
    cr_expect_eq(sv_plan_execute(again, to, counted, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(memcmp(to, turned_round, sizeof to), 0);
    sv_plan_release(again);
    sv_plan_release(NULL);
    cr_expect_null(sv_plan_retain(NULL));
}

/* Runs of any number of bytes, and nothing around them. */
Test(plan_handle, short_runs)
{
    for (int64_t nbytes = 1; nbytes <= 130; nbytes++) {
        unsigned char from[130], to[140], expected[140];
        sv_layout *layout = NULL;
        sv_plan *plan = NULL;
        sv_view *view;

        cr_assert_eq(sv_layout_new(1, &nbytes, NULL, 1, &layout), SV_OK);
        view = make_view(from, layout, SV_UINT8, 0, 0);
        cr_assert_eq(sv_plan_new(view, view, 0, &plan), SV_OK, "%s", sv_last_message());
        for (size_t k = 0; k < sizeof from; k++)
            from[k] = (unsigned char)(k + 1);
        memset(to, 0xee, sizeof to);
        memset(expected, 0xee, sizeof expected);
        memcpy(expected + 5, from, (size_t)nbytes);
        cr_expect_eq(sv_plan_execute(plan, to + 5, from, 0), SV_OK, "%s", sv_last_message());
        cr_expect_eq(memcmp(to, expected, sizeof to), 0, "%d bytes", (int)nbytes);
        sv_plan_release(plan);
        sv_view_release(view);
        sv_layout_release(layout);
    }
}

/* Of any alignment, the two apart or sharing bytes in any way. */
Test(plan_handle, new_addresses)
{
    sv_plan *plan = transpose(0), *strict = transpose(SV_COPY_NO_TEMP);

    for (int to = 0; to < 120; to++) {
        unsigned char block[160], expected[160];
        const bool apart = to + 36 <= 60 || to >= 60 + 36;
        sv_status status;

        for (size_t k = 0; k < sizeof block; k++)
            block[k] = expected[k] = (unsigned char)k;
        for (int k = 0; k < 9; k++)
            memcpy(expected + to + 4 * k, block + 60 + 4 * turned_round[k], 4);
        status = sv_plan_execute(strict, block + to, block + 60, 0);
        cr_expect(status == SV_OK || (!apart && status == SV_ERROR_OVERLAP), "to %d: %s", to, sv_last_message());
        if (status != SV_OK)
            cr_expect_eq(sv_plan_execute(plan, block + to, block + 60, 0), SV_OK, "to %d: %s", to, sv_last_message());
        cr_expect_eq(memcmp(block, expected, sizeof block), 0, "to %d", to);
    }
    sv_plan_release(plan);
    sv_plan_release(strict);
}

Test(plan_handle, addresses_that_are_none)
{
    sv_plan *plan = transpose(0);
    int32_t cells[9];

    cr_expect_eq(sv_plan_execute(plan, NULL, cells, 0), SV_ERROR_NULL);
    cr_expect_str_eq(sv_last_message(), "dst is NULL, there are 9 elements");
    cr_expect_eq(sv_plan_execute(plan, cells, NULL, 0), SV_ERROR_NULL);
    cr_expect_eq(sv_plan_execute(plan, (void *)(UINTPTR_MAX - 34), cells, 0), SV_ERROR_OVERFLOW);
    cr_expect_eq(sv_plan_execute(plan, cells, (void *)(UINTPTR_MAX - 34), 0), SV_ERROR_OVERFLOW);
    sv_plan_release(plan);
}

Test(plan_handle, nothing_to_copy)
{
    static const int64_t none[2] = {3, 0};
    sv_layout *layout = NULL;
    sv_plan *plan = NULL;
    sv_view *view;
    int64_t read = -1, written = -1;

    cr_assert_eq(sv_layout_new(2, none, NULL, 4, &layout), SV_OK);
    view = make_view(NULL, layout, SV_INT32, 0, 0);
    cr_assert_eq(sv_plan_new(view, view, SV_COPY_NO_TEMP, &plan), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_plan_execute(plan, NULL, NULL, 0), SV_OK);
    cr_expect_eq(sv_plan_execute_views(plan, view, view, 0), SV_OK);
    cr_expect_str_eq(sv_plan_class(plan), "empty");
    cr_expect_str_eq(sv_plan_kernel(plan), "nothing");
    cr_expect_eq(sv_plan_nbytes(plan), 0);
    cr_expect_eq(sv_plan_traffic(plan, &read, &written), SV_OK);
    cr_expect_eq(read, 0);
    cr_expect_eq(written, 0);
    sv_plan_release(plan);
    sv_view_release(view);
    sv_layout_release(layout);
}

Test(plan_handle, views_must_be_like_the_plans)
{
    static const struct {
        const char *name;
        sv_dtype dtype;
        int32_t device_id, ndim;
        int64_t shape[3];
        uint32_t flags;
        sv_status as_dst, as_src;
    } rows[] = {
        {"like it", SV_INT32, 0, 2, {3, 3}, 0, SV_OK, SV_OK},
        {"read-only", SV_INT32, 0, 2, {3, 3}, SV_READ_ONLY, SV_ERROR_READ_ONLY, SV_OK},
        {"other dtype", SV_FLOAT32, 0, 2, {3, 3}, 0, SV_ERROR_DTYPE, SV_ERROR_DTYPE},
        {"other device", SV_INT32, 1, 2, {3, 3}, 0, SV_ERROR_DEVICE, SV_ERROR_DEVICE},
        {"other extent", SV_INT32, 0, 2, {3, 4}, 0, SV_ERROR_LAYOUT, SV_ERROR_LAYOUT},
        {"more axes", SV_INT32, 0, 3, {1, 3, 3}, 0, SV_ERROR_LAYOUT, SV_ERROR_LAYOUT},
    };
    int32_t to[12] = {0}, from[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    sv_layout *dense = NULL;
    sv_view *dst, *src;
    sv_plan *plan = NULL;

    cr_assert_eq(sv_layout_new(2, square, NULL, 4, &dense), SV_OK);
    dst = make_view(to, dense, SV_INT32, 0, 0);
    src = make_view(from, dense, SV_INT32, 0, 0);
    cr_assert_eq(sv_plan_new(dst, src, 0, &plan), SV_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = NULL;
        sv_view *view;

        cr_assert_eq(sv_layout_new(rows[i].ndim, rows[i].shape, NULL, 4, &layout), SV_OK);
        view = make_view(to, layout, rows[i].dtype, rows[i].device_id, rows[i].flags);
        memset(to, 0, sizeof to);
        cr_expect_eq(sv_plan_execute_views(plan, view, src, 0), rows[i].as_dst, "%s: %s", rows[i].name,
                     sv_last_message());
        cr_expect_eq(memcmp(to, from, sizeof to) == 0, rows[i].as_dst == SV_OK, "%s", rows[i].name);
        cr_expect_eq(sv_plan_execute_views(plan, dst, view, 0), rows[i].as_src, "%s: %s", rows[i].name,
                     sv_last_message());
        sv_view_release(view);
        sv_layout_release(layout);
    }
    sv_plan_release(plan);
    sv_view_release(dst);
    sv_view_release(src);
    sv_layout_release(dense);
}
