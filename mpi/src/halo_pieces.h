/* The pieces of a halo as messages. */
#ifndef SVM_HALO_PIECES_H
#define SVM_HALO_PIECES_H

#include "halo.h"

/* What sv_mpi_halo_new() is given, once it is checked. */
struct svm_halo_arguments {
    const struct sv_mpi_distribution *distribution;
    const int64_t *low, *high;
    const int32_t *periodic;
    const sv_view *view;
    uint32_t flags;
};

/* Find what this rank sends and gets, and plan all copies. A rank that fails has taken part in all that is collective. */
sv_status svm_halo_find_pieces(const struct svm_halo_arguments *arguments, struct sv_mpi_halo *halo);

#endif
