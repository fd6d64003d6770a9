/*
 * Bugs in the order of streams, planted one at a time: each record, wait and question that the library makes is left
 * out once, and each piece of work is given once to another stream. The fake runtime has to tell of every one of them,
 * whatever the policy; so each of these calls is needed, and a library without one would not pass the other tests.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "gpu/ring.h"
#include "gpu/route.h"
#include "fake/fake.h"
#include "sv.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/cuda.h"

static const struct svi_device cpu = {SV_DEVICE_CPU, 0}, pinned = {SV_DEVICE_CUDA_HOST, 0}, first = {SV_DEVICE_CUDA, 0},
                               second = {SV_DEVICE_CUDA, 1};

enum { CHUNK = 16384, TURNED = 150, ROWS = 160, ROOM = 4 * TURNED * ROWS, SMALL = 126, ORDINARY = 4 };

static cudaStream_t a, b, c, d, far; /* far: of the second device */
static bool is_right;          /* the bytes arrived */
static char pattern[ROOM], turned[ROOM], other[ROOM], ordinary[ORDINARY][ROOM];
static int nused; /* of ordinary */

/* --- memory -------------------------------------------------------------------------------- */

/* Ordinary memory stays when a scenario ends: work that nobody waited for still writes there. */
static char *memory_of(struct svi_device device, const char *bytes)
{
    char *memory;

    if (device.type == SV_DEVICE_CPU) {
        cr_assert_lt(nused, ORDINARY);
        return memcpy(ordinary[nused++], bytes, ROOM);
    }
    memory = fake_allocate(device.type == SV_DEVICE_CUDA ? cudaMemoryTypeDevice : cudaMemoryTypeHost, device.id, ROOM);
    fake_write(memory, bytes, ROOM);
    return memory;
}

static void end_memory(struct svi_device device, char *memory)
{
    if (device.type != SV_DEVICE_CPU)
        fake_free(memory);
}

/* As the host sees it, at once: pages that the device still uses are seen. */
static void expect_on_host(const char *memory, const char *bytes, size_t nbytes)
{
    is_right = is_right && memcmp(memory, bytes, nbytes) == 0;
}

static void expect(const char *memory, const char *bytes, size_t nbytes)
{
    static char found[ROOM];

    fake_read(found, memory, nbytes);
    expect_on_host(found, bytes, nbytes);
}

/* --- copies ---------------------------------------------------------------------------------- */

/* A matrix of items of four bytes and its transpose; a run of bytes; few of them; bytes in rows of 10; items of four
 * bytes with gaps between them. */
enum what { TRANSPOSE, DENSE, LITTLE, SHORT_ROWS, GAPS };

static sv_status copy(enum what what, struct svi_device dst, char *to, struct svi_device src, const char *from,
                      uint32_t flags, cudaStream_t stream)
{
    static const struct {
        int32_t ndim;
        int64_t itemsize, shape[2], dst[2], src[2];
    } all[] = {
        [TRANSPOSE] = {2, 4, {TURNED, ROWS}, {4 * ROWS, 4}, {4, 4 * TURNED}},
        [DENSE] = {1, 4, {ROOM / 4}, {4}, {4}},
        [LITTLE] = {2, 2, {7, 9}, {18, 2}, {2, 14}},
        [SHORT_ROWS] = {2, 1, {1000, 10}, {40, 1}, {40, 1}},
        [GAPS] = {2, 4, {100, 100}, {884, 8}, {892, 8}},
    };
    struct svi_plan plan;

    svi_plan_make(all[what].ndim, all[what].shape, all[what].dst, all[what].src, all[what].itemsize, &plan);
    return svi_cuda.copy(&(struct svi_request){&plan, dst, to, src, from, (uintptr_t)stream, flags, NULL, NULL});
}

static void expect_copy(enum what what, struct svi_device dst, char *to, struct svi_device src, const char *from,
                        uint32_t flags, cudaStream_t stream)
{
    cr_assert_eq(copy(what, dst, to, src, from, flags, stream), SV_OK, "%s", sv_last_message());
}

static void turn(char *to, const char *from)
{
    for (int i = 0; i < TURNED; i++)
        for (int k = 0; k < ROWS; k++)
            memcpy(to + 4 * (i * ROWS + k), from + 4 * (k * TURNED + i), 4);
}

static void collect(void)
{
    cr_assert_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
}

/* --- scenarios: copies ------------------------------------------------------------------------ */

/* The last copy uses each slot again, and what it does itself is not looked at. */
static void use_all_slots(char *to, const char *from)
{
    fake_drop_order(0);
    fake_divert_work(0, NULL);
    expect_copy(TRANSPOSE, first, to, cpu, from, 0, d);
}

/* What is in a slot is written over by the next chunk, and by the next copy. */
static void ring_to_devices_on(cudaStream_t stream)
{
    char *to = memory_of(first, other), *too = memory_of(first, other), *last = memory_of(first, other),
         *from = memory_of(cpu, pattern);

    expect_copy(TRANSPOSE, first, to, cpu, from, 0, a);
    memcpy(from, turned, ROOM);
    expect_copy(TRANSPOSE, first, too, cpu, from, 0, stream);
    use_all_slots(last, from);
    memset(from, 0x77, ROOM);
    expect(to, turned, ROOM);
    end_memory(first, to);
    end_memory(first, too);
    end_memory(first, last);
}

static void ring_to_devices(void)
{
    ring_to_devices_on(a);
}

static void ring_to_devices_on_two_streams(void)
{
    ring_to_devices_on(b);
}

static void ring_from_devices(void)
{
    char *to = memory_of(cpu, other), *from = memory_of(first, pattern);

    expect_copy(TRANSPOSE, cpu, to, first, from, SV_COPY_BLOCKING, a);
    expect_on_host(to, turned, ROOM);
    expect_copy(TRANSPOSE, cpu, to, first, from, 0, b);
    expect_on_host(to, turned, ROOM);
    end_memory(first, from);
}

/* The slots that the second copy fills are still read by the first one's work, on another stream. */
static void ring_to_and_from_devices(void)
{
    char *to = memory_of(first, other), *from = memory_of(cpu, pattern), *back = memory_of(cpu, other),
         *there = memory_of(first, pattern);

    expect_copy(TRANSPOSE, first, to, cpu, from, 0, a);
    expect_copy(TRANSPOSE, cpu, back, first, there, 0, b);
    expect_on_host(back, turned, ROOM);
    expect(to, turned, ROOM);
    end_memory(first, to);
    end_memory(first, there);
}

/* Questions instead of waits: a slot is taken when it is free. The rings are freed when all slots are. */
static void ring_without_waits(void)
{
    const cudaStream_t streams[] = {a, b, c, d};
    char *to = memory_of(first, other), *from = memory_of(cpu, pattern);

    for (int i = 0; i < 8; i++) {
        sv_status status;

        do
            status = copy(LITTLE, first, to + i * SMALL, cpu, from, SV_COPY_NO_WAIT, streams[i % 4]);
        while (status == SV_ERROR_BLOCKED);
        cr_assert_eq(status, SV_OK, "%s", sv_last_message());
    }
    collect();
    end_memory(first, to);
}

/* SV_COPY_BLOCKING: the host, or another stream, goes on with both sides as if there had been no stream. */
static void blocking(enum what what, struct svi_device dst, struct svi_device src)
{
    char *to = memory_of(dst, other), *from = memory_of(src, pattern);

    expect_copy(what, dst, to, src, from, SV_COPY_BLOCKING, a);
    if (dst.type == SV_DEVICE_CUDA)
        cr_assert_eq(svi_cuda_api.copy(to, to + ROOM / 2, 1000, cudaMemcpyDefault, b), cudaSuccess);
    else if (what != SHORT_ROWS)
        expect_on_host(to, what == DENSE ? pattern : turned, ROOM);
    else
        is_right = is_right && to[40] == pattern[40];
    if (src.type != SV_DEVICE_CUDA)
        from[0] = 0x77;
    end_memory(dst, to);
    end_memory(src, from);
}

static void staged_from_pinned(void)
{
    blocking(TRANSPOSE, first, pinned);
}

static void staged_to_pinned(void)
{
    blocking(TRANSPOSE, pinned, first);
}

static void mapped_from_pinned(void)
{
    blocking(SHORT_ROWS, first, pinned);
}

static void mapped_to_pinned(void)
{
    blocking(SHORT_ROWS, pinned, first);
}

static void pitched_from_pinned(void)
{
    blocking(DENSE, first, pinned);
}

static void pitched_to_pinned(void)
{
    blocking(DENSE, pinned, first);
}

static void within_a_device(void)
{
    blocking(TRANSPOSE, first, first);
}

static void between_devices(void)
{
    blocking(TRANSPOSE, first, second);
}

/* Both sides are written before on the stream, in full, and read after it. The source's device is not the stream's, or
 * the destination's is not. Work that the runtime refuses is noticed. */
static void packed(struct svi_device dst, struct svi_device src)
{
    char *to = memory_of(dst, other), *from = memory_of(src, other), *back = memory_of(first, other);
    char *bytes = memory_of(first, pattern);

    is_right = svi_cuda_api.copy(from, bytes, ROOM, cudaMemcpyDefault, a) == cudaSuccess &&
               svi_cuda_api.copy(to, bytes, ROOM, cudaMemcpyDefault, a) == cudaSuccess &&
               copy(GAPS, dst, to, src, from, 0, a) == SV_OK &&
               svi_cuda_api.copy(back, to, ROOM, cudaMemcpyDefault, a) == cudaSuccess &&
               svi_cuda_api.copy(from, bytes, ROOM, cudaMemcpyDefault, a) == cudaSuccess;
    svi_cuda_api.last_error();
    fake_read(ordinary[0], back, ROOM);
    is_right = is_right && memcmp(ordinary[0] + 884, pattern + 892, 4) == 0;
    end_memory(dst, to);
    end_memory(src, from);
    end_memory(first, back);
    end_memory(first, bytes);
}

static void packed_from_another_device(void)
{
    packed(first, second);
}

static void packed_to_another_device(void)
{
    packed(second, first);
}

/* A device that reaches ordinary memory may read and write it after the runtime's call. */
static void ordinary_memory_of_such(struct svi_device dst, struct svi_device src)
{
    fake_set_attribute(-1, cudaDevAttrPageableMemoryAccess, 1);
    svi_gpu_driven_nbytes = 1;
    blocking(DENSE, dst, src);
    svi_gpu_driven_nbytes = 4 << 20;
    fake_set_attribute(-1, cudaDevAttrPageableMemoryAccess, 0);
}

static void ordinary_memory_that_is_reached(void)
{
    ordinary_memory_of_such(first, cpu);
    ordinary_memory_of_such(cpu, first);
}

/* --- scenarios: memory in the order of streams --------------------------------------------------- */

static sv_buffer *buffer_of(sv_status (*make)(sv_allocator **out), cudaStream_t stream)
{
    sv_allocator *allocator = NULL;
    sv_buffer *buffer = NULL;

    cr_assert_eq(make(&allocator), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_buffer_new(allocator, 1000, 0, 0, (uintptr_t)stream, &buffer), SV_OK, "%s", sv_last_message());
    sv_allocator_release(allocator);
    return buffer;
}

static sv_status pool(sv_allocator **out)
{
    return sv_allocator_pool_view(SV_MEMORY_DEVICE, 0, 0, out);
}

/* Work on the memory that libsv knows nothing of. */
static void write_on(const sv_buffer *buffer, cudaStream_t stream)
{
    cr_assert_eq(svi_cuda_api.set(sv_buffer_data(buffer), 1, 1000, stream), cudaSuccess);
}

static void order(cudaStream_t stream, cudaStream_t after)
{
    cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, 0, (uintptr_t)stream, SV_DEVICE_CUDA, 0, (uintptr_t)after), SV_OK,
                 "%s", sv_last_message());
}

/* Freed on its own stream, after what was recorded on the other. */
static void pool_memory_used_elsewhere(void)
{
    sv_buffer *buffer = buffer_of(pool, a);

    order(b, a);
    write_on(buffer, b);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)b), SV_OK);
    sv_buffer_release(buffer);
}

static void pool_memory_given_to_another_stream(void)
{
    sv_buffer *buffer = buffer_of(pool, a);

    write_on(buffer, a);
    cr_assert_eq(sv_buffer_set_stream(buffer, (uintptr_t)b), SV_OK);
    write_on(buffer, b);
    sv_buffer_release(buffer);
}

/* The old memory's work is on a, the copy and the new memory's on b. */
static void pool_memory_that_grows_on_another_stream(void)
{
    sv_buffer *buffer = buffer_of(pool, a);

    write_on(buffer, a);
    cr_assert_eq(sv_buffer_resize(buffer, 3000, 0, (uintptr_t)b), SV_OK, "%s", sv_last_message());
    write_on(buffer, b);
    sv_buffer_release(buffer);
}

/* Memory that is kept when it is freed, and used again on another stream or after one. */
static void cached_memory(cudaStream_t freed_on, cudaStream_t used_on, cudaStream_t again_on)
{
    sv_allocator *base = NULL, *cached = NULL;
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_allocator_device(0, &base), SV_OK);
    cr_assert_eq(sv_allocator_cached(base, INT64_MAX, &cached), SV_OK);
    for (int round = 0; round < 2; round++) {
        const cudaStream_t stream = round == 0 ? freed_on : again_on;

        cr_assert_eq(sv_buffer_new(cached, 1000, 0, 0, (uintptr_t)stream, &buffer), SV_OK);
        write_on(buffer, stream);
        if (round == 0 && used_on != stream) {
            order(used_on, stream);
            write_on(buffer, used_on);
        }
        cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)(round == 0 ? used_on : stream)), SV_OK);
        sv_buffer_release(buffer);
    }
    sv_allocator_release(base);
    sv_allocator_release(cached);
    collect();
}

static void cached_memory_used_elsewhere(void)
{
    cached_memory(a, b, a);
}

static void cached_memory_of_the_default_stream(void)
{
    cached_memory(NULL, NULL, a);
}

/* Freeing page-locked memory does not wait for work by itself. */
static void pinned_memory_freed_late(void)
{
    sv_buffer *buffer = buffer_of(sv_allocator_pinned, NULL);

    write_on(buffer, a);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)a), SV_OK);
    sv_buffer_release(buffer);
    cr_assert_eq(sv_memory_collect(0, NULL), SV_OK);
    collect();
}

/* --- scenarios: streams that wait for each other ---------------------------------------------------- */

static void a_copy_after_another_stream(void)
{
    char *to = memory_of(first, other), *middle = memory_of(first, other), *from = memory_of(first, pattern);

    expect_copy(TRANSPOSE, first, middle, first, from, 0, a);
    order(b, a);
    expect_copy(DENSE, first, to, first, middle, 0, b);
    expect(to, turned, ROOM);
    end_memory(first, to);
    end_memory(first, middle);
    end_memory(first, from);
}

static void a_copy_after_a_stream_of_another_device(void)
{
    char *to = memory_of(first, other), *middle = memory_of(second, other), *from = memory_of(second, pattern);

    expect_copy(TRANSPOSE, second, middle, second, from, 0, far);
    order(b, far);
    expect_copy(DENSE, first, to, second, middle, 0, b);
    expect(to, turned, ROOM);
    end_memory(first, to);
    end_memory(second, middle);
    end_memory(second, from);
}

static void the_host_after_a_stream(void)
{
    char *to = memory_of(pinned, other), *from = memory_of(first, pattern);

    expect_copy(TRANSPOSE, pinned, to, first, from, 0, a);
    cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, (uintptr_t)a), SV_OK);
    expect_on_host(to, turned, ROOM);
    end_memory(pinned, to);
    end_memory(first, from);
}

/* --- planting -------------------------------------------------------------------------------------- */

static const struct scenario {
    const char *name;
    void (*run)(void);
    int orders; /* calls of which each is left out once, at least */
    int work;   /* calls of which each is diverted once; 0: the test's own are among them */
    const char *spare; /* the call that nobody misses, and why; NULL: none */
    int nspare;        /* how many such orders and work together */
} scenarios[] = {
    {"ring, to a device", ring_to_devices, 20, 24, NULL, 0},
    {"ring, to a device on two streams", ring_to_devices_on_two_streams, 20, 24, NULL, 0},
    /* Scratch memory that is freed when the host has everything is free on any stream. */
    {"ring, from a device", ring_from_devices, 24, 24, "release_async", 2},
    {"ring, to and from a device", ring_to_and_from_devices, 24, 24, "release_async", 1},
    {"ring, without waits", ring_without_waits, 16, 0, NULL, 0},
    {"staged, from pinned memory", staged_from_pinned, 1, 0, NULL, 0},
    {"staged, to pinned memory", staged_to_pinned, 1, 6, NULL, 0},
    {"mapped, from pinned memory", mapped_from_pinned, 1, 0, NULL, 0},
    {"mapped, to pinned memory", mapped_to_pinned, 1, 1, NULL, 0},
    {"pitched, from pinned memory", pitched_from_pinned, 1, 0, NULL, 0},
    {"pitched, to pinned memory", pitched_to_pinned, 1, 1, NULL, 0},
    {"within a device", within_a_device, 1, 0, NULL, 0},
    {"between devices", between_devices, 1, 0, NULL, 0},
    {"packed, from another device", packed_from_another_device, 18, 20, NULL, 0},
    {"packed, to another device", packed_to_another_device, 18, 20, NULL, 0},
    {"ordinary memory that is reached", ordinary_memory_that_is_reached, 2, 0, NULL, 0},
    {"pool memory used on another stream", pool_memory_used_elsewhere, 4, 0, NULL, 0},
    {"pool memory given to another stream", pool_memory_given_to_another_stream, 2, 0, NULL, 0},
    /* The free waits once more for what the copy waited for: had that failed, the memory would still be in use. */
    {"pool memory that grows on another stream", pool_memory_that_grows_on_another_stream, 3, 0, "wait s2", 1},
    {"cached memory used elsewhere", cached_memory_used_elsewhere, 4, 0, NULL, 0},
    {"cached memory of the default stream", cached_memory_of_the_default_stream, 2, 0, NULL, 0},
    {"pinned memory freed late", pinned_memory_freed_late, 2, 0, NULL, 0},
    {"a copy after another stream", a_copy_after_another_stream, 2, 2, NULL, 0},
    {"a copy after a stream of another device", a_copy_after_a_stream_of_another_device, 2, 0, NULL, 0},
    {"the host after a stream", the_host_after_a_stream, 1, 6, NULL, 0},
};

enum { SCENARIOS = sizeof scenarios / sizeof *scenarios, ROUNDS = 4 /* eager, lazy, and random twice */ };

static char planted[64]; /* the call that the last scenario had its bug in */

/* Whether the runtime tells of something, or bytes are wrong. */
static bool is_noticed(const struct scenario *s, int round, int drop, int divert)
{
    const enum fake_policy policy = round < FAKE_POLICIES ? (enum fake_policy)round : FAKE_RANDOM;
    cudaStream_t *const streams[] = {&a, &b, &c, &d};
    cudaStream_t elsewhere;

    fake_start(policy, (unsigned)round);
    svi_gpu_chunk_nbytes = CHUNK;
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    for (int i = 0; i < 4; i++)
        *streams[i] = fake_new_stream(0, cudaStreamNonBlocking);
    far = fake_new_stream(1, cudaStreamNonBlocking);
    elsewhere = fake_new_stream(0, cudaStreamNonBlocking);
    is_right = true;
    nused = 0;
    fake_drop_order(drop);
    fake_divert_work(divert, elsewhere);
    s->run();
    strcpy(planted, fake_planted());
    for (int i = 0; i < 4; i++)
        fake_end_stream(*streams[i]);
    fake_end_stream(far);
    fake_end_stream(elsewhere);
    return *fake_end() != '\0' || !is_right;
}

static void make_patterns(void)
{
    for (size_t i = 0; i < ROOM; i++)
        pattern[i] = (char)(i * 7 + i / 251);
    memset(other, 0x55, ROOM);
    turn(turned, pattern);
}

TestSuite(cuda_planted, .init = make_patterns);

Test(cuda_planted, no_bug)
{
    for (int i = 0; i < SCENARIOS; i++)
        for (int round = 0; round < ROUNDS + 2; round++)
            cr_expect_not(is_noticed(&scenarios[i], round, 0, 0), "%s: %s", scenarios[i].name, fake_text());
}

/* Plants the nth bug. false: there are not so many calls. */
static bool plant(const struct scenario *s, int drop, int divert, bool *noticed)
{
    bool any = false;

    *noticed = false;
    for (int round = 0; round < ROUNDS && !*noticed; round++) {
        const bool now = is_noticed(s, round, drop, divert);

        any = any || *planted != '\0';
        *noticed = now && *planted != '\0';
        if (!any)
            return false;
    }
    return true;
}

static bool is_spare(const struct scenario *s)
{
    return s->spare != NULL && strncmp(planted, s->spare, strlen(s->spare)) == 0;
}

/* How many bugs nobody noticed that nobody has to. */
static int plant_all(const struct scenario *s, bool diverts)
{
    const int least = diverts ? s->work : s->orders;
    int nth = 1, spare = 0;
    bool noticed;

    for (; plant(s, diverts ? 0 : nth, diverts ? nth : 0, &noticed); nth++) {
        spare += !noticed && is_spare(s);
        cr_expect(noticed || is_spare(s), "%s: nobody notices that call %d, %s, is %s", s->name, nth, planted,
                  diverts ? "on another stream" : "left out");
    }
    cr_expect_geq(nth - 1, least, "%s: %d calls", s->name, nth - 1);
    return spare;
}

Test(cuda_planted, each_bug_is_noticed)
{
    for (int i = 0; i < SCENARIOS; i++) {
        const struct scenario *s = &scenarios[i];
        int spare = plant_all(s, false);

        if (s->work > 0)
            spare += plant_all(s, true);
        cr_expect_eq(spare, s->nspare, "%s: %d", s->name, spare);
    }
}
