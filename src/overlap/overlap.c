/*
 * Writes the question whether elements share bytes as bounded linear Diophantine equations (diophantine.h). The layouts
 * that most programs have are decided before, by their strides and bounds: axes that nest, and layouts whose bytes are
 * apart.
 */
#include "overlap/overlap.h"

#include <inttypes.h>

#include "base/checked.h"
#include "overlap/diophantine_solve.h"

/* Sorts the axes of more than one index by |stride|, the smallest first. bounds are the largest indices. Returns the
 * number of these axes. */
static int32_t sort_moving_axes(const sv_layout *layout, uint64_t *strides, int64_t *bounds)
{
    int32_t count = 0;

    for (int32_t i = 0; i < layout->ndim; i++) {
        uint64_t stride = svi_abs(svi_layout_byte_strides(layout)[i]);
        int32_t place = count;
        if (svi_layout_shape(layout)[i] <= 1)
            continue;
        for (; place > 0 && strides[place - 1] > stride; place--) {
            strides[place] = strides[place - 1];
            bounds[place] = bounds[place - 1];
        }
        strides[place] = stride;
        bounds[place] = svi_layout_shape(layout)[i] - 1;
        count++;
    }
    return count;
}

/* svi_layout_is_nested() of sorted axes. */
static bool are_sorted_axes_nested(int64_t itemsize, int32_t count, const uint64_t *strides, const int64_t *bounds)
{
    uint64_t last = (uint64_t)itemsize - 1;

    for (int32_t i = 0; i < count; i++) {
        if (strides[i] <= last)
            return false;
        last += strides[i] * (uint64_t)bounds[i];
    }
    return true;
}

/*
 * Whether two indices whose last difference is on axis top share a byte. The indices differ by d, where |d[i]| <=
 * bounds[i], and they share a byte iff |sum(strides[i] * d[i])| < itemsize. Since d and -d are alike, d[top] is 1 or
 * more. The equation counts d[top] from 1, and each d[i] below from -bounds[i].
 */
static sv_answer solve_differences(int32_t top, const uint64_t *strides, const int64_t *bounds, int64_t itemsize,
                                   int64_t *work)
{
    svi_wide stride = strides[top];
    struct svi_diophantine e = {.low = 1 - itemsize - stride, .high = itemsize - 1 - stride};

    svi_diophantine_add_term(&e, stride, bounds[top] - 1);
    for (int32_t i = 0; i < top; i++) {
        svi_wide way = (svi_wide)strides[i] * bounds[i];

        svi_diophantine_add_term(&e, strides[i], 2 * (svi_wide)bounds[i]);
        e.low += way;
        e.high += way;
    }
    return svi_diophantine_solve(&e, work);
}

sv_answer svi_overlap_solve(const sv_layout *layout, int64_t work)
{
    uint64_t strides[SV_MAX_NDIM], length;
    int64_t bounds[SV_MAX_NDIM];
    sv_answer answer = SV_NO;
    int32_t count;

    if (layout->extent.size <= 1)
        return SV_NO;
    count = sort_moving_axes(layout, strides, bounds);
    if (are_sorted_axes_nested(layout->itemsize, count, strides, bounds))
        return SV_NO;
    length = (uint64_t)layout->extent.upper - (uint64_t)layout->extent.lower;
    if (strides[0] < (uint64_t)layout->itemsize || (uint64_t)(layout->extent.size * layout->itemsize) > length)
        return SV_YES;
    for (int32_t top = 0; top < count && answer != SV_YES && answer != SVI_ANSWER_NO_MEMORY; top++) {
        sv_answer found = solve_differences(top, strides, bounds, layout->itemsize, &work);

        answer = found == SV_NO ? answer : found;
    }
    return answer;
}

static void add_axes(struct svi_diophantine *e, const sv_layout *layout)
{
    for (int32_t i = 0; i < layout->ndim; i++)
        svi_diophantine_add_term(e, svi_abs(svi_layout_byte_strides(layout)[i]), svi_layout_shape(layout)[i] - 1);
}

/* Whether two layouts share a byte. The lowest byte of other is shift bytes behind the lowest byte of layout. */
static sv_answer solve_shifted(const sv_layout *layout, const sv_layout *other, svi_wide shift, int64_t *work)
{
    svi_wide length = (svi_wide)other->extent.upper - other->extent.lower;
    svi_wide first = shift - other->extent.lower + other->byte_offset + layout->extent.lower - layout->byte_offset;
    struct svi_diophantine e = {.count = 0};

    if (-other->itemsize < first && first < layout->itemsize)
        return SV_YES; /* the elements with all indices 0 */

    /* The axes of other are counted from their ends, so that all terms are positive. */
    e.low = shift + length - other->itemsize - (layout->itemsize - 1);
    e.high = shift + length - 1;
    add_axes(&e, layout);
    add_axes(&e, other);
    return svi_diophantine_solve(&e, work);
}

sv_answer svi_overlap_two(uintptr_t address, const sv_layout *layout, uintptr_t other_address, const sv_layout *other,
                          int64_t work)
{
    uint64_t length = (uint64_t)layout->extent.upper - (uint64_t)layout->extent.lower;
    uint64_t other_length = (uint64_t)other->extent.upper - (uint64_t)other->extent.lower;
    uint64_t behind = other_address + (uint64_t)other->extent.lower - address - (uint64_t)layout->extent.lower;
    uint64_t before = 0 - behind;
    sv_answer answer = SV_NO;

    if (layout->extent.size == 0 || other->extent.size == 0)
        return SV_NO;
    if (behind < length)
        answer = solve_shifted(layout, other, behind, &work);
    if (answer != SV_YES && answer != SVI_ANSWER_NO_MEMORY && before != 0 && before < other_length) {
        sv_answer found = solve_shifted(layout, other, -(svi_wide)before, &work);

        answer = found == SV_NO ? answer : found;
    }
    return answer;
}

/* --- public -------------------------------------------------------------- */

sv_status svi_overlap_work(int64_t work, int64_t *steps)
{
    if (work < 0)
        return svi_fail(SV_ERROR_INVALID, "a work limit of %" PRId64 " is negative", work);
    *steps = work == 0 ? SVI_OVERLAP_WORK : work;
    return SV_OK;
}

sv_status sv_layout_is_unique(const sv_layout *layout, int64_t work, sv_answer *answer)
{
    sv_answer overlaps;

    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(answer);
    SVI_TRY(svi_overlap_work(work, &work));
    overlaps = svi_overlap_self(layout, work);
    if (overlaps == SVI_ANSWER_NO_MEMORY)
        return SV_ERROR_MEMORY;
    *answer = overlaps == SV_MAYBE ? SV_MAYBE : overlaps == SV_NO;
    return SV_OK;
}

sv_status sv_layout_overlap(const sv_layout *layout, const sv_layout *other, uintptr_t address, uintptr_t other_address,
                            int64_t work, sv_answer *answer)
{
    sv_answer overlaps;

    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_TRY(svi_layout_check(other, "other"));
    SVI_NEED(answer);
    SVI_TRY(svi_overlap_work(work, &work));
    overlaps = svi_overlap_two(address, layout, other_address, other, work);
    if (overlaps == SVI_ANSWER_NO_MEMORY)
        return SV_ERROR_MEMORY;
    *answer = overlaps;
    return SV_OK;
}
