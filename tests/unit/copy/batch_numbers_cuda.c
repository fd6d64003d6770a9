/* Batches of copies that convert or scale, with devices, over the fake runtime: in how many launches, and that all
 * numbers are the host's. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/fake_sides.h"

/* Images of bytes, as pixels, that become planes of float32. */
enum { C = 3, H = 6, W = 10, NUMBERS = C * H * W, MOST = 300, DST_ROOM = 4 * NUMBERS + 16, SRC_ROOM = NUMBERS + 13 };

static const double scale[C] = {1 / 3., -2, 0.0625}, bias[C] = {0.1, 1e4, -7};

static char source[MOST * SRC_ROOM], expected[MOST * DST_ROOM], found[MOST * DST_ROOM];

struct images {
    int64_t count;
    int32_t to_type, from_type;
    char *to, *from;
    bool scaled;
    sv_view *dst[MOST], *src[MOST];
};

static sv_view *view_of(char *base, int32_t type, bool pixels)
{
    const int64_t shape[] = {C, H, W}, strides[] = {pixels ? 1 : 4 * H * W, pixels ? C * W : 4 * W, pixels ? C : 4};
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(3, shape, strides, pixels ? 1 : 4, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, pixels ? SV_UINT8 : SV_FLOAT32, base, INT64_MIN, INT64_MAX, type, 0, 0, NULL, NULL,
                             &view), SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static void make_views(struct images *images)
{
    for (int64_t i = 0; i < images->count; i++) {
        images->dst[i] = view_of(images->to + i * DST_ROOM, images->to_type, false);
        images->src[i] = view_of(images->from + i * SRC_ROOM, images->from_type, true);
    }
}

static void release_views(struct images *images)
{
    for (int64_t i = 0; i < images->count; i++) {
        sv_view_release(images->dst[i]);
        sv_view_release(images->src[i]);
    }
}

static sv_status copy(struct images *images, uint32_t flags, int64_t *failed)
{
    if (images->scaled)
        return sv_copy_scaled_batch(images->count, images->dst, images->src, scale, C, bias, C, 0, flags,
                                    (uintptr_t)stream, failed);
    return sv_copy_batch(images->count, images->dst, images->src, SV_COPY_CAST | flags, (uintptr_t)stream, failed);
}

/* By the host, one after the other. */
static void expect(const struct images *images)
{
    struct images one = {1, SV_DEVICE_CPU, SV_DEVICE_CPU, expected, source, images->scaled, {NULL}, {NULL}};

    for (size_t k = 0; k < sizeof source; k++)
        source[k] = (char)(k * 7 + k / 251);
    memset(expected, 0x55, sizeof expected);
    for (int64_t i = 0; i < images->count; i++, one.to += DST_ROOM, one.from += SRC_ROOM) {
        make_views(&one);
        cr_assert_eq(copy(&one, 0, NULL), SV_OK, "%s", sv_last_message());
        release_views(&one);
    }
}

static void start(struct images *images, int32_t to, int32_t from, bool scaled, int64_t count)
{
    images->count = count;
    images->scaled = scaled;
    images->to_type = to;
    images->from_type = from;
    images->to = side_new(to, 0, sizeof expected);
    images->from = side_new(from, 0, sizeof source);
    expect(images);
    memset(found, 0x55, sizeof found);
    side_put(to, images->to, found, sizeof found);
    side_put(from, images->from, source, sizeof source);
    make_views(images);
    fake_reset();
}

static bool is_right(const struct images *images)
{
    side_get(images->to_type, found, images->to, sizeof found);
    return memcmp(found, expected, sizeof expected) == 0;
}

static void forget(struct images *images)
{
    release_views(images);
    side_free(images->to_type, images->to);
    side_free(images->from_type, images->from);
}

/* --- in how many launches ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int32_t to, from;
    bool scaled;
    int64_t count;
    int launches;
    const char *kernel; /* of the last launch */
} rows[] = {
    {"one that is converted", SV_DEVICE_CUDA, SV_DEVICE_CUDA, false, 1, 1, "svi_cast"},
    {"conversions", SV_DEVICE_CUDA, SV_DEVICE_CUDA, false, 128, 1, "svi_batched_cast"},
    {"more of them", SV_DEVICE_CUDA, SV_DEVICE_CUDA, false, 300, 3, "svi_batched_cast"},
    {"one that is scaled", SV_DEVICE_CUDA, SV_DEVICE_CUDA, true, 1, 1, "svi_scaled"},
    {"scaled copies", SV_DEVICE_CUDA, SV_DEVICE_CUDA, true, 128, 1, "svi_batched_scaled"},
    {"more scaled copies", SV_DEVICE_CUDA, SV_DEVICE_CUDA, true, 129, 2, "svi_scaled"},
    {"conversions to pinned memory", SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA, false, 100, 1, "svi_batched_cast"},
    {"scaled copies of pinned memory", SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, true, 100, 1, "svi_batched_scaled"},
    {"scaled copies of ordinary memory", SV_DEVICE_CUDA, SV_DEVICE_CPU, true, 20, 20, NULL},
    {"conversions to ordinary memory", SV_DEVICE_CPU, SV_DEVICE_CUDA, false, 20, 20, NULL},
};

static const char *launched; /* the last kernel */

static void *watch(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                   void *with)
{
    launched = name;
    return fake_launched.take(name, config, arguments, touched, with);
}

Test(batch_numbers_cuda, small_copies_are_few_launches)
{
    const struct fake_kernels watched = {watch, fake_launched.run, fake_launched.names, fake_launched.touch};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int policy = 0; policy < FAKE_POLICIES; policy++) {
            struct images images;

            begin((enum fake_policy)policy, (unsigned)i);
            fake_use_kernels(&watched);
            start(&images, rows[i].to, rows[i].from, rows[i].scaled, rows[i].count);
            cr_assert_eq(copy(&images, 0, NULL), SV_OK, "%s: %s", rows[i].name, sv_last_message());
            cr_expect_eq(fake_count(FAKE_CALL(launch)), rows[i].launches, "%s: %d launches", rows[i].name,
                         fake_count(FAKE_CALL(launch)));
            if (rows[i].kernel != NULL)
                cr_expect_str_eq(launched, rows[i].kernel, "%s: %s", rows[i].name, launched);
            cr_expect(is_right(&images), "%s", rows[i].name);
            forget(&images);
            cr_assert_str_eq(end(), "", "%s", rows[i].name);
            fake_use_kernels(NULL);
        }
}

/* A graph has the launches with their addresses and scales. */
Test(batch_numbers_cuda, captured)
{
    for (int scaled = 0; scaled < 2; scaled++) {
        struct fake_graph *graph = NULL;
        struct images images;

        begin(FAKE_LAZY, 1);
        start(&images, SV_DEVICE_CUDA, SV_DEVICE_CUDA, scaled != 0, 200);
        cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        cr_expect_eq(copy(&images, SV_COPY_BLOCKING, NULL), SV_ERROR_STATE);
        cr_expect_eq(copy(&images, 0, NULL), SV_OK, "%s", sv_last_message());
        cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess);
        cr_expect_str_eq(fake_graph_text(graph), "a kernel; a kernel; ");
        fake_launch_graph(graph, stream);
        cr_expect(is_right(&images));
        fake_end_graph(graph);
        forget(&images);
        cr_assert_str_eq(end(), "");
    }
}

enum { LONG = 800, LINES = 60 };

/* Lines of float32 whose numbers are multiplied by their index. */
static sv_status scale_lines(int64_t count, char *to, char *from)
{
    static double factors[LONG];
    const int64_t shape[] = {LONG};
    sv_view *dst[LINES], *src[LINES];
    sv_layout *layout = NULL;
    sv_status status;

    for (int k = 0; k < LONG; k++)
        factors[k] = k;
    cr_assert_eq(sv_layout_new_dense(1, shape, SV_ORDER_C, NULL, 4, &layout), SV_OK);
    for (int64_t i = 0; i < count; i++) {
        cr_assert_eq(sv_view_new(layout, SV_FLOAT32, to + i * LONG * 4, INT64_MIN, INT64_MAX, SV_DEVICE_CUDA, 0, 0,
                                 NULL, NULL, &dst[i]), SV_OK);
        cr_assert_eq(sv_view_new(layout, SV_FLOAT32, from + i * LONG * 4, INT64_MIN, INT64_MAX, SV_DEVICE_CUDA, 0, 0,
                                 NULL, NULL, &src[i]), SV_OK);
    }
    fake_reset();
    status = sv_copy_scaled_batch(count, dst, src, factors, LONG, NULL, 0, 0, 0, (uintptr_t)stream, NULL);
    for (int64_t i = 0; i < count; i++) {
        sv_view_release(dst[i]);
        sv_view_release(src[i]);
    }
    sv_layout_release(layout);
    return status;
}

/* Parameters have room for all scales besides the addresses of a few copies; of more copies each is done as by itself, in two launches. */
Test(batch_numbers_cuda, many_scales)
{
    static float values[LINES][LONG], got[LINES][LONG];
    static const int64_t counts[] = {6, LINES};
    static const int launches[] = {1, 2 * LINES};

    for (int i = 0; i < LINES; i++)
        for (int k = 0; k < LONG; k++)
            values[i][k] = (float)(i + 1);
    for (int way = 0; way < 2; way++) {
        char *to, *from;

        begin(FAKE_LAZY, 1);
        to = side_new(SV_DEVICE_CUDA, 0, sizeof values);
        from = side_new(SV_DEVICE_CUDA, 0, sizeof values);
        side_put(SV_DEVICE_CUDA, from, values, sizeof values);
        side_put(SV_DEVICE_CUDA, to, values, sizeof values);
        cr_assert_eq(scale_lines(counts[way], to, from), SV_OK, "%s", sv_last_message());
        cr_expect_eq(fake_count(FAKE_CALL(launch)), launches[way], "%d launches", fake_count(FAKE_CALL(launch)));
        side_get(SV_DEVICE_CUDA, got, to, sizeof got);
        for (int i = 0; i < LINES; i++)
            for (int k = 0; k < LONG; k++)
                cr_assert_eq(got[i][k], (float)((i + 1) * (i < counts[way] ? k : 1)), "%d, %d", i, k);
        side_free(SV_DEVICE_CUDA, to);
        side_free(SV_DEVICE_CUDA, from);
        cr_assert_str_eq(end(), "");
    }
}

/* --- failure ---------------------------------------------------------------------------------------------- */

Test(batch_numbers_cuda, what_comes_before_a_failure_is_done)
{
    struct images images;
    int64_t failed = -5;

    begin(FAKE_LAZY, 1);
    start(&images, SV_DEVICE_CUDA, SV_DEVICE_CUDA, true, 300);
    fake_fail_call(FAKE_CALL(launch), 2, cudaErrorLaunchOutOfResources);
    cr_expect_eq(copy(&images, 0, &failed), SV_ERROR_CUDA);
    cr_expect_eq(failed, 128, "%d", (int)failed);
    (void)is_right(&images);
    cr_expect_eq(memcmp(found, expected, 128 * DST_ROOM), 0);
    cr_expect_neq(memcmp(found + 128 * DST_ROOM, expected + 128 * DST_ROOM, DST_ROOM), 0);
    forget(&images);
    cr_assert_str_eq(end(), "");
}
