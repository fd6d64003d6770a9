/* What all ranks find out together. */
#ifndef SVM_AGREE_H
#define SVM_AGREE_H

#include <sv_mpi.h>

/* Collective: one reduction, after which svm_vote_result() holds. */
sv_status svm_agree(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash);

uint64_t svm_hash(uint64_t hash, const void *bytes, size_t nbytes);

#endif
