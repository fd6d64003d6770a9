/* Runs of bytes in memory of any device, which share nothing with layouts: how buffers are copied and filled. */
#ifndef SVI_BYTES_H
#define SVI_BYTES_H

#include "backend/device.h"

/*
 * Copies nbytes, 0 or more, as memmove() does. Work on a device is done in the
 * order of the stream, and waited for if flags have SV_COPY_BLOCKING or a side
 * is ordinary memory. SV_COPY_NO_TEMP: SV_ERROR_OVERLAP instead of a temporary.
 */
sv_status svi_copy_bytes(struct svi_device dst_device, void *dst, struct svi_device src_device, const void *src,
                         int64_t nbytes, uint32_t flags, uintptr_t stream);

/* Writes the item of 1, 2, 4, 8 or 16 bytes, which is read before the call returns, nbytes / itemsize times. */
sv_status svi_fill_bytes(struct svi_device device, void *dst, int64_t nbytes, const void *item, int32_t itemsize,
                         uintptr_t stream, bool blocking);

#endif
