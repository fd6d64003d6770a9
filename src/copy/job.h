/*
 * A copy between two views, decided as far as it can be without their
 * addresses: checked, planned, and what runs it chosen. What sv_copy(),
 * sv_copy_batch() and sv_plan share; job_run.h does it.
 */
#ifndef SVI_JOB_H
#define SVI_JOB_H

#include "view/view.h"

/* The two sides are disjoint iff (src - dst + shift) mod 2^64 < gap. */
struct svi_apart {
    uint64_t shift, gap; /* bytes */
    uint64_t run;        /* gap, or 0 where the choice has no run */
};

struct svi_job {
    struct svi_choice choice;
    struct svi_apart apart;
    const sv_layout *dst, *src; /* borrowed; src is NULL in a fill, both are NULL where there is no view */
    struct svi_device dst_device, src_device;
    const struct svi_backend *backend; /* NULL: no element */
    const struct svi_backend *managed_by; /* which may have work on managed memory that a side is; NULL: none */
    struct svi_threads threads; /* of the caller */
    int64_t tasks;              /* that they do; 1: the backend gets the plan as a whole */
    const struct svi_candidate *kept; /* borrowed; of measuring or SV_COPY_NON_TEMPORAL; NULL: the backend chooses */
    const sv_allocator *scratch; /* borrowed; NULL: memory that the copy needs is the backend's own */
    uint32_t flags;              /* SV_COPY bits */
    struct svi_plan plan; /* the last, since little of it is used; of a scaled copy it refers to who made it */
};

enum {
    SVI_JOB_CHECK = 1, /* that elements of dst share no bytes */
    SVI_JOB_PLAN = 2,  /* the plan, and what is chosen for it */
    SVI_JOB_WHOLE = SVI_JOB_CHECK | SVI_JOB_PLAN
};

/* All that the views can be refused for whatever their addresses are, and these parts. */
sv_status svi_job_make(const sv_view *dst, const sv_view *src, uint32_t flags, uint32_t parts, struct svi_job *out);

/* SV_ERROR_UNSUPPORTED where no backend copies between the two. */
sv_status svi_job_check_backend(struct svi_device dst, struct svi_device src);

/* A copy from one item of host memory, of as many bytes as those of dst. */
sv_status svi_job_make_fill(const sv_view *dst, uint32_t flags, struct svi_job *out);

/* A copy of a run of nbytes, 1 or more, without a view. */
sv_status svi_job_make_bytes(struct svi_device dst, struct svi_device src, int64_t nbytes, uint32_t flags,
                             struct svi_job *out);

/* A fill of count items, 1 or more, one after the other and without a view. */
sv_status svi_job_make_fill_bytes(struct svi_device dst, int64_t count, int64_t itemsize, uint32_t flags,
                                  struct svi_job *out);

/* The backend is asked for this: the job's plan or another one between its devices, with flags added to the job's. */
static inline struct svi_request svi_job_request(const struct svi_job *job, const struct svi_plan *plan, void *dst,
                                                 const void *src, uintptr_t stream, uint32_t flags)
{
    return (struct svi_request){
        .plan = plan,
        .dst_device = job->dst_device,
        .dst = dst,
        .src_device = job->src_device,
        .src = src,
        .stream = stream,
        .flags = job->flags | flags,
        .threads = job->threads.count > 1 ? &job->threads : NULL,
    };
}

/* Does the request, of the job's plan or of a part of it: by the loop that measuring kept, if there is one. */
static inline sv_status svi_job_copy(const struct svi_job *job, const struct svi_request *request)
{
    if (job->kept != NULL)
        return job->backend->run_candidate(request->plan, request->dst, request->src, job->kept);
    return job->backend->copy(request);
}

/* Chooses what runs the plan. To be called again where job->tasks or job->kept has changed. */
void svi_job_choose(struct svi_job *job);

/* Before the host touches the sides: waits for the stream, and devices, where one is managed memory. */
sv_status svi_job_await_managed(const struct svi_job *job, uintptr_t stream);

/* Of the element [0,...,0]. By integers, since the base of an empty view may be NULL. */
static inline char *svi_view_address(const sv_view *view)
{
    return (char *)((uintptr_t)view->base + (uintptr_t)view->layout->byte_offset);
}

#endif
