/*
 * Memory of a device that a copy has for itself comes from pools of libsv's own, one for each device. A device's default
 * pool gives all of its memory back whenever something waits for a stream, and to get it again takes 0.13 ms and more;
 * a pool with a threshold keeps so much.
 */
#include "gpu/cuda/scratch_pool.h"

#include <pthread.h>

#include "backend/memory.h"
#include "gpu/cuda/api.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/pool.h"

enum { DEVICES = 64 /* with such a pool */, KEPT = 32 << 20 /* bytes */ };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uintptr_t pool; /* 0: there is none yet */
    int64_t users;  /* allocations that have not been freed */
} pools[DEVICES];

/* With the lock. A pool cannot be made while the thread's own stream is captured: then it is the default one. */
static sv_status find_pool(int device, uintptr_t *pool, bool *own)
{
    const struct svi_pool_request request = {.kind = SV_MEMORY_DEVICE, .device_id = device, .threshold = KEPT};
    struct svi_message before;
    sv_status status = SV_OK;

    svi_message_keep(&before);
    if (device >= DEVICES)
        status = SV_ERROR_STATE;
    else if (pools[device].pool == 0)
        status = svi_cuda_new_pool(&request, &pools[device].pool);
    *own = status == SV_OK;
    if (status == SV_ERROR_STATE) {
        svi_message_restore(&before);
        return svi_cuda_default_pool(SV_MEMORY_DEVICE, device, pool);
    }
    if (status == SV_OK)
        *pool = pools[device].pool;
    return status;
}

/* With the lock. */
static sv_status allocate_from_pool(int device, int64_t nbytes, cudaStream_t stream, struct svi_gpu_scratch *out)
{
    uintptr_t pool;
    void *made;
    cudaError_t error;

    SVI_TRY(find_pool(device, &pool, &out->own_pool));
    error = svi_cuda_api.allocate_from_pool(&made, (size_t)nbytes, (cudaMemPool_t)pool, stream);
    if (error != cudaSuccess)
        return svi_cuda_fail_to_allocate(error, nbytes, "scratch memory for a copy");
    if (out->own_pool)
        pools[device].users++;
    out->memory = made;
    return SV_OK;
}

sv_status svi_cuda_allocate_scratch(const struct svi_gpu_queue *queue, int device, int64_t nbytes,
                                    struct svi_gpu_scratch *out)
{
    sv_status status;

    pthread_mutex_lock(&lock);
    status = allocate_from_pool(device, nbytes, svi_cuda_stream(queue->stream), out);
    pthread_mutex_unlock(&lock);
    return status;
}

sv_status svi_cuda_free_scratch(const struct svi_gpu_queue *queue, const struct svi_gpu_scratch *scratch)
{
    const cudaError_t error = svi_cuda_api.release_async(scratch->memory, svi_cuda_stream(queue->stream));

    if (scratch->own_pool) {
        pthread_mutex_lock(&lock);
        pools[scratch->device].users--;
        pthread_mutex_unlock(&lock);
    }
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, "freeing scratch memory of a copy");
}

/* Not where another thread allocates: it may be one of the process that this one was forked from. */
void svi_cuda_scratch_trim(void)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    for (int device = 0; device < DEVICES; device++)
        if (pools[device].pool != 0 && pools[device].users == 0) {
            (void)svi_cuda_end_pool(device, pools[device].pool);
            pools[device].pool = 0;
        }
    pthread_mutex_unlock(&lock);
}
