/* Communicators of our own. */
#include "comm.h"

#include "failure.h"

sv_status svm_comm_duplicate(MPI_Comm comm, MPI_Comm *out)
{
    const sv_status status = svm_of_mpi(MPI_Comm_dup(comm, out), "MPI_Comm_dup");

    if (status == SV_OK)
        MPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN);
    return status;
}

sv_status svm_comm_open(MPI_Comm comm, MPI_Comm *out, int32_t *rank, int32_t *size)
{
    int is_inter = 0, number = 0, count = 0;
    sv_status status;

    if (comm == MPI_COMM_NULL)
        return svm_fail(SV_ERROR_NULL, "comm is MPI_COMM_NULL");
    if ((status = svm_of_mpi(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter")))
        return status;
    if (is_inter)
        return svm_fail(SV_ERROR_UNSUPPORTED, "comm is an inter-communicator");
    if ((status = svm_comm_duplicate(comm, out)))
        return status;
    MPI_Comm_rank(*out, &number);
    MPI_Comm_size(*out, &count);
    *rank = number;
    *size = count;
    return SV_OK;
}

void svm_comm_tell_others(MPI_Comm comm, int32_t rank, int32_t size)
{
    for (int other = 0; other < size; other++) {
        MPI_Request request;

        if (other != rank && MPI_Isend(NULL, 0, MPI_BYTE, other, SVM_TAG_FAILED, comm, &request) == MPI_SUCCESS)
            MPI_Request_free(&request);
    }
}

void svm_comm_go_on(MPI_Comm comm)
{
    int is_there;

    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, MPI_STATUS_IGNORE);
}
