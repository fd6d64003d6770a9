/* What the kernel and the calls of the runtime move, and where to. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/fake.h"

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
    int64_t word;
    int64_t misalign; /* of both addresses */
    int copies;       /* of rows, between host and device */
    struct svi_plan plan; /* nbytes is filled in */
} rows[] = {
    {"one element", 4, 0, 1, {.item = 4}},
    {"odd item", 1, 0, 1, {.ndim = 1, .item = 3, .shape = {5}, .dst = {7}, .src = {3}}},
    {"bytes in a run", 16, 0, 1, {.ndim = 1, .item = 1, .shape = {4096}, .dst = {1}, .src = {1}}},
    {"run at an odd address", 1, 1, 1, {.ndim = 1, .item = 1, .shape = {4096}, .dst = {1}, .src = {1}}},
    {"run at an even address", 2, 6, 1, {.ndim = 1, .item = 4, .shape = {33}, .dst = {4}, .src = {4}}},
    {"rows", 8, 0, 1, {.ndim = 2, .item = 8, .shape = {5, 3}, .dst = {24, 8}, .src = {40, 8}}},
    {"transpose", 4, 0, 7, {.ndim = 2, .item = 4, .shape = {7, 5}, .dst = {20, 4}, .src = {4, 28}}},
    {"reversed", 2, 0, 20, {.ndim = 1, .item = 2, .src_offset = 38, .shape = {20}, .dst = {2}, .src = {-2}}},
    {"broadcast", 16, 0, 6, {.ndim = 2, .item = 16, .shape = {6, 4}, .dst = {64, 16}, .src = {0, 32}}},
    {"four axes, offsets", 4, 0, 120,
     {.ndim = 4, .item = 12, .dst_offset = 4, .src_offset = 1000, .shape = {2, 3, 4, 5},
      .dst = {720, 240, 60, 12}, .src = {-480, 160, -40, 8}}},
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
    struct svi_plan plan = rows[row].plan;

    plan.nbytes = plan.item;
    for (int32_t axis = 0; axis < plan.ndim; axis++)
        plan.nbytes *= plan.shape[axis];
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

    memset(expected, 0x55, SIZE);
    fake_write(to, expected, SIZE);
    fake_write(from, pattern, SIZE);
    expected_copy(&plan, 0, expected + at + plan.dst_offset, pattern + at + plan.src_offset);
    fake_reset();
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, dst, to + at, src, from + at, 2, 0, NULL}), SV_OK, "%s: %s",
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
    return fake_count(FAKE_CALL(copy)) + fake_count(FAKE_CALL(copy_rows)) + fake_count(FAKE_CALL(copy_peer));
}

/* The kernels as they are, and the word of the one that was launched last. */
static int64_t word;

static void *take(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                  void *with)
{
    word = atoi(strrchr(name, '_') + 1);
    return fake_launched.take(name, config, arguments, touched, with);
}

Test(cuda_copy, every_word_is_moved_to_its_place)
{
    const struct fake_kernels noted = {take, fake_launched.run, fake_launched.names};

    make_pattern();
    fake_use_kernels(&noted);
    for (size_t row = 0; row < ROWS; row++) {
        expect_moved(row, first, first, rows[row].misalign);
        cr_assert_eq(word, rows[row].word, "%s: %d", rows[row].name, (int)word);
        cr_assert_eq(fake_count(FAKE_CALL(launch)), 1, "%s", rows[row].name);
        cr_assert_eq(occurrences("0:launch thread; "), 1, "%s: %s", rows[row].name, fake_log());
        cr_assert(copies() == 0 && fake_count(FAKE_CALL(synchronize)) == 0, "%s: %s", rows[row].name, fake_log());
    }
    fake_use_kernels(NULL);
    cr_assert_str_eq(fake_end(), "");
}

/* To the host and from it; ordinary memory may be freed on return, pinned memory not before the stream is done. */
Test(cuda_copy, rows_go_between_host_and_device)
{
    make_pattern();
    for (size_t i = 0; i < 3 * ROWS; i++) {
        const size_t row = i / 3;
        const struct svi_device dst = i % 3 == 0 ? second : i % 3 == 1 ? host : pinned;
        const struct svi_device src = i % 3 == 0 ? host : second;
        const int waits = i % 3 < 2;

        expect_moved(row, dst, src, 0);
        cr_assert_eq(copies(), rows[row].copies, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(fake_count(FAKE_CALL(synchronize)), waits, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(occurrences(" thread; "), rows[row].copies + waits, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(fake_count(FAKE_CALL(launch)), 0, "%s", rows[row].name);
    }
    cr_assert_str_eq(fake_end(), "");
}

static bool is_run(const struct svi_plan *plan)
{
    return plan->ndim == 0 || (plan->ndim == 1 && plan->dst[0] == plan->item && plan->src[0] == plan->item);
}

/* On the device of the stream, which is the destination's if it is a default stream; nothing waits. */
Test(cuda_copy, rows_go_from_one_device_to_another)
{
    make_pattern();
    for (size_t row = 0; row < ROWS; row++) {
        const struct svi_plan plan = plan_of(row);
        char peer[64];

        expect_moved(row, second, first, 0);
        cr_assert_eq(copies(), rows[row].copies, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(fake_count(FAKE_CALL(copy_peer)), is_run(&plan), "%s: %s", rows[row].name, fake_log());
        snprintf(peer, sizeof peer, "1:copy_peer 1<-0 %d thread; ", (int)plan.nbytes);
        cr_assert_eq(occurrences(peer), is_run(&plan), "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(occurrences("1:copy"), rows[row].copies, "%s: %s", rows[row].name, fake_log());
        cr_assert_eq(occurrences(" thread; "), rows[row].copies, "%s: %s", rows[row].name, fake_log());
        cr_assert(fake_count(FAKE_CALL(synchronize)) == 0 && fake_count(FAKE_CALL(launch)) == 0);
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
    const struct svi_plan plan = {.kind = SVI_CLASS_STRIDED, .ndim = 1, .item = 1, .nbytes = 3,
                                  .shape = {3}, .dst = {2}, .src = {-2}, .src_offset = 4};
    char to[8] = "";
    const struct svi_request request = {&plan, host, to, second, device_side, 0, SV_COPY_BLOCKING, NULL};
    const sv_status status = svi_cuda.copy(&request);

    (void)with;
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
    cr_assert_eq(rounds, 8, "device, device, capture, three rows, the wait, and the device again: %d", rounds);
}
