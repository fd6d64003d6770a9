#include "copy/batched.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"

sv_status svi_batch_check(int64_t count, const void *array, const char *name)
{
    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "a count of %" PRId64, count);
    if (count > 0 && array == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL", name);
    return SV_OK;
}

/* Not inline: its message is on the stack of failures only. */
__attribute__((noinline)) sv_status svi_batch_fail(sv_status status, int64_t i, int64_t *failed)
{
    char message[512];

    snprintf(message, sizeof message, "%s", sv_last_message());
    if (failed != NULL)
        *failed = i;
    return svi_fail(status, "place %" PRId64 ": %s", i, message);
}

/* --- copies that are kept ----------------------------------------------------------------------- */

/* Copies of one kind, all of them between the same two devices. */
struct kept {
    const struct svi_backend *backend;
    struct svi_request request; /* plan: that of a job; NULL: runs of bytes. For the others, which are not read */
    int64_t count;
    int64_t first; /* of the batch */
    struct svi_transfer transfers[SVI_TRANSFERS];
};

/* Batches often have two layouts that take turns. */
enum { RUNS, PLANS, KINDS = PLANS + 2 };

struct svi_batched_room {
    int last; /* kind of a plan that was asked for last */
    struct kept kinds[KINDS];
};

static struct svi_batched_room *make_room(void)
{
    struct svi_batched_room *room = svi_malloc(sizeof *room);

    for (int kind = 0; room != NULL && kind < KINDS; kind++) {
        room->kinds[kind].request.plan = NULL;
        room->kinds[kind].count = 0;
    }
    if (room != NULL)
        room->last = PLANS;
    return room;
}

static void submit_kept(struct svi_batched *batched, struct kept *kept)
{
    const int64_t count = kept->count;
    sv_status status;

    kept->count = 0;
    if (count == 0)
        return;
    status = kept->backend->copy_batched(&kept->request, count, kept->transfers);
    if (batched->status == SV_OK)
        batched->status = svi_batch_step(status, kept->first, batched->failed);
}

/* --- which are kept, and where ------------------------------------------------------------------ */

static bool is_same_device(struct svi_device a, struct svi_device b)
{
    return a.type == b.type && a.id == b.id;
}

/* Whether copies of two jobs may be given together, if they are runs. */
static bool is_same_route(const struct kept *kept, const struct svi_job *job)
{
    return kept->backend == job->backend && kept->request.flags == job->flags &&
           is_same_device(kept->request.dst_device, job->dst_device) &&
           is_same_device(kept->request.src_device, job->src_device);
}

static bool is_batched(const struct svi_job *job)
{
    const struct svi_backend *backend = job->backend;

    return backend != NULL && backend->copy_batched != NULL && job->tasks <= 1 &&
           (job->managed_by == NULL || job->managed_by == backend) &&
           backend->batches(&job->plan, job->dst_device, job->src_device, job->flags);
}

static struct kept *begin_kept(struct svi_batched *batched, struct kept *kept, const struct svi_job *job,
                               const struct svi_plan *plan)
{
    submit_kept(batched, kept);
    kept->backend = job->backend;
    kept->request = svi_job_request(job, plan, NULL, NULL, batched->stream, 0);
    return kept;
}

/* NULL: the copy is not one to keep, or there is no memory to keep it. */
static struct kept *find_kept(struct svi_batched *batched, const struct svi_job *job)
{
    struct svi_batched_room *room = batched->room;

    for (int kind = PLANS; room != NULL && kind < KINDS; kind++)
        if (room->kinds[kind].request.plan == &job->plan) {
            room->last = kind;
            return &room->kinds[kind];
        }
    if (!is_batched(job))
        return NULL;
    if (room == NULL)
        room = batched->room = make_room();
    if (room == NULL)
        return NULL;
    if (job->plan.kind != SVI_CLASS_CONTIGUOUS) {
        room->last = room->last == PLANS ? PLANS + 1 : PLANS;
        return begin_kept(batched, &room->kinds[room->last], job, &job->plan);
    }
    if (room->kinds[RUNS].count > 0 && is_same_route(&room->kinds[RUNS], job))
        return &room->kinds[RUNS];
    return begin_kept(batched, &room->kinds[RUNS], job, NULL);
}

static void keep_transfer(struct svi_batched *batched, struct kept *kept, const struct svi_job *job, char *dst,
                          const char *src, int64_t i)
{
    const bool is_run = kept->request.plan == NULL;

    if (kept->count == SVI_TRANSFERS)
        submit_kept(batched, kept);
    if (kept->count == 0)
        kept->first = i;
    kept->transfers[kept->count++] = (struct svi_transfer){
        .dst = dst + (is_run ? job->plan.dst_offset : 0),
        .src = src + (is_run ? job->plan.src_offset : 0),
        .nbytes = job->plan.nbytes,
    };
}

sv_status svi_batched_run_slow(struct svi_batched *batched, const struct svi_job *job, char *dst, const char *src,
                               int64_t i)
{
    struct kept *kept = NULL;

    if (svi_job_is_apart(job, dst, src) && job->plan.kind != SVI_CLASS_EMPTY)
        kept = find_kept(batched, job);
    if (kept == NULL)
        return svi_batch_step(svi_job_run_slow(job, dst, src, batched->stream), i, batched->failed);
    keep_transfer(batched, kept, job, dst, src, i);
    return batched->status;
}

/* --- the end -------------------------------------------------------------------------------------- */

void svi_batched_leave(struct svi_batched *batched, const struct svi_job *job)
{
    for (int kind = PLANS; batched->room != NULL && kind < KINDS; kind++) {
        struct kept *kept = &batched->room->kinds[kind];

        if (kept->request.plan != &job->plan)
            continue;
        submit_kept(batched, kept);
        kept->request.plan = NULL;
    }
}

/* The copies before the one that failed are done: what is kept has some of them. No other failure is told. */
static __attribute__((noinline)) sv_status end_after(struct svi_batched *batched, sv_status status)
{
    char message[512];

    snprintf(message, sizeof message, "%s", sv_last_message());
    batched->status = status;
    for (int kind = 0; kind < KINDS; kind++)
        submit_kept(batched, &batched->room->kinds[kind]);
    svi_free(batched->room);
    return svi_fail(status, "%s", message);
}

sv_status svi_batched_end(struct svi_batched *batched, sv_status status)
{
    if (batched->room == NULL)
        return status;
    if (status == SV_OK)
        status = batched->status;
    for (int kind = 0; status == SV_OK && kind < KINDS; kind++) {
        submit_kept(batched, &batched->room->kinds[kind]);
        status = batched->status;
    }
    if (status != SV_OK)
        return end_after(batched, status);
    svi_free(batched->room);
    return SV_OK;
}
