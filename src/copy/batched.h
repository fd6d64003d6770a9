/*
 * The small copies of a batch that a device does many at a time: they are kept until there are enough of one kind, and
 * then given to the backend together. All others are done at once. Host copies take no notice of it.
 */
#ifndef SVI_BATCHED_H
#define SVI_BATCHED_H

#include "copy/batch.h"
#include "copy/job_run.h"

struct svi_batched_room;

/* One call of a batch. */
struct svi_batched {
    uintptr_t stream;
    int64_t *failed; /* as for svi_batch_step() */
    struct svi_batched_room *room; /* NULL until something is kept */
    sv_status status; /* the first failure of copies that were kept */
};

static inline struct svi_batched svi_batched_begin(uintptr_t stream, int64_t *failed)
{
    return (struct svi_batched){stream, failed, NULL, SV_OK};
}

sv_status svi_batched_run_slow(struct svi_batched *batched, const struct svi_job *job, char *dst, const char *src,
                               int64_t i);

/* Copy i of a batch, as svi_job_run() does it, or later. The job stays as it is until svi_batched_leave(). */
static inline sv_status svi_batched_run(struct svi_batched *batched, const struct svi_job *job, char *dst,
                                        const char *src, int64_t i)
{
    if (svi_job_way(job, dst, src) < job->apart.run)
        return svi_batch_step(job->choice.run(&job->plan, dst, src, job->choice.with), i, batched->failed);
    return svi_batched_run_slow(batched, job, dst, src, i);
}

/* Nothing is kept that needs the job. */
void svi_batched_leave(struct svi_batched *batched, const struct svi_job *job);

/* Does what is kept, after a failure too, and frees the room. The first failure, of which the message tells. */
sv_status svi_batched_end(struct svi_batched *batched, sv_status status);

#endif
