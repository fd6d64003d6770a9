/* Which loop measuring keeps: loops of a backend of the test, whose times a clock of the test tells. */
#include <criterion/criterion.h>

#include "base/clock.h"
#include "copy/measure.h"

enum { LOOPS = 5, US = 1000, MS = 1000 * US };

/* --- the clock ------------------------------------------------------------------ */

static int64_t time_ns;
static bool has_clock = true;

/* In the place of clock.c's. */
bool svi_clock(int64_t *nanoseconds)
{
    *nanoseconds = time_ns;
    return has_clock;
}

/* --- the backend ------------------------------------------------------------------ */

static int64_t cost_ns[LOOPS]; /* of a copy; the copy after one by another loop takes extra_ns more */
static int64_t extra_ns;
static int runs[LOOPS], last, left;

static struct svi_candidate candidates[LOOPS] = {
    {.name = "first"}, {.name = "second"}, {.name = "third"}, {.name = "fourth"}, {.name = "fifth"}};

static sv_status run_loop(int loop)
{
    if (left == 0)
        return svi_fail(SV_ERROR_BLOCKED, "no more");
    left -= left > 0;
    time_ns += cost_ns[loop] + (loop != last ? extra_ns : 0);
    runs[loop]++;
    last = loop;
    return SV_OK;
}

static sv_status run_chosen(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)plan, (void)dst, (void)src, (void)with;
    return run_loop(0);
}

static sv_status run_candidate(const struct svi_plan *plan, char *dst, const char *src, const void *with)
{
    (void)plan, (void)dst, (void)src;
    for (int k = 0; k < LOOPS; k++)
        if (((const struct svi_candidate *)with)->name == candidates[k].name)
            return run_loop(k);
    return svi_fail(SV_ERROR_STATE, "an unknown loop");
}

static void choose(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, struct svi_choice *out)
{
    (void)plan, (void)dst, (void)src;
    *out = (struct svi_choice){NULL, run_chosen, NULL};
}

static const struct svi_backend backend = {.name = "test", .choose = choose, .run_candidate = run_candidate};

/* --- measuring -------------------------------------------------------------------- */

static struct svi_timed rows[LOOPS];
static struct svi_measured measured;
static struct svi_job job;
static char memory[2]; /* dst and src */

/* By all loops, or the first few; a copy fails after so many, or none does if that is -1. */
static sv_status measure_some(int32_t count, const int64_t *costs, int64_t limit_ns, int copies)
{
    measured = (struct svi_measured){count, -1, rows};
    for (int k = 0; k < count; k++) {
        rows[k] = (struct svi_timed){candidates[k], 0, 0};
        cost_ns[k] = costs[k];
        runs[k] = 0;
    }
    last = 0;
    left = copies;
    job = (struct svi_job){.backend = &backend, .tasks = 1, .apart = {0, UINT64_MAX, 0}};
    svi_job_choose(&job);
    return svi_measure(&job, memory, memory + 1, 0, limit_ns, &measured);
}

static sv_status measure(int32_t count, const int64_t *costs, int64_t limit_ns)
{
    return measure_some(count, costs, limit_ns, -1);
}

static void expect_kept(int32_t k)
{
    cr_expect_eq(measured.kept, k, "kept %d", (int)measured.kept);
    cr_expect_str_eq(job.choice.kernel, candidates[k].name);
    cr_expect_eq(job.kept, k == 0 ? NULL : &rows[k].candidate);
    cr_expect_eq(job.choice.run, k == 0 ? run_chosen : run_candidate);
}

Test(measure, the_fastest_is_kept)
{
    for (int32_t best = 0; best < LOOPS; best++) {
        for (int64_t scale = 1; scale <= 10 * MS; scale *= 10) {
            int64_t costs[LOOPS] = {120 * scale, 110 * scale, 130 * scale, 200 * scale, 115 * scale};

            costs[best] = 100 * scale;
            cr_assert_eq(measure(LOOPS, costs, INT64_MAX), SV_OK);
            expect_kept(best);
            cr_expect_eq((int64_t)rows[best].least_ns, costs[best]);
        }
    }
}

Test(measure, a_little_faster_is_not_enough)
{
    cr_assert_eq(measure(3, (int64_t[]){1000, 980, 2000}, INT64_MAX), SV_OK);
    expect_kept(0);
    cr_assert_eq(measure(3, (int64_t[]){1000, 960, 2000}, INT64_MAX), SV_OK);
    expect_kept(1);
}

/* A loop that finds the caches as another one left them is not slower for it. */
Test(measure, caches_of_the_loop_before)
{
    extra_ns = 5 * MS;
    cr_assert_eq(measure(3, (int64_t[]){20 * MS, 18 * MS, 19 * MS}, INT64_MAX), SV_OK);
    expect_kept(1);
    cr_expect_eq((int64_t)rows[1].least_ns, 18 * MS);
    extra_ns = 0;
}

Test(measure, slow_loops_are_run_once)
{
    cr_assert_eq(measure(LOOPS, (int64_t[]){MS, 4 * MS, 2 * MS, 10 * MS, 5 * MS}, INT64_MAX), SV_OK);
    expect_kept(0);
    cr_expect_eq(runs[1], 1);
    cr_expect_eq(runs[3], 1);
    cr_expect_eq(runs[4], 1);
    cr_expect_lt(runs[2], 10);
}

/* No run is begun after the end but the first, and nobody is preferred who was hardly timed. */
Test(measure, the_limit)
{
    time_ns = 7;
    cr_assert_eq(measure(LOOPS, (int64_t[]){MS, MS / 2, MS, MS, MS}, 1), SV_OK);
    expect_kept(0);
    cr_expect_eq(runs[0], 1);
    cr_expect_eq(runs[1], 0);
    cr_expect_eq(rows[1].batches, 0);
    cr_assert_eq(measure(LOOPS, (int64_t[]){MS, MS / 2, MS, MS, MS}, 3 * MS), SV_OK);
    expect_kept(0);
    cr_expect_eq(runs[4], 0);
    cr_assert_eq(measure(LOOPS, (int64_t[]){MS, MS / 2, MS, MS, MS}, 100 * MS), SV_OK);
    expect_kept(1);
}

Test(measure, nothing_to_measure)
{
    cr_assert_eq(measure(1, (int64_t[]){MS}, INT64_MAX), SV_OK);
    expect_kept(0);
    cr_expect_eq(runs[0], 0);
    has_clock = false;
    cr_assert_eq(measure(LOOPS, (int64_t[]){MS, MS / 2, MS, MS, MS}, INT64_MAX), SV_OK);
    expect_kept(0);
    cr_expect_eq(runs[0] + runs[1], 0);
    has_clock = true;
}

/* Measuring ends, though the clock never advances. */
Test(measure, no_time_passes)
{
    cr_assert_eq(measure(LOOPS, (int64_t[]){0, 0, 0, 0, 0}, INT64_MAX), SV_OK);
    expect_kept(0);
}

Test(measure, a_copy_fails)
{
    for (int copies = 0; copies < 10; copies++) {
        cr_assert_eq(measure_some(LOOPS, (int64_t[]){MS, MS / 2, MS, MS, MS}, INT64_MAX, copies), SV_ERROR_BLOCKED);
        expect_kept(0);
    }
}
