/* Copies by a kernel that reads or writes pinned memory of the host itself. */
#ifndef SVI_GPU_MAPPED_H
#define SVI_GPU_MAPPED_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* By a kernel that reads or writes pinned memory; or by the copy engine, if devices have no address of it. */
sv_status svi_gpu_copy_mapped(const struct svi_request *request, const struct svi_gpu_queue *queue);

#endif
