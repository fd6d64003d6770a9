/* FFTW: plans of rank 0, which copy. */
#define _GNU_SOURCE /* dlopen */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { FLOAT, DOUBLE, TYPES };
enum { FFTW_MEASURE = 0, FFTW_ESTIMATE = 1 << 6 };
static const double measure_seconds = 0.5; /* for one plan that measures */

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

struct planned {
    void *plan;
    const struct fftw *fftw;
};

static void use_threads(const char *file, const char *prefix, int threads)
{
    void *library = threads > 1 ? dlopen(file, RTLD_NOW | RTLD_GLOBAL) : NULL;
    int (*init)(void);
    void (*with)(int);

    if (library != NULL && bench_function(&init, library, prefix, "init_threads") &&
        bench_function(&with, library, prefix, "plan_with_nthreads") && init() != 0)
        with(threads);
}

static bool open_one(struct fftw *f, const char *file, const char *prefix, char version[BENCH_VERSION])
{
    void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    const char *text;

    if (library == NULL || !bench_function(&f->execute, library, prefix, "execute") ||
        !bench_function(&f->destroy, library, prefix, "destroy_plan") ||
        !bench_function(&f->set_timelimit, library, prefix, "set_timelimit") ||
        !bench_function(&text, library, prefix, "version") ||
        !bench_function(&f->plan, library, prefix, "plan_guru64_r2r"))
        return false;
    f->set_timelimit(measure_seconds);
    snprintf(version, BENCH_VERSION, "%s", text);
    return true;
}

static bool open(const struct bench_peer_options *options, char version[BENCH_VERSION])
{
    bool single = open_one(&fftw[FLOAT], "libfftw3f.so.3", "fftwf_", version);
    bool twice = open_one(&fftw[DOUBLE], "libfftw3.so.3", "fftw_", version);

    if (single)
        use_threads("libfftw3f_threads.so.3", "fftwf_", options->threads);
    if (twice)
        use_threads("libfftw3_threads.so.3", "fftw_", options->threads);
    return single || twice;
}

static const struct fftw *fftw_of(const struct bench_case *c)
{
    if (strcmp(c->dtype, c->src_dtype) != 0)
        return NULL;
    if (strcmp(c->dtype, "float32") == 0 || strcmp(c->dtype, "complex64") == 0)
        return &fftw[FLOAT];
    return strcmp(c->dtype, "float64") == 0 || strcmp(c->dtype, "complex128") == 0 ? &fftw[DOUBLE] : NULL;
}

/* A complex number is an axis more. */
static void *plan(const struct bench_case *c, char *dst, char *src, bool measure)
{
    const struct fftw *f = fftw_of(c);
    const int64_t *shape = sv_layout_shape(c->dst);
    const int64_t *to = sv_layout_byte_strides(c->dst), *from = sv_layout_byte_strides(c->src);
    int64_t part = f == &fftw[FLOAT] ? 4 : 8;
    struct iodim many[SV_MAX_NDIM + 1];
    int32_t ndim = sv_layout_ndim(c->dst);
    struct planned *p;
    void *made;

    if (f == NULL || f->plan == NULL)
        return NULL;
    for (int32_t k = 0; k < ndim; k++)
        many[k] = (struct iodim){(ptrdiff_t)shape[k], (ptrdiff_t)(from[k] / part), (ptrdiff_t)(to[k] / part)};
    if (sv_layout_itemsize(c->dst) == 2 * part)
        many[ndim++] = (struct iodim){2, 1, 1};
    made = f->plan(0, NULL, ndim, many, src + sv_layout_byte_offset(c->src), dst + sv_layout_byte_offset(c->dst), NULL,
                   measure ? FFTW_MEASURE : FFTW_ESTIMATE);
    p = made != NULL ? malloc(sizeof *p) : NULL;
    if (p != NULL)
        *p = (struct planned){made, f};
    return p;
}

static void run(void *ctx)
{
    const struct planned *p = ctx;

    p->fftw->execute(p->plan);
}

static void release(void *ctx)
{
    struct planned *p = ctx;

    p->fftw->destroy(p->plan);
    free(p);
}

const struct bench_peer bench_fftw = {"FFTW", "FFTW measured", open, plan, run, release};
