/* Measured plans: what they copy and what is refused. measure.c tests what is kept, host_candidates.c all loops. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "copy/explain.h"
#include "copy/job_run.h"
#include "copy/parallel.h"
#include "support/pairs.h"
#include "support/views.h"
#include "host/front/host.h"

/* --- cases ------------------------------------------------------------------ */

/* Strides in bytes. */
static const struct row {
    const char *name;
    sv_dtype dst_dtype, src_dtype;
    int32_t ndim;
    int64_t shape[3], dst[3], src[3];
    uint32_t flags;
    int32_t threads;
    int64_t limit;
} rows[] = {
    {"one run", SV_UINT8, SV_UINT8, 1, {1000}, {1}, {1}, 0, 1, 0},
    {"one element", SV_FLOAT64, SV_FLOAT64, 0, {1}, {0}, {0}, 0, 1, 0},
    {"empty", SV_FLOAT32, SV_FLOAT32, 2, {0, 3}, {12, 4}, {12, 4}, 0, 1, 0},
    {"rows", SV_FLOAT32, SV_FLOAT32, 2, {50, 60}, {250, 4}, {260, 4}, 0, 1, 0},
    {"transpose of whole tiles", SV_FLOAT32, SV_FLOAT32, 2, {64, 64}, {256, 4}, {4, 256}, 0, 1, 0},
    {"transpose", SV_INT16, SV_INT16, 2, {201, 199}, {398, 2}, {2, 402}, 0, 1, 0},
    {"transpose by threads", SV_FLOAT32, SV_FLOAT32, 2, {300, 301}, {1204, 4}, {4, 1200}, 0, 2, 0},
    {"rows by threads", SV_FLOAT32, SV_FLOAT32, 2, {700, 300}, {1204, 4}, {1300, 4}, 0, 2, 0},
    {"no time", SV_INT16, SV_INT16, 2, {201, 199}, {398, 2}, {2, 402}, 0, 1, 1},
    {"much time", SV_UINT8, SV_UINT8, 2, {40, 40}, {40, 1}, {1, 40}, 0, 1, INT64_MAX},
    {"colours to planes", SV_UINT8, SV_UINT8, 3, {3, 40, 50}, {2000, 50, 1}, {1, 150, 3}, 0, 1, 0},
    {"reversed", SV_UINT16, SV_UINT16, 2, {30, 100}, {200, 2}, {200, -2}, 0, 1, 0},
    {"every second", SV_FLOAT32, SV_FLOAT32, 1, {999}, {4}, {8}, 0, 1, 0},
    {"to every second", SV_FLOAT32, SV_FLOAT32, 1, {999}, {8}, {4}, 0, 1, 0},
    {"repeated", SV_INT32, SV_INT32, 2, {40, 90}, {360, 4}, {4, 0}, 0, 1, 0},
    {"converts", SV_FLOAT64, SV_FLOAT32, 1, {777}, {8}, {4}, SV_COPY_CAST, 1, 0},
    {"converts and transposes", SV_FLOAT32, SV_INT16, 2, {90, 91}, {364, 4}, {2, 180}, SV_COPY_CAST, 1, 0},
    {"without waiting", SV_FLOAT32, SV_FLOAT32, 2, {50, 60}, {250, 4}, {260, 4}, SV_COPY_NO_WAIT, 1, 0},
    {"no temporary", SV_INT16, SV_INT16, 2, {20, 19}, {38, 2}, {2, 40}, SV_COPY_NO_TEMP, 1, 0},
    {"swaps", SV_UINT32, SV_UINT32, 2, {90, 91}, {364, 4}, {364, 4}, SV_COPY_SWAP, 1, 0},
};

enum { ROOM = 1 << 20, SKEWS = 5 };
static const int64_t skews[SKEWS] = {0, 1, 4, 24, 63};

static unsigned char *from, *to, *expected;

static void begin(void)
{
    from = aligned_alloc(4096, ROOM);
    to = aligned_alloc(4096, ROOM);
    expected = aligned_alloc(4096, ROOM);
    for (int64_t i = 0; i < ROOM; i++)
        from[i] = (unsigned char)test_mix((uint64_t)i);
}

static void end(void)
{
    free(from);
    free(to);
    free(expected);
}

TestSuite(plan_measure, .init = begin, .fini = end);

/* Elements begin a KiB behind the memory's, as far as they go back. */
static sv_view *view_of(const struct row *r, sv_dtype dtype, const int64_t *strides, unsigned char *memory,
                        int64_t skew, uint32_t flags)
{
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new_bytes(r->ndim, r->shape, strides, sv_dtype_itemsize(dtype), &layout), SV_OK, "%s",
                 sv_last_message());
    cr_assert_eq(sv_view_new(layout, dtype, memory + 1024 + skew, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, flags, NULL,
                             NULL, &view), SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static sv_status in_turn(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        task(task_ctx, i);
    return SV_OK;
}

static sv_plan *plan_of(const struct row *r, const sv_view *dst, const sv_view *src)
{
    sv_plan *plan = NULL, *threaded = NULL;

    cr_assert_eq(sv_plan_new(dst, src, r->flags, &plan), SV_OK, "%s: %s", r->name, sv_last_message());
    cr_assert_eq(sv_plan_with_threads(plan, r->threads, in_turn, NULL, &threaded), SV_OK);
    sv_plan_release(plan);
    return threaded;
}

static void expect_copied(const struct row *r, const char *how, int64_t skew)
{
    cr_expect_eq(memcmp(to, expected, ROOM), 0, "%s: %s, %d bytes further", r->name, how, (int)skew);
}

/* What a plan that was not measured makes of it. */
static void expect_at(const struct row *r, const sv_plan *plan, const sv_plan *measured, int64_t skew)
{
    sv_view *dst = view_of(r, r->dst_dtype, r->dst, to, skew, 0);
    sv_view *src = view_of(r, r->src_dtype, r->src, from, SKEWS - skew % SKEWS, SV_READ_ONLY);
    sv_view *wanted = view_of(r, r->dst_dtype, r->dst, expected, skew, 0);

    memset(to, 0xee, ROOM);
    memset(expected, 0xee, ROOM);
    cr_expect_eq(sv_plan_execute_views(plan, wanted, src, 0), SV_OK, "%s: %s", r->name, sv_last_message());
    cr_expect_eq(sv_plan_execute_views(measured, dst, src, 0), SV_OK, "%s: %s", r->name, sv_last_message());
    expect_copied(r, "executed", skew);
    sv_view_release(dst);
    sv_view_release(src);
    sv_view_release(wanted);
}

static void expect_explained(const struct row *r, const sv_plan *measured)
{
    char text[16384], line[64];
    const char *kept;

    cr_assert_eq(sv_plan_explain(measured, NULL, NULL, sizeof text, text, NULL), SV_OK);
    kept = strstr(text, ", kept\n");
    cr_expect_eq(kept != NULL, sv_plan_nbytes(measured) > 0, "%s: %s", r->name, text);
    if (kept == NULL)
        return;
    while (kept > text && kept[-1] != '\n')
        kept--;
    snprintf(line, sizeof line, "   %s ", sv_plan_kernel(measured));
    cr_expect_eq(strncmp(kept, line, strlen(line)), 0, "%s: %s", r->name, text);
}

Test(plan_measure, copies_the_same)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        sv_view *dst = view_of(r, r->dst_dtype, r->dst, to, 0, 0), *src = view_of(r, r->src_dtype, r->src, from, 0, 0);
        sv_view *wanted = view_of(r, r->dst_dtype, r->dst, expected, 0, 0);
        sv_plan *plan = plan_of(r, dst, src), *measured = NULL, *alone = NULL, *shared = NULL;

        memset(to, 0xee, ROOM);
        memset(expected, 0xee, ROOM);
        cr_assert_eq(sv_copy(wanted, src, r->flags, 0), SV_OK);
        cr_assert_eq(sv_plan_measure(plan, dst, src, r->limit, 0, &measured), SV_OK, "%s: %s", r->name,
                     sv_last_message());
        expect_copied(r, "measured", 0);
        cr_expect_neq(measured, plan);
        expect_explained(r, measured);
        cr_expect_str_eq(sv_plan_class(measured), sv_plan_class(plan));
        cr_expect_eq(sv_plan_nbytes(measured), sv_plan_nbytes(plan));
        for (int k = 0; k < SKEWS; k++)
            expect_at(r, plan, measured, skews[k]);

        cr_assert_eq(sv_plan_with_threads(measured, 1, NULL, NULL, &alone), SV_OK);
        cr_assert_eq(sv_plan_with_threads(measured, 3, in_turn, NULL, &shared), SV_OK);
        cr_expect_str_eq(sv_plan_kernel(alone), sv_plan_kernel(measured));
        cr_expect_str_eq(sv_plan_kernel(shared), sv_plan_kernel(measured));
        sv_plan_release(measured);
        expect_at(r, plan, alone, 3);
        expect_at(r, plan, shared, 3);
        sv_plan_release(alone);
        sv_plan_release(shared);
        sv_plan_release(plan);
        sv_view_release(dst);
        sv_view_release(src);
        sv_view_release(wanted);
    }
}

/* A plan that was measured is measured again by all loops, the first of which is the one that is chosen. */
Test(plan_measure, again)
{
    const struct row *r = &rows[5];
    sv_view *dst = view_of(r, r->dst_dtype, r->dst, to, 0, 0), *src = view_of(r, r->src_dtype, r->src, from, 0, 0);
    sv_plan *plan = plan_of(r, dst, src), *once = NULL, *twice = NULL;
    char text[16384], line[128];

    cr_assert_eq(sv_plan_measure(plan, dst, src, 0, 0, &once), SV_OK);
    cr_assert_eq(sv_plan_measure(once, dst, src, 0, 0, &twice), SV_OK);
    cr_assert_eq(sv_plan_explain(twice, NULL, NULL, sizeof text, text, NULL), SV_OK);
    snprintf(line, sizeof line, "\nmeasured, the least time of a copy:\n   %s ", sv_plan_kernel(plan));
    cr_expect_not_null(strstr(text, line), "%s", text);
    sv_plan_release(plan);
    sv_plan_release(once);
    expect_explained(r, twice);
    sv_plan_release(twice);
    sv_view_release(dst);
    sv_view_release(src);
}

/* A job of which any row may be the one that is kept. */
Test(plan_measure, whatever_is_kept)
{
    struct svi_timed timed[SVI_CANDIDATES];
    struct svi_measured measured = {0, 0, timed};
    int replaced = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        sv_view *dst = view_of(r, r->dst_dtype, r->dst, to, 0, 0), *src = view_of(r, r->src_dtype, r->src, from, 0, 0);
        sv_view *wanted = view_of(r, r->dst_dtype, r->dst, expected, 0, 0);
        struct svi_candidate found[SVI_CANDIDATES];
        struct svi_job job;

        cr_assert_eq(svi_job_make(dst, src, r->flags, SVI_JOB_WHOLE, &job), SV_OK);
        cr_assert_eq(svi_parallel_set(&job, r->threads, in_turn, NULL), SV_OK);
        memset(expected, 0xee, ROOM);
        cr_assert_eq(sv_copy(wanted, src, r->flags, 0), SV_OK);
        measured.count = job.backend == NULL ? 0 : svi_host.candidates(&job.plan, to + 1024, from + 1024, found);
        for (int32_t k = 0; k < measured.count; k++)
            measured.row[k] = (struct svi_timed){found[k], 1000.0 + k, 3};
        for (int32_t k = 0; k < measured.count; k++) {
            char text[16384], marked[64];

            measured.kept = k;
            svi_measured_keep(&measured, &job);
            cr_expect_eq(job.kept != NULL, k > 0);
            memset(to, 0xee, ROOM);
            cr_assert_eq(svi_job_run(&job, (char *)to + 1024, (const char *)from + 1024, 0), SV_OK);
            expect_copied(r, found[k].name, 0);
            cr_assert_eq(svi_explain(&job, &measured, to + 1024, from + 1024, sizeof text, text, NULL), SV_OK);
            snprintf(marked, sizeof marked, "\n-> %s ", found[k].name);
            cr_expect(strstr(text, marked) != NULL && strstr(text, ", kept\n") != NULL, "%s: %s", r->name, text);
            replaced += k > 0;
        }
        sv_view_release(dst);
        sv_view_release(src);
        sv_view_release(wanted);
    }
    cr_expect_gt(replaced, 10);
}

/* --- refusals ---------------------------------------------------------------- */

/* As if a device had it. */
static sv_view *on_device(const sv_view *view)
{
    sv_view *out = NULL;

    cr_assert_eq(sv_view_new(sv_view_layout(view), sv_view_dtype(view), sv_view_data(view), INT64_MIN, INT64_MAX,
                             SV_DEVICE_CUDA, 0, 0, NULL, NULL, &out), SV_OK, "%s", sv_last_message());
    return out;
}

Test(plan_measure, refusals)
{
    static const struct row square = {"square", SV_INT32, SV_INT32, 2, {9, 9}, {36, 4}, {4, 36}, 0, 1, 0};
    static const struct row flat = {"flat", SV_INT32, SV_INT32, 1, {81}, {4}, {4}, 0, 1, 0};
    sv_view *dst = view_of(&square, SV_INT32, square.dst, to, 0, 0);
    sv_view *src = view_of(&square, SV_INT32, square.src, from, 0, SV_READ_ONLY);
    sv_view *fixed = view_of(&square, SV_INT32, square.dst, to, 0, SV_READ_ONLY);
    sv_view *floats = view_of(&square, SV_FLOAT32, square.dst, to, 0, 0);
    sv_view *run = view_of(&flat, SV_INT32, flat.dst, to, 0, 0);
    sv_view *shifted = view_of(&square, SV_INT32, square.src, to, 8, 0);
    sv_view *itself = view_of(&square, SV_INT32, square.src, to, 0, 0);
    sv_view *elsewhere = on_device(dst);
    sv_plan *plan = plan_of(&square, dst, src), *out = NULL;
    const struct {
        const char *name;
        const sv_plan *plan;
        const sv_view *dst, *src;
        int64_t limit;
        sv_plan **out;
        sv_status status;
    } refused[] = {
        {"no plan", NULL, dst, src, 0, &out, SV_ERROR_NULL},
        {"no dst", plan, NULL, src, 0, &out, SV_ERROR_NULL},
        {"no src", plan, dst, NULL, 0, &out, SV_ERROR_NULL},
        {"no out", plan, dst, src, 0, NULL, SV_ERROR_NULL},
        {"negative limit", plan, dst, src, -1, &out, SV_ERROR_INVALID},
        {"least limit", plan, dst, src, INT64_MIN, &out, SV_ERROR_INVALID},
        {"read-only", plan, fixed, src, 0, &out, SV_ERROR_READ_ONLY},
        {"another dtype", plan, floats, src, 0, &out, SV_ERROR_DTYPE},
        {"another layout", plan, run, src, 0, &out, SV_ERROR_LAYOUT},
        {"another device", plan, elsewhere, src, 0, &out, SV_ERROR_DEVICE},
        {"src on another device", plan, dst, elsewhere, 0, &out, SV_ERROR_DEVICE},
        {"overlap", plan, dst, shifted, 0, &out, SV_ERROR_OVERLAP},
        {"in place", plan, dst, itself, 0, &out, SV_ERROR_OVERLAP},
    };

    memset(to, 0xee, ROOM);
    memset(expected, 0xee, ROOM);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_eq(sv_plan_measure(refused[i].plan, refused[i].dst, refused[i].src, refused[i].limit, 0,
                                     refused[i].out), refused[i].status, "%s: %s", refused[i].name, sv_last_message());
        cr_expect_null(out, "%s", refused[i].name);
        cr_expect_eq(memcmp(to, expected, ROOM), 0, "%s", refused[i].name);
    }
    sv_plan_release(plan);
    sv_view_release(dst);
    sv_view_release(src);
    sv_view_release(fixed);
    sv_view_release(floats);
    sv_view_release(run);
    sv_view_release(shifted);
    sv_view_release(itself);
    sv_view_release(elsewhere);
}

static sv_status refuse(void *ctx, int64_t count, sv_task_callback task, void *task_ctx)
{
    (void)ctx, (void)count, (void)task, (void)task_ctx;
    return SV_ERROR_BLOCKED;
}

Test(plan_measure, threads_that_fail)
{
    const struct row *r = &rows[6];
    sv_view *dst = view_of(r, r->dst_dtype, r->dst, to, 0, 0), *src = view_of(r, r->src_dtype, r->src, from, 0, 0);
    sv_plan *plan = plan_of(r, dst, src), *failing = NULL, *out = NULL;

    cr_assert_eq(sv_plan_with_threads(plan, 2, refuse, NULL, &failing), SV_OK);
    cr_expect_eq(sv_plan_measure(failing, dst, src, 0, 0, &out), SV_ERROR_BLOCKED);
    cr_expect_null(out);
    sv_plan_release(plan);
    sv_plan_release(failing);
    sv_view_release(dst);
    sv_view_release(src);
}
