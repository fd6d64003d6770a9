/* Random pairs of distributions of one array, with the axes in another order, and how many elements they share. */
#ifndef SVM_TESTS_PAIRS_H
#define SVM_TESTS_PAIRS_H

#include <string.h>

#include "ranks.h"

enum { MAX_NDIM = 3, MAX_PARTS = 64 };

struct pair {
    int32_t ndim, axes[MAX_NDIM];
    int64_t shape[MAX_NDIM], turned[MAX_NDIM]; /* of from, and of to */
    sv_mpi_distribution *to, *from;
};

static inline void free_pair(struct pair *pair)
{
    sv_mpi_distribution_release(pair->to);
    sv_mpi_distribution_release(pair->from);
}

/* Grids of at most `limit` ranks, by blocks of any extent. */
static inline sv_mpi_distribution *choose_distribution(int32_t ndim, const int64_t *shape, int64_t limit)
{
    int64_t grid[MAX_NDIM], block[MAX_NDIM];
    sv_mpi_distribution *made = NULL;

    if (random_between(0, 15) == 0) {
        sv_mpi_distribution_on_rank(ndim, shape, (int32_t)random_between(0, limit - 1), &made);
        return made;
    }
    for (int32_t k = 0; k < ndim; k++) {
        grid[k] = random_between(1, limit);
        limit /= grid[k];
        block[k] = random_between(0, 1) ? 0 : random_between(1, 5);
    }
    sv_mpi_distribution_new(ndim, shape, grid, block, &made);
    return made;
}

static inline void choose_pair(struct pair *pair, int64_t limit)
{
    *pair = (struct pair){.ndim = (int32_t)random_between(1, MAX_NDIM)};
    for (int32_t k = 0; k < pair->ndim; k++) {
        const int32_t other = (int32_t)random_between(0, k);

        pair->axes[k] = pair->axes[other];
        pair->axes[other] = k;
        pair->shape[k] = random_between(0, 29) == 0 ? 0 : random_between(1, pair->ndim == 3 ? 12 : pair->ndim == 2 ? 30 : 300);
    }
    for (int32_t k = 0; k < pair->ndim; k++)
        pair->turned[k] = pair->shape[pair->axes[k]];
    pair->to = choose_distribution(pair->ndim, pair->turned, limit);
    pair->from = choose_distribution(pair->ndim, pair->shape, limit);
    if (random_between(0, 3) == 0) { /* a source that was relabelled before */
        sv_mpi_distribution *other = choose_distribution(pair->ndim, pair->turned, limit), *relabelled = NULL;
        int32_t back[MAX_NDIM];

        for (int32_t k = 0; k < pair->ndim; k++)
            back[pair->axes[k]] = k;
        if (sv_mpi_distribution_relabel(pair->from, other, back, &relabelled) == SV_OK) {
            sv_mpi_distribution_release(pair->from);
            pair->from = relabelled;
        }
        sv_mpi_distribution_release(other);
    }
}

/* The next index in C order; false behind the last. */
static inline bool advance(int32_t ndim, const int64_t *shape, int64_t *index)
{
    for (int32_t k = ndim - 1; k >= 0; k--) {
        if (++index[k] < shape[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static inline bool is_empty(int32_t ndim, const int64_t *shape)
{
    for (int32_t k = 0; k < ndim; k++)
        if (shape[k] == 0)
            return true;
    return false;
}

/* Elements that each rank of `to` has of each rank of from, counted one by one. */
static inline bool count(const struct pair *pair, const sv_mpi_distribution *to, int64_t weights[MAX_PARTS][MAX_PARTS])
{
    int64_t index[MAX_NDIM] = {0}, source[MAX_NDIM];

    memset(weights, 0, sizeof(int64_t[MAX_PARTS][MAX_PARTS]));
    if (is_empty(pair->ndim, pair->turned))
        return true;
    do {
        int32_t one, other;

        for (int32_t k = 0; k < pair->ndim; k++)
            source[pair->axes[k]] = index[k];
        if (sv_mpi_distribution_place(to, index, &one, NULL) != SV_OK ||
            sv_mpi_distribution_place(pair->from, source, &other, NULL) != SV_OK || one >= MAX_PARTS || other >= MAX_PARTS)
            return false;
        weights[one][other]++;
    } while (advance(pair->ndim, pair->turned, index));
    return true;
}

static inline int64_t kept_of(const struct pair *pair, const sv_mpi_distribution *to)
{
    static int64_t weights[MAX_PARTS][MAX_PARTS];
    int64_t kept = 0;

    if (!count(pair, to, weights))
        return -1;
    for (int k = 0; k < MAX_PARTS; k++)
        kept += weights[k][k];
    return kept;
}

#endif
