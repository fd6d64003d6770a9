/* How one axis is dealt out to the processes along it, and distributions, which are several of them. */
#ifndef SVM_DISTRIBUTION_H
#define SVM_DISTRIBUTION_H

#include <stdbool.h>
#include <sv_mpi.h>

enum { SVM_MAX_NDIM = 32 }; /* an axis of blocks may become two of a view, which has 64 */

/* Blocks 0, 1, ... of an axis go to processes 0, 1, ..., count - 1, 0, ... */
struct svm_axis {
    int64_t extent, count, block;
};

struct sv_mpi_distribution {
    _Atomic int64_t references;
    int32_t ndim;
    int32_t first, ranks; /* of the grid, and the number behind the last one */
    struct svm_axis axes[SVM_MAX_NDIM];
    bool is_relabelled;
    int32_t
        maps[]; /* if so: of each part its rank, less first; then of each of these its part. Parts are numbered as the
                     * grid is */
};

/* How many elements of an axis a process has. */
int64_t svm_axis_local_extent(const struct svm_axis *axis, int64_t process);

/* The number of parts, each of which a rank has. */
int32_t svm_distribution_parts(const struct sv_mpi_distribution *distribution);

/* The rank that has a part, and the part that a rank has: -1 where it has none. */
int32_t svm_distribution_rank(const struct sv_mpi_distribution *distribution, int32_t part);
int32_t svm_distribution_part(const struct sv_mpi_distribution *distribution, int32_t rank);

/* The same parts on other ranks: ranks[part] is a permutation of 0, 1, ..., to which the first rank is added. */
sv_status svm_distribution_with_ranks(const struct sv_mpi_distribution *distribution, const int32_t *ranks,
                                      struct sv_mpi_distribution **out);

/* Which axis of from axis k of to is, as callers give it: NULL: the same; negative ones count from the end. */
sv_status svm_distribution_axes(const struct sv_mpi_distribution *to, const struct sv_mpi_distribution *from,
                                const int32_t *axes, int32_t *out);

/* Of all that tells who has what. */
uint64_t svm_distribution_hash(uint64_t hash, const struct sv_mpi_distribution *distribution);

/* The place of a part in the grid. */
void svm_part_coordinates(const struct sv_mpi_distribution *distribution, int32_t part, int64_t *coordinates);

/* The place in the grid of the part that a rank has, or false where it has none. */
bool svm_distribution_coordinates(const struct sv_mpi_distribution *distribution, int32_t rank, int64_t *coordinates);

#endif
