/* Scaled copies with devices, over the fake runtime: the numbers of the host's, plans, captures, and sides that share
 * bytes. tests/emulated/launches.c runs the kernels. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/fake_sides.h"

enum { H = 40, W = 33, C = 3, IMAGE = H * W * C };

static void start(void)
{
    begin(FAKE_LAZY, 1);
}

TestSuite(scaled_cuda, .init = start);

/* --- sides --------------------------------------------------------------------------------------- */

struct side {
    int32_t type, device;
    char *memory;
    size_t nbytes;
};

static struct side allocate(int32_t type, int32_t device, size_t nbytes)
{
    return (struct side){type, device, side_new(type, device, nbytes), nbytes};
}

static void release(const struct side *side)
{
    side_free(side->type, side->memory);
}

static void put(const struct side *side, const void *from)
{
    side_put(side->type, side->memory, from, side->nbytes);
}

static void get(const struct side *side, void *to)
{
    side_get(side->type, to, side->memory, side->nbytes);
}

/* Of C planes; pixels: which lie as pixels. */
static sv_view *view_of(const struct side *side, sv_dtype dtype, bool pixels)
{
    const int64_t item = sv_dtype_itemsize(dtype), shape[3] = {C, H, W};
    const int64_t strides[3] = {pixels ? item : item * H * W, item * W * (pixels ? C : 1), item * (pixels ? C : 1)};
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(3, shape, strides, item, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, dtype, side->memory, INT64_MIN, INT64_MAX, side->type, side->device, 0, NULL, NULL,
                             &view), SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static const double scale[C] = {1 / 58.395, 1 / 57.12, 1 / 57.375}, bias[C] = {-2.1179, -2.0357, -1.8044};

static uint8_t bytes[IMAGE];
static float numbers[IMAGE], found[IMAGE];
static uint8_t again[IMAGE];

/* What the host makes of the pixels. */
static void make_images(void)
{
    const struct side from = {SV_DEVICE_CPU, 0, (char *)bytes, sizeof bytes};
    const struct side to = {SV_DEVICE_CPU, 0, (char *)numbers, sizeof numbers};
    sv_view *src = view_of(&from, SV_UINT8, true), *dst = view_of(&to, SV_FLOAT32, false);

    for (int k = 0; k < IMAGE; k++)
        bytes[k] = (uint8_t)(k * 7 + k / 256);
    cr_assert_eq(sv_copy_scaled(dst, src, scale, C, bias, C, 0, 0, 0), SV_OK);
    sv_view_release(dst);
    sv_view_release(src);
}

/* --- every way ------------------------------------------------------------------------------------ */

static const struct {
    int32_t dst, src, dst_device;
} ways[] = {
    {SV_DEVICE_CUDA, SV_DEVICE_CUDA, 0},         {SV_DEVICE_CUDA, SV_DEVICE_CPU, 0},
    {SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, 0},    {SV_DEVICE_CPU, SV_DEVICE_CUDA, 0},
    {SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA, 0},    {SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1},
    {SV_DEVICE_CUDA_MANAGED, SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_MANAGED, SV_DEVICE_CUDA_MANAGED, 0},
    {SV_DEVICE_CUDA_MANAGED, SV_DEVICE_CPU, 0},  {SV_DEVICE_CUDA_HOST, SV_DEVICE_CPU, 0},
};

/* Pixels of bytes to planes of float32. */
static void check_normalised(size_t way, bool planned)
{
    const struct side dst = allocate(ways[way].dst, ways[way].dst_device, sizeof numbers);
    const struct side src = allocate(ways[way].src, 0, sizeof bytes);
    sv_view *to = view_of(&dst, SV_FLOAT32, false), *from = view_of(&src, SV_UINT8, true);
    sv_plan *plan = NULL;

    put(&src, bytes);
    memset(found, 0, sizeof found);
    put(&dst, found);
    if (planned) {
        cr_assert_eq(sv_plan_new_scaled(to, from, scale, C, bias, C, 0, 0, &plan), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_plan_execute(plan, dst.memory, src.memory, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    } else {
        cr_assert_eq(sv_copy_scaled(to, from, scale, C, bias, C, 0, 0, (uintptr_t)stream), SV_OK, "%s",
                     sv_last_message());
    }
    cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, (uintptr_t)stream), SV_OK);
    get(&dst, found);
    cr_expect(memcmp(found, numbers, sizeof numbers) == 0, "way %zu", way);
    sv_plan_release(plan);
    sv_view_release(to);
    sv_view_release(from);
    release(&dst);
    release(&src);
}

/* Planes of float32 back to pixels of bytes: rounded and clamped. */
static void check_denormalised(size_t way)
{
    const struct side dst = allocate(ways[way].dst, ways[way].dst_device, sizeof again);
    const struct side src = allocate(ways[way].src, 0, sizeof numbers);
    sv_view *to = view_of(&dst, SV_UINT8, true), *from = view_of(&src, SV_FLOAT32, false);
    double back[C], more[C];

    for (int c = 0; c < C; c++) {
        back[c] = 1 / scale[c];
        more[c] = -bias[c] / scale[c];
    }
    memset(again, 0, sizeof again);
    put(&dst, again);
    put(&src, numbers);
    cr_assert_eq(sv_copy_scaled(to, from, back, C, more, C, 0, 0, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, (uintptr_t)stream), SV_OK);
    get(&dst, again);
    cr_expect(memcmp(again, bytes, sizeof bytes) == 0, "way %zu", way);
    sv_view_release(to);
    sv_view_release(from);
    release(&dst);
    release(&src);
}

Test(scaled_cuda, every_way_gives_the_hosts_numbers)
{
    make_images();
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        check_normalised(way, false);
        check_normalised(way, true);
        check_denormalised(way);
    }
    cr_assert_str_eq(end(), "");
}

/* --- within a device ------------------------------------------------------------------------------- */

/* One launch, which is named, and is in the graph with its numbers: those of the call are gone when it is replayed. */
Test(scaled_cuda, captured)
{
    const struct side dst = allocate(SV_DEVICE_CUDA, 0, sizeof numbers), src = allocate(SV_DEVICE_CUDA, 0, sizeof bytes);
    sv_view *to = view_of(&dst, SV_FLOAT32, false), *from = view_of(&src, SV_UINT8, true);
    double *copied = malloc(sizeof scale);
    struct fake_graph *graph = NULL;
    sv_plan *plan = NULL;

    make_images();
    memcpy(copied, scale, sizeof scale);
    cr_assert_eq(sv_plan_new_scaled(to, from, scale, C, bias, C, 0, 0, &plan), SV_OK);
    cr_expect_str_eq(sv_plan_kernel(plan), "box_scaled");
    cr_expect_eq(sv_plan_launches(plan), 1);
    sv_plan_release(plan);
    put(&src, bytes);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(sv_copy_scaled(to, from, copied, C, bias, C, 0, 0, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_copy_scaled(to, from, copied, C, bias, C, 0, SV_COPY_BLOCKING, (uintptr_t)stream), SV_ERROR_STATE);
    cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess);
    memset(copied, 0x55, sizeof scale);
    free(copied);
    cr_expect_str_eq(fake_graph_text(graph), "a kernel; ");
    for (int replay = 0; replay < 2; replay++) {
        memset(found, 0, sizeof found);
        put(&dst, found);
        fake_launch_graph(graph, stream);
        cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, (uintptr_t)stream), SV_OK);
        get(&dst, found);
        cr_expect(memcmp(found, numbers, sizeof numbers) == 0);
    }
    fake_end_graph(graph);
    sv_view_release(to);
    sv_view_release(from);
    release(&dst);
    release(&src);
    cr_assert_str_eq(end(), "");
}

/* In place each item has its own, so that no temporary is needed. */
Test(scaled_cuda, in_place)
{
    const struct side side = allocate(SV_DEVICE_CUDA, 0, sizeof numbers);
    sv_view *view = view_of(&side, SV_FLOAT32, false);
    int32_t method = -1;

    make_images();
    put(&side, numbers);
    cr_assert_eq(sv_copy_scaled(view, view, scale, C, NULL, 0, 0, SV_COPY_NO_TEMP, (uintptr_t)stream), SV_OK, "%s",
                 sv_last_message());
    cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, (uintptr_t)stream), SV_OK);
    get(&side, found);
    for (int k = 0; k < IMAGE; k++)
        cr_assert_eq(found[k], numbers[k] * (float)scale[k / (H * W)]);
    cr_expect_eq(sv_copy_placement(view, view, 0, 0, NULL, NULL, NULL, NULL, NULL, &method), SV_OK);
    sv_view_release(view);
    release(&side);
    cr_assert_str_eq(end(), "");
}

/* More numbers than parameters have room for: several launches, each of a part of the axis. */
Test(scaled_cuda, long_axes)
{
    enum { LONG = 10000, ROWS = 3 };
    const int64_t shape[2] = {ROWS, LONG};
    static float values[ROWS][LONG], got[ROWS][LONG];
    static double factors[LONG];
    const struct side side = allocate(SV_DEVICE_CUDA, 0, sizeof values);
    sv_layout *layout = NULL;
    sv_view *view = NULL;
    sv_plan *plan = NULL;

    for (int k = 0; k < LONG; k++) {
        factors[k] = k;
        for (int row = 0; row < ROWS; row++)
            values[row][k] = (float)(row + 1);
    }
    cr_assert_eq(sv_layout_new_dense(2, shape, SV_ORDER_C, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, SV_FLOAT32, side.memory, INT64_MIN, INT64_MAX, SV_DEVICE_CUDA, 0, 0, NULL, NULL,
                             &view), SV_OK);
    put(&side, values);
    cr_assert_eq(sv_plan_new_scaled(view, view, factors, LONG, NULL, 0, 1, 0, &plan), SV_OK);
    cr_expect_gt(sv_plan_launches(plan), 1);
    cr_expect_leq(sv_plan_launches(plan), 20);
    cr_assert_eq(sv_plan_execute(plan, side.memory, side.memory, (uintptr_t)stream), SV_OK);
    cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, (uintptr_t)stream), SV_OK);
    get(&side, got);
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < LONG; k++)
            cr_assert_eq(got[row][k], (float)((row + 1) * k));
    sv_plan_release(plan);
    sv_view_release(view);
    sv_layout_release(layout);
    release(&side);
    cr_assert_str_eq(end(), "");
}
