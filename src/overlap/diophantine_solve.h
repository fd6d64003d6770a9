/* Solving equations: by the cheapest method that decides them. */
#ifndef SVI_DIOPHANTINE_SOLVE_H
#define SVI_DIOPHANTINE_SOLVE_H

#include "overlap/diophantine.h"

/* Uses e up. Takes its steps from *work; SV_MAYBE when they are spent. */
sv_answer svi_diophantine_solve(struct svi_diophantine *e, int64_t *work);

#endif
