/* Registered memory of any family. */
#ifndef SVI_BUFFER_ADOPT_H
#define SVI_BUFFER_ADOPT_H

#include "memory/buffer.h"

/* What sv_buffer_register() does for CUDA: the driver of the family page-locks the memory. */
sv_status svi_buffer_register(enum svi_family family, void *pages, int64_t nbytes, uint32_t flags,
                              sv_release_callback release, void *ctx, sv_buffer **out);

#endif
