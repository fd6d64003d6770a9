/* Solves a bounded linear Diophantine equation by the cheapest method that decides it. Called by overlap.c. */
#ifndef SVI_DIOPHANTINE_SOLVE_H
#define SVI_DIOPHANTINE_SOLVE_H

#include "overlap/diophantine.h"

/* Simplifies e in place and solves it. Subtracts its steps from *work, and returns SV_MAYBE when none are left. */
sv_answer svi_diophantine_solve(struct svi_diophantine *e, int64_t *work);

#endif
