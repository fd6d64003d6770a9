/* Do elements share bytes? Exact within a work limit, else SV_MAYBE; or SVI_ANSWER_NO_MEMORY. */
#ifndef SVI_OVERLAP_H
#define SVI_OVERLAP_H

#include "base/checked.h"
#include "overlap/diophantine.h"
#include "layout/layout.h"

/* Steps after which the answer is SV_MAYBE, unless the caller sets another number. sv.h tells it. */
enum { SVI_OVERLAP_WORK = 100000 };

/* The number of steps that a caller's work limit means. */
sv_status svi_overlap_work(int64_t work, int64_t *steps);

/* Whether every axis steps over all that lies within the ones behind it, as in most layouts. The sums fit: they are
 * less than upper - lower. */
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

/* Do any two different indices of one layout share a byte? */
sv_answer svi_overlap_solve(const sv_layout *layout, int64_t work);

static inline sv_answer svi_overlap_self(const sv_layout *layout, int64_t work)
{
    return layout->extent.size == 0 || svi_layout_is_nested(layout) ? SV_NO : svi_overlap_solve(layout, work);
}

/* Do elements of two (address of the base, layout) share a byte? */
sv_answer svi_overlap_two(uintptr_t address, const sv_layout *layout, uintptr_t other_address, const sv_layout *other,
                          int64_t work);

#endif
