/* How a rank waits until another one of its machine has written to memory that both see. */
#ifndef SVM_PAUSE_H
#define SVM_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

/* Looks in vain, one after another; all 0 at the beginning. */
struct svm_pause {
    int64_t looks;
};

/* Whether it is MPI's turn. It has to be given some, since it may have to go on with what the other rank waits for. */
bool svm_pause_is_for_mpi(const struct svm_pause *pause);

/* After a look in vain. From some on, other processes may have the processor: the other rank may be one of them. */
void svm_pause(struct svm_pause *pause);

#endif
