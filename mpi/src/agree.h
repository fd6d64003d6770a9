/* What all ranks find out together. */
#ifndef SVM_AGREE_H
#define SVM_AGREE_H

#include "failure.h"

/* An agreement that is under way. */
struct svm_vote {
    int64_t told[3], least[3];
    struct svm_failure own;
    MPI_Request request;
};

/* Collective: SV_OK where every rank comes with SV_OK and the same hash. Else the caller's own status, or SV_ERROR_STATE
 * where it is others that refused, or that came with another hash. */
sv_status svm_agree(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash);

/* The same in two steps: the result is there when vote->request is done. */
sv_status svm_vote_begin(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash, struct svm_vote *vote);
sv_status svm_vote_result(const struct svm_vote *vote);

uint64_t svm_hash(uint64_t hash, const void *bytes, size_t nbytes);

#endif
