/* What sv_copy_placement() says is what sv_copy() does, over the fake runtime: who copies, on which device and stream,
 * whether the host waits for the stream and for devices, and what is done on return. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda/find.h"
#include "gpu/ring.h"
#include "fake/fake.h"
#include "sv.h"

enum {
    CPU = SV_DEVICE_CPU,
    DEVICE = SV_DEVICE_CUDA,
    PINNED = SV_DEVICE_CUDA_HOST,
    MANAGED = SV_DEVICE_CUDA_MANAGED,
    ROOM = 32 << 10 /* bytes of one side */
};

static cudaStream_t created[2], bystander; /* of the first and the second device; of the first */
static char *marks;                        /* device memory of each device, for work that was there before */

static void begin(bool is_concurrent)
{
    fake_start(FAKE_LAZY, 1);
    fake_set_attribute(-1, cudaDevAttrConcurrentManagedAccess, is_concurrent);
    svi_gpu_chunk_nbytes = 4096;
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    for (int k = 0; k < 2; k++)
        created[k] = fake_new_stream(k, cudaStreamNonBlocking);
    bystander = fake_new_stream(0, cudaStreamNonBlocking);
    marks = fake_allocate(cudaMemoryTypeManaged, 0, 3 * 8);
}

static const char *end(void)
{
    fake_free(marks);
    fake_end_stream(created[0]);
    fake_end_stream(created[1]);
    fake_end_stream(bystander);
    cr_assert_eq(sv_memory_collect(0, NULL), SV_OK);
    return fake_end();
}

/* --- sides --------------------------------------------------------------------------------------------- */

struct side {
    int32_t type, id;
    char *memory;
    sv_view *view;
};

static void make_side(struct side *side, const char *layout_text, char *memory)
{
    sv_layout *layout = NULL;

    side->memory = memory;
    if (memory == NULL && side->type == CPU)
        side->memory = malloc(ROOM);
    else if (memory == NULL)
        side->memory = fake_allocate(side->type == DEVICE    ? cudaMemoryTypeDevice
                                     : side->type == MANAGED ? cudaMemoryTypeManaged
                                                             : cudaMemoryTypeHost,
                                     side->id, ROOM);
    cr_assert_eq(sv_layout_parse(layout_text, &layout), SV_OK, "%s", sv_last_message());
    cr_assert_eq(
        sv_view_new(layout, SV_FLOAT32, side->memory, 0, ROOM, side->type, side->id, 0, NULL, NULL, &side->view), SV_OK,
        "%s", sv_last_message());
    sv_layout_release(layout);
}

static void end_side(struct side *side, bool owns)
{
    sv_view_release(side->view);
    if (owns && side->type == CPU)
        free(side->memory);
    else if (owns)
        fake_free(side->memory);
}

/* --- what happened ---------------------------------------------------------------------------------------- */

struct answer {
    int32_t by, device_type, device_id, waits, done, method;
};

static sv_status place(const struct side *dst, const struct side *src, uint32_t flags, uintptr_t stream,
                       struct answer *out)
{
    *out = (struct answer){-1, -1, -1, -1, -1, -1};
    return sv_copy_placement(dst->view, src->view, flags, stream, &out->by, &out->device_type, &out->device_id,
                             &out->waits, &out->done, &out->method);
}

/* An event behind work that was put on a stream before the copy: done if and only if the host has waited for it. */
static cudaEvent_t mark(cudaStream_t stream, int device, char *memory)
{
    cudaEvent_t event = NULL;

    fake_set_current(device);
    cr_assert_eq(svi_cuda_api.set(memory, 1, 8, stream), cudaSuccess);
    cr_assert_eq(svi_cuda_api.new_event(&event, cudaEventDisableTiming), cudaSuccess);
    cr_assert_eq(svi_cuda_api.record(event, stream), cudaSuccess);
    fake_set_current(0);
    return event;
}

static bool has_passed(cudaEvent_t event)
{
    const bool passed = svi_cuda_api.event_query(event) == cudaSuccess;

    svi_cuda_api.last_error();
    return passed;
}

/* Whether the log has a copy, a fill or a kernel that was given to a stream; device: where the first one was. */
static bool has_work(const char *log, int *device, char name[32])
{
    static const char *const words[] = {"launch", "copy"};
    char text[8192], *rest = text;

    snprintf(text, sizeof text, "%s", log);
    for (char *line = strtok_r(text, ";", &rest); line != NULL; line = strtok_r(NULL, ";", &rest))
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strstr(line, words[k]) != NULL) {
                sscanf(line, " %d:", device);
                snprintf(name, 32, "%s", strrchr(line, ' ') + 1);
                return true;
            }
    return false;
}

static void expect_copier(const char *name, const struct answer *told, int stream_device)
{
    int device = -1;
    char stream[32] = "";
    const bool worked = has_work(fake_log(), &device, stream);

    cr_expect_eq(worked, told->by == DEVICE && told->method != SV_METHOD_NOTHING, "%s: %s", name, fake_log());
    if (!worked)
        return;
    cr_expect_eq(device, told->device_id, "%s: %s", name, fake_log());
    cr_expect_str_eq(stream,
                     stream_device < 0    ? "legacy"
                     : stream_device == 0 ? "s1"
                                          : "s2",
                     "%s: %s", name, fake_log());
}

static void expect_waited(const char *name, const struct answer *told, bool is_concurrent, cudaEvent_t before,
                          cudaEvent_t beside)
{
    cr_expect_eq(has_passed(before), told->waits >= SV_WAITS_STREAM, "%s: waits %d, %s", name, (int)told->waits,
                 fake_log());
    cr_expect_eq(has_passed(beside), told->waits == SV_WAITS_DEVICES && !is_concurrent, "%s: waits %d, %s", name,
                 (int)told->waits, fake_log());
}

/* Whether a stream that waits for nothing may touch the first element now: the fake runtime finds what is in no order. */
static bool is_in_use(char *memory, bool write)
{
    const int faults = fake_faults();
    bool is_used;

    if (write)
        cr_assert_eq(svi_cuda_api.set(memory, 0, 1, bystander), cudaSuccess); /* as it is */
    else
        cr_assert_eq(svi_cuda_api.copy(marks + 16, memory, 4, cudaMemcpyDefault, bystander), cudaSuccess);
    is_used = fake_faults() > faults;
    fake_forgive();
    return is_used;
}

/* The source of a copy that has been read is overwritten before the destination is looked at. */
static void expect_done(const char *name, const struct answer *told, const struct side *dst, const struct side *src,
                        const char *wanted)
{
    char found[ROOM];

    if (src->type != CPU)
        cr_expect_eq(is_in_use(src->memory, true), told->done == SV_DONE_NOTHING, "%s: %d", name, (int)told->done);
    else if (told->done >= SV_DONE_READING)
        memset(src->memory, 0x77, ROOM);
    if (dst->type != CPU)
        cr_expect_eq(is_in_use(dst->memory, false), told->done != SV_DONE_ALL, "%s: %d", name, (int)told->done);
    else
        cr_expect_eq(told->done, SV_DONE_ALL, "%s", name);
    if (dst->type == CPU)
        memcpy(found, dst->memory, ROOM);
    else
        fake_read(found, dst->memory, ROOM);
    cr_expect_eq(memcmp(found, wanted, ROOM), 0, "%s: other bytes have arrived", name);
}

/* --- all pairs ------------------------------------------------------------------------------------------- */

static const struct side kinds[] = {{CPU, 0, NULL, NULL},
                                    {PINNED, 0, NULL, NULL},
                                    {MANAGED, 0, NULL, NULL},
                                    {DEVICE, 0, NULL, NULL},
                                    {DEVICE, 1, NULL, NULL}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct {
    const char *name, *dst, *src;
} layouts[] = {
    {"dense", "(1000,)*4", "(1000,)*4"},
    {"transposed", "(60, 50)*4", "(60, 50):(1, 60)*4"},
    {"small transposed", "(6, 5)*4", "(6, 5):(1, 6)*4"},
    {"gaps on both sides", "(30, 40):(80, 2)*4", "(30, 40):(88, 2)*4"},
};

static const uint32_t flags_of[] = {0, SV_COPY_BLOCKING, SV_COPY_NO_WAIT};

/* Which device's stream a copy can run on: -1 is the default stream, of the device that the answer names. */
static bool is_possible(const struct answer *told, int stream_device)
{
    return stream_device < 0 || told->by == CPU || told->device_id == stream_device;
}

static char zeros[ROOM], pattern[ROOM], expected[ROOM];

static void write_side(const struct side *side, const char *bytes)
{
    if (side->type == CPU)
        memcpy(side->memory, bytes, ROOM);
    else
        fake_write(side->memory, bytes, ROOM);
}

/* What the host copies between two arrays of its own. */
static void expect_bytes(size_t layout)
{
    struct side dst = {CPU, 0, NULL, NULL}, src = dst;

    for (size_t i = 0; i < ROOM; i++)
        pattern[i] = (char)(i % 251);
    memset(expected, 0, ROOM);
    make_side(&dst, layouts[layout].dst, expected);
    make_side(&src, layouts[layout].src, pattern);
    cr_assert_eq(sv_copy(dst.view, src.view, 0, 0), SV_OK);
    end_side(&dst, false);
    end_side(&src, false);
}

static void finish_all(void)
{
    for (int device = 1; device >= 0; device--) {
        fake_set_current(device);
        svi_cuda_api.synchronize_device();
    }
}

static void expect_identity(const struct side *to, const struct side *from, size_t layout, uint32_t flags,
                            int stream_device, bool is_concurrent)
{
    const uintptr_t stream = stream_device < 0 ? 1 : (uintptr_t)created[stream_device];
    struct side dst = *to, src = *from;
    cudaEvent_t before, beside;
    struct answer told;
    sv_status said, status;
    char name[200];

    snprintf(name, sizeof name, "%s %d from %s %d, %s, flags %u, stream of %d", sv_device_name(dst.type), (int)dst.id,
             sv_device_name(src.type), (int)src.id, layouts[layout].name, (unsigned)flags, stream_device);
    make_side(&dst, layouts[layout].dst, NULL);
    make_side(&src, layouts[layout].src, NULL);
    expect_bytes(layout);
    write_side(&dst, zeros);
    write_side(&src, pattern);
    fake_reset();
    said = place(&dst, &src, flags, stream, &told);
    cr_expect(said == SV_OK || said == SV_ERROR_BLOCKED, "%s: %s", name, sv_last_message());
    cr_expect_str_eq(fake_log(), "", "%s", name);
    cr_expect_eq(fake_unfinished(), 0, "%s", name);
    if (said == SV_OK && is_possible(&told, stream_device)) {
        const int device = told.device_type == CPU ? 0 : told.device_id;

        before = mark(stream_device < 0 ? cudaStreamLegacy : created[stream_device],
                      stream_device < 0 ? device : stream_device, marks);
        beside = mark(bystander, 0, marks + 8);
        fake_reset();
        cr_assert_eq(sv_copy(dst.view, src.view, flags, stream), SV_OK, "%s: %s", name, sv_last_message());
        expect_copier(name, &told, stream_device);
        expect_waited(name, &told, is_concurrent, before, beside);
        expect_done(name, &told, &dst, &src, expected);
        finish_all();
        svi_cuda_api.end_event(before);
        svi_cuda_api.end_event(beside);
    } else if (said != SV_OK) {
        status = sv_copy(dst.view, src.view, flags, stream);
        cr_expect_eq(status, said, "%s: %s", name, sv_last_message());
    }
    end_side(&dst, true);
    end_side(&src, true);
}

/* The first kernel loads them all, for which the runtime waits. */
static void load_kernels(void)
{
    struct side dst = kinds[3], src = kinds[3];

    make_side(&dst, layouts[1].dst, NULL);
    make_side(&src, layouts[1].src, NULL);
    cr_assert_eq(sv_copy(dst.view, src.view, SV_COPY_BLOCKING, 1), SV_OK, "%s", sv_last_message());
    end_side(&dst, true);
    end_side(&src, true);
}

static void expect_all_pairs(bool is_concurrent)
{
    begin(is_concurrent);
    load_kernels();
    for (size_t k = 0; k < KINDS * KINDS; k++)
        for (size_t layout = 0; layout < sizeof layouts / sizeof *layouts; layout++)
            for (size_t f = 0; f < sizeof flags_of / sizeof *flags_of; f++)
                for (int stream_device = -1; stream_device < 2; stream_device++)
                    expect_identity(&kinds[k / KINDS], &kinds[k % KINDS], layout, flags_of[f], stream_device,
                                    is_concurrent);
    cr_expect_str_eq(end(), "");
}

Test(placement_cuda, what_is_said_is_what_happens)
{
    expect_all_pairs(true);
}

Test(placement_cuda, and_where_host_and_devices_take_turns)
{
    expect_all_pairs(false);
}

/* --- sides that share bytes ---------------------------------------------------------------------------------- */

static const struct shared_case {
    const char *name;
    int32_t type;
    bool has_pools;
    uint32_t flags;
    const char *dst, *src;
    sv_status status;
    struct answer told;
} shared_cases[] = {
    {"host", CPU, true, 0, "(50,)*4+4", "(50,)*4", SV_OK,
     {CPU, CPU, 0, SV_WAITS_NOTHING, SV_DONE_ALL, SV_METHOD_IN_PLACE}},
    {"host, reversed", CPU, true, 0, "(50,)*4", "(50,):(-1,)*4+196", SV_OK,
     {CPU, CPU, 0, SV_WAITS_NOTHING, SV_DONE_ALL, SV_METHOD_TEMPORARY}},
    {"host, no temporary", CPU, true, SV_COPY_NO_TEMP, "(50,)*4", "(50,):(-1,)*4+196", SV_ERROR_OVERLAP, {0}},
    {"device", DEVICE, true, 0, "(50,)*4", "(50,):(-1,)*4+196", SV_OK,
     {DEVICE, DEVICE, 0, SV_WAITS_NOTHING, SV_DONE_NOTHING, SV_METHOD_TEMPORARY}},
    {"device, moved", DEVICE, true, SV_COPY_BLOCKING, "(50,)*4+4", "(50,)*4", SV_OK,
     {DEVICE, DEVICE, 0, SV_WAITS_STREAM, SV_DONE_ALL, SV_METHOD_TEMPORARY}},
    {"device without pools", DEVICE, false, 0, "(50,)*4", "(50,):(-1,)*4+196", SV_OK,
     {DEVICE, DEVICE, 0, SV_WAITS_STREAM, SV_DONE_ALL, SV_METHOD_HOST_TEMPORARY}},
    {"without pools and a wait", DEVICE, false, SV_COPY_NO_WAIT, "(50,)*4", "(50,):(-1,)*4+196", SV_ERROR_BLOCKED, {0}},
    {"managed", MANAGED, true, 0, "(50,)*4", "(50,):(-1,)*4+196", SV_OK,
     {DEVICE, MANAGED, 0, SV_WAITS_DEVICES, SV_DONE_ALL, SV_METHOD_HOST_TEMPORARY}},
    {"pinned", PINNED, true, 0, "(50,)*4", "(50,):(-1,)*4+196", SV_OK,
     {CPU, CPU, 0, SV_WAITS_NOTHING, SV_DONE_ALL, SV_METHOD_TEMPORARY}},
    {"the same elements", DEVICE, true, 0, "(50,)*4", "(50,)*4", SV_OK,
     {DEVICE, DEVICE, 0, SV_WAITS_NOTHING, SV_DONE_ALL, SV_METHOD_NOTHING}},
    {"no element", DEVICE, true, 0, "(0,)*4", "(0,)*4", SV_OK,
     {DEVICE, DEVICE, 0, SV_WAITS_NOTHING, SV_DONE_ALL, SV_METHOD_NOTHING}},
};

/* What is said of two sides in one memory, and what then happens. */
static void expect_shared(const struct shared_case *c)
{
    struct side dst = {c->type, 0, NULL, NULL}, src = dst;
    cudaEvent_t before;
    struct answer told;

    fake_set_attribute(-1, cudaDevAttrMemoryPoolsSupported, c->has_pools);
    make_side(&dst, c->dst, NULL);
    make_side(&src, c->src, dst.memory);
    cr_expect_eq(place(&dst, &src, c->flags, 1, &told), c->status, "%s: %s", c->name, sv_last_message());
    if (c->status == SV_OK)
        cr_expect_eq(memcmp(&told, &c->told, sizeof told), 0, "%s: %d %d %d %d %d %d", c->name, (int)told.by,
                     (int)told.device_type, (int)told.device_id, (int)told.waits, (int)told.done, (int)told.method);
    before = mark(cudaStreamLegacy, 0, marks);
    cr_expect_eq(sv_copy(dst.view, src.view, c->flags, 1), c->status, "%s: %s", c->name, sv_last_message());
    if (c->status == SV_OK)
        cr_expect_eq(has_passed(before), told.waits >= SV_WAITS_STREAM, "%s", c->name);
    svi_cuda_api.synchronize(cudaStreamLegacy);
    svi_cuda_api.end_event(before);
    end_side(&src, false);
    end_side(&dst, true);
}

Test(placement_cuda, sides_that_share_bytes)
{
    begin(true);
    for (size_t i = 0; i < sizeof shared_cases / sizeof *shared_cases; i++)
        expect_shared(&shared_cases[i]);
    cr_expect_str_eq(end(), "");
}

/* --- as explained ----------------------------------------------------------------------------------------- */

Test(placement_cuda, explained)
{
    static const struct {
        int32_t dst, dst_id, src, src_id;
        uint32_t flags;
        bool shares;
        const char *line;
    } cases[] = {
        {DEVICE, 1, DEVICE, 1, 0, false,
         "\nplacement within: by CUDA device 1, directly; waits for nothing; done on return: nothing\ncuda: "},
        {DEVICE, 1, DEVICE, 1, SV_COPY_BLOCKING, false, "directly; waits for the stream; done on return: all\n"},
        {DEVICE, 1, DEVICE, 1, 0, true, ": by CUDA device 1, by a temporary of 1200 bytes; waits for nothing; "},
        {DEVICE, 1, DEVICE, 0, 0, false, "\nplacement peers: by CUDA device 1 or that of the stream, directly; "},
        {MANAGED, 0, MANAGED, 0, 0, false, "\nplacement managed: by CUDA device 0 or that of the stream, directly; "},
        {MANAGED, 0, MANAGED, 0, 0, true,
         "by a temporary in host memory of 1200 bytes; waits for the stream and devices; "},
        {MANAGED, 0, CPU, 0, 0, false,
         "\nplacement shared: by the host, directly; waits for the stream and devices; done on return: all\n"},
        {MANAGED, 0, CPU, 0, SV_COPY_NO_WAIT, false, "the stream and devices, which SV_COPY_NO_WAIT refuses; done "},
        {DEVICE, 0, CPU, 0, 0, false,
         "in chunks through a ring of pinned memory; waits for a free ring; done on return: reading src\ncuda: "
         "ringed; "},
        {CPU, 0, DEVICE, 0, 0, false,
         "\nplacement fetch: by CUDA device 0, in chunks through a ring of pinned memory; "},
        {PINNED, 0, DEVICE, 0, 0, false, "\nplacement pinned: by CUDA device 0, directly; waits for nothing; "},
    };

    begin(true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct side dst = {cases[i].dst, cases[i].dst_id, NULL, NULL},
                    src = {cases[i].src, cases[i].src_id, NULL, NULL};
        sv_plan *plan = NULL;
        char text[16384];

        make_side(&dst, "(20, 15)*4", NULL);
        make_side(&src, "(20, 15):(1, 20)*4", cases[i].shares ? dst.memory : NULL);
        cr_assert_eq(sv_plan_new(dst.view, src.view, cases[i].flags, &plan), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_plan_explain(plan, dst.memory, src.memory, sizeof text, text, NULL), SV_OK);
        cr_expect_not_null(strstr(text, cases[i].line), "%zu: %s\nis not in\n%s", i, cases[i].line, text);
        sv_plan_release(plan);
        end_side(&src, !cases[i].shares);
        end_side(&dst, true);
    }
    cr_expect_str_eq(end(), "");
}

/* --- what is asked for ---------------------------------------------------------------------------------------- */

/* A stream that is no default one tells the device, for two sides of two devices or of none. */
Test(placement_cuda, the_device_of_the_stream)
{
    struct side to = {MANAGED, 0, NULL, NULL}, from = {MANAGED, 1, NULL, NULL};
    int32_t id = -1, type = -1;

    begin(true);
    make_side(&to, "(5,)*4", NULL);
    make_side(&from, "(5,)*4", NULL);
    cr_expect_eq(sv_copy_placement(to.view, from.view, 0, (uintptr_t)created[1], NULL, &type, &id, NULL, NULL, NULL),
                 SV_OK);
    cr_expect(type == MANAGED && id == 1, "%d %d", (int)type, (int)id);
    cr_expect_eq(sv_copy_placement(to.view, from.view, 0, 2, NULL, NULL, &id, NULL, NULL, NULL), SV_OK);
    cr_expect_eq(id, 0);
    end_side(&to, true);
    end_side(&from, true);
    cr_expect_str_eq(end(), "");
}

static struct side trial_dst = {DEVICE, 0, NULL, NULL}, trial_src = {DEVICE, 1, NULL, NULL};

static void prepare_trial(void *with)
{
    (void)with;
    created[1] = fake_new_stream(1, cudaStreamNonBlocking);
    make_side(&trial_dst, "(5,)*4", NULL);
    make_side(&trial_src, "(5,)*4", NULL);
}

static sv_status run_trial(void *with)
{
    struct answer told;

    (void)with;
    return place(&trial_dst, &trial_src, 0, (uintptr_t)created[1], &told);
}

static void clean_trial(void *with, sv_status status)
{
    (void)with, (void)status;
    end_side(&trial_dst, true);
    end_side(&trial_src, true);
    fake_end_stream(created[1]);
}

Test(placement_cuda, every_call_can_fail)
{
    const struct fake_settings settings = {.policy = FAKE_LAZY, .devices = 2};
    const struct fake_trial trial = {.prepare = prepare_trial, .run = run_trial, .clean = clean_trial};
    int rounds = 0;

    cr_expect_str_eq(fake_fail_each(&trial, &settings, &rounds), "");
    cr_expect_gt(rounds, 0);
}
