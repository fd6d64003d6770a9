/*
 * Messages between ranks of one machine that have one for each other: they are packed in memory that both see, and unpacked
 * from there, without MPI. A message has two slots, which take turns. When a rank packs into one again, the exchange before
 * is done on it, for which the other rank began that exchange, and so had ended the one in which it read the slot: nobody
 * needs to tell that a slot is free.
 */
#include <string.h>

#include "agree.h"
#include "failure.h"
#include "halo.h"
#include "memory.h"

enum { MOST_SHARED = 4 << 20 }; /* bytes of a message */

int64_t svm_halo_slot_size(const struct svm_bundle *bundle)
{
    return (bundle->nbytes + SVM_HALO_ALIGNMENT - 1) / SVM_HALO_ALIGNMENT * SVM_HALO_ALIGNMENT;
}

static bool has_rank(const struct svm_bundles *bundles, int32_t rank)
{
    for (int64_t i = 0; i < bundles->count; i++)
        if (bundles->items[i].rank == rank)
            return true;
    return false;
}

/* Both ranks know whether a message between them goes this way. Larger ones would take too much of memory that is scarce,
 * and are sent. */
static bool is_shared(const struct sv_mpi_halo *halo, const struct svm_bundle *bundle)
{
    return bundle->nbytes <= MOST_SHARED && halo->near.ranks[bundle->rank] != MPI_UNDEFINED &&
           has_rank(&halo->sends, bundle->rank) && has_rank(&halo->receives, bundle->rank);
}

/* Bytes of the signals and slots of a message. */
static int64_t shared_bytes(const struct svm_bundle *bundle)
{
    return SVM_HALO_SLOTS * ((int64_t)sizeof *bundle->signals + svm_halo_slot_size(bundle));
}

/* For each rank of this machine where the messages to it begin: the first one, behind which the others follow. */
static void place_slots(void *owner, struct svm_slots *places)
{
    const struct sv_mpi_halo *halo = owner;
    int64_t nbytes = 0;

    for (int32_t rank = 0; rank < halo->size; rank++) {
        if (halo->near.ranks[rank] == MPI_UNDEFINED)
            continue;
        places[halo->near.ranks[rank]].offset = nbytes;
        for (int64_t i = 0; i < halo->sends.count; i++)
            if (halo->sends.items[i].rank == rank && is_shared(halo, &halo->sends.items[i]))
                nbytes += shared_bytes(&halo->sends.items[i]);
    }
}

/* Messages to each rank, or from it, one after another from the place in the memory of who packs. */
static void find_slots(const struct sv_mpi_halo *halo, bool is_sent, struct svm_slots *places,
                       struct svm_bundles *bundles)
{
    for (int64_t i = 0; i < bundles->count; i++) {
        struct svm_bundle *bundle = &bundles->items[i];
        const int number = halo->near.ranks[bundle->rank];

        if (!is_shared(halo, bundle))
            continue;
        bundle->signals = (void *)(halo->near.bases[is_sent ? halo->near.own : number] + places[number].offset);
        bundle->is_packed = true;
        places[number].offset += shared_bytes(bundle);
        if (is_sent)
            memset(bundle->signals, 0, SVM_HALO_SLOTS * sizeof *bundle->signals);
    }
}

static void find_all_slots(void *owner, struct svm_slots *told, struct svm_slots *found)
{
    struct sv_mpi_halo *halo = owner;

    find_slots(halo, true, told, &halo->sends);
    find_slots(halo, false, found, &halo->receives);
}

static const struct svm_telling telling = {place_slots, find_all_slots};

sv_status svm_halo_share(struct sv_mpi_halo *halo)
{
    int is_host = svm_memory_is_of_host(halo->view);
    sv_status status =
        svm_of_mpi(MPI_Allreduce(MPI_IN_PLACE, &is_host, 1, MPI_INT, MPI_MIN, halo->comm), "MPI_Allreduce");

    if (status != SV_OK || !is_host) /* that of devices is packed in memory that is not shared */
        return status;
    if ((status = svm_agree(halo->comm, halo->rank, svm_near_open(halo->comm, &halo->near), 0)))
        return status;
    for (int64_t i = 0; i < halo->sends.count; i++)
        if (is_shared(halo, &halo->sends.items[i]))
            halo->near_bytes += shared_bytes(&halo->sends.items[i]);
    if (svm_near_allocate(halo->comm, halo->rank, halo->near_bytes, &halo->near) == SV_OK)
        return svm_near_tell(halo->comm, halo->rank, &halo->near, &telling, halo);
    halo->near_bytes = 0;
    return SV_OK;
}
