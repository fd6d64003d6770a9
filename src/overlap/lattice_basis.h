/* Bases of lattices, and their reduction (Lenstra, Lenstra, Lovasz 1982). */
#ifndef SVI_LATTICE_BASIS_H
#define SVI_LATTICE_BASIS_H

#include "overlap/diophantine.h"

enum { SVI_LATTICE_MAX_VECTORS = 12, SVI_LATTICE_MAX_DIMENSIONS = SVI_LATTICE_MAX_VECTORS + 1 };

#define SVI_LATTICE_TOO_LARGE 1e30

/*
 * Vectors are whole numbers and exact: each step of a reduction keeps the lattice, whatever it is. Floating point
 * only chooses the steps.
 */
struct svi_lattice_basis {
    int32_t dimensions, count;
    svi_wide vectors[SVI_LATTICE_MAX_VECTORS][SVI_LATTICE_MAX_DIMENSIONS];
    double scale[SVI_LATTICE_MAX_DIMENSIONS];                   /* what half of a side is multiplied by */
    double orthogonal[SVI_LATTICE_MAX_VECTORS]
                     [SVI_LATTICE_MAX_DIMENSIONS]; /* the part of a vector that is orthogonal to those before it */
    double squared_norm[SVI_LATTICE_MAX_VECTORS];                  /* squared length of that */
    double coefficient[SVI_LATTICE_MAX_VECTORS][SVI_LATTICE_MAX_VECTORS];
};

/* Makes the vectors short and nearly orthogonal, and star, norm and ratio of them. False: out of range. */
bool svi_lattice_basis_reduce(struct svi_lattice_basis *b);

static inline double svi_magnitude(double a)
{
    return a < 0 ? -a : a;
}

static inline svi_wide svi_nearest(double a)
{
    return (svi_wide)(a < 0 ? a - 0.5 : a + 0.5);
}

static inline double svi_lattice_dot(const struct svi_lattice_basis *b, const double *x, const double *y)
{
    double sum = 0;

    for (int32_t k = 0; k < b->dimensions; k++)
        sum += x[k] * y[k];
    return sum;
}

static inline void svi_lattice_add_multiple(const struct svi_lattice_basis *b, svi_wide *point, svi_wide times,
                                            const svi_wide *vector)
{
    for (int32_t k = 0; k < b->dimensions; k++)
        point[k] += times * vector[k];
}

#endif
