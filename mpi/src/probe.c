/*
 * Processors that share a cache read there what one of them has written. Those that do not fetch each line from the cache
 * of the other one, which can take several times as long as from memory (2 GB/s were measured, where memory gave 12):
 * then the sender stores past its caches. Which of them two ranks run on no library tells them, least of all on virtual
 * machines, so they try both: the sender writes a slot, and the receiver measures how long it reads.
 */
#include "probe.h"

#include "failure.h"
#include "pause.h"

enum { LEAST_BYTES = 4 << 20, PROBED_BYTES = 256 << 10, TRIALS = 6 };

/* Ordinary stores and non-temporal ones take turns; the least time counts of each. What is read faster by a tenth at
 * least is worth that the sender's own stores may be slower. */
enum kind { ORDINARY, NON_TEMPORAL, KINDS };
static const double worth = 1.1;

struct pair {
    const struct sv_mpi_plan *plan;
    struct svm_message *send, *receive; /* NULL: there is nothing to find out */
    sv_view *slots[SVM_SLOTS];          /* of send */
    double least[KINDS];                /* seconds, of receive */
};

static int64_t probed_bytes(const struct svm_message *message)
{
    return message->slot_size < PROBED_BYTES ? message->slot_size : PROBED_BYTES;
}

/* The message of a number of ranks in shared memory, if it is packed and large. Both sides find the same. */
static struct svm_message *find_message(const struct svm_near *near, struct svm_messages *messages, int number)
{
    for (int64_t i = 0; i < messages->count; i++) {
        struct svm_message *message = &messages->items[i];
        int64_t nbytes = 0;

        if (!message->is_near || near->ranks[message->rank] != number)
            continue;
        for (int64_t k = 0; k < message->count; k++)
            nbytes += message->chunks[k].nbytes;
        return nbytes >= LEAST_BYTES && !message->is_readable ? message : NULL;
    }
    return NULL;
}

static void await(const struct pair *pair, const _Atomic uint64_t *signal, uint64_t count)
{
    struct svm_pause pause = {0};

    while (!svm_signal_has(signal, count)) {
        if (svm_pause_is_for_mpi(&pause))
            svm_comm_go_on(pair->plan->comm);
        svm_pause(&pause);
    }
}

/* The other slot is as good a source as any. */
static sv_status write_slot(const struct pair *pair, enum kind kind)
{
    if (pair->slots[0] == NULL || pair->slots[1] == NULL)
        return SV_OK;
    return svm_of_libsv(sv_copy(pair->slots[0], pair->slots[1], kind == NON_TEMPORAL ? SV_COPY_NON_TEMPORAL : 0, 0));
}

static void read_slot(struct pair *pair, enum kind kind, bool is_first)
{
    const volatile uint64_t *words = (const volatile uint64_t *)(pair->receive->signals + SVM_SLOTS);
    const int64_t count = probed_bytes(pair->receive) / 64;
    const double begin = MPI_Wtime();
    double taken;

    for (int64_t line = 0; line < count; line++)
        (void)words[line * 8];
    taken = MPI_Wtime() - begin;
    if (is_first || taken < pair->least[kind])
        pair->least[kind] = taken;
}

/* A failure of this rank keeps no other one waiting. */
static sv_status probe_pair(struct pair *pair)
{
    struct svm_signals *sent = pair->send != NULL ? pair->send->signals : NULL;
    struct svm_signals *received = pair->receive != NULL ? pair->receive->signals : NULL;
    sv_status status = SV_OK;

    for (int trial = 0; trial < TRIALS; trial++) {
        const enum kind kind = (enum kind)(trial % KINDS);

        if (sent != NULL) {
            if (status == SV_OK)
                status = write_slot(pair, kind);
            svm_signal_set(&sent->ready, ++pair->send->turns[0]);
        }
        if (received != NULL) {
            await(pair, &received->ready, ++pair->receive->turns[0]);
            read_slot(pair, kind, trial < KINDS);
            received->is_far = pair->least[ORDINARY] > worth * pair->least[NON_TEMPORAL];
            svm_signal_set(&received->taken, pair->receive->turns[0]);
        }
        if (sent != NULL)
            await(pair, &sent->taken, pair->send->turns[0]);
    }
    if (sent != NULL)
        pair->send->is_far = sent->is_far;
    return status;
}

static sv_status view_slots(struct pair *pair)
{
    char *slots = (char *)(pair->send->signals + SVM_SLOTS);
    const int64_t nbytes = probed_bytes(pair->send);
    sv_status status = SV_OK;

    for (int slot = 0; slot < SVM_SLOTS && status == SV_OK; slot++)
        status =
            sv_view_from_host(SV_UINT8, 1, &nbytes, NULL, slots + slot * pair->send->slot_size, 0, &pair->slots[slot]);
    return svm_of_libsv(status);
}

sv_status svm_probe(struct sv_mpi_plan *plan)
{
    const struct svm_near *near = &plan->near;
    sv_status status = SV_OK;

    for (int distance = 1; distance < near->size; distance++) {
        struct pair pair = {.plan = plan};
        sv_status found = SV_OK;

        pair.send = find_message(near, &plan->sends, (near->own + distance) % near->size);
        pair.receive = find_message(near, &plan->receives, (near->own + near->size - distance) % near->size);
        if (pair.send != NULL)
            found = view_slots(&pair);
        if (status == SV_OK)
            status = found;
        found = probe_pair(&pair);
        if (status == SV_OK)
            status = found;
        for (int slot = 0; slot < SVM_SLOTS; slot++)
            sv_view_release(pair.slots[slot]);
    }
    return status;
}
