/* Batches of copies with devices, over the fake runtime: what arrives, in how many operations, and each call failing. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/fake_sides.h"
#include "support/no_memory.h"
#include "support/pairs.h"

enum { MOST = 400 };

/* --- memory -------------------------------------------------------------------------------------- */

/* Where all sides of a batch are, one after the other. */
struct memory {
    int32_t type;
    char *bytes;
    size_t nbytes, used;
};

static struct memory allocate(int32_t type, size_t nbytes)
{
    return (struct memory){type, side_new(type, 0, nbytes), nbytes, 0};
}

/* --- a batch --------------------------------------------------------------------------------------- */

/* What is to be where is found out element by element. */
struct batch {
    struct memory to, from;
    char *expected, *source;
    int64_t count;
    sv_view *dst[MOST], *src[MOST];
};

static void start(struct batch *batch, int32_t to, int32_t from, size_t nbytes)
{
    batch->to = allocate(to, nbytes);
    batch->from = allocate(from, nbytes);
    batch->expected = malloc(nbytes);
    batch->source = malloc(nbytes);
    batch->count = 0;
    for (size_t i = 0; i < nbytes; i++)
        batch->source[i] = (char)test_random();
    memset(batch->expected, 0x55, nbytes);
    side_put(from, batch->from.bytes, batch->source, nbytes);
    side_put(to, batch->to.bytes, batch->expected, nbytes);
}

/* The place of the element [0,...,0] of the next side, between those before and a few bytes more. */
static size_t take(struct memory *memory, const struct test_pair *p, const int64_t *strides, int64_t skew)
{
    int64_t lower, upper;
    size_t at;

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    at = memory->used + (size_t)(skew - lower);
    memory->used = (at + (size_t)upper + 31) / 16 * 16;
    cr_assert_leq(memory->used, memory->nbytes);
    return at;
}

static sv_view *view_of(const struct memory *memory, size_t at, const struct test_pair *p, const int64_t *strides)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(p->ndim, p->shape, strides, p->itemsize, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, SV_OPAQUE, memory->bytes + at, INT64_MIN, INT64_MAX, memory->type, 0, 0, NULL,
                             NULL, &view), SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static void add(struct batch *batch, const struct test_pair *p, int64_t dst_skew, int64_t src_skew)
{
    const size_t to = take(&batch->to, p, p->dst, dst_skew), from = take(&batch->from, p, p->src, src_skew);

    test_copy_one_by_one(p, (unsigned char *)batch->expected + to, (const unsigned char *)batch->source + from);
    batch->dst[batch->count] = view_of(&batch->to, to, p, p->dst);
    batch->src[batch->count++] = view_of(&batch->from, from, p, p->src);
}

static void forget(struct batch *batch)
{
    for (int64_t i = 0; i < batch->count; i++) {
        sv_view_release(batch->dst[i]);
        sv_view_release(batch->src[i]);
    }
    side_free(batch->to.type, batch->to.bytes);
    side_free(batch->from.type, batch->from.bytes);
    free(batch->expected);
    free(batch->source);
}

static bool is_right(struct batch *batch)
{
    char *found = malloc(batch->to.nbytes);
    bool right;

    side_get(batch->to.type, found, batch->to.bytes, batch->to.nbytes);
    right = memcmp(found, batch->expected, batch->to.nbytes) == 0;
    free(found);
    return right;
}

enum way { COPY_BATCH, PLAN_BATCH, WAYS };

static bool is_like(const struct batch *batch, int64_t a, int64_t b)
{
    return sv_layout_equal(sv_view_layout(batch->dst[a]), sv_view_layout(batch->dst[b])) == SV_YES &&
           sv_layout_equal(sv_view_layout(batch->src[a]), sv_view_layout(batch->src[b])) == SV_YES;
}

/* One plan for all that are like one of the last two. */
static sv_status by_plans(struct batch *batch, uint32_t flags, int64_t *failed)
{
    sv_plan *plans[MOST];
    void *to[MOST];
    const void *from[MOST];
    sv_status status;

    for (int64_t i = 0; i < batch->count; i++) {
        int64_t like = i - 1;

        while (like >= 0 && like >= i - 2 && !is_like(batch, i, like))
            like--;
        plans[i] = NULL;
        if (like >= 0 && like >= i - 2)
            plans[i] = sv_plan_retain(plans[like]);
        else
            cr_assert_eq(sv_plan_new(batch->dst[i], batch->src[i], flags, &plans[i]), SV_OK, "%s", sv_last_message());
        to[i] = sv_view_data(batch->dst[i]);
        from[i] = sv_view_data(batch->src[i]);
    }
    fake_reset();
    status = sv_plan_execute_batch(batch->count, plans, to, from, (uintptr_t)stream, failed);
    for (int64_t i = 0; i < batch->count; i++)
        sv_plan_release(plans[i]);
    return status;
}

static sv_status run(struct batch *batch, enum way way, uint32_t flags, int64_t *failed)
{
    if (way == PLAN_BATCH)
        return by_plans(batch, flags, failed);
    fake_reset();
    return sv_copy_batch(batch->count, batch->dst, batch->src, flags, (uintptr_t)stream, failed);
}

/* --- what arrives ----------------------------------------------------------------------------------- */

static struct test_pair random_pair(void)
{
    struct test_pair p = {.ndim = 1, .itemsize = 1, .shape = {test_between(1, 300)}, .dst = {1}, .src = {1}};

    if (test_between(0, 2) > 0)
        test_pair_random(&p, 100);
    return p;
}

/* Layouts that stay, take turns or are other ones each time; at aligned addresses or at any. */
Test(batch_cuda, every_byte_arrives_in_every_order_of_work)
{
    static const int32_t sides[][2] = {{SV_DEVICE_CUDA, SV_DEVICE_CUDA},
                                              {SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST},
                                              {SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA},
                                              {SV_DEVICE_CUDA, SV_DEVICE_CPU},
                                              {SV_DEVICE_CPU, SV_DEVICE_CUDA}};

    for (int64_t round = test_first_round(); test_round(round, 150); round++) {
        struct batch batch;
        struct test_pair pairs[3];
        const int64_t count = round % 11 == 0 ? MOST : test_between(0, 20), changes = test_between(0, 3);
        const bool aligned = test_between(0, 1);

        begin((enum fake_policy)(round % FAKE_POLICIES), (unsigned)round);
        start(&batch, sides[round % 5][0], sides[round % 5][1], 2 << 20);
        for (int k = 0; k < 3; k++)
            pairs[k] = random_pair();
        while (batch.count < count) {
            const int64_t k = changes == 0 ? 0 : test_between(0, 2);

            if (changes == 3)
                pairs[k] = random_pair();
            add(&batch, &pairs[k], aligned ? 0 : test_between(0, 15), aligned ? 0 : test_between(0, 15));
        }
        cr_assert_eq(run(&batch, (enum way)(round / 5 % WAYS), round % 3 == 0 ? SV_COPY_BLOCKING : 0, NULL), SV_OK,
                     "%s", sv_last_message());
        cr_assert(is_right(&batch));
        forget(&batch);
        cr_assert_str_eq(end(), "");
    }
}

/* --- in how many operations ---------------------------------------------------------------------------- */

static const struct test_pair transpose = {2, 4, {20, 30}, {120, 4}, {4, 80}},
                              steps = {1, 2, {40}, {4}, {6}},
                              backwards = {1, 2, {500}, {2}, {-2}},
                              dense = {1, 1, {500}, {1}, {1}},
                              tiles = {2, 4, {64, 64}, {256, 4}, {4, 256}},
                              large = {1, 1, {1100000}, {1}, {1}},
                              middling = {1, 1, {70000}, {1}, {1}};

static const struct {
    const char *name;
    int32_t to, from;
    const struct test_pair *pairs[2]; /* by turns */
    int64_t count;
    int64_t longer; /* bytes that the first axis grows by from copy to copy */
    int launches, copies;
    const char *kernel; /* of the last launch */
} counted[] = {
    {"one transpose", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&transpose, &transpose}, 1, 0, 1, 0, "svi_flat_4"},
    {"as many as a launch takes", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&transpose, &transpose}, 128, 0, 1, 0,
     "svi_batched_flat_4"},
    {"more of them", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&transpose, &transpose}, 300, 0, 3, 0, "svi_batched_flat_4"},
    {"tiles", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&tiles, &tiles}, 20, 0, 1, 0, "svi_batched_tile_4_11"},
    {"two layouts by turns", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&transpose, &steps}, 200, 0, 2, 0, NULL},
    {"rows backwards", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&backwards, &backwards}, 100, 0, 1, 0, "svi_batched_flat_2"},
    {"runs of one length", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&dense, &dense}, 100, 0, 1, 0, "svi_runs_any"},
    {"runs of other lengths each", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&dense, &dense}, 256, 1, 2, 0, "svi_runs_any"},
    {"one run", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&dense, &dense}, 1, 0, 0, 1, NULL},
    {"runs and transposes", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&dense, &transpose}, 200, 0, 2, 0, NULL},
    {"large runs", SV_DEVICE_CUDA, SV_DEVICE_CUDA, {&large, &large}, 3, 0, 0, 3, NULL},
    {"from pinned memory", SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, {&dense, &dense}, 100, 1, 1, 0, "svi_runs_any"},
    {"to pinned memory", SV_DEVICE_CUDA_HOST, SV_DEVICE_CUDA, {&transpose, &transpose}, 100, 0, 1, 0,
     "svi_batched_flat_4"},
    {"middling runs from pinned memory", SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST, {&middling, &middling}, 9, 0, 0, 9, NULL},
    {"runs from ordinary memory", SV_DEVICE_CUDA, SV_DEVICE_CPU, {&dense, &dense}, 200, 1, 2, 0, "svi_runs_any"},
    {"transposes from ordinary memory", SV_DEVICE_CUDA, SV_DEVICE_CPU, {&transpose, &transpose}, 100, 0, 1, 0, NULL},
    {"runs to ordinary memory", SV_DEVICE_CPU, SV_DEVICE_CUDA, {&dense, &dense}, 100, 1, 1, 0, "svi_runs_any"},
    {"transposes to ordinary memory", SV_DEVICE_CPU, SV_DEVICE_CUDA, {&transpose, &transpose}, 300, 0, 3, 0, NULL},
    {"middling runs from ordinary memory", SV_DEVICE_CUDA, SV_DEVICE_CPU, {&middling, &middling}, 9, 0, 0, 9, NULL},
};

static const char *launched; /* the last kernel */

static void *watch(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                   void *with)
{
    launched = name;
    return fake_launched.take(name, config, arguments, touched, with);
}

static void test_counted(size_t row, enum way way)
{
    const struct fake_kernels watched = {watch, fake_launched.run, fake_launched.names, fake_launched.touch};
    struct batch batch;

    begin(FAKE_LAZY, 1);
    fake_use_kernels(&watched);
    start(&batch, counted[row].to, counted[row].from, 4 << 20);
    for (int64_t i = 0; i < counted[row].count; i++) {
        struct test_pair p = *counted[row].pairs[i % 2];

        p.shape[0] += i * counted[row].longer;
        add(&batch, &p, 0, 0);
    }
    cr_assert_eq(run(&batch, way, 0, NULL), SV_OK, "%s: %s", counted[row].name, sv_last_message());
    cr_expect_eq(fake_count(FAKE_CALL(launch)), counted[row].launches, "%s: %d launches", counted[row].name,
                 fake_count(FAKE_CALL(launch)));
    cr_expect_eq(fake_count(FAKE_CALL(copy)), counted[row].copies, "%s: %d copies", counted[row].name,
                 fake_count(FAKE_CALL(copy)));
    if (counted[row].kernel != NULL)
        cr_expect_str_eq(launched, counted[row].kernel, "%s", counted[row].name);
    cr_expect(is_right(&batch), "%s", counted[row].name);
    forget(&batch);
    cr_assert_str_eq(end(), "", "%s", counted[row].name);
    fake_use_kernels(NULL);
}

Test(batch_cuda, small_copies_are_few_launches)
{
    for (size_t row = 0; row < sizeof counted / sizeof *counted; row++)
        for (int way = 0; way < WAYS; way++)
            test_counted(row, (enum way)way);
}

/* As large and as badly placed as copies by way of a slot of pinned memory may be: the next slot stays as it is. */
Test(batch_cuda, full_slots)
{
    const int64_t nbytes = (4 << 20) / 128 - 32;
    const struct test_pair most = {1, 1, {nbytes}, {1}, {1}}, more = {1, 1, {nbytes + 1}, {1}, {1}};

    for (int i = 0; i < 2; i++) {
        struct batch batch;

        begin(FAKE_LAZY, 1);
        start(&batch, SV_DEVICE_CUDA, SV_DEVICE_CPU, 5 << 20);
        while (batch.count < 150)
            add(&batch, i == 0 ? &most : &more, 15, 0);
        cr_assert_eq(run(&batch, COPY_BATCH, 0, NULL), SV_OK, "%s", sv_last_message());
        cr_expect_eq(fake_count(FAKE_CALL(launch)), i == 0 ? 2 : 0);
        cr_expect(is_right(&batch));
        forget(&batch);
        cr_assert_str_eq(end(), "");
    }
}

/* Waits once, at the end of each launch; a capture has the launches. */
Test(batch_cuda, blocking_and_captured)
{
    struct fake_graph *graph = NULL;
    struct batch batch;

    begin(FAKE_LAZY, 1);
    start(&batch, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1 << 20);
    while (batch.count < 100)
        add(&batch, &transpose, 0, 0);
    cr_assert_eq(run(&batch, COPY_BATCH, SV_COPY_BLOCKING, NULL), SV_OK);
    cr_expect_eq(fake_count(FAKE_CALL(synchronize)), 1);
    cr_expect_eq(fake_unfinished(), 0);
    cr_expect_eq(run(&batch, COPY_BATCH, SV_COPY_NO_WAIT, NULL), SV_OK);
    cr_assert_eq(fake_begin_capture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    cr_expect_eq(run(&batch, COPY_BATCH, SV_COPY_BLOCKING, NULL), SV_ERROR_STATE);
    cr_expect_eq(run(&batch, COPY_BATCH, 0, NULL), SV_OK);
    cr_assert_eq(fake_end_capture(stream, &graph), cudaSuccess);
    cr_expect_str_eq(fake_graph_text(graph), "a kernel; ");
    fake_end_graph(graph);
    cr_expect(is_right(&batch));
    forget(&batch);
    cr_assert_str_eq(end(), "");
}

/* --- failure ----------------------------------------------------------------------------------------- */

/* Nothing is given to the stream. */
Test(batch_cuda, all_is_checked_first)
{
    struct batch batch;
    sv_view *whole;
    int64_t failed = -5;

    begin(FAKE_LAZY, 1);
    start(&batch, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1 << 20);
    while (batch.count < 200)
        add(&batch, &transpose, 0, 0);
    whole = batch.dst[150];
    cr_assert_eq(sv_view_as_readonly(whole, &batch.dst[150]), SV_OK);
    cr_expect_eq(run(&batch, COPY_BATCH, 0, &failed), SV_ERROR_READ_ONLY);
    cr_expect_eq(failed, 150);
    cr_expect_eq(fake_count(FAKE_CALL(launch)), 0);
    cr_expect_eq(fake_unfinished(), 0);
    sv_view_release(whole);
    forget(&batch);
    cr_assert_str_eq(end(), "");
}

/* The first of a launch is told, and those before it are done, those of other layouts too. */
Test(batch_cuda, what_comes_before_a_failure_is_done)
{
    struct batch batch;
    int64_t failed = -5;
    char *found;

    begin(FAKE_LAZY, 1);
    start(&batch, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1 << 20);
    for (int64_t i = 0; i < 300; i++)
        add(&batch, i == 3 ? &steps : i == 5 ? &dense : &transpose, 0, 0);
    fake_reset();
    fake_fail_call(FAKE_CALL(launch), 3, cudaErrorLaunchOutOfResources);
    cr_expect_eq(sv_copy_batch(batch.count, batch.dst, batch.src, 0, (uintptr_t)stream, &failed), SV_ERROR_CUDA);
    cr_expect_eq(failed, 130, "%d", (int)failed);
    cr_expect_eq(strncmp(sv_last_message(), "place 130: ", 11), 0, "%s", sv_last_message());
    found = malloc(batch.to.nbytes);
    side_get(batch.to.type, found, batch.to.bytes, batch.to.nbytes);
    for (int64_t i = 0; i <= failed; i++) {
        const size_t at = (size_t)((char *)sv_view_data(batch.dst[i]) - batch.to.bytes);

        cr_expect_eq(memcmp(found + at, batch.expected + at, 8) == 0, i < failed, "copy %d", (int)i);
    }
    free(found);
    forget(&batch);
    cr_assert_str_eq(end(), "");
}

/* Without memory to keep them copies are done one by one. */
Test(batch_cuda, out_of_memory)
{
    const struct svi_alloc kept = svi_alloc;
    struct batch batch;
    sv_status status;

    begin(FAKE_LAZY, 1);
    start(&batch, SV_DEVICE_CUDA, SV_DEVICE_CUDA, 1 << 20);
    while (batch.count < 10)
        add(&batch, &transpose, 0, 0);
    fake_reset();
    svi_alloc.allocate = no_memory;
    status = sv_copy_batch(batch.count, batch.dst, batch.src, 0, (uintptr_t)stream, NULL);
    svi_alloc = kept;
    cr_expect_eq(status, SV_OK);
    cr_expect_eq(fake_count(FAKE_CALL(launch)), 10);
    cr_expect(is_right(&batch));
    forget(&batch);
    cr_assert_str_eq(end(), "");
}

static struct batch tried;

static void prepare(void *with)
{
    const int32_t *sides = with;

    stream = fake_new_stream(0, cudaStreamNonBlocking);
    start(&tried, sides[0], sides[1], 1 << 18);
    for (int i = 0; i < 40; i++)
        add(&tried, i % 4 == 0 ? &dense : i % 4 == 1 ? &transpose : &steps, 0, 0);
}

static sv_status try(void *with)
{
    (void)with;
    return sv_copy_batch(tried.count, tried.dst, tried.src, 0, (uintptr_t)stream, NULL);
}

static void clean(void *with, sv_status status)
{
    (void)with, (void)status;
    forget(&tried);
    fake_end_stream(stream);
}

Test(batch_cuda, each_call_fails_once)
{
    static int32_t sides[][2] = {{SV_DEVICE_CUDA, SV_DEVICE_CUDA},
                                 {SV_DEVICE_CUDA, SV_DEVICE_CUDA_HOST},
                                 {SV_DEVICE_CUDA, SV_DEVICE_CPU},
                                 {SV_DEVICE_CPU, SV_DEVICE_CUDA}};
    int rounds = 0, all = 0;

    for (int i = 0; i < 4; i++) {
        const struct fake_trial trial = {prepare, try, clean, sides[i], NULL, NULL, 0, false};
        const struct fake_settings settings = {.policy = FAKE_LAZY};

        begin(FAKE_LAZY, 1);
        cr_assert_str_eq(end(), "");
        cr_expect_str_eq(fake_fail_each(&trial, &settings, &rounds), "", "%d", i);
        all += rounds;
    }
    cr_assert_gt(all, 20, "%d", all);
}
