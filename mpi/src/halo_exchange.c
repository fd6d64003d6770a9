/*
 * An exchange: receives are posted first, then what others get is packed and sent, and what this rank gets from itself
 * is copied; what arrives is unpacked by who waits or tests. The ranks agreed on everything when the halo was made, so
 * that an exchange meets the neighbours of a rank alone. A rank whose copy fails still sends its messages, without bytes,
 * by which their receivers know. Where MPI fails, it tells all others, for which each halo keeps a receive.
 */
#include "failure.h"
#include "halo.h"

enum { TAG_PIECES, TAG_FAILED };

/* Where the bytes of a message lie: packed, or as the only piece of a bundle in the view. */
static char *bytes_of(const struct sv_mpi_halo *halo, const struct svm_bundle *bundle, int64_t place)
{
    if (bundle->shared != NULL)
        return bundle->shared + halo->turn * svm_halo_slot_size(bundle);
    return bundle->is_packed ? (char *)sv_buffer_data(halo->buffer) + bundle->slot
                             : (char *)sv_view_data(halo->view) + place;
}

/* What MPI moves: these bytes, or one that tells that they are there. */
static char *sent_of(const struct sv_mpi_halo *halo, struct svm_bundle *bundle, int64_t place)
{
    return bundle->shared != NULL ? &bundle->told : bytes_of(halo, bundle, place);
}

/* What was written to shared memory before is seen, by others or here. */
static sv_status synchronize(const struct sv_mpi_halo *halo, const struct svm_bundle *bundle)
{
    return bundle->shared != NULL ? svm_of_mpi(MPI_Win_sync(halo->near.window), "MPI_Win_sync") : SV_OK;
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
    return svm_of_mpi(SVM_LARGE(MPI_Irecv)(sent_of(halo, bundle, bundle->pieces[0].dst), bundle->length, bundle->type,
                                           bundle->rank, TAG_PIECES, halo->comm, request),
                      "MPI_Irecv");
}

static sv_status send(struct sv_mpi_halo *halo, struct svm_bundle *bundle, MPI_Request *request)
{
    const sv_status packed = bundle->is_packed ? copy_packed(halo, bundle, true) : SV_OK;

    sv_status status;

    svm_failure_keep(&halo->failure, packed);
    if ((status = synchronize(halo, bundle)))
        return status;
    return svm_of_mpi(SVM_LARGE(MPI_Isend)(sent_of(halo, bundle, bundle->pieces[0].src),
                                           packed == SV_OK ? bundle->length : 0, bundle->type, bundle->rank, TAG_PIECES,
                                           halo->comm, request),
                      "MPI_Isend");
}

/* What came is unpacked, if the sender could pack it. */
static sv_status take(struct sv_mpi_halo *halo, const struct svm_bundle *bundle, const MPI_Status *came)
{
    MPI_Count nbytes = 0;
    sv_status status = svm_of_mpi(MPI_Get_elements_x(came, MPI_BYTE, &nbytes), "MPI_Get_elements_x");

    if (status != SV_OK || (status = synchronize(halo, bundle)))
        return status;
    if (nbytes != (bundle->shared != NULL ? 1 : bundle->nbytes))
        status = svm_fail(SV_ERROR_STATE, "rank %d failed to copy what it gives this rank", (int)bundle->rank);
    else if (bundle->is_packed)
        status = copy_packed(halo, bundle, false);
    svm_failure_keep(&halo->failure, status);
    return SV_OK;
}

/* --- failures of MPI --------------------------------------------------------- */

sv_status svm_halo_listen(struct sv_mpi_halo *halo)
{
    return svm_of_mpi(
        MPI_Irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_FAILED, halo->comm, &halo->requests[svm_halo_messages(halo)]),
        "MPI_Irecv");
}

static sv_status tell_failure(const MPI_Status *came)
{
    return svm_fail(SV_ERROR_STATE, "MPI failed on rank %d in an exchange of the halo", came->MPI_SOURCE);
}

/* Tells all other ranks, if it is not one of them that told, and leaves nothing that writes to the view. Messages that are
 * sent cannot be called back. */
static void break_off(struct sv_mpi_halo *halo)
{
    const int count = svm_halo_messages(halo);
    const bool was_told = halo->requests[count] == MPI_REQUEST_NULL;

    halo->is_broken = true;
    for (int other = 0; other < halo->size && !was_told; other++) {
        MPI_Request request;

        if (other != halo->rank && MPI_Isend(NULL, 0, MPI_BYTE, other, TAG_FAILED, halo->comm, &request) == MPI_SUCCESS)
            MPI_Request_free(&request);
    }
    for (int i = 0; i < count; i++) {
        MPI_Request *request = &halo->requests[i];

        if (*request == MPI_REQUEST_NULL)
            continue;
        if (i < halo->receives.count) {
            MPI_Cancel(request);
            MPI_Wait(request, MPI_STATUS_IGNORE);
        } else {
            MPI_Request_free(request);
        }
    }
}

/* --- exchanges --------------------------------------------------------------- */

/* One message after another, in the order in which they are done. */
static sv_status go_on(struct sv_mpi_halo *halo, bool is_waiting, bool *done)
{
    const int count = svm_halo_messages(halo);

    while (halo->running > 0) {
        int number = MPI_UNDEFINED, is_one = 1;
        MPI_Status came;
        sv_status status =
            is_waiting ? svm_of_mpi(MPI_Waitany(count + 1, halo->requests, &number, &came), "MPI_Waitany")
                       : svm_of_mpi(MPI_Testany(count + 1, halo->requests, &number, &is_one, &came), "MPI_Testany");

        if (status != SV_OK)
            return status;
        if (!is_one)
            return SV_OK;
        if (number == count)
            return tell_failure(&came);
        halo->running--;
        if (number < halo->receives.count && (status = take(halo, &halo->receives.items[number], &came)))
            return status;
    }
    *done = true;
    return SV_OK;
}

static sv_status advance_exchange(struct sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *came)
{
    struct sv_mpi_halo *halo = (struct sv_mpi_halo *)request;
    const sv_status status = go_on(halo, is_waiting, done);

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
    sv_status status = SV_OK;

    for (int64_t i = 0; i < halo->receives.count && status == SV_OK; i++)
        status = receive(halo, &halo->receives.items[i], &halo->requests[i]);
    for (int64_t i = 0; i < halo->sends.count && status == SV_OK; i++)
        status = send(halo, &halo->sends.items[i], &halo->requests[halo->receives.count + i]);
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
    halo->running = svm_halo_messages(halo);
    halo->turn = 1 - halo->turn;
    halo->failure.status = SV_OK;
    if ((status = check_others(halo)) || (status = start_messages(halo))) {
        break_off(halo);
        return status;
    }
    svm_failure_keep(&halo->failure, copy_own(halo));
    halo->is_started = true;
    halo->references++;
    *out = &halo->request;
    return SV_OK;
}
