/* What is under way: a message, a broadcast, or an execution of a plan. */
#ifndef SVM_REQUEST_H
#define SVM_REQUEST_H

#include <stdbool.h>

#include "failure.h"

/* The first member of each kind of request. */
struct sv_mpi_request {
    /* Goes on until the work has ended, or, unless `is_waiting`, as far as nothing has to be waited for. *done is set
     * where it has ended, with success or with the failure that is returned. */
    sv_status (*advance)(struct sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *came);
    /* Frees all that the request has. */
    void (*end)(struct sv_mpi_request *request);
};

/* MPI_Wait() or MPI_Test(). */
sv_status svm_request_poll(MPI_Request *request, bool is_waiting, bool *done, MPI_Status *came);

/* MPI_Waitany() or MPI_Testany(); *number is below 0 where none is done. */
sv_status svm_request_poll_any(int count, MPI_Request *requests, bool is_waiting, int *number, MPI_Status *came);

/* Give a message up, if it is under way. A receive writes nothing any more; what is sent cannot be called back. */
void svm_request_drop(bool is_send, MPI_Request *request);

#endif
