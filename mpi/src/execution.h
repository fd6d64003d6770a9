/* One execution of a plan. */
#ifndef SVM_EXECUTION_H
#define SVM_EXECUTION_H

#include "chunks.h"
#include "request.h"
#include "traffic.h"

enum svm_stage {
    SVM_ASKING, /* whether all ranks come with arguments that are right */
    SVM_MOVING, /* chunks */
    SVM_CLOSING /* the ranks tell each other how it went */
};

struct svm_execution {
    struct sv_mpi_request request;
    struct sv_mpi_plan *plan; /* a reference */
    sv_view *dst, *src;       /* references */
    struct svm_ends ends;
    enum svm_stage stage;
    struct svm_vote vote;
    struct svm_failure failure; /* the first one of this rank */
    struct svm_traffic traffic; /* chunks that are under way */
};

#endif
