#include "overlap/lattice_basis.h"

enum { MAX_REDUCTION_STEPS = 20000 }; /* of a reduction */

/* Orthogonalises vector k against the vectors before it. False: out of range. */
static bool orthogonalise_vector(struct svi_lattice_basis *b, int32_t k)
{
    for (int32_t i = 0; i < b->dimensions; i++) {
        b->orthogonal[k][i] = 2 * (double)b->vectors[k][i] * b->scale[i];
        if (svi_magnitude((double)b->vectors[k][i]) > SVI_LATTICE_TOO_LARGE)
            return false;
    }
    for (int32_t j = 0; j < k; j++) {
        b->coefficient[k][j] = svi_lattice_dot(b, b->orthogonal[k], b->orthogonal[j]) / b->squared_norm[j];
        for (int32_t i = 0; i < b->dimensions; i++)
            b->orthogonal[k][i] -= b->coefficient[k][j] * b->orthogonal[j][i];
    }
    b->squared_norm[k] = svi_lattice_dot(b, b->orthogonal[k], b->orthogonal[k]);
    return b->squared_norm[k] > 0;
}

/* Size reduction: subtracts from vector k the nearest integer multiples of the vectors before it. False: out of range,
 * or more than MAX_REDUCTION_STEPS. */
static bool size_reduce_vector(struct svi_lattice_basis *b, int32_t k, int32_t *steps)
{
    bool changed = true;

    while (changed) {
        changed = false;
        if (++*steps > MAX_REDUCTION_STEPS || !orthogonalise_vector(b, k))
            return false;
        for (int32_t j = k - 1; j >= 0; j--) {
            double ratio = b->coefficient[k][j];

            if (svi_magnitude(ratio) <= 0.51)
                continue;
            if (svi_magnitude(ratio) > SVI_LATTICE_TOO_LARGE)
                return false;
            changed = true;
            svi_lattice_add_multiple(b, b->vectors[k], -svi_nearest(ratio), b->vectors[j]);
            for (int32_t i = 0; i < j; i++)
                b->coefficient[k][i] -= (double)svi_nearest(ratio) * b->coefficient[j][i];
        }
    }
    return true;
}

static void swap_vectors(struct svi_lattice_basis *b, int32_t k)
{
    for (int32_t i = 0; i < b->dimensions; i++) {
        svi_wide kept = b->vectors[k][i];
        b->vectors[k][i] = b->vectors[k - 1][i];
        b->vectors[k - 1][i] = kept;
    }
}

/* LLL reduction with the present scale, by Lovasz's condition with a factor of 0.99. False: out of range. */
static bool reduce_scaled(struct svi_lattice_basis *b)
{
    int32_t k = 1, steps = 0;

    if (!orthogonalise_vector(b, 0))
        return false;
    while (k < b->count) {
        if (!size_reduce_vector(b, k, &steps))
            return false;
        if (b->squared_norm[k] >=
            (0.99 - b->coefficient[k][k - 1] * b->coefficient[k][k - 1]) * b->squared_norm[k - 1]) {
            k++;
            continue;
        }
        swap_vectors(b, k);
        if (!orthogonalise_vector(b, k - 1))
            return false;
        k = k > 1 ? k - 1 : 1;
    }
    return true;
}

/* At full scale, rounding can make vectors look parallel. So the scale of the last dimension is raised in steps. */
bool svi_lattice_basis_reduce(struct svi_lattice_basis *b)
{
    double *scale = &b->scale[b->dimensions - 1], full = *scale;

    for (int32_t k = 0; k < b->dimensions; k++)
        for (int32_t i = 0; i < b->count; i++)
            if (b->scale[k] < *scale * (svi_magnitude((double)b->vectors[i][b->dimensions - 1]) + 1))
                *scale = b->scale[k] / (svi_magnitude((double)b->vectors[i][b->dimensions - 1]) + 1);
    for (; *scale < full; *scale *= 1 << 16)
        if (!reduce_scaled(b))
            return false;
    *scale = full;
    return reduce_scaled(b);
}
