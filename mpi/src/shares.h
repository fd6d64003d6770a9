/* How many elements each part of one distribution shares with each part of another one. */
#ifndef SVM_SHARES_H
#define SVM_SHARES_H

#include "distribution.h"

/* Elements are shared along each axis by itself: the number of two parts is the product over the axes. */
struct svm_shares {
    const struct sv_mpi_distribution *to, *from; /* borrowed */
    int32_t axes[SVM_MAX_NDIM];                  /* axis k of to is axis axes[k] of from */
    int64_t *counts[SVM_MAX_NDIM]; /* of axis k of to: [process of to][process of from], shared indices of the axis */
};

/* SV_ERROR_MEMORY; `out` is to be freed then, too. */
sv_status svm_shares_find(const struct sv_mpi_distribution *to, const struct sv_mpi_distribution *from,
                          const int32_t *axes, struct svm_shares *out);

void svm_shares_free(struct svm_shares *shares);

/* Elements of a part of to that a rank has in from. */
int64_t svm_shares_of(const struct svm_shares *shares, int32_t part, int32_t rank);

/* What a visit of svm_shares_visit() is told: that a part of to shares elements with a rank. */
typedef void svm_shares_visitor(void *context, int32_t part, int32_t rank, int64_t elements);

/* Visit all ranks that share elements with a part, or all parts that share elements with a rank, in no useful order. Only
 * ranks that have a part of to are told. */
void svm_shares_visit_ranks(const struct svm_shares *shares, int32_t part, svm_shares_visitor *visit, void *context);
void svm_shares_visit_parts(const struct svm_shares *shares, int32_t rank, svm_shares_visitor *visit, void *context);

#endif
