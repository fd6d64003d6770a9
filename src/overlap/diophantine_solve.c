/*
 * Whether arrays share bytes is a bounded linear Diophantine equation, as NumPy first wrote it (numpy.shares_memory).
 * The problem is NP-hard, so there is a work limit. Four methods are tried in turn. The equation is simplified
 * (diophantine.c). One or two terms are solved by Euclid's algorithm. More terms are searched by branch and bound, the
 * largest stride first, as in NumPy; this ends soon where strides nest. Else Lenstra's algorithm (lenstra.c) decides
 * equations of few terms, however large their numbers are.
 */
#include "overlap/diophantine_solve.h"

#include "base/alloc.h"
#include "overlap/lenstra.h"

/* Steps of branch and bound before Lenstra's algorithm is tried: they take about as long as one lattice reduction. */
enum { FIRST_STAGE_STEPS = 500 };

/* The numbers of one step of Euclid's algorithm, which first_multiple_within() goes back through. */
struct euclid {
    svi_wide a, m, low;
};

/* Enough for numbers below 2^66: Euclid's algorithm takes at most log(n) / log(golden ratio) steps. */
enum { MAX_EUCLID_STEPS = 100 };

/* The state of branch and bound. It is allocated, as it is too large for a small stack. */
struct search {
    const struct svi_diophantine *e;
    svi_wide reach[SVI_MAX_TERMS + 1];  /* [k]: largest sum of the first k terms */
    svi_wide common[SVI_MAX_TERMS + 1]; /* [k]: greatest common divisor of their strides */
    svi_wide z[SVI_MAX_TERMS];          /* the value that is tried of each term */
    struct euclid steps[MAX_EUCLID_STEPS];
};

/*
 * The least i >= 0 with low <= a * i mod m <= high, for 0 < low <= high < m and 0 <= a < m. Returns -1 if there is
 * none. Reduces (a, m) by the steps of Euclid's algorithm until a multiple of a lies in the interval, then goes back.
 */
static svi_wide first_multiple_within(struct euclid *steps, svi_wide a, svi_wide m, svi_wide low, svi_wide high)
{
    int depth = 0;
    svi_wide i;

    for (;;) {
        svi_wide lower, rest;

        if (a == 0)
            return -1;
        i = svi_ceil_divide(low, a);
        if (a * i <= high)
            break;
        steps[depth++] = (struct euclid){a, m, low};
        lower = a - high % a;
        high = a - low % a;
        low = lower;
        rest = m % a;
        m = a;
        a = rest;
    }
    while (depth > 0) {
        const struct euclid *s = &steps[--depth];

        i = svi_ceil_divide(i * s->m + s->low, s->a);
    }
    return i;
}

/*
 * Whether the first two terms have a sum from low to high, for 0 < low and high < reach. x multiples of the larger
 * stride leave a rest modulo the smaller stride, which must be at most the width of the interval.
 */
static bool solve_two_terms(struct search *s, svi_wide low, svi_wide high)
{
    struct svi_term small = s->e->terms[0], large = s->e->terms[1];
    svi_wide first = low > s->reach[1] ? svi_ceil_divide(low - s->reach[1], large.stride) : 0;
    svi_wide last = high / large.stride < large.bound ? high / large.stride : large.bound;
    svi_wide width = high - low, rest, step, hit;

    if (first > last)
        return false;
    rest = (high - large.stride * first) % small.stride;
    if (rest <= width)
        return true;
    step = (small.stride - large.stride % small.stride) % small.stride;
    hit = first_multiple_within(s->steps, step, small.stride, small.stride - rest, small.stride - rest + width);
    return hit >= 0 && hit <= last - first;
}

/* Whether the first count terms have a sum from low to high. SV_MAYBE: values of the last of them must be tried. */
static sv_answer decide_by_bounds(struct search *s, int32_t count, svi_wide low, svi_wide high)
{
    if (high < 0 || low > s->reach[count])
        return SV_NO;
    if (low <= 0 || high >= s->reach[count])
        return SV_YES;
    if (high - high % s->common[count] < low)
        return SV_NO;
    if (count == 1)
        return SV_YES;
    if (count == 2)
        return solve_two_terms(s, low, high) ? SV_YES : SV_NO;
    return SV_MAYBE;
}

/* The least z[k] for which the terms below k may still reach low. */
static svi_wide least_value(const struct search *s, int32_t k, svi_wide low)
{
    return low > s->reach[k] ? svi_ceil_divide(low - s->reach[k], s->e->terms[k].stride) : 0;
}

/* Depth first, from the term of the largest stride: tries each z for which the terms below may reach the interval.
 * decide_by_bounds() has not decided the equation as a whole. */
static sv_answer branch_and_bound(struct search *s, svi_wide low, svi_wide high, int64_t *work)
{
    const int32_t last = s->e->count - 1;
    int32_t k = last;

    s->z[k] = least_value(s, k, low);
    for (;;) {
        const struct svi_term *term = &s->e->terms[k];
        const svi_wide way = s->z[k] * term->stride;

        if (s->z[k] > term->bound || way > high) { /* back to the term above, for its next z */
            if (k == last)
                return SV_NO;
            k++;
            low += s->z[k] * s->e->terms[k].stride;
            high += s->z[k] * s->e->terms[k].stride;
            s->z[k]++;
        } else if (--*work < 0) {
            return SV_MAYBE;
        } else {
            const sv_answer answer = decide_by_bounds(s, k, low - way, high - way);

            if (answer == SV_YES)
                return answer;
            if (answer == SV_NO) {
                s->z[k]++;
                continue;
            }
            low -= way;
            high -= way;
            k--;
            s->z[k] = least_value(s, k, low);
        }
    }
}

static void begin_search(struct search *s, const struct svi_diophantine *e)
{
    s->e = e;
    s->reach[0] = s->common[0] = 0;
    for (int32_t i = 0; i < e->count; i++) {
        s->reach[i + 1] = s->reach[i] + e->terms[i].stride * e->terms[i].bound;
        s->common[i + 1] = svi_wide_gcd(e->terms[i].stride, s->common[i]);
    }
}

static sv_answer search_terms(struct search *s, int64_t *work)
{
    const sv_answer answer = decide_by_bounds(s, s->e->count, s->e->low, s->e->high);

    return answer == SV_MAYBE ? branch_and_bound(s, s->e->low, s->e->high, work) : answer;
}

static sv_answer solve_in_stages(struct search *s, int64_t *work)
{
    int64_t first_stage = *work < FIRST_STAGE_STEPS ? *work : FIRST_STAGE_STEPS, left = *work - first_stage;
    sv_answer answer = search_terms(s, &first_stage);

    *work = left + (first_stage > 0 ? first_stage : 0);
    if (answer == SV_MAYBE && *work > 0 && s->e->count <= SVI_LENSTRA_MAX_TERMS)
        answer = svi_lenstra_solve(s->e, work);
    if (answer == SV_MAYBE && *work > 0)
        answer = search_terms(s, work);
    return answer;
}

sv_answer svi_diophantine_solve(struct svi_diophantine *e, int64_t *work)
{
    sv_answer answer = svi_diophantine_simplify(e);
    struct search *s;

    if (answer != SV_MAYBE)
        return answer;
    s = svi_malloc(sizeof *s);
    if (s == NULL)
        return SVI_ANSWER_NO_MEMORY;
    begin_search(s, e);
    answer = solve_in_stages(s, work);
    svi_free(s);
    return answer;
}
