/* HPTT, by the object that make makes of hptt.cpp. */
#define _GNU_SOURCE /* dlopen */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

enum { MOST_AXES = 8 }; /* of more axes it lists all orders */

/* As in hptt.cpp. */
static struct hptt {
    void *(*plan)(const char *dtype, int ndim, const int *perm, const int *shape, const int *src_outer,
                  const int *dst_outer, const void *src, void *dst, int threads, int measure);
    void (*run)(void *plan);
    void (*release)(void *plan);
} hptt;

static int thread_count;

static bool open(const struct bench_peer_options *options, char version[BENCH_VERSION])
{
    void *library = options->hptt != NULL ? dlopen(options->hptt, RTLD_NOW) : NULL;

    thread_count = options->threads;
    if (options->hptt != NULL && library == NULL)
        fprintf(stderr, "%s\n", dlerror());
    if (library == NULL)
        return false;
    if (!bench_function(&hptt.plan, library, "bench_hptt_", "plan") ||
        !bench_function(&hptt.run, library, "bench_hptt_", "run") ||
        !bench_function(&hptt.release, library, "bench_hptt_", "release")) {
        fprintf(stderr, "%s: no bench_hptt_plan, _run and _release\n", options->hptt);
        return false;
    }
    snprintf(version, BENCH_VERSION, "given");
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

static void *plan(const struct bench_case *c, char *dst, char *src, bool measure)
{
    const int64_t *shape = sv_layout_shape(c->dst);
    int32_t ndim = sv_layout_ndim(c->dst), axes[SV_MAX_NDIM], own[SV_MAX_NDIM];
    int perm[SV_MAX_NDIM], extents[SV_MAX_NDIM], src_outer[SV_MAX_NDIM], dst_outer[SV_MAX_NDIM];
    int64_t item = sv_layout_itemsize(c->src);

    if (strcmp(c->dtype, c->src_dtype) != 0 || ndim < 2 || ndim > MOST_AXES ||
        sv_layout_stride_order(c->src, axes) != SV_OK)
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

static void run(void *p)
{
    hptt.run(p);
}

static void release(void *p)
{
    hptt.release(p);
}

const struct bench_peer bench_hptt = {"HPTT", "HPTT measured", open, plan, run, release};
