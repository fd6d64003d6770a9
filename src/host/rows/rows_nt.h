/* Rows that are stored as whole lines. */
#ifndef SVI_HOST_ROWS_ROWS_NT_H
#define SVI_HOST_ROWS_ROWS_NT_H

#include "host/machine/machine.h"
#include "plan/plan.h"

/* Whether the rows of ROWS, the last axis, are whole lines of the destination. */
bool svi_has_lines(const struct svi_plan *plan, const char *dst);

/* Whether they are a multiple of 16 bytes, aligned to 16, and contiguous there. */
bool svi_is_dense(const struct svi_plan *plan, const char *dst);

/* Whether they are contiguous there, wherever they begin, and lines that two of them share are stored non-temporally. */
bool svi_is_joined(const struct svi_machine *machine, const struct svi_plan *plan);

#endif
