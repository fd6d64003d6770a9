/*
 * What a call of libsv changes of its thread for its own duration: the current device, and how the thread takes calls
 * that a stream capture forbids.
 */
#ifndef SVI_CUDA_SCOPE_H
#define SVI_CUDA_SCOPE_H

#include "gpu/cuda/api.h"
#include "gpu/calls.h"
#include "gpu/cuda/find.h"

/*
 * For calls that no stream puts in order, such as allocations: makes device the current one. A capture in whatever
 * thread stays valid, since this thread's capture mode is relaxed meanwhile. Fails where the runtime cannot be used.
 */
sv_status svi_cuda_begin(int device, struct svi_gpu_scope *scope);

/* For calls that put work on a stream, which are recorded where it is captured: only makes device the current one.
 * Fails, before a capture is harmed, on the legacy stream while it would have to wait for a captured one. */
sv_status svi_cuda_begin_on(int device, cudaStream_t stream, struct svi_gpu_scope *scope);

/* As svi_cuda_begin_on(), for calls that cannot be part of a graph: SV_ERROR_STATE while stream is captured, with a message that
 * begins with what. NULL for what: as svi_cuda_begin_on(). */
sv_status svi_cuda_begin_live(int device, cudaStream_t stream, const char *what, struct svi_gpu_scope *scope);

/* Whether stream is captured, asked so that no capture is harmed. SV_ERROR_STATE for the legacy stream while it would
 * have to wait for a captured one. */
sv_status svi_cuda_is_captured(cudaStream_t stream, bool *is_captured);

/* The check of svi_cuda_begin_live() alone, for a scope that svi_cuda_begin() began. */
sv_status svi_cuda_check_live(cudaStream_t stream, const char *what);

/* Puts back what the function that began scope changed. Returns status, unless that is SV_OK and putting back fails. */
sv_status svi_cuda_end(const struct svi_gpu_scope *scope, sv_status status);

/* The status of a call that frees: once the runtime is gone there is nothing left to free, and no error to tell. */
static inline sv_status svi_cuda_freed(sv_status status)
{
    const bool is_given_up = svi_cuda_is_gone() && status != SV_ERROR_FORKED;

    return is_given_up ? SV_OK : status;
}

/* Makes device the thread's own; *before is the one that it had. */
sv_status svi_cuda_enter(int device, int *before);

/* Gives the thread back the device that it had before. Returns status, unless that is SV_OK and giving back fails. */
sv_status svi_cuda_leave(int device, int before, sv_status status);

#endif
