/* Bounded linear Diophantine equations, which is what sharing bytes comes down to; diophantine_solve.h solves them. */
#ifndef SVI_DIOPHANTINE_H
#define SVI_DIOPHANTINE_H

#include <stdbool.h>

#include "base/status.h"

/* Holds every sum of two layouts: their reach is below 2^64 each. */
__extension__ typedef __int128 svi_wide;

enum { SVI_MAX_TERMS = 2 * SV_MAX_NDIM };

struct svi_term {
    svi_wide stride; /* > 0 */
    svi_wide bound;  /* > 0 */
};

/* Are there z[k], 0 <= z[k] <= terms[k].bound, so that low <= sum(terms[k].stride * z[k]) <= high? */
struct svi_diophantine {
    svi_wide low, high;
    int32_t count;
    struct svi_term terms[SVI_MAX_TERMS];
};

/* Instead of an sv_answer: there is no memory to find it. The message is set; the caller answers SV_ERROR_MEMORY. */
enum { SVI_ANSWER_NO_MEMORY = -1 };

static inline svi_wide svi_floor_divide(svi_wide a, svi_wide b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

static inline svi_wide svi_ceil_divide(svi_wide a, svi_wide b)
{
    return a / b + (a % b > 0);
}

/* The greatest common divisor; that of 0 and a is a. */
svi_wide svi_wide_gcd(svi_wide a, svi_wide b);

/* Leaves out terms that add nothing. */
void svi_diophantine_add_term(struct svi_diophantine *e, svi_wide stride, svi_wide bound);

/*
 * Makes it shorter, with the same answer: by common divisors, by bounds that cannot be reached, by joining terms.
 * SV_YES or SV_NO where that decides it; else the terms are sorted, the smallest stride first, and
 * 0 < low <= high < reach.
 */
sv_answer svi_diophantine_simplify(struct svi_diophantine *e);

#endif
