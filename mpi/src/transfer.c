/* Messages between two ranks, and broadcasts: bytes in C order, packed where a view is not one run of them. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "agree.h"
#include "failure.h"

struct sv_mpi_request {
    MPI_Request request;
    MPI_Datatype type;  /* of all bytes where they are more than an int counts, else MPI_BYTE */
    int count;          /* of it */
    int64_t nbytes;
    sv_view *view;
    sv_buffer *buffer;  /* the packed bytes; NULL: the view is one run of them */
    sv_view *packed;    /* the elements there */
    int is_receive;
};

/* --- bytes ------------------------------------------------------------------- */

/* Memory for the packed elements, and a view of them. */
static sv_status make_packed(struct sv_mpi_request *message)
{
    const sv_layout *layout = sv_view_layout(message->view);
    sv_allocator *allocator = NULL;
    sv_layout *dense = NULL;
    sv_status status = SV_OK;

    if (sv_view_device_type(message->view) != SV_DEVICE_CPU)
        status = sv_allocator_pinned(&allocator);
    if (status == SV_OK && (status = sv_buffer_new(allocator, message->nbytes, 0, 0, 0, &message->buffer)) == SV_OK &&
        (status = sv_layout_new_dense(sv_layout_ndim(layout), sv_layout_shape(layout), SV_ORDER_C, NULL,
                                      sv_layout_itemsize(layout), &dense)) == SV_OK)
        status = sv_view_from_buffer(message->buffer, dense, sv_view_dtype(message->view), 0, 0, &message->packed);
    sv_layout_release(dense);
    sv_allocator_release(allocator);
    return svm_of_libsv(status);
}

/* MPI counts by int: more bytes are one element of a type of their own. */
static sv_status count_bytes(struct sv_mpi_request *message)
{
    sv_view *bytes = NULL;
    sv_status status;

    message->type = MPI_BYTE;
    message->count = (int)message->nbytes;
    if (message->nbytes <= INT_MAX)
        return SV_OK;
    message->count = 1;
    status = svm_of_libsv(
        sv_view_from_host(SV_UINT8, 1, &message->nbytes, NULL, sv_view_data(message->view), SV_READ_ONLY, &bytes));
    if (status == SV_OK)
        status = sv_mpi_type_new(bytes, &message->type);
    sv_view_release(bytes);
    return status;
}

static void end_message(struct sv_mpi_request *message)
{
    if (message->type != MPI_BYTE && message->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&message->type);
    sv_view_release(message->packed);
    sv_buffer_release(message->buffer);
    sv_view_release(message->view);
}

static sv_status check_written(const sv_view *view)
{
    sv_answer unique;
    sv_status status;

    if (sv_view_is_readonly(view))
        return svm_fail(SV_ERROR_READ_ONLY, "dst is read-only");
    if ((status = svm_of_libsv(sv_layout_is_unique(sv_view_layout(view), 0, &unique))))
        return status;
    return unique == SV_NO ? svm_fail(SV_ERROR_OVERLAP, "elements of dst share bytes") : SV_OK;
}

static sv_status begin_message(const sv_view *view, int is_receive, struct sv_mpi_request *out)
{
    const sv_layout *layout = sv_view_layout(view);
    sv_status status = SV_OK;

    *out = (struct sv_mpi_request){.request = MPI_REQUEST_NULL,
                                   .type = MPI_DATATYPE_NULL,
                                   .is_receive = is_receive,
                                   .nbytes = sv_layout_nbytes(layout),
                                   .view = sv_view_retain(view)};
    if (!sv_layout_is_contiguous(layout, SV_ORDER_C) || sv_view_device_type(view) != SV_DEVICE_CPU)
        status = make_packed(out);
    if (status == SV_OK)
        status = count_bytes(out);
    if (status == SV_OK && !is_receive && out->packed != NULL)
        status = svm_of_libsv(sv_copy(out->packed, view, SV_COPY_BLOCKING, 0));
    if (status != SV_OK)
        end_message(out);
    return status;
}

static void *bytes_of(const struct sv_mpi_request *message)
{
    return message->packed != NULL ? sv_buffer_data(message->buffer) : sv_view_data(message->view);
}

/* What came is unpacked, if it is all. */
static sv_status close_message(const struct sv_mpi_request *message, const MPI_Status *came)
{
    MPI_Count count = 0;
    sv_status status;

    if (!message->is_receive)
        return SV_OK;
    if ((status = svm_of_mpi(MPI_Get_elements_x(came, MPI_BYTE, &count), "MPI_Get_elements_x")))
        return status;
    if (count != message->nbytes)
        return svm_fail(SV_ERROR_LAYOUT, "%" PRId64 " bytes came, dst has %" PRId64, (int64_t)count, message->nbytes);
    if (message->packed == NULL)
        return SV_OK;
    return svm_of_libsv(sv_copy(message->view, message->packed, SV_COPY_BLOCKING | SV_COPY_TRUST, 0));
}

/* --- messages that are waited for -------------------------------------------- */

sv_status sv_mpi_send(const sv_view *src, int dest, int tag, MPI_Comm comm)
{
    struct sv_mpi_request message;
    sv_status status = svm_need(src, "src");

    if (status != SV_OK || (status = begin_message(src, 0, &message)))
        return status;
    status = svm_of_mpi(MPI_Send(bytes_of(&message), message.count, message.type, dest, tag, comm), "MPI_Send");
    end_message(&message);
    return status;
}

sv_status sv_mpi_recv(const sv_view *dst, int source, int tag, MPI_Comm comm, MPI_Status *out)
{
    struct sv_mpi_request message;
    MPI_Status came;
    sv_status status = svm_need(dst, "dst");

    if (status != SV_OK || (status = check_written(dst)) || (status = begin_message(dst, 1, &message)))
        return status;
    status =
        svm_of_mpi(MPI_Recv(bytes_of(&message), message.count, message.type, source, tag, comm, &came), "MPI_Recv");
    if (status == SV_OK && source != MPI_PROC_NULL)
        status = close_message(&message, &came);
    if (status == SV_OK && out != NULL)
        *out = came;
    end_message(&message);
    return status;
}

/* --- messages under way ------------------------------------------------------ */

static sv_status begin_request(const sv_view *view, int is_receive, sv_mpi_request **out)
{
    struct sv_mpi_request *request = malloc(sizeof *request);
    sv_status status;

    if (request == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for a request");
    if ((status = begin_message(view, is_receive, request))) {
        free(request);
        return status;
    }
    *out = request;
    return SV_OK;
}

static void end_request(struct sv_mpi_request *request)
{
    end_message(request);
    free(request);
}

sv_status sv_mpi_isend(const sv_view *src, int dest, int tag, MPI_Comm comm, sv_mpi_request **out)
{
    struct sv_mpi_request *request = NULL;
    sv_status status;

    if ((status = svm_need(src, "src")) || (status = svm_need(out, "out")) ||
        (status = begin_request(src, 0, &request)))
        return status;
    status = svm_of_mpi(MPI_Isend(bytes_of(request), request->count, request->type, dest, tag, comm, &request->request),
                        "MPI_Isend");
    if (status == SV_OK)
        *out = request;
    else
        end_request(request);
    return status;
}

sv_status sv_mpi_irecv(const sv_view *dst, int source, int tag, MPI_Comm comm, sv_mpi_request **out)
{
    struct sv_mpi_request *request = NULL;
    sv_status status;

    if ((status = svm_need(dst, "dst")) || (status = svm_need(out, "out")) || (status = check_written(dst)) ||
        (status = begin_request(dst, 1, &request)))
        return status;
    request->is_receive = source != MPI_PROC_NULL;
    status = svm_of_mpi(
        MPI_Irecv(bytes_of(request), request->count, request->type, source, tag, comm, &request->request), "MPI_Irecv");
    if (status == SV_OK)
        *out = request;
    else
        end_request(request);
    return status;
}

/* The message is done, and MPI's answer is known. */
static sv_status finish(struct sv_mpi_request *request, sv_status status, const MPI_Status *came, MPI_Status *out)
{
    if (status == SV_OK)
        status = close_message(request, came);
    if (status == SV_OK && out != NULL)
        *out = *came;
    end_request(request);
    return status;
}

sv_status sv_mpi_wait(sv_mpi_request *request, MPI_Status *out)
{
    MPI_Status came;
    sv_status status = svm_need(request, "request");

    if (status != SV_OK)
        return status;
    status = svm_of_mpi(MPI_Wait(&request->request, &came), "MPI_Wait");
    return finish(request, status, &came, out);
}

sv_status sv_mpi_test(sv_mpi_request *request, int32_t *done, MPI_Status *out)
{
    MPI_Status came;
    int is_done = 0;
    sv_status status;

    if ((status = svm_need(request, "request")) || (status = svm_need(done, "done")))
        return status;
    status = svm_of_mpi(MPI_Test(&request->request, &is_done, &came), "MPI_Test");
    if (status == SV_OK && !is_done) {
        *done = 0;
        return SV_OK;
    }
    *done = 1;
    return finish(request, status, &came, out);
}

/* --- broadcasts -------------------------------------------------------------- */

static sv_status check_bcast(const sv_view *view, int root, int rank, int size)
{
    sv_status status = svm_need(view, "view");

    if (status != SV_OK)
        return status;
    if (root < 0 || root >= size)
        return svm_fail(SV_ERROR_INDEX, "root %d is no rank of %d", root, size);
    return rank != root ? check_written(view) : SV_OK;
}

static uint64_t hash_of(const sv_view *view, int root)
{
    const int64_t size = sv_layout_size(sv_view_layout(view));
    const sv_dtype dtype = sv_view_dtype(view);
    uint64_t hash = svm_hash(1, &size, sizeof size);

    hash = svm_hash(hash, &dtype, sizeof dtype);
    return svm_hash(hash, &root, sizeof root);
}

sv_status sv_mpi_bcast(const sv_view *view, int root, MPI_Comm comm)
{
    struct sv_mpi_request message;
    int rank = 0, size = 0;
    sv_status status;

    if ((status = svm_of_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank")) ||
        (status = svm_of_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size")))
        return status;
    if ((status = check_bcast(view, root, rank, size)) == SV_OK)
        status = begin_message(view, rank != root, &message);

    const int is_begun = status == SV_OK;

    status = svm_agree(comm, rank, status, is_begun ? hash_of(view, root) : 0);
    if (status == SV_OK) {
        status = svm_of_mpi(MPI_Bcast(bytes_of(&message), message.count, message.type, root, comm), "MPI_Bcast");
        if (status == SV_OK && rank != root && message.packed != NULL)
            status = svm_of_libsv(sv_copy(view, message.packed, SV_COPY_BLOCKING | SV_COPY_TRUST, 0));
    }
    if (is_begun)
        end_message(&message);
    return status;
}
