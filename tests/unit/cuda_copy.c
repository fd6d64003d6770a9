/* What the kernel and the calls of the runtime move, and where to. */
#include "unit/fake_cuda.h"

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

Test(cuda_copy, every_word_is_moved_to_its_place)
{
    enum { SIZE = 8192 };
    static _Alignas(16) char from[SIZE], to[SIZE], expected[SIZE];

    for (size_t i = 0; i < SIZE; i++)
        from[i] = (char)(i * 7 + i / 256);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct svi_plan plan = rows[row].plan;
        const int64_t at = rows[row].misalign;

        plan.nbytes = plan.item;
        for (int32_t axis = 0; axis < plan.ndim; axis++)
            plan.nbytes *= plan.shape[axis];
        memset(to, 0x55, SIZE);
        memset(expected, 0x55, SIZE);
        expected_copy(&plan, 0, expected + at + plan.dst_offset, from + at + plan.src_offset);
        cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, first, to + at, first, from + at, 2, 0}), SV_OK);
        cr_assert_eq(memcmp(to, expected, SIZE), 0, "%s", rows[row].name);
        cr_assert_eq(fake.word, rows[row].word, "%s: %d", rows[row].name, (int)fake.word);
        cr_assert_eq(fake.stream, cudaStreamPerThread, "%s", rows[row].name);
    }
}

/* To the host and from it; ordinary memory may be freed on return, pinned memory not before the stream is done. */
Test(cuda_copy, rows_go_between_host_and_device)
{
    enum { SIZE = 8192 };
    static char from[SIZE], to[SIZE], expected[SIZE];
    const struct svi_device pinned = {SV_DEVICE_CUDA_HOST, 0};

    for (size_t i = 0; i < SIZE; i++)
        from[i] = (char)(i * 7 + i / 256);
    for (size_t i = 0; i < 3 * sizeof rows / sizeof *rows; i++) {
        const size_t row = i / 3;
        struct svi_plan plan = rows[row].plan;
        const struct svi_device dst = i % 3 == 0 ? second : i % 3 == 1 ? host : pinned;
        const struct svi_device src = i % 3 == 0 ? host : second;

        plan.nbytes = plan.item;
        for (int32_t axis = 0; axis < plan.ndim; axis++)
            plan.nbytes *= plan.shape[axis];
        fake.copies = fake.waits = 0;
        memset(to, 0x55, SIZE);
        memset(expected, 0x55, SIZE);
        expected_copy(&plan, 0, expected + plan.dst_offset, from + plan.src_offset);
        cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, dst, to, src, from, 2, 0}), SV_OK, "%s",
                     rows[row].name);
        cr_assert_eq(memcmp(to, expected, SIZE), 0, "%s", rows[row].name);
        cr_assert_eq(fake.copies, rows[row].copies, "%s: %d", rows[row].name, fake.copies);
        cr_assert_eq(fake.waits, i % 3 < 2, "%s: %d", rows[row].name, fake.waits);
        cr_assert_eq(fake.stream, cudaStreamPerThread, "%s", rows[row].name);
        cr_assert(fake.current == 0 && fake.launches == 0);
    }
}

static bool is_run(const struct svi_plan *plan)
{
    return plan->ndim == 0 || (plan->ndim == 1 && plan->dst[0] == plan->item && plan->src[0] == plan->item);
}

/* On the device of the stream, which is the destination's if it is a default stream; nothing waits. */
Test(cuda_copy, rows_go_from_one_device_to_another)
{
    enum { SIZE = 8192 };
    static char from[SIZE], to[SIZE], expected[SIZE];

    for (size_t i = 0; i < SIZE; i++)
        from[i] = (char)(i * 7 + i / 256);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct svi_plan plan = rows[row].plan;

        plan.nbytes = plan.item;
        for (int32_t axis = 0; axis < plan.ndim; axis++)
            plan.nbytes *= plan.shape[axis];
        fake.copies = fake.peers = fake.waits = 0;
        fake.log[0] = '\0';
        memset(to, 0x55, SIZE);
        memset(expected, 0x55, SIZE);
        expected_copy(&plan, 0, expected + plan.dst_offset, from + plan.src_offset);
        cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, second, to, first, from, 2, 0}), SV_OK, "%s",
                     rows[row].name);
        cr_assert_eq(memcmp(to, expected, SIZE), 0, "%s", rows[row].name);
        cr_assert_eq(fake.copies, rows[row].copies, "%s: %d", rows[row].name, fake.copies);
        cr_assert_eq(fake.peers, is_run(&plan), "%s: %d", rows[row].name, fake.peers);
        cr_assert_str_eq(fake.log, fake.peers > 0 ? "1:peer 10; " : "", "%s: %s", rows[row].name, fake.log);
        cr_assert(fake.waits == 0 && fake.current == 0 && fake.launches == 0);
    }
}

Test(cuda_copy, every_call_between_host_and_device_can_fail)
{
    const struct svi_plan plan = {.kind = SVI_CLASS_STRIDED, .ndim = 1, .item = 1, .nbytes = 3,
                                  .shape = {3}, .dst = {2}, .src = {-2}, .src_offset = 4};
    char from[8] = "abcdefg", to[8] = "";
    const struct svi_request request = {&plan, host, to, second, from, 0, SV_COPY_BLOCKING};
    int fail_at = 0;
    sv_status status;

    do {
        fake.calls = fake.current = 0;
        fake.fail_at = ++fail_at;
        status = svi_cuda.copy(&request);
        cr_assert_eq(fake.pending, cudaSuccess, "call %d", fail_at);
        if (status != SV_OK) {
            cr_assert_eq(status, SV_ERROR_CUDA, "call %d", fail_at);
            cr_assert_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"));
        }
    } while (status != SV_OK);
    cr_assert_eq(fail_at, 8, "device, device, three rows, the wait, and the device again: %d", fail_at);
}

/* More words than one launch has threads, and offsets that 32 bits do not hold. */
Test(cuda_copy, index_arithmetic_is_64_bit)
{
    const struct svi_plan plan = {.ndim = 2, .item = 8, .nbytes = INT64_C(3) << 40,
                                  .shape = {INT64_C(3) << 20, 1 << 17},
                                  .dst = {INT64_C(1) << 20, 8}, .src = {8, INT64_C(3) << 23}};
    int64_t to, from;

    svi_strided_locate(&plan, 8, plan.nbytes / 8 - 1, &to, &from);
    cr_assert_eq(to, (INT64_C(3) << 40) - 8);
    cr_assert_eq(from, (INT64_C(3) << 40) - 8);
}
