/* Decides equations of few terms, however large their numbers are. */
#ifndef SVI_LATTICE_H
#define SVI_LATTICE_H

#include "overlap/lattice_basis.h"
#include "overlap/diophantine.h"

enum { SVI_LATTICE_TERMS = SVI_BASIS_VECTORS };

/*
 * e: shortened, at most SVI_LATTICE_TERMS terms, 0 < low <= high < reach. Takes a step from *work for each point looked
 * at. SV_MAYBE with work left: the numbers are too far apart for it.
 */
sv_answer svi_lattice_solve(const struct svi_equation *e, int64_t *work);

#endif
