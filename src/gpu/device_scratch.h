/* Memory of a device that a copy has for itself, in the order of its stream. */
#ifndef SVI_GPU_DEVICE_SCRATCH_H
#define SVI_GPU_DEVICE_SCRATCH_H

#include "gpu/cuda/api.h"
#include "gpu/launch_parts.h"

/* Memory of the device in the order of the stream, from the request's source or a pool of libsv's own.
 * As many bytes as wanted or fewer, at least; SV_ERROR_UNSUPPORTED or SV_ERROR_MEMORY where there are none. */
struct svi_gpu_scratch {
    char *memory;
    int64_t nbytes;
    int device;
    bool own_pool; /* counted by the pool of the device */
};

sv_status svi_gpu_scratch_take(const struct svi_request *request, int device, int64_t wanted, int64_t least,
                               struct svi_gpu_scratch *out);
sv_status svi_gpu_scratch_give(const struct svi_request *request, const struct svi_gpu_scratch *scratch);

/* Ends the pools that nothing is allocated from. */
void svi_gpu_scratch_trim(void);

#endif
