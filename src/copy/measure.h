/*
 * Which of the loops that can do a job is the fastest on given memory. Each loop does the whole copy, several times. The
 * job runs as it does when executed, by the caller's threads if it has some, so the times are those of executions.
 * Called by sv_plan_measure().
 */
#ifndef SVI_MEASURE_H
#define SVI_MEASURE_H

#include "copy/job.h"

struct svi_timed {
    struct svi_candidate candidate;
    double least_ns; /* of one copy */
    int32_t batches; /* that were timed; 0: least_ns is not set */
};

struct svi_measured {
    int32_t count; /* of rows; 0: the job was not measured */
    int32_t kept;
    struct svi_timed *row; /* the first is what is chosen without measuring */
};

/* Lets the kept row do the job, which refers to that row from then on. */
void svi_measured_keep(const struct svi_measured *measured, struct svi_job *job);

/*
 * Times the rows, whose candidates are set, and lets the fastest do the job; on failure, the first. The sides share no
 * byte, and dst holds the copy before and after. No batch of copies but the first begins after limit_ns.
 */
sv_status svi_measure(struct svi_job *job, char *dst, const char *src, uintptr_t stream, int64_t limit_ns,
                      struct svi_measured *measured);

#endif
