/*
 * Seeing shared bytes as a bounded linear Diophantine equation is NumPy's idea (numpy.shares_memory). It is NP-hard, so
 * there is a work limit; most of this file is there to need less work. First the equation is shortened: by common
 * divisors, by bounds that cannot be reached, by joining terms. Two terms are solved in closed form. Of more, the
 * largest is tried value by value, as NumPy does, which is quick where strides nest; where that does not end soon,
 * lattice.c decides few terms of any size.
 */
#include "equation.h"

#include "lattice.h"

enum {
    SOON = 500,    /* steps of the first search: about what reducing a lattice costs */
    TIGHTENED = 4
};

/* What the search knows beforehand of the first k terms. */
struct sums {
    svi_wide reach[SVI_TERMS + 1];  /* largest sum */
    svi_wide common[SVI_TERMS + 1]; /* greatest common divisor of the strides */
};

static svi_wide common_divisor(svi_wide a, svi_wide b)
{
    while (b != 0) {
        svi_wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void svi_equation_add(struct svi_equation *e, svi_wide stride, svi_wide bound)
{
    if (stride != 0 && bound != 0)
        e->terms[e->count++] = (struct svi_term){stride, bound};
}

/* --- shortening ---------------------------------------------------------- */

static void drop_term(struct svi_equation *e, int32_t k)
{
    e->count--;
    for (int32_t i = k; i < e->count; i++)
        e->terms[i] = e->terms[i + 1];
}

/* The smallest stride first. */
static void sort_terms(struct svi_equation *e)
{
    for (int32_t i = 1; i < e->count; i++) {
        struct svi_term term = e->terms[i];
        int32_t place = i;
        for (; place > 0 && e->terms[place - 1].stride > term.stride; place--)
            e->terms[place] = e->terms[place - 1];
        e->terms[place] = term;
    }
}

/* Divides by what all strides have in common; the interval keeps only the multiples of it. */
static void divide_terms(struct svi_equation *e)
{
    svi_wide common = 0;

    for (int32_t i = 0; i < e->count && common != 1; i++)
        common = common_divisor(e->terms[i].stride, common);
    if (common <= 1)
        return;
    for (int32_t i = 0; i < e->count; i++)
        e->terms[i].stride /= common;
    e->low = svi_ceil_divide(e->low, common);
    e->high = svi_floor_divide(e->high, common);
}

/* A term that steps no further than the interval is wide only makes it wider. */
static bool absorb_term(struct svi_equation *e)
{
    if (e->count == 0 || e->terms[0].stride - 1 > e->high - e->low)
        return false;
    e->low -= e->terms[0].stride * e->terms[0].bound;
    drop_term(e, 0);
    return true;
}

/* Two terms that together reach an unbroken run of multiples of the smaller stride are one. */
static bool merge_terms(struct svi_equation *e)
{
    for (int32_t j = 1; j < e->count; j++) {
        for (int32_t i = 0; i < j; i++) {
            struct svi_term *small = &e->terms[i], *large = &e->terms[j];
            svi_wide times = large->stride / small->stride;
            if (times * small->stride == large->stride && times - 1 <= small->bound) {
                small->bound += times * large->bound;
                drop_term(e, j);
                return true;
            }
        }
    }
    return false;
}

/* Cuts off what z cannot be, whatever the other terms are. The interval must lie within the reach. */
static bool tighten_terms(struct svi_equation *e)
{
    svi_wide reach = 0;
    bool changed = false;

    for (int32_t i = 0; i < e->count; i++)
        reach += e->terms[i].stride * e->terms[i].bound;
    for (int32_t i = e->count - 1; i >= 0; i--) {
        struct svi_term *term = &e->terms[i];
        svi_wide others = reach - term->stride * term->bound;
        svi_wide first = e->low > others ? svi_ceil_divide(e->low - others, term->stride) : 0;
        svi_wide last = svi_floor_divide(e->high, term->stride);

        if (last > term->bound)
            last = term->bound;
        if (first > last) {
            e->low = e->high + 1; /* no solution */
            return false;
        }
        if (first == 0 && last == term->bound)
            continue;
        changed = true;
        e->low -= first * term->stride;
        e->high -= first * term->stride;
        term->bound = last - first;
        reach = others + term->stride * term->bound;
        if (term->bound == 0)
            drop_term(e, i);
    }
    return changed;
}

/* SV_NO or SV_YES where that is plain from the ends, SV_MAYBE where the terms matter. */
static sv_answer look_at_ends(const struct svi_equation *e)
{
    svi_wide reach = 0;

    for (int32_t i = 0; i < e->count; i++)
        reach += e->terms[i].stride * e->terms[i].bound;
    if (e->low > e->high || e->high < 0 || e->low > reach)
        return SV_NO;
    return e->low <= 0 || e->high >= reach ? SV_YES : SV_MAYBE;
}

/* Rounding bounds can go on for as long as the bounds are: a few times will do. */
static sv_answer shorten(struct svi_equation *e)
{
    int32_t tightened = 0;
    bool changed = true;

    sort_terms(e);
    while (changed) {
        sv_answer answer;

        divide_terms(e);
        answer = look_at_ends(e);
        if (answer != SV_MAYBE)
            return answer;
        changed = absorb_term(e) || merge_terms(e) || (tightened++ < TIGHTENED && tighten_terms(e));
    }
    return look_at_ends(e);
}

/* --- searching ----------------------------------------------------------- */

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
        sums.common[i + 1] = common_divisor(e->terms[i].stride, sums.common[i]);
    }
    return search(e, &sums, e->count, e->low, e->high, work);
}

sv_answer svi_equation_solve(struct svi_equation *e, int64_t *work)
{
    int64_t soon = *work < SOON ? *work : SOON, left = *work - soon;
    sv_answer answer = shorten(e);

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
