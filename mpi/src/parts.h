/* What two ranks exchange: the parts of the arrays, in an order that both know. */
#ifndef SVM_PARTS_H
#define SVM_PARTS_H

#include "box.h"

/* One side of a redistribution, its axes in the order in which elements travel. */
struct svm_side {
    const sv_view *view; /* borrowed */
    int64_t strides[SVM_MAX_NDIM]; /* in bytes */
    struct svm_axis axes[SVM_MAX_NDIM];
};

/* Some elements that travel together. */
struct svm_part {
    sv_plan *plan;       /* packs, unpacks or copies them; NULL: they are one run of bytes, which needs no packing */
    int64_t dst, src;    /* bytes from the element [0,...,0] of each side */
    int64_t nbytes;      /* in a message */
};

struct svm_parts {
    struct svm_part *items;
    int64_t count, capacity;
};

/* Which side is here; both, where a rank copies to itself. */
enum svm_here { SVM_HERE_DST = 1, SVM_HERE_SRC = 2, SVM_HERE_BOTH = 3 };

struct svm_exchange {
    int32_t ndim;
    struct svm_side dst, src;
    const sv_view *packed; /* an element of messages: their dtype, and the kind of memory that they are packed in */
    int64_t itemsize;      /* of messages */
    int64_t chunk;         /* bytes of a part at most */
    uint32_t flags;        /* of copies */
};

/* Find what rank `from` has and rank `to` gets, by their places in the two grids. A part of a message is as large as
 * the chunk at most. Where both sides are here, parts are as large as they are. */
sv_status svm_parts_find(const struct svm_exchange *exchange, const int64_t *to, const int64_t *from,
                         enum svm_here here, struct svm_parts *out);

void svm_parts_free(struct svm_parts *parts);

#endif
