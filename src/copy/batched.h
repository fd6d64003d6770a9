/*
 * What batches share: arrays are checked, and a failure tells its place. Small copies of a kind that a device does many
 * at a time are kept until there are enough of them, and then given to the backend together. All others are done at
 * once. Host copies take no notice of it.
 */
#ifndef SVI_BATCHED_H
#define SVI_BATCHED_H

#include "copy/job_run.h"

/* --- steps --------------------------------------------------------------- */

/* An array of count things that a caller must give. */
sv_status svi_batch_check(int64_t count, const void *array, const char *name);

/* The status of step i, with its place in the message and, unless NULL, in *failed. */
sv_status svi_batch_fail(sv_status status, int64_t i, int64_t *failed);

static inline sv_status svi_batch_step(sv_status status, int64_t i, int64_t *failed)
{
    return status == SV_OK ? SV_OK : svi_batch_fail(status, i, failed);
}

/* --- copies -------------------------------------------------------------- */

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

/* Does what is kept, after a failure too, and frees the room. Returns the first failure, of which the message tells. */
sv_status svi_batched_end(struct svi_batched *batched, sv_status status);

#endif
