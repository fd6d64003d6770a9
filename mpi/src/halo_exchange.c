/*
 * An exchange: receives are posted first, then what others get is packed and sent, and what this rank gets from itself
 * is copied; what arrives is unpacked by who waits or tests. The ranks agreed on everything when the halo was made, so
 * that an exchange meets the neighbours of a rank alone. A rank whose copy fails still sends its messages, without bytes,
 * by which their receivers know. Where MPI fails, it tells all others, for which each halo keeps a receive.
 */
#include "comm.h"
#include "failure.h"
#include "halo.h"
#include "memory.h"

enum { CHECKED = 16 }; /* exchanges, of which one looks first whether MPI failed on another rank */
enum { TAG_PIECES = SVM_TAG_FAILED + 1 };

/* The slot of this exchange. */
static struct svm_signals *signals_of(const struct sv_mpi_halo *halo, const struct svm_bundle *bundle)
{
    return &bundle->signals[halo->exchanges % SVM_HALO_SLOTS];
}

/* Where the bytes of a message lie: packed, or as the only piece of a bundle in the view. */
static char *bytes_of(const struct sv_mpi_halo *halo, const struct svm_bundle *bundle, int64_t place)
{
    if (bundle->signals != NULL)
        return (char *)(bundle->signals + SVM_HALO_SLOTS) +
               (int64_t)(halo->exchanges % SVM_HALO_SLOTS) * svm_halo_slot_size(bundle);
    return bundle->is_packed ? (char *)sv_buffer_data(halo->buffer) + bundle->slot
                             : (char *)sv_view_data(halo->view) + place;
}

/* --- messages ---------------------------------------------------------------- */

/* Copy all pieces of a bundle between the view and where they are packed. */
static sv_status copy_packed(const struct sv_mpi_halo *halo, const struct svm_bundle *bundle, bool is_sent)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(halo->view));
    char *view = sv_view_data(halo->view), *packed = bytes_of(halo, bundle, 0);
    sv_status status = SV_OK;

    for (int64_t i = 0; i < bundle->count && status == SV_OK; i++) {
        const struct svm_piece *piece = &bundle->pieces[i];

        status = is_sent ? sv_plan_execute(piece->plan, packed, view + piece->src, 0)
                         : sv_plan_execute(piece->plan, view + piece->dst, packed, 0);
        packed += piece->size * itemsize;
    }
    return svm_of_libsv(status);
}

static sv_status copy_own(const struct sv_mpi_halo *halo)
{
    char *view = sv_view_data(halo->view);
    sv_status status = SV_OK;

    for (int64_t i = 0; i < halo->own.count && status == SV_OK; i++) {
        const struct svm_piece *piece = &halo->own.pieces[i];

        status = sv_plan_execute(piece->plan, view + piece->dst, view + piece->src, 0);
    }
    return svm_of_libsv(status);
}

static sv_status receive(struct sv_mpi_halo *halo, struct svm_bundle *bundle, MPI_Request *request)
{
    halo->traffic.running++;
    if (bundle->signals != NULL) {
        halo->traffic.near++;
        bundle->is_under_way = true;
        return SV_OK;
    }
    return svm_of_mpi(SVM_LARGE(MPI_Irecv)(bytes_of(halo, bundle, bundle->pieces[0].dst), bundle->length, bundle->type,
                                           bundle->rank, TAG_PIECES, halo->comm, request),
                      "MPI_Irecv");
}

/* waited: whether the view can be read. */
static sv_status send(struct sv_mpi_halo *halo, struct svm_bundle *bundle, sv_status waited, MPI_Request *request)
{
    const sv_status packed = waited == SV_OK && bundle->is_packed ? copy_packed(halo, bundle, true) : waited;

    svm_failure_keep(&halo->failure, packed);
    if (bundle->signals != NULL) {
        signals_of(halo, bundle)->status = packed;
        svm_signal_set(&signals_of(halo, bundle)->ready, halo->exchanges);
        return SV_OK;
    }
    halo->traffic.running++;
    return svm_of_mpi(SVM_LARGE(MPI_Isend)(bytes_of(halo, bundle, bundle->pieces[0].src),
                                           packed == SV_OK ? bundle->length : 0, bundle->type, bundle->rank, TAG_PIECES,
                                           halo->comm, request),
                      "MPI_Isend");
}

/* What came is unpacked, if the sender could pack it. */
static void take(struct sv_mpi_halo *halo, const struct svm_bundle *bundle, bool is_whole)
{
    sv_status status = SV_OK;

    halo->traffic.running--;
    if (!is_whole)
        status = svm_fail(SV_ERROR_STATE, "rank %d failed to copy what it gives this rank", (int)bundle->rank);
    else if (bundle->is_packed)
        status = copy_packed(halo, bundle, false);
    svm_failure_keep(&halo->failure, status);
}

/* --- failures of MPI --------------------------------------------------------- */

static sv_status tell_failure(const MPI_Status *came)
{
    return svm_fail(SV_ERROR_STATE, "MPI failed on rank %d in an exchange of the halo", came->MPI_SOURCE);
}

/* Tells all other ranks, if it is not one of them that told, and leaves nothing that writes to the view. */
static void break_off(struct sv_mpi_halo *halo)
{
    const int count = svm_halo_messages(halo);

    halo->is_broken = true;
    if (halo->requests[count] != MPI_REQUEST_NULL)
        svm_comm_tell_others(halo->comm, halo->rank, halo->size);
    for (int i = 0; i < count; i++)
        svm_request_drop(i >= halo->receives.count, &halo->requests[i]);
}

/* --- exchanges --------------------------------------------------------------- */

/* Those messages of ranks of this machine that have come. */
static sv_status take_near(void *owner, bool *has_moved)
{
    struct sv_mpi_halo *halo = owner;

    for (int64_t i = 0; i < halo->receives.count; i++) {
        struct svm_bundle *bundle = &halo->receives.items[i];

        if (!bundle->is_under_way || !svm_signal_has(&signals_of(halo, bundle)->ready, halo->exchanges))
            continue;
        *has_moved = true;
        bundle->is_under_way = false;
        halo->traffic.near--;
        take(halo, bundle, signals_of(halo, bundle)->status == SV_OK);
    }
    return SV_OK;
}

/* One of the messages that MPI moves. */
static sv_status take_far(void *owner, bool is_waiting, bool *has_moved)
{
    struct sv_mpi_halo *halo = owner;
    const int count = svm_halo_messages(halo);
    MPI_Count nbytes = 0;
    MPI_Status came;
    int number;
    sv_status status = svm_request_poll_any(count + 1, halo->requests, is_waiting, &number, &came);

    if (status != SV_OK || number < 0)
        return status;
    if (number == count)
        return tell_failure(&came);
    *has_moved = true;
    if (number >= halo->receives.count) {
        halo->traffic.running--;
        return SV_OK;
    }
    if ((status = svm_of_mpi(MPI_Get_elements_x(&came, MPI_BYTE, &nbytes), "MPI_Get_elements_x")) == SV_OK)
        take(halo, &halo->receives.items[number], nbytes == halo->receives.items[number].nbytes);
    return status;
}

static const struct svm_movers movers = {take_near, take_far};

static sv_status advance_exchange(struct sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *came)
{
    struct sv_mpi_halo *halo = (struct sv_mpi_halo *)request;
    const sv_status status = svm_traffic_go_on(halo, &halo->traffic, &movers, is_waiting, done);

    (void)came;
    if (status != SV_OK) {
        *done = true;
        break_off(halo);
        return status;
    }
    return *done ? svm_failure_tell(&halo->failure) : SV_OK;
}

static void end_exchange(struct sv_mpi_request *request)
{
    struct sv_mpi_halo *halo = (struct sv_mpi_halo *)request;

    halo->is_started = false;
    svm_halo_release(halo);
}

/* Whether another rank told that MPI failed, which a rank without messages learns here alone. */
static sv_status check_others(struct sv_mpi_halo *halo)
{
    MPI_Status came;
    bool is_told = false;
    const sv_status status = svm_request_poll(&halo->requests[svm_halo_messages(halo)], false, &is_told, &came);

    return status == SV_OK && is_told ? tell_failure(&came) : status;
}

static sv_status start_messages(struct sv_mpi_halo *halo)
{
    const sv_status waited = svm_memory_wait(halo->view);
    sv_status status = SV_OK;

    svm_failure_keep(&halo->failure, waited);
    for (int64_t i = 0; i < halo->receives.count && status == SV_OK; i++)
        status = receive(halo, &halo->receives.items[i], &halo->requests[i]);
    for (int64_t i = 0; i < halo->sends.count && status == SV_OK; i++)
        status = send(halo, &halo->sends.items[i], waited, &halo->requests[halo->receives.count + i]);
    return status;
}

sv_status sv_mpi_halo_start(sv_mpi_halo *halo, sv_mpi_request **out)
{
    sv_status status;

    if ((status = svm_need(halo, "halo")) || (status = svm_need(out, "out")))
        return status;
    if (halo->is_started)
        return svm_fail(SV_ERROR_STATE, "an exchange of the halo is under way: its request was not waited for");
    if (halo->is_broken)
        return svm_fail(SV_ERROR_STATE, "MPI failed in an earlier exchange of the halo");
    halo->request = (struct sv_mpi_request){advance_exchange, end_exchange};
    halo->traffic = (struct svm_traffic){0};
    halo->exchanges++;
    halo->failure.status = SV_OK;
    if ((halo->exchanges % CHECKED == 0 && (status = check_others(halo))) || (status = start_messages(halo))) {
        break_off(halo);
        return status;
    }
    svm_failure_keep(&halo->failure, copy_own(halo));
    halo->is_started = true;
    halo->references++;
    *out = &halo->request;
    return SV_OK;
}
