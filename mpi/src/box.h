/* Boxes of elements, and plans of copies between them. */
#ifndef SVM_BOX_H
#define SVM_BOX_H

#include "distribution.h"

/* Extents and byte strides of some elements. */
struct svm_box {
    int32_t ndim;
    int64_t shape[2 * SVM_MAX_NDIM], strides[2 * SVM_MAX_NDIM];
};

int64_t svm_box_size(const struct svm_box *box);

/* Whether the elements follow one another without gaps, in the order of the axes. */
bool svm_box_is_run(const struct svm_box *box, int64_t itemsize);

/* Gives the box the strides of such elements. */
void svm_box_make_run(struct svm_box *box, int64_t itemsize);

/* Plan the copy from one box to another; dtypes, devices and addresses to plan for are those of the views. */
sv_status svm_box_plan(const sv_view *dst, const struct svm_box *dst_box, const sv_view *src,
                       const struct svm_box *src_box, uint32_t flags, sv_plan **out);

#endif
