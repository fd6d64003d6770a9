/*
 * Rings of pinned memory, by which ordinary memory of the host is copied to and from devices: a few slots, each with an
 * event that tells when the device is done with it. Made when they are first needed, and kept.
 */
#ifndef SVI_GPU_RING_H
#define SVI_GPU_RING_H

#include <pthread.h>

#include "gpu/calls.h"

enum { SVI_GPU_SLOTS = 4 };

struct svi_gpu_ring {
    pthread_mutex_t lock;              /* held from take to give */
    const struct svi_gpu_calls *calls; /* of who took it first */
    char *memory;                      /* NULL: there is none yet */
    int64_t chunk;                     /* bytes of a slot */
    int device;                        /* of the events */
    int next;                          /* slot */
    int nevents;
    void *events[SVI_GPU_SLOTS];
    bool is_pending[SVI_GPU_SLOTS];
};

#define SVI_GPU_RING {.lock = PTHREAD_MUTEX_INITIALIZER}

/* Bytes of a slot, and of scratch memory at most but where a copy is staged. Tests make them smaller. */
extern int64_t svi_gpu_chunk_nbytes;

/* A ring of the queue's calls that nobody else uses until it is given back, for copies of so many bytes at a time: if
 * these are few, the slots may be small, or else have svi_gpu_chunk_nbytes. Its events are of the queue's device, which is
 * the current one. Where all are in use, waits for one, or SV_ERROR_BLOCKED unless may_wait. */
sv_status svi_gpu_ring_take(const struct svi_gpu_queue *queue, int64_t nbytes, bool may_wait,
                            struct svi_gpu_ring **out);

/* Gives the ring back. */
void svi_gpu_ring_give(struct svi_gpu_ring *ring);

/* Gives the ring back without its memory, which is never used or freed again: what is pending on it is not known. */
void svi_gpu_ring_abandon(struct svi_gpu_ring *ring);

/* Gives the ring back at the end of a copy, or abandons it: what a failed copy has enqueued uses the ring until the
 * stream is done. */
void svi_gpu_ring_end(struct svi_gpu_ring *ring, const struct svi_gpu_queue *queue, sv_status status);

/* The slot that has been free for longest, for the first of so many chunks, each of which gets the next. */
int svi_gpu_ring_first(struct svi_gpu_ring *ring, int64_t chunks);

char *svi_gpu_ring_slot(struct svi_gpu_ring *ring, int slot);

/* What the stream holds now uses the slot. */
sv_status svi_gpu_ring_record(struct svi_gpu_ring *ring, int slot, const struct svi_gpu_queue *queue);

/* The host waits until the device is done with the slot. */
sv_status svi_gpu_ring_wait(struct svi_gpu_ring *ring, int slot);

/* Asks whether the device is done with the slot. */
sv_status svi_gpu_ring_is_free(struct svi_gpu_ring *ring, int slot, bool *out);

/* Frees those of a driver that nobody uses. */
void svi_gpu_ring_trim(const struct svi_gpu_calls *calls);

#endif
