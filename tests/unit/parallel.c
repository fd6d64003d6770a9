#include <criterion/criterion.h>
#include <stdlib.h>

#include "job.h"
#include "two_threads.h"
#include "unit/pairs.h"
#include "unit/views.h"

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

    for (int round = 0; round < test_cases() / 8; round++) {
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
        cr_assert_eq(svi_job_make(to, from, 0, &job), SV_OK, "%s", sv_last_message());
        job.parallel = (struct svi_parallel){2, round % 50 == 0 ? two_threads : backwards, NULL};
        if (!test_pair_is_empty(&p))
            cr_assert_eq(svi_job_run_tasks(&job, test_between(1, 30), (char *)dst - dst_lower,
                                           (char *)src - src_lower, 0),
                         SV_OK, "round %d: %s", round, sv_last_message());
        cr_assert_eq(memcmp(dst, expected, nbytes), 0, "round %d", round);
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
    {"below 1 MiB", 1023, 0, 2, backwards, 0, SV_OK, NULL},
    {"1 MiB", 1024, 0, 2, backwards, 8, SV_OK, NULL},
    {"4 MiB", 4096, 0, 2, backwards, 8, SV_OK, NULL},
    {"four threads", 4096, 0, 4, backwards, 16, SV_OK, NULL},
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
        status = sv_plan_parallel(plan, rows[i].threads, rows[i].run, &tasks, &parallel);
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

/* --- tasks that fail -------------------------------------------------------- */

static _Atomic int copies;

static sv_status fail_from_the_third(const struct svi_plan *plan, struct svi_device dst_device, void *dst,
                                     struct svi_device src_device, const void *src, uintptr_t stream, bool blocking)
{
    const int number = copies++;

    (void)plan, (void)dst_device, (void)dst, (void)src_device, (void)src, (void)stream, (void)blocking;
    return number < 2 ? SV_OK : svi_fail(SV_ERROR_UNSUPPORTED, "copy %d fails", number);
}

/* The first failure is told here, whatever the threads told each other. */
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
        cr_assert_eq(svi_job_make(view, view, 0, &job), SV_OK, "%s", sv_last_message());
        job.backend = &failing;
        job.parallel = (struct svi_parallel){2, runs[i], NULL};
        svi_fail(SV_ERROR_INDEX, "before");
        cr_expect_eq(svi_job_run_tasks(&job, 16, (char *)block, (char *)block, 0), SV_ERROR_UNSUPPORTED);
        cr_expect(strncmp(sv_last_message(), "copy ", 5) == 0 && strstr(sv_last_message(), " fails") != NULL, "%s",
                  sv_last_message());
        if (runs[i] != two_threads)
            cr_expect_str_eq(sv_last_message(), "copy 2 fails");
    }
    sv_view_release(view);
    free(block);
}
