#define _GNU_SOURCE /* dlopen */

#include "copy_peers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

static const struct bench_peer *const peers[] = {&bench_fftw, &bench_hptt,   &bench_openblas,
                                                 &bench_mkl,  &bench_onednn, &bench_libxsmm};

enum { PEERS = sizeof peers / sizeof *peers };

static struct {
    bool opened, measuring;
    bool is_here[PEERS];
    char versions[PEERS][BENCH_VERSION];
} state;

struct planned {
    const struct bench_peer *peer;
    void *plan;
};

/* Of OpenMP's threads, in this program's runtime and in others, which have yet to be opened. */
static void limit_threads(int threads)
{
    char text[16];

    snprintf(text, sizeof text, "%d", threads);
    setenv("OMP_NUM_THREADS", text, 1);
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
}

static bool can_be_opened(const char *files)
{
    char *list = strdup(files), *rest = NULL;
    bool can = true;

    if (list == NULL)
        abort();
    for (char *file = strtok_r(list, ":", &rest); file != NULL && can; file = strtok_r(NULL, ":", &rest)) {
        can = dlopen(file, RTLD_LAZY | RTLD_LOCAL) != NULL;
        if (!can)
            fprintf(stderr, "%s\n", dlerror());
    }
    free(list);
    return can;
}

bool bench_peers_open(const struct bench_peer_options *options)
{
    limit_threads(options->threads);
    state.opened = true;
    state.measuring = options->measure;
    for (int k = 0; k < PEERS; k++)
        state.is_here[k] = peers[k]->open(options, state.versions[k]);
    for (int k = 0; k < PEERS; k++)
        if (peers[k] == &bench_hptt && options->hptt != NULL && !state.is_here[k])
            return false;
    return options->libraries == NULL || can_be_opened(options->libraries);
}

static void write_versions(FILE *file)
{
    const char *between = "";

    for (int k = 0; k < PEERS; k++)
        if (state.is_here[k]) {
            fprintf(file, "%s\"%s\": \"%s\"", between, peers[k]->name, state.versions[k]);
            between = ", ";
        }
}

static void write_missing(FILE *file)
{
    const char *between = "";

    for (int k = 0; k < PEERS; k++)
        if (state.opened && !state.is_here[k]) {
            fprintf(file, "%s\"%s\"", between, peers[k]->name);
            between = ", ";
        }
}

void bench_peers_write(FILE *file)
{
    fprintf(file, "\"versions\": {");
    write_versions(file);
    fprintf(file, "}, \"missing\": [");
    write_missing(file);
    fprintf(file, "]");
}

/* --- racers ---------------------------------------------------------------- */

static void run(void *ctx)
{
    const struct planned *p = ctx;

    p->peer->run(p->plan);
}

static int add(const struct bench_peer *peer, const char *name, void *plan, struct bench_racer *racer)
{
    struct planned *p;

    if (plan == NULL)
        return 0;
    p = malloc(sizeof *p);
    if (p == NULL)
        abort();
    *p = (struct planned){peer, plan};
    *racer = (struct bench_racer){.name = name, .run = run, .ctx = p};
    return 1;
}

int bench_peers_plan(const struct bench_case *c, void *dst, void *src, struct bench_racer *racers)
{
    int n = 0;

    for (int k = 0; k < PEERS; k++)
        if (state.is_here[k]) {
            n += add(peers[k], peers[k]->name, peers[k]->plan(c, dst, src, false), &racers[n]);
            if (state.measuring && peers[k]->measured != NULL)
                n += add(peers[k], peers[k]->measured, peers[k]->plan(c, dst, src, true), &racers[n]);
        }
    return n;
}

void bench_peers_release(int count, struct bench_racer *racers)
{
    for (int i = 0; i < count; i++) {
        struct planned *p = racers[i].ctx;

        p->peer->release(p->plan);
        free(p);
    }
}
