/*
 * An execution: receives are posted first; then chunks are packed and sent, two of a message at a time, what stays here
 * is copied meanwhile, and whatever arrives is unpacked.
 */
#include "agree.h"
#include "failure.h"
#include "plan.h"

/* Tags of what goes by slot 0; that of the next slot has the next one. */
enum { CHUNK = 0, READY = SVM_SLOTS, FREE = 2 * SVM_SLOTS };

/* The addresses of the elements [0,...,0]. */
struct ends {
    char *dst;
    const char *src;
};

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

static sv_status check(const struct sv_mpi_plan *plan, const sv_view *dst, const sv_view *src)
{
    sv_answer shared = SV_NO;
    sv_status status;

    if ((status = check_form("dst", &plan->dst, dst)) || (status = check_form("src", &plan->src, src)))
        return status;
    if (sv_view_is_readonly(dst))
        return svm_fail(SV_ERROR_READ_ONLY, "dst is read-only");
    if ((status = svm_of_libsv(sv_view_overlap(dst, src, 0, &shared))))
        return status;
    return shared != SV_NO ? svm_fail(SV_ERROR_OVERLAP, "dst and src share bytes, or may") : SV_OK;
}

/* --- chunks ------------------------------------------------------------------ */

/* Where a slot packs its chunk; NULL: the chunk is one run of bytes, which is sent from where it lies. */
static char *packed_at(const struct sv_mpi_plan *plan, const struct svm_message *message, int64_t chunk, int slot)
{
    const struct svm_chunk *it = &message->chunks[chunk];

    if (it->count == 1 && message->parts.items[it->first].plan == NULL)
        return NULL;
    return (char *)sv_buffer_data(plan->buffer) + message->slot + slot * message->slot_size;
}

static sv_status pack(const struct svm_message *message, int64_t chunk, const char *src, char *packed)
{
    const struct svm_chunk *it = &message->chunks[chunk];
    sv_status status = SV_OK;

    for (int64_t i = it->first; i < it->first + it->count && status == SV_OK; i++) {
        const struct svm_part *part = &message->parts.items[i];

        status = svm_of_libsv(sv_plan_execute(part->plan, packed, src + part->src, 0));
        packed += part->nbytes;
    }
    return status;
}

static sv_status unpack(const struct svm_message *message, int64_t chunk, const char *packed, char *dst)
{
    const struct svm_chunk *it = &message->chunks[chunk];
    sv_status status = SV_OK;

    for (int64_t i = it->first; i < it->first + it->count && status == SV_OK; i++) {
        const struct svm_part *part = &message->parts.items[i];

        status = svm_of_libsv(sv_plan_execute(part->plan, dst + part->dst, packed, 0));
        packed += part->nbytes;
    }
    return status;
}

/* What fails here is kept, and the message goes its way: others wait for it. */
static void keep(sv_status *kept, sv_status status)
{
    if (*kept == SV_OK)
        *kept = status;
}

/* A message without bytes, of which nobody needs to know when it is done. */
static sv_status notify(const struct sv_mpi_plan *plan, int rank, int tag)
{
    MPI_Request request;
    const sv_status status = svm_of_mpi(MPI_Isend(NULL, 0, MPI_BYTE, rank, tag, plan->comm, &request), "MPI_Isend");

    return status == SV_OK ? svm_of_mpi(MPI_Request_free(&request), "MPI_Request_free") : status;
}

static sv_status await(const struct sv_mpi_plan *plan, int rank, int tag, MPI_Request *request)
{
    return svm_of_mpi(MPI_Irecv(NULL, 0, MPI_BYTE, rank, tag, plan->comm, request), "MPI_Irecv");
}

/* By shared memory: the sender packs, tells that the chunk is ready, and waits until its slot is free again. */
static sv_status start_near(const struct sv_mpi_plan *plan, const struct svm_message *message, bool is_send, int slot,
                            const struct ends *ends, MPI_Request *request, sv_status *kept)
{
    sv_status status;

    if (!is_send)
        return await(plan, message->rank, READY + slot, request);
    keep(kept, pack(message, message->running[slot], ends->src, message->shared + slot * message->slot_size));
    MPI_Win_sync(plan->near.window);
    if ((status = notify(plan, message->rank, READY + slot)))
        return status;
    return await(plan, message->rank, FREE + slot, request);
}

static sv_status start_far(const struct sv_mpi_plan *plan, const struct svm_message *message, bool is_send, int slot,
                           const struct ends *ends, MPI_Request *request, sv_status *kept)
{
    const struct svm_chunk *chunk = &message->chunks[message->running[slot]];
    const struct svm_part *part = &message->parts.items[chunk->first];
    const int nbytes = (int)chunk->nbytes;
    char *packed = packed_at(plan, message, message->running[slot], slot);

    if (!is_send)
        return svm_of_mpi(MPI_Irecv(packed != NULL ? packed : ends->dst + part->dst, nbytes, MPI_BYTE, message->rank,
                                    CHUNK + slot, plan->comm, request),
                          "MPI_Irecv");
    if (packed != NULL)
        keep(kept, pack(message, message->running[slot], ends->src, packed));
    return svm_of_mpi(MPI_Isend(packed != NULL ? packed : ends->src + part->src, nbytes, MPI_BYTE, message->rank,
                                CHUNK + slot, plan->comm, request),
                      "MPI_Isend");
}

/* The next chunk of a slot, if there is one left. */
static sv_status start(const struct sv_mpi_plan *plan, struct svm_message *message, bool is_send, int slot,
                       const struct ends *ends, MPI_Request *request, sv_status *kept)
{
    if (message->next[slot] >= message->count)
        return SV_OK;
    message->running[slot] = message->next[slot];
    message->next[slot] += SVM_SLOTS;
    return message->is_near ? start_near(plan, message, is_send, slot, ends, request, kept)
                            : start_far(plan, message, is_send, slot, ends, request, kept);
}

/* What came is unpacked, and the slot of the sender is free. */
static sv_status take(const struct sv_mpi_plan *plan, const struct svm_message *message, int slot,
                      const struct ends *ends, sv_status *kept)
{
    const int64_t chunk = message->running[slot];
    const char *packed =
        message->is_near ? message->shared + slot * message->slot_size : packed_at(plan, message, chunk, slot);

    if (message->is_near)
        MPI_Win_sync(plan->near.window);
    if (packed != NULL)
        keep(kept, unpack(message, chunk, packed, ends->dst));
    return message->is_near ? notify(plan, message->rank, FREE + slot) : SV_OK;
}

static sv_status start_all(struct sv_mpi_plan *plan, struct svm_messages *messages, bool is_send,
                           const struct ends *ends, MPI_Request *requests, sv_status *kept)
{
    sv_status status = SV_OK;

    for (int64_t i = 0; i < messages->count; i++)
        for (int slot = 0; slot < SVM_SLOTS; slot++)
            messages->items[i].next[slot] = slot;
    for (int slot = 0; slot < SVM_SLOTS; slot++)
        for (int64_t i = 0; i < messages->count && status == SV_OK; i++)
            status = start(plan, &messages->items[i], is_send, slot, ends, &requests[i * SVM_SLOTS + slot], kept);
    return status;
}

/* --- an execution ------------------------------------------------------------ */

static sv_status copy_own(const struct sv_mpi_plan *plan, const struct ends *ends)
{
    sv_status status = SV_OK;

    for (int64_t i = 0; i < plan->own.count && status == SV_OK; i++) {
        const struct svm_part *part = &plan->own.items[i];

        status = svm_of_libsv(sv_plan_execute(part->plan, ends->dst + part->dst, ends->src + part->src, 0));
    }
    return status;
}

/* One request after another, in the order in which they are done. */
static sv_status finish(struct sv_mpi_plan *plan, const struct ends *ends, int slots, sv_status *kept)
{
    for (;;) {
        int number;
        sv_status status = svm_of_mpi(MPI_Waitany(slots, plan->requests, &number, MPI_STATUS_IGNORE), "MPI_Waitany");

        if (status != SV_OK || number == MPI_UNDEFINED)
            return status;

        const int64_t place = number / SVM_SLOTS;
        const int slot = number % SVM_SLOTS;
        const bool is_send = place >= plan->receives.count;
        struct svm_message *message =
            is_send ? &plan->sends.items[place - plan->receives.count] : &plan->receives.items[place];

        if (!is_send && (status = take(plan, message, slot, ends, kept)))
            return status;
        if ((status = start(plan, message, is_send, slot, ends, &plan->requests[number], kept)))
            return status;
    }
}

/* After an error of MPI's nothing may be left that writes to the caller's memory. */
static void cancel(struct sv_mpi_plan *plan, int slots)
{
    for (int i = 0; i < slots; i++)
        if (plan->requests[i] != MPI_REQUEST_NULL) {
            MPI_Cancel(&plan->requests[i]);
            MPI_Request_free(&plan->requests[i]);
        }
}

static sv_status run(struct sv_mpi_plan *plan, const struct ends *ends, int slots, sv_status *kept)
{
    MPI_Request *sends = plan->requests + plan->receives.count * SVM_SLOTS;
    sv_status status;

    if ((status = start_all(plan, &plan->receives, false, ends, plan->requests, kept)) ||
        (status = start_all(plan, &plan->sends, true, ends, sends, kept)))
        return status;
    keep(kept, copy_own(plan, ends));
    return finish(plan, ends, slots, kept);
}

sv_status sv_mpi_plan_execute(sv_mpi_plan *plan, const sv_view *dst, const sv_view *src)
{
    sv_status kept = SV_OK, status = svm_need(plan, "plan");

    if (status != SV_OK)
        return status;
    if ((status = svm_agree(plan->comm, plan->rank, check(plan, dst, src), 0)))
        return status;

    const struct ends ends = {sv_view_data(dst), sv_view_data(src)};
    const int slots = (int)(SVM_SLOTS * (plan->receives.count + plan->sends.count));

    if ((status = run(plan, &ends, slots, &kept))) {
        cancel(plan, slots);
        return status;
    }
    return svm_agree(plan->comm, plan->rank, kept, 0);
}
