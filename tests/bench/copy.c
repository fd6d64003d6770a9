/*
 * How fast one layout is copied to another, beside memcpy, the best contiguous copy and other C libraries.
 *
 *     copy                           small forms of all cases, each verified, and what the planner chooses, as TAP
 *     copy [options] FILE [PART]     measures the cases whose name has PART in it, prints a table and writes FILE
 *
 *     -g GROUP  those of a group, and of groups whose name begins with it
 *     -c FILE   another list of cases
 *     -n N      the first N of each group
 *     -r N      rounds [9], and more where it is close; 1: one round in any case
 *     -t N      threads [1]
 *     -p        beside FFTW, OpenBLAS, MKL, oneDNN and libxsmm, those that are found; -l FILE[:FILE]: here too
 *     -m        also as FFTW and HPTT choose after measuring; -h FILE: beside HPTT (make bench HPTT=DIR)
 */
#define _POSIX_C_SOURCE 200809L /* getopt */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy_field.h"
#include "copy_peers.h"
#include "host/machine/machine.h"
#include "parallel.h"
#include "tap.h"

enum { ROUNDS = 9 };

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* --- verify ----------------------------------------------------------------- */

static bool is_small_right(const struct bench_case *given)
{
    struct bench_case c = bench_case_small(given);
    struct bench_sides s = bench_sides_open(&c, 1);
    bool right = bench_sides_are_right(&c, &s);

    bench_sides_close(&s);
    bench_cases_release(1, &c);
    return right;
}

/* Nothing is there at the addresses of its views: a plan does not look. */
static sv_plan *plan_of(const struct bench_case *c)
{
    static char nothing[64];
    sv_view *dst = bench_view(c->dst, c->dtype, nothing), *src = bench_view(c->src, c->src_dtype, nothing);
    sv_plan *plan;

    if (sv_plan_new(dst, src, bench_flags(c), &plan) != SV_OK)
        abort();
    sv_view_release(dst);
    sv_view_release(src);
    return plan;
}

static int verify(int count, const struct bench_case *cases)
{
    for (int i = 0; i < count; i++) {
        const struct bench_case *c = &cases[i];
        sv_plan *plan = plan_of(c);
        const char *kind = sv_plan_class(plan);

        tap_ok(is_small_right(c), "%s", c->name);
        tap_ok(strcmp(kind, c->kind) == 0, "%s is planned as %s, by %s", c->name, kind, sv_plan_kernel(plan));
        sv_plan_release(plan);
    }
    return tap_done();
}

/* --- measure ---------------------------------------------------------------- */

struct options {
    const char *path, *part, *group, *cases;
    int first, rounds;
    bool peers;
    struct bench_peer_options of_peers;
};

/* behind: how many of its group came before, by the list. */
static bool is_wanted(const struct options *o, const struct bench_case *c, int behind)
{
    return strstr(c->name, o->part) != NULL && strncmp(c->group, o->group, strlen(o->group)) == 0 && behind < o->first;
}

static const char end[] = "\n]}\n";

/* The file is complete after each case; the next one is written over its end. */
static void write_row(const struct bench_field *field, bool first, FILE *file)
{
    fseek(file, -(long)strlen(end), SEEK_CUR);
    fprintf(file, first ? "\n" : ",\n");
    bench_field_write(field, file);
    fprintf(file, "%s", end);
    fflush(file);
}

static bool measure_case(const struct bench_case *c, const struct options *o, bool first, FILE *file)
{
    struct bench_field field;

    bench_field_open(&field, c, o->peers, o->of_peers.threads);
    bench_field_run(&field, o->rounds);
    bench_field_print(&field);
    write_row(&field, first, file);
    bench_field_close(&field);
    return field.right;
}

static int measure(int count, const struct bench_case *cases, const struct options *o)
{
    FILE *file = fopen(o->path, "w");
    bool first = true, right = true;

    if (file == NULL || (o->peers && !bench_peers_open(&o->of_peers))) {
        perror(o->path);
        return 1;
    }
    printf("%-36s %11s %7s %7s %7s   (%s)\n", "", "ns", "GB/s", "memcpy", "C", svi_machine().isa->name);
    fprintf(file, "{\"compiler\": \"%s\", \"isa\": \"%s\", \"threads\": %d, ", COMPILER, svi_machine().isa->name,
            o->of_peers.threads);
    bench_peers_write(file);
    fprintf(file, ", \"rows\": [%s", end);
    for (int i = 0, behind = 0; i < count; i++) {
        behind = i > 0 && strcmp(cases[i].group, cases[i - 1].group) == 0 ? behind + 1 : 0;
        if (is_wanted(o, &cases[i], behind)) {
            right &= measure_case(&cases[i], o, first, file);
            first = false;
        }
    }
    return fclose(file) == 0 && right ? 0 : 1;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    int letter;

    while ((letter = getopt(argc, argv, "g:c:n:r:t:pml:h:")) != -1)
        switch (letter) {
        case 'g': o->group = optarg; break;
        case 'c': o->cases = optarg; break;
        case 'n': o->first = atoi(optarg); break;
        case 'r': o->rounds = atoi(optarg); break;
        case 't': o->of_peers.threads = atoi(optarg); break;
        case 'm': o->of_peers.measure = o->peers = true; break;
        case 'l': o->of_peers.libraries = optarg; o->peers = true; break;
        case 'h': o->of_peers.hptt = optarg; o->peers = true; break;
        case 'p': o->peers = true; break;
        default: return false;
        }
    if (optind < argc)
        o->path = argv[optind++];
    if (optind < argc)
        o->part = argv[optind++];
    return optind == argc && o->of_peers.threads > 0 && o->rounds > 0 && o->rounds <= BENCH_ROUNDS;
}

int main(int argc, char **argv)
{
    struct options o = {
        .part = "", .group = "", .cases = SV_CASES, .first = BENCH_CASES, .rounds = ROUNDS, .of_peers.threads = 1};
    static struct bench_case cases[BENCH_CASES];
    int count, failed;

    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: copy [-g GROUP] [-c CASES] [-n FIRST] [-r ROUNDS] [-t THREADS] [-p] [-m] "
                        "[-l LIBRARIES] [-h HPTT] [FILE [PART]]\n");
        return 2;
    }
    if (o.of_peers.threads > bench_parallel_most()) {
        fprintf(stderr, "copy: %d threads, but this was compiled without OpenMP\n", o.of_peers.threads);
        return 1;
    }
    count = bench_cases_read(o.cases, cases);
    if (count == 0)
        return 1;
    failed = o.path == NULL ? verify(count, cases) : measure(count, cases, &o);
    bench_cases_release(count, cases);
    return failed;
}
