/* Copies by every route of src/gpu/route.c, of less and more than a chunk, in every order that streams allow. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plan/detour.h"
#include "support/pairs.h"
#include "support/routes.h"

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

Test(cuda_routes, each_has_its_route)
{
    begin_chunks(FAKE_LAZY, 1);
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
            begin_chunks((enum fake_policy)(round % FAKE_POLICIES), (unsigned)round);
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

    begin_chunks(FAKE_LAZY, 3);
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
    begin_chunks(FAKE_EAGER, 1);
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

/* On both sides of 64 KiB, and at each place in a word. */
Test(cuda_routes, dense_bytes_are_the_drivers_unless_words_begin_elsewhere)
{
    enum { LIMIT = 1 << 16, GROUND = LIMIT + 64 };
    static char bytes[GROUND], copied[GROUND];
    char *to, *from;

    begin_chunks(FAKE_EAGER, 1);
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

/* --- what crosses the link ------------------------------------------------------------------------ */

Test(cuda_routes, the_payload_crosses_the_link_once)
{
    const struct svi_device pairs[][2] = {{first, cpu},    {cpu, first},    {first, pinned},
                                          {pinned, first}, {first, second}, {second, first}};

    begin_chunks(FAKE_EAGER, 1);
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

    begin_chunks(FAKE_LAZY, 1);
    expect_all(layout_called("dense"));
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, copy_often, &equal[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_expect(equal[i], "thread %d", i);
    }
    cr_assert_str_eq(end(), "");
}
