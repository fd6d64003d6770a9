/* What all ranks find out together. */
#ifndef SVM_AGREE_H
#define SVM_AGREE_H

#include <sv_mpi.h>

/* Collective: SV_OK where every rank comes with SV_OK and the same hash. Else the caller's own status, or SV_ERROR_STATE
 * where it is others that refused, or that came with another hash. */
sv_status svm_agree(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash);

uint64_t svm_hash(uint64_t hash, const void *bytes, size_t nbytes);

#endif
