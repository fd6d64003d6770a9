#include "gpu/ring.h"

#include "base/checked.h"
#include "base/status.h"

int64_t svi_gpu_chunk_nbytes = 4 << 20;

enum { SMALL_SLOT = 1 << 16 /* bytes: all that is needed by those who copy a little now and then */ };

/* --- its memory and events ---------------------------------------------------------------- */

/* An error of what ends is not told: nothing is left to do about it. */
static void end_events(struct svi_gpu_ring *ring)
{
    struct svi_message before;

    svi_message_keep(&before);
    while (ring->nevents > 0)
        if (ring->calls->end_event(ring->events[--ring->nevents]) != SV_OK)
            svi_message_restore(&before);
}

static void end_memory(struct svi_gpu_ring *ring)
{
    if (ring->memory != NULL)
        ring->calls->free_pinned(ring->memory);
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
        SVI_TRY(ring->calls->new_event(&ring->events[ring->nevents]));
        ring->is_pending[ring->nevents++] = false;
    }
    return SV_OK;
}

static sv_status make_memory(struct svi_gpu_ring *ring, int64_t chunk)
{
    void *memory = NULL;

    SVI_TRY(ring->calls->allocate_pinned(chunk * SVI_GPU_SLOTS, &memory));
    ring->memory = memory;
    ring->chunk = chunk;
    return SV_OK;
}

/* A ring that is large stays so. */
static int64_t find_slot_size(const struct svi_gpu_ring *ring, int64_t nbytes)
{
    const bool is_large = ring->memory != NULL && ring->chunk == svi_gpu_chunk_nbytes;

    return is_large || nbytes > SMALL_SLOT ? svi_gpu_chunk_nbytes : svi_smaller(SMALL_SLOT, svi_gpu_chunk_nbytes);
}

/* Events of another device end when all that they stand for is done. */
static sv_status prepare_ring(struct svi_gpu_ring *ring, int device, int64_t nbytes)
{
    const int64_t chunk = find_slot_size(ring, nbytes);

    if (ring->nevents > 0 && (ring->device != device || ring->chunk != chunk)) {
        SVI_TRY(wait_for_all(ring));
        end_events(ring);
    }
    if (ring->memory != NULL && ring->chunk != chunk)
        end_memory(ring);
    SVI_TRY(make_events(ring, device));
    return ring->memory == NULL ? make_memory(ring, chunk) : SV_OK;
}

/* --- whose it is ----------------------------------------------------------------------------- */

static struct svi_gpu_ring *ring_of(const struct svi_gpu_calls *calls, int number)
{
    return &calls->rings[number % calls->ring_count];
}

static struct svi_gpu_ring *find_free(const struct svi_gpu_queue *queue)
{
    for (int i = 0; i < queue->calls->ring_count; i++) {
        struct svi_gpu_ring *ring = ring_of(queue->calls, queue->device + i);

        if (pthread_mutex_trylock(&ring->lock) == 0)
            return ring;
    }
    return NULL;
}

sv_status svi_gpu_ring_take(const struct svi_gpu_queue *queue, int64_t nbytes, bool may_wait, struct svi_gpu_ring **out)
{
    struct svi_gpu_ring *ring = find_free(queue);
    struct svi_gpu_scope scope;
    sv_status status;

    if (ring == NULL) {
        if (!may_wait)
            return svi_fail(SV_ERROR_BLOCKED, "other copies use all staging memory");
        ring = ring_of(queue->calls, queue->device);
        pthread_mutex_lock(&ring->lock);
    }
    ring->calls = queue->calls;
    status = ring->calls->begin(SVI_GPU_ANY_DEVICE, &scope);
    if (status == SV_OK)
        status = ring->calls->end(&scope, prepare_ring(ring, queue->device, nbytes));
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

/* The message stays that of what failed before. */
void svi_gpu_ring_end(struct svi_gpu_ring *ring, const struct svi_gpu_queue *queue, sv_status status)
{
    struct svi_message before;

    if (status != SV_OK) {
        svi_message_keep(&before);
        if (queue->calls->synchronize(queue) != SV_OK) {
            svi_message_restore(&before);
            svi_gpu_ring_abandon(ring);
            return;
        }
    }
    svi_gpu_ring_give(ring);
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
    struct svi_gpu_scope scope;

    if (ring->calls->begin(SVI_GPU_ANY_DEVICE, &scope) != SV_OK)
        return;
    if (!has_work(ring)) {
        end_events(ring);
        end_memory(ring);
    }
    (void)ring->calls->end(&scope, SV_OK);
}

void svi_gpu_ring_trim(const struct svi_gpu_calls *calls)
{
    for (struct svi_gpu_ring *ring = calls->rings; ring < calls->rings + calls->ring_count; ring++) {
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

sv_status svi_gpu_ring_record(struct svi_gpu_ring *ring, int slot, const struct svi_gpu_queue *queue)
{
    SVI_TRY(ring->calls->record(queue, ring->events[slot]));
    ring->is_pending[slot] = true;
    return SV_OK;
}

sv_status svi_gpu_ring_wait(struct svi_gpu_ring *ring, int slot)
{
    if (!ring->is_pending[slot])
        return SV_OK;
    SVI_TRY(ring->calls->await_event(ring->events[slot]));
    ring->is_pending[slot] = false;
    return SV_OK;
}

sv_status svi_gpu_ring_is_free(struct svi_gpu_ring *ring, int slot, bool *out)
{
    *out = true;
    if (ring->is_pending[slot])
        SVI_TRY(ring->calls->is_done(ring->events[slot], out));
    if (*out)
        ring->is_pending[slot] = false;
    return SV_OK;
}
