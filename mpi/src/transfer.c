/* Messages between two ranks: bytes in C order, packed where a view is not one run of them. */
#include <inttypes.h>
#include <stdlib.h>

#include "elements.h"
#include "request.h"

/* A message under way. */
struct message {
    struct sv_mpi_request request;
    struct svm_elements elements;
    MPI_Request running;
    bool is_receive; /* from a rank, so that something comes */
};

/* What came is unpacked, if it is all. */
static sv_status receive(const struct svm_elements *elements, const MPI_Status *came)
{
    MPI_Count count = 0;
    const sv_status status = svm_of_mpi(MPI_Get_elements_x(came, MPI_BYTE, &count), "MPI_Get_elements_x");

    if (status != SV_OK)
        return status;
    if (count != elements->nbytes)
        return svm_fail(SV_ERROR_LAYOUT, "%" PRId64 " bytes came, dst has %" PRId64, (int64_t)count, elements->nbytes);
    return svm_elements_unpack(elements);
}

/* --- messages that are waited for -------------------------------------------- */

sv_status sv_mpi_send(const sv_view *src, int dest, int tag, MPI_Comm comm)
{
    struct svm_elements elements;
    sv_status status = svm_need(src, "src");

    if (status != SV_OK || (status = svm_elements_begin(src, 1, &elements)))
        return status;
    status = svm_of_mpi(
        SVM_LARGE(MPI_Send)(svm_elements_bytes(&elements), elements.count, elements.type, dest, tag, comm), "MPI_Send");
    svm_elements_end(&elements);
    return status;
}

sv_status sv_mpi_recv(const sv_view *dst, int source, int tag, MPI_Comm comm, MPI_Status *out)
{
    struct svm_elements elements;
    MPI_Status came;
    sv_status status = svm_need(dst, "dst");

    if (status != SV_OK || (status = svm_check_dst("dst", dst)) || (status = svm_elements_begin(dst, 0, &elements)))
        return status;
    status = svm_of_mpi(
        SVM_LARGE(MPI_Recv)(svm_elements_bytes(&elements), elements.count, elements.type, source, tag, comm, &came),
        "MPI_Recv");
    if (status == SV_OK && source != MPI_PROC_NULL)
        status = receive(&elements, &came);
    if (status == SV_OK && out != NULL)
        *out = came;
    svm_elements_end(&elements);
    return status;
}

/* --- messages under way ------------------------------------------------------ */

static sv_status advance_message(struct sv_mpi_request *request, bool is_waiting, bool *done, MPI_Status *came)
{
    struct message *message = (struct message *)request;
    const sv_status status = svm_request_poll(&message->running, is_waiting, done, came);

    return status == SV_OK && *done && message->is_receive ? receive(&message->elements, came) : status;
}

static void end_message(struct sv_mpi_request *request)
{
    struct message *message = (struct message *)request;

    svm_elements_end(&message->elements);
    free(message);
}

static sv_status begin_message(const sv_view *view, bool is_receive, struct message **out)
{
    struct message *message = malloc(sizeof *message);
    sv_status status;

    if (message == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for a request");
    message->request = (struct sv_mpi_request){advance_message, end_message};
    message->running = MPI_REQUEST_NULL;
    message->is_receive = is_receive;
    if ((status = svm_elements_begin(view, !is_receive, &message->elements))) {
        free(message);
        return status;
    }
    *out = message;
    return SV_OK;
}

/* The caller gets the request where MPI took the message. */
static sv_status give(struct message *message, sv_status status, sv_mpi_request **out)
{
    if (status == SV_OK)
        *out = &message->request;
    else
        end_message(&message->request);
    return status;
}

sv_status sv_mpi_isend(const sv_view *src, int dest, int tag, MPI_Comm comm, sv_mpi_request **out)
{
    struct message *message = NULL;
    sv_status status;

    if ((status = svm_need(src, "src")) || (status = svm_need(out, "out")) ||
        (status = begin_message(src, false, &message)))
        return status;

    const struct svm_elements *it = &message->elements;

    status = svm_of_mpi(
        SVM_LARGE(MPI_Isend)(svm_elements_bytes(it), it->count, it->type, dest, tag, comm, &message->running),
        "MPI_Isend");
    return give(message, status, out);
}

sv_status sv_mpi_irecv(const sv_view *dst, int source, int tag, MPI_Comm comm, sv_mpi_request **out)
{
    struct message *message = NULL;
    sv_status status;

    if ((status = svm_need(dst, "dst")) || (status = svm_need(out, "out")) || (status = svm_check_dst("dst", dst)) ||
        (status = begin_message(dst, true, &message)))
        return status;

    const struct svm_elements *it = &message->elements;

    message->is_receive = source != MPI_PROC_NULL;
    status = svm_of_mpi(
        SVM_LARGE(MPI_Irecv)(svm_elements_bytes(it), it->count, it->type, source, tag, comm, &message->running),
        "MPI_Irecv");
    return give(message, status, out);
}
