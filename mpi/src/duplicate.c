/* Duplicates of callers' communicators, as attributes of these. */
#include "duplicate.h"

#include <stdlib.h>

#include "agree.h"

static _Atomic int kept_keyval = MPI_KEYVAL_INVALID;

void svm_duplicate_release(struct svm_duplicate *duplicate)
{
    if (--duplicate->references > 0)
        return;
    MPI_Comm_free(&duplicate->comm);
    free(duplicate);
}

/* The communicator is freed. */
static int drop(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    svm_duplicate_release(value);
    return MPI_SUCCESS;
}

/* The key of the attribute, made once in a process, also where two threads come at once. */
static sv_status find_keyval(int *out)
{
    int kept = kept_keyval, made;
    sv_status status;

    if (kept == MPI_KEYVAL_INVALID) {
        if ((status = svm_of_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &made, NULL),
                                 "MPI_Comm_create_keyval")))
            return status;
        if (__atomic_compare_exchange_n(&kept_keyval, &kept, made, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            kept = made;
        else
            MPI_Comm_free_keyval(&made);
    }
    *out = kept;
    return SV_OK;
}

/* All ranks make one, or none does: what MPI allocates for an attribute is not agreed on. */
static sv_status make(MPI_Comm comm, int keyval, struct svm_duplicate **out)
{
    struct svm_duplicate *made = malloc(sizeof *made);
    struct svm_duplicate it = {.references = 1};
    sv_status status = svm_of_mpi(MPI_Comm_dup(comm, &it.comm), "MPI_Comm_dup");

    if (status != SV_OK) {
        free(made);
        return status;
    }
    MPI_Comm_set_errhandler(it.comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(it.comm, &it.rank);
    MPI_Comm_size(it.comm, &it.size);
    if (made == NULL)
        status = svm_fail(SV_ERROR_MEMORY, "no memory for a communicator");
    if ((status = svm_agree(it.comm, it.rank, status, 0))) {
        MPI_Comm_free(&it.comm);
        free(made);
        return status;
    }
    it.board = (struct svm_board){.comm = it.comm, .rank = it.rank};
    *made = it;
    *out = made;
    return svm_of_mpi(MPI_Comm_set_attr(comm, keyval, made), "MPI_Comm_set_attr");
}

sv_status svm_duplicate_of(MPI_Comm comm, struct svm_duplicate **out)
{
    struct svm_duplicate *found = NULL;
    int keyval = MPI_KEYVAL_INVALID, is_there = 0;
    sv_status status = find_keyval(&keyval);

    if (status == SV_OK)
        status = svm_of_mpi(MPI_Comm_get_attr(comm, keyval, &found, &is_there), "MPI_Comm_get_attr");
    if (status == SV_OK && !is_there)
        status = make(comm, keyval, &found);
    if (status != SV_OK)
        return status;
    found->references++;
    *out = found;
    return SV_OK;
}
