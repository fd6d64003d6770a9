/* What sv_mpi_plan_new() is given. */
#ifndef SVM_ARGUMENTS_H
#define SVM_ARGUMENTS_H

#include "distribution.h"

struct svm_arguments {
    const struct sv_mpi_distribution *to, *from;
    const sv_view *dst, *src;
    int32_t axes[SVM_MAX_NDIM]; /* 0 to ndim - 1 each, once they are checked */
    uint32_t flags;
    int64_t chunk;
};

/* Checks all but `axes`, which it checks and keeps. `rank` and `size` are those of the communicator. */
sv_status svm_arguments_check(struct svm_arguments *arguments, const int32_t *axes, int32_t rank, int32_t size);

/* Of all that ranks have to be given alike. */
uint64_t svm_arguments_hash(const struct svm_arguments *arguments);

/* Bytes of an element on its way: those of the smaller side. */
int64_t svm_arguments_itemsize(const struct svm_arguments *arguments);

#endif
