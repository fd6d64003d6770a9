/* How a rank waits until another one of its machine has written to memory that both see. */
#ifndef SVM_PAUSE_H
#define SVM_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

/* Looks in vain, one after another; all 0 at the beginning. */
struct svm_pause {
    int64_t looks;
};

/* Whether MPI is called now, to make progress: the other rank may wait for a message of this one. */
bool svm_pause_is_for_mpi(const struct svm_pause *pause);

/* After a look in vain. From some on, other processes may have the processor: the other rank may be one of them. */
void svm_pause(struct svm_pause *pause);

#endif
