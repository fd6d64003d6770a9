/* A window of shared memory, of which each rank has what it sends; receivers learn where their chunks lie in it. */
#include "near.h"

#include <stdlib.h>

#include "agree.h"
#include "failure.h"

enum { PLACE_TAG = 100 };

/* Of a message: where its slots begin in the sender's part of the window, and how large each is. */
struct place {
    int64_t offset, slot_size;
};

sv_status svm_near_open(MPI_Comm comm, struct svm_near *out)
{
    MPI_Group all, node;
    int size = 0;
    sv_status status;

    *out = (struct svm_near){.comm = MPI_COMM_NULL, .window = MPI_WIN_NULL};
    if ((status = svm_of_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &out->comm),
                             "MPI_Comm_split_type")))
        return status;
    MPI_Comm_set_errhandler(out->comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(comm, &size);

    int *ranks = malloc((size_t)size * sizeof *ranks);

    out->ranks = malloc((size_t)size * sizeof *out->ranks);
    if (ranks == NULL || out->ranks == NULL) {
        free(ranks);
        return svm_fail(SV_ERROR_MEMORY, "no memory for the numbers of %d ranks", size);
    }
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    MPI_Comm_group(comm, &all);
    MPI_Comm_group(out->comm, &node);
    status = svm_of_mpi(MPI_Group_translate_ranks(all, size, ranks, node, out->ranks), "MPI_Group_translate_ranks");
    MPI_Group_free(&all);
    MPI_Group_free(&node);
    free(ranks);
    return status;
}

/* Every sender tells where its slots are. */
static sv_status find_slots(struct sv_mpi_plan *plan)
{
    const int64_t count = plan->sends.count + plan->receives.count;
    struct place *places = malloc((size_t)(count + 1) * sizeof *places);
    MPI_Request *requests = malloc((size_t)(count + 1) * sizeof *requests);
    int pending = 0;
    sv_status status = SV_OK;

    if (places == NULL || requests == NULL)
        status = svm_fail(SV_ERROR_MEMORY, "no memory for the places of messages");
    status = svm_agree(plan->comm, plan->rank, status, 0);
    for (int64_t i = 0; i < plan->receives.count && status == SV_OK; i++)
        if (plan->receives.items[i].is_near)
            status = svm_of_mpi(MPI_Irecv(&places[i], sizeof *places, MPI_BYTE, plan->receives.items[i].rank, PLACE_TAG,
                                          plan->comm, &requests[pending++]),
                                "MPI_Irecv");
    for (int64_t i = 0; i < plan->sends.count && status == SV_OK; i++) {
        const struct svm_message *message = &plan->sends.items[i];
        struct place *place = &places[plan->receives.count + i];

        *place = (struct place){message->slot, message->slot_size};
        if (message->is_near)
            status = svm_of_mpi(
                MPI_Isend(place, sizeof *place, MPI_BYTE, message->rank, PLACE_TAG, plan->comm, &requests[pending++]),
                "MPI_Isend");
    }
    for (int i = 0; i < pending && status == SV_OK; i++)
        status = svm_of_mpi(MPI_Wait(&requests[i], MPI_STATUS_IGNORE), "MPI_Wait");
    for (int64_t i = 0; i < plan->receives.count && status == SV_OK; i++) {
        struct svm_message *message = &plan->receives.items[i];
        MPI_Aint nbytes;
        char *base;
        int unit;

        if (!message->is_near)
            continue;
        status =
            svm_of_mpi(MPI_Win_shared_query(plan->near.window, plan->near.ranks[message->rank], &nbytes, &unit, &base),
                       "MPI_Win_shared_query");
        message->shared = base + places[i].offset;
        message->slot_size = places[i].slot_size;
    }
    free(requests);
    free(places);
    return status;
}

sv_status svm_near_share(struct sv_mpi_plan *plan)
{
    struct svm_near *near = &plan->near;
    char *base = NULL;
    sv_status status = svm_of_mpi(
        MPI_Win_allocate_shared((MPI_Aint)plan->near_bytes, 1, MPI_INFO_NULL, near->comm, &base, &near->window),
        "MPI_Win_allocate_shared");

    if (status == SV_OK)
        status = svm_of_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, near->window), "MPI_Win_lock_all");
    if ((status = svm_agree(plan->comm, plan->rank, status, 0)))
        return status;
    for (int64_t i = 0; i < plan->sends.count; i++)
        if (plan->sends.items[i].is_near)
            plan->sends.items[i].shared = base + plan->sends.items[i].slot;
    return svm_agree(plan->comm, plan->rank, find_slots(plan), 0);
}

void svm_near_close(struct svm_near *near)
{
    if (near->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(near->window);
        MPI_Win_free(&near->window);
    }
    if (near->comm != MPI_COMM_NULL)
        MPI_Comm_free(&near->comm);
    free(near->ranks);
    near->ranks = NULL;
}
