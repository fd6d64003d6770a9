/* A window of shared memory, of which each rank has what it sends; receivers learn where their chunks lie in it. */
#include "near.h"

#include <stdlib.h>

#include "agree.h"
#include "failure.h"

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

/* --- slots -------------------------------------------------------------------- */

/* Every rank tells each other one where the slots of the message to it are. */
static sv_status exchange_places(const struct sv_mpi_plan *plan, struct place *told, struct place *found)
{
    const struct svm_near *near = &plan->near;

    for (int64_t i = 0; i < plan->sends.count; i++) {
        const struct svm_message *message = &plan->sends.items[i];

        if (message->is_near)
            told[near->ranks[message->rank]] = (struct place){message->slot, message->slot_size};
    }
    return svm_of_mpi(MPI_Alltoall(told, sizeof *told, MPI_BYTE, found, sizeof *found, MPI_BYTE, near->comm),
                      "MPI_Alltoall");
}

static sv_status find_slots(struct sv_mpi_plan *plan, const struct place *found, char *base)
{
    const struct svm_near *near = &plan->near;
    sv_status status = SV_OK;

    for (int64_t i = 0; i < plan->sends.count; i++)
        if (plan->sends.items[i].is_near)
            plan->sends.items[i].shared = base + plan->sends.items[i].slot;
    for (int64_t i = 0; i < plan->receives.count && status == SV_OK; i++) {
        struct svm_message *message = &plan->receives.items[i];
        MPI_Aint nbytes;
        char *other = NULL;
        int unit;

        if (!message->is_near)
            continue;
        status = svm_of_mpi(MPI_Win_shared_query(near->window, near->ranks[message->rank], &nbytes, &unit, &other),
                            "MPI_Win_shared_query");
        message->shared = other + found[near->ranks[message->rank]].offset;
        message->slot_size = found[near->ranks[message->rank]].slot_size;
    }
    return status;
}

static sv_status share_slots(struct sv_mpi_plan *plan, char *base)
{
    int size = 0;

    MPI_Comm_size(plan->near.comm, &size);

    struct place *places = calloc(2 * (size_t)size, sizeof *places);
    sv_status status = places != NULL ? SV_OK : svm_fail(SV_ERROR_MEMORY, "no memory for the places of messages");

    if ((status = svm_agree(plan->comm, plan->rank, status, 0)) == SV_OK &&
        (status = exchange_places(plan, places, places + size)) == SV_OK)
        status = find_slots(plan, places + size, base);
    free(places);
    return svm_agree(plan->comm, plan->rank, status, 0);
}

/* --- windows ------------------------------------------------------------------ */

sv_status svm_near_allocate(struct svm_near *near, int64_t nbytes, char **base)
{
    sv_status status =
        svm_of_mpi(MPI_Win_allocate_shared((MPI_Aint)nbytes, 1, MPI_INFO_NULL, near->comm, base, &near->window),
                   "MPI_Win_allocate_shared");

    if (status != SV_OK) {
        near->window = MPI_WIN_NULL;
        return status;
    }
    MPI_Win_set_errhandler(near->window, MPI_ERRORS_RETURN);
    return svm_of_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, near->window), "MPI_Win_lock_all");
}

sv_status svm_near_share(struct sv_mpi_plan *plan)
{
    struct svm_near *near = &plan->near;
    char *base = NULL;
    sv_status status = svm_agree(plan->comm, plan->rank, svm_near_allocate(near, plan->near_bytes, &base), 0);

    if (status != SV_OK) {
        near->window = MPI_WIN_NULL; /* to free it takes all its ranks, of which some may have none */
        return status;
    }
    return share_slots(plan, base);
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
