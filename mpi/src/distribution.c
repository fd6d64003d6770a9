/* Block, cyclic and block-cyclic distributions over a grid of processes. */
#include "distribution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "failure.h"

/* --- axes -------------------------------------------------------------------- */

int64_t svm_axis_local_extent(const struct svm_axis *axis, int64_t process)
{
    const int64_t whole = axis->extent / axis->block, rest = axis->extent % axis->block;
    const int64_t blocks = whole / axis->count + (process < whole % axis->count);

    return blocks * axis->block + (process == whole % axis->count ? rest : 0);
}

/* How the axis of this number is asked to be dealt out. */
static sv_status make_axis(int32_t number, int64_t extent, int64_t count, int64_t block, struct svm_axis *out)
{
    if (extent < 0)
        return svm_fail(SV_ERROR_INVALID, "extent %" PRId64 " of axis %" PRId32 " is negative", extent, number);
    if (count < 1)
        return svm_fail(SV_ERROR_INVALID, "grid has %" PRId64 " processes along axis %" PRId32, count, number);
    if (block < 0)
        return svm_fail(SV_ERROR_INVALID, "block %" PRId64 " of axis %" PRId32 " is negative", block, number);
    if (block == 0)
        block = extent / count + (extent % count != 0);
    *out = (struct svm_axis){extent, count, block > 0 ? block : 1};
    return SV_OK;
}

/* --- distributions ----------------------------------------------------------- */

/* A grid whose ranks are those from first on. */
static sv_status make(int32_t ndim, const int64_t *shape, const int64_t *grid, const int64_t *block, int32_t first,
                      sv_mpi_distribution **out)
{
    struct sv_mpi_distribution made = {.references = 1, .ndim = ndim, .first = first, .ranks = 1};
    int64_t size = 1;
    sv_status status;

    if (ndim < 1 || ndim > SVM_MAX_NDIM)
        return svm_fail(SV_ERROR_RANGE, "a distribution has 1 to %d axes, not %" PRId32, SVM_MAX_NDIM, ndim);
    for (int32_t k = 0; k < ndim; k++) {
        if ((status = make_axis(k, shape[k], grid[k], block != NULL ? block[k] : 0, &made.axes[k])))
            return status;
        if (__builtin_mul_overflow(made.ranks, grid[k], &made.ranks))
            return svm_fail(SV_ERROR_OVERFLOW, "the grid has more than 2^31 - 1 ranks");
        if (__builtin_mul_overflow(size, shape[k] > 0 ? shape[k] : 1, &size))
            return svm_fail(SV_ERROR_OVERFLOW, "the array has more than 2^63 - 1 elements");
    }

    struct sv_mpi_distribution *distribution = malloc(sizeof *distribution);

    if (distribution == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for a distribution");
    made.ranks += first;
    *distribution = made;
    *out = distribution;
    return SV_OK;
}

sv_status sv_mpi_distribution_new(int32_t ndim, const int64_t *shape, const int64_t *grid, const int64_t *block,
                                  sv_mpi_distribution **out)
{
    sv_status status;

    if ((status = svm_need(out, "out")) || (status = svm_need(shape, "shape")) || (status = svm_need(grid, "grid")))
        return status;
    return make(ndim, shape, grid, block, 0, out);
}

sv_status sv_mpi_distribution_on_rank(int32_t ndim, const int64_t *shape, int32_t rank, sv_mpi_distribution **out)
{
    int64_t grid[SVM_MAX_NDIM];
    sv_status status;

    if ((status = svm_need(out, "out")) || (status = svm_need(shape, "shape")))
        return status;
    if (rank < 0 || rank == INT32_MAX)
        return svm_fail(SV_ERROR_INVALID, "rank %" PRId32 " is negative, or too large", rank);
    for (int32_t k = 0; k < SVM_MAX_NDIM; k++)
        grid[k] = 1;
    return make(ndim, shape, grid, NULL, rank, out);
}

sv_mpi_distribution *sv_mpi_distribution_retain(const sv_mpi_distribution *distribution)
{
    struct sv_mpi_distribution *kept = (struct sv_mpi_distribution *)distribution;

    if (kept != NULL)
        kept->references++;
    return kept;
}

void sv_mpi_distribution_release(sv_mpi_distribution *distribution)
{
    if (distribution != NULL && --distribution->references == 0)
        free(distribution);
}

int32_t sv_mpi_distribution_ndim(const sv_mpi_distribution *distribution)
{
    return distribution != NULL ? distribution->ndim : 0;
}

int32_t sv_mpi_distribution_ranks(const sv_mpi_distribution *distribution)
{
    return distribution != NULL ? distribution->ranks : 0;
}

/* --- parts and ranks --------------------------------------------------------- */

int32_t svm_distribution_parts(const struct sv_mpi_distribution *distribution)
{
    return distribution->ranks - distribution->first;
}

int32_t svm_distribution_rank(const struct sv_mpi_distribution *distribution, int32_t part)
{
    return distribution->first + (distribution->is_relabelled ? distribution->maps[part] : part);
}

int32_t svm_distribution_part(const struct sv_mpi_distribution *distribution, int32_t rank)
{
    if (rank < distribution->first || rank >= distribution->ranks)
        return -1;
    rank -= distribution->first;
    return distribution->is_relabelled ? distribution->maps[svm_distribution_parts(distribution) + rank] : rank;
}

sv_status svm_distribution_with_ranks(const struct sv_mpi_distribution *distribution, const int32_t *ranks,
                                      struct sv_mpi_distribution **out)
{
    const int32_t parts = svm_distribution_parts(distribution);
    struct sv_mpi_distribution *made = malloc(sizeof *made + 2 * (size_t)parts * sizeof *made->maps);

    if (made == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the ranks of %" PRId32 " parts", parts);
    memcpy(made, distribution, sizeof *made);
    made->references = 1;
    made->is_relabelled = true;
    for (int32_t part = 0; part < parts; part++) {
        made->maps[part] = ranks[part];
        made->maps[parts + ranks[part]] = part;
    }
    *out = made;
    return SV_OK;
}

uint64_t svm_distribution_hash(uint64_t hash, const struct sv_mpi_distribution *distribution)
{
    hash = svm_hash(hash, distribution->axes, (size_t)distribution->ndim * sizeof *distribution->axes);
    hash = svm_hash(hash, &distribution->first, sizeof distribution->first);
    if (!distribution->is_relabelled)
        return hash;
    return svm_hash(hash, distribution->maps,
                    (size_t)svm_distribution_parts(distribution) * sizeof *distribution->maps);
}

void svm_part_coordinates(const struct sv_mpi_distribution *distribution, int32_t part, int64_t *coordinates)
{
    for (int32_t k = distribution->ndim - 1; k >= 0; k--) {
        coordinates[k] = part % distribution->axes[k].count;
        part = (int32_t)(part / distribution->axes[k].count);
    }
}

bool svm_distribution_coordinates(const struct sv_mpi_distribution *distribution, int32_t rank, int64_t *coordinates)
{
    const int32_t part = svm_distribution_part(distribution, rank);

    if (part >= 0)
        svm_part_coordinates(distribution, part, coordinates);
    return part >= 0;
}

sv_status svm_distribution_axes(const struct sv_mpi_distribution *to, const struct sv_mpi_distribution *from,
                                const int32_t *axes, int32_t *out)
{
    const int32_t ndim = to->ndim;
    uint64_t met = 0;

    if (from->ndim != ndim)
        return svm_fail(SV_ERROR_LAYOUT, "to has %" PRId32 " axes, from has %" PRId32, ndim, from->ndim);
    for (int32_t k = 0; k < ndim; k++) {
        const int32_t axis = axes == NULL ? k : axes[k] < 0 ? axes[k] + ndim : axes[k];

        if (axis < 0 || axis >= ndim)
            return svm_fail(SV_ERROR_INDEX, "axes[%" PRId32 "] is no axis of %" PRId32, k, ndim);
        if (met >> axis & 1)
            return svm_fail(SV_ERROR_INVALID, "axis %" PRId32 " is given twice", axis);
        met |= UINT64_C(1) << axis;
        out[k] = axis;
        if (to->axes[k].extent != from->axes[axis].extent)
            return svm_fail(SV_ERROR_LAYOUT,
                            "axis %" PRId32 " of to has %" PRId64 " elements, axis %" PRId32 " of from %" PRId64, k,
                            to->axes[k].extent, axis, from->axes[axis].extent);
    }
    return SV_OK;
}

/* --- elements ---------------------------------------------------------------- */

sv_status sv_mpi_distribution_local_shape(const sv_mpi_distribution *distribution, int32_t rank, int64_t *shape)
{
    int64_t coordinates[SVM_MAX_NDIM];
    sv_status status;

    if ((status = svm_need(distribution, "distribution")) || (status = svm_need(shape, "shape")))
        return status;
    if (rank < 0)
        return svm_fail(SV_ERROR_INVALID, "rank %" PRId32 " is negative", rank);

    const bool has_any = svm_distribution_coordinates(distribution, rank, coordinates);

    for (int32_t k = 0; k < distribution->ndim; k++)
        shape[k] = has_any ? svm_axis_local_extent(&distribution->axes[k], coordinates[k]) : 0;
    return SV_OK;
}

sv_status sv_mpi_distribution_place(const sv_mpi_distribution *distribution, const int64_t *index, int32_t *rank,
                                    int64_t *local)
{
    int64_t part = 0;
    sv_status status;

    if ((status = svm_need(distribution, "distribution")) || (status = svm_need(index, "index")))
        return status;
    for (int32_t k = 0; k < distribution->ndim; k++)
        if (index[k] < 0 || index[k] >= distribution->axes[k].extent)
            return svm_fail(SV_ERROR_INDEX, "index %" PRId64 " of axis %" PRId32 " is not in [0, %" PRId64 ")",
                            index[k], k, distribution->axes[k].extent);
    for (int32_t k = 0; k < distribution->ndim; k++) {
        const struct svm_axis *axis = &distribution->axes[k];
        const int64_t block = index[k] / axis->block;

        part = part * axis->count + block % axis->count;
        if (local != NULL)
            local[k] = block / axis->count * axis->block + index[k] % axis->block;
    }
    if (rank != NULL)
        *rank = svm_distribution_rank(distribution, (int32_t)part);
    return SV_OK;
}

sv_status sv_mpi_distribution_index(const sv_mpi_distribution *distribution, int32_t rank, const int64_t *local,
                                    int64_t *index)
{
    int64_t shape[SVM_MAX_NDIM], coordinates[SVM_MAX_NDIM] = {0};
    sv_status status;

    if ((status = svm_need(distribution, "distribution")) || (status = svm_need(local, "local")) ||
        (status = svm_need(index, "index")) || (status = sv_mpi_distribution_local_shape(distribution, rank, shape)))
        return status;
    for (int32_t k = 0; k < distribution->ndim; k++)
        if (local[k] < 0 || local[k] >= shape[k])
            return svm_fail(SV_ERROR_INDEX, "local index %" PRId64 " of axis %" PRId32 " is not in [0, %" PRId64 ")",
                            local[k], k, shape[k]);
    svm_distribution_coordinates(distribution, rank, coordinates);
    for (int32_t k = 0; k < distribution->ndim; k++) {
        const struct svm_axis *axis = &distribution->axes[k];
        const int64_t block = local[k] / axis->block * axis->count + coordinates[k];

        index[k] = block * axis->block + local[k] % axis->block;
    }
    return SV_OK;
}
