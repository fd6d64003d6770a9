/*
 * Votes of the ranks of one machine are posts in memory that all see, which takes a fraction of a microsecond where a
 * reduction takes some. A rank posts when it has heard all of the vote before, for which all have posted, and so have
 * heard the one before that: two posts, which take turns, are enough.
 */
#include "vote.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "comm.h"
#include "pause.h"
#include "request.h"

void svm_vote_make(int32_t rank, sv_status status, uint64_t hash, struct svm_vote *vote)
{
    const int64_t number = (int64_t)(hash >> 1);

    vote->told[0] = status == SV_OK ? 0 : status * (INT64_C(1) << 32) + rank;
    vote->told[1] = number;
    vote->told[2] = -number;
    vote->own.status = SV_OK;
    svm_failure_keep(&vote->own, status);
}

static const char *name_of(sv_status status)
{
    return status == SV_ERROR_MPI ? "SV_ERROR_MPI" : sv_status_name(status);
}

sv_status svm_vote_result(const struct svm_vote *vote)
{
    const int64_t least = vote->least[0], rank = least & INT64_C(0xffffffff);

    if (vote->own.status != SV_OK)
        return svm_failure_tell(&vote->own);
    if (least != 0)
        return svm_fail(SV_ERROR_STATE, "rank %" PRId64 " refused: %s", rank,
                        name_of((sv_status)((least - rank) / (INT64_C(1) << 32))));
    if (vote->least[1] != -vote->least[2])
        return svm_fail(SV_ERROR_STATE, "ranks were given different distributions, axes, dtypes, flags or chunks");
    return SV_OK;
}

/* --- by memory --------------------------------------------------------------- */

/* What a rank tells of a vote. */
static struct svm_post *post_of(const struct svm_board *board, int rank, uint64_t turn)
{
    return (struct svm_post *)(void *)(board->bases[rank] + board->offset) + turn % SVM_POSTS;
}

static void post(const struct svm_board *board, struct svm_vote *vote)
{
    struct svm_post *own = post_of(board, board->own, vote->turn);

    memcpy(own->told, vote->told, sizeof own->told);
    atomic_store_explicit(&own->turn, vote->turn, memory_order_release);
    memcpy(vote->least, vote->told, sizeof vote->least);
    vote->is_posted = true;
}

/* Reads the posts of those that have told, one rank after another; whether it was the last one. */
static bool hear(const struct svm_board *board, struct svm_vote *vote)
{
    for (; vote->heard < board->size; vote->heard++) {
        const struct svm_post *other = post_of(board, vote->heard, vote->turn);

        if (atomic_load_explicit(&other->turn, memory_order_acquire) != vote->turn)
            return false;
        for (int i = 0; i < 3; i++)
            if (other->told[i] < vote->least[i])
                vote->least[i] = other->told[i];
    }
    return true;
}

/* Goes on with the votes of the board up to a given one, as far as the others have told. */
static bool hear_until(struct svm_board *board, const struct svm_vote *until)
{
    while (until->heard < board->size) {
        struct svm_vote *first = board->first;

        if (!first->is_posted)
            post(board, first);
        if (!hear(board, first))
            return false;
        board->first = first->next;
    }
    return true;
}

/* --- both -------------------------------------------------------------------- */

sv_status svm_vote_begin(struct svm_board *board, sv_status status, uint64_t hash, struct svm_vote *vote)
{
    svm_vote_make(board->rank, status, hash, vote);
    vote->request = MPI_REQUEST_NULL;
    if (board->bases == NULL)
        return svm_of_mpi(MPI_Iallreduce(vote->told, vote->least, 3, MPI_INT64_T, MPI_MIN, board->comm, &vote->request),
                          "MPI_Iallreduce");
    vote->turn = ++board->turn;
    vote->heard = 0;
    vote->is_posted = false;
    vote->next = NULL;
    if (board->first == NULL)
        board->first = vote;
    else
        board->last->next = vote;
    board->last = vote;
    hear_until(board, vote);
    return SV_OK;
}

sv_status svm_vote_poll(struct svm_board *board, bool is_waiting, struct svm_vote *vote, bool *is_over)
{
    struct svm_pause pause = {0};

    if (board->bases == NULL)
        return svm_request_poll(&vote->request, is_waiting, is_over, MPI_STATUS_IGNORE);
    while (!(*is_over = hear_until(board, vote))) {
        if (!is_waiting || svm_pause_is_for_mpi(&pause))
            svm_comm_go_on(board->comm);
        if (!is_waiting)
            break;
        svm_pause(&pause);
    }
    return SV_OK;
}
