#include "unit/fake_cuda.h"

TestSuite(cuda_stream, .init = start);

/* By the public way, which sees two names of one stream. 1 is cudaStreamLegacy, 2 cudaStreamPerThread. */
Test(cuda_stream, a_stream_waits_for_another)
{
    static const struct {
        const char *name;
        int32_t type, id;
        uintptr_t stream;
        int32_t other_type, other_id;
        uintptr_t other;
        const char *log;
    } cases[] = {
        {"default streams", SV_DEVICE_CUDA, 0, 2, SV_DEVICE_CUDA, 0, 1, "0:event 7; 0:record 1; 0:wait 2; 0:end 7; "},
        {"0 is 1", SV_DEVICE_CUDA, 0, 2, SV_DEVICE_CUDA, 0, 0, "0:event 7; 0:record 1; 0:wait 2; 0:end 7; "},
        {"of another device", SV_DEVICE_CUDA, 1, 1, SV_DEVICE_CUDA, 1, 2, "1:event 7; 1:record 2; 1:wait 1; 0:end 7; "},
        {"handles tell their device", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 0, 120, "1:event 7; 1:record 120; 1:wait 110; 0:end 7; "},
        {"two devices", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 0, 220, "2:event 7; 2:record 220; 1:wait 110; 0:end 7; "},
        {"a default stream for a handle", SV_DEVICE_CUDA, 2, 1, SV_DEVICE_CUDA, 2, 110, "1:event 7; 1:record 110; 2:wait 1; 0:end 7; "},
        {"managed memory", SV_DEVICE_CUDA_MANAGED, 0, 10, SV_DEVICE_CUDA_MANAGED, 0, 1, "0:event 7; 0:record 1; 0:wait 10; 0:end 7; "},
        {"pinned memory", SV_DEVICE_CUDA_HOST, 0, 10, SV_DEVICE_CUDA_HOST, 0, 1, "0:event 7; 0:record 1; 0:wait 10; 0:end 7; "},
        {"default streams of two devices", SV_DEVICE_CUDA, 2, 1, SV_DEVICE_CUDA, 1, 1,
         "1:event 7; 1:record 1; 2:wait 1; 0:end 7; "},
        {"a thread's default streams of two devices", SV_DEVICE_CUDA, 0, 2, SV_DEVICE_CUDA_MANAGED, 2, 2,
         "2:event 7; 2:record 2; 0:wait 2; 0:end 7; "},
        {"a handle for a default stream", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 2, 1,
         "2:event 7; 2:record 1; 1:wait 110; 0:end 7; "},
        {"the host's work is done", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CPU, 0, 1, ""},
        {"a handle is the same on any device", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 2, 110, ""},
        {"a default stream is the same for any memory", SV_DEVICE_CUDA, 1, 1, SV_DEVICE_CUDA_HOST, 1, 0, ""},
        {"itself", SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 0, 110, ""},
        {"itself by another name", SV_DEVICE_CUDA, 0, 0, SV_DEVICE_CUDA, 0, 1, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake.log[0] = '\0';
        cr_expect_eq(sv_stream_wait(cases[i].type, cases[i].id, cases[i].stream, cases[i].other_type,
                                    cases[i].other_id, cases[i].other),
                     SV_OK, "%s: %s", cases[i].name, sv_last_message());
        cr_expect_str_eq(fake.log, cases[i].log, "%s: %s", cases[i].name, fake.log);
        cr_expect_eq(fake.current, 0, "%s", cases[i].name);
        cr_expect_eq(fake.waits, 0, "%s", cases[i].name);
        cr_expect_eq(fake.events, 0, "%s", cases[i].name);
    }
}

Test(cuda_stream, the_host_waits_for_a_stream)
{
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 1, 0), SV_OK);
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, 110), SV_OK);
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA_MANAGED, 0, 2), SV_OK);
    cr_expect_str_eq(fake.log, "1:synchronize 1; 1:synchronize 110; 0:synchronize 2; ");
    cr_expect_eq(fake.current, 0);
}

/* Each call of the runtime fails in turn: no event stays, no error is left pending, the first failure is told. */
Test(cuda_stream, every_call_about_streams_can_fail)
{
    for (int which = 0; which < 2; which++) {
        int fail_at = 0, failed = 0;
        bool reached;

        do {
            sv_status status;

            fake.calls = fake.current = 0;
            fake.fail_at = ++fail_at;
            status = which == 0 ? sv_stream_wait(SV_DEVICE_CUDA, 0, 110, SV_DEVICE_CUDA, 0, 220)
                                : sv_stream_synchronize(SV_DEVICE_CUDA, 0, 110);
            reached = fake.calls >= fail_at;
            cr_expect_eq(fake.pending, cudaSuccess, "call %d", fail_at);
            cr_expect_eq(fake.events, 0, "call %d", fail_at);
            cr_expect(status == SV_OK || status == SV_ERROR_CUDA, "call %d: %d", fail_at, (int)status);
            if (status != SV_OK)
                cr_expect_not_null(strstr(sv_last_message(), "cudaErrorUnknown (999)"), "%s", sv_last_message());
            failed += status != SV_OK;
        } while (reached);
        cr_expect_eq(failed, which == 0 ? fail_at - 2 : fail_at - 1, "ending an event alone may fail unnoticed");
        cr_expect_eq(fail_at, which == 0 ? 13 : 6, "%d", fail_at);
    }
}

Test(cuda_stream, without_a_driver_streams_say_so)
{
    fake.counting = cudaErrorInsufficientDriver;
    fake.driver = 0;
    cr_expect_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, 1, SV_DEVICE_CUDA, 0, 1), SV_OK);
    cr_expect_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, 1, SV_DEVICE_CUDA, 0, 2), SV_ERROR_DEVICE);
    cr_expect_str_eq(sv_last_message(), "CUDA: no driver is installed (libsv was built with runtime 13.0)");
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, 1), SV_ERROR_DEVICE);
    cr_expect_eq(fake.calls, 0);
}
