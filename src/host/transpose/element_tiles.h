/* Elements of odd sizes that are a matrix. */
#ifndef SVI_HOST_TRANSPOSE_ELEMENT_TILES_H
#define SVI_HOST_TRANSPOSE_ELEMENT_TILES_H

#include <stdbool.h>

#include "host/loop/loop.h"
#include "host/transpose/blocking.h"
#include "plan/plan.h"

/* Whether items or short rows, not of a tile's size, have one order in the source and another in the destination. */
bool svi_is_odd(const struct svi_plan *plan);

/* The same of elements of odd sizes, or of rows as elements of a plan of their own. False where it is not that. */
bool svi_odd_matrix(const struct svi_host_copy *c, struct svi_plan *plan, struct svi_matrix *m);

/* A reason that several loops have: such elements are in cache, or their rows are stored as whole lines. */
svi_host_question svi_refuses_odd;

#endif
