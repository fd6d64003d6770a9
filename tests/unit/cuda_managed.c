/* Who copies what memory, and when: the table of sv.h's section on copies, over a fake runtime. */
#include "unit/fake_cuda.h"

#include "sv.h"

enum {
    CPU = SV_DEVICE_CPU,
    DEVICE = SV_DEVICE_CUDA,
    PINNED = SV_DEVICE_CUDA_HOST,
    MANAGED = SV_DEVICE_CUDA_MANAGED,
    ROCM = SV_DEVICE_ROCM_HOST
};

TestSuite(cuda_managed, .init = start);

static sv_view *view_of(void *base, sv_dtype dtype, int32_t device_type, int32_t device_id, const char *text)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_parse(text, &layout), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_view_new(layout, dtype, base, 0, 64, device_type, device_id, 0, NULL, NULL, &view), SV_OK, "%s",
                 sv_last_message());
    sv_layout_release(layout);
    return view;
}

/* kernels, runtime: how often these copy; log: what the host waited for. Neither of the two: the host copied. */
static const struct {
    const char *name;
    int32_t dst, dst_id, src, src_id;
    sv_dtype from; /* to float32 */
    uint32_t flags;
    uintptr_t stream;
    int kernels, runtime;
    const char *log;
} cases[] = {
    {"host", CPU, 0, CPU, 0, SV_FLOAT32, 0, 110, 0, 0, ""},
    {"pinned", PINNED, 0, CPU, 0, SV_FLOAT32, SV_COPY_BLOCKING, 110, 0, 0, ""},
    {"from pinned", CPU, 0, PINNED, 1, SV_FLOAT32, 0, 110, 0, 0, ""},
    {"ROCm's pinned", ROCM, 0, PINNED, 0, SV_FLOAT32, 0, 110, 0, 0, ""},
    {"device", DEVICE, 1, DEVICE, 1, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"to a device", DEVICE, 1, CPU, 0, SV_FLOAT32, 0, 110, 0, 3, "1:synchronize 110; "},
    {"from pinned to a device", DEVICE, 1, PINNED, 0, SV_FLOAT32, 0, 110, 0, 3, ""},
    {"device to device", DEVICE, 1, DEVICE, 0, SV_FLOAT32, 0, 110, 0, 3, ""},
    {"device to device, blocking", DEVICE, 0, DEVICE, 1, SV_FLOAT32, SV_COPY_BLOCKING, 2, 0, 3, "0:synchronize 2; "},
    {"managed", MANAGED, 0, MANAGED, 0, SV_FLOAT32, 0, 2, 1, 0, ""},
    {"managed, on a stream of another device", MANAGED, 0, MANAGED, 0, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed, made on different devices", MANAGED, 0, MANAGED, 1, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed, blocking", MANAGED, 0, MANAGED, 0, SV_FLOAT32, SV_COPY_BLOCKING, 2, 1, 0, "0:synchronize 2; "},
    {"device to managed", MANAGED, 0, DEVICE, 1, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed to device", DEVICE, 1, MANAGED, 0, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed to host", CPU, 0, MANAGED, 0, SV_FLOAT32, 0, 110, 0, 0, "1:synchronize 110; "},
    {"host to managed", MANAGED, 1, CPU, 0, SV_FLOAT32, 0, 2, 0, 0, "1:synchronize 2; "},
    {"pinned to managed", MANAGED, 1, PINNED, 0, SV_FLOAT32, 0, 1, 0, 0, "1:synchronize 1; "},
    {"managed, converted", MANAGED, 0, MANAGED, 0, SV_INT32, SV_COPY_CAST_UNSAFE, 110, 0, 0, "1:synchronize 110; "},
    {"managed to host, converted", CPU, 0, MANAGED, 0, SV_INT32, SV_COPY_CAST_UNSAFE, 2, 0, 0, "0:synchronize 2; "},
};

enum { CASES = sizeof cases / sizeof *cases };

static void reset(void)
{
    fake.launches = fake.copies = fake.calls = fake.fail_at = fake.current = 0;
    fake.log[0] = '\0';
}

static void expect_copied(size_t i, const float *to, const char *how)
{
    static const float expected[6] = {0, 3, 1, 4, 2, 5};

    cr_expect_eq(memcmp(to, expected, sizeof expected), 0, "%s, %s", cases[i].name, how);
    cr_expect_eq(fake.launches, cases[i].kernels, "%s, %s: %d", cases[i].name, how, fake.launches);
    cr_expect_eq(fake.copies, cases[i].runtime, "%s, %s: %d", cases[i].name, how, fake.copies);
    cr_expect_str_eq(fake.log, cases[i].log, "%s, %s: %s", cases[i].name, how, fake.log);
    cr_expect_eq(fake.current, 0, "%s, %s", cases[i].name, how);
}

/* A transpose of 2 x 3, by each way of asking for it. */
Test(cuda_managed, who_copies)
{
    for (size_t i = 0; i < CASES; i++) {
        _Alignas(16) float to[16] = {0}, from[16] = {0, 1, 2, 3, 4, 5};
        const int32_t whole[6] = {0, 1, 2, 3, 4, 5};
        sv_view *dst = view_of(to, SV_FLOAT32, cases[i].dst, cases[i].dst_id, "(3, 2)*4");
        sv_view *src = view_of(from, cases[i].from, cases[i].src, cases[i].src_id, "(3, 2):(1, 3)*4");
        sv_plan *plan = NULL;

        if (cases[i].from == SV_INT32)
            memcpy(from, whole, sizeof whole);
        reset();
        cr_expect_eq(sv_copy(dst, src, cases[i].flags, cases[i].stream), SV_OK, "%s", sv_last_message());
        expect_copied(i, to, "sv_copy");
        memset(to, 0, sizeof to);
        cr_assert_eq(sv_plan_new(dst, src, cases[i].flags, &plan), SV_OK, "%s", sv_last_message());
        reset();
        cr_expect_eq(sv_plan_execute(plan, to, from, cases[i].stream), SV_OK, "%s", sv_last_message());
        expect_copied(i, to, "sv_plan_execute");
        sv_plan_release(plan);
        sv_view_release(dst);
        sv_view_release(src);
    }
}

/* Each call of the runtime fails in turn: then dst is as it was, but where the last one gives the device back. */
Test(cuda_managed, every_call_can_fail)
{
    for (size_t i = 0; i < CASES; i++) {
        int fail_at = 0, failures = 0;
        sv_status status;

        do {
            _Alignas(16) float to[16] = {0}, from[16] = {0, 1, 2, 3, 4, 5};
            sv_view *dst = view_of(to, SV_FLOAT32, cases[i].dst, cases[i].dst_id, "(3, 2)*4");
            sv_view *src = view_of(from, cases[i].from, cases[i].src, cases[i].src_id, "(3, 2):(1, 3)*4");

            reset();
            fake.fail_at = ++fail_at;
            status = sv_copy(dst, src, cases[i].flags, cases[i].stream);
            failures += status != SV_OK;
            cr_expect_eq(fake.pending, cudaSuccess, "%s, call %d", cases[i].name, fail_at);
            if (status != SV_OK)
                cr_expect_eq(status, SV_ERROR_CUDA, "%s, call %d: %s", cases[i].name, fail_at, sv_last_message());
            if (status != SV_OK && cases[i].kernels + cases[i].runtime == 0)
                cr_expect_eq(to[1], 0, "%s, call %d: the host copied though it did not wait", cases[i].name, fail_at);
            sv_view_release(dst);
            sv_view_release(src);
        } while (status != SV_OK);
        cr_expect_eq(failures > 0, cases[i].kernels + cases[i].runtime > 0 || *cases[i].log != '\0', "%s",
                     cases[i].name);
    }
}

/* What the host alone does: through a temporary, in place, filling. */
Test(cuda_managed, the_host_waits_first)
{
    int32_t cells[16] = {0, 1, 2, 3, 4, 5};
    const int32_t seven = 7;
    sv_view *all = view_of(cells, SV_INT32, MANAGED, 1, "(6,)*4");
    sv_view *backwards = view_of(cells, SV_INT32, MANAGED, 1, "(6,):(-1,)*4+20");
    sv_view *moved = view_of(cells, SV_INT32, MANAGED, 1, "(5,)*4+4");
    sv_view *first_five = view_of(cells, SV_INT32, MANAGED, 1, "(5,)*4");

    reset();
    cr_expect_eq(sv_copy(all, backwards, 0, 110), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(fake.log, "1:synchronize 110; ");
    cr_expect(cells[0] == 5 && cells[5] == 0);
    reset();
    cr_expect_eq(sv_copy(moved, first_five, 0, 2), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(fake.log, "1:synchronize 2; ");
    cr_expect(cells[0] == 5 && cells[1] == 5 && cells[5] == 1);
    reset();
    cr_expect_eq(sv_fill(all, &seven, 4, 0, 2), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(fake.log, "1:synchronize 2; ");
    cr_expect(cells[0] == 7 && cells[5] == 7);
    cr_expect_eq(fake.launches + fake.copies, 0);
    sv_view_release(all);
    sv_view_release(backwards);
    sv_view_release(moved);
    sv_view_release(first_five);
}

/* Nobody has work on managed memory where no device can be used: then it is memory like any other. */
Test(cuda_managed, without_a_driver)
{
    float to[16] = {0}, from[16] = {1, 2, 3};
    sv_view *dst = view_of(to, SV_FLOAT32, MANAGED, 0, "(3,)*4"), *src = view_of(from, SV_FLOAT32, MANAGED, 0, "(3,)*4");
    sv_device_state state = SV_STATE_READY;
    int32_t count = -1;

    fake.counting = cudaErrorInsufficientDriver;
    fake.driver = 0;
    cr_expect_eq(sv_copy(dst, src, 0, 12345), SV_OK, "%s", sv_last_message());
    cr_expect_eq(memcmp(to, from, sizeof to), 0);
    cr_expect_eq(fake.calls, 0);
    cr_expect_eq(sv_device_probe(MANAGED, &state, &count), SV_OK);
    cr_expect(state == SV_STATE_NO_DRIVER && count == 0);
    sv_view_release(dst);
    sv_view_release(src);
}

Test(cuda_managed, is_probed_as_its_devices_are)
{
    sv_device_state state = SV_STATE_BROKEN;
    int32_t count = -1;

    cr_expect_eq(sv_device_probe(MANAGED, &state, &count), SV_OK);
    cr_expect(state == SV_STATE_READY && count == 2, "%d, %d", state, count);
    cr_expect_eq(sv_device_probe(PINNED, &state, &count), SV_OK);
    cr_expect(state == SV_STATE_READY && count == 1, "%d, %d", state, count);
}
