/*
 * What every loop of the host that can do a copy prefetches, and what it stores by non-temporal (NT) stores: counted,
 * not timed, in a build of src/host with SVI_TRACE. A loop that prefetches what it does not need, or stores a line in
 * two parts, may be many times slower on some processor; here it fails on any.
 *
 *     memory_hints                the copies of tests/run/memory_hints.txt
 *     memory_hints FILE [PART]    those of another list of tests/bench/copy_random.py, of 128 KiB to 1 MiB; with PART
 *                                 in their names
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/copy_cases.h"
#include "host/base/memory_hints.h"
#include "host/dispatch/dispatch.h"
#include "copy/job.h"
#include "memory_trace.h"
#include "tap.h"
#include "support/pairs.h"
#include "host/front/candidates.h"

enum {
    CACHE = 1 << 20, /* the last-level cache of a machine that is played: many copies are beyond, buffers are not */
    SMALL_L2 = 128 << 10,
    LARGE_L2 = 1 << 20,
    MACHINES = 18,
    LAYOUT_TEXT = 3072
};

/* --- machines --------------------------------------------------------------------- */

static struct svi_machine machines[MACHINES];
static int machine_count;

static void add_machines(const char *isa, const struct svi_tuning *tuning)
{
    const struct svi_isa *const table = svi_isa_named(isa);
    const bool permutes = strcmp(isa, "avx512") == 0 && (tuning == &svi_tuning_amd || tuning == &svi_tuning_zen4);

    for (int large = 0; table != NULL && large <= 1; large++)
        machines[machine_count++] =
            (struct svi_machine){.isa = table, .cache = CACHE, .l2_bytes = large ? LARGE_L2 : SMALL_L2,
                                 .permutes_bytes = permutes && svi_machine().permutes_bytes, .tuning = tuning};
}

static void add_all_machines(void)
{
    add_machines("plain", &svi_tuning_other);
    add_machines("neon", &svi_tuning_other);
    add_machines("sse2", &svi_tuning_other);
    add_machines("avx2", &svi_tuning_zen3);
    add_machines("avx2", &svi_tuning_intel);
    add_machines("avx512", &svi_tuning_amd);
    add_machines("avx512", &svi_tuning_zen4);
    add_machines("avx512", &svi_tuning_intel);
    add_machines("avx512", &svi_tuning_other);
}

/* --- copies ---------------------------------------------------------------------------- */

struct copy {
    const struct bench_case *c;
    struct svi_plan plan;
    char *dst, *src;
    int64_t touched; /* lines of both sides */
    int64_t rows;    /* runs of the destination along the last axis */
};

static int64_t rows_of(const struct svi_plan *plan)
{
    int64_t items = 1;

    if (plan->kind == SVI_CLASS_CONTIGUOUS)
        return 1;
    for (int32_t k = 0; k < plan->ndim; k++)
        items *= plan->shape[k];
    return plan->ndim > 0 && plan->dst[plan->ndim - 1] == plan->item ? items / plan->shape[plan->ndim - 1] : items;
}

static struct copy begin(const struct bench_case *c)
{
    sv_view *dst = bench_view(c->dst, c->dtype, trace_dst()), *src = bench_view(c->src, c->src_dtype, trace_src());
    struct copy copy = {.c = c, .dst = sv_view_data(dst), .src = sv_view_data(src)};
    struct svi_job job;

    if (bench_span(c->dst) > TRACE_ROOM || bench_span(c->src) > TRACE_ROOM ||
        svi_job_make(dst, src, SV_COPY_CAST_UNSAFE, SVI_JOB_WHOLE, &job) != SV_OK)
        abort();
    sv_view_release(dst);
    sv_view_release(src);
    copy.plan = job.plan;
    copy.touched = trace_begin_copy(&copy.plan, copy.dst, copy.src);
    copy.rows = rows_of(&copy.plan);
    return copy;
}

/* --- what is allowed ---------------------------------------------------------------- */

enum fault { FETCHED, NEEDLESS, PREFETCHES, PARTS, TORN, REPEATED, BUFFERED, FAULTS };

static const char *const fault_names[FAULTS] = {
    "lines are prefetched",
    "lines are prefetched that the copy does not touch",
    "prefetches",
    "parts of lines are stored by NT stores",
    "parts of lines are stored by NT stores to lines that others complete later",
    "whole lines are stored again by NT stores",
    "NT stores are to a buffer",
};

enum {
    AHEAD_LINES = 512,  /* prefetched behind the end: the largest distance of a tuning, 32 KiB */
    PREFETCHES_EACH = 8 /* of a line: all but the first find it in L1, and take no longer than a load */
};

/*
 * A line is prefetched once, and few are that are not of the copy, behind the ends of rows. Memory reads a line before
 * a part of it is stored, so only the ends of rows may be such parts, of which no other NT store makes a whole line.
 * Columns that are no whole tile are stored by one that does some of those before again, so at most all of them. Some
 * candidates are for machines without a cache, where buffers are not in it either.
 */
static void limits_of(const struct copy *copy, const struct svi_candidate *candidate, const struct trace_counts *t,
                      int64_t *limit)
{
    limit[FETCHED] = copy->touched + copy->touched / 4 + AHEAD_LINES;
    limit[NEEDLESS] = copy->touched / 4 + AHEAD_LINES;
    limit[PREFETCHES] = PREFETCHES_EACH * copy->touched + AHEAD_LINES;
    limit[PARTS] = 2 * copy->rows;
    limit[TORN] = 0;
    limit[REPEATED] = t->streamed / 2;
    limit[BUFFERED] = candidate->cache == 0 ? INT64_MAX : 0;
}

static int64_t half_of_lines(const struct copy *copy)
{
    return copy->touched / 2 + AHEAD_LINES;
}

static int64_t all_lines(const struct copy *copy)
{
    return copy->touched + AHEAD_LINES;
}

/* Of short ones; and of a plane of few rows many are at its end, behind which others are prefetched. */
static int64_t lines_of_gaps(const struct copy *copy)
{
    const struct svi_plan *plan = &copy->plan;
    const int32_t last = plan->ndim - 1;
    const int64_t gap = last > 0 ? plan->src[last - 1] - plan->shape[last] * plan->src_item : 0;

    return (gap > 0 && gap <= 256) || (last > 0 && plan->shape[last - 1] < 8) ? all_lines(copy)
                                                                             : copy->touched / 4 + AHEAD_LINES;
}

/* Of planes, and of groups of four rows in them. */
static int64_t ends_of_groups(const struct copy *copy)
{
    const struct svi_plan *plan = &copy->plan;

    return copy->rows / 4 + (plan->ndim > 1 ? copy->rows / plan->shape[plan->ndim - 2] : 0);
}

static int64_t thrice_lines(const struct copy *copy)
{
    return 3 * copy->touched + AHEAD_LINES;
}

static int64_t any(const struct copy *copy)
{
    (void)copy;
    return INT64_MAX;
}

/* What a loop may do beyond that, and why. */
static const struct exception {
    const char *loop;
    enum fault fault;
    int64_t (*limit)(const struct copy *copy);
    const char *why;
} exceptions[] = {
    {"two_pass", BUFFERED, any, "a block that lies in many lines is beyond the cache that is played, but no real one"},
    {"permute_records", FETCHED, thrice_lines, "lines of the source are read for each distant line that takes a part"},
    {"rows_lines_nt", TORN, ends_of_groups, "rows of 16-byte units share lines; those of other groups follow later"},
    {"rows_lines_nt", NEEDLESS, half_of_lines, "the prefetch distance is more than some axes have rows"},
    {"rows_parts_nt", NEEDLESS, all_lines, "the same of both sides"},
    {"broadcast", NEEDLESS, all_lines, "the rows are those of these loops"},
    {"two_pass", NEEDLESS, half_of_lines, "the same in a block"},
    {"planes_nt", NEEDLESS, half_of_lines, "planes that lie in twice their bytes are prefetched as one"},
    {"permute_records", NEEDLESS, half_of_lines, "the prefetch distance is more than some axes have rows"},
    {"permute_period", NEEDLESS, all_lines, "the prefetch distance is more than some axes have periods"},
    {"scatter_masked", NEEDLESS, all_lines, "the prefetch distance is more than some rows have bytes"},
    {"few_channels", NEEDLESS, half_of_lines, "the prefetch distance is more than some runs have bytes"},
    {"convert_blocks", NEEDLESS, all_lines, "rows up to a line apart are prefetched as one, with what is between them"},
    {"convert_transpose", NEEDLESS, half_of_lines, "the last block of a plane has fewer rows than are prefetched"},
    {"convert_rows", NEEDLESS, lines_of_gaps, "gaps of up to 256 bytes are prefetched, too, which is faster"},
};

static void allow(const struct copy *copy, const struct svi_loop *loop, int64_t *limit)
{
    for (size_t k = 0; k < sizeof exceptions / sizeof *exceptions; k++)
        if (strcmp(loop->name, exceptions[k].loop) == 0)
            limit[exceptions[k].fault] = exceptions[k].limit(copy);
}

static void counts_of(const struct trace_counts *t, int64_t *count)
{
    count[FETCHED] = t->fetched;
    count[NEEDLESS] = t->needless;
    count[PREFETCHES] = t->prefetches;
    count[PARTS] = t->parts;
    count[TORN] = t->torn;
    count[REPEATED] = t->repeated;
    count[BUFFERED] = t->buffered;
}

/* --- checking ------------------------------------------------------------------------- */

static void fail(const struct copy *copy, const struct svi_machine *machine, const struct svi_candidate *candidate,
                 enum fault fault, int64_t count, int64_t limit)
{
    static char dst[LAYOUT_TEXT], src[LAYOUT_TEXT];
    const struct bench_case *c = copy->c;

    if (sv_layout_text(c->dst, sizeof dst, dst, NULL) != SV_OK ||
        sv_layout_text(c->src, sizeof src, src, NULL) != SV_OK)
        abort();
    tap_ok(false, "%s: %s%s by %s for %s: %lld %s, of %lld at most", c->name, candidate->loop->name,
           candidate->beyond_cache ? " beyond the cache" : "", machine->isa->name, machine->tuning->name,
           (long long)count, fault_names[fault], (long long)limit);
    tap_note("%s->%s, %s from %s, L2 of %lld KiB; lines of both sides: %lld", c->src_dtype, c->dtype, dst, src,
             (long long)machine->l2_bytes / 1024, (long long)copy->touched);
}

static bool check(const struct copy *copy, const struct svi_machine *machine, const struct svi_candidate *candidate)
{
    int64_t limit[FAULTS], count[FAULTS];
    struct trace_counts t;
    bool right;

    trace_begin_loop();
    right = svi_host_run_candidate(machine, &copy->plan, candidate, copy->dst, copy->src);
    t = trace_end_loop();
    limits_of(copy, candidate, &t, limit);
    allow(copy, candidate->loop, limit);
    counts_of(&t, count);
    for (int k = 0; k < FAULTS; k++)
        if (count[k] > limit[k]) {
            fail(copy, machine, candidate, (enum fault)k, count[k], limit[k]);
            right = false;
        }
    return right;
}

static bool check_all(const struct bench_case *c)
{
    const struct copy copy = begin(c);
    bool right = true;

    for (int m = 0; m < machine_count; m++) {
        const struct svi_machine *machine = &machines[m];
        struct svi_candidate candidate[SVI_CANDIDATES];
        const int count = svi_host_candidates(machine, &copy.plan, copy.dst, copy.src, candidate);

        for (int k = 0; k < count && !candidate[k].refused; k++)
            right = check(&copy, machine, &candidate[k]) && right;
    }
    return right;
}

static void check_list(const char *path, const char *part)
{
    static struct bench_case cases[BENCH_CASES];
    const int count = bench_cases_read(path, cases);
    int done = 0;
    bool right = true;

    for (int k = 0; k < count; k += test_is_emulated() ? 8 : 1)
        if (strstr(cases[k].name, part) != NULL) {
            right = check_all(&cases[k]) && right;
            done++;
        }
    bench_cases_release(count, cases);
    tap_ok(right && done > 0, "%d copies by every loop that does not refuse them", done);
}

/* --- what is counted -------------------------------------------------------------------- */

/* A line in two halves with so many lines between them. */
static struct trace_counts halves(int between)
{
    char *const dst = trace_dst();

    trace_begin_loop();
    svi_trace_nt_store(dst, TRACE_LINE / 2);
    for (int k = 1; k <= between; k++)
        svi_trace_nt_store(dst + k * TRACE_LINE, TRACE_LINE / 2);
    svi_trace_nt_store(dst + TRACE_LINE / 2, TRACE_LINE / 2);
    return trace_end_loop();
}

/* Each row is a line, and the gap to the next row is prefetched, too. */
static struct trace_counts spans(int64_t pitch, int64_t rows)
{
    struct svi_plan plan;

    svi_plan_make(2, (int64_t[]){rows, TRACE_LINE}, (int64_t[]){TRACE_LINE, 1}, (int64_t[]){pitch, 1}, 1, &plan);
    trace_begin_copy(&plan, trace_dst(), trace_src());
    trace_begin_loop();
    for (int64_t k = 0; k < rows * pitch; k += TRACE_LINE)
        svi_trace_prefetch(trace_src() + k);
    return trace_end_loop();
}

static void check_counts(void)
{
    struct trace_counts t = halves(3);

    tap_ok(t.streamed == 4 && t.parts == 3 && t.torn == 0, "a line that is completed soon is stored once");
    t = halves(20);
    tap_ok(t.parts == 22 && t.torn == 1, "one that is completed late is stored in two parts");
    t = spans(4096, 100);
    tap_ok(t.prefetches == 6400 && t.fetched == 6400 && t.needless == 6300, "lines between rows are needless");
    trace_begin_loop();
    for (int k = 0; k < 10; k++)
        svi_trace_prefetch(trace_src());
    svi_trace_prefetch(trace_src() - TRACE_MARGIN / 2);
    t = trace_end_loop();
    tap_ok(t.prefetches == 11 && t.fetched == 2 && t.needless == 1, "a line comes once, and others far from the array");
}

int main(int argc, char **argv)
{
    add_all_machines();
    check_counts();
    check_list(argc > 1 ? argv[1] : SV_CASES, argc > 2 ? argv[2] : "");
    return tap_done();
}
