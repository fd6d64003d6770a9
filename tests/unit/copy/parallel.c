#include <criterion/criterion.h>
#include <stdlib.h>

#include "copy/job_run.h"
#include "copy/parallel.h"
#include "two_threads.h"
#include "support/pairs.h"
#include "support/views.h"
#include "host/front/host.h"

enum { MIB = 1024 * 1024 };

/* --- threads of a caller -------------------------------------------------- */

static sv_status backwards(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    if (ctx != NULL)
        *(int64_t *)ctx += count;
    for (int64_t i = count - 1; i >= 0; i--)
        task(task_ctx, i);
    return SV_OK;
}

static sv_status all_but_one(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    return backwards(ctx, count - 1, task, task_ctx);
}

static sv_status one_too_many(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    return backwards(ctx, count + 1, task, task_ctx);
}

static sv_status the_first_for_the_last(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    all_but_one(ctx, count, task, task_ctx);
    return backwards(ctx, 1, task, task_ctx);
}

static sv_status all_and_the_first(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    backwards(ctx, count, task, task_ctx);
    return backwards(ctx, 1, task, task_ctx);
}

static sv_status refuse(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx, (void)count, (void)task, (void)task_ctx;
    return SV_ERROR_BLOCKED;
}

static sv_status answer_seven(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    backwards(ctx, count, task, task_ctx);
    return 7;
}

/* --- copies ---------------------------------------------------------------- */

/* Small copies in as many tasks as they can be made to. */
Test(parallel, random_copies)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 8); round++) {
        int64_t dst_lower, dst_upper, src_lower, src_upper;
        unsigned char *dst, *src, *expected;
        struct svi_job job;
        sv_view *to, *from;
        size_t nbytes;

        test_pair_random(&p, 20000);
        test_hull(p.ndim, p.shape, p.dst, p.itemsize, &dst_lower, &dst_upper);
        test_hull(p.ndim, p.shape, p.src, p.itemsize, &src_lower, &src_upper);
        nbytes = (size_t)(dst_upper - dst_lower) + 1;
        dst = calloc(1, nbytes);
        expected = calloc(1, nbytes);
        src = malloc((size_t)(src_upper - src_lower) + 1);
        for (int64_t i = 0; i < src_upper - src_lower; i++)
            src[i] = (unsigned char)test_mix((uint64_t)i);
        test_copy_one_by_one(&p, expected - dst_lower, src - src_lower);
        to = test_view(dst - dst_lower, p.ndim, p.shape, p.dst, p.itemsize, 0);
        from = test_view(src - src_lower, p.ndim, p.shape, p.src, p.itemsize, 0);
        cr_assert_eq(svi_job_make(to, from, 0, SVI_JOB_WHOLE, &job), SV_OK, "%s", sv_last_message());
        job.tasks = test_between(1, 30);
        job.threads = (struct svi_threads){2, round % 50 == 0 ? two_threads : backwards, NULL};
        if (!test_pair_is_empty(&p))
            cr_assert_eq(svi_parallel_run(&job, (char *)dst - dst_lower, (char *)src - src_lower, 0), SV_OK,
                         "%s", sv_last_message());
        cr_assert_eq(memcmp(dst, expected, nbytes), 0);
        sv_view_release(to);
        sv_view_release(from);
        free(dst);
        free(src);
        free(expected);
    }
}

static const struct {
    const char *name;
    int64_t rows;      /* of 1 KiB */
    int64_t overlap;   /* rows of the destination that are the source's */
    int32_t threads;
    sv_parallel_callback run;
    int64_t tasks;
    sv_status status;
    const char *says;
} rows[] = {
    {"below 1 MiB of both sides", 511, 0, 2, backwards, 0, SV_OK, NULL},
    {"1 MiB of both sides", 512, 0, 2, backwards, 2, SV_OK, NULL},
    {"1 MiB", 1024, 0, 2, backwards, 2, SV_OK, NULL},
    {"4 MiB", 4096, 0, 2, backwards, 8, SV_OK, NULL},
    {"four threads", 4096, 0, 4, backwards, 8, SV_OK, NULL},
    {"more threads than tasks", 1024, 0, INT32_MAX, backwards, 8, SV_OK, NULL},
    {"one thread", 4096, 0, 1, backwards, 0, SV_OK, NULL},
    {"one thread, nobody to run", 4096, 0, 1, NULL, 0, SV_OK, NULL},
    {"real threads", 4096, 0, 2, two_threads, 0, SV_OK, NULL},
    {"overlapping", 2048, 1024, 2, backwards, 0, SV_OK, NULL},
    {"no threads", 4096, 0, 0, backwards, 0, SV_ERROR_INVALID, "0 threads"},
    {"less than none", 1, 0, -3, backwards, 0, SV_ERROR_INVALID, "-3 threads"},
    {"nobody to run", 1, 0, 2, NULL, 0, SV_ERROR_NULL, "run is NULL"},
    {"a task not called", 4096, 0, 2, all_but_one, 7, SV_ERROR_STATE, "7 tasks of 8"},
    {"a task that is none", 4096, 0, 2, one_too_many, 9, SV_ERROR_STATE, "task 8 of 8"},
    {"one twice, one not at all", 4096, 0, 2, the_first_for_the_last, 8, SV_ERROR_STATE, "task 0 of 8 was called twice"},
    {"one twice", 4096, 0, 2, all_and_the_first, 9, SV_ERROR_STATE, "task 0 of 8 was called twice"},
    {"refused", 4096, 0, 2, refuse, 0, SV_ERROR_BLOCKED, "SV_ERROR_BLOCKED"},
    {"strange answer", 4096, 0, 2, answer_seven, 8, SV_ERROR_STATE, "(7)"},
};

static void check_answer(size_t i, const char *how, sv_status status, int64_t tasks)
{
    cr_expect_eq(status, rows[i].status, "%s, %s: %s", rows[i].name, how, sv_last_message());
    cr_expect_eq(tasks, rows[i].tasks, "%s, %s: %d tasks", rows[i].name, how, (int)tasks);
    if (status != SV_OK)
        cr_expect(strstr(sv_last_message(), rows[i].says) != NULL, "%s, %s: %s", rows[i].name, how, sv_last_message());
}

static void count_up(unsigned char *block, int64_t nbytes)
{
    for (int64_t k = 0; k < nbytes; k++)
        block[k] = (unsigned char)test_mix((uint64_t)k);
}

/* By a call and by a plan. */
Test(parallel, who_calls_what)
{
    static unsigned char block[9 * MIB], expected[9 * MIB];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t shape[2] = {rows[i].rows, 1024}, strides[2] = {1024, 1}, nbytes = 1024 * shape[0];
        unsigned char *source = block + nbytes - 1024 * rows[i].overlap;
        sv_view *dst = test_view(block, 2, shape, strides, 1, 0), *src = test_view(source, 2, shape, strides, 1, 0);
        sv_plan *plan = NULL, *parallel = NULL;
        sv_status status;
        int64_t tasks = 0;

        count_up(block, sizeof block);
        memcpy(expected, source, (size_t)nbytes);
        status = sv_copy_parallel(dst, src, rows[i].threads, rows[i].run, &tasks, 0, 0);
        check_answer(i, "call", status, tasks);
        if (status == SV_OK)
            cr_expect_eq(memcmp(block, expected, (size_t)nbytes), 0, "%s", rows[i].name);

        tasks = 0;
        count_up(block, sizeof block);
        cr_assert_eq(sv_plan_new(dst, src, 0, &plan), SV_OK);
        status = sv_plan_with_threads(plan, rows[i].threads, rows[i].run, &tasks, &parallel);
        if (status == SV_OK)
            status = sv_plan_execute(parallel, block, source, 0);
        check_answer(i, "plan", status, tasks);
        if (status == SV_OK)
            cr_expect_eq(memcmp(block, expected, (size_t)nbytes), 0, "%s", rows[i].name);
        sv_plan_release(plan);
        sv_plan_release(parallel);
        sv_view_release(dst);
        sv_view_release(src);
    }
}

/* What counts is the lines of both sides, four times where they are not read and written in runs. Strides in bytes. */
static const struct {
    const char *name;
    int64_t itemsize, shape[2], dst[2], src[2];
    int32_t threads;
    int64_t tasks;
} splits[] = {
    {"rows", 4, {512, 256}, {1024, 4}, {1024, 4}, 2, 2},
    {"rows, too few", 4, {511, 256}, {1024, 4}, {1024, 4}, 2, 1},
    {"transpose", 4, {182, 182}, {728, 4}, {4, 728}, 2, 2},
    {"transpose, small", 4, {180, 180}, {720, 4}, {4, 720}, 2, 1},
    {"rows backwards", 4, {128, 256}, {1024, 4}, {1024, -4}, 2, 2},
    {"rows backwards, too few", 4, {127, 256}, {1024, 4}, {1024, -4}, 2, 1},
    {"a byte of each line", 1, {64, 128}, {128, 1}, {8192, 64}, 2, 2},
    {"to a byte of each line", 1, {64, 128}, {8192, 64}, {128, 1}, 2, 2},
    {"of both sides", 1, {2048, 1}, {64, 1}, {64, 1}, 2, 2},
    {"one less", 1, {2047, 1}, {64, 1}, {64, 1}, 2, 1},
    {"every second", 4, {256, 512}, {2048, 4}, {4096, 8}, 2, 6},
    {"repeated", 4, {1024, 256}, {1024, 4}, {0, 0}, 2, 2},
    {"repeated, small", 4, {1023, 256}, {1024, 4}, {0, 0}, 2, 1},
    {"four of 1 MiB", 4, {512, 1024}, {4096, 4}, {4096, 4}, 2, 4},
    {"four threads", 4, {512, 1024}, {4096, 4}, {4096, 4}, 4, 4},
    {"three threads", 4, {512, 1024}, {4096, 4}, {4096, 4}, 3, 4},
    {"many of 1 MiB", 4, {16384, 1024}, {4096, 4}, {4096, 4}, 2, 8},
    {"many threads", 4, {1024, 1024}, {4096, 4}, {4096, 4}, 64, 32},
    {"one thread", 4, {1024, 1024}, {4096, 4}, {4096, 4}, 1, 1},
    {"nothing", 4, {0, 1024}, {4096, 4}, {4096, 4}, 2, 1},
};

Test(parallel, numbers_of_tasks)
{
    static char nothing[4096];

    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        sv_view *dst = test_view(nothing + 2048, 2, splits[i].shape, splits[i].dst, splits[i].itemsize, 0);
        sv_view *src = test_view(nothing + 2048, 2, splits[i].shape, splits[i].src, splits[i].itemsize, 0);
        struct svi_job job;

        cr_assert_eq(svi_job_make(dst, src, 0, SVI_JOB_WHOLE, &job), SV_OK, "%s", sv_last_message());
        cr_expect_eq(svi_parallel_tasks(&job, splits[i].threads), splits[i].tasks, "%s: %d tasks", splits[i].name,
                     (int)svi_parallel_tasks(&job, splits[i].threads));
        sv_view_release(dst);
        sv_view_release(src);
    }
}

/* A plan with threads and without them again. */
Test(parallel, threads_change)
{
    const int64_t shape[1] = {MIB}, strides[1] = {1};
    char *dst = calloc(1, MIB), *src = malloc(MIB);
    sv_view *to = test_view(dst, 1, shape, strides, 1, 0), *from = test_view(src, 1, shape, strides, 1, 0);
    int64_t tasks = 0;
    struct svi_job job;

    memset(src, 5, MIB);
    cr_assert_eq(svi_job_make(to, from, 0, SVI_JOB_WHOLE, &job), SV_OK, "%s", sv_last_message());
    cr_assert_eq(svi_parallel_set(&job, 2, backwards, &tasks), SV_OK);
    cr_expect_eq(svi_job_run(&job, dst, src, 0), SV_OK);
    cr_expect_eq(tasks, 2, "%d tasks", (int)tasks);
    cr_assert_eq(svi_parallel_set(&job, 1, NULL, NULL), SV_OK);
    dst[0] = 0;
    cr_expect_eq(svi_job_run(&job, dst, src, 0), SV_OK);
    cr_expect_eq(tasks, 2, "%d tasks", (int)tasks);
    cr_expect_eq(memcmp(dst, src, MIB), 0);
    sv_view_release(to);
    sv_view_release(from);
    free(dst);
    free(src);
}

/* --- tasks that fail -------------------------------------------------------- */

static _Atomic int copies;

static sv_status fail_from_the_third(const struct svi_request *request)
{
    const int number = copies++;

    (void)request;
    return number < 2 ? SV_OK : svi_fail(SV_ERROR_UNSUPPORTED, "copy %d fails", number);
}

/* The first failure is told here, whatever the threads told each other. */
/* Tasks in turn, until some are done. */
struct stopping {
    int64_t most, done, count;
};

static sv_status run_some(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    struct stopping *s = ctx;

    s->count = count;
    for (s->done = 0; s->done < count; s->done++) {
        if (s->done == s->most)
            return SV_ERROR_BLOCKED;
        task(task_ctx, s->done);
    }
    return SV_OK;
}

/* A runner that ends a copy is answered with what it said, and the rest of dst is as it was. */
Test(parallel, a_runner_ends_the_copy)
{
    enum { BYTES = 8 << 20 };
    static unsigned char to[BYTES], from[BYTES];
    const int64_t shape[] = {BYTES};
    struct stopping s = {.most = 0, .count = 1};
    sv_view *dst = NULL, *src = NULL;

    memset(from, 1, sizeof from);
    cr_assert_eq(sv_view_from_host(SV_UINT8, 1, shape, NULL, to, 0, &dst), SV_OK);
    cr_assert_eq(sv_view_from_host(SV_UINT8, 1, shape, NULL, from, SV_READ_ONLY, &src), SV_OK);
    for (; s.most <= s.count; s.most++) {
        int64_t written = 0;

        memset(to, 0, sizeof to);
        cr_assert_eq(sv_copy_parallel(dst, src, 4, run_some, &s, 0, 0),
                     s.most < s.count ? SV_ERROR_BLOCKED : SV_OK, "%s", sv_last_message());
        for (int64_t i = 0; i < BYTES; i++)
            written += to[i];
        cr_expect_eq(s.done, s.most);
        cr_expect(written * s.count >= (s.most - 1) * (int64_t)BYTES && written * s.count <= (s.most + 1) * (int64_t)BYTES,
                  "%d of %d tasks wrote %d bytes", (int)s.most, (int)s.count, (int)written);
    }
    cr_expect_gt(s.count, 3);
    sv_view_release(dst);
    sv_view_release(src);
}

Test(parallel, failures_of_tasks)
{
    static const sv_parallel_callback runs[] = {backwards, two_threads, all_but_one};
    const int64_t shape[1] = {16 * MIB}, strides[1] = {1};
    struct svi_backend failing = svi_host;
    unsigned char *block = malloc(2);
    sv_view *view = test_view(block, 1, shape, strides, 1, 0);
    struct svi_job job;

    failing.copy = fail_from_the_third;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        copies = 0;
        cr_assert_eq(svi_job_make(view, view, 0, SVI_JOB_WHOLE, &job), SV_OK, "%s", sv_last_message());
        job.backend = &failing;
        job.tasks = 16;
        job.threads = (struct svi_threads){2, runs[i], NULL};
        svi_fail(SV_ERROR_INDEX, "before");
        cr_expect_eq(svi_parallel_run(&job, (char *)block, (char *)block, 0), SV_ERROR_UNSUPPORTED);
        cr_expect(strncmp(sv_last_message(), "copy ", 5) == 0 && strstr(sv_last_message(), " fails") != NULL, "%s",
                  sv_last_message());
        if (runs[i] != two_threads)
            cr_expect_str_eq(sv_last_message(), "copy 2 fails");
    }
    sv_view_release(view);
    free(block);
}
