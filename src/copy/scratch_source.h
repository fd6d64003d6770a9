/* Memory that a copy needs for itself, from an allocator of the caller. */
#ifndef SVI_SCRATCH_SOURCE_H
#define SVI_SCRATCH_SOURCE_H

#include "memory/allocator.h"
#include "backend/backend.h"

/* For the time of one copy, which has at most one piece of memory at a time. */
struct svi_scratch {
    struct svi_scratch_source source;
    const sv_allocator *allocator;
    sv_buffer *buffer; /* NULL: none is allocated */
};

/* SV_ERROR_INVALID unless it gives memory of a CUDA device. NULL is fine. */
sv_status svi_scratch_check(const sv_allocator *allocator);

/* What a request gets: NULL where there is no allocator. */
const struct svi_scratch_source *svi_scratch_begin(struct svi_scratch *self, const sv_allocator *allocator);

#endif
