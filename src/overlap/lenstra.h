/* Decides equations of few terms, however large their numbers are. */
#ifndef SVI_LENSTRA_H
#define SVI_LENSTRA_H

#include "overlap/lattice_basis.h"
#include "overlap/diophantine.h"

enum { SVI_LENSTRA_MAX_TERMS = SVI_LATTICE_MAX_VECTORS };

/*
 * e: shortened, at most SVI_LENSTRA_MAX_TERMS terms, 0 < low <= high < reach. Takes a step from *work for each point looked
 * at. SV_MAYBE with work left: the numbers are too far apart for it.
 */
sv_answer svi_lenstra_solve(const struct svi_diophantine *e, int64_t *work);

#endif
