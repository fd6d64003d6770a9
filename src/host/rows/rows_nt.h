/* Facts about rows that decide how they are stored beyond the cache. */
#ifndef SVI_HOST_ROWS_ROWS_NT_H
#define SVI_HOST_ROWS_ROWS_NT_H

#include "host/machine/machine.h"
#include "plan/plan.h"

/* Whether the rows of the last axis are whole lines of the destination. */
bool svi_has_lines(const struct svi_plan *plan, const char *dst);

/* Whether the rows are contiguous in the destination, aligned to 16 bytes and a multiple of 16 bytes. */
bool svi_is_dense(const struct svi_plan *plan, const char *dst);

/* Whether the rows are contiguous in the destination, at any alignment, and lines that two of them share are stored by
 * non-temporal stores. */
bool svi_is_joined(const struct svi_machine *machine, const struct svi_plan *plan);

#endif
