/*
 * How the chunks of a message travel: between ranks of one machine by memory that both see, from where the receiver
 * unpacks them, without MPI: they tell each other there that a slot is ready, or free again. Else as messages of MPI,
 * packed where they are not one run of bytes. Where the receiver can read the sender's array, the signals tell where
 * that is: with the one of slot 0 all is copied from there, and no chunk is packed.
 */
#include "chunks.h"

#include "reading.h"

/* Where a slot packs its chunk; NULL: the chunk is one run of bytes, which is sent from where it lies. */
static char *packed_at(const struct sv_mpi_plan *plan, const struct svm_message *message, int slot)
{
    const struct svm_chunk *chunk = &message->chunks[message->running[slot]];

    if (message->is_near)
        return (char *)(message->signals + SVM_SLOTS) + slot * message->slot_size;
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

/* The sender packs, and tells that the chunk is ready; the receiver waits for that. Where the receiver reads the sender's
 * array there is no other chunk of the slot. The sender waits for a slot that it needs again: that the last chunk was
 * taken is told by the agreement with which the execution ends. */
static void start_near(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                       const struct svm_ends *ends, struct svm_failure *failure)
{
    struct svm_signals *signals = &message->signals[slot];

    message->turns[slot]++;
    if (!message->is_send)
        return;
    if (message->is_readable)
        svm_reading_find(plan, ends->src, &signals->place);
    if (signals->place.number != 0)
        message->next[slot] = message->count;
    else
        svm_failure_keep(failure, copy_chunk(message, slot, ends, packed_at(plan, message, slot)));
    svm_signal_set(&signals->ready, message->turns[slot]);
    message->is_under_way[slot] = message->next[slot] < message->count;
}

/* The receiver unpacks, or copies all at once, and tells that the slot is free. */
static void take_near(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                      const struct svm_ends *ends, struct svm_failure *failure)
{
    struct svm_signals *signals = &message->signals[slot];

    if (signals->place.number == 0) {
        svm_failure_keep(failure, copy_chunk(message, slot, ends, packed_at(plan, message, slot)));
    } else {
        message->next[slot] = message->count;
        if (slot == 0)
            svm_failure_keep(failure, svm_reading_copy(message, &signals->place, ends->dst));
    }
    svm_signal_set(&signals->taken, message->turns[slot]);
}

bool svm_chunk_is_there(const struct svm_message *message, int slot)
{
    const struct svm_signals *signals = &message->signals[slot];

    return message->is_under_way[slot] &&
           svm_signal_has(message->is_send ? &signals->taken : &signals->ready, message->turns[slot]);
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
    message->is_under_way[slot] = true;
    if (!message->is_near)
        return start_far(plan, message, slot, ends, request, failure);
    start_near(plan, message, slot, ends, failure);
    return SV_OK;
}

void svm_chunk_take(const struct sv_mpi_plan *plan, struct svm_message *message, int slot, const struct svm_ends *ends,
                    struct svm_failure *failure)
{
    char *packed;

    message->is_under_way[slot] = false;
    if (message->is_send)
        return;
    if (message->is_near)
        take_near(plan, message, slot, ends, failure);
    else if ((packed = packed_at(plan, message, slot)) != NULL)
        svm_failure_keep(failure, copy_chunk(message, slot, ends, packed));
}
