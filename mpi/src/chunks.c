/*
 * How the chunks of a message travel: between ranks of one machine by memory that both see, from where the receiver
 * unpacks them, so that MPI carries notices only, which tell that a slot is ready, or free again; and else as messages
 * of MPI, packed where they are not one run of bytes. Where the receiver can read the sender's array, the notices tell
 * where that is: with the one of slot 0 all is copied from there, and no chunk is packed.
 */
#include "chunks.h"

#include "reading.h"

/* Where a slot packs its chunk; NULL: the chunk is one run of bytes, which is sent from where it lies. */
static char *packed_at(const struct sv_mpi_plan *plan, const struct svm_message *message, int slot)
{
    const struct svm_chunk *chunk = &message->chunks[message->running[slot]];

    if (message->is_near)
        return message->shared + slot * message->slot_size;
    if (chunk->count == 1 && message->parts.items[chunk->first].plan == NULL)
        return NULL;
    return (char *)sv_buffer_data(plan->buffer) + message->slot + slot * message->slot_size;
}

/* Packs the chunk of a slot, or unpacks it. */
static sv_status copy_chunk(const struct svm_message *message, int slot, const struct svm_ends *ends, char *packed)
{
    const struct svm_chunk *chunk = &message->chunks[message->running[slot]];
    sv_status status = SV_OK;

    for (int64_t i = chunk->first; i < chunk->first + chunk->count && status == SV_OK; i++) {
        const struct svm_part *part = &message->parts.items[i];
        char *dst = message->is_send ? packed : ends->dst + part->dst;
        const char *src = message->is_send ? ends->src + part->src : packed;

        status = svm_of_libsv(sv_plan_execute(part->plan, dst, src, 0));
        packed += part->nbytes;
    }
    return status;
}

/* --- by shared memory -------------------------------------------------------- */

/* A message, empty where place is NULL, of which nobody needs to know when it is done: the answer to it tells. */
static sv_status notify(const struct sv_mpi_plan *plan, int rank, int tag, const struct svm_place *place)
{
    MPI_Request request;
    const sv_status status = svm_of_mpi(
        MPI_Isend(place, place != NULL ? sizeof *place : 0, MPI_BYTE, rank, tag, plan->comm, &request), "MPI_Isend");

    return status == SV_OK ? svm_of_mpi(MPI_Request_free(&request), "MPI_Request_free") : status;
}

static sv_status await(const struct sv_mpi_plan *plan, int rank, int tag, struct svm_place *place, MPI_Request *request)
{
    return svm_of_mpi(MPI_Irecv(place, place != NULL ? sizeof *place : 0, MPI_BYTE, rank, tag, plan->comm, request),
                      "MPI_Irecv");
}

/* Whether what a slot stands for is read from the sender's array: then there is no other chunk of it. */
static bool is_read(const struct svm_message *message, int slot)
{
    return message->is_readable && message->lent[slot].number != 0;
}

/* What was written before is seen by others, and what they wrote is seen here. */
static sv_status synchronize(const struct sv_mpi_plan *plan)
{
    return svm_of_mpi(MPI_Win_sync(plan->near.window), "MPI_Win_sync");
}

/* The sender packs, tells that the chunk is ready, and waits until its slot is free again. */
static sv_status start_near(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                            const struct svm_ends *ends, MPI_Request *request, struct svm_failure *failure)
{
    struct svm_place *place = message->is_readable ? &message->lent[slot] : NULL;
    sv_status status;

    if (!message->is_send)
        return await(plan, message->rank, SVM_TAG_READY + slot, place, request);
    if (place != NULL)
        svm_reading_find(plan, ends->src, place);
    if (is_read(message, slot))
        message->next[slot] = message->count;
    else
        svm_failure_keep(failure, copy_chunk(message, slot, ends, packed_at(plan, message, slot)));
    if ((status = synchronize(plan)) || (status = notify(plan, message->rank, SVM_TAG_READY + slot, place)))
        return status;
    return await(plan, message->rank, SVM_TAG_FREE + slot, NULL, request);
}

/* The receiver unpacks, or copies all at once. */
static sv_status take_near(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                           const struct svm_ends *ends, struct svm_failure *failure)
{
    const sv_status status = synchronize(plan);

    if (status != SV_OK)
        return status;
    if (!is_read(message, slot)) {
        svm_failure_keep(failure, copy_chunk(message, slot, ends, packed_at(plan, message, slot)));
    } else {
        message->next[slot] = message->count;
        if (slot == 0)
            svm_failure_keep(failure, svm_reading_copy(message, ends->dst));
    }
    return notify(plan, message->rank, SVM_TAG_FREE + slot, NULL);
}

/* --- by messages ------------------------------------------------------------- */

static sv_status start_far(const struct sv_mpi_plan *plan, const struct svm_message *message, int slot,
                           const struct svm_ends *ends, MPI_Request *request, struct svm_failure *failure)
{
    const struct svm_chunk *chunk = &message->chunks[message->running[slot]];
    const struct svm_part *part = &message->parts.items[chunk->first];
    const int nbytes = (int)chunk->nbytes, tag = SVM_TAG_CHUNK + slot;
    char *packed = packed_at(plan, message, slot);

    if (!message->is_send)
        return svm_of_mpi(MPI_Irecv(packed != NULL ? packed : ends->dst + part->dst, nbytes, MPI_BYTE, message->rank,
                                    tag, plan->comm, request),
                          "MPI_Irecv");
    if (packed != NULL)
        svm_failure_keep(failure, copy_chunk(message, slot, ends, packed));
    return svm_of_mpi(MPI_Isend(packed != NULL ? packed : ends->src + part->src, nbytes, MPI_BYTE, message->rank, tag,
                                plan->comm, request),
                      "MPI_Isend");
}

/* --- both -------------------------------------------------------------------- */

sv_status svm_chunk_start(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                          const struct svm_ends *ends, MPI_Request *request, struct svm_failure *failure)
{
    if (message->next[slot] >= message->count)
        return SV_OK;
    message->running[slot] = message->next[slot];
    message->next[slot] += SVM_SLOTS;
    return message->is_near ? start_near(plan, message, slot, ends, request, failure)
                            : start_far(plan, message, slot, ends, request, failure);
}

sv_status svm_chunk_take(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                         const struct svm_ends *ends, struct svm_failure *failure)
{
    char *packed;

    if (message->is_send)
        return SV_OK;
    if (message->is_near)
        return take_near(plan, message, slot, ends, failure);
    if ((packed = packed_at(plan, message, slot)) != NULL)
        svm_failure_keep(failure, copy_chunk(message, slot, ends, packed));
    return SV_OK;
}
