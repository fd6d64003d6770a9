#include "gpu/ring.h"

#include <pthread.h>

#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"

enum { RINGS = 8 };

struct svi_gpu_ring {
    pthread_mutex_t lock; /* held from take to give */
    char *memory;         /* NULL: there is none yet */
    int64_t chunk;        /* bytes of a slot */
    int device;           /* of the events */
    int next;             /* slot */
    int nevents;
    cudaEvent_t events[SVI_GPU_SLOTS];
    bool is_pending[SVI_GPU_SLOTS];
};

#define RING {.lock = PTHREAD_MUTEX_INITIALIZER}
static struct svi_gpu_ring rings[RINGS] = {RING, RING, RING, RING, RING, RING, RING, RING};

int64_t svi_gpu_chunk_nbytes = 4 << 20;

/* --- its memory and events ---------------------------------------------------------------- */

static sv_status check_ring_call(cudaError_t error, const char *what)
{
    return error == cudaSuccess ? SV_OK : svi_cuda_fail(error, what);
}

/* An error of what ends is not told: nothing is left to do about it. */
static void clear_error(cudaError_t error)
{
    if (error != cudaSuccess)
        svi_cuda_api.last_error();
}

static void end_events(struct svi_gpu_ring *ring)
{
    while (ring->nevents > 0)
        clear_error(svi_cuda_api.end_event(ring->events[--ring->nevents]));
}

static void end_memory(struct svi_gpu_ring *ring)
{
    if (ring->memory != NULL)
        clear_error(svi_cuda_api.release_host(ring->memory));
    ring->memory = NULL;
}

static sv_status wait_for_all(struct svi_gpu_ring *ring)
{
    for (int slot = 0; slot < SVI_GPU_SLOTS; slot++)
        SVI_TRY(svi_gpu_ring_wait(ring, slot));
    return SV_OK;
}

static sv_status make_events(struct svi_gpu_ring *ring, int device)
{
    ring->device = device;
    while (ring->nevents < SVI_GPU_SLOTS) {
        SVI_TRY(check_ring_call(svi_cuda_api.new_event(&ring->events[ring->nevents], cudaEventDisableTiming),
                                "making an event"));
        ring->is_pending[ring->nevents++] = false;
    }
    return SV_OK;
}

static sv_status make_memory(struct svi_gpu_ring *ring)
{
    const int64_t nbytes = svi_gpu_chunk_nbytes * SVI_GPU_SLOTS;
    void *memory = NULL;
    const cudaError_t error =
        svi_cuda_api.allocate_host(&memory, (size_t)nbytes, cudaHostAllocPortable | cudaHostAllocMapped);

    if (error != cudaSuccess)
        return svi_cuda_fail_to_allocate(error, nbytes, "pinned memory for a copy");
    ring->memory = memory;
    ring->chunk = svi_gpu_chunk_nbytes;
    return SV_OK;
}

/* Events of another device end when all that they stand for is done. */
static sv_status prepare_ring(struct svi_gpu_ring *ring, int device)
{
    if (ring->nevents > 0 && (ring->device != device || ring->chunk != svi_gpu_chunk_nbytes)) {
        SVI_TRY(wait_for_all(ring));
        end_events(ring);
    }
    if (ring->memory != NULL && ring->chunk != svi_gpu_chunk_nbytes)
        end_memory(ring);
    SVI_TRY(make_events(ring, device));
    return ring->memory == NULL ? make_memory(ring) : SV_OK;
}

/* --- whose it is ----------------------------------------------------------------------------- */

static struct svi_gpu_ring *find_free(int device)
{
    for (int i = 0; i < RINGS; i++) {
        struct svi_gpu_ring *ring = &rings[(device + i) % RINGS];

        if (pthread_mutex_trylock(&ring->lock) == 0)
            return ring;
    }
    return NULL;
}

sv_status svi_gpu_ring_take(int device, bool may_wait, struct svi_gpu_ring **out)
{
    struct svi_gpu_ring *ring = find_free(device);
    struct svi_cuda_scope scope;
    sv_status status;

    if (ring == NULL) {
        if (!may_wait)
            return svi_fail(SV_ERROR_BLOCKED, "other copies use all staging memory");
        ring = &rings[device % RINGS];
        pthread_mutex_lock(&ring->lock);
    }
    status = svi_cuda_begin(SVI_CUDA_ANY_DEVICE, &scope);
    if (status == SV_OK)
        status = svi_cuda_end(&scope, prepare_ring(ring, device));
    if (status == SV_OK)
        *out = ring;
    else
        svi_gpu_ring_give(ring);
    return status;
}

void svi_gpu_ring_give(struct svi_gpu_ring *ring)
{
    pthread_mutex_unlock(&ring->lock);
}

void svi_gpu_ring_abandon(struct svi_gpu_ring *ring)
{
    ring->memory = NULL;
    ring->nevents = 0;
    svi_gpu_ring_give(ring);
}

void svi_gpu_ring_end(struct svi_gpu_ring *ring, cudaStream_t stream, sv_status status)
{
    if (status == SV_OK || svi_cuda_api.synchronize(stream) == cudaSuccess) {
        svi_gpu_ring_give(ring);
        return;
    }
    svi_cuda_api.last_error();
    svi_gpu_ring_abandon(ring);
}

static bool has_work(struct svi_gpu_ring *ring)
{
    bool is_free = true;

    for (int slot = 0; slot < ring->nevents && is_free; slot++)
        if (svi_gpu_ring_is_free(ring, slot, &is_free) != SV_OK)
            return true;
    return !is_free;
}

static void trim_ring(struct svi_gpu_ring *ring)
{
    struct svi_cuda_scope scope;

    if (svi_cuda_begin(SVI_CUDA_ANY_DEVICE, &scope) != SV_OK)
        return;
    if (!has_work(ring)) {
        end_events(ring);
        end_memory(ring);
    }
    (void)svi_cuda_end(&scope, SV_OK);
}

void svi_gpu_ring_trim(void)
{
    for (struct svi_gpu_ring *ring = rings; ring < rings + RINGS; ring++) {
        if (pthread_mutex_trylock(&ring->lock) != 0)
            continue;
        if (ring->memory != NULL || ring->nevents > 0)
            trim_ring(ring);
        svi_gpu_ring_give(ring);
    }
}

/* --- slots ------------------------------------------------------------------------------------ */

int svi_gpu_ring_first(struct svi_gpu_ring *ring, int64_t chunks)
{
    const int first = ring->next;

    ring->next = (int)((first + chunks) % SVI_GPU_SLOTS);
    return first;
}

char *svi_gpu_ring_slot(struct svi_gpu_ring *ring, int slot)
{
    return ring->memory + slot * ring->chunk;
}

sv_status svi_gpu_ring_record(struct svi_gpu_ring *ring, int slot, cudaStream_t stream)
{
    SVI_TRY(check_ring_call(svi_cuda_api.record(ring->events[slot], stream), "recording a stream"));
    ring->is_pending[slot] = true;
    return SV_OK;
}

sv_status svi_gpu_ring_wait(struct svi_gpu_ring *ring, int slot)
{
    if (!ring->is_pending[slot])
        return SV_OK;
    SVI_TRY(check_ring_call(svi_cuda_api.event_synchronize(ring->events[slot]), "waiting for staging memory"));
    ring->is_pending[slot] = false;
    return SV_OK;
}

sv_status svi_gpu_ring_is_free(struct svi_gpu_ring *ring, int slot, bool *out)
{
    cudaError_t error = ring->is_pending[slot] ? svi_cuda_api.event_query(ring->events[slot]) : cudaSuccess;

    *out = error == cudaSuccess;
    if (error == cudaErrorNotReady) {
        svi_cuda_api.last_error();
        return SV_OK;
    }
    if (error == cudaSuccess)
        ring->is_pending[slot] = false;
    return check_ring_call(error, "asking for staging memory");
}
