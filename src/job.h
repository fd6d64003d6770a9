/*
 * A copy between two views, decided as far as it can be without their
 * addresses: check, then plan, then run. What sv_copy(), sv_copy_batch() and
 * sv_plan share.
 */
#ifndef SVI_JOB_H
#define SVI_JOB_H

#include "view.h"

/* The caller's threads. */
struct svi_parallel {
    int64_t tasks; /* that they do; 1: the copy is done without them */
    sv_parallel_callback run;
    void *ctx;
};

/* From which to which distance the sides are apart: shift + the way from dst to src is less than gap. */
struct svi_apart {
    uint64_t shift, gap; /* bytes */
    uint64_t run;        /* gap, or 0 where the choice has no run: then they never are */
};

struct svi_job {
    struct svi_choice choice;
    struct svi_apart apart;
    const sv_layout *dst, *src; /* borrowed; src is NULL in a fill */
    struct svi_device dst_device, src_device;
    const struct svi_backend *backend; /* NULL: no element */
    const struct svi_backend *settles; /* which may have work on managed memory that a side is; NULL: none */
    struct svi_parallel parallel;
    uint32_t flags;       /* SV_COPY bits */
    int32_t lanes;        /* of an element */
    struct svi_plan plan; /* the last, since little of it is used */
};

enum {
    SVI_JOB_CHECK = 1, /* that elements of dst share no bytes */
    SVI_JOB_PLAN = 2,  /* the plan, and what is chosen for it */
    SVI_JOB_WHOLE = SVI_JOB_CHECK | SVI_JOB_PLAN
};

/* All that the views can be refused for whatever their addresses are, and these parts. */
sv_status svi_job_make(const sv_view *dst, const sv_view *src, uint32_t flags, uint32_t parts, struct svi_job *out);

/* Other threads. */
sv_status svi_job_set_parallel(struct svi_job *job, int32_t threads, sv_parallel_callback run, void *ctx);

/* A copy from one item of host memory, of as many bytes as those of dst. */
sv_status svi_job_make_fill(const sv_view *dst, uint32_t flags, struct svi_job *out);

/* To dst from where the strides say, through a chain or (without a step) as the elements are. */
void svi_job_plan(const struct svi_job *job, const struct svi_chain *chain, const int64_t *src_strides,
                  struct svi_plan *out);

/* Whether svi_job_run() at these addresses will be refused where the two sides are not apart. */
sv_status svi_job_check_addresses(const struct svi_job *job, const char *dst, const char *src);

/* What svi_job_run() does where it cannot by itself. */
sv_status svi_job_run_slow(const struct svi_job *job, char *dst, const char *src, uintptr_t stream);

static inline uint64_t svi_job_way(const struct svi_job *job, const char *dst, const char *src)
{
    return (uintptr_t)src - (uintptr_t)dst + job->apart.shift;
}

/* Whether nothing of one side lies between the ends of the other. */
static inline bool svi_job_is_apart(const struct svi_job *job, const char *dst, const char *src)
{
    return svi_job_way(job, dst, src) < job->apart.gap;
}

/* dst, src: addresses of the elements [0,...,0]. Whether they share bytes is decided here. */
static inline sv_status svi_job_run(const struct svi_job *job, char *dst, const char *src, uintptr_t stream)
{
    if (svi_job_way(job, dst, src) < job->apart.run)
        return job->choice.run(&job->plan, dst, src, job->choice.with);
    return svi_job_run_slow(job, dst, src, stream);
}

/* Before the host touches the sides: waits for the stream where one is managed memory. */
sv_status svi_job_settle(const struct svi_job *job, uintptr_t stream);

/* Through a temporary on the host, which holds each repeated element of src once. */
sv_status svi_job_run_twice(const struct svi_job *job, char *dst, const char *src, uintptr_t stream);

/* Into how many tasks the job's plan is best split for so many threads; 1: not at all. */
int64_t svi_parallel_tasks(const struct svi_job *job, int32_t threads);
/* Those of job->parallel. The two sides share no byte. */
sv_status svi_job_run_tasks(const struct svi_job *job, char *dst, const char *src, uintptr_t stream);

/* An array of count things that a caller must give. */
sv_status svi_batch_check(int64_t count, const void *array, const char *name);
/* The status of step i, told with its place. */
sv_status svi_batch_fail(sv_status status, int64_t i, int64_t *failed);

static inline sv_status svi_batch_step(sv_status status, int64_t i, int64_t *failed)
{
    return status == SV_OK ? SV_OK : svi_batch_fail(status, i, failed);
}

/* Of the element [0,...,0]. By integers, since the base of an empty view may be NULL. */
static inline char *svi_view_address(const sv_view *view)
{
    return (char *)((uintptr_t)view->base + (uintptr_t)view->layout->byte_offset);
}

#endif
