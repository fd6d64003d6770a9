#include "gpu/enqueue.h"

#include "gpu/kernel_copy.h"
#include "gpu/mapped.h"
#include "gpu/packed.h"
#include "gpu/pitched.h"
#include "gpu/ringed.h"
#include "gpu/staged.h"

sv_status svi_gpu_enqueue(const struct svi_request *request, enum svi_gpu_route route,
                          const struct svi_gpu_queue *queue)
{
    switch (route) {
    case SVI_ROUTE_KERNEL: return svi_gpu_launch(request->plan, request->dst, request->src, queue);
    case SVI_ROUTE_MAPPED: return svi_gpu_copy_mapped(request, queue);
    case SVI_ROUTE_STAGED:
        return svi_gpu_copy_staged(request, svi_gpu_far_side(request->dst_device, request->src_device, queue->device),
                                   queue);
    case SVI_ROUTE_RINGED: return svi_gpu_copy_ringed(request, queue);
    case SVI_ROUTE_PEER: return svi_gpu_copy_peer(request, queue);
    case SVI_ROUTE_PACKED: return svi_gpu_copy_packed(request, queue);
    default: return svi_gpu_copy_pitched(request->plan, request->dst, request->src, queue);
    }
}
