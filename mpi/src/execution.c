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

#include "memory.h"

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
    if (shared != SV_NO)
        return svm_fail(SV_ERROR_OVERLAP, "dst and src share bytes, or may");
    return (status = svm_memory_wait(dst)) == SV_OK ? svm_memory_wait(src) : status;
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
    struct svm_message *message = message_of(it->plan, number);
    const int slot = number % SVM_SLOTS;
    const sv_status status =
        svm_chunk_start(it->plan, message, slot, &it->ends, &it->plan->requests[number], &it->failure);

    it->traffic.running += message->is_under_way[slot];
    it->traffic.near += message->is_under_way[slot] && message->is_near;
    return status;
}

/* What a chunk that is there is for, and the next one of its slot. */
static sv_status end_chunk(struct svm_execution *it, int number)
{
    struct svm_message *message = message_of(it->plan, number);

    it->traffic.running--;
    it->traffic.near -= message->is_near;
    svm_chunk_take(it->plan, message, number % SVM_SLOTS, &it->ends, &it->failure);
    return start_chunk(it, number);
}

/* The first chunk of each message comes before the second one of any. */
static sv_status start_messages(struct svm_execution *it, int begin, int end)
{
    sv_status status = SV_OK;

    for (int number = begin; number < end; number++) {
        struct svm_message *message = message_of(it->plan, number);

        message->next[number % SVM_SLOTS] = number % SVM_SLOTS;
        message->is_under_way[number % SVM_SLOTS] = false;
    }
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
    it->traffic = (struct svm_traffic){0};
    if ((status = start_messages(it, 0, receives)) || (status = start_messages(it, receives, slots)))
        return status;
    svm_failure_keep(&it->failure, copy_own(plan, &it->ends));
    return SV_OK;
}

/* Those chunks between ranks of this machine that are there. */
static sv_status move_near(void *owner, bool *has_moved)
{
    struct svm_execution *it = owner;
    const int slots = svm_plan_slots(it->plan);
    sv_status status = SV_OK;

    for (int number = 0; number < slots && status == SV_OK; number++) {
        const struct svm_message *message = message_of(it->plan, number);

        if (!message->is_near || !svm_chunk_is_there(message, number % SVM_SLOTS))
            continue;
        *has_moved = true;
        status = end_chunk(it, number);
    }
    return status;
}

/* One of the chunks that MPI moves. */
static sv_status move_far(void *owner, bool is_waiting, bool *has_moved)
{
    struct svm_execution *it = owner;
    const int slots = svm_plan_slots(it->plan);
    MPI_Status came;
    int number;
    const sv_status status = svm_request_poll_any(slots + 1, it->plan->requests, is_waiting, &number, &came);

    if (status != SV_OK || number < 0)
        return status;
    if (number == slots)
        return svm_fail(SV_ERROR_STATE, "MPI failed on rank %d in the middle of the execution", came.MPI_SOURCE);
    *has_moved = true;
    return end_chunk(it, number);
}

static const struct svm_movers movers = {move_near, move_far};

/* --- failures of MPI --------------------------------------------------------- */

/* All other ranks learn of it, if it is not one of them that told, and nothing is left that writes to the caller's memory. */
static void break_off(struct svm_execution *it, sv_status status)
{
    struct sv_mpi_plan *plan = it->plan;
    const int slots = svm_plan_slots(plan);
    const bool was_told = plan->requests[slots] == MPI_REQUEST_NULL;

    svm_failure_keep(&it->failure, status);
    plan->is_broken = true;
    if (!was_told)
        svm_comm_tell_others(plan->comm, plan->rank, plan->size);
    for (int number = 0; number < slots; number++)
        svm_request_drop(message_of(plan, number)->is_send, &plan->requests[number]);
}

/* --- stages ------------------------------------------------------------------ */

static sv_status begin_closing(struct svm_execution *it)
{
    struct sv_mpi_plan *plan = it->plan;

    it->stage = SVM_CLOSING;
    return svm_vote_begin(&plan->ends, svm_failure_tell(&it->failure), 0, &it->vote);
}

/* Whether the ranks have agreed, and on what. */
static sv_status hear(struct svm_execution *it, bool is_waiting, bool *is_over)
{
    struct svm_board *board = it->stage == SVM_ASKING ? &it->plan->begins : &it->plan->ends;
    const sv_status status = svm_vote_poll(board, is_waiting, &it->vote, is_over);

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
            status = svm_traffic_go_on(it, &it->traffic, &movers, is_waiting, &is_over);
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
    if ((status = svm_vote_begin(&plan->begins, refusal, 0, &it->vote))) {
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
