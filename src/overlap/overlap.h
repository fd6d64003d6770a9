/*
 * Whether elements share bytes: two of one layout, or one of each of two layouts. The answers are exact: SV_YES and
 * SV_NO are proved, and SV_MAYBE means that the work limit was used up. SVI_ANSWER_NO_MEMORY means that memory for the
 * search is lacking. Called by the public functions of layouts and views, and by copies whose sides may overlap.
 */
#ifndef SVI_OVERLAP_H
#define SVI_OVERLAP_H

#include "base/checked.h"
#include "overlap/diophantine.h"
#include "layout/layout.h"

/* The default work limit; layout.h states it. */
enum { SVI_OVERLAP_WORK = 100000 };

/* Checks a caller's work limit; 0 becomes the default. */
sv_status svi_overlap_work(int64_t work, int64_t *steps);

/* Whether every stride is larger than the span of all axes after it, as in most layouts. Then no elements share a
 * byte. The sums fit: they are less than upper - lower. */
static inline bool svi_layout_is_nested(const sv_layout *layout)
{
    uint64_t last = (uint64_t)layout->itemsize - 1;

    for (int32_t i = layout->ndim - 1; i >= 0; i--) {
        const uint64_t stride = svi_abs(svi_layout_byte_strides(layout)[i]);

        if (svi_layout_shape(layout)[i] == 1)
            continue;
        if (stride <= last)
            return false;
        last += stride * (uint64_t)(svi_layout_shape(layout)[i] - 1);
    }
    return true;
}

/* Whether the elements at any two different indices of one layout share a byte. */
sv_answer svi_overlap_solve(const sv_layout *layout, int64_t work);

/* The same; layouts that are empty or nested are decided without a call. */
static inline sv_answer svi_overlap_self(const sv_layout *layout, int64_t work)
{
    return layout->extent.size == 0 || svi_layout_is_nested(layout) ? SV_NO : svi_overlap_solve(layout, work);
}

/* Whether an element of one layout shares a byte with one of the other. The addresses are those of their bases. */
sv_answer svi_overlap_two(uintptr_t address, const sv_layout *layout, uintptr_t other_address, const sv_layout *other,
                          int64_t work);

#endif
