/* Bases of lattices, and their reduction (Lenstra, Lenstra, Lovasz 1982). */
#ifndef SVI_BASIS_H
#define SVI_BASIS_H

#include "overlap/diophantine.h"

enum { SVI_BASIS_VECTORS = 12, SVI_BASIS_SIDES = SVI_BASIS_VECTORS + 1 };

#define SVI_BASIS_TOO_LARGE 1e30

/*
 * Vectors are whole numbers and exact: each step of a reduction keeps the lattice, whatever it is. Floating point
 * only chooses the steps.
 */
struct svi_basis {
    int32_t sides, count;
    svi_wide vectors[SVI_BASIS_VECTORS][SVI_BASIS_SIDES];
    double scale[SVI_BASIS_SIDES];                   /* what half of a side is multiplied by */
    double star[SVI_BASIS_VECTORS][SVI_BASIS_SIDES]; /* the part of a vector that is orthogonal to those before it */
    double norm[SVI_BASIS_VECTORS];                  /* squared length of that */
    double ratio[SVI_BASIS_VECTORS][SVI_BASIS_VECTORS];
};

/* Makes the vectors short and nearly orthogonal, and star, norm and ratio of them. False: out of range. */
bool svi_basis_reduce(struct svi_basis *b);

static inline double svi_magnitude(double a)
{
    return a < 0 ? -a : a;
}

static inline svi_wide svi_nearest(double a)
{
    return (svi_wide)(a < 0 ? a - 0.5 : a + 0.5);
}

static inline double svi_basis_dot(const struct svi_basis *b, const double *x, const double *y)
{
    double sum = 0;

    for (int32_t k = 0; k < b->sides; k++)
        sum += x[k] * y[k];
    return sum;
}

static inline void svi_basis_move(const struct svi_basis *b, svi_wide *point, svi_wide times, const svi_wide *vector)
{
    for (int32_t k = 0; k < b->sides; k++)
        point[k] += times * vector[k];
}

#endif
