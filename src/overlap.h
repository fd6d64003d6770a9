/* Do elements share bytes? Exact within a work limit, else SV_MAYBE. */
#ifndef SVI_OVERLAP_H
#define SVI_OVERLAP_H

#include "layout.h"

/* Steps after which the answer is SV_MAYBE, unless the caller sets another number. sv.h tells it. */
enum { SVI_OVERLAP_WORK = 100000 };

/* The number of steps that a caller's work limit means. */
sv_status svi_overlap_work(int64_t work, int64_t *steps);

/* Do any two different indices of one layout share a byte? */
sv_answer svi_overlap_self(const sv_layout *layout, int64_t work);

/* Do elements of two (address of the base, layout) share a byte? */
sv_answer svi_overlap_two(uintptr_t address, const sv_layout *layout, uintptr_t other_address, const sv_layout *other,
                          int64_t work);

#endif
