/* Memory that the ranks of one machine share: what they tell each other, and messages that no MPI copies. */
#ifndef SVM_NEAR_H
#define SVM_NEAR_H

#include "signals.h"

struct svm_near {
    MPI_Comm comm; /* of the ranks of this machine */
    int size, own; /* their number, and that of this rank in comm */
    int *ranks; /* of all ranks, their number in comm, or MPI_UNDEFINED; NULL: nothing is shared */
    MPI_Win window;
    char **bases; /* of each rank of comm, what it has of the window; NULL: there is no window */
};

/* Of a message: where its signals begin in what the sender has of the window, and how large its slots are. */
struct svm_slots {
    int64_t offset, slot_size;
};

/* The ranks of this machine. Collective. */
sv_status svm_near_open(MPI_Comm comm, struct svm_near *out);

/* Take memory that the others of this machine see, nbytes of this rank. Collective in comm, of which `rank` is this one: all
 * of its ranks get the failure of one. */
sv_status svm_near_allocate(MPI_Comm comm, int32_t rank, int64_t nbytes, struct svm_near *near);

/* What this rank tells each one of the machine, and what it does with what each has told it, by the numbers of ranks in
 * near->comm. told is all 0 before it is written; both can be changed when they are heard. */
struct svm_telling {
    void (*tell)(void *owner, struct svm_slots *told);
    void (*hear)(void *owner, struct svm_slots *told, struct svm_slots *found);
};

/* Tell each other. Collective in comm, of which `rank` is this one: when it returns, all have heard, or all get the failure
 * of one. */
sv_status svm_near_tell(MPI_Comm comm, int32_t rank, const struct svm_near *near, const struct svm_telling *telling,
                        void *owner);

void svm_near_close(struct svm_near *near);

#endif
