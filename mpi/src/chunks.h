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

/* Begin with the next chunk of a slot, if there is one left: then it is under way, far ones by *request. A copy that fails
 * is kept in `failure`, and the chunk goes its way: another rank waits for it. SV_ERROR_MPI where MPI fails. */
sv_status svm_chunk_start(const struct sv_mpi_plan *plan, struct svm_message *message, int slot,
                          const struct svm_ends *ends, MPI_Request *request, struct svm_failure *failure);

/* Of a message between ranks of one machine: whether the chunk that is under way in a slot has come, or has been taken. */
bool svm_chunk_is_there(const struct svm_message *message, int slot);

/* The chunk of a slot is there: what came is unpacked, and the slot of its sender is free again. */
void svm_chunk_take(const struct sv_mpi_plan *plan, struct svm_message *message, int slot, const struct svm_ends *ends,
                    struct svm_failure *failure);

#endif
