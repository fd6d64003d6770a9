/* Page-locking of host memory that was allocated without the runtime. */
#ifndef SVI_CUDA_PAGES_H
#define SVI_CUDA_PAGES_H

#include "backend/memory.h"

sv_status svi_cuda_enroll(void *pages, int64_t nbytes, void **device_address);
sv_status svi_cuda_withdraw(void *pages);

#endif
