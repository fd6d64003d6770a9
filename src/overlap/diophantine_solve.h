/* Solving equations: by the cheapest method that decides them. */
#ifndef SVI_SEARCH_H
#define SVI_SEARCH_H

#include "overlap/diophantine.h"

/* Uses e up. Takes its steps from *work; SV_MAYBE when they are spent. */
sv_answer svi_equation_solve(struct svi_equation *e, int64_t *work);

#endif
