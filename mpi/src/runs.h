/* What two processes share of an axis that is dealt out in two ways, as runs. */
#ifndef SVM_RUNS_H
#define SVM_RUNS_H

#include "distribution.h"

/* After how many indices both ways to deal an axis out begin again; INT64_MAX where that is not within its extent. */
int64_t svm_axes_period(const struct svm_axis *dst, const struct svm_axis *src);

/* `count` pieces of `extent` elements each, in equal steps: from one side's local index on, and from the other's. */
struct svm_run {
    int64_t extent, count;
    int64_t dst, dst_step; /* the first local index, and the step to the next piece; 0 where there is only one */
    int64_t src, src_step;
};

struct svm_runs {
    struct svm_run *items;
    int64_t count, capacity;
};

/* The elements that process `to` of dst gets from process `from` of src, as few runs in an order that is the same on both
 * sides. SV_ERROR_MEMORY; `out` is to be freed then, too. */
sv_status svm_runs_find(const struct svm_axis *dst, int64_t to, const struct svm_axis *src, int64_t from,
                        struct svm_runs *out);

void svm_runs_free(struct svm_runs *runs);

#endif
