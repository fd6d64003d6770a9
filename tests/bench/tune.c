/*
 * Finds the tuning of this machine: for each field some values, on copies that it changes: those whose loop goes by the
 * field, or is another one by another value. A value replaces another one only where it is clearly faster.
 *
 *     tune                         small copies, as TAP: that it works, not how fast anything is
 *     tune FILE LIST [FIELD ...]   measures all fields, or these, by the copies of a list and of the benchmark's, and
 *                                  writes a file for SV_HOST_TUNING; 1 GiB
 *
 * It begins with the tuning that the library has: of the processor's family, or of the file that SV_HOST_TUNING names.
 */
#define _DEFAULT_SOURCE /* madvise */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "copy_cases.h"
#include "host/dispatch/dispatch.h"
#include "host/machine/machine.h"
#include "copy/job.h"
#include "race.h"
#include "tap.h"
#include "host/front/compound.h"
#include "host/machine/tuning_file.h"

enum { ROUNDS = 9, LEAST_ROUNDS = 3, VALUES = 3, MOST_CASES = 24, LEAST_CASES = 3, STEPS = 3, HUGE_PAGE = 2 << 20 };
static const double clear = 0.97;             /* of the time: a value that takes more is no better */
static const int64_t most_bytes = 64 << 20;   /* of a copy */
static const double slower_share = 1.0 / 12;  /* of the copies may be slower by a value that is clearly faster */

/* --- the tuning that the library uses ------------------------------------------- */

static struct svi_tuning in_use;
static struct svi_machine machine;

static void use_own_tuning(void)
{
    machine = svi_machine();
    in_use = *machine.tuning;
    machine.tuning = &in_use;
    svi_machine_found = &machine;
}

/* --- one copy, by several tunings -------------------------------------------------- */

struct racer {
    const struct svi_tuning *tuning;
    sv_view *dst, *src;
    uint32_t flags;
};

static sv_view *make_view(const sv_layout *layout, const char *name, char **memory)
{
    const size_t nbytes = ((size_t)bench_span(layout) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;

    *memory = aligned_alloc(HUGE_PAGE, nbytes);
    if (*memory == NULL)
        abort();
#ifdef MADV_HUGEPAGE
    madvise(*memory, nbytes, MADV_HUGEPAGE);
#endif
    memset(*memory, 0, nbytes);
    return bench_view(layout, name, *memory);
}

static void run(void *ctx)
{
    const struct racer *r = ctx;

    in_use = *r->tuning;
    if (sv_copy(r->dst, r->src, r->flags, 0) != SV_OK)
        abort();
}

/* ratio: times by the tunings as parts of that by the first one, which is in use afterwards. */
static void measure(const struct bench_case *c, int count, const struct svi_tuning *tunings, int rounds, double *ratio)
{
    struct bench_racer racers[VALUES] = {{.name = NULL}};
    struct racer contexts[VALUES];
    char *memory[2];
    sv_view *dst = make_view(c->dst, c->dtype, &memory[0]), *src = make_view(c->src, c->src_dtype, &memory[1]);
    const uint32_t flags = strcmp(c->dtype, c->src_dtype) != 0 ? SV_COPY_CAST_UNSAFE : 0;

    for (int k = 0; k < count; k++) {
        contexts[k] = (struct racer){&tunings[k], dst, src, flags};
        racers[k] = (struct bench_racer){.name = tunings[k].name, .run = run, .ctx = &contexts[k]};
    }
    bench_race(count, racers, rounds, bench_thread_seconds);
    for (int k = 0; k < count; k++)
        ratio[k] = bench_ratio(&racers[k], &racers[0]);
    in_use = tunings[0];
    sv_view_release(dst);
    sv_view_release(src);
    free(memory[0]);
    free(memory[1]);
}

/* --- which copies a field changes ---------------------------------------------------- */

struct tuner {
    int count, rounds;
    struct bench_case *cases;
};

/* The tunings with the value that a field has, half of it and twice as much, as far as it can have them. */
static int tunings_of(const struct svi_tuning_field *f, struct svi_tuning *tunings)
{
    const int32_t now = svi_tuning_get(&in_use, f);
    const int64_t whole = f->kind == SVI_TUNING_MULTIPLE ? f->least : 1;
    const int64_t others[] = {f->kind == SVI_TUNING_FLAG ? !now : now / 2 / whole * whole, 2 * (int64_t)now};
    int count = 1;

    tunings[0] = in_use;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        tunings[count] = in_use;
        count += others[k] != now && svi_tuning_set(&tunings[count], f, others[k]);
    }
    return count;
}

/* The loop that would do a copy, between addresses that nothing is read from. */
static const struct svi_loop *loop_of(const struct bench_case *c, const struct svi_tuning *tuning)
{
    sv_view *dst = bench_view(c->dst, c->dtype, (char *)SVI_SOME_PAGE);
    sv_view *src = bench_view(c->src, c->src_dtype, (char *)SVI_OTHER_PAGE);
    struct svi_machine with = machine;
    const struct svi_loop *loop;
    struct svi_job job;

    if (svi_job_make(dst, src, SV_COPY_CAST_UNSAFE, SVI_JOB_WHOLE, &job) != SV_OK)
        abort();
    with.tuning = tuning;
    loop = svi_host_loop(&with, &job.plan, sv_view_data(dst), sv_view_data(src));
    sv_view_release(dst);
    sv_view_release(src);
    return loop;
}

static bool changes(const struct svi_tuning_field *f, int count, const struct svi_tuning *tunings,
                    const struct bench_case *c)
{
    const struct svi_loop *loop = loop_of(c, &tunings[0]);

    if (svi_tuning_is_of(f, loop->name))
        return true;
    for (int k = 1; k < count; k++)
        if (loop_of(c, &tunings[k]) != loop)
            return true;
    return false;
}

/* Some of all of them, whatever their place in the list. */
static int find_cases(const struct tuner *t, const struct svi_tuning_field *f, int count, const struct svi_tuning *tunings,
                      const struct bench_case **found)
{
    static const struct bench_case *all[2 * BENCH_CASES];
    int changed = 0, out = 0;

    for (int k = 0; k < t->count; k++)
        if (changes(f, count, tunings, &t->cases[k]))
            all[changed++] = &t->cases[k];
    while (out < changed && out < MOST_CASES) {
        found[out] = all[(int64_t)out * changed / (changed < MOST_CASES ? changed : MOST_CASES)];
        out++;
    }
    return out;
}

/* --- one field --------------------------------------------------------------------- */

/* Index of the value that is clearly the fastest and slower for hardly any case, else 0; ratio[case][value]. */
static int best_of(int values, int cases, double ratio[][VALUES])
{
    double least = clear;
    int best = 0;

    for (int v = 1; v < values; v++) {
        double product = 1;
        int slower = 0;

        for (int k = 0; k < cases; k++) {
            product *= ratio[k][v];
            slower += ratio[k][v] > 2 - clear;
        }
        if (pow(product, 1.0 / cases) < least && slower <= cases * slower_share) {
            least = pow(product, 1.0 / cases);
            best = v;
        }
    }
    return best;
}

/* How many of the cases take clearly more or less time by another value. */
static int count_moved(int values, int cases, double ratio[][VALUES])
{
    int moved = 0;

    for (int k = 0; k < cases; k++) {
        bool moves = false;

        for (int v = 1; v < values; v++)
            moves |= ratio[k][v] < clear || ratio[k][v] > 2 - clear;
        moved += moves;
    }
    return moved;
}

/* Whether another value is taken, and there may be a better one still. */
static bool step(const struct tuner *t, const struct svi_tuning_field *f)
{
    const struct bench_case *found[MOST_CASES];
    struct svi_tuning tunings[VALUES + 1];
    double ratio[MOST_CASES][VALUES];
    const int count = tunings_of(f, tunings), cases = find_cases(t, f, count, tunings, found);
    int best;

    for (int k = 0; k < cases; k++)
        measure(found[k], count, tunings, t->rounds, ratio[k]);
    best = cases >= LEAST_CASES ? best_of(count, cases, ratio) : 0;
    printf("# %s = %d: changes %d copies, the time of %d", f->name, svi_tuning_get(&in_use, f), cases,
           count_moved(count, cases, ratio));
    in_use = tunings[best];
    if (best > 0)
        printf("; %d is faster", svi_tuning_get(&in_use, f));
    printf("\n");
    return best > 0 && f->kind != SVI_TUNING_FLAG;
}

static void tune_field(const struct tuner *t, const struct svi_tuning_field *f)
{
    for (int k = 0; k < STEPS && step(t, f); k++)
        fflush(stdout);
}

/* --- all of them -------------------------------------------------------------------- */

static bool is_wanted(const struct svi_tuning_field *f, int count, char **names)
{
    for (int k = 0; k < count; k++)
        if (strcmp(f->name, names[k]) == 0)
            return true;
    return count == 0;
}

static void write_tuning(FILE *file, const struct svi_tuning *begin)
{
    fprintf(file, "# Tuning of libsv, for SV_HOST_TUNING: %s, L2 of %d KiB, last-level cache of %d KiB.\n", machine.isa->name,
            (int)(machine.l2_bytes / SVI_KIB), (int)(machine.cache / SVI_KIB));
    fprintf(file, "# It began as that for %s.\n", begin->name);
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++) {
        fprintf(file, "\n# %s: %s\n%s = %d", f->unit, f->purpose, f->name, svi_tuning_get(&in_use, f));
        if (svi_tuning_get(&in_use, f) != svi_tuning_get(begin, f))
            fprintf(file, " # was %d", svi_tuning_get(begin, f));
        fprintf(file, "\n");
    }
}

/* What the new values give together. */
static void compare(const struct tuner *t, const struct svi_tuning *begin)
{
    const struct svi_tuning tunings[] = {*begin, in_use};
    double logs = 0, most = 0;

    for (int k = 0; k < t->count; k++) {
        double ratio[VALUES];

        measure(&t->cases[k], 2, tunings, LEAST_ROUNDS, ratio);
        logs += log(ratio[1]);
        most = fmax(most, ratio[1]);
    }
    in_use = tunings[1];
    printf("# all %d copies: %.3f of the time they took in the geometric mean, at most %.2f\n", t->count,
           exp(logs / t->count), most);
}

static int tune(const struct tuner *t, const char *path, int count, char **names)
{
    const struct svi_tuning begin = in_use;
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        perror(path);
        return 1;
    }
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
        if (is_wanted(f, count, names))
            tune_field(t, f);
    compare(t, &begin);
    write_tuning(file, &begin);
    return fclose(file) == 0 ? 0 : 1;
}

/* --- that it works -------------------------------------------------------------------- */

static bool decides_well(void)
{
    double clearly[][VALUES] = {{1, 0.9, 0.95}, {1, 0.98, 0.9}}, hardly[][VALUES] = {{1, 0.98, 0.98}};
    double mixed[][VALUES] = {{1, 0.5, 0.96}, {1, 1.1, 0.97}};

    return best_of(3, 2, clearly) == 2 && best_of(2, 2, clearly) == 1 &&
           best_of(3, 1, hardly) == 0 && best_of(3, 2, mixed) == 2 && best_of(1, 2, mixed) == 0 &&
           count_moved(2, 2, clearly) == 1 && count_moved(3, 2, clearly) == 2 && count_moved(3, 1, hardly) == 0;
}

/* What is written is what is in use. */
static bool reads_back(const struct svi_tuning *begin)
{
    static char text[SVI_TUNING_FILE + 1];
    FILE *file = fmemopen(text, sizeof text, "w");
    struct svi_tuning t;

    if (file == NULL)
        return false;
    write_tuning(file, begin);
    if (fclose(file) != 0 || svi_tuning_parse(text, &svi_tuning_other, &t).why != NULL)
        return false;
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
        if (svi_tuning_get(&t, f) != svi_tuning_get(&in_use, f))
            return false;
    return true;
}

static int verify(struct tuner *t)
{
    const struct svi_tuning begin = in_use;

    for (int k = 0; k < t->count; k++) {
        const struct bench_case small = bench_case_small(&t->cases[k]);

        bench_cases_release(1, &t->cases[k]);
        t->cases[k] = small;
    }
    t->rounds = 1;
    tap_ok(decides_well(), "a value is taken only where it is clearly faster");
    for (int k = 0; svi_tuning_fields[k].name != NULL; k++)
        if (k % 7 == 0) /* a second */
            tune_field(t, &svi_tuning_fields[k]);
    tap_ok(reads_back(&begin), "what is written is read");
    return tap_done();
}

/* Adds those of a list that are not too large. */
static bool read_cases(const char *path, struct tuner *t)
{
    static struct bench_case cases[BENCH_CASES];
    const int count = bench_cases_read(path, cases);

    for (int k = 0; k < count; k++)
        if (bench_span(cases[k].dst) <= most_bytes && bench_span(cases[k].src) <= most_bytes)
            t->cases[t->count++] = cases[k];
        else
            bench_cases_release(1, &cases[k]);
    return count > 0;
}

int main(int argc, char **argv)
{
    static struct bench_case cases[2 * BENCH_CASES];
    struct tuner t = {.cases = cases, .rounds = ROUNDS};
    int failed;

    if (argc == 2) {
        fprintf(stderr, "usage: tune [FILE LIST [FIELD ...]]\n");
        return 2;
    }
    if (!read_cases(SV_CASES, &t) || (argc > 2 && !read_cases(argv[2], &t)))
        return 1;
    use_own_tuning();
    failed = argc < 2 ? verify(&t) : tune(&t, argv[1], argc - 3, argv + 3);
    bench_cases_release(t.count, cases);
    return failed;
}
