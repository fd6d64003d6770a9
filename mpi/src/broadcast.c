/*
 * Broadcasts: all ranks agree on what comes, and then it comes, 1 GiB at a time: MPICH 4.0 fails at more in
 * MPI_Ibcast_c(), and Open MPI 4.1 sends one element of a large type without a pipeline.
 *
 * Those under way use a duplicate of the caller's communicator, since MPI begins them when ranks have agreed, which each
 * rank finds out at another time, when the caller may be at other work with its own. For the same reason they are in
 * a queue: MPI begins them in the order of the calls, whichever of them the caller waits for. MPI_Comm_idup() would give
 * each its own communicator, but in Open MPI 4.1 it mixes with other collective calls that are under way.
 */
#include <stdlib.h>

#include "agree.h"
#include "duplicate.h"
#include "elements.h"
#include "request.h"

enum { PIECE_BYTES = 1 << 30 };

static sv_status check_bcast(const sv_view *view, int root, int rank, int size)
{
    sv_status status = svm_need(view, "view");

    if (status != SV_OK)
        return status;
    if (root < 0 || root >= size)
        return svm_fail(SV_ERROR_INDEX, "root %d is no rank of %d", root, size);
    return rank != root ? svm_check_dst("view", view) : SV_OK;
}

static uint64_t hash_of(const sv_view *view, int root)
{
    const int64_t size = sv_layout_size(sv_view_layout(view));
    const sv_dtype dtype = sv_view_dtype(view);
    uint64_t hash = svm_hash(1, &size, sizeof size);

    hash = svm_hash(hash, &dtype, sizeof dtype);
    return svm_hash(hash, &root, sizeof root);
}

static sv_status find_rank(MPI_Comm comm, int *rank, int *size)
{
    const sv_status status = svm_of_mpi(MPI_Comm_rank(comm, rank), "MPI_Comm_rank");

    return status == SV_OK ? svm_of_mpi(MPI_Comm_size(comm, size), "MPI_Comm_size") : status;
}

/* The bytes that come next. */
static int piece_of(const struct svm_elements *elements, int64_t moved)
{
    const int64_t left = elements->nbytes - moved;

    return (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
}

static sv_status broadcast(const struct svm_elements *elements, int root, MPI_Comm comm)
{
    char *bytes = svm_elements_bytes(elements);
    sv_status status = SV_OK;

    for (int64_t moved = 0; moved < elements->nbytes && status == SV_OK; moved += PIECE_BYTES)
        status = svm_of_mpi(MPI_Bcast(bytes + moved, piece_of(elements, moved), MPI_BYTE, root, comm), "MPI_Bcast");
    return status;
}

sv_status sv_mpi_bcast(const sv_view *view, int root, MPI_Comm comm)
{
    struct svm_elements elements;
    int rank = 0, size = 0;
    sv_status status = find_rank(comm, &rank, &size);

    if (status != SV_OK)
        return status;
    if ((status = check_bcast(view, root, rank, size)) == SV_OK)
        status = svm_elements_begin(view, rank == root, &elements);

    const bool is_begun = status == SV_OK;

    status = svm_agree(comm, rank, status, is_begun ? hash_of(view, root) : 0);
    if (status == SV_OK && (status = broadcast(&elements, root, comm)) == SV_OK && rank != root)
        status = svm_elements_unpack(&elements);
    if (is_begun)
        svm_elements_end(&elements);
    return status;
}

/* --- under way --------------------------------------------------------------- */

struct svm_broadcast {
    struct sv_mpi_request request;
    struct svm_elements elements; /* where nothing was refused */
    struct svm_failure refusal;
    struct svm_vote vote;
    struct svm_duplicate *duplicate; /* a reference */
    struct svm_broadcast *next;      /* in its queue */
    bool is_begun; /* ranks have agreed, so that MPI has begun with the pieces, unless one refused */
    struct svm_failure failure; /* of the agreement, or of MPI */
    MPI_Request *pieces;
    int64_t count, done; /* pieces */
    int root;
};

/* Ranks have agreed: all pieces are under way, or none. */
static void begin_pieces(struct svm_broadcast *it)
{
    char *bytes = it->refusal.status == SV_OK ? svm_elements_bytes(&it->elements) : NULL;

    it->is_begun = true;
    svm_failure_keep(&it->failure, svm_vote_result(&it->vote));
    for (int64_t i = 0; i < it->count && it->failure.status == SV_OK; i++) {
        const int64_t moved = i * PIECE_BYTES;
        const int error = MPI_Ibcast(bytes + moved, piece_of(&it->elements, moved), MPI_BYTE, it->root,
                                     it->duplicate->comm, &it->pieces[i]);

        svm_failure_keep(&it->failure, svm_of_mpi(error, "MPI_Ibcast"));
    }
}

/* Begins with those of the queue until a given one, as far as ranks have agreed. */
static sv_status begin_queue(struct svm_broadcast *until, bool is_waiting)
{
    struct svm_duplicate *duplicate = until->duplicate;

    while (!until->is_begun) {
        struct svm_broadcast *first = duplicate->first;
        bool is_over = false;
        const sv_status status = svm_vote_poll(&duplicate->board, is_waiting, &first->vote, &is_over);

        if (status != SV_OK || !is_over)
            return status;
        duplicate->first = first->next;
        begin_pieces(first);
    }
    return SV_OK;
}

static sv_status advance_broadcast(struct sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *came)
{
    struct svm_broadcast *it = (struct svm_broadcast *)request;
    sv_status status = begin_queue(it, is_waiting);

    (void)came;
    if (status == SV_OK && !it->is_begun)
        return SV_OK;
    if (status == SV_OK)
        status = svm_failure_tell(&it->failure);
    while (status == SV_OK && it->done < it->count) {
        bool is_over = false;

        status = svm_request_poll(&it->pieces[it->done], is_waiting, &is_over, MPI_STATUS_IGNORE);
        if (!is_over)
            return SV_OK;
        svm_failure_keep(&it->failure, status);
        it->done++;
    }
    *done = true;
    return status == SV_OK && it->duplicate->rank != it->root ? svm_elements_unpack(&it->elements) : status;
}

/* Where MPI failed at one piece, it may still be at others, whose memory is left to it. */
static void close_broadcast(struct svm_broadcast *it)
{
    if (it->refusal.status == SV_OK && it->failure.status != SV_ERROR_MPI) {
        svm_elements_end(&it->elements);
        free(it->pieces);
    }
    svm_duplicate_release(it->duplicate);
}

static void end_broadcast(struct sv_mpi_request *request)
{
    close_broadcast((struct svm_broadcast *)request);
    free(request);
}

/* The elements, and requests for their pieces. */
static sv_status find_pieces(const sv_view *view, struct svm_broadcast *it)
{
    sv_status status = check_bcast(view, it->root, it->duplicate->rank, it->duplicate->size);

    if (status != SV_OK || (status = svm_elements_begin(view, it->duplicate->rank == it->root, &it->elements)))
        return status;
    it->count = it->elements.nbytes / PIECE_BYTES + (it->elements.nbytes % PIECE_BYTES != 0);
    if ((it->pieces = malloc((size_t)(it->count + 1) * sizeof *it->pieces)) != NULL)
        return SV_OK;
    svm_elements_end(&it->elements);
    return svm_fail(SV_ERROR_MEMORY, "no memory for a request");
}

/* Ask all ranks whether one refuses, as this one does where `status` says so. */
static sv_status begin_broadcast(const sv_view *view, int root, MPI_Comm comm, sv_status status,
                                 struct svm_broadcast *it)
{
    *it = (struct svm_broadcast){.request = {advance_broadcast, end_broadcast}, .root = root};
    svm_failure_keep(&it->refusal, status);
    if ((status = svm_duplicate_of(comm, &it->duplicate)))
        return status;
    if (it->refusal.status == SV_OK)
        svm_failure_keep(&it->refusal, find_pieces(view, it));
    status = svm_vote_begin(&it->duplicate->board, svm_failure_tell(&it->refusal),
                            it->refusal.status == SV_OK ? hash_of(view, root) : 0, &it->vote);
    if (status != SV_OK) {
        close_broadcast(it);
        return status;
    }
    if (it->duplicate->first == NULL)
        it->duplicate->first = it;
    else
        it->duplicate->last->next = it;
    it->duplicate->last = it;
    return SV_OK;
}

/* Without memory for a request, a rank stays until all know that it refuses. */
static sv_status refuse_bcast(MPI_Comm comm)
{
    struct svm_broadcast it;
    bool is_done = false;
    sv_status status = begin_broadcast(NULL, 0, comm, svm_fail(SV_ERROR_MEMORY, "no memory for a request"), &it);

    if (status != SV_OK)
        return status;
    status = advance_broadcast(&it.request, true, &is_done, NULL);
    close_broadcast(&it);
    return status;
}

sv_status sv_mpi_ibcast(const sv_view *view, int root, MPI_Comm comm, sv_mpi_request **out)
{
    sv_status status = svm_need(out, "out");

    if (status != SV_OK)
        return status;

    struct svm_broadcast *it = malloc(sizeof *it);

    if (it == NULL)
        return refuse_bcast(comm);
    if ((status = begin_broadcast(view, root, comm, SV_OK, it)))
        free(it);
    else
        *out = &it->request;
    return status;
}
