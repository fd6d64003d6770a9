/* Waiting for what is under way, whatever it is. */
#include "request.h"

sv_status svm_request_poll(MPI_Request *request, bool is_waiting, bool *done, MPI_Status *came)
{
    int is_done = 1;
    sv_status status;

    if (is_waiting)
        status = svm_of_mpi(MPI_Wait(request, came), "MPI_Wait");
    else
        status = svm_of_mpi(MPI_Test(request, &is_done, came), "MPI_Test");
    *done = status != SV_OK || is_done;
    return status;
}

sv_status svm_request_poll_any(int count, MPI_Request *requests, bool is_waiting, int *number, MPI_Status *came)
{
    int is_done = 1;
    sv_status status;

    if (is_waiting)
        status = svm_of_mpi(MPI_Waitany(count, requests, number, came), "MPI_Waitany");
    else
        status = svm_of_mpi(MPI_Testany(count, requests, number, &is_done, came), "MPI_Testany");
    if (!is_done || *number == MPI_UNDEFINED)
        *number = -1;
    return status;
}

void svm_request_drop(bool is_send, MPI_Request *request)
{
    if (*request == MPI_REQUEST_NULL)
        return;
    if (is_send) {
        MPI_Request_free(request);
    } else {
        MPI_Cancel(request);
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
}

/* Go on, and end the request if it is done. */
static sv_status advance(sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *out)
{
    MPI_Status came = {.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
    const sv_status status = request->advance(request, is_waiting, done, &came);

    if (!*done)
        return SV_OK;
    if (status == SV_OK && out != NULL)
        *out = came;
    request->end(request);
    return status;
}

sv_status sv_mpi_wait(sv_mpi_request *request, MPI_Status *out)
{
    const sv_status status = svm_need(request, "request");
    bool is_done = false;

    return status != SV_OK ? status : advance(request, true, &is_done, out);
}

sv_status sv_mpi_test(sv_mpi_request *request, int32_t *done, MPI_Status *out)
{
    bool is_done = false;
    sv_status status;

    if ((status = svm_need(request, "request")) || (status = svm_need(done, "done")))
        return status;
    status = advance(request, false, &is_done, out);
    *done = is_done;
    return status;
}
