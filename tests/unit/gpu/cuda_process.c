/* Copies by rings in processes that are forked, and in those that end: a status, never a hang, and the parent goes on. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/ring.h"
#include "fake/fake.h"
#include "sv.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/cuda.h"

static const struct svi_device cpu = {SV_DEVICE_CPU, 0}, first = {SV_DEVICE_CUDA, 0};

enum { CHUNK = 4096, ROWS = 100, COLUMNS = 120, ROOM = 4 * ROWS * COLUMNS, FORKS = 20, THREADS = 4, PATIENCE = 20 };

static char pattern[ROOM], *device;
static cudaStream_t stream;

static void begin(void)
{
    fake_start(FAKE_LAZY, 1);
    svi_gpu_chunk_nbytes = CHUNK;
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    stream = fake_new_stream(0, cudaStreamNonBlocking);
    device = fake_allocate(cudaMemoryTypeDevice, 0, ROOM);
    for (size_t i = 0; i < ROOM; i++)
        pattern[i] = (char)(i * 7 + i / 251);
}

TestSuite(cuda_process, .init = begin);

static void end(void)
{
    fake_free(device);
    fake_end_stream(stream);
    cr_expect_str_eq(fake_end(), "");
}

/* A transpose in chunks, to the device or back. */
static sv_status copy(bool to_device, char *host, char *there, cudaStream_t on, uint32_t flags)
{
    static const int64_t shape[] = {ROWS, COLUMNS}, rows[] = {4 * COLUMNS, 4}, columns[] = {4, 4 * ROWS};
    struct svi_plan plan;

    svi_plan_make(2, shape, to_device ? rows : columns, to_device ? columns : rows, 4, &plan);
    return svi_cuda.copy(&(struct svi_request){&plan, to_device ? first : cpu, to_device ? there : host,
                                               to_device ? cpu : first, to_device ? host : there, (uintptr_t)on, flags,
                                               NULL, NULL});
}

static bool goes_there_and_back(char *there, cudaStream_t on)
{
    char *host = malloc(ROOM), *back = calloc(1, ROOM);
    bool equal;

    memcpy(host, pattern, ROOM);
    equal = copy(true, host, there, on, 0) == SV_OK && copy(false, back, there, on, 0) == SV_OK &&
            memcmp(back, pattern, ROOM) == 0;
    free(back);
    free(host);
    return equal;
}

/* --- forks ---------------------------------------------------------------------------------- */

static sv_view *host_view(char *memory, bool transposed)
{
    const int64_t shape[] = {ROWS, COLUMNS}, strides[] = {transposed ? 1 : COLUMNS, transposed ? ROWS : 1};
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    if (sv_layout_new(2, shape, strides, 4, &layout) == SV_OK)
        (void)sv_view_new(layout, SV_FLOAT32, memory, 0, ROOM, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view);
    sv_layout_release(layout);
    return view;
}

static bool host_copies(void)
{
    char *to = calloc(1, ROOM);
    sv_view *dst = host_view(to, false), *src = host_view(pattern, true);
    const bool done = dst != NULL && src != NULL && sv_copy(dst, src, 0, 0) == SV_OK && to[0] == pattern[0] &&
                      memcmp(to + 4, pattern + 4 * ROWS, 4) == 0;

    sv_view_release(dst);
    sv_view_release(src);
    free(to);
    return done;
}

/* What is wrong in a child; 0: nothing. The runtime is not called: its lock may be that of a thread that is not here. */
static int look(void)
{
    static const uint32_t flags[] = {0, SV_COPY_BLOCKING, SV_COPY_NO_WAIT};
    const int calls = fake_calls();
    char *host = calloc(1, ROOM);

    for (int i = 0; i < 3; i++)
        if (copy(true, host, device, stream, flags[i]) != SV_ERROR_FORKED ||
            copy(false, host, device, stream, flags[i]) != SV_ERROR_FORKED)
            return 1;
    if (strstr(sv_last_message(), "forked") == NULL || host[0] != 0)
        return 2;
    if (sv_memory_collect(SV_COLLECT_WAIT, NULL) != SV_OK)
        return 3;
    if (!host_copies())
        return 4;
    free(host);
    return fake_calls() == calls && fake_faults() == 0 ? 0 : 5;
}

/* AddressSanitizer's allocator leaves a child the locks that threads of its parent held: one that waits for them for ever
 * says nothing of the library. */
#ifdef __SANITIZE_ADDRESS__
enum { ALLOCATOR_MAY_HANG = true };
#else
enum { ALLOCATOR_MAY_HANG = false };
#endif

/* A child that hangs is ended by the alarm. */
static void fork_and_look(void)
{
    const pid_t child = fork();
    int ended = 0;

    if (child == 0) {
        alarm(PATIENCE);
        _exit(look());
    }
    cr_assert_eq(waitpid(child, &ended, 0), child);
    if (ALLOCATOR_MAY_HANG && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGALRM)
        return;
    cr_expect(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "%x", (unsigned)ended);
}

/* With work on all slots. */
Test(cuda_process, a_child_is_told_and_the_parents_ring_stays)
{
    char *host = malloc(ROOM), arrived[16];

    memcpy(host, pattern, ROOM);
    cr_assert_eq(copy(true, host, device, stream, 0), SV_OK);
    cr_assert_gt(fake_unfinished(), 0);
    fork_and_look();
    memset(host, 0x77, ROOM);
    fake_read(arrived, device, sizeof arrived);
    cr_expect_eq(memcmp(arrived, pattern, 4), 0);
    cr_expect_eq(memcmp(arrived + 4, pattern + 4 * ROWS, 4), 0);
    cr_expect(goes_there_and_back(device, stream));
    free(host);
    end();
}

static atomic_bool stops;

static void *copy_until_told(void *with)
{
    cudaStream_t own = fake_new_stream(0, cudaStreamNonBlocking);
    char *there = fake_allocate(cudaMemoryTypeDevice, 0, ROOM);
    bool *equal = with;

    *equal = true;
    while (!atomic_load(&stops))
        *equal = goes_there_and_back(there, own) && *equal;
    fake_free(there);
    fake_end_stream(own);
    return NULL;
}

/* Forked while other threads hold rings, and the lock of the runtime. */
Test(cuda_process, a_child_of_a_process_whose_threads_copy)
{
    pthread_t threads[THREADS];
    bool equal[THREADS];

    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, copy_until_told, &equal[i]), 0);
    for (int i = 0; i < FORKS; i++)
        fork_and_look();
    atomic_store(&stops, true);
    for (int i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_expect(equal[i], "thread %d", i);
    }
    end();
}

/* --- the end -------------------------------------------------------------------------------- */

/* After exit() has begun nothing is called: neither for copies nor for what rings hold. */
Test(cuda_process, nothing_is_called_at_exit)
{
    char *host = calloc(1, ROOM);
    int calls;

    memcpy(host, pattern, ROOM);
    cr_assert_eq(copy(true, host, device, stream, 0), SV_OK);
    svi_cuda_set_gone();
    calls = fake_calls();
    cr_expect_eq(copy(true, host, device, stream, 0), SV_ERROR_STATE, "%s", sv_last_message());
    cr_expect_eq(copy(false, host, device, stream, 0), SV_ERROR_STATE, "%s", sv_last_message());
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK);
    cr_expect_eq(fake_calls(), calls);
    free(host);
}

/* The runtime is cleaned up while a thread still copies: that copy fails, its ring is never used again, and no error is
 * left. */
Test(cuda_process, the_runtime_ends_within_a_copy)
{
    char *host = calloc(1, ROOM);

    memcpy(host, pattern, ROOM);
    fake_break_at(20, cudaErrorCudartUnloading);
    cr_expect_eq(copy(true, host, device, stream, 0), SV_ERROR_STATE, "%s", sv_last_message());
    cr_expect_eq(copy(true, host, device, stream, 0), SV_ERROR_STATE, "%s", sv_last_message());
    cr_expect_str_eq(sv_last_message(), "CUDA: this process is exiting");
    free(host);
}
