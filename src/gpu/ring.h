/*
 * Rings of pinned memory, by which ordinary memory of the host is copied to and from devices: a few slots, each with an
 * event that tells when the device is done with it. Made when they are first needed, and kept.
 */
#ifndef SVI_GPU_RING_H
#define SVI_GPU_RING_H

#include "gpu/cuda/api.h"

enum { SVI_GPU_SLOTS = 4, SVI_GPU_STAGED_CHUNKS = 4 /* of a ring's slots; a staged copy's scratch memory at most */ };

struct svi_gpu_ring;

/* Bytes of a slot, and of scratch memory at most but where a copy is staged. Tests make them smaller. */
extern int64_t svi_gpu_chunk_nbytes;

/* One that nobody else uses until it is given back. Its events are of device, which is the current one. Where all are
 * in use, waits for one, or SV_ERROR_BLOCKED unless may_wait. */
sv_status svi_gpu_ring_take(int device, bool may_wait, struct svi_gpu_ring **out);
void svi_gpu_ring_give(struct svi_gpu_ring *ring);

/* Instead: what is pending on it is not known, so its memory is never used or freed again. */
void svi_gpu_ring_abandon(struct svi_gpu_ring *ring);

/* One of these two at the end of a copy: what a failed one has enqueued uses the ring, until the stream is done. */
void svi_gpu_ring_end(struct svi_gpu_ring *ring, cudaStream_t stream, sv_status status);

/* The slot that has been free for longest, for the first of so many chunks, each of which gets the next. */
int svi_gpu_ring_first(struct svi_gpu_ring *ring, int64_t chunks);

char *svi_gpu_ring_slot(struct svi_gpu_ring *ring, int slot);

/* What the stream holds now uses the slot. */
sv_status svi_gpu_ring_record(struct svi_gpu_ring *ring, int slot, cudaStream_t stream);

/* The host waits until the device is done with the slot. The second only asks. */
sv_status svi_gpu_ring_wait(struct svi_gpu_ring *ring, int slot);
sv_status svi_gpu_ring_is_free(struct svi_gpu_ring *ring, int slot, bool *out);

/* Frees those that nobody uses. */
void svi_gpu_ring_trim(void);

#endif
