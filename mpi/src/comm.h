/* Communicators of our own. */
#ifndef SVM_COMM_H
#define SVM_COMM_H

#include <sv_mpi.h>

/* A duplicate of a communicator, which returns errors. Collective. */
sv_status svm_comm_duplicate(MPI_Comm comm, MPI_Comm *out);

/* The same, of what a caller gave, and who is in it. */
sv_status svm_comm_open(MPI_Comm comm, MPI_Comm *out, int32_t *rank, int32_t *size);

#endif
