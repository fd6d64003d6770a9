/* Copies by every route of src/gpu/route.c, of less and more than a chunk, in every order that streams allow. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/own_pages.h"
#include "gpu/ring.h"
#include "gpu/route.h"
#include "plan/detour.h"
#include "fake/fake.h"
#include "support/pairs.h"
#include "gpu/cuda/find.h"
#include "host/front/host.h"
#include "gpu/cuda/cuda.h"
#include "device/backends.h"

static const struct svi_device cpu = {SV_DEVICE_CPU, 0}, pinned = {SV_DEVICE_CUDA_HOST, 0}, first = {SV_DEVICE_CUDA, 0},
                               second = {SV_DEVICE_CUDA, 1}, managed = {SV_DEVICE_CUDA_MANAGED, 0};

enum { CHUNK = 4096 };

static cudaStream_t stream; /* of the first device */

static void begin(enum fake_policy policy, unsigned seed)
{
    fake_start(policy, seed);
    svi_gpu_chunk_nbytes = CHUNK;
    svi_gpu_driven_nbytes = 4 << 20;
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    stream = fake_new_stream(0, cudaStreamNonBlocking);
}

static const char *end(void)
{
    fake_end_stream(stream);
    return fake_end();
}

/* --- layouts ------------------------------------------------------------------------------- */

static const struct layouts {
    const char *name;
    int32_t ndim;
    int64_t itemsize, shape[3], dst[3], src[3];
    int64_t dst_origin, src_origin; /* bytes to the element [0,...,0] */
} layouts[] = {
    {"dense", 1, 4, {5000}, {4}, {4}, 0, 0},
    {"one item", 0, 8, {0}, {0}, {0}, 0, 0},
    {"long rows", 2, 1, {30, 700}, {701, 1}, {703, 1}, 0, 0},
    {"short rows", 2, 4, {500, 10}, {44, 4}, {48, 4}, 0, 0},
    {"transpose", 2, 4, {100, 120}, {480, 4}, {4, 400}, 0, 0},
    {"large transpose", 2, 4, {150, 160}, {640, 4}, {4, 600}, 0, 0},
    {"small transpose", 2, 2, {7, 9}, {18, 2}, {2, 14}, 0, 0},
    {"backwards", 1, 4, {5000}, {4}, {-4}, 0, 19996},
    {"repeated", 2, 4, {40, 300}, {1200, 4}, {4, 0}, 0, 0},
    {"odd items, permuted", 3, 3, {11, 23, 30}, {2070, 90, 3}, {3, 33, 759}, 0, 0},
    {"planes", 3, 1, {4, 30, 520}, {16672, 521, 1}, {21200, 530, 1}, 0, 0},
    {"many planes", 3, 1, {70, 2, 520}, {1590, 530, 1}, {1050, 525, 1}, 0, 0},
    {"planes between rows", 3, 1, {70, 2, 520}, {1600, 530, 1}, {1050, 525, 1}, 0, 0},
    {"steps", 2, 4, {60, 70}, {1120, 8}, {840, 12}, 0, 0},
    {"gaps in the source", 2, 4, {100, 120}, {480, 4}, {8, 808}, 0, 0},
    {"gaps in the destination", 2, 4, {100, 120}, {1000, 8}, {4, 400}, 0, 0},
    {"gaps and repeats", 2, 4, {50, 200}, {1608, 8}, {12, 0}, 0, 0},
    {"gaps on both sides", 2, 4, {60, 70}, {1124, 8}, {844, 12}, 0, 0},
    {"few rows with gaps", 2, 4, {4, 3}, {40, 8}, {60, 12}, 0, 0},
};

enum { LAYOUTS = sizeof layouts / sizeof *layouts, ROOM = 128 << 10 };

static void make_plan(const struct layouts *l, struct svi_plan *plan)
{
    svi_plan_make(l->ndim, l->shape, l->dst, l->src, l->itemsize, plan);
}

/* --- memory --------------------------------------------------------------------------------- */

static char *allocate(struct svi_device device)
{
    if (device.type == SV_DEVICE_CPU)
        return malloc(ROOM);
    return fake_allocate(device.type == SV_DEVICE_CUDA        ? cudaMemoryTypeDevice
                         : device.type == SV_DEVICE_CUDA_HOST ? cudaMemoryTypeHost
                                                              : cudaMemoryTypeManaged,
                         device.id, ROOM);
}

static void release(struct svi_device device, char *memory)
{
    if (device.type == SV_DEVICE_CPU)
        free(memory);
    else
        fake_free(memory);
}

static char pattern[ROOM], before[ROOM], expected[ROOM], arrived[ROOM];

static void expect_all(const struct layouts *l)
{
    struct svi_plan plan;

    for (size_t i = 0; i < ROOM; i++)
        pattern[i] = (char)(i * 7 + i / 251);
    memset(before, 0x55, ROOM);
    memcpy(expected, before, ROOM);
    make_plan(l, &plan);
    cr_assert_eq(svi_host.copy(&(struct svi_request){&plan, cpu, expected + l->dst_origin, cpu,
                                                     pattern + l->src_origin, 0, SV_COPY_BLOCKING, NULL, NULL}),
                 SV_OK);
}

static struct svi_request request_of(const struct layouts *l, const struct svi_plan *plan, struct svi_device dst,
                                     char *to, struct svi_device src, char *from, uint32_t flags)
{
    return (struct svi_request){plan, dst, to + l->dst_origin, src, from + l->src_origin, (uintptr_t)stream, flags,
                                NULL, NULL};
}

/* Copies twice, the second time after the first without waiting, and scribbles over what the call was done with. */
static void expect_copied(const struct layouts *l, struct svi_device dst, struct svi_device src, uint32_t flags)
{
    char *to = allocate(dst), *from = allocate(src);
    struct svi_plan plan;
    struct svi_request request;

    make_plan(l, &plan);
    request = request_of(l, &plan, dst, to, src, from, flags);
    expect_all(l);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(svi_cuda.copy(&request), SV_OK, "%s: %s", l->name, sv_last_message());
    if (src.type == SV_DEVICE_CPU)
        memset(from, 0x77, ROOM);
    if (dst.type == SV_DEVICE_CPU)
        memcpy(arrived, to, ROOM);
    else
        fake_read(arrived, to, ROOM);
    cr_assert_eq(memcmp(arrived, expected, ROOM), 0, "%s: %d to %d", l->name, (int)src.type, (int)dst.type);
    release(dst, to);
    release(src, from);
}

/* --- the table of routes ------------------------------------------------------------------------ */

static const struct {
    const char *name;
    struct svi_device dst, src;
    const char *layout, *route;
} routes[] = {
    {"device to device", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, "dense", "contiguous"},
    {"device to device", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, "large transpose", "permute_4"},
    {"device to device", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, "backwards", "reverse_4"},
    {"device to device", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, "repeated", "repeat_4"},
    {"device to device", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, "steps", "permute_4"},
    {"managed to device", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_MANAGED, 0}, "steps", "permute_4"},
    {"pinned, one order, dense", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "dense", "pitched"},
    {"pinned, rows", {SV_DEVICE_CUDA_HOST, 0}, {SV_DEVICE_CUDA, 0}, "long rows", "pitched"},
    {"pinned, planes", {SV_DEVICE_CUDA_HOST, 0}, {SV_DEVICE_CUDA, 0}, "planes", "pitched"},
    {"pinned, planes", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "many planes", "pitched"},
    {"pinned, planes", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "planes between rows", "pitched"},
    {"pinned, short rows", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "short rows", "mapped"},
    {"pinned, small", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "small transpose", "mapped"},
    {"pinned, permuted", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "large transpose", "staged"},
    {"pinned, permuted", {SV_DEVICE_CUDA_HOST, 0}, {SV_DEVICE_CUDA, 0}, "large transpose", "staged"},
    {"pageable, dense", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, "dense", "ringed"},
    {"pageable, rows", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, "long rows", "ringed"},
    {"pageable, permuted", {SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA, 0}, "transpose", "ringed"},
    {"peers, dense", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, "dense", "peer"},
    {"peers, permuted", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, "large transpose", "staged"},
    {"peers, gaps on the near side", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, "gaps in the destination", "staged"},
    {"peers, gaps on the far side", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, "gaps in the source", "packed"},
    {"peers, gaps on both sides", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, "gaps on both sides", "packed"},
    {"peers, a few rows with gaps", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, "few rows with gaps", "peer"},
};

static const struct layouts *layout_called(const char *name)
{
    size_t i = 0;

    while (i < LAYOUTS && strcmp(layouts[i].name, name) != 0)
        i++;
    cr_assert_lt(i, LAYOUTS, "%s", name);
    return &layouts[i];
}

Test(cuda_routes, each_has_its_route)
{
    begin(FAKE_LAZY, 1);
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        struct svi_plan plan;

        make_plan(layout_called(routes[i].layout), &plan);
        cr_expect_str_eq(svi_gpu_route_name(&plan, routes[i].dst, routes[i].src), routes[i].route, "%s, %s",
                         routes[i].name, routes[i].layout);
    }
    cr_assert_str_eq(end(), "");
}

Test(cuda_routes, every_byte_arrives_in_every_order_of_work)
{
    const struct svi_device pairs[][2] = {{first, first},  {first, cpu},    {cpu, first},  {first, pinned},
                                          {pinned, first}, {first, second}, {second, first}, {managed, first},
                                          {first, managed}};

    for (int64_t round = test_first_round(); test_round(round, 6); round++)
        for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++) {
            begin((enum fake_policy)(round % FAKE_POLICIES), (unsigned)round);
            svi_gpu_driven_nbytes = round % 2 ? 4 << 20 : 1;
            for (size_t i = 0; i < LAYOUTS; i++)
                expect_copied(&layouts[i], pairs[pair][0], pairs[pair][1], round % 2 ? SV_COPY_BLOCKING : 0);
            cr_assert_str_eq(end(), "");
        }
}

/* At the sizes that users get: by the driver's copy of ordinary memory where that is one run, else through the ring. */
Test(cuda_routes, true_chunks)
{
    enum { X = 1500, Y = 1600 }; /* three slots of the ring */
    static const int64_t shape[] = {X, Y}, rows[] = {4 * Y, 4};
    char *host = malloc(4 * (X + 1) * Y), *back = malloc(4 * (X + 1) * Y), *device;
    struct svi_plan plan;

    begin(FAKE_LAZY, 3);
    svi_gpu_chunk_nbytes = 4 << 20;
    device = fake_allocate(cudaMemoryTypeDevice, 0, 4 * X * Y);
    for (size_t i = 0; i < 4 * (X + 1) * Y; i++)
        host[i] = (char)(i * 7 + i / 251);
    for (int gap = 0; gap < 2; gap++) {
        const int64_t columns[] = {4, 4 * (X + gap)};
        const char *const route = gap ? "ringed" : "staged";

        svi_plan_make(2, shape, rows, columns, 4, &plan);
        cr_expect_str_eq(svi_gpu_route_name(&plan, first, cpu), route);
        cr_assert_eq(
            svi_cuda.copy(&(struct svi_request){&plan, first, device, cpu, host, (uintptr_t)stream, 0, NULL, NULL}), SV_OK);
        svi_plan_make(2, shape, columns, rows, 4, &plan);
        cr_expect_str_eq(svi_gpu_route_name(&plan, cpu, first), route);
        memset(back, 0, 4 * (X + 1) * Y);
        cr_assert_eq(
            svi_cuda.copy(&(struct svi_request){&plan, cpu, back, first, device, (uintptr_t)stream, 0, NULL, NULL}), SV_OK);
        for (int64_t k = 0; k < Y; k++)
            cr_assert_eq(memcmp(host + k * columns[1], back + k * columns[1], 4 * X), 0, "%s, %d", route, (int)k);
    }
    fake_free(device);
    free(host);
    free(back);
    cr_assert_str_eq(end(), "");
}

/* On both sides of 4 MiB. */
Test(cuda_routes, the_driver_copies_large_runs_of_ordinary_memory)
{
    begin(FAKE_EAGER, 1);
    for (int64_t columns = 1023; columns <= 1024; columns++) {
        const int64_t shape[] = {1024, columns}, rows[] = {4 * columns, 4}, turned[] = {4, 4096};
        const char *const route = columns == 1024 ? "staged" : "ringed";
        struct svi_plan plan;

        svi_plan_make(2, shape, rows, turned, 4, &plan);
        cr_expect_str_eq(svi_gpu_route_name(&plan, first, cpu), route);
        svi_plan_make(2, shape, turned, rows, 4, &plan);
        cr_expect_str_eq(svi_gpu_route_name(&plan, cpu, first), route);
    }
    cr_assert_str_eq(end(), "");
}

/* --- ordinary memory of other kinds ------------------------------------------------------------- */

/* One run of it, and where it begins in its pages. */
struct ordinary {
    const char *name;
    int flags, access;
    bool touched, of_file;
    enum svi_pages pages;
};

static const struct ordinary ordinary[] = {
    {"memory of its own", MAP_PRIVATE | MAP_ANONYMOUS, PROT_READ | PROT_WRITE, true, false, SVI_PAGES_OWN},
    {"memory not touched", MAP_PRIVATE | MAP_ANONYMOUS, PROT_READ | PROT_WRITE, false, false, SVI_PAGES_UNKNOWN},
    {"shared memory", MAP_SHARED | MAP_ANONYMOUS, PROT_READ | PROT_WRITE, true, false, SVI_PAGES_FILE},
    {"a file", MAP_SHARED, PROT_READ | PROT_WRITE, true, true, SVI_PAGES_FILE},
    {"a file not touched", MAP_SHARED, PROT_READ | PROT_WRITE, false, true, SVI_PAGES_UNKNOWN},
    {"a file, copied when written", MAP_PRIVATE, PROT_READ | PROT_WRITE, true, true, SVI_PAGES_OWN},
    {"a file, read alone", MAP_PRIVATE, PROT_READ, true, true, SVI_PAGES_FILE},
};

enum { RUN = 5 << 20, PAGE = 4096 };

/* The file has no name any more. NULL: there is no room for it. */
static char *map_ordinary(const struct ordinary *o)
{
    FILE *file = o->of_file ? tmpfile() : NULL;
    char *memory = MAP_FAILED;

    if (o->of_file && (file == NULL || ftruncate(fileno(file), RUN) != 0))
        return NULL;
    memory = mmap(NULL, RUN, o->access, o->flags, o->of_file ? fileno(file) : -1, 0);
    if (file != NULL)
        fclose(file);
    cr_assert_neq(memory, MAP_FAILED, "%s", o->name);
    if (o->touched && (o->access & PROT_WRITE))
        memset(memory, 3, RUN);
    else if (o->touched)
        for (size_t i = 0; i < RUN; i += PAGE)
            (void)*(volatile char *)(memory + i);
    return memory;
}

static sv_status copy_run(struct svi_device dst, void *to, struct svi_device src, const void *from)
{
    const int64_t shape[] = {RUN}, strides[] = {1};
    struct svi_plan plan;

    svi_plan_make(1, shape, strides, strides, 1, &plan);
    return svi_cuda.copy(&(struct svi_request){&plan, dst, to, src, from, (uintptr_t)stream, 0, NULL, NULL});
}

/* The fake runtime tells of each page of a file that the driver is asked to copy. */
Test(cuda_routes, pages_of_files_are_never_the_drivers)
{
    begin(FAKE_LAZY, 3);
    svi_gpu_chunk_nbytes = 1 << 20;
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++) {
        char *host = map_ordinary(&ordinary[i]), *device = fake_allocate(cudaMemoryTypeDevice, 0, RUN);

        if (host == NULL) {
            fake_free(device);
            continue;
        }
        cr_expect_eq(svi_find_pages(host + 5, RUN - 9), ordinary[i].pages, "%s", ordinary[i].name);
        cr_assert_eq(copy_run(first, device, cpu, host), SV_OK, "%s: %s", ordinary[i].name, sv_last_message());
        if (ordinary[i].access & PROT_WRITE)
            cr_assert_eq(copy_run(cpu, host, first, device), SV_OK, "%s: %s", ordinary[i].name, sv_last_message());
        cr_expect_eq(host[RUN - 1], ordinary[i].touched && (ordinary[i].access & PROT_WRITE) ? 3 : 0);
        fake_free(device);
        munmap(host, RUN);
    }
    cr_assert_str_eq(end(), "");
}

/* One page of a file in the middle is found where it is looked at: in each MiB. */
Test(cuda_routes, one_page_in_each_mib_is_looked_at)
{
    char *host = mmap(NULL, RUN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memset(host, 1, RUN);
    cr_expect_eq(svi_find_pages(host, RUN), SVI_PAGES_OWN);
    cr_expect_eq(svi_find_pages(host, 1), SVI_PAGES_OWN);
    cr_assert_eq(mmap(host + (2 << 20), PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
                 host + (2 << 20));
    host[2 << 20] = 1;
    cr_expect_eq(svi_find_pages(host, RUN), SVI_PAGES_FILE);
    cr_expect_eq(svi_find_pages(host, (2 << 20) + 1), SVI_PAGES_FILE);
    cr_expect_eq(svi_find_pages(host, 2 << 20), SVI_PAGES_OWN);
    munmap(host, RUN);
    cr_expect_eq(svi_find_pages(host, RUN), SVI_PAGES_UNKNOWN);
}

/* Who copies a little has a small ring, which grows when more comes: after what is under way in it. */
Test(cuda_routes, a_ring_grows)
{
    enum { LITTLE = 1000, SMALL = 4 << 16, LARGE = 4 << 20 /* of pinned memory: four slots */ };
    static char run[RUN], back[RUN];
    const int64_t few[] = {LITTLE}, all[] = {RUN}, strides[] = {1};
    struct svi_plan little, large;
    char *device;

    begin(FAKE_LAZY, 3);
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
Test(cuda_routes, threads_of_the_caller_fill_and_empty_the_ring)
{
    enum { CALLS = 5 /* chunks of 1 MiB in a run */, PARTS = 4 };
    static char run[RUN], back[RUN];
    struct runner runner = {0};
    const struct svi_threads threads = {PARTS, run_backwards, &runner};
    const int64_t shape[] = {RUN}, strides[] = {1};
    struct svi_request to_device, to_host;
    struct svi_plan plan;
    char *device;

    begin(FAKE_LAZY, 3);
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

/* On both sides of 64 KiB, and at each place in a word. */
Test(cuda_routes, dense_bytes_are_the_drivers_unless_words_begin_elsewhere)
{
    enum { LIMIT = 1 << 16, GROUND = LIMIT + 64 };
    static char bytes[GROUND], copied[GROUND];
    char *to, *from;

    begin(FAKE_EAGER, 1);
    to = fake_allocate(cudaMemoryTypeDevice, 0, GROUND);
    from = fake_allocate(cudaMemoryTypeDevice, 0, GROUND);
    for (int i = 0; i < GROUND; i++)
        bytes[i] = (char)(i * 7 + i / 251);
    fake_write(from, bytes, GROUND);
    for (int64_t nbytes = LIMIT - 1; nbytes <= LIMIT; nbytes++)
        for (int apart = 0; apart < 5; apart++) {
            struct svi_plan plan;

            svi_plan_make(1, &nbytes, (const int64_t[]){1}, (const int64_t[]){1}, 1, &plan);
            fake_reset();
            cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, first, to, first, from + apart, (uintptr_t)stream,
                                                             SV_COPY_BLOCKING, NULL, NULL}),
                         SV_OK, "%s", sv_last_message());
            cr_expect_eq(fake_count(FAKE_CALL(launch)), nbytes == LIMIT && apart % 4 != 0, "%d, %d", (int)nbytes,
                         apart);
            fake_read(copied, to, (size_t)nbytes);
            cr_expect_eq(memcmp(copied, bytes + apart, (size_t)nbytes), 0, "%d, %d", (int)nbytes, apart);
        }
    fake_free(to);
    fake_free(from);
    cr_assert_str_eq(end(), "");
}

/* A default pool would give its memory back whenever something waits for a stream. */
Test(cuda_routes, scratch_memory_is_kept_until_it_is_collected)
{
    const struct layouts *l = layout_called("large transpose");

    begin(FAKE_EAGER, 1);
    for (int round = 0; round < 3; round++)
        expect_copied(l, first, pinned, SV_COPY_BLOCKING);
    cr_expect_eq(fake_count(FAKE_CALL(new_pool)), 1);
    cr_expect_eq(fake_count(FAKE_CALL(end_pool)), 0);
    cr_assert_eq(sv_memory_collect(0, NULL), SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_count(FAKE_CALL(end_pool)), 1);
    expect_copied(l, first, pinned, SV_COPY_BLOCKING);
    cr_expect_eq(fake_count(FAKE_CALL(new_pool)), 2);
    cr_assert_str_eq(end(), "");
}

/* --- what crosses the link ------------------------------------------------------------------------ */

Test(cuda_routes, the_payload_crosses_the_link_once)
{
    const struct svi_device pairs[][2] = {{first, cpu},    {cpu, first},    {first, pinned},
                                          {pinned, first}, {first, second}, {second, first}};

    begin(FAKE_EAGER, 1);
    for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++)
        for (size_t i = 0; i < LAYOUTS; i++) {
            const struct svi_device dst = pairs[pair][0], src = pairs[pair][1];
            struct svi_plan plan;
            const char *route;

            make_plan(&layouts[i], &plan);
            route = svi_gpu_route_name(&plan, dst, src);
            fake_reset();
            expect_copied(&layouts[i], dst, src, 0);
            if (strcmp(route, "mapped") != 0)
                cr_expect_eq(fake_moved(), 2 * svi_detour_nbytes(&plan, SVI_SIDE_SRC), "%s, %s: %d", layouts[i].name, route,
                             (int)fake_moved());
        }
    cr_assert_str_eq(end(), "");
}

/* --- launches ---------------------------------------------------------------------------------------- */

static int given_to_streams(void)
{
    return fake_count(FAKE_CALL(launch)) + fake_count(FAKE_CALL(copy)) + fake_count(FAKE_CALL(copy_rows)) + fake_count(FAKE_CALL(copy_planes)) +
           fake_count(FAKE_CALL(copy_peer));
}

/* Calls of the copy engine: of planes one, of planes at odd distances one for each row of a plane. */
Test(cuda_routes, planes_are_one_call)
{
    static const struct {
        const char *layout, *log;
    } cases[] = {
        {"long rows", "0:copy_rows 30x700 s1; "},
        {"planes", "0:copy_planes 4x30x520 s1; "},
        {"many planes", "0:copy_planes 70x2x520 s1; "},
        {"planes between rows", "0:copy_rows 70x520 s1; 0:copy_rows 70x520 s1; "},
    };
    char *to, *from;

    begin(FAKE_EAGER, 1);
    to = allocate(first);
    from = allocate(pinned);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct layouts *l = layout_called(cases[i].layout);
        struct svi_plan plan;
        struct svi_request request;

        make_plan(l, &plan);
        request = request_of(l, &plan, first, to, pinned, from, 0);
        fake_reset();
        cr_assert_eq(svi_cuda.copy(&request), SV_OK, "%s", sv_last_message());
        cr_expect_str_eq(fake_log(), cases[i].log, "%s", fake_log());
    }
    release(first, to);
    release(pinned, from);
    cr_assert_str_eq(end(), "");
}

/* Within a device, two at most. */
Test(cuda_routes, launches_are_those_that_are_told)
{
    const struct svi_device pairs[][2] = {{first, first},   {managed, first}, {first, cpu},    {cpu, first},
                                          {first, pinned},  {pinned, first},  {first, second}, {managed, managed}};

    begin(FAKE_EAGER, 1);
    for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++)
        for (size_t i = 0; i < LAYOUTS; i++) {
            const struct svi_device dst = pairs[pair][0], src = pairs[pair][1];
            struct svi_plan plan;
            int64_t told;

            make_plan(&layouts[i], &plan);
            fake_reset();
            told = svi_cuda.launches(&plan, dst, src, 0);
            cr_expect_eq(fake_calls(), 0, "%s: counting calls the runtime", layouts[i].name);
            expect_copied(&layouts[i], dst, src, 0);
            cr_expect_eq(given_to_streams(), 2 * told, "%s, %s: %d of %d", layouts[i].name,
                         svi_cuda.kernel(&plan, dst, src), given_to_streams(), 2 * (int)told);
            cr_expect(told <= 2 || src.id != dst.id || svi_device_has(dst.type, SV_TRAIT_HOST) ||
                      svi_device_has(src.type, SV_TRAIT_HOST));
        }
    cr_assert_str_eq(end(), "");
}

/* Though a copy from a device, and one of more chunks than slots, would be refused. */
Test(cuda_routes, copies_that_may_not_wait_are_counted)
{
    const struct svi_device pairs[][2] = {{first, cpu}, {cpu, first}};
    int counted = 0;

    begin(FAKE_EAGER, 1);
    for (size_t pair = 0; pair < 2; pair++)
        for (size_t i = 0; i < LAYOUTS; i++) {
            const struct svi_device dst = pairs[pair][0], src = pairs[pair][1];
            struct svi_plan plan;

            make_plan(&layouts[i], &plan);
            if (strcmp(svi_cuda.kernel(&plan, dst, src), "ringed") != 0)
                continue;
            counted++;
            cr_expect_eq(svi_cuda.launches(&plan, dst, src, SV_COPY_NO_WAIT), svi_cuda.launches(&plan, dst, src, 0),
                         "%s", layouts[i].name);
        }
    cr_expect_gt(counted, LAYOUTS);
    cr_assert_str_eq(end(), "");
}

/* What a planned copy asks the runtime besides: the thread's device, and whether the stream is captured. */
Test(cuda_routes, planned_copies_within_a_device_take_three_calls)
{
    begin(FAKE_LAZY, 1);
    for (size_t i = 0; i < LAYOUTS; i++) {
        char *to = allocate(first), *from = allocate(first);
        struct svi_request request;
        struct svi_plan plan;

        make_plan(&layouts[i], &plan);
        request = request_of(&layouts[i], &plan, first, to, first, from, 0);
        cr_assert_eq(svi_cuda.copy(&request), SV_OK); /* the kernel is loaded */
        fake_reset();
        cr_assert_eq(svi_cuda.copy(&request), SV_OK);
        cr_expect_eq(fake_calls(), 3, "%s: %d", layouts[i].name, fake_calls());
        release(first, to);
        release(first, from);
    }
    cr_assert_str_eq(end(), "");
}

/* --- conversions ---------------------------------------------------------------------------------- */

static const struct {
    sv_dtype dst, src;
    bool swapped;
} conversions[] = {
    {SV_FLOAT32, SV_INT16, false},   {SV_FLOAT32, SV_INT16, true},  {SV_FLOAT16, SV_FLOAT64, false},
    {SV_COMPLEX64, SV_UINT8, false}, {SV_INT64, SV_FLOAT32, false}, {SV_BOOL, SV_COMPLEX128, false},
};

enum { CONVERTED_ROWS = 60, CONVERTED_COLUMNS = 70, CONVERTED = CONVERTED_ROWS * CONVERTED_COLUMNS };

/* A transpose to rows with gaps, with so many gaps of an item between two on both sides, and what the host makes of
 * it. */
static void plan_conversion(size_t i, int64_t gap, struct svi_plan *plan)
{
    struct svi_chain chain;
    int64_t dst[2], src[2];

    cr_assert_eq(svi_chain_find(conversions[i].dst, conversions[i].src, true, conversions[i].swapped, &chain), SV_OK);
    dst[1] = (int64_t)svi_chain_dst_bytes(&chain);
    dst[0] = (CONVERTED_COLUMNS * (1 + gap) + 3) * dst[1];
    dst[1] *= 1 + gap;
    src[0] = (int64_t)svi_chain_src_bytes(&chain);
    src[1] = (CONVERTED_ROWS * (1 + gap) + gap) * src[0];
    src[0] *= 1 + gap;
    svi_plan_make_cast(2, (const int64_t[]){CONVERTED_ROWS, CONVERTED_COLUMNS}, dst, src, &chain, 1, plan);
    expect_all(layout_called("one item"));
    memcpy(expected, before, ROOM);
    svi_host.copy(&(struct svi_request){plan, cpu, expected, cpu, pattern, 0, SV_COPY_BLOCKING, NULL, NULL});
}

static void expect_converted(size_t i, int64_t gap, struct svi_device dst, struct svi_device src, uint32_t flags)
{
    char *to = allocate(dst), *from = allocate(src);
    struct svi_plan plan;

    plan_conversion(i, gap, &plan);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    cr_assert_eq(svi_backend_search(dst, src, &plan.chain), &svi_cuda);
    fake_reset();
    cr_assert_eq(svi_cuda.copy(&(struct svi_request){&plan, dst, to, src, from, (uintptr_t)stream, flags, NULL, NULL}), SV_OK,
                 "%s", sv_last_message());
    if (dst.id == 0) /* what is told is for a stream of the destination's device */
        cr_expect_eq(given_to_streams(), svi_cuda.launches(&plan, dst, src, flags), "conversion %zu: %d to %d", i,
                     (int)src.type, (int)dst.type);
    if (dst.type == SV_DEVICE_CPU)
        memcpy(arrived, to, ROOM);
    else
        fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0, "conversion %zu: %d to %d", i, (int)src.type, (int)dst.type);
    release(dst, to);
    release(src, from);
}

Test(cuda_routes, conversions)
{
    static const struct {
        struct svi_device dst, src;
    } pairs[] = {{first, first}, {first, cpu},    {cpu, first},    {first, pinned},
                 {pinned, first}, {first, managed}, {managed, first}, {managed, managed},
                 {first, second}, {second, first}};
    static const enum fake_policy policies[] = {FAKE_EAGER, FAKE_LAZY, FAKE_RANDOM};

    for (size_t policy = 0; policy < 3; policy++)
        for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
            for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
                begin(policies[policy], (unsigned)(i * 10 + k));
                expect_converted(i, 0, pairs[k].dst, pairs[k].src, k % 2 ? SV_COPY_BLOCKING : 0);
                if (conversions[i].src != SV_COMPLEX128) /* for which there is no room */
                    expect_converted(i, 1, pairs[k].dst, pairs[k].src, k % 2 ? SV_COPY_BLOCKING : 0);
                cr_assert_str_eq(end(), "");
            }
}

/* Of what the two sides have, the smaller crosses the link, where a ring or packed memory is on the way. */
Test(cuda_routes, conversions_of_payload)
{
    enum { SMALLER_SOURCE = 0, SMALLER_DESTINATION = 2 }; /* two bytes each */

    begin(FAKE_LAZY, 1);
    for (size_t i = SMALLER_SOURCE; i <= SMALLER_DESTINATION; i += SMALLER_DESTINATION) {
        expect_converted(i, 0, cpu, first, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
        expect_converted(i, 0, first, cpu, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
        expect_converted(i, 1, first, second, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
        expect_converted(i, 1, second, first, 0);
        cr_expect_eq(fake_moved(), 2 * CONVERTED);
    }
    cr_assert_str_eq(end(), "");
}

/* --- without waiting ------------------------------------------------------------------------------- */

/* What cannot be done at once is refused, and nothing is enqueued. */
Test(cuda_routes, no_wait)
{
    static const struct {
        const char *layout;
        struct svi_device dst, src;
        sv_status status;
    } cases[] = {
        {"transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, SV_OK},
        {"transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, SV_OK},
        {"small transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, SV_OK},
        {"dense", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, SV_ERROR_BLOCKED}, /* more than the ring has */
        {"small transpose", {SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA, 0}, SV_ERROR_BLOCKED},
        {"one item", {SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA, 0}, SV_ERROR_BLOCKED},
        {"gaps on both sides", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 1}, SV_OK},
        {"gaps on both sides", {SV_DEVICE_CUDA, 1}, {SV_DEVICE_CUDA, 0}, SV_OK},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct layouts *l = layout_called(cases[i].layout);
        char *to, *from;
        struct svi_plan plan;
        struct svi_request request;

        begin(FAKE_LAZY, 1);
        to = allocate(cases[i].dst);
        from = allocate(cases[i].src);
        make_plan(l, &plan);
        request = request_of(l, &plan, cases[i].dst, to, cases[i].src, from, SV_COPY_NO_WAIT);
        cr_expect_eq(svi_cuda.copy(&request), cases[i].status, "%s: %s", cases[i].layout, sv_last_message());
        cr_expect_eq(fake_unfinished() > 0, cases[i].status == SV_OK, "%s", cases[i].layout);
        release(cases[i].dst, to);
        release(cases[i].src, from);
        cr_assert_str_eq(end(), "");
    }
}

/* --- captures ---------------------------------------------------------------------------------------- */

Test(cuda_routes, what_needs_no_wait_is_captured)
{
    static const struct {
        const char *layout;
        struct svi_device dst, src;
        const char *graph; /* NULL: SV_ERROR_STATE */
    } cases[] = {
        {"large transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA, 0}, "a kernel; "},
        {"long rows", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "a copy; "},
        {"short rows", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CUDA_HOST, 0}, "a kernel; "},
        {"transpose", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, NULL},
        {"dense", {SV_DEVICE_CUDA, 0}, {SV_DEVICE_CPU, 0}, NULL},
        {"transpose", {SV_DEVICE_CPU, 0}, {SV_DEVICE_CUDA, 0}, NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct layouts *l = layout_called(cases[i].layout);
        struct fake_graph *graph = NULL;
        char *to, *from;
        struct svi_plan plan;
        struct svi_request request;

        begin(FAKE_LAZY, 1);
        to = allocate(cases[i].dst);
        from = allocate(cases[i].src);
        make_plan(l, &plan);
        request = request_of(l, &plan, cases[i].dst, to, cases[i].src, from, 0);
        cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        cr_expect_eq(svi_cuda.copy(&request), cases[i].graph == NULL ? SV_ERROR_STATE : SV_OK, "%s: %s",
                     cases[i].layout, sv_last_message());
        cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess, "%s", cases[i].layout);
        cr_expect_str_eq(fake_graph_text(graph), cases[i].graph == NULL ? "" : cases[i].graph);
        fake_end_graph(graph);
        release(cases[i].dst, to);
        release(cases[i].src, from);
        cr_assert_str_eq(end(), "");
    }
}

/* By rows: a stream of the far device would have to be captured, too. */
Test(cuda_routes, packed_copies_are_captured_row_by_row)
{
    const struct layouts *l = layout_called("gaps on both sides");
    struct fake_graph *graph = NULL;
    char *to, *from;
    struct svi_plan plan;
    struct svi_request request;
    const char *text;

    begin(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(second);
    expect_all(l);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    make_plan(l, &plan);
    request = request_of(l, &plan, first, to, second, from, 0);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(svi_cuda.copy(&request), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess);
    for (text = fake_graph_text(graph); strncmp(text, "a copy; ", 8) == 0; text += 8)
        ;
    cr_expect_str_eq(text, "");
    fake_launch_graph(graph, stream);
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0);
    fake_end_graph(graph);
    release(first, to);
    release(second, from);
    cr_assert_str_eq(end(), "");
}

/* --- scratch memory ------------------------------------------------------------------------------------ */

static sv_view *view_of(const struct layouts *l, struct svi_device device, char *base, bool source)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(l->ndim, l->shape, source ? l->src : l->dst, l->itemsize, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, SV_FLOAT32, base, 0, ROOM, device.type, device.id, 0, NULL, NULL, &view), SV_OK,
                 "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static int64_t stat_of(const sv_allocator *allocator, int32_t stat)
{
    int64_t value = -1;

    cr_assert_eq(sv_allocator_stats(allocator, stat, &value), SV_OK);
    return value;
}

/* Allocated once for each copy, and given back; of the right device alone. */
Test(cuda_routes, scratch_memory_of_the_caller)
{
    const struct layouts *l = layout_called("large transpose");
    sv_allocator *memory = NULL, *tracked = NULL, *other = NULL, *of_host = NULL;
    char *to, *from;
    sv_view *dst, *src;
    sv_plan *plan = NULL, *with = NULL;
    int64_t left = -1;

    begin(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(cpu);
    expect_all(l);
    fake_write(to, before, ROOM);
    memcpy(from, pattern, ROOM);
    dst = view_of(l, first, to, false);
    src = view_of(l, cpu, from, true);
    cr_assert_eq(sv_allocator_device(0, &memory), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_tracked(memory, NULL, 0, &tracked), SV_OK);
    cr_assert_eq(sv_allocator_device(1, &other), SV_OK);
    cr_assert_eq(sv_allocator_host(0, &of_host), SV_OK);

    cr_expect_eq(sv_copy_with(dst, src, other, 0, (uintptr_t)stream), SV_ERROR_DEVICE, "%s", sv_last_message());
    cr_expect_eq(sv_copy_with(dst, src, of_host, 0, (uintptr_t)stream), SV_ERROR_INVALID, "%s", sv_last_message());
    cr_assert_eq(sv_copy_with(dst, src, tracked, 0, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_plan_new(dst, src, 0, &plan), SV_OK);
    cr_expect_eq(sv_plan_with_allocator(plan, of_host, &with), SV_ERROR_INVALID);
    cr_assert_eq(sv_plan_with_allocator(plan, tracked, &with), SV_OK);
    cr_assert_eq(sv_plan_execute_views(with, dst, src, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    cr_assert_eq(fake_count(FAKE_CALL(allocate_from_pool)), 0);
    cr_expect_eq(stat_of(tracked, SV_STAT_TOTAL_COUNT), 2);
    cr_expect_leq(stat_of(tracked, SV_STAT_PEAK_BYTES), 2 * (CHUNK + 512));
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0);

    sv_plan_release(with);
    sv_plan_release(plan);
    sv_view_release(src);
    sv_view_release(dst);
    cr_assert_eq(sv_memory_collect(SV_COLLECT_WAIT, &left), SV_OK, "%s", sv_last_message());
    cr_expect_eq(left, 0);
    cr_expect_eq(stat_of(tracked, SV_STAT_LIVE_BYTES), 0);
    sv_allocator_release(of_host);
    sv_allocator_release(other);
    sv_allocator_release(tracked);
    sv_allocator_release(memory);
    release(cpu, from);
    release(first, to);
    cr_assert_str_eq(end(), "");
}

/* A plan with a device is executed once and stays what it was; its copy waits, so it is not recorded in a graph. */
Test(cuda_routes, plans_are_not_measured)
{
    const struct layouts *l = layout_called("gaps on both sides");
    char *to, *from;
    sv_view *dst, *src;
    sv_plan *plan = NULL, *measured = NULL;
    char text[16384];

    begin(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(first);
    expect_all(l);
    fake_write(to, before, ROOM);
    fake_write(from, pattern, ROOM);
    dst = view_of(l, first, to, false);
    src = view_of(l, first, from, true);
    cr_assert_eq(sv_plan_new(dst, src, SV_COPY_NO_WAIT, &plan), SV_OK);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(sv_plan_measure(plan, dst, src, 0, (uintptr_t)stream, &measured), SV_ERROR_STATE, "%s",
                 sv_last_message());
    cr_expect_eq(fake_end_capture(stream, NULL), cudaSuccess);
    cr_expect_null(measured);
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, before, ROOM), 0);

    fake_reset();
    cr_assert_eq(sv_plan_measure(plan, dst, src, 0, (uintptr_t)stream, &measured), SV_OK, "%s", sv_last_message());
    cr_expect_eq(fake_count(FAKE_CALL(launch)), 1);
    fake_read(arrived, to, ROOM);
    cr_expect_eq(memcmp(arrived, expected, ROOM), 0);
    cr_expect_str_eq(sv_plan_kernel(measured), sv_plan_kernel(plan));
    cr_assert_eq(sv_plan_explain(measured, NULL, NULL, sizeof text, text, NULL), SV_OK);
    cr_expect_null(strstr(text, "measured"));

    sv_plan_release(measured);
    sv_plan_release(plan);
    sv_view_release(src);
    sv_view_release(dst);
    release(first, from);
    release(first, to);
    cr_assert_str_eq(end(), "");
}

/* The caller's is that of the stream's device; where a pool has none, rows are copied. */
Test(cuda_routes, scratch_memory_between_devices)
{
    const struct layouts *l = layout_called("gaps on both sides");
    sv_allocator *memory[2], *tracked = NULL;
    char *to, *from;
    sv_view *dst, *src;

    begin(FAKE_LAZY, 1);
    to = allocate(first);
    from = allocate(second);
    expect_all(l);
    fake_write(from, pattern, ROOM);
    dst = view_of(l, first, to, false);
    src = view_of(l, second, from, true);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(sv_allocator_device(i, &memory[i]), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_allocator_tracked(memory[0], NULL, 0, &tracked), SV_OK);
    cr_expect_eq(sv_copy_with(dst, src, memory[1], 0, (uintptr_t)stream), SV_ERROR_DEVICE, "%s", sv_last_message());
    for (int failing = 0; failing < 4; failing++) { /* none, the far device's, the near one's, and then the caller's */
        fake_write(to, before, ROOM);
        fake_reset();
        if (failing == 1 || failing == 2)
            fake_fail_call(FAKE_CALL(allocate_from_pool), failing, cudaErrorMemoryAllocation);
        cr_assert_eq(sv_copy_with(dst, src, failing == 3 ? tracked : NULL, 0, (uintptr_t)stream), SV_OK, "%s",
                     sv_last_message());
        cr_expect_eq(fake_count(FAKE_CALL(allocate_from_pool)), failing == 1 || failing == 3 ? 1 : 2);
        cr_expect_eq(fake_count(FAKE_CALL(new_stream)), failing == 1 || failing == 2 ? 0 : 1);
        fake_read(arrived, to, ROOM);
        cr_expect_eq(memcmp(arrived, expected, ROOM), 0, "%d", failing);
    }
    cr_expect_eq(stat_of(tracked, SV_STAT_TOTAL_COUNT), 1);
    sv_view_release(src);
    sv_view_release(dst);
    cr_assert_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
    sv_allocator_release(tracked);
    for (int i = 0; i < 2; i++)
        sv_allocator_release(memory[i]);
    release(second, from);
    release(first, to);
    cr_assert_str_eq(end(), "");
}

/* --- failures ------------------------------------------------------------------------------------------ */

static struct {
    const struct layouts *layout;
    struct svi_device dst, src;
    char *to, *from;
} tried;

static void prepare(void *with)
{
    (void)with;
    svi_gpu_chunk_nbytes = CHUNK;
    stream = fake_new_stream(0, cudaStreamNonBlocking);
    tried.to = allocate(tried.dst);
    tried.from = allocate(tried.src);
}

static sv_status copy_once(void *with)
{
    struct svi_plan plan;
    struct svi_request request;

    (void)with;
    make_plan(tried.layout, &plan);
    request = request_of(tried.layout, &plan, tried.dst, tried.to, tried.src, tried.from, SV_COPY_BLOCKING);
    return svi_cuda.copy(&request);
}

static void clean(void *with, sv_status status)
{
    (void)with;
    cr_expect(status == SV_OK || strstr(sv_last_message(), "cudaErrorUnknown (999)") != NULL, "%s", sv_last_message());
    release(tried.dst, tried.to);
    release(tried.src, tried.from);
    fake_end_stream(stream);
}

Test(cuda_routes, every_call_can_fail)
{
    const struct svi_device pairs[][2] = {{first, first},  {first, cpu},    {cpu, first},    {first, pinned},
                                          {pinned, first}, {first, second}, {second, first}, {first, managed}};
    static const char *const of[] = {"large transpose", "long rows", "short rows", "planes",
                                     "gaps on both sides", "gaps in the source", "gaps in the destination"};
    const struct fake_settings settings = {.policy = FAKE_LAZY};
    const struct fake_trial trial = {.prepare = prepare, .run = copy_once, .clean = clean};
    int rounds = 0, all = 0;

    for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++)
        for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
            tried.layout = layout_called(of[i]);
            tried.dst = pairs[pair][0];
            tried.src = pairs[pair][1];
            cr_expect_str_eq(fake_fail_each(&trial, &settings, &rounds), "", "%s, pair %d", of[i], (int)pair);
            all += rounds;
        }
    cr_assert_gt(all, 300, "%d", all);
}

/* --- threads --------------------------------------------------------------------------------------------- */

static void *copy_often(void *with)
{
    const struct layouts *l = layout_called("transpose");
    char *from = malloc(ROOM), *back = malloc(ROOM);
    struct svi_plan in, out;
    bool *equal = with;
    cudaStream_t own = fake_new_stream(0, cudaStreamNonBlocking);
    char *device = fake_allocate(cudaMemoryTypeDevice, 0, ROOM);

    make_plan(l, &in);
    svi_plan_make(l->ndim, l->shape, l->src, l->dst, l->itemsize, &out);
    memcpy(from, pattern, ROOM);
    *equal = true;
    for (int i = 0; i < 10 && *equal; i++) {
        const struct svi_request to_device = {&in, first, device, cpu, from, (uintptr_t)own, 0, NULL, NULL};
        const struct svi_request to_host = {&out, cpu, back, first, device, (uintptr_t)own, 0, NULL, NULL};

        memset(back, 0, ROOM);
        *equal = svi_cuda.copy(&to_device) == SV_OK && svi_cuda.copy(&to_host) == SV_OK &&
                 memcmp(back, from, (size_t)in.nbytes) == 0;
    }
    fake_free(device);
    fake_end_stream(own);
    free(from);
    free(back);
    return NULL;
}

/* More than there are rings, so that some wait. */
Test(cuda_routes, threads)
{
    enum { THREADS = 12 };
    pthread_t threads[THREADS];
    bool equal[THREADS];

    begin(FAKE_LAZY, 1);
    expect_all(layout_called("dense"));
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, copy_often, &equal[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_expect(equal[i], "thread %d", i);
    }
    cr_assert_str_eq(end(), "");
}
