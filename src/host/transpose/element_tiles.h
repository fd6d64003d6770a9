/* Transposes of elements of odd sizes, or of short rows, as a matrix. */
#ifndef SVI_HOST_TRANSPOSE_ELEMENT_TILES_H
#define SVI_HOST_TRANSPOSE_ELEMENT_TILES_H

#include <stdbool.h>

#include "host/loop/loop.h"
#include "host/transpose/blocking.h"
#include "plan/plan.h"

/* Whether items or short rows, of no tile's size, are a run of another axis in the source than in the destination. */
bool svi_is_odd(const struct svi_plan *plan);

/* Makes that matrix, and a plan of which rows are the elements. False: the copy is no such transpose. */
bool svi_odd_matrix(const struct svi_host_copy *c, struct svi_plan *plan, struct svi_matrix *m);

/* A reason of several loops to refuse: such elements are in cache, or their rows are stored as whole lines. */
svi_host_question svi_refuses_odd;

#endif
