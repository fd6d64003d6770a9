/* Jobs that scale: job.h with a scale and a bias, as callers give them. */
#ifndef SVI_SCALED_JOB_H
#define SVI_SCALED_JOB_H

#include "copy/job.h"
#include "plan/affine.h"

/* The arguments of the public functions. */
struct svi_scale_arguments {
    const double *scale;
    int64_t nscale;
    const double *bias;
    int64_t nbias;
    int32_t axis;
};

/* All that views and arguments can be refused for, and the plan, which refers to affine and to the caller's numbers. */
sv_status svi_job_make_scaled(const sv_view *dst, const sv_view *src, const struct svi_scale_arguments *arguments,
                              uint32_t flags, struct svi_affine *affine, struct svi_job *out);

/* A copy of what the plan of a job refers to, as one block, which plan refers to from then on. The caller frees it by
 * svi_free(). NULL where the plan does not scale. */
sv_status svi_affine_keep(struct svi_plan *plan, struct svi_affine **out);

#endif
