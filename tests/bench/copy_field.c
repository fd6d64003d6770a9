#define _DEFAULT_SOURCE /* madvise */

#include "copy_field.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "copy_pattern.h"
#include "copy_peers.h"
#include "parallel.h"

enum { MIB = 1024 * 1024, ALIGNMENT = 2 * MIB, PAGE = 4096 };
static const int64_t in_cache = 4 * MIB; /* payload; ways beyond the cache are no match there */
static const int64_t shared = MIB / 2;   /* from so many bytes on ways are faster with more threads */
static const double close_race = 0.08;

/* --- one copy --------------------------------------------------------------- */

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

uint32_t bench_flags(const struct bench_case *c)
{
    return strcmp(c->dtype, c->src_dtype) != 0 ? SV_COPY_CAST_UNSAFE : 0;
}

/* What bench_parallel() is told. */
static void *context(int32_t threads)
{
    return (void *)(intptr_t)threads;
}

static sv_plan *with_threads(sv_plan *plan, int32_t threads)
{
    sv_plan *out;

    if (threads == 1)
        return plan;
    if (sv_plan_with_threads(plan, threads, bench_parallel, context(threads), &out) != SV_OK)
        abort();
    sv_plan_release(plan);
    return out;
}

struct bench_sides bench_sides_open(const struct bench_case *c, int32_t threads)
{
    struct bench_sides s = {.dst_bytes = bench_span(c->dst), .src_bytes = bench_span(c->src), .threads = threads};

    s.dst = allocate(s.dst_bytes);
    s.src = allocate(s.src_bytes);
    memset(s.dst, 0, (size_t)s.dst_bytes);
    memset(s.src, 0, (size_t)s.src_bytes);
    s.to = bench_view(c->dst, c->dtype, s.dst);
    s.from = bench_view(c->src, c->src_dtype, s.src);
    s.to_data = sv_view_data(s.to);
    s.from_data = sv_view_data(s.from);
    s.flags = bench_flags(c);
    if (sv_plan_new(s.to, s.from, s.flags, &s.plan) != SV_OK)
        abort();
    s.plan = with_threads(s.plan, threads);
    return s;
}

void bench_sides_close(struct bench_sides *s)
{
    sv_plan_release(s->plan);
    sv_view_release(s->to);
    sv_view_release(s->from);
    free(s->dst);
    free(s->src);
}

static void copy(void *ctx)
{
    const struct bench_sides *s = ctx;

    sv_status status = s->threads == 1 ? sv_copy(s->to, s->from, s->flags, 0)
                                       : sv_copy_parallel(s->to, s->from, s->threads, bench_parallel,
                                                          context(s->threads), s->flags, 0);

    if (status != SV_OK)
        abort();
}

/* A jump, as in place of the peers' plans. What it answers need not be seen: is_right() looks at what it does. */
static void execute(void *ctx)
{
    const struct bench_sides *s = ctx;

    sv_plan_execute(s->plan, s->to_data, s->from_data, 0);
}

/* What a run leaves in a destination that was 0. */
static bool is_right(const struct bench_case *c, const struct bench_sides *s, void (*run)(void *ctx), void *ctx)
{
    memset(s->dst, 0, (size_t)s->dst_bytes);
    run(ctx);
    return bench_pattern_is_right(c, s->dst, s->dst_bytes);
}

bool bench_sides_are_right(const struct bench_case *c, struct bench_sides *s)
{
    bench_pattern_write(c, s->src, s->src_bytes);
    return is_right(c, s, copy, s) && is_right(c, s, execute, s);
}

/* --- the field -------------------------------------------------------------- */

/* One thread's part, of whole pages. */
static void run_flat_part(void *ctx, int64_t index)
{
    const struct bench_contiguous_run *f = ctx;
    size_t parts = (size_t)f->threads;
    size_t begin = f->nbytes / parts * (size_t)index / PAGE * PAGE;
    size_t end = (size_t)index + 1 == parts ? f->nbytes : f->nbytes / parts * ((size_t)index + 1) / PAGE * PAGE;

    if (f->fill)
        f->way->fill(f->dst + begin, end - begin);
    else
        f->way->copy(f->dst + begin, f->src + begin, end - begin);
}

static void run_flat(void *ctx)
{
    const struct bench_contiguous_run *f = ctx;

    if (f->threads == 1)
        run_flat_part(ctx, 0);
    else
        bench_parallel(context(f->threads), f->threads, run_flat_part, ctx);
}

static void add_ours(struct bench_field *field)
{
    field->racers[field->ours++] = (struct bench_racer){.name = "libsv", .run = copy, .ctx = &field->sides};
    if (sv_layout_nbytes(field->c->dst) < in_cache)
        field->racers[field->ours++] = (struct bench_racer){.name = "plan", .run = execute, .ctx = &field->sides};
}

/* On as many bytes, aligned; half of what is read and written where the copy converts. */
static void add_ways(struct bench_field *field)
{
    int64_t nbytes = (sv_layout_nbytes(field->c->dst) + sv_layout_nbytes(field->c->src)) / 2;
    int32_t threads = nbytes < shared ? 1 : field->sides.threads;
    bool fill = strcmp(field->c->unit, "fill") == 0;
    const struct bench_contiguous *ways = bench_contiguous(&field->ways);

    field->flat_dst = allocate(nbytes);
    field->flat_src = allocate(nbytes);
    memset(field->flat_dst, 0, (size_t)nbytes);
    memset(field->flat_src, 1, (size_t)nbytes);
    if (nbytes < in_cache)
        field->ways = 1;
    for (int i = 0; i < field->ways; i++) {
        field->flats[i] = (struct bench_contiguous_run){&ways[i], field->flat_dst,  field->flat_src, (size_t)nbytes,
                                                        fill,     threads};
        field->racers[field->ours + i] =
            (struct bench_racer){.name = ways[i].name, .run = run_flat, .ctx = &field->flats[i]};
    }
}

static struct bench_racer *peers_of(struct bench_field *field)
{
    return field->racers + field->ours + field->ways;
}

static void drop_wrong_peers(struct bench_field *field)
{
    struct bench_racer *peers = peers_of(field);

    for (int i = field->peers - 1; i >= 0; i--) {
        bool wrong = !is_right(field->c, &field->sides, peers[i].run, peers[i].ctx);

        if (wrong || (field->sides.threads == 1 && bench_takes_threads(&peers[i]))) {
            printf("%s: %s %s\n", field->c->name, peers[i].name,
                   wrong ? "copies something else" : "takes more threads than it may");
            bench_peers_release(1, &peers[i]);
            peers[i] = peers[--field->peers];
        }
    }
}

void bench_field_open(struct bench_field *field, const struct bench_case *c, bool peers, int32_t threads)
{
    *field = (struct bench_field){.c = c, .sides = bench_sides_open(c, threads)};
    add_ours(field);
    add_ways(field);
    if (peers)
        field->peers = bench_peers_plan(c, field->sides.dst, field->sides.src, peers_of(field));
    field->right = bench_sides_are_right(c, &field->sides);
    drop_wrong_peers(field);
}

void bench_field_close(struct bench_field *field)
{
    bench_peers_release(field->peers, peers_of(field));
    bench_sides_close(&field->sides);
    free(field->flat_dst);
    free(field->flat_src);
}

/* --- what came out ------------------------------------------------------------ */

struct outcome {
    double ns, plan_ns, nbytes;
    double to_memcpy, to_best; /* how many times longer those take than libsv */
};

static double ns_of(const struct bench_racer *racer)
{
    return bench_median(racer->rounds, racer->ns);
}

/* Peers have planned before. */
static double ahead_of(const struct bench_field *field, const struct bench_racer *peer)
{
    return bench_ratio(peer, &field->racers[field->ours - 1]);
}

/* So near, or in some rounds behind and in others ahead, that more rounds are to tell who is first. */
static bool is_close(const struct bench_field *field)
{
    const struct bench_racer *ours = &field->racers[field->ours - 1], *peers = field->racers + field->ours + field->ways;
    bool close = false;

    for (int i = 0; i < field->peers; i++)
        close |= bench_least_ratio(&peers[i], ours) < 1 + close_race && bench_least_ratio(ours, &peers[i]) < 1 + close_race;
    return close;
}

void bench_field_run(struct bench_field *field, int rounds)
{
    double (*seconds)(void) = field->sides.threads == 1 ? bench_thread_seconds : bench_clock_seconds;
    int count = field->ours + field->ways + field->peers;

    bench_race(count, field->racers, rounds, seconds);
    if (rounds > 1 && is_close(field))
        bench_race(count, field->racers, BENCH_ROUNDS - rounds, seconds);
}

/* The contiguous way with the least median. The fastest of each round would be the least of noisy numbers. */
static const struct bench_racer *best_way(const struct bench_field *field)
{
    const struct bench_racer *ways = field->racers + field->ours, *best = ways;

    for (int i = 1; i < field->ways; i++)
        if (ns_of(&ways[i]) < ns_of(best))
            best = &ways[i];
    return best;
}

static struct outcome outcome_of(const struct bench_field *field)
{
    const struct bench_racer *ours = &field->racers[0];
    struct outcome o = {.ns = ns_of(ours), .nbytes = (double)sv_layout_nbytes(field->c->dst)};

    o.plan_ns = ns_of(&field->racers[field->ours - 1]);
    o.to_memcpy = bench_ratio(&field->racers[field->ours], ours);
    o.to_best = bench_ratio(best_way(field), ours);
    return o;
}

void bench_field_print(const struct bench_field *field)
{
    const struct outcome o = outcome_of(field);
    const struct bench_racer *peers = field->racers + field->ours + field->ways;

    printf("%-36s %11.0f %7.2f %7.2f %7.2f ", field->c->name, o.ns, o.nbytes / o.ns, o.to_memcpy, o.to_best);
    if (field->ours > 1)
        printf("  planned %.0f", o.plan_ns);
    for (int i = 0; i < field->peers; i++)
        printf("  %s %.2f", peers[i].name, ahead_of(field, &peers[i]));
    printf("%s\n", field->right ? "" : "  WRONG");
    fflush(stdout);
}

void bench_field_write(const struct bench_field *field, FILE *file)
{
    const struct outcome o = outcome_of(field);
    const struct bench_case *c = field->c;
    const struct bench_racer *peers = field->racers + field->ours + field->ways;
    int64_t read, written;

    if (sv_plan_traffic(field->sides.plan, &read, &written) != SV_OK)
        abort();
    fprintf(file, "{\"name\": \"%s\", \"group\": \"%s\", \"nbytes\": %.0f, \"unit\": \"%s\", \"target\": %g, ", c->name,
            c->group, o.nbytes, c->unit, c->target);
    fprintf(file, "\"loop\": \"%s\", \"traffic\": %lld, ", sv_plan_kernel(field->sides.plan), (long long)(read + written));
    fprintf(file, "\"ns\": %.2f, \"plan_ns\": %.2f, \"to_memcpy\": %.4f, \"to_best\": %.4f, \"peers\": {", o.ns,
            o.plan_ns, o.to_memcpy, o.to_best);
    for (int i = 0; i < field->peers; i++)
        fprintf(file, "%s\"%s\": {\"ns\": %.2f, \"ahead\": %.4f}", i > 0 ? ", " : "", peers[i].name, ns_of(&peers[i]),
                ahead_of(field, &peers[i]));
    fprintf(file, "}}");
}
