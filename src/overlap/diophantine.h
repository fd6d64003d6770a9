/*
 * A bounded linear Diophantine equation: is there a sum of integer multiples of strides, each multiple within bounds,
 * that lies in an interval? Whether elements share bytes is such a question (overlap.c). This file has the equation
 * and simplifies it; diophantine_solve.h solves it.
 */
#ifndef SVI_DIOPHANTINE_H
#define SVI_DIOPHANTINE_H

#include <stdbool.h>

#include "base/status.h"

/* 128 bits hold every sum over the axes of two layouts, which each span less than 2^64 bytes. */
__extension__ typedef __int128 svi_wide;

enum { SVI_MAX_TERMS = 2 * SV_MAX_NDIM };

struct svi_term {
    svi_wide stride; /* > 0 */
    svi_wide bound;  /* > 0 */
};

/*
 * Are there integers z[k] with 0 <= z[k] <= terms[k].bound and low <= sum(terms[k].stride * z[k]) <= high? The reach of
 * an equation is the largest sum.
 */
struct svi_diophantine {
    svi_wide low, high;
    int32_t count;
    struct svi_term terms[SVI_MAX_TERMS];
};

/* In place of an sv_answer when memory is lacking. The message is set; the caller returns SV_ERROR_MEMORY. */
enum { SVI_ANSWER_NO_MEMORY = -1 };

static inline svi_wide svi_floor_divide(svi_wide a, svi_wide b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

static inline svi_wide svi_ceil_divide(svi_wide a, svi_wide b)
{
    return a / b + (a % b > 0);
}

/* The greatest common divisor of a and b. With 0 it is the other number. */
svi_wide svi_wide_gcd(svi_wide a, svi_wide b);

/* Adds a term, unless its stride or bound is 0. */
void svi_diophantine_add_term(struct svi_diophantine *e, svi_wide stride, svi_wide bound);

/*
 * Replaces e by a simpler equation with the same answer: divides by common divisors, tightens bounds and merges terms.
 * Returns SV_YES or SV_NO if that decides it. After SV_MAYBE the terms are sorted, the smallest stride first, and
 * 0 < low <= high < reach.
 */
sv_answer svi_diophantine_simplify(struct svi_diophantine *e);

#endif
