/* The receive by which a rank learns that MPI failed on another one, once. */
#ifndef SVM_LISTENER_H
#define SVM_LISTENER_H

#include <sv_mpi.h>

struct svm_listener {
    MPI_Request *request; /* where the caller polls it; NULL: it is not open */
    struct svm_listener *next, **link; /* of all of the process; what points to this one */
};

/* Listen in a communicator of a plan or halo. Neither the listener nor the request may move until it is closed. */
sv_status svm_listener_open(MPI_Comm comm, MPI_Request *request, struct svm_listener *out);

void svm_listener_close(struct svm_listener *listener);

#endif
