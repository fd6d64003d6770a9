/*
 * Simplifies bounded linear Diophantine equations. Each step keeps the answer and makes the equation smaller: fewer
 * terms, smaller strides or smaller bounds. The steps are repeated until none changes anything, which decides most
 * equations of real layouts.
 */
#include "overlap/diophantine.h"

/* Each tightening may shift a bound by 1 only, so without a limit the rounds could be as many as a bound is large. */
enum { MAX_TIGHTENINGS = 4 };

svi_wide svi_wide_gcd(svi_wide a, svi_wide b)
{
    while (b != 0) {
        svi_wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void svi_diophantine_add_term(struct svi_diophantine *e, svi_wide stride, svi_wide bound)
{
    if (stride != 0 && bound != 0)
        e->terms[e->count++] = (struct svi_term){stride, bound};
}

/* --- simplification ------------------------------------------------------ */

static void remove_term(struct svi_diophantine *e, int32_t k)
{
    e->count--;
    for (int32_t i = k; i < e->count; i++)
        e->terms[i] = e->terms[i + 1];
}

/* Sorts the terms by stride, the smallest first. */
static void sort_terms(struct svi_diophantine *e)
{
    for (int32_t i = 1; i < e->count; i++) {
        struct svi_term term = e->terms[i];
        int32_t place = i;
        for (; place > 0 && e->terms[place - 1].stride > term.stride; place--)
            e->terms[place] = e->terms[place - 1];
        e->terms[place] = term;
    }
}

/* Divides by the greatest common divisor of the strides. Sums are its multiples, so the interval is rounded inwards. */
static void divide_by_gcd(struct svi_diophantine *e)
{
    svi_wide common = 0;

    for (int32_t i = 0; i < e->count && common != 1; i++)
        common = svi_wide_gcd(e->terms[i].stride, common);
    if (common <= 1)
        return;
    for (int32_t i = 0; i < e->count; i++)
        e->terms[i].stride /= common;
    e->low = svi_ceil_divide(e->low, common);
    e->high = svi_floor_divide(e->high, common);
}

/* Removes the first term if its stride is at most the width of the interval: its multiples leave no gap, so they only
 * extend the interval downwards. */
static bool absorb_term(struct svi_diophantine *e)
{
    if (e->count == 0 || e->terms[0].stride - 1 > e->high - e->low)
        return false;
    e->low -= e->terms[0].stride * e->terms[0].bound;
    remove_term(e, 0);
    return true;
}

/* Merges two terms whose sums are all multiples of the smaller stride up to a bound, without a gap. */
static bool merge_terms(struct svi_diophantine *e)
{
    for (int32_t j = 1; j < e->count; j++) {
        for (int32_t i = 0; i < j; i++) {
            struct svi_term *small = &e->terms[i], *large = &e->terms[j];
            svi_wide times = large->stride / small->stride;
            if (times * small->stride == large->stride && times - 1 <= small->bound) {
                small->bound += times * large->bound;
                remove_term(e, j);
                return true;
            }
        }
    }
    return false;
}

/* Removes values of each z for which no values of the others reach the interval. The interval must lie within the
 * reach. */
static bool tighten_bounds(struct svi_diophantine *e)
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
            remove_term(e, i);
    }
    return changed;
}

/* Decides by the interval and the sums at both ends, 0 and the reach. SV_MAYBE: the sums between them matter. */
static sv_answer decide_by_reach(const struct svi_diophantine *e)
{
    svi_wide reach = 0;

    for (int32_t i = 0; i < e->count; i++)
        reach += e->terms[i].stride * e->terms[i].bound;
    if (e->low > e->high || e->high < 0 || e->low > reach)
        return SV_NO;
    return e->low <= 0 || e->high >= reach ? SV_YES : SV_MAYBE;
}

sv_answer svi_diophantine_simplify(struct svi_diophantine *e)
{
    int32_t tightened = 0;
    bool changed = true;

    sort_terms(e);
    while (changed) {
        sv_answer answer;

        divide_by_gcd(e);
        answer = decide_by_reach(e);
        if (answer != SV_MAYBE)
            return answer;
        changed = absorb_term(e) || merge_terms(e) || (tightened++ < MAX_TIGHTENINGS && tighten_bounds(e));
    }
    return decide_by_reach(e);
}
