/*
 * Lenstra's algorithm for integer programs with a fixed number of variables. It decides a bounded linear Diophantine
 * equation of few terms, however large the numbers are. Called by diophantine_solve.c.
 */
#ifndef SVI_LENSTRA_H
#define SVI_LENSTRA_H

#include "overlap/lattice_basis.h"
#include "overlap/diophantine.h"

enum { SVI_LENSTRA_MAX_TERMS = SVI_LATTICE_MAX_VECTORS };

/*
 * Solves e, which is simplified (0 < low <= high < reach) and has at most SVI_LENSTRA_MAX_TERMS terms. Subtracts a step
 * from *work for each hyperplane and REDUCTION_COST_STEPS for each reduction. SV_MAYBE while work is left means that
 * the numbers are out of the range of floating point.
 */
sv_answer svi_lenstra_solve(const struct svi_diophantine *e, int64_t *work);

#endif
