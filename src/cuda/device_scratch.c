/* Memory of a device that a copy has for itself, in the order of its stream. */
#include "cuda/copies.h"
#include "cuda/operations.h"

/* In a capture the allocation becomes part of the graph, as does the free. */
static sv_status allocate(const struct svi_request *request, int device, int64_t nbytes, void **out)
{
    uintptr_t pool;
    cudaError_t error;

    if (request->scratch != NULL && request->scratch->device.id != device)
        return svi_fail(SV_ERROR_DEVICE, "scratch is memory of device %d, the copy is on device %d",
                        (int)request->scratch->device.id, device);
    if (request->scratch != NULL)
        return request->scratch->allocate(request->scratch->ctx, nbytes, request->stream, out);
    SVI_TRY(svi_cuda_default_pool(SV_MEMORY_DEVICE, device, &pool));
    error = svi_cuda_api.allocate_from_pool(out, (size_t)nbytes, (cudaMemPool_t)pool,
                                            svi_cuda_stream(request->stream));
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "allocating scratch memory for a copy");
}

/* Half as much where there is too little. */
sv_status svi_cuda_scratch_take(const struct svi_request *request, int device, int64_t wanted, int64_t least,
                                struct svi_cuda_scratch *out)
{
    void *memory = NULL;
    sv_status status = allocate(request, device, wanted, &memory);

    while (status == SV_ERROR_MEMORY && wanted / 2 >= least) {
        wanted /= 2;
        status = allocate(request, device, wanted, &memory);
    }
    if (status == SV_OK)
        *out = (struct svi_cuda_scratch){memory, wanted};
    return status;
}

sv_status svi_cuda_scratch_give(const struct svi_request *request, const struct svi_cuda_scratch *scratch)
{
    cudaError_t error;

    if (request->scratch != NULL) {
        request->scratch->free(request->scratch->ctx, scratch->memory, scratch->nbytes, request->stream);
        return SV_OK;
    }
    error = svi_cuda_api.release_async(scratch->memory, svi_cuda_stream(request->stream));
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "freeing scratch memory of a copy");
}
