#define _GNU_SOURCE /* dlopen */

#include "copy_peers.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT, DOUBLE, TYPES };

/* --- FFTW: plans of rank 0, which copy ------------------------------------ */

struct iodim {
    ptrdiff_t n, is, os; /* of fftw3.h */
};

typedef void *plan_function(int rank, const struct iodim *dims, int count, const struct iodim *many, void *in,
                            void *out, const int *kinds, unsigned flags);

/* Of libfftw3f and libfftw3. */
static struct fftw {
    plan_function *plan;
    void (*execute)(const void *plan);
    void (*destroy)(void *plan);
    void (*set_timelimit)(double seconds);
} fftw[TYPES];

enum { FFTW_MEASURE = 0, FFTW_ESTIMATE = 1 << 6 };
static const double fftw_seconds = 0.5; /* for one plan that measures */

static char versions[256];
static int thread_count;
static bool measuring;

static void *find(void *library, const char *prefix, const char *name)
{
    char symbol[64];

    snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
    return dlsym(library, symbol);
}

/* POSIX lets a function's address be an object's. */
static void set_function(void *function, void *symbol)
{
    memcpy(function, &symbol, sizeof symbol);
}

static void use_threads(const char *prefix, int threads)
{
    char name[64];
    void *library;
    int (*init)(void);
    void (*with)(int);

    snprintf(name, sizeof name, "lib%s_threads.so.3", strcmp(prefix, "fftw") == 0 ? "fftw3" : "fftw3f");
    library = threads > 1 ? dlopen(name, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (library == NULL)
        return;
    set_function(&init, find(library, prefix, "init_threads"));
    set_function(&with, find(library, prefix, "plan_with_nthreads"));
    if (init() != 0)
        with(threads);
}

static void open_fftw(struct fftw *f, const char *file, const char *prefix, int threads)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    const char *version;

    if (library == NULL)
        return;
    set_function(&f->plan, find(library, prefix, "plan_guru64_r2r"));
    set_function(&f->execute, find(library, prefix, "execute"));
    set_function(&f->destroy, find(library, prefix, "destroy_plan"));
    set_function(&f->set_timelimit, find(library, prefix, "set_timelimit"));
    version = find(library, prefix, "version");
    f->set_timelimit(fftw_seconds);
    use_threads(prefix, threads);
    snprintf(versions, sizeof versions, "\"FFTW\": \"%s\"", version);
}

/* --- HPTT ----------------------------------------------------------------- */

enum { HPTT_NDIM = 8 }; /* of more axes it lists all orders */

/* As in hptt.cpp. */
static struct hptt {
    void *(*plan)(const char *dtype, int ndim, const int *perm, const int *shape, const int *src_outer,
                  const int *dst_outer, const void *src, void *dst, int threads, int measure);
    void (*run)(void *plan);
    void (*release)(void *plan);
} hptt;

static bool open_hptt(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);

    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    set_function(&hptt.plan, dlsym(library, "bench_hptt_plan"));
    set_function(&hptt.run, dlsym(library, "bench_hptt_run"));
    set_function(&hptt.release, dlsym(library, "bench_hptt_release"));
    if (hptt.plan == NULL || hptt.run == NULL || hptt.release == NULL) {
        fprintf(stderr, "%s: no bench_hptt_plan, _run and _release\n", path);
        return false;
    }
    snprintf(versions + strlen(versions), sizeof versions - strlen(versions), "%s\"HPTT\": \"given\"",
             versions[0] != '\0' ? ", " : "");
    return true;
}

/* A side as what is cut from a dense array: how long that is along each axis, from the slowest. False: it is none. */
static bool outer_extents(int32_t ndim, const int64_t *shape, const int64_t *strides, const int32_t *axes, int64_t item,
                          int *outer)
{
    outer[0] = (int)shape[axes[0]];
    for (int32_t k = 1; k < ndim; k++) {
        int64_t stride = strides[axes[k - 1]], inner = strides[axes[k]];

        if (inner <= 0 || stride % inner != 0 || stride / inner < shape[axes[k]])
            return false;
        outer[k] = (int)(stride / inner);
    }
    return strides[axes[ndim - 1]] == item;
}

static void *plan_hptt(const struct bench_case *c, char *dst, char *src, int measure)
{
    const int64_t *shape = sv_layout_shape(c->dst);
    int32_t ndim = sv_layout_ndim(c->dst), axes[SV_MAX_NDIM], own[SV_MAX_NDIM];
    int perm[SV_MAX_NDIM], extents[SV_MAX_NDIM], src_outer[SV_MAX_NDIM], dst_outer[SV_MAX_NDIM];
    int64_t item = sv_layout_itemsize(c->src);

    if (hptt.plan == NULL || ndim < 2 || ndim > HPTT_NDIM || sv_layout_stride_order(c->src, axes) != SV_OK)
        return NULL;
    for (int32_t k = 0; k < ndim; k++) {
        own[k] = k;
        perm[axes[k]] = k;
        extents[k] = (int)shape[axes[k]];
    }
    if (!outer_extents(ndim, shape, sv_layout_byte_strides(c->src), axes, item, src_outer) ||
        !outer_extents(ndim, shape, sv_layout_byte_strides(c->dst), own, item, dst_outer))
        return NULL;
    return hptt.plan(c->dtype, ndim, perm, extents, src_outer, dst_outer, src + sv_layout_byte_offset(c->src),
                     dst + sv_layout_byte_offset(c->dst), thread_count, measure);
}

/* --- both ----------------------------------------------------------------- */

struct planned {
    void *plan;
    const struct fftw *fftw; /* NULL: HPTT's */
};

static void run(void *ctx)
{
    const struct planned *p = ctx;

    if (p->fftw != NULL)
        p->fftw->execute(p->plan);
    else
        hptt.run(p->plan);
}

/* A complex number is an axis more. */
static void *plan_fftw(const struct fftw *f, const struct bench_case *c, char *dst, char *src, unsigned flags)
{
    const int64_t *shape = sv_layout_shape(c->dst);
    const int64_t *to = sv_layout_byte_strides(c->dst), *from = sv_layout_byte_strides(c->src);
    int64_t part = f == &fftw[FLOAT] ? 4 : 8;
    struct iodim many[SV_MAX_NDIM + 1];
    int32_t ndim = sv_layout_ndim(c->dst);

    if (f->plan == NULL)
        return NULL;
    for (int32_t k = 0; k < ndim; k++)
        many[k] = (struct iodim){(ptrdiff_t)shape[k], (ptrdiff_t)(from[k] / part), (ptrdiff_t)(to[k] / part)};
    if (sv_layout_itemsize(c->dst) == 2 * part)
        many[ndim++] = (struct iodim){2, 1, 1};
    return f->plan(0, NULL, ndim, many, src + sv_layout_byte_offset(c->src), dst + sv_layout_byte_offset(c->dst), NULL,
                   flags);
}

static const struct fftw *fftw_of(const char *dtype)
{
    if (strcmp(dtype, "float32") == 0 || strcmp(dtype, "complex64") == 0)
        return &fftw[FLOAT];
    return strcmp(dtype, "float64") == 0 || strcmp(dtype, "complex128") == 0 ? &fftw[DOUBLE] : NULL;
}

bool bench_peers_open(const char *path, bool measure, int threads)
{
    thread_count = threads;
    measuring = measure;
    open_fftw(&fftw[FLOAT], "libfftw3f.so.3", "fftwf", threads);
    open_fftw(&fftw[DOUBLE], "libfftw3.so.3", "fftw", threads);
    return path == NULL || open_hptt(path);
}

const char *bench_peers_versions(void)
{
    return versions;
}

static int add(const char *name, void *plan, const struct fftw *f, struct bench_racer *racer)
{
    struct planned *p = plan != NULL ? malloc(sizeof *p) : NULL;

    if (p == NULL)
        return 0;
    *p = (struct planned){plan, f};
    *racer = (struct bench_racer){.name = name, .run = run, .ctx = p};
    return 1;
}

int bench_peers_plan(const struct bench_case *c, void *dst, void *src, struct bench_racer *racers)
{
    const struct fftw *f = fftw_of(c->dtype);
    int n = 0;

    if (f == NULL || strcmp(c->dtype, c->src_dtype) != 0)
        return 0;
    n += add("FFTW", plan_fftw(f, c, dst, src, FFTW_ESTIMATE), f, &racers[n]);
    n += add("HPTT", plan_hptt(c, dst, src, 0), NULL, &racers[n]);
    if (measuring) {
        n += add("FFTW measured", plan_fftw(f, c, dst, src, FFTW_MEASURE), f, &racers[n]);
        n += add("HPTT measured", plan_hptt(c, dst, src, 1), NULL, &racers[n]);
    }
    return n;
}

void bench_peers_release(int count, struct bench_racer *racers)
{
    for (int i = 0; i < count; i++) {
        struct planned *p = racers[i].ctx;

        if (p->fftw != NULL)
            p->fftw->destroy(p->plan);
        else
            hptt.release(p->plan);
        free(p);
    }
}
