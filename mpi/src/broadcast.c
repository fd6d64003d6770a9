/*
 * Broadcasts: all ranks agree on what comes, and then it comes, 1 GiB at a time: MPICH 4.0 fails at more in MPI_Ibcast_c(),
 * and Open MPI 4.1 sends one element of a large type without a pipeline. One that is under way does both on a communicator of its
 * own, since between the two the caller may begin other work on the one that was given, on each rank at another time.
 */
#include <stdlib.h>

#include "agree.h"
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
    return rank != root ? svm_check_dst(view) : SV_OK;
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

enum stage { OPENING, ASKING, MOVING };

struct broadcast {
    struct sv_mpi_request request;
    struct svm_elements elements; /* where nothing was refused */
    struct svm_failure refusal;
    struct svm_vote vote;
    MPI_Comm comm;
    MPI_Request running; /* the communicator's duplicate, or a piece of the broadcast */
    int64_t moved;       /* bytes of all pieces until that one's end */
    enum stage stage;
    uint64_t hash;
    int rank, root;
};

/* The next piece; *done is set behind the last one. */
static sv_status begin_piece(struct broadcast *it, bool *done)
{
    char *bytes = svm_elements_bytes(&it->elements);
    const int64_t moved = it->moved;

    it->stage = MOVING;
    if (moved >= it->elements.nbytes) {
        *done = true;
        return it->rank != it->root ? svm_elements_unpack(&it->elements) : SV_OK;
    }
    it->moved += piece_of(&it->elements, moved);
    return svm_of_mpi(
        MPI_Ibcast(bytes + moved, piece_of(&it->elements, moved), MPI_BYTE, it->root, it->comm, &it->running),
        "MPI_Ibcast");
}

/* The step that follows the one that has ended. */
static sv_status begin_step(struct broadcast *it, bool *done)
{
    sv_status status;

    if (it->stage == OPENING) {
        it->stage = ASKING;
        MPI_Comm_set_errhandler(it->comm, MPI_ERRORS_RETURN);
        return svm_vote_begin(it->comm, it->rank, svm_failure_tell(&it->refusal), it->hash, &it->vote);
    }
    if (it->stage == ASKING && (status = svm_vote_result(&it->vote)))
        return status;
    return begin_piece(it, done);
}

static sv_status advance_broadcast(struct sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *came)
{
    struct broadcast *it = (struct broadcast *)request;
    bool is_over = true;
    sv_status status = SV_OK;

    (void)came;
    while (status == SV_OK && !*done) {
        MPI_Request *running = it->stage == ASKING ? &it->vote.request : &it->running;

        status = svm_request_poll(running, is_waiting, &is_over, MPI_STATUS_IGNORE);
        if (!is_over)
            return SV_OK;
        if (status == SV_OK)
            status = begin_step(it, done);
    }
    *done = true;
    return status;
}

static void close_broadcast(struct broadcast *it)
{
    if (it->stage > OPENING)
        MPI_Comm_free(&it->comm);
    if (it->refusal.status == SV_OK)
        svm_elements_end(&it->elements);
}

static void end_broadcast(struct sv_mpi_request *request)
{
    close_broadcast((struct broadcast *)request);
    free(request);
}

/* Begin what leads to a broadcast, or, where `status` says so, to its refusal by all ranks. */
static sv_status begin_broadcast(const sv_view *view, int root, MPI_Comm comm, sv_status status, struct broadcast *it)
{
    int size = 0;

    *it = (struct broadcast){{advance_broadcast, end_broadcast},
                             .comm = MPI_COMM_NULL,
                             .running = MPI_REQUEST_NULL,
                             .root = root,
                             .refusal.status = SV_OK};
    svm_failure_keep(&it->refusal, status);
    if ((status = find_rank(comm, &it->rank, &size)))
        return status;
    if (it->refusal.status == SV_OK && (status = check_bcast(view, root, it->rank, size)) == SV_OK &&
        (status = svm_elements_begin(view, it->rank == root, &it->elements)) == SV_OK)
        it->hash = hash_of(view, root);
    svm_failure_keep(&it->refusal, status);
    if ((status = svm_of_mpi(MPI_Comm_idup(comm, &it->comm, &it->running), "MPI_Comm_idup")))
        close_broadcast(it);
    return status;
}

/* Without memory for a request, a rank stays until all know that it refuses. */
static sv_status refuse_bcast(MPI_Comm comm)
{
    struct broadcast it;
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

    struct broadcast *it = malloc(sizeof *it);

    if (it == NULL)
        return refuse_bcast(comm);
    if ((status = begin_broadcast(view, root, comm, SV_OK, it)))
        free(it);
    else
        *out = &it->request;
    return status;
}
