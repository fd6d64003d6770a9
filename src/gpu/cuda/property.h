/* Numbers that describe a device. */
#ifndef SVI_CUDA_PROPERTY_H
#define SVI_CUDA_PROPERTY_H

#include "backend/memory.h"

sv_status svi_cuda_property(int32_t device_id, int32_t property, int64_t *value);

#endif
