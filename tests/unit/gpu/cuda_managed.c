/* Who copies what memory, and when: the table of sv.h's section on copies, over the fake runtime. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "fake/fake.h"
#include "sv.h"
#include "gpu/cuda/find.h"

enum {
    CPU = SV_DEVICE_CPU,
    DEVICE = SV_DEVICE_CUDA,
    PINNED = SV_DEVICE_CUDA_HOST,
    MANAGED = SV_DEVICE_CUDA_MANAGED,
    ROCM = SV_DEVICE_ROCM_HOST
};

static uintptr_t created;

/* What the cases call 110. */
static uintptr_t stream_of(uintptr_t name)
{
    return name == 110 ? created : name;
}

static void make_stream(void)
{
    created = (uintptr_t)fake_new_stream(1, cudaStreamNonBlocking);
}

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
    make_stream();
}

static void end(void)
{
    fake_end_stream((cudaStream_t)created);
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

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
    uintptr_t stream; /* 110: one of device 1 */
    int kernels, runtime;
    const char *log;
} cases[] = {
    {"host", CPU, 0, CPU, 0, SV_FLOAT32, 0, 110, 0, 0, ""},
    {"pinned", PINNED, 0, CPU, 0, SV_FLOAT32, SV_COPY_BLOCKING, 110, 0, 0, ""},
    {"from pinned", CPU, 0, PINNED, 1, SV_FLOAT32, 0, 110, 0, 0, ""},
    {"ROCm's pinned", ROCM, 0, PINNED, 0, SV_FLOAT32, 0, 110, 0, 0, ""},
    {"device", DEVICE, 1, DEVICE, 1, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"to a device", DEVICE, 1, CPU, 0, SV_FLOAT32, 0, 110, 1, 1, ""},
    {"from pinned to a device", DEVICE, 1, PINNED, 0, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"device to device", DEVICE, 1, DEVICE, 0, SV_FLOAT32, 0, 110, 1, 1, ""},
    {"device to device, blocking", DEVICE, 0, DEVICE, 1, SV_FLOAT32, SV_COPY_BLOCKING, 2, 1, 1,
     "0:synchronize thread; "},
    {"managed", MANAGED, 0, MANAGED, 0, SV_FLOAT32, 0, 2, 1, 0, ""},
    {"managed, on a stream of another device", MANAGED, 0, MANAGED, 0, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed, made on different devices", MANAGED, 0, MANAGED, 1, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed, blocking", MANAGED, 0, MANAGED, 0, SV_FLOAT32, SV_COPY_BLOCKING, 2, 1, 0, "0:synchronize thread; "},
    {"device to managed", MANAGED, 0, DEVICE, 1, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed to device", DEVICE, 1, MANAGED, 0, SV_FLOAT32, 0, 110, 1, 0, ""},
    {"managed to host", CPU, 0, MANAGED, 0, SV_FLOAT32, 0, 110, 0, 0, "1:synchronize s1; "},
    {"host to managed", MANAGED, 1, CPU, 0, SV_FLOAT32, 0, 2, 0, 0, "1:synchronize thread; "},
    {"pinned to managed", MANAGED, 1, PINNED, 0, SV_FLOAT32, 0, 1, 0, 0, "1:synchronize legacy; "},
    {"managed, converted", MANAGED, 0, MANAGED, 0, SV_INT32, SV_COPY_CAST_UNSAFE, 110, 1, 0, ""},
    {"device, converted", DEVICE, 1, DEVICE, 1, SV_INT32, SV_COPY_CAST_UNSAFE, 110, 1, 0, ""},
    {"managed to host, converted", CPU, 0, MANAGED, 0, SV_INT32, SV_COPY_CAST_UNSAFE, 2, 0, 0,
     "0:synchronize thread; "},
};

enum { CASES = sizeof cases / sizeof *cases };

/* --- two sides of a case --------------------------------------------------- */

enum { NBYTES = 64 };

static const float floats[NBYTES / 4] = {0, 1, 2, 3, 4, 5}, nothing[NBYTES / 4];
static const int32_t whole[NBYTES / 4] = {0, 1, 2, 3, 4, 5};

static struct {
    void *to, *from;
    sv_view *dst, *src;
} sides;

/* Whether the runtime knows such memory. */
static bool is_known(int32_t type)
{
    return type == DEVICE || type == PINNED || type == MANAGED;
}

static void *allocate(int32_t type, int32_t id)
{
    if (!is_known(type))
        return malloc(NBYTES);
    return fake_allocate(type == DEVICE    ? cudaMemoryTypeDevice
                         : type == MANAGED ? cudaMemoryTypeManaged
                                           : cudaMemoryTypeHost,
                         id, NBYTES);
}

static void release(int32_t type, void *memory)
{
    if (is_known(type))
        fake_free(memory);
    else
        free(memory);
}

static void put(int32_t type, void *memory, const void *bytes)
{
    if (is_known(type))
        fake_write(memory, bytes, NBYTES);
    else
        memcpy(memory, bytes, NBYTES);
}

static void get(int32_t type, void *bytes, const void *memory)
{
    if (is_known(type))
        fake_read(bytes, memory, NBYTES);
    else
        memcpy(bytes, memory, NBYTES);
}

static void make_sides(size_t i)
{
    sides.to = allocate(cases[i].dst, cases[i].dst_id);
    sides.from = allocate(cases[i].src, cases[i].src_id);
    put(cases[i].dst, sides.to, nothing);
    put(cases[i].src, sides.from, cases[i].from == SV_INT32 ? (const void *)whole : floats);
    sides.dst = view_of(sides.to, SV_FLOAT32, cases[i].dst, cases[i].dst_id, "(3, 2)*4");
    sides.src = view_of(sides.from, cases[i].from, cases[i].src, cases[i].src_id, "(3, 2):(1, 3)*4");
}

static void free_sides(size_t i)
{
    sv_view_release(sides.dst);
    sv_view_release(sides.src);
    release(cases[i].dst, sides.to);
    release(cases[i].src, sides.from);
}

static int copies(void)
{
    return fake_count(FAKE_CALL(copy)) + fake_count(FAKE_CALL(copy_rows)) + fake_count(FAKE_CALL(copy_planes)) + fake_count(FAKE_CALL(copy_peer));
}

static bool is_of(const char *entry, const char *call)
{
    entry = strchr(entry, ':') + 1;
    return strncmp(entry, call, strlen(call)) == 0 && entry[strlen(call)] == ' ';
}

/* The log without the kernels and the runtime's copies of rows, which are counted. */
static const char *waits(void)
{
    static const char *const left_out[] = {"load", "get_kernel", "launch", "copy", "copy_rows", "allocate_host", "new_event",
                                           "record", "allocate_from_pool", "release_async"};
    static char text[1 << 14]; /* as long as the log */
    char *out = text;

    for (const char *entry = fake_log(); *entry != '\0';) {
        const size_t length = (size_t)(strstr(entry, "; ") - entry) + 2;
        bool stays = true;

        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
            stays = stays && !is_of(entry, left_out[k]);
        if (stays)
            out = (char *)memcpy(out, entry, length) + length;
        entry += length;
    }
    *out = '\0';
    return text;
}

static void expect_copied(size_t i, const char *how)
{
    static const float expected[6] = {0, 3, 1, 4, 2, 5};
    const int kernels = fake_count(FAKE_CALL(launch));
    float arrived[NBYTES / 4];

    cr_expect_eq(kernels, cases[i].kernels, "%s, %s: %d", cases[i].name, how, kernels);
    cr_expect_eq(copies(), cases[i].runtime, "%s, %s: %d", cases[i].name, how, copies());
    cr_expect_str_eq(waits(), cases[i].log, "%s, %s: %s", cases[i].name, how, waits());
    cr_expect_eq(fake_current(), 0, "%s, %s", cases[i].name, how);
    get(cases[i].dst, arrived, sides.to);
    cr_expect_eq(memcmp(arrived, expected, sizeof expected), 0, "%s, %s", cases[i].name, how);
}

/* A transpose of 2 x 3, by each way of asking for it. */
Test(cuda_managed, who_copies)
{
    cr_assert_eq(svi_cuda_check_ready(), SV_OK); /* looks for devices, once, so that this is not in the logs */
    for (size_t i = 0; i < CASES; i++) {
        const uintptr_t stream = stream_of(cases[i].stream);
        sv_plan *plan = NULL;

        make_sides(i);
        cr_expect_eq(sv_copy(sides.dst, sides.src, cases[i].flags, stream), SV_OK); /* makes pools of scratch memory */
        put(cases[i].dst, sides.to, nothing);
        fake_reset();
        cr_expect_eq(sv_copy(sides.dst, sides.src, cases[i].flags, stream), SV_OK, "%s", sv_last_message());
        expect_copied(i, "sv_copy");
        put(cases[i].dst, sides.to, nothing);
        cr_assert_eq(sv_plan_new(sides.dst, sides.src, cases[i].flags, &plan), SV_OK, "%s", sv_last_message());
        fake_reset();
        cr_expect_eq(sv_plan_execute(plan, sides.to, sides.from, stream), SV_OK, "%s", sv_last_message());
        expect_copied(i, "sv_plan_execute");
        sv_plan_release(plan);
        free_sides(i);
        cr_expect_eq(fake_faults(), 0, "%s: %s", cases[i].name, fake_text());
        fake_forgive();
    }
    end();
}

/* What would wait for a stream is refused while that is captured; nothing is done, and the capture stays valid. */
Test(cuda_managed, captured)
{
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    for (size_t i = 0; i < 2 * CASES; i++) {
        const size_t c = i / 2;
        const uint32_t flags = cases[c].flags | (i % 2 == 1 ? SV_COPY_BLOCKING : 0);
        const bool is_on_stream = cases[c].kernels + cases[c].runtime > 0;
        const bool is_ringed = cases[c].src == CPU && cases[c].dst == DEVICE;
        const bool waits = is_ringed || cases[c].log[0] != '\0' || (is_on_stream && (flags & SV_COPY_BLOCKING) != 0);
        float after[NBYTES / 4];
        sv_status status;

        if (cases[c].stream != 110)
            continue;
        make_sides(c);
        cr_assert_eq(fake_begin_capture((cudaStream_t)created, cudaStreamCaptureModeGlobal), cudaSuccess);
        fake_reset();
        status = sv_copy(sides.dst, sides.src, flags, created);
        cr_expect_eq(status, waits ? SV_ERROR_STATE : SV_OK, "%s, %u: %s", cases[c].name, (unsigned)flags,
                     sv_last_message());
        cr_expect(!waits || fake_count(FAKE_CALL(launch)) + copies() == 0, "%s", cases[c].name);
        cr_expect_eq(fake_end_capture((cudaStream_t)created, NULL), cudaSuccess, "%s", cases[c].name);
        get(cases[c].dst, after, sides.to);
        cr_expect(!waits || memcmp(after, nothing, sizeof after) == 0, "%s", cases[c].name);
        free_sides(c);
        cr_expect_eq(fake_faults(), 0, "%s: %s", cases[c].name, fake_text());
        fake_forgive();
    }
    end();
}

/* --- failures ---------------------------------------------------------------- */

static void prepare(void *with)
{
    make_stream();
    make_sides(*(size_t *)with);
}

static sv_status copy_one(void *with)
{
    const size_t i = *(size_t *)with;

    return sv_copy(sides.dst, sides.src, cases[i].flags, stream_of(cases[i].stream));
}

static void clean(void *with, sv_status status)
{
    const size_t i = *(size_t *)with;
    float arrived[NBYTES / 4];

    get(cases[i].dst, arrived, sides.to);
    if (status != SV_OK)
        cr_expect_eq(status, SV_ERROR_CUDA, "%s, %s: %s", cases[i].name, fake_call_name(fake_failed_call()),
                     sv_last_message());
    if (status != SV_OK && cases[i].kernels + cases[i].runtime == 0)
        cr_expect_eq(arrived[1], 0, "%s, %s: the host copied though it did not wait", cases[i].name,
                     fake_call_name(fake_failed_call()));
    free_sides(i);
    fake_end_stream((cudaStream_t)created);
}

/* Each call of the runtime fails in turn: then dst is as it was, but where the last one gives the device back. */
Test(cuda_managed, every_call_can_fail)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY};

    end();
    for (size_t i = 0; i < CASES; i++) {
        const struct fake_trial trial = {.prepare = prepare, .run = copy_one, .clean = clean, .with = &i};
        const char *wrong;
        int rounds = 0;

        wrong = fake_fail_each(&trial, &settings, &rounds);
        cr_expect_str_eq(wrong, "", "%s: %s", cases[i].name, wrong);
        cr_expect_eq(rounds > 0, cases[i].kernels + cases[i].runtime > 0 || *cases[i].log != '\0', "%s: %d",
                     cases[i].name, rounds);
    }
}

/* --- the host ------------------------------------------------------------------ */

/* What the host alone does: through a temporary, in place, filling. */
Test(cuda_managed, the_host_waits_first)
{
    int32_t *cells = fake_allocate(cudaMemoryTypeManaged, 1, NBYTES);
    const int32_t seven = 7;
    sv_view *all = view_of(cells, SV_INT32, MANAGED, 1, "(6,)*4");
    sv_view *backwards = view_of(cells, SV_INT32, MANAGED, 1, "(6,):(-1,)*4+20");
    sv_view *moved = view_of(cells, SV_INT32, MANAGED, 1, "(5,)*4+4");
    sv_view *first_five = view_of(cells, SV_INT32, MANAGED, 1, "(5,)*4");

    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    fake_write(cells, whole, NBYTES);
    fake_reset();
    cr_expect_eq(sv_copy(all, backwards, 0, stream_of(110)), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(fake_log(), "1:synchronize s1; ", "%s", fake_log());
    cr_expect(cells[0] == 5 && cells[5] == 0);
    fake_reset();
    cr_expect_eq(sv_copy(moved, first_five, 0, 2), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(fake_log(), "1:synchronize thread; ", "%s", fake_log());
    cr_expect(cells[0] == 5 && cells[1] == 5 && cells[5] == 1);
    fake_reset();
    cr_expect_eq(sv_fill(all, &seven, 4, 0, 2), SV_OK, "%s", sv_last_message());
    cr_expect_str_eq(fake_log(), "1:synchronize thread; ", "%s", fake_log());
    cr_expect(cells[0] == 7 && cells[5] == 7);
    cr_expect_eq(fake_count(FAKE_CALL(launch)) + copies(), 0);
    sv_view_release(all);
    sv_view_release(backwards);
    sv_view_release(moved);
    sv_view_release(first_five);
    fake_free(cells);
    end();
}

/* Where the host may not touch managed memory while any kernel runs, whatever that does: each way in which the host
 * copies or fills it, with a kernel on another stream, and on the other device. */
static sv_status touch(int way, sv_view *managed, sv_view *more, sv_view *ordinary)
{
    const int32_t seven = 7;

    switch (way) {
    case 0: return sv_copy(ordinary, managed, 0, created);
    case 1: return sv_copy(managed, ordinary, 0, created);
    case 2: return sv_copy(more, managed, SV_COPY_TRUST, created); /* they share bytes */
    default: return sv_fill(managed, &seven, 4, 0, created);
    }
}

static bool is_seen(int way, int busy, bool drops)
{
    char *cells, *to, *from, bytes[64] = {0};
    cudaStream_t other;
    sv_view *managed, *more, *ordinary, *dst, *src;
    bool seen;

    fake_start(FAKE_LAZY, 1);
    make_stream();
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    fake_set_attribute(-1, cudaDevAttrConcurrentManagedAccess, 0);
    other = fake_new_stream(busy, cudaStreamNonBlocking);
    cells = fake_allocate(cudaMemoryTypeManaged, 1, 64);
    to = fake_allocate(cudaMemoryTypeDevice, busy, 64);
    from = fake_allocate(cudaMemoryTypeDevice, busy, 64);
    managed = view_of(cells, SV_INT32, MANAGED, 1, "(5,)*4");
    more = view_of(cells, SV_INT32, MANAGED, 1, "(5,)*4+4");
    ordinary = view_of(bytes, SV_INT32, CPU, 0, "(5,)*4");
    dst = view_of(to, SV_INT32, DEVICE, busy, "(5,)*4");
    src = view_of(from, SV_INT32, DEVICE, busy, "(5,):(2,)*4");
    cr_assert_eq(sv_copy(dst, src, 0, (uintptr_t)other), SV_OK, "%s", sv_last_message()); /* a kernel */
    fake_drop_order(drops ? 2 + busy : 0); /* the wait for the stream, then for each device */
    cr_expect_eq(touch(way, managed, more, ordinary), SV_OK, "%s", sv_last_message());
    sv_view_release(managed);
    sv_view_release(more);
    sv_view_release(ordinary);
    sv_view_release(dst);
    sv_view_release(src);
    fake_free(cells);
    fake_free(to);
    fake_free(from);
    fake_end_stream(other);
    fake_end_stream((cudaStream_t)created);
    seen = *fake_end() != '\0';
    fake_set_attribute(-1, cudaDevAttrConcurrentManagedAccess, 1);
    return seen;
}

Test(cuda_managed, devices_that_have_to_be_idle_are)
{
    end();
    for (int way = 0; way < 4; way++)
        for (int busy = 0; busy < 2; busy++) {
            cr_expect_not(is_seen(way, busy, false), "%d, %d: %s", way, busy, fake_text());
            cr_expect(is_seen(way, busy, true), "%d, %d: nobody sees that the device was not waited for", way, busy);
        }
}

/* Nobody has work on managed memory where no device can be used: then it is memory like any other. */
Test(cuda_managed, without_a_driver)
{
    float to[16] = {0}, from[16] = {1, 2, 3};
    sv_view *dst = view_of(to, SV_FLOAT32, MANAGED, 0, "(3,)*4");
    sv_view *src = view_of(from, SV_FLOAT32, MANAGED, 0, "(3,)*4");
    sv_device_state state = SV_STATE_READY;
    int32_t count = -1;

    fake_end_stream((cudaStream_t)created);
    fake_start_with(&(struct fake_settings){.counting = cudaErrorInsufficientDriver, .driver = FAKE_NO_DRIVER});
    cr_expect_eq(sv_copy(dst, src, 0, 12345), SV_OK, "%s", sv_last_message());
    cr_expect_eq(memcmp(to, from, sizeof to), 0);
    cr_expect_eq(fake_calls(), fake_count(FAKE_CALL(driver_version)) + fake_count(FAKE_CALL(runtime_version)) +
                                   fake_count(FAKE_CALL(device_count)));
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
