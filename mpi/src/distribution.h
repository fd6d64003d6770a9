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
};

/* How many elements of an axis a process has. */
int64_t svm_axis_local_extent(const struct svm_axis *axis, int64_t process);

/* The place of a rank in the grid, or false where it has none. */
bool svm_distribution_coordinates(const struct sv_mpi_distribution *distribution, int32_t rank, int64_t *coordinates);

#endif
