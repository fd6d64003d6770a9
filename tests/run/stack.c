/*
 * How much stack a whole call takes: in a thread whose stack is small and painted, every benchmark's copy, every kind
 * of conversion and copies within one memory, by every instruction set, in cache and beyond it, with memory and without;
 * and the calls of stack_calls.c.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "bench/copy_cases.h"
#include "host/machine/machine.h"
#include "stack_calls.h"
#include "tap.h"
#include "support/no_memory.h"
#include "support/tasks.h"

enum {
    MOST = 16384,          /* bytes of stack of a call */
    STACK = 65536,         /* of the thread in which they run, of which so much is painted: */
    PAINTED = 40960,
    NEAREST = 512,         /* that is not painted, the frame of who measures in it */
    MEASURE_NS = 20000,    /* of a plan's loops */
    MOST_ITEMS = 100000,   /* of a copy */
    SHARE = 5,             /* of cases, one has each conversion; */
    EMULATED_SHARE = 20,   /* by an emulator one of so many cases is tried */
    MEMORY = 64 << 20      /* of each side */
};

static const uint64_t paint = 0xa5a5a5a5deadbeef;
static const char *const isas[] = {"plain", "sse2", "avx2", "avx512", "neon"};

/* Chains of one to several steps, from narrow to wide and back. */
static const struct conversion {
    const char *dst, *src;
} conversions[] = {
    {"uint8", "float32"},   {"int8", "float64"},     {"float8_e4m3fn", "uint16"}, {"bool", "complex64"},
    {"float16", "float32"}, {"float16", "int64"},    {"bfloat16", "float16"},     {"int16", "uint8"},
    {"complex32", "uint64"}, {"float32", "uint8"},   {"float32", "float64"},      {"float32", "float16"},
    {"int32", "bfloat16"},  {"float64", "float32"},  {"complex64", "float16"},    {"int64", "float16"},
    {"complex128", "float32"},
};

static char *dst_memory, *src_memory;

/* --- a call -------------------------------------------------------------------- */

struct call {
    sv_view *dst, *src;
    uint32_t flags;
    const struct stack_call *other; /* what is called if it is no copy */
    sv_status status;
};

typedef void run_call(struct call *c);

static void copy(struct call *c)
{
    c->status = sv_copy(c->dst, c->src, c->flags, 0);
}

static void copy_batch(struct call *c)
{
    c->status = sv_copy_batch(1, &c->dst, &c->src, c->flags, 0, NULL);
}

static void plan_and_execute(struct call *c)
{
    sv_plan *plan = NULL;

    c->status = sv_plan_new(c->dst, c->src, c->flags, &plan);
    if (c->status == SV_OK)
        c->status = sv_plan_execute_views(plan, c->dst, c->src, 0);
    sv_plan_release(plan);
}

static void copy_parallel(struct call *c)
{
    c->status = sv_copy_parallel(c->dst, c->src, 4, run_tasks, NULL, c->flags, 0);
}

/* Other loops than the chosen one are run, too, unless a copy takes long. */
static void plan_and_measure(struct call *c)
{
    sv_plan *plan = NULL, *measured = NULL;

    c->status = sv_plan_new(c->dst, c->src, c->flags, &plan);
    if (c->status != SV_OK)
        return;
    c->status = sv_plan_measure(plan, c->dst, c->src, MEASURE_NS, 0, &measured);
    if (c->status == SV_ERROR_OVERLAP)
        c->status = SV_OK;
    sv_plan_release(measured);
    sv_plan_release(plan);
}

static void fill(struct call *c)
{
    c->status = sv_fill(c->dst, "0123456789abcdef", sv_dtype_itemsize(sv_view_dtype(c->dst)), 0, 0);
}

static void call_other(struct call *c)
{
    c->status = c->other->run();
}

enum { WAYS = 5 };

static run_call *const calls[WAYS] = {copy, copy_batch, plan_and_execute, copy_parallel, plan_and_measure};

/* --- measuring ------------------------------------------------------------------- */

static __attribute__((noinline)) long stack_of(run_call *run, struct call *c)
{
    char *const here = __builtin_frame_address(0);
    char *const top = (char *)((uintptr_t)(here - NEAREST) & ~(uintptr_t)7), *lowest = top - PAINTED;

    for (char *at = lowest; at < top; at += sizeof paint)
        *(volatile uint64_t *)(void *)at = paint;
    run(c);
    while (lowest < top && *(volatile uint64_t *)(void *)lowest == paint)
        lowest += sizeof paint;
    return (long)(here - lowest);
}

/* --- copies ------------------------------------------------------------------------ */

static sv_view *view_of(const sv_layout *layout, sv_dtype dtype, char *memory)
{
    int64_t lower, upper;
    sv_view *view = NULL;

    if (sv_layout_byte_bounds(layout, &lower, &upper) != SV_OK || upper - (lower < 0 ? lower : 0) > MEMORY)
        return NULL;
    if (sv_view_new(layout, dtype, memory - (lower < 0 ? lower : 0), INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, 0, NULL,
                    NULL, &view) != SV_OK)
        abort();
    return view;
}

/* The same elements of another size, as far apart in elements. NULL: that cannot be said of it. */
static sv_layout *with_itemsize(const sv_layout *layout, int64_t item)
{
    int64_t strides[SV_MAX_NDIM];
    const int64_t old = sv_layout_itemsize(layout);
    sv_layout *out = NULL;

    for (int32_t k = 0; k < sv_layout_ndim(layout); k++) {
        if (sv_layout_byte_strides(layout)[k] % old != 0)
            return NULL;
        strides[k] = sv_layout_byte_strides(layout)[k] / old * item;
    }
    if (sv_layout_new_bytes(sv_layout_ndim(layout), sv_layout_shape(layout), strides, item, &out) != SV_OK)
        abort();
    return out;
}

static sv_view *side(const sv_layout *layout, const char *dtype_name, char *memory)
{
    sv_view *view;
    sv_layout *scaled;
    sv_dtype dtype;

    if (sv_dtype_parse(dtype_name, &dtype) != SV_OK)
        abort();
    scaled = with_itemsize(layout, sv_dtype_itemsize(dtype));
    if (scaled == NULL)
        return NULL;
    view = view_of(scaled, dtype, memory);
    sv_layout_release(scaled);
    return view;
}

/* --- machines ------------------------------------------------------------------------ */

enum { MACHINES = 6 };

/* Both makers, with large caches, with a small second one, and with small ones. */
static void play(const struct svi_isa *isa, int kind, bool bytes)
{
    static struct svi_machine played;
    const bool intel = kind % 2 != 0;

    played = (struct svi_machine){.isa = isa, .cache = (kind < 4 ? 1 << 20 : 1) * (int64_t)SVI_KIB,
                                  .l2_bytes = (kind < 2 ? 1 << 18 : 1) * (int64_t)SVI_KIB,
                                  .permutes_bytes = bytes, .tuning = intel ? &svi_tuning_intel : &svi_tuning_amd};
    svi_machine_found = &played;
}

/* --- all of them ------------------------------------------------------------------------ */

struct results {
    int share; /* of cases, one is tried */
    long most;
    int failures, calls, sets;
};

static void run_one(struct results *r, run_call *run, struct call *c, bool fails, const char *name, const char *isa)
{
    long stack;

    if (fails)
        svi_alloc.allocate = no_memory;
    stack = stack_of(run, c);
    svi_alloc.allocate = malloc;
    r->calls++;
    r->most = stack > r->most ? stack : r->most;
    if (stack > MOST || (c->status != SV_OK && !(fails && c->status == SV_ERROR_MEMORY))) {
        r->failures++;
        if (r->failures < 10)
            tap_note("%s by %s%s: %s, %ld bytes of stack", name, isa, fails ? ", without memory" : "",
                     sv_status_name(c->status), stack);
    }
}

/* Each by one of the ways to call, another one for each set of machines. What is bound at first is bound before. */
static void run_on_machines(struct results *r, struct call *c, int machines, bool bytes, const char *name)
{
    int way = r->sets++;

    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
        for (int kind = 0; svi_isa_named(isas[i]) != NULL && kind < machines; kind++) {
            run_call *run = machines < MACHINES ? copy : calls[way++ % WAYS];

            play(svi_isa_named(isas[i]), kind, bytes);
            run_one(r, run, c, false, name, isas[i]);
            run_one(r, run, c, true, name, isas[i]);
            if (c->flags == 0 && kind == 0)
                run_one(r, fill, c, false, name, isas[i]);
        }
}

/* Apart, then in one memory: an item behind, and at the same place. */
static void run_places(struct results *r, const sv_layout *dst, const sv_layout *src, const char *dst_dtype,
                       const char *src_dtype, bool bytes, const char *name)
{
    struct call c = {.flags = strcmp(dst_dtype, src_dtype) != 0 ? SV_COPY_CAST_UNSAFE : 0};

    c.dst = side(dst, dst_dtype, dst_memory);
    for (int place = 0; c.dst != NULL && place < 3; place++) {
        c.src = side(src, src_dtype, place == 0 ? src_memory : place == 1 ? dst_memory + 16 : dst_memory);
        if (c.src != NULL)
            run_on_machines(r, &c, place == 0 ? MACHINES : 1, bytes, name);
        sv_view_release(c.src);
    }
    sv_view_release(c.dst);
}

static void run_case(struct results *r, const struct bench_case *bench, int number, bool bytes)
{
    const struct bench_case small = bench_case_small(bench);
    const int count = sizeof conversions / sizeof *conversions;

    if (sv_layout_size(small.dst) <= MOST_ITEMS) {
        run_places(r, small.dst, small.src, small.dtype, small.src_dtype, bytes, small.name);
        for (int k = 0; k < count; k++)
            if ((k + number) % SHARE == 0)
                run_places(r, small.dst, small.src, conversions[k].dst, conversions[k].src, bytes, small.name);
    }
    sv_layout_release(small.dst);
    sv_layout_release(small.src);
}

static void run_others(struct results *r)
{
    for (int i = 0; i < stack_call_count; i++) {
        struct call c = {.other = &stack_calls[i]};

        call_other(&c); /* what is bound or found at the first call */
        run_one(r, call_other, &c, false, stack_calls[i].name, "itself");
        run_one(r, call_other, &c, true, stack_calls[i].name, "itself");
    }
}

static void *run_all(void *ctx)
{
    static struct bench_case cases[BENCH_CASES];
    struct results *r = ctx;
    const bool bytes = svi_machine().permutes_bytes;
    const int count = bench_cases_read(SV_CASES, cases);

    run_others(r);
    for (int i = 0; i < count; i += r->share)
        run_case(r, &cases[i], i, bytes);
    bench_cases_release(count, cases);
    return NULL;
}

/* STACK, or the least that the system gives a thread: 128 KiB on AArch64. */
static size_t stack_size(void)
{
    const long least = sysconf(_SC_THREAD_STACK_MIN);

    return least > STACK ? (size_t)least : STACK;
}

static bool run_in_thread(struct results *r, size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    bool ok = pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, stack) == 0 &&
              pthread_create(&thread, &attributes, run_all, r) == 0 && pthread_join(thread, NULL) == 0;

    pthread_attr_destroy(&attributes);
    return ok;
}

static char *memory(void)
{
    char *out = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (out == MAP_FAILED)
        abort();
    return out;
}

/* Instrumented frames are larger, those that are not optimised too; valgrind knows what lies below a stack. */
static bool can_measure(void)
{
    const char *preload = getenv("LD_PRELOAD");

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
    return false;
#endif
    return preload == NULL || strstr(preload, "vgpreload") == NULL;
}

int main(void)
{
    const char *emulator = getenv("SV_EMULATOR");
    const size_t stack = stack_size();
    struct results r = {.share = emulator != NULL && *emulator != '\0' ? EMULATED_SHARE : 1};

    if (!can_measure()) {
        tap_skip("stack of calls", "frames are larger in this build");
        return tap_done();
    }
    dst_memory = memory();
    src_memory = memory();
    stack_calls_begin();
    tap_ok(run_in_thread(&r, stack) && r.failures == 0 && r.calls > 0,
           "a call takes at most %d bytes of stack, and does with a thread's stack of %zu", MOST, stack);
    tap_note("%d calls, %ld bytes at most", r.calls, r.most);
    stack_calls_end();
    return tap_done();
}
