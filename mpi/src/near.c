/* A window of shared memory, of which each rank has what it sends. */
#include "near.h"

#include <stdlib.h>

#include "agree.h"
#include "failure.h"

enum { ALIGNMENT = _Alignof(struct svm_signals) }; /* bytes, of what a rank has of a window */

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
    MPI_Comm_size(out->comm, &out->size);
    MPI_Comm_rank(out->comm, &out->own);
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

/* --- windows ------------------------------------------------------------------ */

/* The signals are loads and stores, which others see where the window has one memory model with theirs. */
static sv_status check_model(MPI_Win window)
{
    int *model, is_known = 0;
    const sv_status status = svm_of_mpi(MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &is_known), "MPI_Win_get_attr");

    if (status != SV_OK || (is_known && *model == MPI_WIN_UNIFIED))
        return status;
    return svm_fail(SV_ERROR_UNSUPPORTED, "the memory of windows is not that of the processor");
}

/* Open MPI's windows begin anywhere. All processes have the same place by that, since they map whole pages. */
static sv_status find_bases(struct svm_near *near)
{
    sv_status status = SV_OK;

    if ((near->bases = malloc((size_t)near->size * sizeof *near->bases)) == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the addresses of %d ranks", near->size);
    for (int i = 0; i < near->size && status == SV_OK; i++) {
        MPI_Aint nbytes;
        int unit;

        status =
            svm_of_mpi(MPI_Win_shared_query(near->window, i, &nbytes, &unit, &near->bases[i]), "MPI_Win_shared_query");
        if (status == SV_OK)
            near->bases[i] += -(uintptr_t)near->bases[i] % ALIGNMENT;
    }
    return status;
}

static sv_status open_window(int64_t nbytes, struct svm_near *near)
{
    char *base;
    sv_status status = svm_of_mpi(
        MPI_Win_allocate_shared((MPI_Aint)(nbytes + ALIGNMENT), 1, MPI_INFO_NULL, near->comm, &base, &near->window),
        "MPI_Win_allocate_shared");

    if (status != SV_OK)
        return status;
    MPI_Win_set_errhandler(near->window, MPI_ERRORS_RETURN);
    if ((status = svm_of_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, near->window), "MPI_Win_lock_all")) == SV_OK &&
        (status = check_model(near->window)) == SV_OK)
        status = find_bases(near);
    return status;
}

sv_status svm_near_allocate(MPI_Comm comm, int32_t rank, int64_t nbytes, struct svm_near *near)
{
    const sv_status status = svm_agree(comm, rank, open_window(nbytes, near), 0);

    if (status != SV_OK) {
        near->window = MPI_WIN_NULL; /* to free it takes all its ranks, of which some may have none */
        free(near->bases);
        near->bases = NULL;
    }
    return status;
}

sv_status svm_near_tell(MPI_Comm comm, int32_t rank, const struct svm_near *near, const struct svm_telling *telling,
                        void *owner)
{
    struct svm_slots *told = calloc(2 * (size_t)near->size, sizeof *told);
    sv_status status = told != NULL ? SV_OK : svm_fail(SV_ERROR_MEMORY, "no memory for the places of messages");

    if ((status = svm_agree(comm, rank, status, 0)) == SV_OK) {
        struct svm_slots *found = told + near->size;

        telling->tell(owner, told);
        status = svm_of_mpi(MPI_Alltoall(told, sizeof *told, MPI_BYTE, found, sizeof *found, MPI_BYTE, near->comm),
                            "MPI_Alltoall");
        if (status == SV_OK)
            telling->hear(owner, told, found);
        status = svm_agree(comm, rank, status, 0);
    }
    free(told);
    return status;
}

void svm_near_close(struct svm_near *near)
{
    if (near->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(near->window);
        MPI_Win_free(&near->window);
    }
    if (near->comm != MPI_COMM_NULL)
        MPI_Comm_free(&near->comm);
    free(near->bases);
    free(near->ranks);
    near->bases = NULL;
    near->ranks = NULL;
}
