/* What the kernel and the calls of the runtime move, and where to. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/ring.h"
#include "gpu/route.h"
#include "fake/fake.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/cuda.h"

static const struct svi_device first = {SV_DEVICE_CUDA, 0}, second = {SV_DEVICE_CUDA, 1}, host = {SV_DEVICE_CPU, 0},
                               pinned = {SV_DEVICE_CUDA_HOST, 0};

/* Devices are looked for now, so that the calls of that are not counted later. */
static void start(void)
{
    fake_start(FAKE_LAZY, 1);
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
}

TestSuite(cuda_copy, .init = start);

/* Element by element, as the plan says. */
static void expected_copy(const struct svi_plan *plan, int32_t axis, char *dst, const char *src)
{
    if (axis == plan->ndim) {
        memcpy(dst, src, (size_t)plan->item);
        return;
    }
    for (int64_t i = 0; i < plan->shape[axis]; i++)
        expected_copy(plan, axis + 1, dst + i * plan->dst[axis], src + i * plan->src[axis]);
}

static const struct {
    const char *name;
    const char *kernel; /* "": the runtime's copy */
    int64_t misalign;   /* of both addresses */
    int64_t at;         /* bytes to the element [0,...,0] of both sides */
    const char *route;  /* with pinned memory */
    int32_t ndim;
    int64_t item;
    int64_t shape[4], dst[4], src[4];
} rows[] = {
    {"one element", "", 0, 0, "pitched", 0, 4, {0}, {0}, {0}},
    {"odd item", "flat_1", 0, 0, "mapped", 1, 3, {5}, {7}, {3}},
    {"bytes in a run", "", 0, 0, "pitched", 1, 1, {4096}, {1}, {1}},
    {"rows at odd addresses", "rows_any", 1, 0, "pitched", 2, 1, {2, 3000}, {3001, 1}, {3001, 1}},
    {"short rows at odd addresses", "rows_any", 1, 0, "mapped", 2, 1, {9, 100}, {101, 1}, {103, 1}},
    {"rows", "flat_8", 0, 0, "mapped", 2, 8, {5, 3}, {24, 8}, {40, 8}},
    {"transpose", "flat_4", 0, 0, "mapped", 2, 4, {7, 5}, {20, 4}, {4, 28}},
    {"reversed", "flat_2", 0, 38, "mapped", 1, 2, {20}, {2}, {-2}},
    {"reversed, long", "reverse_2", 0, 2046, "mapped", 1, 2, {1000}, {2}, {-2}},
    {"broadcast", "flat_16", 0, 0, "mapped", 2, 16, {6, 4}, {64, 16}, {0, 32}},
    {"repeated", "repeat_8", 0, 0, "mapped", 2, 8, {3, 100}, {800, 8}, {8, 0}},
    {"four axes", "flat_4", 0, 1004, "mapped", 4, 12, {2, 3, 4, 5}, {720, 240, 60, 12}, {-480, 160, -40, 8}},
};

enum { SIZE = 8192, ROWS = sizeof rows / sizeof *rows };

static char pattern[SIZE], expected[SIZE], arrived[SIZE];

static void make_pattern(void)
{
    for (size_t i = 0; i < SIZE; i++)
        pattern[i] = (char)(i * 7 + i / 256);
}

static struct svi_plan plan_of(size_t row)
{
    struct svi_plan plan;

    svi_plan_make(rows[row].ndim, rows[row].shape, rows[row].dst, rows[row].src, rows[row].item, &plan);
    return plan;
}

/* Memory of the host that the runtime does not know is malloc()'s. */
static char *allocate(struct svi_device device)
{
    return device.type == SV_DEVICE_CPU ? malloc(SIZE)
                                        : fake_allocate(device.type == SV_DEVICE_CUDA ? cudaMemoryTypeDevice
                                                                                      : cudaMemoryTypeHost,
                                                        device.id, SIZE);
}

static void release(struct svi_device device, char *memory)
{
    if (device.type == SV_DEVICE_CPU)
        free(memory);
    else
        fake_free(memory);
}

/* Copies a row from src to dst, both at bytes into their memory, and looks at all of dst. */
static void expect_moved(size_t row, struct svi_device dst, struct svi_device src, int64_t at)
{
    const struct svi_plan plan = plan_of(row);
    char *to = allocate(dst), *from = allocate(src);

    at += rows[row].at;

    memset(expected, 0x55, SIZE);
    fake_write(to, expected, SIZE);
    fake_write(from, pattern, SIZE);
    expected_copy(&plan, 0, expected + at + plan.dst_offset, pattern + at + plan.src_offset);
    fake_reset();
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, dst, to + at, src, from + at, 2, 0, NULL, NULL}), SV_OK, "%s: %s",
                 rows[row].name, sv_last_message());
    if (dst.type == SV_DEVICE_CPU) /* the copy has waited */
        memcpy(arrived, to, SIZE);
    else
        fake_read(arrived, to, SIZE);
    cr_assert_eq(memcmp(arrived, expected, SIZE), 0, "%s", rows[row].name);
    cr_assert_eq(fake_current(), 0, "%s", rows[row].name);
    release(dst, to);
    release(src, from);
}

static int occurrences(const char *text)
{
    int count = 0;

    for (const char *at = fake_log(); (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

static int copies(void)
{
    return fake_count(FAKE_CALL(copy)) + fake_count(FAKE_CALL(copy_rows)) + fake_count(FAKE_CALL(copy_planes)) + fake_count(FAKE_CALL(copy_peer));
}

/* The kernels as they are, and the name of the one that was launched last. */
static const char *launched;

static void *take(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                  void *with)
{
    launched = name;
    return fake_launched.take(name, config, arguments, touched, with);
}

Test(cuda_copy, a_kernel_moves_every_byte_to_its_place)
{
    const struct fake_kernels noted = {take, fake_launched.run, fake_launched.names, fake_launched.touch};

    make_pattern();
    fake_use_kernels(&noted);
    for (size_t row = 0; row < ROWS; row++) {
        const bool is_launched = *rows[row].kernel != '\0';

        expect_moved(row, first, first, rows[row].misalign);
        cr_assert(!is_launched || strcmp(launched + 4, rows[row].kernel) == 0, "%s: %s", rows[row].name, launched);
        cr_assert_eq(fake_count(FAKE_CALL(launch)), is_launched, "%s", rows[row].name);
        cr_assert_eq(copies(), !is_launched, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(fake_count(FAKE_CALL(synchronize)), 0, "%s: %s", rows[row].name, fake_log());
    }
    fake_use_kernels(NULL);
    cr_assert_str_eq(fake_end(), "");
}

/* Pinned memory is not to be freed before the stream is done, so nothing waits: at most two calls move all of it. */
Test(cuda_copy, pinned_memory_is_copied_in_the_order_of_the_stream)
{
    make_pattern();
    for (size_t i = 0; i < 2 * ROWS; i++) {
        const size_t row = i / 2;
        const struct svi_device dst = i % 2 == 0 ? second : pinned, src = i % 2 == 0 ? pinned : second;
        const struct svi_plan plan = plan_of(row);

        cr_expect_str_eq(svi_gpu_route_name(&plan, dst, src), rows[row].route, "%s", rows[row].name);
        expect_moved(row, dst, src, rows[row].misalign);
        cr_assert_eq(copies() + fake_count(FAKE_CALL(launch)), 1, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(fake_count(FAKE_CALL(synchronize)), 0, "%s: %s", rows[row].name, fake_log());
    }
    cr_assert_str_eq(fake_end(), "");
}

/* Ordinary memory may be freed on return. */
Test(cuda_copy, ordinary_memory_has_been_read_or_written_on_return)
{
    make_pattern();
    for (size_t i = 0; i < 2 * ROWS; i++) {
        const size_t row = i / 2;

        expect_moved(row, i % 2 == 0 ? second : host, i % 2 == 0 ? host : second, rows[row].misalign);
        cr_assert_leq(copies() + fake_count(FAKE_CALL(launch)), 2, "%s: %s", rows[row].name, fake_log());
    }
    cr_assert_str_eq(fake_end(), "");
}

/* A ring that gets other memory is idle first: the copy that was there is still under way, in its first slot. */
Test(cuda_copy, a_ring_that_changes_has_been_emptied)
{
    const struct svi_plan plan = plan_of(ROWS - 1);
    const int64_t at = rows[ROWS - 1].at;
    char *to = allocate(first), *next = allocate(first), *from = malloc(SIZE);

    make_pattern();
    memset(expected, 0x55, SIZE);
    fake_write(to, expected, SIZE);
    memcpy(from, pattern, SIZE);
    expected_copy(&plan, 0, expected + at + plan.dst_offset, pattern + at + plan.src_offset);
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, first, to + at, host, from + at, 2, 0, NULL, NULL}), SV_OK);
    svi_gpu_chunk_nbytes /= 2;
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, first, next + at, host, from + at, 2, 0, NULL, NULL}), SV_OK);
    fake_read(arrived, to, SIZE);
    cr_assert_eq(memcmp(arrived, expected, SIZE), 0);
    release(first, to);
    release(first, next);
    free(from);
    cr_assert_str_eq(fake_end(), "");
}

/* On the device of the stream, which is the destination's if it is a default stream; nothing waits. */
Test(cuda_copy, rows_go_from_one_device_to_another)
{
    make_pattern();
    for (size_t row = 0; row < ROWS; row++) {
        const struct svi_plan plan = plan_of(row);
        char peer[64];

        expect_moved(row, second, first, 0);
        snprintf(peer, sizeof peer, "1:copy_peer 1<-0 %d thread; ", (int)plan.nbytes);
        if (plan.ndim == 0 || plan.kind == SVI_CLASS_CONTIGUOUS)
            cr_assert_eq(occurrences(peer), 1, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(fake_count(FAKE_CALL(synchronize)), 0);
        cr_assert_eq(occurrences("0:copy"), 0, "%s: %s", rows[row].name, fake_log());
    }
    cr_assert_str_eq(fake_end(), "");
}

static char *device_side;

static void prepare(void *with)
{
    (void)with;
    device_side = fake_allocate(cudaMemoryTypeDevice, 1, 8);
    fake_write(device_side, "abcdefg", 8);
}

static sv_status copy_backwards(void *with)
{
    static const int64_t shape[] = {3}, dst[] = {2}, src[] = {-2};
    struct svi_plan plan;
    char to[8] = "";
    const struct svi_request request = {&plan, host, to, second, device_side + 4, 0, SV_COPY_BLOCKING, NULL, NULL};
    sv_status status;

    (void)with;
    svi_plan_make(1, shape, dst, src, 1, &plan);
    status = svi_cuda.copy(&request);
    if (status == SV_OK)
        cr_expect(to[0] == 'e' && to[2] == 'c' && to[4] == 'a');
    return status;
}

static void clean(void *with, sv_status status)
{
    (void)with;
    if (status != SV_OK) {
        cr_expect_eq(status, SV_ERROR_CUDA, "%d", status);
        cr_expect_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"), "%s", sv_last_message());
    }
    fake_free(device_side);
}

Test(cuda_copy, every_call_between_host_and_device_can_fail)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY};
    const struct fake_trial trial = {.prepare = prepare, .run = copy_backwards, .clean = clean};
    int rounds = 0;

    cr_assert_str_eq(fake_fail_each(&trial, &settings, &rounds), "");
    cr_assert_geq(rounds, 15, "the ring and its events, scratch memory, a kernel, a copy, waits: %d", rounds);
}
