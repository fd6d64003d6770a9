/* Many copies by one plan, whose addresses lie in two arrays. */
#ifndef SVI_GPU_TABLE_COPY_H
#define SVI_GPU_TABLE_COPY_H

#include "backend/backend.h"
#include "gpu/calls.h"

/* As for struct svi_backend. */
bool svi_gpu_reads_table(struct svi_device dst, struct svi_device src, struct svi_device table);

/* The queue's device is the current one. An array of ordinary memory has been read when it returns. */
sv_status svi_gpu_copy_table(const struct svi_request *request, const struct svi_table *table,
                             const struct svi_gpu_queue *queue);

#endif
