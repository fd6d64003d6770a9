/*
 * Pools: memory that is allocated and freed in the order of a stream. Those of host and of managed memory came with
 * CUDA 13; where they are missing, the answer is SV_ERROR_UNSUPPORTED and says what is missing.
 */
#include "gpu/cuda/driver.h"
#include "backend/memory.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/pool.h"
#include "gpu/cuda/property.h"

/* cudaMemAllocationTypeManaged, since 13.0 */
enum { ALLOCATION_PINNED = 1, ALLOCATION_MANAGED = 2, DEFAULT_POOLS_SINCE = 13000 };

static int allocation_type(sv_memory kind)
{
    return kind == SV_MEMORY_MANAGED ? ALLOCATION_MANAGED : ALLOCATION_PINNED;
}

static struct cudaMemLocation locate_pool(sv_memory kind, int32_t device_id)
{
    return kind == SV_MEMORY_PINNED ? (struct cudaMemLocation){.type = cudaMemLocationTypeHost}
                                    : (struct cudaMemLocation){.type = cudaMemLocationTypeDevice, .id = device_id};
}

static sv_status check_pool_support(sv_memory kind, int32_t device_id)
{
    int32_t property = SV_PROPERTY_POOLS;
    int64_t has = 0;

    if (kind != SV_MEMORY_DEVICE)
        property = kind == SV_MEMORY_PINNED ? SV_PROPERTY_HOST_POOLS : SV_PROPERTY_MANAGED_POOLS;
    SVI_TRY(svi_cuda_property(device_id, property, &has));
    if (has)
        return SV_OK;
    return svi_fail(SV_ERROR_UNSUPPORTED, "device %d and its driver have no pools of %s memory", (int)device_id,
                    svi_memory_kinds[kind].name);
}

/* --- making one ------------------------------------------------------------ */

/* The pool of host memory can be used by the host alone, until every device gets access. */
static cudaError_t give_access(cudaMemPool_t pool)
{
    const int32_t count = svi_cuda_find()->count;
    cudaError_t error = cudaSuccess;

    for (int32_t id = 0; id < count && error == cudaSuccess; id++) {
        const struct cudaMemAccessDesc access = {
            .location = {.type = cudaMemLocationTypeDevice, .id = id},
            .flags = cudaMemAccessFlagsProtReadWrite,
        };

        error = svi_cuda_api.set_pool_access(pool, &access, 1);
    }
    return error;
}

/* What was allocated once and freed stays with the pool, up to its threshold. Nobody waits for the stream used. */
static sv_status reserve_pool(cudaMemPool_t pool, int64_t nbytes)
{
    void *pointer = NULL;
    cudaError_t error = svi_cuda_api.allocate_from_pool(&pointer, (size_t)nbytes, pool, cudaStreamPerThread);

    if (error == cudaSuccess)
        error = svi_cuda_api.release_async(pointer, cudaStreamPerThread);
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "reserving the initial memory of a pool");
}

static sv_status equip_pool(cudaMemPool_t pool, const struct svi_pool_request *request)
{
    uint64_t threshold = (uint64_t)request->threshold;
    cudaError_t error = svi_cuda_api.set_pool(pool, cudaMemPoolAttrReleaseThreshold, &threshold);

    if (error == cudaSuccess && request->kind == SV_MEMORY_PINNED)
        error = give_access(pool);
    if (error != cudaSuccess)
        return svi_cuda_fail(error, "preparing a pool");
    return request->initial > 0 ? reserve_pool(pool, request->initial) : SV_OK;
}

static sv_status make_cuda_pool(const struct svi_pool_request *request, cudaMemPool_t *out)
{
    const struct cudaMemPoolProps properties = {
        .allocType = (enum cudaMemAllocationType)allocation_type(request->kind),
        .handleTypes = cudaMemHandleTypeNone,
        .location = locate_pool(request->kind, request->device_id),
        .maxSize = (size_t)request->most,
    };
    cudaMemPool_t pool = NULL;
    cudaError_t error = svi_cuda_api.new_pool(&pool, &properties);
    sv_status status;

    if (error != cudaSuccess)
        return svi_cuda_fail(error, "making a pool");
    status = equip_pool(pool, request);
    if (status == SV_OK)
        *out = pool;
    else if (svi_cuda_api.end_pool(pool) != cudaSuccess)
        svi_cuda_api.last_error();
    return status;
}

sv_status svi_cuda_new_pool(const struct svi_pool_request *request, uintptr_t *pool)
{
    struct svi_gpu_scope scope;
    cudaMemPool_t made = NULL;
    sv_status status;

    SVI_TRY(check_pool_support(request->kind, request->device_id));
    SVI_TRY(svi_cuda_begin_live(request->device_id, cudaStreamPerThread, "making a pool", &scope));
    status = svi_cuda_end(&scope, make_cuda_pool(request, &made));
    if (status == SV_OK)
        *pool = (uintptr_t)made;
    else if (made != NULL)
        (void)svi_cuda_end_pool(request->device_id, (uintptr_t)made);
    return status;
}

sv_status svi_cuda_end_pool(int32_t device_id, uintptr_t pool)
{
    struct svi_gpu_scope scope;
    sv_status status = svi_cuda_begin(device_id, &scope);

    if (status == SV_OK) {
        cudaError_t error = svi_cuda_api.end_pool((cudaMemPool_t)pool);

        status = svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "ending a pool"));
    }
    return svi_cuda_freed(status);
}

/* --- the one that is there ------------------------------------------------- */

static sv_status ask_driver(sv_memory kind, int32_t device_id, cudaMemPool_t *out)
{
    struct cudaMemLocation place = locate_pool(kind, device_id);
    svi_cuda_default_pool_of *find =
        (svi_cuda_default_pool_of *)svi_cuda_driver("cuMemGetDefaultMemPool", DEFAULT_POOLS_SINCE);
    int error;

    if (find == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED, "the driver has no default pool of %s memory: it is older than 13.0",
                        svi_memory_kinds[kind].name);
    error = find(out, &place, allocation_type(kind));
    return error == 0 ? SV_OK : svi_cuda_fail_driver(error, "asking for a default pool");
}

static sv_status ask_runtime(int32_t device_id, cudaMemPool_t *out)
{
    cudaError_t error = svi_cuda_api.default_pool(out, device_id);

    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "asking for a default pool");
}

static sv_status grant_pool_access(cudaMemPool_t pool)
{
    cudaError_t error = give_access(pool);

    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "giving devices access to a pool");
}

sv_status svi_cuda_default_pool(sv_memory kind, int32_t device_id, uintptr_t *pool)
{
    struct svi_gpu_scope scope;
    cudaMemPool_t found = NULL;
    sv_status status;

    SVI_TRY(check_pool_support(kind, device_id));
    SVI_TRY(svi_cuda_begin(device_id, &scope));
    status = kind == SV_MEMORY_DEVICE ? ask_runtime(device_id, &found) : ask_driver(kind, device_id, &found);
    if (status == SV_OK && kind == SV_MEMORY_PINNED)
        status = grant_pool_access(found);
    SVI_TRY(svi_cuda_end(&scope, status));
    *pool = (uintptr_t)found;
    return SV_OK;
}

/* --- its memory ------------------------------------------------------------ */

/* Not in a capture: the memory would be the graph's, there only while it runs. */
sv_status svi_cuda_allocate_from_pool(int32_t device_id, uintptr_t pool, int64_t nbytes, uintptr_t stream, void **out)
{
    struct svi_gpu_scope scope;
    void *made = NULL;
    cudaError_t error;
    sv_status status;

    SVI_TRY(svi_cuda_begin_live(device_id, svi_cuda_stream(stream), "allocating from a pool", &scope));
    error = svi_cuda_api.allocate_from_pool(&made, (size_t)nbytes, (cudaMemPool_t)pool, svi_cuda_stream(stream));
    status = error == cudaSuccess ? SV_OK : svi_cuda_fail_to_allocate(error, nbytes, "memory of a pool");
    status = svi_cuda_end(&scope, status);
    if (status == SV_OK)
        *out = made;
    else if (error == cudaSuccess)
        (void)svi_cuda_free_in_order(device_id, made, stream);
    return status;
}

sv_status svi_cuda_free_in_order(int32_t device_id, void *pointer, uintptr_t stream)
{
    struct svi_gpu_scope scope;
    sv_status status = svi_cuda_begin_live(device_id, svi_cuda_stream(stream), "freeing memory of a pool", &scope);

    if (status == SV_OK) {
        cudaError_t error = svi_cuda_api.release_async(pointer, svi_cuda_stream(stream));

        status = svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "freeing memory of a pool"));
    }
    return svi_cuda_freed(status);
}

sv_status svi_cuda_check_order(int32_t device_id, uintptr_t stream)
{
    struct svi_gpu_scope scope;
    sv_status status = svi_cuda_begin_live(device_id, svi_cuda_stream(stream), "freeing memory of a pool", &scope);

    return svi_cuda_freed(status == SV_OK ? svi_cuda_end(&scope, SV_OK) : status);
}
