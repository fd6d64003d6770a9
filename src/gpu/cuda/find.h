/* Whether there are CUDA devices, and if not, why. */
#ifndef SVI_CUDA_FIND_H
#define SVI_CUDA_FIND_H

#include "gpu/cuda/api.h"

const struct svi_cuda_found *svi_cuda_find(void);

/* SV_OK when there are devices, and this process, not one it was forked from, has found them and is not exiting. */
sv_status svi_cuda_check_ready(void);

/* Whether this process was forked from the one that found the devices. */
bool svi_cuda_is_forked(void);

/* Whether the runtime has been cleaned up, or is about to be, because the process exits or the library is unloaded.
 * What it held is given up then. */
bool svi_cuda_is_gone(void);

/* From now on svi_cuda_is_gone() is true. */
void svi_cuda_set_gone(void);

#endif
