/*
 * What goes wrong with buffers over the fake runtime: each call fails once, frees and the waits before them fail and
 * the memory is lost, and a process is forked.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/route.h"
#include "support/buffer_sources.h"

TestSuite(buffer_cuda_faults, .init = start);

static int64_t stat(int32_t which)
{
    int64_t value = -1;

    cr_assert_eq(sv_memory_stats(SV_MEMORY_UNKNOWN, which, &value), SV_OK, "%s", sv_last_message());
    return value;
}

/* --- lost memory ----------------------------------------------------------------------------- */

/* Told once by sv_memory_collect(), counted, and never freed, for a device may still write to it. */
static void check_lost(const struct source *s, int frees, int64_t lost_before)
{
    cr_expect_eq(sv_memory_collect(0, NULL), SV_ERROR_CUDA, "%s: %s", s->name, sv_last_message());
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s: %s", s->name, sv_last_message());
    cr_expect_eq(fake_count(s->free), frees, "%s: %d frees", s->name, fake_count(s->free));
    cr_expect_eq(stat(SV_STAT_LOST_COUNT), lost_before + 1, "%s", s->name);
    cr_expect(stat(SV_STAT_LIVE_COUNT) == 0 && stat(SV_STAT_DEFERRED_COUNT) == 0, "%s", s->name);
}

Test(buffer_cuda_faults, memory_whose_free_fails_is_lost)
{
    for (int i = 0; i < SOURCES; i++) {
        const int64_t lost = stat(SV_STAT_LOST_COUNT), bytes = stat(SV_STAT_LOST_BYTES);
        sv_buffer *buffer;

        start();
        buffer = new_buffer(&sources[i], NBYTES, 0, 0);
        fake_reset();
        fake_fail_call(sources[i].free, 1, cudaErrorUnknown);
        sv_buffer_release(buffer);
        check_lost(&sources[i], 1, lost);
        cr_expect_eq(stat(SV_STAT_LOST_BYTES), bytes + NBYTES, "%s", sources[i].name);
        fake_excuse();
        cr_expect_str_eq(fake_end(), "", "%s: %s", sources[i].name, fake_text());
    }
}

Test(buffer_cuda_faults, a_close_tells_that_the_free_failed)
{
    for (int i = 0; i < SOURCES; i++) {
        const int64_t lost = stat(SV_STAT_LOST_COUNT);
        sv_buffer *buffer;

        start();
        buffer = new_buffer(&sources[i], NBYTES, 0, 0);
        fake_reset();
        fake_fail_call(sources[i].free, 1, cudaErrorUnknown);
        cr_expect_eq(sv_buffer_close(buffer, 0), SV_ERROR_CUDA, "%s", sources[i].name);
        cr_expect(sv_buffer_is_closed(buffer));
        sv_buffer_release(buffer);
        cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s: it was told", sources[i].name);
        cr_expect_eq(fake_count(sources[i].free), 1, "%s", sources[i].name);
        cr_expect_eq(stat(SV_STAT_LOST_COUNT), lost + 1, "%s", sources[i].name);
        fake_excuse();
        cr_expect_str_eq(fake_end(), "", "%s: %s", sources[i].name, fake_text());
    }
}

/* The work that uses it may go on for ever. */
Test(buffer_cuda_faults, memory_whose_wait_fails_is_lost_and_not_freed)
{
    for (int i = 0; i < SOURCES; i++) {
        const int64_t lost = stat(SV_STAT_LOST_COUNT);
        cudaStream_t stream, own;
        sv_buffer *buffer;

        start();
        stream = fake_new_stream(sources[i].device_id, cudaStreamNonBlocking);
        own = fake_new_stream(sources[i].device_id, cudaStreamNonBlocking);
        buffer = new_buffer(&sources[i], NBYTES, 0, (uintptr_t)own);
        cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)stream), SV_OK);
        fake_reset();
        fake_fail_call(sources[i].ordered ? FAKE_CALL(wait) : FAKE_CALL(event_query), 1, cudaErrorUnknown);
        sv_buffer_release(buffer);
        check_lost(&sources[i], 0, lost);
        fake_end_stream(stream);
        fake_end_stream(own);
        fake_excuse();
        cr_expect_str_eq(fake_end(), "", "%s: %s", sources[i].name, fake_text());
    }
}

/* --- each call fails once -------------------------------------------------------------------------- */

struct life {
    const struct source *source;
    sv_allocator *allocator;
    sv_buffer *buffers[3];
    cudaStream_t stream, other;
    int64_t lost;
};

static void prepare(void *with)
{
    struct life *l = with;

    l->buffers[0] = l->buffers[1] = l->buffers[2] = NULL;
    l->stream = fake_new_stream(l->source->device_id, cudaStreamNonBlocking);
    l->other = fake_new_stream(l->source->device_id, cudaStreamNonBlocking);
    l->lost = stat(SV_STAT_LOST_COUNT);
    cr_assert_eq(l->source->make(&l->allocator), SV_OK, "%s", sv_last_message());
}

static sv_status move_bytes(struct life *l)
{
    const uintptr_t stream = (uintptr_t)l->stream;
    char bytes[NBYTES] = {0};

    SVI_TRY(sv_buffer_write(l->buffers[0], 0, bytes, NBYTES, SV_COPY_BLOCKING, stream));
    SVI_TRY(sv_buffer_slice(l->buffers[0], 8, 512, 0, &l->buffers[1]));
    SVI_TRY(sv_buffer_fill(l->buffers[1], 0, 512, "12345678", 8, SV_COPY_BLOCKING, stream));
    SVI_TRY(sv_buffer_copy(l->buffers[0], 512, l->buffers[1], 0, 256, SV_COPY_BLOCKING, stream));
    return sv_buffer_read(l->buffers[0], 0, bytes, NBYTES, SV_COPY_BLOCKING, stream);
}

static void release(struct life *l)
{
    for (int i = 0; i < 3; i++) {
        sv_buffer_release(l->buffers[i]);
        l->buffers[i] = NULL;
    }
}

static sv_status live(void *with)
{
    struct life *l = with;
    const uintptr_t stream = (uintptr_t)l->stream;
    int64_t left = -1;

    SVI_TRY(sv_buffer_new(l->allocator, NBYTES, 0, SV_BUFFER_ZERO, stream, &l->buffers[0]));
    SVI_TRY(move_bytes(l));
    SVI_TRY(sv_buffer_new(l->allocator, NBYTES, 1 << 13, 0, stream, &l->buffers[2]));
    SVI_TRY(sv_buffer_record_use(l->buffers[0], (uintptr_t)l->other));
    SVI_TRY(sv_buffer_close(l->buffers[2], stream));
    release(l);
    SVI_TRY(sv_memory_collect(SV_COLLECT_WAIT, &left));
    cr_expect_eq(left, 0, "%s", l->source->name);
    return SV_OK;
}

static void clean(void *with, sv_status status)
{
    struct life *l = with;

    (void)status;
    release(l);
    (void)sv_memory_collect(SV_COLLECT_WAIT, NULL);
    cr_expect_eq(svi_cuda_api.synchronize(l->stream), cudaSuccess); /* frees that were given to it */
    sv_allocator_release(l->allocator);
    fake_end_stream(l->stream);
    fake_end_stream(l->other);
}

static int64_t lost(void *with)
{
    return stat(SV_STAT_LOST_COUNT) - ((struct life *)with)->lost;
}

/* Without a ring, which nobody is told of that it could not be freed: it is kept. */
Test(buffer_cuda_faults, each_call_fails_once)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY};

    svi_gpu_driven_nbytes = 1;
    for (int i = 0; i < SOURCES; i++) {
        struct life life = {.source = &sources[i]};
        const struct fake_trial trial = {.prepare = prepare, .run = live, .clean = clean, .with = &life, .lost = lost,
                                         .silent = "end_event driver_entry"};
        int rounds = 0;
        const char *said = fake_fail_each(&trial, &settings, &rounds);

        cr_expect_str_eq(said, "", "%s: %s", sources[i].name, said);
        cr_expect(rounds > 10, "%s: %d", sources[i].name, rounds);
    }
}

/* --- forks --------------------------------------------------------------------------------------------- */

static sv_buffer *inherited[SOURCES + 1]; /* the last is of host memory */

/* What a child is told; what it lets go of stays its parent's. */
static int in_the_child(void)
{
    char byte = 0;

    fake_reset();
    for (int i = 0; i <= SOURCES; i++) {
        const bool on_device = i < SOURCES && sources[i].kind == SV_MEMORY_DEVICE;
        sv_buffer *slice = NULL, *next = NULL;

        if (on_device && sv_buffer_read(inherited[i], 0, &byte, 1, 0, 0) != SV_ERROR_FORKED)
            return 1 + i;
        if (sv_buffer_nbytes(inherited[i]) != NBYTES || sv_buffer_slice(inherited[i], 1, 2, 0, &slice) != SV_OK)
            return 20 + i;
        if (sv_buffer_new(sv_buffer_allocator(inherited[i]), 1 << 20, 0, 0, 0, &next) !=
            (i < SOURCES ? SV_ERROR_FORKED : SV_OK))
            return 40 + i;
        sv_buffer_release(next);
        sv_buffer_release(slice);
        if (i % 2 ? sv_buffer_close(inherited[i], 0) != SV_OK : false)
            return 60 + i;
        sv_buffer_release(inherited[i]);
    }
    if (sv_memory_collect(SV_COLLECT_WAIT, NULL) != SV_OK)
        return 80;
    return fake_faults() == 0 ? 0 : 81;
}

Test(buffer_cuda_faults, a_child_is_told_and_leaves_its_parent_alone)
{
    cudaStream_t stream = fake_new_stream(1, cudaStreamNonBlocking);
    sv_buffer *late = new_buffer(&sources[1], NBYTES, 0, 0);
    int status = 0;
    pid_t child;

    for (int i = 0; i < SOURCES; i++)
        inherited[i] = new_buffer(&sources[i], NBYTES, SV_BUFFER_ZERO, 0);
    cr_assert_eq(sv_buffer_new(NULL, NBYTES, 0, 0, 0, &inherited[SOURCES]), SV_OK);
    cr_assert_eq(sv_buffer_record_use(late, (uintptr_t)stream), SV_OK);
    sv_buffer_release(late);
    child = fork();
    if (child == 0)
        _exit(in_the_child());
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", WEXITSTATUS(status));
    for (int i = 0; i <= SOURCES; i++) {
        char byte = 5;

        cr_expect_eq(sv_buffer_write(inherited[i], 7, "x", 1, SV_COPY_BLOCKING, 0), SV_OK, "%s", sv_last_message());
        cr_expect_eq(sv_buffer_read(inherited[i], 7, &byte, 1, SV_COPY_BLOCKING, 0), SV_OK, "%s", sv_last_message());
        cr_expect_eq(byte, 'x');
        sv_buffer_release(inherited[i]);
    }
    fake_end_stream(stream);
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
    cr_expect_eq(stat(SV_STAT_LOST_COUNT), 0);
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}
