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

#endif
