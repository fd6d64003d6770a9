/*
 * Number 2 on two threads over the fake runtime: what the default stream of one thread holds is waited for by the
 * other, wherever the stream of a buffer is looked at.
 */
#include <criterion/criterion.h>
#include <pthread.h>

#include "support/buffer_sources.h"

TestSuite(thread_stream, .init = start);

static void end(void)
{
    svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

enum { THREAD = 2 };

static void *make_and_use(void *with)
{
    const struct source *s = with;
    sv_buffer *buffer = new_buffer(s, NBYTES, 0, THREAD);

    fake_set_current(s->device_id);
    cr_expect_eq(svi_cuda_api.set(sv_buffer_data(buffer), 1, NBYTES, cudaStreamPerThread), cudaSuccess);
    cr_expect_eq(sv_buffer_stream(buffer), THREAD);
    return buffer;
}

static void *release_in_capture(void *with)
{
    sv_buffer *buffer = make_and_use((void *)with);

    cr_expect_eq(fake_begin_capture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed), cudaSuccess);
    sv_buffer_release(buffer);
    cr_expect_eq(fake_end_capture(cudaStreamPerThread, NULL), cudaSuccess);
    return NULL;
}

static void *by_another_thread(void *(*function)(void *with), const struct source *s)
{
    pthread_t thread;
    void *answer = NULL;

    cr_assert_eq(pthread_create(&thread, NULL, function, (void *)s), 0);
    cr_assert_eq(pthread_join(thread, &answer), 0);
    return answer;
}

static void release(sv_buffer *buffer)
{
    cr_expect_eq(sv_buffer_stream(buffer), 1, "it waits for the default streams of all threads");
    sv_buffer_release(buffer);
}

static void close_buffer(sv_buffer *buffer)
{
    cr_expect_eq(sv_buffer_close(buffer, sv_buffer_stream(buffer)), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
}

static void grow(sv_buffer *buffer)
{
    cr_expect_eq(sv_buffer_resize(buffer, 2 * NBYTES, SV_BUFFER_ZERO, THREAD), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_stream(buffer), THREAD);
    sv_buffer_release(buffer);
}

static void grow_without_contents(sv_buffer *buffer)
{
    cr_expect_eq(sv_buffer_resize(buffer, 2 * NBYTES, SV_BUFFER_DISCARD, THREAD), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
}

static void make_zero(sv_buffer *buffer)
{
    cr_expect_eq(sv_buffer_resize(buffer, 0, 0, THREAD), SV_OK);
    cr_expect_eq(sv_buffer_resize(buffer, NBYTES, SV_BUFFER_ZERO, THREAD), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
}

static void migrate_to_host(sv_buffer *buffer)
{
    cr_expect_eq(sv_buffer_migrate(buffer, NULL, 0, THREAD), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
}

static void set_stream(sv_buffer *buffer)
{
    cr_expect_eq(sv_buffer_set_stream(buffer, THREAD), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
}

static void hand_over(sv_buffer *buffer)
{
    sv_free_callback free = NULL;
    void *pointer = NULL, *ctx = NULL;
    int64_t nbytes, alignment;
    uintptr_t stream = 0;

    cr_expect_eq(sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &stream, &free, &ctx), SV_OK, "%s",
                 sv_last_message());
    cr_expect_eq(free(ctx, pointer, nbytes, alignment, stream), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
}

/* The default streams of two threads have one number, and are two streams: what one of them holds is waited for by the
 * other, wherever a buffer's stream is looked at. */
Test(thread_stream, the_default_stream_of_another_thread)
{
    static const struct {
        const char *name;
        void (*act)(sv_buffer *buffer);
    } acts[] = {
        {"release", release}, {"close", close_buffer}, {"grow", grow}, {"grow without contents", grow_without_contents},
        {"zeros", make_zero}, {"migrate", migrate_to_host}, {"set stream", set_stream}, {"detach", hand_over},
        {"in a capture", NULL},
    };
    static const enum fake_policy policies[] = {FAKE_LAZY, FAKE_RANDOM};

    end();
    for (size_t k = 0; k < sizeof acts / sizeof *acts; k++)
        for (int i = 0; i < SOURCES * 2 * 3; i++) {
            const struct source *s = &sources[i / 6];

            if (!s->ordered)
                continue;
            fake_start(policies[i % 2], 1 + (unsigned)i % 3);
            if (acts[k].act == NULL)
                by_another_thread(release_in_capture, s);
            else
                acts[k].act(by_another_thread(make_and_use, s));
            svi_deferred_drain(svi_cpu, true, SVI_EFFORT_WAIT);
            cr_expect_str_eq(fake_end(), "", "%s, %s: %s", acts[k].name, s->name, fake_text());
        }
}

/* One thread's own is one stream: nothing is recorded, and nothing waits. */
Test(thread_stream, the_default_stream_of_this_thread)
{
    const struct source *s = &sources[3];
    sv_buffer *buffer = new_buffer(s, NBYTES, 0, THREAD);

    fake_reset();
    cr_expect_eq(sv_buffer_stream(buffer), THREAD);
    cr_expect_eq(sv_buffer_resize(buffer, 2 * NBYTES, 0, THREAD), SV_OK);
    sv_buffer_release(buffer);
    cr_expect_eq(fake_count(FAKE_CALL(record)) + fake_count(FAKE_CALL(wait)), 0, "%s", fake_log());
    end();
}
