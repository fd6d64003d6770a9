/* Device memory of other processes, by the runtime's handles, which are for allocations that are not from a pool. */
#ifndef SVI_CUDA_IPC_CUDA_H
#define SVI_CUDA_IPC_CUDA_H

#include "backend/memory.h"

sv_status svi_cuda_identify(int32_t device_id, unsigned char uuid[SVI_UUID]);
sv_status svi_cuda_ipc_export(int32_t device_id, void *base, unsigned char handle[SVI_IPC_HANDLE]);
sv_status svi_cuda_ipc_open(int32_t device_id, const unsigned char handle[SVI_IPC_HANDLE], void **base,
                            int64_t *nbytes);
sv_status svi_cuda_ipc_close(int32_t device_id, void *base);

#endif
