/*
 * Messages between ranks of one machine that have one for each other: they are packed in memory that both see, and unpacked
 * from there; a byte is sent to tell that they are ready. A message has two slots, which take turns. When a rank packs
 * into one again, the exchange before is done on it, for which the other rank began that exchange, and so had ended the one
 * in which it read the slot: nobody needs to tell that a slot is free.
 */
#include <stdlib.h>

#include "agree.h"
#include "failure.h"
#include "halo.h"

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

/* For each rank of this machine where the slots of the first message to it begin; those of others follow. */
static void place_slots(const struct sv_mpi_halo *halo, int64_t *places)
{
    int64_t nbytes = 0;

    for (int32_t rank = 0; rank < halo->size; rank++) {
        if (halo->near.ranks[rank] == MPI_UNDEFINED)
            continue;
        places[halo->near.ranks[rank]] = nbytes;
        for (int64_t i = 0; i < halo->sends.count; i++)
            if (halo->sends.items[i].rank == rank && is_shared(halo, &halo->sends.items[i]))
                nbytes += 2 * svm_halo_slot_size(&halo->sends.items[i]);
    }
}

/* The slots of messages from or to each rank, beginning at the places in the memory of who packs. */
static sv_status find_slots(const struct sv_mpi_halo *halo, struct svm_bundles *bundles, char *own, int64_t *places)
{
    for (int64_t i = 0; i < bundles->count; i++) {
        struct svm_bundle *bundle = &bundles->items[i];
        char *base = own;

        if (!is_shared(halo, bundle))
            continue;

        const int number = halo->near.ranks[bundle->rank];

        if (own == NULL) {
            MPI_Aint nbytes;
            int unit;
            const sv_status status = svm_of_mpi(MPI_Win_shared_query(halo->near.window, number, &nbytes, &unit, &base),
                                                "MPI_Win_shared_query");

            if (status != SV_OK)
                return status;
        }
        bundle->shared = base + places[number];
        bundle->is_packed = true;
        places[number] += 2 * svm_halo_slot_size(bundle);
    }
    return SV_OK;
}

static sv_status exchange_places(struct sv_mpi_halo *halo, char *base)
{
    int size = 0;

    MPI_Comm_size(halo->near.comm, &size);

    int64_t *places = calloc(2 * (size_t)size, sizeof *places);
    sv_status status = places != NULL ? SV_OK : svm_fail(SV_ERROR_MEMORY, "no memory for the places of messages");

    if ((status = svm_agree(halo->comm, halo->rank, status, 0)) == SV_OK) {
        place_slots(halo, places);
        status = svm_of_mpi(MPI_Alltoall(places, 1, MPI_INT64_T, places + size, 1, MPI_INT64_T, halo->near.comm),
                            "MPI_Alltoall");
    }
    if (status == SV_OK && (status = find_slots(halo, &halo->sends, base, places)) == SV_OK)
        status = find_slots(halo, &halo->receives, NULL, places + size);
    free(places);
    return svm_agree(halo->comm, halo->rank, status, 0);
}

sv_status svm_halo_share(struct sv_mpi_halo *halo)
{
    int is_host = sv_view_device_type(halo->view) == SV_DEVICE_CPU;
    char *base = NULL;
    sv_status status =
        svm_of_mpi(MPI_Allreduce(MPI_IN_PLACE, &is_host, 1, MPI_INT, MPI_MIN, halo->comm), "MPI_Allreduce");

    if (status != SV_OK || !is_host) /* memory of devices is packed in pinned memory, which is not shared */
        return status;
    if ((status = svm_agree(halo->comm, halo->rank, svm_near_open(halo->comm, &halo->near), 0)))
        return status;
    for (int64_t i = 0; i < halo->sends.count; i++)
        if (is_shared(halo, &halo->sends.items[i]))
            halo->near_bytes += 2 * svm_halo_slot_size(&halo->sends.items[i]);
    if (svm_agree(halo->comm, halo->rank, svm_near_allocate(&halo->near, halo->near_bytes, &base), 0) == SV_OK)
        return exchange_places(halo, base);
    halo->near.window = MPI_WIN_NULL; /* to free it takes all its ranks, of which some may have none */
    halo->near_bytes = 0;
    return SV_OK;
}
