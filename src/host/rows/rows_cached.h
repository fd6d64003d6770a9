/* Contiguous copies in cache, for plans that call a function directly. */
#ifndef SVI_HOST_ROWS_ROWS_CACHED_H
#define SVI_HOST_ROWS_ROWS_CACHED_H

#include "host/base/isa.h"
#include "plan/plan.h"

/* The function that runs a plan of the class CONTIGUOUS in cache. */
svi_run *svi_dense_run(const struct svi_isa *isa, const struct svi_plan *plan);

#endif
