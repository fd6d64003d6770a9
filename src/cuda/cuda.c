/* The CUDA backend: copies within one device by the generic kernel, between two, and between one and the host. */
#include <stdio.h>

#include "cuda/api.h"
#include "cuda/operations.h"
#include "cuda/scope.h"

static sv_device_state probe(int32_t device_type, int32_t *count, char *detail)
{
    const struct svi_cuda_found *found = svi_cuda_find();

    (void)device_type;
    *count = found->count;
    snprintf(detail, SVI_DETAIL, "%s", found->text);
    return found->state;
}

static bool is_managed(struct svi_device device)
{
    return svi_devices[device.type].owner == SVI_FAMILY_CUDA && svi_device_has(device.type, SV_TRAIT_MANAGED);
}

/* Memory of one device alone. */
static bool on_device(struct svi_device device)
{
    return svi_devices[device.type].owner == SVI_FAMILY_CUDA && !svi_device_has(device.type, SV_TRAIT_MANAGED);
}

/* Memory that the host reads too, by the addresses that devices know. */
static bool on_host(struct svi_device device)
{
    return svi_device_has(device.type, SV_TRAIT_HOST) && svi_devices[device.type].unified;
}

/* Whether the kernels of one device copy it all. */
static bool within(struct svi_device dst, struct svi_device src)
{
    return on_device(dst) ? is_managed(src) || (on_device(src) && dst.id == src.id)
                          : is_managed(dst) && (on_device(src) || is_managed(src));
}

static bool between_devices(struct svi_device dst, struct svi_device src)
{
    return on_device(dst) && on_device(src) && dst.id != src.id;
}

/* Managed memory is the host's to copy where no device can have work on it. */
static bool reaches(struct svi_device dst, struct svi_device src)
{
    if (on_device(dst))
        return on_device(src) || is_managed(src) || on_host(src);
    if (on_device(src))
        return is_managed(dst) || on_host(dst);
    return within(dst, src) && svi_cuda_find()->state == SV_STATE_READY;
}

/* The device that copies: that of the memory, or of the stream where the memory is of none or of two. */
static sv_status device_for(struct svi_device dst, struct svi_device src, uintptr_t stream, int *out)
{
    if (between_devices(dst, src) || !(on_device(dst) || on_device(src)))
        return svi_cuda_device_of(stream, dst, out);
    *out = on_device(dst) ? dst.id : src.id;
    return SV_OK;
}

static void choose(const struct svi_plan *plan, struct svi_device dst, struct svi_device src, struct svi_choice *out)
{
    (void)plan, (void)dst, (void)src;
    *out = (struct svi_choice){"strided", NULL, NULL};
}

/* The caller may free ordinary memory as soon as a copy returns. */
static bool waits(const struct svi_request *request)
{
    return (request->flags & SV_COPY_BLOCKING) != 0 || svi_devices[request->dst_device.type].pageable ||
           svi_devices[request->src_device.type].pageable;
}

static sv_status enqueue(const struct svi_request *request, cudaStream_t stream)
{
    if (within(request->dst_device, request->src_device))
        return svi_cuda_launch(request->plan, request->dst, request->src, stream);
    return svi_cuda_transfer(request, stream);
}

static sv_status wait_for(cudaStream_t stream)
{
    const cudaError_t error = svi_cuda_api.synchronize(stream);

    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "waiting for the copy");
}

static sv_status copy(const struct svi_request *request)
{
    const cudaStream_t stream = svi_cuda_stream(request->stream);
    const bool blocks = waits(request);
    struct svi_cuda_scope scope;
    sv_status status;
    int device;

    if (request->plan->nbytes == 0)
        return SV_OK;
    SVI_TRY(svi_cuda_check_ready());
    SVI_TRY(device_for(request->dst_device, request->src_device, request->stream, &device));
    SVI_TRY(svi_cuda_begin_live(device, stream, blocks ? "a copy that waits" : NULL, &scope));
    status = enqueue(request, stream);
    if (status == SV_OK && blocks)
        status = wait_for(stream);
    return svi_cuda_end(&scope, status);
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
    .memory = &svi_cuda_memory,
};
