/* How the chunks of a message travel. */
#ifndef SVM_CHUNKS_H
#define SVM_CHUNKS_H

#include "failure.h"
#include "plan.h"

/* The addresses of the elements [0,...,0]. */
struct svm_ends {
    char *dst;
    const char *src;
};

/* Begin with the next chunk of a slot; *request is left as it is where there is none left. A copy that fails is kept in
 * `failure`, and the chunk goes its way: another rank waits for it. SV_ERROR_MPI where MPI fails. */
sv_status svm_chunk_start(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                          const struct svm_ends *ends, MPI_Request *request, struct svm_failure *failure);

/* The request of a slot is done: what came is unpacked, and the slot of its sender is free again. */
sv_status svm_chunk_take(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                         const struct svm_ends *ends, struct svm_failure *failure);

#endif
