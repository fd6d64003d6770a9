/*
 * CUDA as this machine has it: honest answers without a device, and with one
 * copies that are compared with the host's. Says for the last lines of make
 * check which machine it saw.
 */
#include <stdlib.h>
#include <string.h>

#ifdef SVI_CUDA
#include <cuda_runtime_api.h>
#endif

#include "device/backends.h"
#include "tap.h"
#include "support/pairs.h"
#include "gpu/cuda/cuda.h"
#include "host/front/host.h"

#ifdef SVI_CUDA
/* By the public way: sixteen bytes of device 0. */
static sv_status copy_views(void *dst, void *src)
{
    const int64_t extent = 16;
    sv_layout *layout = NULL;
    sv_view *to = NULL, *from = NULL;
    sv_status status;

    if ((status = sv_layout_new(1, &extent, NULL, 1, &layout)) == SV_OK &&
        (status = sv_view_new(layout, SV_UINT8, dst, 0, extent, SV_DEVICE_CUDA, 0, 0, NULL, NULL, &to)) == SV_OK &&
        (status = sv_view_new(layout, SV_UINT8, src, 0, extent, SV_DEVICE_CUDA, 0, 0, NULL, NULL, &from)) == SV_OK)
        status = sv_copy(to, from, SV_COPY_BLOCKING, 0);
    sv_view_release(from);
    sv_view_release(to);
    sv_layout_release(layout);
    return status;
}

enum { ROUNDS = 2000, GUARD = 64 };

/* Bytes that a layout reaches, with a guard on both sides, on the host and on the device. */
struct memory {
    size_t nbytes;
    int64_t origin; /* of the first element */
    char *host, *device;
};

static bool allocate(const struct test_pair *p, const int64_t *strides, struct memory *m)
{
    int64_t lower, upper, skew = test_between(0, 15);

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    m->nbytes = (size_t)(upper - lower + skew + 2 * GUARD);
    m->origin = GUARD + skew - lower;
    m->host = malloc(m->nbytes);
    for (size_t i = 0; i < m->nbytes; i++)
        m->host[i] = (char)test_random();
    return cudaMalloc((void **)&m->device, m->nbytes) == cudaSuccess &&
           cudaMemcpy(m->device, m->host, m->nbytes, cudaMemcpyHostToDevice) == cudaSuccess;
}

static void release(struct memory *m)
{
    free(m->host);
    cudaFree(m->device);
}

/* One copy of memory that is as it was at first: the whole destination, guards included, is as the host made it. */
static bool copies_as(const struct svi_plan *plan, const struct memory *dst, const char *before,
                      struct svi_device dst_device, const struct memory *src, struct svi_device src_device,
                      uintptr_t stream)
{
    const bool to_host = dst_device.type == SV_DEVICE_CPU;
    char *back = malloc(dst->nbytes), *target = to_host ? back : dst->device;
    const char *source = src_device.type == SV_DEVICE_CPU ? src->host : src->device;
    const struct svi_request request = {
        plan, dst_device, target + dst->origin, src_device, source + src->origin, stream, SV_COPY_BLOCKING, NULL, NULL,
    };
    bool ok;

    memcpy(back, before, dst->nbytes);
    ok = (to_host || cudaMemcpy(dst->device, before, dst->nbytes, cudaMemcpyHostToDevice) == cudaSuccess) &&
         svi_cuda.copy(&request) == SV_OK &&
         (to_host || cudaMemcpy(back, dst->device, dst->nbytes, cudaMemcpyDeviceToHost) == cudaSuccess) &&
         memcmp(back, dst->host, dst->nbytes) == 0;
    free(back);
    return ok;
}

/* Within the device, to it and from it. */
static bool copies_alike(const struct test_pair *p, uintptr_t stream)
{
    const struct svi_device cpu = {SV_DEVICE_CPU, 0}, gpu = {SV_DEVICE_CUDA, 0};
    struct memory dst = {0}, src = {0};
    struct svi_plan plan;
    bool ok = allocate(p, p->dst, &dst) && allocate(p, p->src, &src);

    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    if (ok && plan.kind != SVI_CLASS_EMPTY) {
        const struct svi_request on_host = {&plan, cpu, dst.host + dst.origin, cpu, src.host + src.origin, 0, 0, NULL, NULL};
        char *before = malloc(dst.nbytes);

        memcpy(before, dst.host, dst.nbytes);
        svi_host.copy(&on_host);
        ok = copies_as(&plan, &dst, before, gpu, &src, gpu, stream) &&
             copies_as(&plan, &dst, before, gpu, &src, cpu, stream) &&
             copies_as(&plan, &dst, before, cpu, &src, gpu, stream);
        free(before);
    }
    release(&dst);
    release(&src);
    return ok;
}

static void test_views(void)
{
    char cells[32] = "0123456789abcdefABCDEFGHIJKLMNO", *device = NULL;

    tap_ok(cudaMalloc((void **)&device, 32) == cudaSuccess &&
               cudaMemcpy(device, cells, 32, cudaMemcpyHostToDevice) == cudaSuccess &&
               copy_views(device + 16, device) == SV_OK &&
               cudaMemcpy(cells, device, 32, cudaMemcpyDeviceToHost) == cudaSuccess &&
               memcmp(cells, cells + 16, 16) == 0,
           "sv_copy between views of device memory");
    cudaFree(device);
}

static void test_copies(void)
{
    const struct svi_device none = {SV_DEVICE_CUDA, 1000};
    const struct svi_plan plan = {.kind = SVI_CLASS_CONTIGUOUS, .item = 16, .nbytes = 16, .src_axis = -1};
    char cells[16], others[16];
    const struct svi_request request = {&plan, none, cells, none, others, 0, SV_COPY_BLOCKING, NULL, NULL};
    struct test_pair p;
    int failed = 0;

    for (int64_t round = test_first_round(); test_round(round, ROUNDS); round++) {
        test_pair_random(&p, 3000);
        if (!copies_alike(&p, (uintptr_t)(round % 3)) && failed++ < 10) {
            test_tell("%s", sv_last_message());
            test_report_round();
        }
    }
    test_views();
    tap_ok(failed == 0, "%d random copies on the device, to it and from it equal the host's", ROUNDS);
    tap_ok(svi_cuda.copy(&request) == SV_ERROR_DEVICE, "no such device: %s", sv_last_message());
    tap_ok(cudaGetLastError() == cudaSuccess, "no error is left pending");
}

/* Driver missing, too old, broken, or without a device. */
static void test_no_device(sv_device_state state, const char *words)
{
    const struct svi_device device = {SV_DEVICE_CUDA, 0};
    char from[16] = "unchanged", to[16] = "target", again[300] = "";
    sv_device_state later = SV_STATE_READY;
    int32_t count = -1;

    tap_ok(sv_device_probe(SV_DEVICE_CUDA, &later, &count) == SV_OK && later == state && count == 0,
           "without a device the state is %d, and stays so", (int)state);
    tap_ok(sv_device_text(SV_DEVICE_CUDA, sizeof again, again, NULL) == SV_OK && strcmp(again, words) == 0,
           "as do the words");
    tap_ok(svi_backend_search(device, device, NULL) == &svi_cuda, "the backend stands ready");
    tap_ok(copy_views(to, from) == SV_ERROR_DEVICE && strcmp(sv_last_message(), words) == 0 &&
               strcmp(to, "target") == 0,
           "and a copy answers SV_ERROR_DEVICE: %s", sv_last_message());
    tap_skip("copies on a device", words);
}

static void test_cuda(void)
{
    sv_device_state state = SV_STATE_READY;
    char words[300] = "";

    tap_ok(sv_device_probe(SV_DEVICE_CUDA, &state, NULL) == SV_OK &&
               sv_device_text(SV_DEVICE_CUDA, sizeof words, words, NULL) == SV_OK && state != SV_STATE_NO_BACKEND,
           "a build with CUDA knows its state");
    if (state == SV_STATE_READY) {
        tap_note("machine: GPU (%s)", words);
        test_copies();
    } else {
        tap_note("machine: nvcc without a GPU (%s)", words);
        test_no_device(state, words);
    }
}
#else
static void test_cuda(void)
{
    const struct svi_device device = {SV_DEVICE_CUDA, 0};
    sv_device_state state = SV_STATE_READY;
    int32_t count = -1;

    tap_note("machine: %s", MACHINE);
    tap_ok(sv_device_probe(SV_DEVICE_CUDA, &state, &count) == SV_OK && state == SV_STATE_NO_BACKEND && count == 0,
           "a build without CUDA says so");
    tap_ok(svi_backend_search(device, device, NULL) == NULL, "and copies nothing on a device");
}
#endif

int main(void)
{
    test_cuda();
    return tap_done();
}
