/* How a job would be done at two addresses: what sv_copy_placement() and sv_plan_explain() tell. */
#ifndef SVI_COPY_PLACEMENT_H
#define SVI_COPY_PLACEMENT_H

#include "backend/placement.h"
#include "copy/job.h"

/* dst, src: addresses of the elements [0,...,0]; NULL where there are elements: the two sides share no bytes. where is
 * for a default stream. */
void svi_job_place(const struct svi_job *job, const char *dst, const char *src, struct svi_placement *out);

#endif
