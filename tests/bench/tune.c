/*
 * Finds the tuning of this machine: for each field some values, on the copies that the table of fields names for it. A
 * value replaces another one only where it is clearly faster.
 *
 *     tune                    small copies, as TAP: that it works, not how fast anything is
 *     tune FILE [FIELD ...]   measures all fields, or these, and writes a file for SV_HOST_TUNING; 1 GiB
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
#include "host/machine/machine.h"
#include "race.h"
#include "tap.h"

enum { ROUNDS = 9, VALUES = 3, MOST_CASES = 4, STEPS = 3, HUGE_PAGE = 2 << 20 };
static const double clear = 0.97; /* of the time: a value that takes more is no better */

/* --- the tuning that the library uses ------------------------------------------- */

static struct svi_tuning in_use;

static void use_own_tuning(void)
{
    static struct svi_machine machine;

    machine = svi_machine();
    in_use = *machine.tuning;
    machine.tuning = &in_use;
    svi_machine_found = &machine;
}

/* --- one copy, with several values of a field ------------------------------------ */

struct racer {
    const struct svi_tuning_field *field;
    int32_t value;
    sv_view *dst, *src;
    uint32_t flags;
};

static sv_view *make_view(const sv_layout *layout, const char *name, char **memory)
{
    const size_t nbytes = ((size_t)bench_span(layout) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    sv_dtype dtype;
    sv_view *view;

    *memory = aligned_alloc(HUGE_PAGE, nbytes);
    if (*memory == NULL || sv_dtype_parse(name, &dtype) != SV_OK ||
        sv_view_new(layout, dtype, *memory, INT64_MIN, INT64_MAX, SV_DEVICE_CPU, 0, 0, NULL, NULL, &view) != SV_OK)
        abort();
#ifdef MADV_HUGEPAGE
    madvise(*memory, nbytes, MADV_HUGEPAGE);
#endif
    memset(*memory, 0, nbytes);
    return view;
}

static void run(void *ctx)
{
    const struct racer *r = ctx;

    svi_tuning_set(&in_use, r->field, r->value);
    if (sv_copy(r->dst, r->src, r->flags, 0) != SV_OK)
        abort();
}

/* ratio: times of the values as parts of the first one's. */
static void measure(const struct bench_case *c, const struct svi_tuning_field *field, int count, const int32_t *values,
                    int rounds, double *ratio)
{
    struct bench_racer racers[VALUES] = {{.name = NULL}};
    struct racer contexts[VALUES];
    char *memory[2];
    sv_view *dst = make_view(c->dst, c->dtype, &memory[0]), *src = make_view(c->src, c->src_dtype, &memory[1]);
    const uint32_t flags = strcmp(c->dtype, c->src_dtype) != 0 ? SV_COPY_CAST_UNSAFE : 0;

    for (int k = 0; k < count; k++) {
        contexts[k] = (struct racer){field, values[k], dst, src, flags};
        racers[k] = (struct bench_racer){.name = field->name, .run = run, .ctx = &contexts[k]};
    }
    bench_race(count, racers, rounds, bench_thread_seconds);
    for (int k = 0; k < count; k++)
        ratio[k] = bench_ratio(&racers[k], &racers[0]);
    svi_tuning_set(&in_use, field, values[0]);
    sv_view_release(dst);
    sv_view_release(src);
    free(memory[0]);
    free(memory[1]);
}

struct tuner {
    int count, rounds;
    struct bench_case *cases;
};

/* --- one field --------------------------------------------------------------------- */

/* The value that a field has, half of it and twice as much, as far as it can have them. */
static int choose_values(const struct svi_tuning_field *f, int32_t now, int32_t *values)
{
    const int64_t whole = f->kind == SVI_TUNING_MULTIPLE ? f->least : 1;
    const int64_t others[] = {f->kind == SVI_TUNING_FLAG ? !now : now / 2 / whole * whole, 2 * (int64_t)now};
    struct svi_tuning t = in_use;
    int count = 0;

    values[count++] = now;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k] != now && svi_tuning_set(&t, f, others[k]))
            values[count++] = (int32_t)others[k];
    return count;
}

/* Index of the value that is clearly the fastest and slower for no case, else 0; ratio[case][value]. */
static int best_of(int values, int cases, double ratio[][VALUES])
{
    double least = clear;
    int best = 0;

    for (int v = 1; v < values; v++) {
        double product = 1, most = 0;

        for (int k = 0; k < cases; k++) {
            product *= ratio[k][v];
            most = fmax(most, ratio[k][v]);
        }
        if (pow(product, 1.0 / cases) < least && most < 2 - clear) {
            least = pow(product, 1.0 / cases);
            best = v;
        }
    }
    return best;
}

/* The cases that a field names; returns how many, or -1: there is no such case. */
static int find_cases(const struct tuner *t, const struct svi_tuning_field *f, const struct bench_case **found)
{
    int count = 0;

    for (const char *name = f->cases; name != NULL && *name != '\0'; name += name[0] == ';') {
        const size_t length = strcspn(name, ";");
        int k = 0;

        while (k < t->count && (strlen(t->cases[k].name) != length || memcmp(t->cases[k].name, name, length) != 0))
            k++;
        if (k == t->count || count == MOST_CASES)
            return -1;
        found[count++] = &t->cases[k];
        name += length;
    }
    return count;
}

/* Whether another value is taken, and there may be a better one still. */
static bool step(const struct tuner *t, const struct svi_tuning_field *f, int cases, const struct bench_case **found)
{
    double ratio[MOST_CASES][VALUES];
    int32_t values[VALUES];
    const int count = choose_values(f, svi_tuning_get(&in_use, f), values);
    int best;

    for (int k = 0; k < cases; k++)
        measure(found[k], f, count, values, t->rounds, ratio[k]);
    best = best_of(count, cases, ratio);
    if (best > 0)
        printf("# %s: %d instead of %d takes %.2f of the time\n", f->name, values[best], values[0], ratio[0][best]);
    svi_tuning_set(&in_use, f, values[best]);
    return best > 0 && f->kind != SVI_TUNING_FLAG;
}

static void tune_field(const struct tuner *t, const struct svi_tuning_field *f)
{
    const struct bench_case *found[MOST_CASES];
    const int cases = find_cases(t, f, found);

    for (int k = 0; cases > 0 && k < STEPS && step(t, f, cases, found); k++)
        continue;
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
    const struct svi_machine machine = svi_machine();

    fprintf(file, "# Tuning of libsv, for SV_HOST_TUNING: %s, L2 of %d KiB, last-level cache of %d KiB.\n", machine.isa->name,
            (int)(machine.second / SVI_KIB), (int)(machine.cache / SVI_KIB));
    fprintf(file, "# It began as that for %s.\n", begin->name);
    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++) {
        fprintf(file, "\n# %s: %s\n%s = %d", f->unit, f->purpose, f->name, svi_tuning_get(&in_use, f));
        if (svi_tuning_get(&in_use, f) != svi_tuning_get(begin, f))
            fprintf(file, " # was %d", svi_tuning_get(begin, f));
        fprintf(file, "\n");
    }
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
    write_tuning(file, &begin);
    return fclose(file) == 0 ? 0 : 1;
}

/* --- that it works -------------------------------------------------------------------- */

static bool decides_well(void)
{
    double clearly[][VALUES] = {{1, 0.9, 0.95}, {1, 0.98, 0.9}}, hardly[][VALUES] = {{1, 0.98, 0.98}};
    double mixed[][VALUES] = {{1, 0.5, 0.96}, {1, 1.1, 0.97}};

    return best_of(3, 2, clearly) == 2 && best_of(2, 2, clearly) == 1 &&
           best_of(3, 1, hardly) == 0 && best_of(3, 2, mixed) == 2 && best_of(1, 2, mixed) == 0;
}

static bool names_cases(const struct tuner *t)
{
    const struct bench_case *found[MOST_CASES];

    for (const struct svi_tuning_field *f = svi_tuning_fields; f->name != NULL; f++)
        if (find_cases(t, f, found) < (f->cases != NULL))
            return false;
    return true;
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
    tap_ok(names_cases(t), "fields name cases of the list");
    for (int k = 0; svi_tuning_fields[k].name != NULL; k++)
        if (k % 7 == 0) /* a second */
            tune_field(t, &svi_tuning_fields[k]);
    tap_ok(reads_back(&begin), "what is written is read");
    return tap_done();
}

int main(int argc, char **argv)
{
    static struct bench_case cases[BENCH_CASES];
    struct tuner t = {.cases = cases, .rounds = ROUNDS};
    int failed;

    t.count = bench_cases_read(SV_CASES, cases);
    if (t.count == 0)
        return 1;
    use_own_tuning();
    failed = argc < 2 ? verify(&t) : tune(&t, argv[1], argc - 2, argv + 2);
    bench_cases_release(t.count, cases);
    return failed;
}
