/* The CUDA backend: copies within one device by the generic kernel, and between it and the host. */
#include <stdio.h>

#include "cuda/api.h"
#include "cuda/strided.h"

enum { THREADS = 256, MAX_BLOCKS = 1 << 16 };

static sv_device_state probe(int32_t device_type, int32_t *count, char *detail)
{
    const struct svi_cuda_found *found = svi_cuda_find();

    (void)device_type;
    *count = found->count;
    snprintf(detail, SVI_DETAIL, "%s", found->text);
    return found->state;
}

/* Memory of a device alone. */
static bool on_device(struct svi_device device)
{
    return svi_devices[device.type].owner == SVI_FAMILY_CUDA;
}

/* Memory that kernels copy. */
static bool for_kernels(struct svi_device device)
{
    return on_device(device) || svi_devices[device.type].managed;
}

/* Memory that the host reads too, by the addresses that devices know. */
static bool on_host(struct svi_device device)
{
    return svi_devices[device.type].on_host && svi_devices[device.type].unified;
}

static bool within(struct svi_device dst, struct svi_device src)
{
    return for_kernels(dst) && for_kernels(src) && dst.id == src.id;
}

static bool reaches(struct svi_device dst, struct svi_device src)
{
    return within(dst, src) || (on_device(dst) && on_host(src)) || (on_device(src) && on_host(dst));
}

static void choose(const struct svi_plan *plan, struct svi_choice *out)
{
    (void)plan;
    *out = (struct svi_choice){"strided", NULL, NULL};
}

static sv_status launch(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream, bool blocking)
{
    struct svi_plan joined = *plan;
    void *arguments[] = {&joined, &dst, &src};
    cudaLaunchConfig_t config = {.blockDim = {THREADS, 1, 1}, .gridDim = {1, 1, 1}, .stream = stream};
    cudaKernel_t function = NULL;
    cudaError_t error;
    int64_t word, blocks;

    svi_strided_join(&joined);
    word = svi_strided_word(&joined, (uintptr_t)dst, (uintptr_t)src);
    SVI_TRY(svi_cuda_kernel(word, &function));
    blocks = (plan->nbytes / word - 1) / THREADS + 1;
    config.gridDim.x = (unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS);
    error = svi_cuda_api.launch(&config, (const void *)function, arguments);
    if (error != cudaSuccess)
        return svi_cuda_fail(error, "launching the copy");
    error = blocking ? svi_cuda_api.synchronize(stream) : cudaSuccess;
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "waiting for the copy");
}

static sv_status copy(const struct svi_plan *plan, struct svi_device dst_device, void *dst,
                      struct svi_device src_device, const void *src, uintptr_t stream, bool blocking)
{
    const int device = on_device(dst_device) ? dst_device.id : src_device.id;
    sv_status status;
    int before;

    if (plan->nbytes == 0)
        return SV_OK;
    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(svi_cuda_enter(device, &before));
    if (within(dst_device, src_device))
        status = launch(plan, dst, src, svi_cuda_stream(stream), blocking);
    else /* the caller may free ordinary memory as soon as this returns */
        status = svi_cuda_transfer(plan, dst, src, svi_cuda_stream(stream),
                                   blocking || svi_devices[dst_device.type].pageable ||
                                       svi_devices[src_device.type].pageable);
    return svi_cuda_leave(device, before, status);
}

const struct svi_backend svi_cuda = {
    .name = "cuda",
    .family = SVI_FAMILY_CUDA,
    .probe = probe,
    .reaches = reaches,
    .choose = choose,
    .copy = copy,
    .wait = svi_cuda_wait,
    .synchronize = svi_cuda_synchronize,
};
