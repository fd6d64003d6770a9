#include "gpu/device_scratch.h"

static sv_status allocate_from_source(const struct svi_request *request, int device, int64_t nbytes, void **out)
{
    const struct svi_scratch_source *source = request->scratch;

    if (source->device.id != device)
        return svi_fail(SV_ERROR_DEVICE, "scratch is memory of device %d, the copy is on device %d",
                        (int)source->device.id, device);
    return source->allocate(source->ctx, nbytes, request->stream, out);
}

/* In a capture the allocation becomes part of the graph, as does the free. */
static sv_status allocate_device_scratch(const struct svi_request *request, const struct svi_gpu_queue *queue,
                                         int device, int64_t nbytes, struct svi_gpu_scratch *out)
{
    void *made = NULL;

    if (request->scratch == NULL)
        return queue->calls->allocate_scratch(queue, device, nbytes, out);
    SVI_TRY(allocate_from_source(request, device, nbytes, &made));
    out->memory = made;
    return SV_OK;
}

/* Half as much where there is too little. */
sv_status svi_gpu_scratch_take(const struct svi_request *request, const struct svi_gpu_queue *queue, int device,
                               int64_t wanted, int64_t least, struct svi_gpu_scratch *out)
{
    struct svi_gpu_scratch made = {.device = device};
    sv_status status = allocate_device_scratch(request, queue, device, wanted, &made);

    while (status == SV_ERROR_MEMORY && wanted / 2 >= least) {
        wanted /= 2;
        status = allocate_device_scratch(request, queue, device, wanted, &made);
    }
    made.nbytes = wanted;
    if (status == SV_OK)
        *out = made;
    return status;
}

sv_status svi_gpu_scratch_give(const struct svi_request *request, const struct svi_gpu_queue *queue,
                               const struct svi_gpu_scratch *scratch)
{
    if (request->scratch == NULL)
        return queue->calls->free_scratch(queue, scratch);
    request->scratch->free(request->scratch->ctx, scratch->memory, scratch->nbytes, request->stream);
    return SV_OK;
}
