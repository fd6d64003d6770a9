/* A duplicate of a caller's communicator, for broadcasts that are under way. */
#ifndef SVM_DUPLICATE_H
#define SVM_DUPLICATE_H

#include "vote.h"

struct svm_broadcast;

struct svm_duplicate {
    MPI_Comm comm;
    int64_t references; /* one of the communicator that it was made of, and one of each broadcast */
    int rank, size;
    struct svm_board board;
    struct svm_broadcast *first, *last; /* those on which ranks have not agreed yet, in the order of their calls */
};

/* That of a communicator, with one reference more. It is made in the first call, which is collective, and kept as an
 * attribute of the communicator until that is freed. All ranks get the failure of one. */
sv_status svm_duplicate_of(MPI_Comm comm, struct svm_duplicate **out);

void svm_duplicate_release(struct svm_duplicate *duplicate);

#endif
