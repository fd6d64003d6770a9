/* Communicators of our own. */
#ifndef SVM_COMM_H
#define SVM_COMM_H

#include <sv_mpi.h>

/* A duplicate of a communicator, which returns errors. Collective. */
sv_status svm_comm_duplicate(MPI_Comm comm, MPI_Comm *out);

/* The same, of what a caller gave, and who is in it. */
sv_status svm_comm_open(MPI_Comm comm, MPI_Comm *out, int32_t *rank, int32_t *size);

/* The tag of what tells that MPI failed on a rank, in communicators of plans and halos. */
enum { SVM_TAG_FAILED = 0 };

/* Tell all other ranks, as far as MPI still can: there is nothing left to tell its failure by. */
void svm_comm_tell_others(MPI_Comm comm, int32_t rank, int32_t size);

/* Let MPI make progress. */
void svm_comm_go_on(MPI_Comm comm);

#endif
