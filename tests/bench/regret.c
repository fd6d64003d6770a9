/*
 * What a better choice of loops would give: every loop that can do a copy does it, is checked and timed.
 *
 *     regret                          small copies of the benchmark's list, as TAP: that each loop writes what it should
 *     regret FILE [SECONDS [TABLE]]   the copies of a list, as far as the time goes; TABLE: every time, in tab-separated
 *                                     columns
 *
 * It prints the time of the chosen loop as a multiple of the best one's: over all copies, by pair of loops, and the worst.
 */
#define _DEFAULT_SOURCE /* madvise */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "copy_cases.h"
#include "copy_pattern.h"
#include "host/dispatch/dispatch.h"
#include "copy/job.h"
#include "race.h"
#include "tap.h"
#include "host/front/candidates.h"

enum { PAIRS = 400, WORST = 25, LEAST_RUNS = 3, MOST_RUNS = 200, HUGE_PAGE = 2 << 20, GUARD = 4096 };
static const double budget = 0.02;  /* seconds for a loop, */
static const double hopeless = 3.0; /* which ends after one run where that takes so many times the best one's */
static const double clear = 1.1;    /* times the best: listed */

struct result {
    char name[BENCH_NAME], chosen[BENCH_NAME], best[BENCH_NAME];
    int64_t nbytes;
    double seconds, best_seconds;
};

/* --- memory ------------------------------------------------------------------ */

static struct memory {
    char *at;
    size_t nbytes;
} dst_memory, src_memory;

/* Room for a layout, where a page begins. */
static char *room_for(struct memory *memory, const sv_layout *layout)
{
    const size_t nbytes = ((size_t)bench_span(layout) + GUARD + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;

    if (nbytes > memory->nbytes) {
        free(memory->at);
        memory->at = aligned_alloc(HUGE_PAGE, nbytes);
        if (memory->at == NULL)
            abort();
#ifdef MADV_HUGEPAGE
        madvise(memory->at, nbytes, MADV_HUGEPAGE);
#endif
        memory->nbytes = nbytes;
    }
    return memory->at;
}

/* --- one copy ------------------------------------------------------------------ */

struct copy {
    const struct bench_case *c;
    struct svi_machine machine;
    struct svi_plan plan;
    char *dst, *src;
    int64_t nbytes; /* of the destination's memory */
};

static struct copy begin(const struct bench_case *c)
{
    struct copy copy = {.c = c, .machine = svi_machine(), .dst = room_for(&dst_memory, c->dst),
                        .src = room_for(&src_memory, c->src), .nbytes = bench_span(c->dst)};
    sv_view *dst = bench_view(c->dst, c->dtype, copy.dst), *src = bench_view(c->src, c->src_dtype, copy.src);
    struct svi_job job;

    if (svi_job_make(dst, src, SV_COPY_CAST_UNSAFE, SVI_JOB_WHOLE, &job) != SV_OK)
        abort();
    copy.plan = job.plan;
    copy.dst = sv_view_data(dst);
    copy.src = sv_view_data(src);
    sv_view_release(dst);
    sv_view_release(src);
    bench_pattern_write(c, src_memory.at, bench_span(c->src));
    return copy;
}

static bool is_right(const struct copy *copy, const struct svi_candidate *candidate)
{
    memset(dst_memory.at, 0, (size_t)copy->nbytes);
    return svi_host_run_candidate(&copy->machine, &copy->plan, candidate, copy->dst, copy->src) &&
           bench_pattern_is_right(copy->c, dst_memory.at, copy->nbytes);
}

static double time_of(const struct copy *copy, const struct svi_candidate *candidate, double best)
{
    const double begin = bench_thread_seconds();
    double least = HUGE_VAL;

    for (int run = 0; run < LEAST_RUNS || (run < MOST_RUNS && bench_thread_seconds() - begin < budget); run++) {
        const double before = bench_thread_seconds();
        double took;

        svi_host_run_candidate(&copy->machine, &copy->plan, candidate, copy->dst, copy->src);
        took = bench_thread_seconds() - before;
        if (took > 0) /* else the thread's clock did not advance */
            least = fmin(least, took);
        if (least > hopeless * best)
            break;
    }
    return least;
}

static void name_of(const struct svi_candidate *candidate, bool beyond_cache, char *out)
{
    snprintf(out, BENCH_NAME, "%s%s", candidate->loop->name,
             candidate->beyond_cache == beyond_cache ? "" : candidate->beyond_cache ? "/nt" : "/cached");
}

/* Also the last axis and the other one of a transpose, else the one before: extents, the last one's stride in the source
 * and the other one's in the destination. */
static void write_row(FILE *table, const struct copy *copy, const struct result *r, const char *loop, double seconds)
{
    const struct svi_plan *plan = &copy->plan;
    const int32_t last = plan->ndim - 1, tile = plan->kind == SVI_CLASS_TRANSPOSE ? plan->src_axis : last - (last > 0);

    fprintf(table, "%s\t%lld\t%s\t%s\t%.0f", r->name, (long long)r->nbytes, r->chosen, loop, seconds * 1e9);
    fprintf(table, "\t%d\t%d\t%lld\t%lld\t%lld\t%lld\t%d\n", (int)plan->kind, (int)plan->item,
            (long long)plan->shape[last], (long long)plan->shape[tile], (long long)plan->src[last],
            (long long)plan->dst[tile], (int)((uintptr_t)copy->dst % SVI_LINE));
}

/* False: a loop wrote something else. table: NULL, or where all times go. */
static bool measure(const struct bench_case *c, FILE *table, struct result *out)
{
    const struct copy copy = begin(c);
    const bool beyond_cache = svi_is_beyond_cache(&copy.machine, &copy.plan);
    struct svi_candidate candidate[SVI_CANDIDATES];
    const int count = svi_host_candidates(&copy.machine, &copy.plan, copy.dst, copy.src, candidate);
    bool right = true;

    *out = (struct result){.nbytes = copy.plan.nbytes, .best_seconds = HUGE_VAL};
    snprintf(out->name, BENCH_NAME, "%s", c->name);
    name_of(&candidate[0], beyond_cache, out->chosen);
    for (int k = 0; k < count && right; k++) {
        char name[BENCH_NAME];
        double seconds;

        name_of(&candidate[k], beyond_cache, name);
        right = is_right(&copy, &candidate[k]);
        if (!right) {
            printf("# %s by %s: not what the source has\n", c->name, name);
            break;
        }
        seconds = time_of(&copy, &candidate[k], out->best_seconds);
        if (k == 0)
            out->seconds = seconds;
        if (seconds < out->best_seconds) {
            out->best_seconds = seconds;
            memcpy(out->best, name, BENCH_NAME);
        }
        if (table != NULL)
            write_row(table, &copy, out, name, seconds);
    }
    if (right && count > 1) { /* once more: what was slow for another reason is not a wrong choice */
        out->seconds = fmin(out->seconds, time_of(&copy, &candidate[0], HUGE_VAL));
        out->best_seconds = fmin(out->best_seconds, out->seconds);
    }
    return right;
}

/* --- what comes out -------------------------------------------------------------- */

static double regret_of(const struct result *r)
{
    return r->seconds / r->best_seconds;
}

static int by_regret(const void *a, const void *b)
{
    const double x = regret_of(a), y = regret_of(b);

    return (x < y) - (x > y);
}

struct pair {
    const struct result *worst;
    int count;
    double logs;
};

static int by_logs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    return (x->logs < y->logs) - (x->logs > y->logs);
}

static void print_pairs(int count, const struct result *results)
{
    static struct pair pairs[PAIRS];
    int all = 0;

    for (int k = 0; k < count && regret_of(&results[k]) > clear; k++) {
        int p = 0;

        while (p < all && (strcmp(pairs[p].worst->chosen, results[k].chosen) != 0 ||
                           strcmp(pairs[p].worst->best, results[k].best) != 0))
            p++;
        if (p == PAIRS)
            continue;
        if (p == all)
            pairs[all++] = (struct pair){&results[k], 0, 0};
        pairs[p].count++;
        pairs[p].logs += log(regret_of(&results[k]));
    }
    qsort(pairs, (size_t)all, sizeof *pairs, by_logs);
    printf("\nchosen -> best, above %.1f, what costs most first: copies, geometric mean, worst\n", clear);
    for (int p = 0; p < all && p < WORST; p++)
        printf("  %-24s -> %-24s %4d  %.2f  %.2f\n", pairs[p].worst->chosen, pairs[p].worst->best, pairs[p].count,
               exp(pairs[p].logs / pairs[p].count), regret_of(pairs[p].worst));
}

static void print(int count, struct result *results)
{
    double logs = 0;
    int above = 0;

    qsort(results, (size_t)count, sizeof *results, by_regret);
    for (int k = 0; k < count; k++) {
        logs += log(regret_of(&results[k]));
        above += regret_of(&results[k]) > clear;
    }
    printf("%s, tuned for %s: %d copies; time of the chosen loop / the best one's: geometric mean %.3f, 95 %% %.2f, "
           "99 %% %.2f, worst %.2f; above %.1f: %.1f %%\n",
           svi_machine().isa->name, svi_machine().tuning->name, count, exp(logs / count),
           regret_of(&results[count / 20]), regret_of(&results[count / 100]), regret_of(&results[0]), clear,
           100.0 * above / count);
    print_pairs(count, results);
    printf("\nworst: times the best one's, copy, bytes, chosen -> best\n");
    for (int k = 0; k < count && k < WORST && regret_of(&results[k]) > clear; k++)
        printf("  %.2f  %s  %lld  %s -> %s\n", regret_of(&results[k]), results[k].name, (long long)results[k].nbytes,
               results[k].chosen, results[k].best);
}

static int run(const char *path, double seconds, FILE *table)
{
    static struct bench_case cases[BENCH_CASES];
    static struct result results[BENCH_CASES];
    const int count = bench_cases_read(path, cases);
    const double begin = bench_clock_seconds();
    int done = 0;
    bool right = true;

    while (done < count && right && bench_clock_seconds() - begin < seconds) {
        right = measure(&cases[done], table, &results[done]);
        done++;
    }
    bench_cases_release(count, cases);
    if (right && done > 0)
        print(done, results);
    return right && done > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- as a test --------------------------------------------------------------------- */

static int test(void)
{
    static struct bench_case cases[BENCH_CASES];
    const int count = bench_cases_read(SV_CASES, cases);

    for (int k = 0; k < count; k++) {
        struct bench_case small = bench_case_small(&cases[k]);
        const struct copy copy = begin(&small);
        struct svi_candidate candidate[SVI_CANDIDATES];
        const int loops = svi_host_candidates(&copy.machine, &copy.plan, copy.dst, copy.src, candidate);
        bool right = loops > 0;

        for (int i = 0; i < loops && right; i++)
            right = is_right(&copy, &candidate[i]);
        tap_ok(right, "every loop that can do it: %s", cases[k].name);
        bench_cases_release(1, &small);
    }
    bench_cases_release(count, cases);
    return tap_done();
}

int main(int argc, char **argv)
{
    FILE *table = argc > 3 ? fopen(argv[3], "w") : NULL;
    int status;

    if (argc > 3 && table == NULL) {
        perror(argv[3]);
        return EXIT_FAILURE;
    }
    status = argc == 1 ? test() : run(argv[1], argc > 2 ? atof(argv[2]) : 60, table);
    if (table != NULL)
        fclose(table);
    free(dst_memory.at);
    free(src_memory.at);
    return status;
}
