/* What a plan keeps: for each other rank one message each way, which goes in chunks, and the parts that stay here. */
#ifndef SVM_PLAN_H
#define SVM_PLAN_H

#include "parts.h"

enum { SVM_SLOTS = 2 }; /* chunks of a message that are under way: one is packed while the other travels */

/* Parts that travel together, as large as the chunk at most. */
struct svm_chunk {
    int64_t first, count; /* parts */
    int64_t nbytes;
};

/* All that goes to a rank, or comes from one. */
struct svm_message {
    int32_t rank;
    struct svm_parts parts;
    struct svm_chunk *chunks;
    int64_t count;           /* chunks */
    int64_t slot,
        slot_size; /* where in the plan's buffer the chunks are packed, and how large they are; 0: never packed */
    int64_t next;            /* the chunk that is started next */
    int64_t running[SVM_SLOTS];
};

struct svm_messages {
    struct svm_message *items;
    int64_t count, capacity;
};

/* What the views of an execution must be like. */
struct svm_form {
    sv_layout *layout;
    sv_dtype dtype;
    int32_t device_type, device_id;
};

struct sv_mpi_plan {
    MPI_Comm comm;
    int32_t rank, size;
    struct svm_form dst, src;
    struct svm_parts own;
    struct svm_messages sends, receives;
    MPI_Request *requests; /* the slots of all receives, then those of all sends */
    sv_buffer *buffer;
    int64_t buffer_bytes, sent_bytes;
};

#endif
