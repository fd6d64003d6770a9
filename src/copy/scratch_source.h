/* Memory that a copy needs for itself, from an allocator of the caller. */
#ifndef SVI_SCRATCH_SOURCE_H
#define SVI_SCRATCH_SOURCE_H

#include "memory/allocator.h"
#include "copy/job.h"

/* For the time of one copy, which has at most one piece of memory at a time. */
struct svi_scratch {
    struct svi_scratch_source source;
    const sv_allocator *allocator;
    sv_buffer *buffer; /* NULL: none is allocated */
};

/* The job's copies get such memory from here on; NULL: the backend's own. SV_ERROR_INVALID unless it is memory of a
 * device, SV_ERROR_DEVICE where that is of another driver than the one that copies. */
sv_status svi_scratch_set(struct svi_job *job, const sv_allocator *allocator);

/* What a request gets: NULL where there is no allocator. */
const struct svi_scratch_source *svi_scratch_begin(struct svi_scratch *self, const sv_allocator *allocator);

#endif
