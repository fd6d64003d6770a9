/* Copies by a kernel that reads or writes pinned memory of the host itself. */
#include "plan/detour.h"
#include "gpu/kernel_copy.h"
#include "gpu/mapped.h"
#include "gpu/pitched.h"
#include "gpu/staged.h"

sv_status svi_gpu_copy_mapped(const struct svi_request *request, const struct svi_gpu_queue *queue)
{
    const struct svi_plan *plan = request->plan;
    const bool to_host = svi_device_has(request->dst_device.type, SV_TRAIT_HOST);
    const int64_t offset = to_host ? plan->dst_offset : plan->src_offset;
    char *mapped = NULL;

    SVI_TRY(queue->calls->find_mapped((const char *)(to_host ? request->dst : request->src) + offset, &mapped));
    if (mapped == NULL && plan->kind == SVI_CLASS_CAST)
        return svi_gpu_copy_staged(request, to_host ? SVI_SIDE_DST : SVI_SIDE_SRC, queue);
    if (mapped == NULL)
        return svi_gpu_copy_pitched(plan, request->dst, request->src, queue);
    mapped -= offset;
    return svi_gpu_launch(plan, to_host ? mapped : request->dst, to_host ? request->src : mapped, queue);
}
