/*
 * What it costs the host to give a small copy to a stream of a CUDA device, beside the driver's launch of a kernel that
 * does nothing.
 *
 *     device_launch            does each row once and says as TAP whether it did right
 *     device_launch FILE       measures them, prints a table and writes it to FILE
 *
 * With SV_FAKE it runs on the fake CUDA runtime, and nothing is launched in the place of the bare kernel.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/timing.h"
#include "sv.h"
#include "tap.h"
#ifdef SV_FAKE
#include "fake/fake.h"
#endif

#ifdef SV_FAKE
enum { ROUNDS = 3, CALLS = 2 };
#else
enum { ROUNDS = 201, CALLS = 50 /* of a round: fewer than a stream's queue holds */ };
#endif
enum { SIDE = 64, BOX_AXES = 10, MANY_AXES = 9, LIMIT = 1000 /* ns that a planned copy may take longer than a bare launch */ };

static sv_view *source, *turned, *target;
static sv_view *boxes[2], *many[2]; /* destination and source, of the same memory */
static sv_plan *plan, *plan_of_boxes, *plan_of_many;
static uintptr_t stream;

static void must(sv_status status)
{
    if (status == SV_OK)
        return;
    fprintf(stderr, "%s: %s\n", sv_status_name(status), sv_last_message());
    exit(1);
}

/* --- the driver ------------------------------------------------------------------------------------- */

#ifdef SV_FAKE
static void bare_launch(void)
{
}

static void open_driver(void)
{
    fake_start(FAKE_LAZY, 1);
    stream = (uintptr_t)fake_new_stream(0, cudaStreamNonBlocking);
}

static void close_driver(void)
{
    fake_end_stream((cudaStream_t)stream);
    must(sv_memory_collect(1, NULL));
    tap_ok(strcmp(fake_end(), "") == 0, "the runtime has nothing to complain of");
}
#else
typedef int launcher(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                     unsigned block_y, unsigned block_z, unsigned shared, void *stream, void **arguments, void **extra);

static launcher *launch;
static void *function;

static void bare_launch(void)
{
    if (launch(function, 1, 1, 1, 256, 1, 1, 0, (void *)stream, NULL, NULL) != 0)
        abort();
}

/* A function of the driver, by way of memory, since C has no conversion between pointers to objects and functions. */
static void find(void *driver, const char *name, void *out)
{
    void *symbol = dlsym(driver, name);

    if (symbol == NULL) {
        fprintf(stderr, "the driver has no %s\n", name);
        exit(1);
    }
    memcpy(out, &symbol, sizeof symbol);
}

static void driver_must(int status, const char *call)
{
    if (status == 0)
        return;
    fprintf(stderr, "%s: error %d\n", call, status);
    exit(1);
}

static void open_driver(void)
{
    static const char nothing[] =
        ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
    int (*init)(unsigned), (*retain)(void **, int), (*enter)(void *), (*load)(void **, const void *);
    int (*get)(void **, void *, const char *), (*create)(void **, unsigned);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context, *module, *made;

    if (driver == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    find(driver, "cuInit", &init);
    find(driver, "cuDevicePrimaryCtxRetain", &retain);
    find(driver, "cuCtxSetCurrent", &enter);
    find(driver, "cuModuleLoadData", &load);
    find(driver, "cuModuleGetFunction", &get);
    find(driver, "cuStreamCreate", &create);
    find(driver, "cuLaunchKernel", &launch);
    driver_must(init(0), "cuInit");
    driver_must(retain(&context, 0), "cuDevicePrimaryCtxRetain");
    driver_must(enter(context), "cuCtxSetCurrent");
    driver_must(load(&module, nothing), "cuModuleLoadData");
    driver_must(get(&function, module, "nothing"), "cuModuleGetFunction");
    driver_must(create(&made, 1 /* it does not block the legacy stream */), "cuStreamCreate");
    stream = (uintptr_t)made;
}

static void close_driver(void)
{
}
#endif

/* --- rows --------------------------------------------------------------------------------------------- */

static void planned_copy(void)
{
    must(sv_plan_execute(plan, sv_view_data(target), sv_view_data(turned), stream));
}

static void planned_copy_of_views(void)
{
    must(sv_plan_execute_views(plan, target, turned, stream));
}

static void planned_by_box(void)
{
    must(sv_plan_execute(plan_of_boxes, sv_view_data(boxes[0]), sv_view_data(boxes[1]), stream));
}

static void planned_by_many(void)
{
    must(sv_plan_execute(plan_of_many, sv_view_data(many[0]), sv_view_data(many[1]), stream));
}

static void copy(void)
{
    must(sv_copy(target, turned, 0, stream));
}

static void wait(void)
{
    must(sv_stream_synchronize(SV_DEVICE_CUDA, 0, stream));
}

/* "turned", "not turned": what the last copy did; the target is zeros again. */
static const char *result(void)
{
    static uint32_t back[SIDE * SIDE];
    const int64_t shape[] = {SIDE, SIDE};
    sv_view *host = NULL;
    bool right = true;

    wait();
    must(sv_view_from_host(SV_UINT32, 2, shape, NULL, back, 0, &host));
    must(sv_copy(host, target, SV_COPY_BLOCKING, stream));
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        right = right && back[i] == i % SIDE * SIDE + i / SIDE;
    memset(back, 0, sizeof back);
    must(sv_copy(target, host, SV_COPY_BLOCKING, stream));
    sv_view_release(host);
    return right ? "turned" : "not turned";
}

static const char *nothing_done(void)
{
    wait();
    return "";
}

static struct bench_row rows[] = {
    {"bare launch", bare_launch, nothing_done, "", NULL, 0, 0, 0},
    {"planned copy", planned_copy, result, "turned", "bare launch", 1, LIMIT, 0},
    {"planned copy of views", planned_copy_of_views, result, "turned", NULL, 0, 0, 0},
    {"planned copy, 1.7 KB of parameters", planned_by_box, nothing_done, "", NULL, 0, 0, 0},
    {"planned copy, 2.5 KB of parameters", planned_by_many, nothing_done, "", NULL, 0, 0, 0},
    {"copy", copy, result, "turned", NULL, 0, 0, 0},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Axes of two items each, whose strides are the powers of a factor, in items; the least is the last one's. */
static void view_axes(const sv_view *of, int count, int64_t first, int64_t factor, bool reversed, sv_view **out)
{
    int64_t shape[BOX_AXES], strides[BOX_AXES];
    sv_layout *layout = NULL;

    for (int k = 0; k < count; k++, first *= factor) {
        shape[k] = 2;
        strides[reversed ? k : count - 1 - k] = first;
    }
    must(sv_layout_new(count, shape, strides, sizeof(uint32_t), &layout));
    must(sv_view_with_layout(of, layout, out));
    sv_layout_release(layout);
}

/* Axes in another order go by permute; in the same order, with more axes than flat takes and too few bytes for tiles, by many. */
static void make_axes(const sv_allocator *device)
{
    const int64_t room = 1 << 17;
    sv_view *memory[2];

    for (int side = 0; side < 2; side++) {
        must(sv_empty(device, SV_UINT32, 1, &room, 0, 0, &memory[side]));
        view_axes(memory[side], BOX_AXES, 1, 2, side == 1, &boxes[side]);
        view_axes(memory[side], MANY_AXES, side + 1, side + 2, false, &many[side]);
        sv_view_release(memory[side]);
    }
    must(sv_plan_new(boxes[0], boxes[1], 0, &plan_of_boxes));
    must(sv_plan_new(many[0], many[1], 0, &plan_of_many));
}

static void make_sides(void)
{
    static uint32_t numbers[SIDE * SIDE];
    const int64_t shape[] = {SIDE, SIDE};
    sv_allocator *device = NULL;
    sv_view *host = NULL;

    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        numbers[i] = i;
    must(sv_allocator_device(0, &device));
    must(sv_empty(device, SV_UINT32, 2, shape, 0, 0, &source));
    must(sv_empty(device, SV_UINT32, 2, shape, 0, 0, &target));
    must(sv_view_from_host(SV_UINT32, 2, shape, NULL, numbers, 0, &host));
    must(sv_copy(source, host, SV_COPY_BLOCKING, stream));
    must(sv_view_permute(source, 0, NULL, &turned));
    must(sv_plan_new(target, turned, 0, &plan));
    make_axes(device);
    sv_view_release(host);
    sv_allocator_release(device);
}

static void release_sides(void)
{
    for (int side = 0; side < 2; side++) {
        sv_view_release(boxes[side]);
        sv_view_release(many[side]);
    }
    sv_plan_release(plan);
    sv_plan_release(plan_of_boxes);
    sv_plan_release(plan_of_many);
    sv_view_release(turned);
    sv_view_release(source);
    sv_view_release(target);
    must(sv_memory_collect(1, NULL));
}

/* --- time --------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Rows take turns. The stream is empty at the start of each round, so that no call waits for room in its queue. */
static void measure(void)
{
    static double ns[ROWS][ROUNDS];

    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < (int)ROWS; i++) {
            double begin;

            wait();
            begin = now();
            for (int call = 0; call < CALLS; call++)
                rows[i].once();
            ns[i][round] = (now() - begin) / CALLS;
        }
    wait();
    for (int i = 0; i < (int)ROWS; i++) {
        qsort(ns[i], ROUNDS, sizeof *ns[i], compare);
        rows[i].ns = ns[i][ROUNDS / 2];
    }
}

int main(int argc, char **argv)
{
    sv_device_state state;
    char words[300] = "";

#ifdef SV_FAKE
    open_driver();
#endif
    must(sv_device_probe(SV_DEVICE_CUDA, &state, NULL));
    must(sv_device_text(SV_DEVICE_CUDA, sizeof words, words, NULL));
    if (state != SV_STATE_READY) {
        tap_skip("launches", words);
        return tap_done() != 0 || argc > 1;
    }
#ifndef SV_FAKE
    open_driver();
#endif
    make_sides();
    tap_ok(strcmp(sv_plan_kernel(plan_of_boxes), "permute_4") == 0, "by %s", sv_plan_kernel(plan_of_boxes));
    tap_ok(strcmp(sv_plan_kernel(plan_of_many), "many_4") == 0, "by %s", sv_plan_kernel(plan_of_many));
    for (int i = 0; i < (int)ROWS; i++)
        tap_ok(bench_is_right(&rows[i]), "%s", rows[i].name);
    if (argc > 1) {
        measure();
        bench_print(ROWS, rows, "bare launch");
        tap_ok(bench_write(ROWS, rows, "bare launch", argv[1]), "%s", argv[1]);
    }
    release_sides();
    close_driver();
    return tap_done();
}
