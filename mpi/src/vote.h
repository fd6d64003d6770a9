/* Agreements that are under way: whether a rank refused, and whether all were given the same. */
#ifndef SVM_VOTE_H
#define SVM_VOTE_H

#include <stdbool.h>

#include "failure.h"

/* What a rank tells of one vote, in memory that the ranks of its machine see. */
struct svm_post {
    _Alignas(64) _Atomic uint64_t turn; /* of the vote that it is for */
    int64_t told[3];
};

enum { SVM_POSTS = 2 }; /* of each rank: nobody tells of a vote before all have told of the last one */
enum { SVM_BOARD_BYTES = SVM_POSTS * sizeof(struct svm_post) };

/* Ranks that vote, once and again: by the memory of their machine, or by reductions of a communicator. */
struct svm_board {
    MPI_Comm comm;
    int32_t rank; /* in comm, by which others know it */
    char *const *bases; /* memory of each rank; NULL: there is none that all see. Borrowed */
    int64_t offset;     /* of the posts of each rank in it, which are all 0 at the beginning */
    int size, own;      /* the ranks with such memory, and this one */
    uint64_t turn; /* votes that have begun */
    struct svm_vote *first, *last; /* those of them that are not over, one after another */
};

struct svm_vote {
    int64_t told[3], least[3];
    struct svm_failure own;
    MPI_Request request;
    uint64_t turn;
    int heard; /* ranks whose posts were read */
    bool is_posted;
    struct svm_vote *next;
};

/* Fill in what a rank tells: the least of the first numbers is 0 where none refused, the other two tell whether the least
 * hash is the largest. */
void svm_vote_make(int32_t rank, sv_status status, uint64_t hash, struct svm_vote *vote);

/* Tell the other ranks, each of which has a vote of its own. The votes of a board are one after another in the order in
 * which they begin. */
sv_status svm_vote_begin(struct svm_board *board, sv_status status, uint64_t hash, struct svm_vote *vote);

/* Whether all have told, or wait until they have. */
sv_status svm_vote_poll(struct svm_board *board, bool is_waiting, struct svm_vote *vote, bool *is_over);

/* On what they have agreed: SV_OK where every rank came with SV_OK and the same hash. Else the caller's own status, or
 * SV_ERROR_STATE where it is others that refused, or that came with another hash. */
sv_status svm_vote_result(const struct svm_vote *vote);

#endif
