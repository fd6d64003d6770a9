/*
 * How fast one layout is copied to another, beside memcpy, the best contiguous copy and other C libraries.
 *
 *     copy                           small forms of all cases, each verified, and what the planner chooses, as TAP
 *     copy [options] FILE [PART]     measures the cases whose name has PART in it, prints a table and writes FILE
 *
 *     -g GROUP  those of a group, and of groups whose name begins with it
 *     -c FILE   another list of cases
 *     -r N      rounds [9]
 *     -p        beside FFTW; -m: also as it chooses after measuring; -h FILE: beside HPTT (make bench HPTT=DIR)
 */
#define _DEFAULT_SOURCE /* madvise, getopt */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend.h"
#include "contiguous.h"
#include "copy_cases.h"
#include "copy_peers.h"
#include "host/machine.h"
#include "race.h"
#include "tap.h"

enum { MIB = 1024 * 1024, ALIGNMENT = 2 * MIB, ROUNDS = 9, RACERS = 16 };
static const int64_t in_cache = 4 * MIB; /* payload; ways past the cache are no match there */

/* --- one copy --------------------------------------------------------------- */

struct sides {
    char *dst, *src;
    int64_t dst_bytes, src_bytes;
    sv_view *to, *from;
};

static char *allocate(int64_t nbytes)
{
    void *block = NULL;

    if (posix_memalign(&block, ALIGNMENT, (size_t)nbytes) != 0)
        abort();
#ifdef MADV_HUGEPAGE
    madvise(block, (size_t)nbytes, MADV_HUGEPAGE); /* as NumPy does */
#endif
    return block;
}

static struct sides open_sides(const struct bench_case *c)
{
    struct sides s = {.dst_bytes = bench_span(c->dst), .src_bytes = bench_span(c->src)};

    s.dst = allocate(s.dst_bytes);
    s.src = allocate(s.src_bytes);
    memset(s.dst, 0, (size_t)s.dst_bytes);
    memset(s.src, 0, (size_t)s.src_bytes);
    if (sv_view_new(c->dst, s.dst, 0, s.dst_bytes, SV_OPAQUE, SV_DEVICE_CPU, 0, 0, NULL, NULL, &s.to) != SV_OK ||
        sv_view_new(c->src, s.src, 0, s.src_bytes, SV_OPAQUE, SV_DEVICE_CPU, 0, 0, NULL, NULL, &s.from) != SV_OK)
        abort();
    return s;
}

static void close_sides(struct sides *s)
{
    sv_view_release(s->to);
    sv_view_release(s->from);
    free(s->dst);
    free(s->src);
}

static void copy(void *ctx)
{
    const struct sides *s = ctx;

    if (sv_copy(s->to, s->from, 0, 0) != SV_OK)
        abort();
}

/* What a run leaves in a destination that was 0. */
static bool is_right(const struct bench_case *c, const struct sides *s, void (*run)(void *ctx), void *ctx)
{
    memset(s->dst, 0, (size_t)s->dst_bytes);
    run(ctx);
    return bench_pattern_is_right(c, s->dst, s->dst_bytes);
}

static void make_plan(const struct bench_case *c, struct svi_plan *plan)
{
    svi_plan_make(sv_layout_ndim(c->dst), sv_layout_shape(c->dst), sv_layout_byte_strides(c->dst),
                  sv_layout_byte_strides(c->src), sv_layout_itemsize(c->dst), plan);
}

/* --- verify ----------------------------------------------------------------- */

static bool verify_small(const struct bench_case *given)
{
    struct bench_case c = bench_case_small(given);
    struct sides s = open_sides(&c);
    bool right;

    bench_pattern_write(c.dtype, s.src, s.src_bytes);
    right = is_right(&c, &s, copy, &s);
    close_sides(&s);
    bench_cases_release(1, &c);
    return right;
}

static int verify(int count, const struct bench_case *cases)
{
    for (int i = 0; i < count; i++) {
        const struct bench_case *c = &cases[i];
        struct svi_plan plan;
        const char *kind, *kernel;

        make_plan(c, &plan);
        kind = svi_class_name(plan.kind);
        kernel = svi_host.kernel(&plan);
        tap_ok(verify_small(c), "%s", c->name);
        tap_ok(strcmp(kind, c->kind) == 0 && strcmp(kernel, c->kernel) == 0, "%s is planned as %s, %s", c->name, kind,
               kernel);
    }
    return tap_done();
}

/* --- measure ---------------------------------------------------------------- */

/* What contiguous ways work on: as many bytes, aligned. */
struct flat {
    const struct bench_contiguous *way;
    char *dst;
    const char *src;
    size_t nbytes;
};

static void copy_flat(void *ctx)
{
    const struct flat *f = ctx;

    f->way->copy(f->dst, f->src, f->nbytes);
}

static void fill_flat(void *ctx)
{
    const struct flat *f = ctx;

    f->way->fill(f->dst, f->nbytes);
}

/* The best of each round. */
static struct bench_racer best_of(int count, const struct bench_racer *racers)
{
    struct bench_racer best = racers[0];

    best.name = "C";
    for (int i = 1; i < count; i++)
        for (int k = 0; k < best.rounds; k++)
            if (racers[i].ns[k] < best.ns[k])
                best.ns[k] = racers[i].ns[k];
    return best;
}

struct options {
    const char *path, *part, *group, *cases, *hptt;
    int rounds;
    bool peers, measure;
};

/* The copy first, then the ways to copy as many bytes that follow each other, then what peers have planned. */
struct field {
    struct bench_racer racers[RACERS];
    struct flat flats[RACERS];
    int ways, peers;
};

static void set_ways(struct field *field, const struct bench_case *c, char *dst, const char *src)
{
    int64_t nbytes = sv_layout_nbytes(c->dst);
    bool fill = strcmp(c->unit, "fill") == 0;
    const struct bench_contiguous *ways = bench_contiguous(&field->ways);

    if (nbytes < in_cache)
        field->ways = 1;
    for (int i = 0; i < field->ways; i++) {
        field->flats[i] = (struct flat){&ways[i], dst, src, (size_t)nbytes};
        field->racers[1 + i] = (struct bench_racer){ways[i].name, fill ? fill_flat : copy_flat, &field->flats[i], 0, {0}};
    }
}

static bool verify_racers(const struct bench_case *c, const struct sides *s, const struct field *field)
{
    const struct bench_racer *peers = field->racers + 1 + field->ways;
    bool right = is_right(c, s, copy, field->racers[0].ctx);

    if (!right)
        printf("%s: WRONG\n", c->name);
    for (int i = 0; i < field->peers; i++)
        if (!is_right(c, s, peers[i].run, peers[i].ctx)) {
            printf("%s: %s is WRONG\n", c->name, peers[i].name);
            right = false;
        }
    return right;
}

static void report(const struct bench_case *c, const struct field *field, FILE *file, const char *separator)
{
    struct bench_racer best = best_of(field->ways, field->racers + 1);
    const struct bench_racer *ours = &field->racers[0], *peers = field->racers + 1 + field->ways;
    double ns = bench_median(ours->rounds, ours->ns), bytes = (double)sv_layout_nbytes(c->dst);
    double to_memcpy = bench_ratio(&field->racers[1], ours), to_best = bench_ratio(&best, ours);

    printf("%-36s %11.0f %7.2f %7.2f %7.2f ", c->name, ns, bytes / ns, to_memcpy, to_best);
    fprintf(file, "%s\n{\"name\": \"%s\", \"group\": \"%s\", \"nbytes\": %.0f, \"unit\": \"%s\", \"target\": %g, ", separator,
            c->name, c->group, bytes, c->unit, c->target);
    fprintf(file, "\"ns\": %.2f, \"to_memcpy\": %.4f, \"to_best\": %.4f, \"peers\": {", ns, to_memcpy, to_best);
    for (int i = 0; i < field->peers; i++) {
        double ahead = bench_ratio(&peers[i], ours);

        printf("  %s %.2f", peers[i].name, ahead);
        fprintf(file, "%s\"%s\": {\"ns\": %.2f, \"ahead\": %.4f}", i > 0 ? ", " : "", peers[i].name,
                bench_median(peers[i].rounds, peers[i].ns), ahead);
    }
    fprintf(file, "}}");
    printf("\n");
    fflush(stdout);
}

static bool measure_case(const struct bench_case *c, const struct options *o, FILE *file, const char *separator)
{
    struct sides s = open_sides(c);
    int64_t nbytes = sv_layout_nbytes(c->dst);
    char *flat_dst = allocate(nbytes), *flat_src = allocate(nbytes);
    struct field field = {.racers = {{.name = "libsv", .run = copy, .ctx = &s}}};
    bool right;

    memset(flat_dst, 0, (size_t)nbytes);
    memset(flat_src, 1, (size_t)nbytes);
    set_ways(&field, c, flat_dst, flat_src);
    if (o->peers)
        field.peers = bench_peers_plan(c, s.dst, s.src, field.racers + 1 + field.ways);
    bench_pattern_write(c->dtype, s.src, s.src_bytes);
    right = verify_racers(c, &s, &field);
    bench_race(1 + field.ways + field.peers, field.racers, o->rounds, bench_thread_seconds);
    report(c, &field, file, separator);
    bench_peers_release(field.peers, field.racers + 1 + field.ways);
    close_sides(&s);
    free(flat_dst);
    free(flat_src);
    return right;
}

static int measure(int count, const struct bench_case *cases, const struct options *o)
{
    FILE *file = fopen(o->path, "w");
    const char *separator = "";
    bool right = true;

    if (file == NULL || (o->peers && !bench_peers_open(o->hptt, o->measure, 1))) {
        perror(o->path);
        return 1;
    }
    printf("%-36s %11s %7s %7s %7s   (%s)\n", "", "ns", "GB/s", "memcpy", "C", svi_machine().isa->name);
    fprintf(file, "{\"compiler\": \"%s\", \"isa\": \"%s\", \"threads\": 1, \"versions\": {%s}, \"rows\": [",
            __VERSION__, svi_machine().isa->name, bench_peers_versions());
    for (int i = 0; i < count; i++)
        if (strstr(cases[i].name, o->part) != NULL && strncmp(cases[i].group, o->group, strlen(o->group)) == 0) {
            right &= measure_case(&cases[i], o, file, separator);
            separator = ",";
        }
    fprintf(file, "\n]}\n");
    return fclose(file) == 0 && right ? 0 : 1;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    int letter;

    while ((letter = getopt(argc, argv, "g:c:r:pmh:")) != -1)
        switch (letter) {
        case 'g': o->group = optarg; break;
        case 'c': o->cases = optarg; break;
        case 'r': o->rounds = atoi(optarg); break;
        case 'm': o->measure = true; o->peers = true; break;
        case 'h': o->hptt = optarg; o->peers = true; break;
        case 'p': o->peers = true; break;
        default: return false;
        }
    if (optind < argc)
        o->path = argv[optind++];
    if (optind < argc)
        o->part = argv[optind++];
    return optind == argc && o->rounds > 0 && o->rounds <= BENCH_ROUNDS;
}

int main(int argc, char **argv)
{
    struct options o = {.part = "", .group = "", .cases = SV_CASES, .rounds = ROUNDS};
    struct bench_case cases[BENCH_CASES];
    int count, failed;

    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: copy [-g GROUP] [-c CASES] [-r ROUNDS] [-p] [-m] [-h HPTT] [FILE [PART]]\n");
        return 2;
    }
    count = bench_cases_read(o.cases, cases);
    if (count == 0)
        return 1;
    failed = o.path == NULL ? verify(count, cases) : measure(count, cases, &o);
    bench_cases_release(count, cases);
    return failed;
}
