/* Copies of ordinary memory by the ring and by the driver, over the fake runtime: pages of files, a ring that grows, and
 * threads of the caller. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include "support/ordinary.h"
#include "support/routes.h"

static sv_status copy_run(struct svi_device dst, void *to, struct svi_device src, const void *from)
{
    const int64_t shape[] = {RUN}, strides[] = {1};
    struct svi_plan plan;

    svi_plan_make(1, shape, strides, strides, 1, &plan);
    return svi_cuda.copy(&(struct svi_request){&plan, dst, to, src, from, (uintptr_t)stream, 0, NULL, NULL});
}

/* The fake runtime tells of each page of a file that the driver is asked to copy. */
Test(cuda_ordinary, pages_of_files_are_never_the_drivers)
{
    begin_chunks(FAKE_LAZY, 3);
    svi_gpu_chunk_nbytes = 1 << 20;
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++) {
        char *host = map_ordinary(&ordinary[i]), *device = fake_allocate(cudaMemoryTypeDevice, 0, RUN);

        if (host == NULL) {
            fake_free(device);
            continue;
        }
        cr_assert_eq(copy_run(first, device, cpu, host), SV_OK, "%s: %s", ordinary[i].name, sv_last_message());
        if (ordinary[i].access & PROT_WRITE)
            cr_assert_eq(copy_run(cpu, host, first, device), SV_OK, "%s: %s", ordinary[i].name, sv_last_message());
        cr_expect_eq(host[RUN - 1], ordinary[i].touched && (ordinary[i].access & PROT_WRITE) ? 3 : 0);
        fake_free(device);
        munmap(host, RUN);
    }
    cr_assert_str_eq(end(), "");
}

/* Who copies a little has a small ring, which grows when more comes: after what is under way in it. */
Test(cuda_ordinary, a_ring_grows)
{
    enum { LITTLE = 1000, SMALL = 4 << 16, LARGE = 4 << 20 /* of pinned memory: four slots */ };
    static char run[RUN], back[RUN];
    const int64_t few[] = {LITTLE}, all[] = {RUN}, strides[] = {1};
    struct svi_plan little, large;
    char *device;

    begin_chunks(FAKE_LAZY, 3);
    svi_gpu_chunk_nbytes = 1 << 20;
    device = fake_allocate(cudaMemoryTypeDevice, 0, 2 * RUN);
    for (size_t i = 0; i < RUN; i++)
        run[i] = (char)(i * 7 + i / 251);
    svi_plan_make(1, few, strides, strides, 1, &little);
    svi_plan_make(1, all, strides, strides, 1, &large);
    svi_gpu_driven_nbytes = INT64_MAX;
    for (int i = 0; i < 5; i++)
        cr_assert_eq(svi_cuda.copy(&(struct svi_request){&little, first, device + i * LITTLE, cpu, run + i * LITTLE,
                                                         (uintptr_t)stream, 0, NULL, NULL}),
                     SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_pinned_bytes(), SMALL, "%d", (int)fake_pinned_bytes());
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&large, first, device + RUN, cpu, run, (uintptr_t)stream, 0, NULL,
                                                     NULL}),
                 SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_pinned_bytes(), LARGE, "%d", (int)fake_pinned_bytes());
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&little, cpu, back, first, device, (uintptr_t)stream, 0, NULL, NULL}),
                 SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_pinned_bytes(), LARGE, "%d", (int)fake_pinned_bytes());
    cr_expect_eq(memcmp(run, back, LITTLE), 0);
    fake_read(back, device, 5 * LITTLE);
    cr_expect_eq(memcmp(run, back, 5 * LITTLE), 0);
    fake_read(back, device + RUN, RUN);
    cr_expect_eq(memcmp(run, back, RUN), 0);
    fake_free(device);
    cr_assert_str_eq(end(), "");
}

/* --- threads of the caller ---------------------------------------------------------------------- */

/* Counts the tasks, and does all of them, the last first; with a limit, as many, and answers an error. */
struct runner {
    int64_t tasks, limit;
};

static sv_status run_backwards(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    struct runner *runner = ctx;

    for (int64_t i = count - 1; i >= 0; i--) {
        if (runner->limit > 0 && runner->tasks == runner->limit)
            return SV_ERROR_BLOCKED;
        runner->tasks++;
        task(task_ctx, i);
    }
    return SV_OK;
}

/* What is the host's part of a copy to or from a device: the whole ring's, in as many parts as threads are good for. */
Test(cuda_ordinary, threads_of_the_caller_fill_and_empty_the_ring)
{
    enum { CALLS = 5 /* chunks of 1 MiB in a run */, PARTS = 4 };
    static char run[RUN], back[RUN];
    struct runner runner = {0};
    const struct svi_threads threads = {PARTS, run_backwards, &runner};
    const int64_t shape[] = {RUN}, strides[] = {1};
    struct svi_request to_device, to_host;
    struct svi_plan plan;
    char *device;

    begin_chunks(FAKE_LAZY, 3);
    svi_gpu_chunk_nbytes = 1 << 20;
    device = fake_allocate(cudaMemoryTypeDevice, 0, RUN);
    for (size_t i = 0; i < RUN; i++)
        run[i] = (char)(i * 7 + i / 251);
    svi_plan_make(1, shape, strides, strides, 1, &plan);
    to_device = (struct svi_request){&plan, first, device, cpu, run, (uintptr_t)stream, 0, NULL, &threads};
    to_host = (struct svi_request){&plan, cpu, back, first, device, (uintptr_t)stream, 0, NULL, &threads};
    cr_expect(svi_gpu_is_ringed(&to_device, 0) && svi_gpu_is_ringed(&to_host, 0));
    cr_assert_eq(svi_cuda.copy(&to_device), SV_OK, "%s", sv_last_message());
    cr_expect_eq(runner.tasks, CALLS * PARTS, "%d tasks", (int)runner.tasks);
    cr_assert_eq(svi_cuda.copy(&to_host), SV_OK, "%s", sv_last_message());
    cr_expect_eq(runner.tasks, 2 * CALLS * PARTS, "%d tasks", (int)runner.tasks);
    cr_expect_eq(memcmp(run, back, RUN), 0);
    for (runner.limit = 1; runner.limit < CALLS * PARTS; runner.limit += PARTS) {
        runner.tasks = 0;
        cr_expect_eq(svi_cuda.copy(&to_device), SV_ERROR_BLOCKED);
        runner.tasks = 0;
        cr_expect_eq(svi_cuda.copy(&to_host), SV_ERROR_BLOCKED);
    }
    runner = (struct runner){0};
    cr_expect_eq(svi_cuda.copy(&to_device), SV_OK, "%s", sv_last_message());
    fake_free(device);
    cr_assert_str_eq(end(), "");
}
