/* Copies by a kernel that reads or writes pinned memory of the host itself. */
#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"
#include "plan/detour.h"
#include "gpu/cuda/error.h"
#include "gpu/kernel_copy.h"
#include "gpu/mapped.h"
#include "gpu/pitched.h"
#include "gpu/staged.h"

sv_status svi_gpu_find_mapped(const void *pinned, char **out)
{
    struct cudaPointerAttributes attributes;
    cudaError_t error = svi_cuda_api.pointer(&attributes, pinned);

    if (error != cudaSuccess)
        return svi_cuda_fail(error, "asking for the device's address of pinned memory");
    *out = attributes.devicePointer;
    return SV_OK;
}

sv_status svi_gpu_copy_mapped(const struct svi_request *request, int device, cudaStream_t stream)
{
    const struct svi_plan *plan = request->plan;
    const bool to_host = svi_device_has(request->dst_device.type, SV_TRAIT_HOST);
    const int64_t offset = to_host ? plan->dst_offset : plan->src_offset;
    char *mapped = NULL;

    SVI_TRY(svi_gpu_find_mapped((const char *)(to_host ? request->dst : request->src) + offset, &mapped));
    if (mapped == NULL && plan->kind == SVI_CLASS_CAST)
        return svi_gpu_copy_staged(request, device, to_host ? SVI_SIDE_DST : SVI_SIDE_SRC, stream);
    if (mapped == NULL)
        return svi_gpu_copy_pitched(plan, request->dst, request->src, stream);
    mapped -= offset;
    return svi_gpu_launch(plan, to_host ? mapped : request->dst, to_host ? request->src : mapped, stream);
}
