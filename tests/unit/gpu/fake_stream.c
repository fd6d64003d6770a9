/* The fake runtime's own tests: what streams and events put in order, what races, what executors do when. */
#include <criterion/criterion.h>
#include <string.h>

#include "fake/fake.h"

enum { A, B, LEGACY, THREAD, OTHER, STREAMS };

static cudaStream_t streams[STREAMS];
static char *memory; /* of device 0 */
static cudaEvent_t event;

static void begin(enum fake_policy policy, unsigned seed)
{
    fake_start(policy, seed);
    streams[A] = fake_new_stream(0, cudaStreamNonBlocking);
    streams[B] = fake_new_stream(0, cudaStreamDefault);
    streams[LEGACY] = cudaStreamLegacy;
    streams[THREAD] = cudaStreamPerThread;
    streams[OTHER] = fake_new_stream(1, cudaStreamDefault);
    memory = fake_allocate(cudaMemoryTypeDevice, 0, 4096);
    cr_assert_eq(svi_cuda_api.new_event(&event, cudaEventDisableTiming), cudaSuccess);
}

static const char *end(void)
{
    cr_expect_eq(svi_cuda_api.end_event(event), cudaSuccess);
    fake_free(memory);
    fake_end_stream(streams[A]);
    fake_end_stream(streams[B]);
    fake_end_stream(streams[OTHER]);
    return fake_end();
}

static void start(void)
{
    begin(FAKE_LAZY, 1);
}

TestSuite(fake_stream, .init = start);

static void fill(int stream, char byte)
{
    cr_assert_eq(svi_cuda_api.set(memory, byte, 100, streams[stream]), cudaSuccess);
}

static char first_byte(void)
{
    char byte;

    fake_read(&byte, memory, 1);
    return byte;
}

/* --- order and races ----------------------------------------------------------------- */

/* Steps: two letters each. fX: fill on stream X; rX: record there; wX: X waits for the event; sX: the host waits for
 * X; e: the host waits for the event; q: it asks; xX: destroys X. Streams: A, b(locking), l(egacy), t(hread), o(ther
 * device). */
static const struct {
    const char *steps;
    bool races;
} orders[] = {
    {"fAfA", false},             /* one stream is an order */
    {"fAfb", true},              /* two streams are none */
    {"fAsAfb", false},           /* unless the host waits in between */
    {"fAsbfb", true},            /* for the right one */
    {"fArAwbfb", false},         /* or the stream does */
    {"rAfAwbfb", true},          /* recorded too early */
    {"fArAfAwbfb", true},        /* what follows the record is not waited for */
    {"fArAwbrbfAfb", true},      /* waiting is not mutual */
    {"fArAwofo", false},         /* of another device, too */
    {"fArAefb", false},          /* the host waits for the event */
    {"fArAqqqqfb", false},       /* or asks until it is done */
    {"fArAwbfbrAfb", false},     /* recording again does not change a wait before */
    {"fArAwbrbwofo", false},     /* order is transitive */
    {"fbfl", false},             /* the legacy stream waits for blocking streams */
    {"flfb", false},             /* and they for it */
    {"fAfl", true},              /* not for others */
    {"flfA", true},              /* and others not for it */
    {"ftfl", false},             /* threads' default streams are blocking */
    {"flft", false},
    {"ftfb", true},              /* but have no order with each other */
    {"fbflft", false},           /* except by way of the legacy stream */
    {"fofl", true},              /* that of another device does not count */
    {"fbslfl", false},
    {"fbslfA", false},           /* waiting for the legacy stream waits for the blocking ones */
    {"fAslfb", true},
    {"fbrlwAfA", false},         /* and so does an event on it */
    {"fArlwbfb", true},
    {"fAxAfb", true},            /* a destroyed stream has its work still */
    {"fArAxAwbfb", false},       /* and the event, too */
};

static void step(char what, char on)
{
    static const char letters[] = "Ablto";
    const int which = (int)(strchr(letters, on) - letters);
    cudaError_t error = cudaSuccess;

    if (what == 'f')
        fill(which, 1);
    else if (what == 'r')
        error = svi_cuda_api.record(event, streams[which]);
    else if (what == 'w')
        error = svi_cuda_api.wait(streams[which], event, 0);
    else if (what == 's')
        error = svi_cuda_api.synchronize(streams[which]);
    else
        fake_end_stream(streams[which]);
    cr_expect_eq(error, cudaSuccess, "%c%c: %d", what, on, (int)error);
}

static void run_steps(const char *steps)
{
    while (*steps != '\0') {
        if (*steps == 'e')
            cr_expect_eq(svi_cuda_api.event_synchronize(event), cudaSuccess);
        else if (*steps == 'q')
            svi_cuda_api.event_query(event), svi_cuda_api.last_error();
        else {
            step(steps[0], steps[1]);
            steps++;
        }
        steps++;
    }
}

Test(fake_stream, races_are_found_in_every_order)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (int run = 0; run < 12; run++) {
            const enum fake_policy policy = run < 2 ? (enum fake_policy)run : FAKE_RANDOM;
            bool raced;

            begin(policy, (unsigned)run);
            run_steps(orders[i].steps);
            raced = strstr(fake_text(), "touch the same bytes in no order") != NULL;
            cr_expect_eq(raced, orders[i].races, "%s, run %d: %s", orders[i].steps, run, fake_text());
            cr_expect_eq(fake_faults() > 0, raced, "%s: %s", orders[i].steps, fake_text());
            fake_forgive();
            if (strchr(orders[i].steps, 'x') != NULL)
                streams[A] = fake_new_stream(0, cudaStreamNonBlocking);
            cr_expect_str_eq(end(), "", "%s", orders[i].steps);
        }
}

/* Reads do not race with reads, and neighbours not with each other. */
Test(fake_stream, what_is_no_race)
{
    char *more = fake_allocate(cudaMemoryTypeDevice, 0, 4096);

    svi_cuda_api.copy(more, memory, 100, cudaMemcpyDefault, streams[A]);
    svi_cuda_api.copy(more + 100, memory, 100, cudaMemcpyDefault, streams[B]);
    svi_cuda_api.set(memory + 100, 0, 100, streams[B]);
    cr_expect_eq(fake_faults(), 0, "%s", fake_text());
    svi_cuda_api.set(memory + 99, 0, 1, streams[B]);
    cr_expect_eq(fake_faults(), 1, "%s", fake_text());
    fake_forgive();
    fake_free(more);
    cr_expect_str_eq(end(), "");
}

/* Rows that lie between each other's are apart, though their hulls are not. */
Test(fake_stream, rows_are_told_apart)
{
    char *more = fake_allocate(cudaMemoryTypeDevice, 0, 4096);

    svi_cuda_api.copy_rows(memory, 64, more, 32, 32, 10, cudaMemcpyDefault, streams[A]);
    svi_cuda_api.copy_rows(memory + 32, 64, more, 32, 32, 10, cudaMemcpyDefault, streams[B]);
    cr_expect_eq(fake_faults(), 0, "%s", fake_text());
    svi_cuda_api.copy_rows(memory + 31, 64, more, 32, 2, 10, cudaMemcpyDefault, streams[B]);
    cr_expect_eq(fake_faults(), 1, "%s", fake_text());
    fake_forgive();
    fake_free(more);
    cr_expect_str_eq(end(), "");
}

Test(fake_stream, stream_ordered_memory_is_its_streams)
{
    static const struct {
        int allocated, used, freed;
        bool wait_before, wait_after;
        int faults;
    } cases[] = {
        {A, A, A, false, false, 0}, {A, B, A, true, true, 0},  {A, B, A, false, true, 1}, {A, B, A, true, false, 1},
        {A, B, B, true, false, 0},  {A, A, B, false, true, 0}, {A, A, B, false, false, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cudaMemPool_t pool;
        void *pointer = NULL;

        begin(FAKE_LAZY, 1);
        cr_assert_eq(svi_cuda_api.default_pool(&pool, 0), cudaSuccess);
        svi_cuda_api.allocate_from_pool(&pointer, 100, pool, streams[cases[i].allocated]);
        svi_cuda_api.record(event, streams[cases[i].allocated]);
        if (cases[i].wait_before)
            svi_cuda_api.wait(streams[cases[i].used], event, 0);
        svi_cuda_api.set(pointer, 0, 100, streams[cases[i].used]);
        svi_cuda_api.record(event, streams[cases[i].used]);
        if (cases[i].wait_after)
            svi_cuda_api.wait(streams[cases[i].freed], event, 0);
        svi_cuda_api.release_async(pointer, streams[cases[i].freed]);
        cr_expect_eq(fake_faults(), cases[i].faults, "row %zu: %s", i, fake_text());
        fake_forgive();
        cr_expect_str_eq(end(), "", "row %zu", i);
    }
}

/* --- when things are done --------------------------------------------------------------- */

Test(fake_stream, eager_lazy_and_random)
{
    int done = 0;

    begin(FAKE_EAGER, 1);
    fill(A, 1);
    cr_expect_eq(svi_cuda_api.stream_query(streams[A]), cudaSuccess);
    cr_expect_str_eq(end(), "");

    begin(FAKE_LAZY, 1);
    fill(A, 1);
    fill(A, 2);
    cr_expect_eq(svi_cuda_api.stream_query(streams[A]), cudaErrorNotReady);
    cr_expect_eq(svi_cuda_api.stream_query(streams[A]), cudaErrorNotReady);
    cr_expect_eq(svi_cuda_api.stream_query(streams[A]), cudaSuccess);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorNotReady);
    cr_expect_eq(first_byte(), 2);
    cr_expect_str_eq(end(), "");

    for (unsigned seed = 0; seed < 20; seed++) {
        begin(FAKE_RANDOM, seed);
        fill(A, 1);
        done += svi_cuda_api.stream_query(streams[A]) == cudaSuccess;
        svi_cuda_api.last_error();
        cr_expect_str_eq(end(), "");
    }
    cr_expect(done > 0 && done < 20, "%d", done);
}

/* The same seed, the same run. */
Test(fake_stream, a_run_can_be_repeated)
{
    char log[2][64];

    for (int run = 0; run < 2; run++) {
        begin(FAKE_RANDOM, 77);
        for (int i = 0; i < 20; i++) {
            fill(i % 2 == 0 ? A : OTHER, 1);
            log[run][i] = svi_cuda_api.stream_query(streams[A]) == cudaSuccess ? 'y' : 'n';
        }
        log[run][20] = '\0';
        fake_forgive();
        svi_cuda_api.last_error();
        end();
    }
    cr_expect_str_eq(log[0], log[1]);
    cr_expect_not_null(strchr(log[0], 'y'));
    cr_expect_not_null(strchr(log[0], 'n'));
}

/* What does not depend on what was waited for stays undone. */
Test(fake_stream, a_wait_does_no_more_than_it_needs)
{
    char *apart = fake_allocate(cudaMemoryTypeDevice, 0, 8);

    fill(A, 1);
    svi_cuda_api.set(apart, 0, 8, streams[B]);
    cr_expect_eq(fake_unfinished(), 2);
    svi_cuda_api.synchronize(streams[A]);
    cr_expect_eq(fake_unfinished(), 1);
    svi_cuda_api.synchronize(streams[A]);
    cr_expect_eq(fake_unfinished(), 1);
    fake_free(apart);
    cr_expect_eq(fake_unfinished(), 0);
    cr_expect_str_eq(end(), "");
}

Test(fake_stream, polling_an_event_comes_to_an_end)
{
    int asked = 0;

    for (int i = 0; i < 10; i++)
        fill(A, (char)i);
    svi_cuda_api.record(event, streams[A]);
    while (svi_cuda_api.event_query(event) == cudaErrorNotReady)
        asked++;
    cr_expect(asked >= 10 && asked < 20, "%d", asked);
    svi_cuda_api.last_error();
    cr_expect_eq(first_byte(), 9);
    cr_expect_str_eq(end(), "");
}

Test(fake_stream, an_event_that_was_not_recorded_is_done)
{
    cr_expect_eq(svi_cuda_api.event_query(event), cudaSuccess);
    cr_expect_eq(svi_cuda_api.event_synchronize(event), cudaSuccess);
    cr_expect_eq(svi_cuda_api.wait(streams[A], event, 0), cudaSuccess);
    cr_expect_str_eq(end(), "");
}

/* --- pageable memory ------------------------------------------------------------------------ */

Test(fake_stream, pageable_memory_is_read_at_the_call_and_written_on_return)
{
    char bytes[4] = "abc", back[4] = "";

    svi_cuda_api.copy(memory, bytes, 4, cudaMemcpyDefault, streams[A]);
    memset(bytes, 0, 4);
    cr_expect_eq(fake_unfinished(), 1);
    svi_cuda_api.copy(back, memory, 4, cudaMemcpyDefault, streams[A]);
    cr_expect_eq(fake_unfinished(), 0);
    cr_expect_str_eq(back, "abc");
    cr_expect_str_eq(end(), "");
}

/* Arguments, however, are of the moment of the call for all memory. */
Test(fake_stream, pinned_memory_is_read_late)
{
    char *pinned = fake_allocate(cudaMemoryTypeHost, 0, 8), back[8];

    fake_write(pinned, "early", 6);
    svi_cuda_api.copy(memory, pinned, 6, cudaMemcpyDefault, streams[A]);
    fake_write(pinned, "later", 6);
    fake_read(back, memory, 6);
    cr_expect_str_eq(back, "early", "fake_write does what was given first");
    cr_expect_eq(svi_cuda_api.synchronize(streams[A]), cudaSuccess);
    fake_free(pinned);
    cr_expect_str_eq(end(), "");
}

/* --- misuse ------------------------------------------------------------------------------------ */

Test(fake_stream, memory_is_freed_too_early)
{
    char *pinned = fake_allocate(cudaMemoryTypeHost, 0, 8);

    svi_cuda_api.copy(memory, pinned, 8, cudaMemcpyDefault, streams[A]);
    cr_expect_eq(svi_cuda_api.release_host(pinned), cudaSuccess);
    cr_expect_not_null(strstr(fake_text(), "is freed while a copy that the host has not waited for reads it"), "%s",
                       fake_text());
}

Test(fake_stream, a_release_waits_for_its_device)
{
    char *here = fake_allocate(cudaMemoryTypeDevice, 0, 8), *there = fake_allocate(cudaMemoryTypeDevice, 1, 8);

    svi_cuda_api.set(here, 0, 8, streams[A]);
    svi_cuda_api.set(there, 0, 8, streams[OTHER]);
    cr_expect_eq(svi_cuda_api.release(here), cudaSuccess);
    cr_expect_eq(fake_unfinished(), 1);
    cr_expect_eq(svi_cuda_api.release(there), cudaSuccess);
    cr_expect_eq(fake_unfinished(), 0);
    cr_expect_str_eq(end(), "");
}

Test(fake_stream, handles_that_are_not_alive)
{
    cudaStream_t gone = fake_new_stream(0, 0);
    cudaEvent_t old;

    fake_end_stream(gone);
    svi_cuda_api.new_event(&old, 0);
    svi_cuda_api.end_event(old);
    cr_expect_eq(svi_cuda_api.synchronize(gone), cudaErrorInvalidResourceHandle);
    cr_expect_eq(svi_cuda_api.record(old, streams[A]), cudaErrorInvalidResourceHandle);
    cr_expect_eq(svi_cuda_api.end_event(old), cudaErrorInvalidResourceHandle);
    svi_cuda_api.last_error();
    cr_expect_str_eq(end(), "a stream is used that is not alive\nan event is used that is not alive\n"
                            "an event is used that is not alive\n");
}

Test(fake_stream, an_event_is_of_its_device)
{
    cr_expect_eq(svi_cuda_api.record(event, streams[OTHER]), cudaErrorInvalidResourceHandle);
    cr_expect_eq(svi_cuda_api.record(event, streams[A]), cudaSuccess);
    cr_expect_eq(svi_cuda_api.wait(streams[OTHER], event, 0), cudaSuccess);
    svi_cuda_api.last_error();
    cr_expect_str_eq(end(), "");
}

Test(fake_stream, what_is_alive_at_the_end)
{
    const char *said;

    fake_free(memory);
    svi_cuda_api.set_device(1);
    svi_cuda_api.set_device(7);
    said = fake_end();
    cr_expect_str_eq(said, "stream s1 is alive\nstream s2 is alive\nstream s3 is alive\nan event of device 0 is alive\n"
                           "an error is pending: cudaErrorInvalidDevice\nthe thread's device is 1\n", "%s", said);
}

/* --- devices ------------------------------------------------------------------------------------ */

Test(fake_stream, peers)
{
    int can = 0;

    fake_set_peer(0, 1, false);
    cr_expect_eq(svi_cuda_api.can_access_peer(&can, 0, 1), cudaSuccess);
    cr_expect_eq(can, 0);
    cr_expect_eq(svi_cuda_api.enable_peer(1, 0), cudaErrorPeerAccessUnsupported);
    fake_set_peer(0, 1, true);
    cr_expect_eq(svi_cuda_api.enable_peer(1, 0), cudaSuccess);
    cr_expect_eq(svi_cuda_api.enable_peer(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    cr_expect_eq(svi_cuda_api.enable_peer(0, 0), cudaErrorInvalidDevice);
    svi_cuda_api.last_error();
    cr_expect_str_eq(end(), "");
}

Test(fake_stream, copies_between_devices)
{
    char *there = fake_allocate(cudaMemoryTypeDevice, 1, 8), back[8];

    fake_write(memory, "to peer", 8);
    cr_expect_eq(svi_cuda_api.copy_peer(there, 0, memory, 0, 8, streams[A]), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.copy_peer(there, 1, memory, 0, 8, streams[A]), cudaSuccess);
    fake_read(back, there, 8);
    cr_expect_str_eq(back, "to peer");
    svi_cuda_api.last_error();
    fake_free(there);
    cr_expect_str_eq(end(), "");
}
