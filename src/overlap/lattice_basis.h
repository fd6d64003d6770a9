/*
 * A basis of a lattice of integer points, and its LLL reduction (Lenstra, Lenstra, Lovasz: Factoring polynomials with
 * rational coefficients, 1982), for lenstra.c. The vectors are exact integers, and each step of the reduction keeps the
 * lattice, so rounding cannot make a result wrong. Floating point only chooses the steps.
 */
#ifndef SVI_LATTICE_BASIS_H
#define SVI_LATTICE_BASIS_H

#include "overlap/diophantine.h"

enum { SVI_LATTICE_MAX_VECTORS = 12, SVI_LATTICE_MAX_DIMENSIONS = SVI_LATTICE_MAX_VECTORS + 1 };

/* Numbers from here on are out of range: sums of a few of them must fit 128 bits. */
#define SVI_LATTICE_TOO_LARGE 1e30

/* orthogonal, squared_norm and coefficient are the Gram-Schmidt orthogonalisation of the scaled vectors. */
struct svi_lattice_basis {
    int32_t dimensions, count;
    svi_wide vectors[SVI_LATTICE_MAX_VECTORS][SVI_LATTICE_MAX_DIMENSIONS];
    double scale[SVI_LATTICE_MAX_DIMENSIONS]; /* a coordinate is multiplied by twice its scale */
    double orthogonal[SVI_LATTICE_MAX_VECTORS][SVI_LATTICE_MAX_DIMENSIONS];
    double squared_norm[SVI_LATTICE_MAX_VECTORS]; /* of each orthogonal vector */
    double coefficient[SVI_LATTICE_MAX_VECTORS][SVI_LATTICE_MAX_VECTORS];
};

/* LLL reduction: makes the vectors short and nearly orthogonal, and orthogonalises them. False: out of range. */
bool svi_lattice_basis_reduce(struct svi_lattice_basis *b);

static inline double svi_magnitude(double a)
{
    return a < 0 ? -a : a;
}

/* The nearest integer. */
static inline svi_wide svi_nearest(double a)
{
    return (svi_wide)(a < 0 ? a - 0.5 : a + 0.5);
}

/* The dot product of two vectors. */
static inline double svi_lattice_dot(const struct svi_lattice_basis *b, const double *x, const double *y)
{
    double sum = 0;

    for (int32_t k = 0; k < b->dimensions; k++)
        sum += x[k] * y[k];
    return sum;
}

/* Adds times * vector to point. */
static inline void svi_lattice_add_multiple(const struct svi_lattice_basis *b, svi_wide *point, svi_wide times,
                                            const svi_wide *vector)
{
    for (int32_t k = 0; k < b->dimensions; k++)
        point[k] += times * vector[k];
}

#endif
