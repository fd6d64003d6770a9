/*
 * Seeing shared bytes as a bounded linear Diophantine equation is NumPy's idea (numpy.shares_memory). It is NP-hard, so
 * there is a work limit; most of the code is there to need less work. First the equation is shortened (equation.c). Two
 * terms are solved in closed form. Of more, the largest is tried value by value, as NumPy does, which is quick where
 * strides nest; where that does not end soon, lattice.c decides few terms of any size.
 */
#include "search.h"

#include "lattice.h"

enum { SOON = 500 }; /* steps of the first search: about what reducing a lattice costs */

/* What the search knows beforehand of the first k terms. */
struct sums {
    svi_wide reach[SVI_TERMS + 1];  /* largest sum */
    svi_wide common[SVI_TERMS + 1]; /* greatest common divisor of the strides */
};

/* Least i >= 0 with low <= a * i mod m <= high, 0 < low <= high < m and 0 <= a < m; -1: none. Euclid's steps. */
static svi_wide first_hit(svi_wide a, svi_wide m, svi_wide low, svi_wide high)
{
    svi_wide i, turns;

    if (a == 0)
        return -1;
    i = svi_ceil_divide(low, a);
    if (a * i <= high)
        return i;
    turns = first_hit(m % a, a, a - high % a, a - low % a);
    return turns < 0 ? -1 : svi_ceil_divide(turns * m + low, a);
}

/* Two terms, 0 < low, high < reach: x of the larger stride leaves a rest that z of the smaller one must meet. */
static bool solve_two(const struct svi_equation *e, const struct sums *sums, svi_wide low, svi_wide high)
{
    struct svi_term small = e->terms[0], large = e->terms[1];
    svi_wide first = low > sums->reach[1] ? svi_ceil_divide(low - sums->reach[1], large.stride) : 0;
    svi_wide last = high / large.stride < large.bound ? high / large.stride : large.bound;
    svi_wide width = high - low, rest, step, hit;

    if (first > last)
        return false;
    rest = (high - large.stride * first) % small.stride;
    if (rest <= width)
        return true;
    step = (small.stride - large.stride % small.stride) % small.stride;
    hit = first_hit(step, small.stride, small.stride - rest, small.stride - rest + width);
    return hit >= 0 && hit <= last - first;
}

/* The first count terms, largest stride first: try each z that the terms below can still make up for. */
static sv_answer search(const struct svi_equation *e, const struct sums *sums, int32_t count, svi_wide low,
                        svi_wide high, int64_t *work)
{
    struct svi_term top;
    svi_wide first, last;

    if (high < 0 || low > sums->reach[count])
        return SV_NO;
    if (low <= 0 || high >= sums->reach[count])
        return SV_YES;
    if (high - high % sums->common[count] < low)
        return SV_NO;
    if (count == 1)
        return SV_YES;
    if (count == 2)
        return solve_two(e, sums, low, high) ? SV_YES : SV_NO;
    top = e->terms[count - 1];
    first = low > sums->reach[count - 1] ? svi_ceil_divide(low - sums->reach[count - 1], top.stride) : 0;
    last = high / top.stride < top.bound ? high / top.stride : top.bound;
    for (svi_wide z = first; z <= last; z++) {
        sv_answer answer;
        if (--*work < 0)
            return SV_MAYBE;
        answer = search(e, sums, count - 1, low - z * top.stride, high - z * top.stride, work);
        if (answer != SV_NO)
            return answer;
    }
    return SV_NO;
}

static sv_answer search_all(const struct svi_equation *e, int64_t *work)
{
    struct sums sums;

    sums.reach[0] = sums.common[0] = 0;
    for (int32_t i = 0; i < e->count; i++) {
        sums.reach[i + 1] = sums.reach[i] + e->terms[i].stride * e->terms[i].bound;
        sums.common[i + 1] = svi_wide_divisor(e->terms[i].stride, sums.common[i]);
    }
    return search(e, &sums, e->count, e->low, e->high, work);
}

sv_answer svi_equation_solve(struct svi_equation *e, int64_t *work)
{
    int64_t soon = *work < SOON ? *work : SOON, left = *work - soon;
    sv_answer answer = svi_equation_shorten(e);

    if (answer != SV_MAYBE)
        return answer;
    answer = search_all(e, &soon);
    *work = left + (soon > 0 ? soon : 0);
    if (answer == SV_MAYBE && *work > 0 && e->count <= SVI_LATTICE_TERMS)
        answer = svi_lattice_solve(e, work);
    if (answer == SV_MAYBE && *work > 0)
        answer = search_all(e, work);
    return answer;
}
