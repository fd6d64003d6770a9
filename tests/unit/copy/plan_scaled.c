/* Plans and batches that scale, within host memory: they do what sv_copy_scaled() does, and keep their numbers. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sv.h"
#include "support/no_memory.h"
#include "support/tasks.h"

enum { N = 5, H = 16, W = 12, C = 3, IMAGE = H * W * C };

static const int64_t pixels[3] = {H, W, C}, planes[3] = {C, H, W};
static const int32_t to_planes[3] = {2, 0, 1};
static const double scale[C] = {0.5, 2, -3}, bias[C] = {1, 0, 7};

static sv_view *view_of(void *memory, sv_dtype dtype, const int64_t *shape, const int32_t *order)
{
    sv_layout *dense = NULL, *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_dense(3, shape, SV_ORDER_C, NULL, sv_dtype_itemsize(dtype), &dense), SV_OK);
    cr_assert_eq(sv_layout_permute(dense, 3, order, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, dtype, memory, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view),
                 SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    sv_layout_release(dense);
    return view;
}

/* Bytes of images whose planes are to become float32. */
static struct images {
    uint8_t from[N][IMAGE];
    float to[N][IMAGE], want[N][IMAGE];
    sv_view *dst[N], *src[N];
} images;

static void start(void)
{
    static const int32_t same[3] = {0, 1, 2};

    for (int n = 0; n < N; n++) {
        for (int k = 0; k < IMAGE; k++) {
            images.from[n][k] = (uint8_t)(k * 7 + n);
            images.to[n][k] = -1;
        }
        images.dst[n] = view_of(images.to[n], SV_FLOAT32, planes, same);
        images.src[n] = view_of(images.from[n], SV_UINT8, pixels, to_planes);
        for (int k = 0; k < IMAGE; k++)
            images.want[n][k % C * H * W + k / C] =
                (float)images.from[n][k] * (float)scale[k % C] + (float)bias[k % C];
    }
}

static void end(void)
{
    for (int n = 0; n < N; n++) {
        sv_view_release(images.dst[n]);
        sv_view_release(images.src[n]);
    }
}

TestSuite(plan_scaled, .init = start, .fini = end);

static bool is_right(int n)
{
    return memcmp(images.to[n], images.want[n], sizeof images.want[n]) == 0;
}

/* The arrays of numbers are gone when it is executed. */
static sv_plan *make_plan(void)
{
    double *numbers[2] = {malloc(sizeof scale), malloc(sizeof bias)};
    sv_plan *plan = NULL;

    memcpy(numbers[0], scale, sizeof scale);
    memcpy(numbers[1], bias, sizeof bias);
    cr_assert_eq(sv_plan_new_scaled(images.dst[0], images.src[0], numbers[0], C, numbers[1], C, 0, 0, &plan), SV_OK,
                 "%s", sv_last_message());
    memset(numbers[0], 0x55, sizeof scale);
    memset(numbers[1], 0x55, sizeof bias);
    free(numbers[0]);
    free(numbers[1]);
    return plan;
}

Test(plan_scaled, executes)
{
    sv_plan *plan = make_plan();

    cr_assert_eq(sv_plan_execute(plan, images.to[0], images.from[0], 0), SV_OK);
    cr_assert_eq(sv_plan_execute_views(plan, images.dst[1], images.src[1], 0), SV_OK);
    cr_expect(is_right(0) && is_right(1));
    cr_expect_str_eq(sv_plan_class(plan), "cast");
    cr_expect_eq(sv_plan_nbytes(plan), IMAGE * 4);
    cr_expect_eq(sv_plan_launches(plan), 0);
    sv_plan_release(plan);
}

Test(plan_scaled, batches)
{
    sv_plan *plan = make_plan(), *plans[N];
    void *dst[N];
    const void *src[N];
    int64_t failed = -1;

    for (int n = 0; n < N; n++) {
        plans[n] = plan;
        dst[n] = images.to[n];
        src[n] = images.from[n];
    }
    cr_assert_eq(sv_plan_execute_batch(N, plans, dst, src, 0, &failed), SV_OK);
    for (int n = 0; n < N; n++) {
        cr_expect(is_right(n));
        memset(images.to[n], 0, sizeof images.to[n]);
    }
    cr_assert_eq(sv_plan_execute_views_batch(plan, N, images.dst, images.src, 0, &failed), SV_OK);
    for (int n = 0; n < N; n++) {
        cr_expect(is_right(n));
        memset(images.to[n], 0, sizeof images.to[n]);
    }
    cr_assert_eq(sv_copy_scaled_batch(N, images.dst, images.src, scale, C, bias, C, -3, 0, 0, &failed), SV_OK);
    for (int n = 0; n < N; n++)
        cr_expect(is_right(n));
    cr_expect_eq(failed, -1);
    sv_plan_release(plan);
}

/* What is refused is found before the first copy, and its place is told. */
Test(plan_scaled, batches_are_checked_first)
{
    sv_view *const dst[2] = {images.dst[0], images.dst[1]}, *const src[2] = {images.src[0], images.dst[1]};
    sv_view *const wrong[2] = {images.src[0], images.src[1]};
    int64_t failed = -1;

    cr_expect_eq(sv_copy_scaled_batch(2, dst, src, scale, 2, NULL, 0, 0, 0, 0, &failed), SV_ERROR_LAYOUT);
    cr_expect_eq(failed, 0);
    cr_expect_eq(sv_copy_scaled_batch(2, dst, wrong, scale, -1, NULL, 0, 0, 0, 0, NULL), SV_ERROR_INVALID);
    cr_expect_eq(sv_copy_scaled_batch(2, dst, NULL, scale, C, NULL, 0, 0, 0, 0, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_copy_scaled_batch(0, NULL, NULL, NULL, 0, NULL, 0, 0, 0, 0, NULL), SV_OK);
    cr_expect_eq(images.to[0][0], -1);
}

Test(plan_scaled, plans_made_of_it_scale)
{
    sv_plan *plan = make_plan(), *shared = NULL, *measured = NULL, *kept = NULL;

    cr_assert_eq(sv_plan_with_threads(plan, 4, run_tasks, NULL, &shared), SV_OK);
    cr_assert_eq(sv_plan_with_allocator(plan, NULL, &kept), SV_OK);
    cr_assert_eq(sv_plan_measure(plan, images.dst[2], images.src[2], 0, 0, &measured), SV_OK, "%s", sv_last_message());
    sv_plan_release(plan);
    cr_expect(is_right(2));
    cr_expect_eq(sv_plan_execute(shared, images.to[0], images.from[0], 0), SV_OK);
    cr_expect_eq(sv_plan_execute(measured, images.to[1], images.from[1], 0), SV_OK);
    cr_expect_eq(sv_plan_execute(kept, images.to[3], images.from[3], 0), SV_OK);
    cr_expect(is_right(0) && is_right(1) && is_right(3));
    sv_plan_release(shared);
    sv_plan_release(measured);
    sv_plan_release(kept);
}

/* In place where each item has its own, by a temporary where they overlap otherwise. */
Test(plan_scaled, sides_that_share_bytes)
{
    const int64_t shape[3] = {1, 1, 4};
    const int32_t same[3] = {0, 1, 2};
    const double two = 2;
    float cells[5] = {1, 2, 3, 4, 5};
    sv_view *first = view_of(cells, SV_FLOAT32, shape, same);
    sv_plan *plan = NULL;

    cr_assert_eq(sv_plan_new_scaled(first, first, &two, 1, NULL, 0, 0, SV_COPY_NO_TEMP, &plan), SV_OK);
    cr_expect_eq(sv_plan_execute(plan, cells, cells, 0), SV_OK);
    cr_expect(memcmp(cells, (float[5]){2, 4, 6, 8, 5}, sizeof cells) == 0);
    cr_expect_eq(sv_plan_execute(plan, cells + 1, cells, 0), SV_ERROR_OVERLAP);
    sv_plan_release(plan);
    cr_assert_eq(sv_plan_new_scaled(first, first, &two, 1, NULL, 0, 0, 0, &plan), SV_OK);
    cr_expect_eq(sv_plan_execute(plan, cells + 1, cells, 0), SV_OK);
    cr_expect(memcmp(cells, (float[5]){2, 4, 8, 12, 16}, sizeof cells) == 0);
    sv_plan_release(plan);
    sv_view_release(first);
}

Test(plan_scaled, explains_its_scale)
{
    char text[16384];
    const double half = 0.5;
    sv_plan *plan = make_plan();

    cr_assert_eq(sv_plan_explain(plan, NULL, NULL, sizeof text, text, NULL), SV_OK);
    cr_expect(strstr(text, "scales in float32, times 3 numbers along axis 0 of these, plus 3 numbers") != NULL, "%s",
              text);
    cr_expect(strstr(text, sv_plan_kernel(plan)) != NULL, "%s", text);
    sv_plan_release(plan);
    cr_assert_eq(sv_plan_new_scaled(images.dst[0], images.src[0], &half, 1, NULL, 0, 0, 0, &plan), SV_OK);
    cr_assert_eq(sv_plan_explain(plan, NULL, NULL, sizeof text, text, NULL), SV_OK);
    cr_expect(strstr(text, "scales in float32, times 0.5\n") != NULL, "%s", text);
    sv_plan_release(plan);
}

Test(plan_scaled, without_memory)
{
    sv_plan *plan = NULL, *same = make_plan();

    svi_alloc.allocate = no_memory;
    cr_expect_eq(sv_plan_new_scaled(images.dst[0], images.src[0], scale, C, NULL, 0, 0, 0, &plan), SV_ERROR_MEMORY);
    cr_expect_eq(sv_plan_execute(same, images.to[0], images.from[0], 0), SV_ERROR_MEMORY);
    svi_alloc.allocate = malloc;
    cr_expect_null(plan);
    sv_plan_release(same);
}
