/* Do elements share bytes? Exact within a work limit, else SVI_MAYBE. */
#ifndef SVI_OVERLAP_H
#define SVI_OVERLAP_H

#include "layout.h"

enum { SVI_NO = 0, SVI_YES = 1, SVI_MAYBE = 2 };

/* Steps of the search after which the answer is SVI_MAYBE. */
enum { SVI_OVERLAP_WORK = 100000 };

/* Do any two different indices of one layout share a byte? */
int32_t svi_overlap_self(const sv_layout *layout, int64_t work);

/* Do elements of two (address of the base, layout) share a byte? */
int32_t svi_overlap_two(uintptr_t base, const sv_layout *layout, uintptr_t other_base, const sv_layout *other, int64_t work);

#endif
