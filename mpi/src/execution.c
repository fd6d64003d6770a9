/*
 * An execution: all ranks agree that none refuses it; receives are posted, chunks are packed and sent, two of a message
 * at a time, what stays here is copied meanwhile, and what arrives is unpacked; then all tell each other how it went.
 * A stage begins where the one before is found to have ended, so that nothing goes on outside of the calls for it.
 *
 * A copy that fails is kept until the end, and the messages go their way. Where MPI fails, this rank tells so to all
 * others, for which each plan keeps a receive; they end what is under way, too. Messages of that execution may still
 * come, so that the plan is refused from then on.
 */
#include "execution.h"

#include <stdlib.h>

/* --- what is refused --------------------------------------------------------- */

static sv_status check_form(const char *name, const struct svm_form *form, const sv_view *view)
{
    sv_status status = svm_need(view, name);

    if (status != SV_OK)
        return status;
    if (sv_view_dtype(view) != form->dtype)
        return svm_fail(SV_ERROR_DTYPE, "%s has another dtype than the view that the plan was made of", name);
    if (!sv_layout_equal(sv_view_layout(view), form->layout))
        return svm_fail(SV_ERROR_LAYOUT, "%s has another layout than the view that the plan was made of", name);
    if (sv_view_device_type(view) != form->device_type || sv_view_device_id(view) != form->device_id)
        return svm_fail(SV_ERROR_DEVICE, "%s is of another device than the view that the plan was made of", name);
    return SV_OK;
}

static sv_status check_execution(const struct sv_mpi_plan *plan, const sv_view *dst, const sv_view *src)
{
    sv_answer shared = SV_NO;
    sv_status status;

    if (plan->is_broken)
        return svm_fail(SV_ERROR_STATE, "MPI failed in an earlier execution of the plan");
    if (plan->running != NULL)
        return svm_fail(SV_ERROR_STATE, "the plan is under way: its request was not waited for");
    if ((status = check_form("dst", &plan->dst, dst)) || (status = check_form("src", &plan->src, src)))
        return status;
    if (sv_view_is_readonly(dst))
        return svm_fail(SV_ERROR_READ_ONLY, "dst is read-only");
    if ((status = svm_of_libsv(sv_view_overlap(dst, src, 0, &shared))))
        return status;
    return shared != SV_NO ? svm_fail(SV_ERROR_OVERLAP, "dst and src share bytes, or may") : SV_OK;
}

/* --- chunks ------------------------------------------------------------------ */

/* The message of a request: receives come first, and each has the requests of its slots. */
static struct svm_message *message_of(struct sv_mpi_plan *plan, int number)
{
    const int64_t place = number / SVM_SLOTS;

    return place < plan->receives.count ? &plan->receives.items[place]
                                        : &plan->sends.items[place - plan->receives.count];
}

static sv_status start_chunk(struct svm_execution *it, int number)
{
    MPI_Request *request = &it->plan->requests[number];
    const sv_status status =
        svm_chunk_start(it->plan, message_of(it->plan, number), number % SVM_SLOTS, &it->ends, request, &it->failure);

    it->running += *request != MPI_REQUEST_NULL;
    return status;
}

/* The first chunk of each message comes before the second one of any. */
static sv_status start_messages(struct svm_execution *it, int begin, int end)
{
    sv_status status = SV_OK;

    for (int number = begin; number < end; number++)
        message_of(it->plan, number)->next[number % SVM_SLOTS] = number % SVM_SLOTS;
    for (int slot = 0; slot < SVM_SLOTS; slot++)
        for (int number = begin + slot; number < end && status == SV_OK; number += SVM_SLOTS)
            status = start_chunk(it, number);
    return status;
}

static sv_status copy_own(const struct sv_mpi_plan *plan, const struct svm_ends *ends)
{
    sv_status status = SV_OK;

    for (int64_t i = 0; i < plan->own.count && status == SV_OK; i++) {
        const struct svm_part *part = &plan->own.items[i];

        status = svm_of_libsv(sv_plan_execute(part->plan, ends->dst + part->dst, ends->src + part->src, 0));
    }
    return status;
}

static sv_status begin_moving(struct svm_execution *it)
{
    struct sv_mpi_plan *plan = it->plan;
    const int slots = svm_plan_slots(plan), receives = (int)plan->receives.count * SVM_SLOTS;
    sv_status status;

    it->stage = SVM_MOVING;
    it->running = 0;
    if ((status = start_messages(it, 0, receives)) || (status = start_messages(it, receives, slots)))
        return status;
    svm_failure_keep(&it->failure, copy_own(plan, &it->ends));
    return SV_OK;
}

/* One chunk after another, in the order in which they are done. */
static sv_status move(struct svm_execution *it, bool is_waiting, bool *is_over)
{
    struct sv_mpi_plan *plan = it->plan;
    const int slots = svm_plan_slots(plan);

    while (it->running > 0) {
        MPI_Status came;
        int number, is_done = 1;
        sv_status status;

        if (is_waiting)
            status = svm_of_mpi(MPI_Waitany(slots + 1, plan->requests, &number, &came), "MPI_Waitany");
        else
            status = svm_of_mpi(MPI_Testany(slots + 1, plan->requests, &number, &is_done, &came), "MPI_Testany");
        if (status != SV_OK)
            return status;
        *is_over = is_done;
        if (!is_done)
            return SV_OK;
        if (number == slots)
            return svm_fail(SV_ERROR_STATE, "MPI failed on rank %d in the middle of the execution", came.MPI_SOURCE);
        it->running--;
        if ((status = svm_chunk_take(plan, message_of(plan, number), number % SVM_SLOTS, &it->ends, &it->failure)) ||
            (status = start_chunk(it, number)))
            return status;
    }
    *is_over = true;
    return SV_OK;
}

/* --- failures of MPI --------------------------------------------------------- */

/* Tells all other ranks. What fails here is not told: there is nothing left to tell it by. */
static void tell_others(const struct sv_mpi_plan *plan)
{
    for (int other = 0; other < plan->size; other++) {
        MPI_Request request;

        if (other != plan->rank &&
            MPI_Isend(NULL, 0, MPI_BYTE, other, SVM_TAG_FAILED, plan->comm, &request) == MPI_SUCCESS)
            MPI_Request_free(&request);
    }
}

/* Nothing may be left that writes to the caller's memory. Messages that are sent cannot be called back. */
static void cancel(struct sv_mpi_plan *plan)
{
    const int slots = svm_plan_slots(plan);

    for (int number = 0; number < slots; number++) {
        const struct svm_message *message = message_of(plan, number);
        MPI_Request *request = &plan->requests[number];

        if (*request == MPI_REQUEST_NULL)
            continue;
        if (message->is_send && !message->is_near) {
            MPI_Request_free(request);
        } else {
            MPI_Cancel(request);
            MPI_Wait(request, MPI_STATUS_IGNORE);
        }
    }
}

static void break_off(struct svm_execution *it, sv_status status)
{
    struct sv_mpi_plan *plan = it->plan;
    const bool was_told = plan->requests[svm_plan_slots(plan)] == MPI_REQUEST_NULL;

    svm_failure_keep(&it->failure, status);
    plan->is_broken = true;
    if (!was_told)
        tell_others(plan);
    cancel(plan);
}

/* --- stages ------------------------------------------------------------------ */

static sv_status begin_closing(struct svm_execution *it)
{
    struct sv_mpi_plan *plan = it->plan;

    it->stage = SVM_CLOSING;
    return svm_vote_begin(plan->ends, plan->rank, svm_failure_tell(&it->failure), 0, &it->vote);
}

/* Whether the ranks have agreed, and on what. */
static sv_status hear(struct svm_execution *it, bool is_waiting, bool *is_over)
{
    const sv_status status = svm_request_poll(&it->vote.request, is_waiting, is_over, MPI_STATUS_IGNORE);

    return status != SV_OK || !*is_over ? status : svm_vote_result(&it->vote);
}

static sv_status advance_execution(struct sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *came)
{
    struct svm_execution *it = (struct svm_execution *)request;
    bool is_over = false;
    sv_status status = SV_OK;

    (void)came;
    if (it->stage == SVM_ASKING) {
        status = hear(it, is_waiting, &is_over);
        *done = status != SV_OK;
        if (status != SV_OK || !is_over)
            return status;
        status = begin_moving(it);
    }
    if (it->stage == SVM_MOVING) {
        if (status == SV_OK)
            status = move(it, is_waiting, &is_over);
        if (status != SV_OK)
            break_off(it, status);
        else if (!is_over)
            return SV_OK;
        if ((status = begin_closing(it))) {
            *done = true;
            return status;
        }
    }
    return hear(it, is_waiting, done);
}

static void end_execution(struct sv_mpi_request *request)
{
    struct svm_execution *it = (struct svm_execution *)request;
    struct sv_mpi_plan *plan = it->plan;

    sv_view_release(it->dst);
    sv_view_release(it->src);
    if (plan->running == it)
        plan->running = NULL;
    if (plan->idle == NULL)
        plan->idle = it;
    else
        free(it);
    svm_plan_release(plan);
}

/* --- calls ------------------------------------------------------------------- */

sv_status sv_mpi_plan_start(sv_mpi_plan *plan, const sv_view *dst, const sv_view *src, sv_mpi_request **out)
{
    sv_status status, refusal;

    if ((status = svm_need(plan, "plan")) || (status = svm_need(out, "out")))
        return status;

    /* Only the request of an execution that is refused, since another one is under way, needs memory of its own. */
    struct svm_execution *it = plan->idle != NULL ? plan->idle : malloc(sizeof *it);

    if (it == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for a request");
    plan->idle = plan->idle == it ? NULL : plan->idle;
    plan->references++;
    refusal = check_execution(plan, dst, src);
    it->request = (struct sv_mpi_request){advance_execution, end_execution};
    it->plan = plan;
    it->dst = refusal == SV_OK ? sv_view_retain(dst) : NULL;
    it->src = refusal == SV_OK ? sv_view_retain(src) : NULL;
    if (refusal == SV_OK)
        it->ends = (struct svm_ends){sv_view_data(dst), sv_view_data(src)};
    it->stage = SVM_ASKING;
    it->failure.status = SV_OK;
    if ((status = svm_vote_begin(plan->comm, plan->rank, refusal, 0, &it->vote))) {
        end_execution(&it->request);
        return status;
    }
    if (refusal == SV_OK)
        plan->running = it;
    *out = &it->request;
    return SV_OK;
}

sv_status sv_mpi_plan_execute(sv_mpi_plan *plan, const sv_view *dst, const sv_view *src)
{
    sv_mpi_request *request = NULL;
    const sv_status status = sv_mpi_plan_start(plan, dst, src, &request);

    return status == SV_OK ? sv_mpi_wait(request, NULL) : status;
}
