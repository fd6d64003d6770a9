/* Which elements of which ranks fill the margins of a part. */
#ifndef SVM_MARGINS_H
#define SVM_MARGINS_H

#include "distribution.h"
#include "elements.h"
#include "signals.h"

/* One axis of an array whose parts have margins, in blocks of which each process has one at most. */
struct svm_margin {
    struct svm_axis axis;
    int64_t low, high; /* elements before and behind each part */
    bool is_periodic;
    int64_t stride; /* in bytes, of the memory of this rank */
    int32_t number; /* of the axis in the distribution */
};

struct svm_margins {
    const struct sv_mpi_distribution *distribution; /* borrowed */
    int32_t ndim, rank;
    bool has_edges; /* margins of several axes at once are filled too */
    int64_t alone;  /* elements from which on a piece is a message of its own */
    struct svm_margin axes[SVM_MAX_NDIM];
};

/* A box of elements that one rank has in its part and another one gets into its margin, or the same rank. */
struct svm_piece {
    sv_plan *plan;                 /* packs, unpacks or copies it; NULL: it is one run of bytes that travels alone */
    int64_t shape[SVM_MAX_NDIM];   /* in the order of svm_margins.axes */
    int64_t size;                  /* elements */
    int64_t dst, src; /* bytes from the element [0,...,0], margins included, in the memory of this rank */
};

/* The pieces of a message to a rank, or from one. */
struct svm_bundle {
    int32_t rank;
    bool is_alone; /* one large piece */
    struct svm_piece *pieces;
    int64_t count, capacity;
    int64_t nbytes;
    int64_t slot; /* where it is packed in the buffer of the halo */
    bool is_packed;
    struct svm_signals *signals; /* of two slots in shared memory, which follow them; NULL: it is sent */
    bool is_under_way;           /* in such memory */
    MPI_Datatype type; /* MPI_BYTE, or that of all bytes where an int does not count them */
    svm_count length;  /* of the message, in elements of this type */
};

struct svm_bundles {
    struct svm_bundle *items;
    int64_t count, capacity;
};

/* What the rank at this place of the grid gets; of its own elements too. SV_ERROR_MEMORY; `out` is to be freed then. */
sv_status svm_margins_filled(const struct svm_margins *margins, const int64_t *place, struct svm_bundles *out);

/* What it gives others, whose bundles from it are the same in the same order. */
sv_status svm_margins_given(const struct svm_margins *margins, const int64_t *place, struct svm_bundles *out);

void svm_bundle_free(struct svm_bundle *bundle);
void svm_bundles_free(struct svm_bundles *bundles);

#endif
