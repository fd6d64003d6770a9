/* What a plan keeps: for each other rank one message each way, which goes in chunks, and the parts that stay here. */
#ifndef SVM_PLAN_H
#define SVM_PLAN_H

#include "comm.h"
#include "listener.h"
#include "near.h"
#include "parts.h"
#include "vote.h"

enum { SVM_SLOTS = 2 }; /* chunks of a message that are under way: one is packed while the other travels */
enum { SVM_SLOT_ALIGNMENT = 64 }; /* bytes */

/* Where the window of shared memory has the boards of begins and ends, and from where on it has messages. */
enum { SVM_BEGINS = 0, SVM_ENDS = SVM_BOARD_BYTES, SVM_MESSAGES = 2 * SVM_BOARD_BYTES };

/* The tag of chunks that are sent by slot 0, of which that of the next slot has the next one. */
enum { SVM_TAG_CHUNK = SVM_TAG_FAILED + 1 };

/* Parts that travel together, as large as the chunk at most. */
struct svm_chunk {
    int64_t first, count; /* parts */
    int64_t nbytes;
};

/* All that goes to a rank, or comes from one. */
struct svm_message {
    int32_t rank;
    bool is_send;
    struct svm_parts parts;
    struct svm_chunk *chunks;
    int64_t count; /* chunks */
    int64_t slot; /* where the chunks are packed: bytes from the start of the plan's buffer, or of the window */
    int64_t slot_size; /* 0: they are never packed */
    bool is_near; /* to or from a rank of this machine, by shared memory */
    struct svm_signals *signals; /* of each slot, in memory of the sender; behind them, the slots */
    bool is_readable; /* the receiver can read the memory of the sender's array, or could when the plan was made */
    struct svm_parts readings; /* of a receive: the copies from there */
    struct svm_mapping mapping; /* of a receive: that memory */
    int64_t next[SVM_SLOTS]; /* the chunk that a slot takes next: that of its number, and every SVM_SLOTS-th after it */
    int64_t running[SVM_SLOTS];
    bool is_under_way[SVM_SLOTS];
    bool is_far; /* of a send by shared memory: packed past the caches */
    uint64_t turns[SVM_SLOTS]; /* how often a slot of shared memory was used */
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
    int64_t references; /* one of the caller, and one of each request */
    MPI_Comm comm;
    struct svm_board begins, ends; /* of executions: a second one may be refused before the first ends */
    int32_t rank, size;
    struct svm_form dst, src;
    struct svm_parts own;
    struct svm_messages sends, receives;
    MPI_Request *requests; /* the slots of all receives, those of all sends, and what tells that another rank failed */
    struct svm_listener listener;
    sv_buffer *buffer;
    struct svm_near near;
    int64_t buffer_bytes, near_bytes, sent_bytes;
    bool is_broken; /* MPI failed in an execution, of which messages may still come */
    struct svm_execution *running; /* NULL: none is */
    struct svm_execution *idle; /* memory for the next one; NULL: it is in use */
};

/* Slots of all messages. */
int svm_plan_slots(const struct sv_mpi_plan *plan);

/* Drop a reference. Collective where it is the last one. */
void svm_plan_release(struct sv_mpi_plan *plan);

#endif
