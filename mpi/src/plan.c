/* Plans of redistributions: how ranks agree on one, and the memory that it takes. */
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "arguments.h"
#include "comm.h"
#include "execution.h"
#include "failure.h"
#include "memory.h"
#include "messages.h"
#include "near.h"
#include "probe.h"
#include "reading.h"

enum { STRAIGHT_CHUNK = 256 << 10, TURNED_CHUNK = 4 << 20 }; /* bytes */

/* Whether the axis along which the result is one run is one run of the source too, so that nothing is turned. */
static bool has_same_runs(const struct svm_arguments *arguments, int32_t inner)
{
    const sv_layout *layout = sv_view_layout(arguments->src);
    const int64_t stride = sv_layout_byte_strides(layout)[arguments->axes[inner]];

    return (stride < 0 ? -stride : stride) == sv_layout_itemsize(layout);
}

/* In which order the elements of a message follow one another: that of the result in the memory of the first rank, which
 * also chooses the chunk, where the caller did not. Small chunks are still in a cache when they are unpacked; what is
 * turned while it is packed wants larger ones. */
static sv_status choose_order(MPI_Comm comm, struct svm_arguments *arguments, int32_t *order)
{
    const int32_t ndim = arguments->to->ndim;
    int32_t told[SVM_MAX_NDIM + 1];

    if (sv_layout_size(sv_view_layout(arguments->dst)) == 0 ||
        sv_layout_stride_order(sv_view_layout(arguments->dst), told) != SV_OK)
        for (int32_t k = 0; k < ndim; k++)
            told[k] = k;
    told[ndim] = has_same_runs(arguments, told[ndim - 1]);

    const sv_status status = svm_of_mpi(MPI_Bcast(told, ndim + 1, MPI_INT32_T, 0, comm), "MPI_Bcast");

    memcpy(order, told, (size_t)ndim * sizeof *order);
    if (arguments->chunk == 0)
        arguments->chunk = told[ndim] ? STRAIGHT_CHUNK : TURNED_CHUNK;
    if (arguments->chunk < svm_arguments_itemsize(arguments))
        arguments->chunk = svm_arguments_itemsize(arguments);
    return status;
}

static void describe(const struct svm_arguments *arguments, const int32_t *order, const sv_view *packed,
                     struct svm_exchange *out)
{
    const int64_t *dst = sv_layout_byte_strides(sv_view_layout(arguments->dst));
    const int64_t *src = sv_layout_byte_strides(sv_view_layout(arguments->src));

    *out = (struct svm_exchange){.ndim = arguments->to->ndim, .dst.view = arguments->dst, .src.view = arguments->src};
    for (int32_t k = 0; k < out->ndim; k++) {
        const int32_t axis = order[k], other = arguments->axes[axis];

        out->dst.strides[k] = dst[axis];
        out->dst.axes[k] = arguments->to->axes[axis];
        out->src.strides[k] = src[other];
        out->src.axes[k] = arguments->from->axes[other];
    }
    out->packed = packed;
    out->itemsize = sv_layout_itemsize(sv_view_layout(packed));
    out->chunk = arguments->chunk;
    out->flags = arguments->flags | SV_COPY_TRUST | SV_COPY_BLOCKING;
}

/* --- plans ------------------------------------------------------------------- */

/* An element of the smaller dtype in the memory that messages are packed in. */
static sv_status view_packed(const struct svm_arguments *arguments, sv_buffer **buffer, sv_view **out)
{
    const sv_view *dst = arguments->dst, *src = arguments->src;
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(dst)), other = sv_layout_itemsize(sv_view_layout(src));
    const sv_view *smaller = itemsize < other ? dst : src;
    sv_allocator *allocator = NULL;
    sv_layout *layout = NULL;
    sv_status status = svm_memory_to_pack(dst, src, &allocator);

    if (status != SV_OK)
        return status;
    if ((status = sv_buffer_new(allocator, itemsize < other ? itemsize : other, 0, 0, 0, buffer)) == SV_OK &&
        (status = sv_layout_new_bytes(0, NULL, NULL, itemsize < other ? itemsize : other, &layout)) == SV_OK)
        status = sv_view_from_buffer(*buffer, layout, sv_view_dtype(smaller), 0, 0, out);
    sv_layout_release(layout);
    sv_allocator_release(allocator);
    return svm_of_libsv(status);
}

int svm_plan_slots(const struct sv_mpi_plan *plan)
{
    return (int)(SVM_SLOTS * (plan->sends.count + plan->receives.count));
}

/* The requests of all slots, and a receive for what tells that another rank failed, which waits as long as the plan
 * lives. */
static sv_status take_requests(struct sv_mpi_plan *plan)
{
    const int slots = svm_plan_slots(plan);

    plan->requests = malloc((size_t)(slots + 1) * sizeof *plan->requests);
    if (plan->requests == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for %d requests", slots);
    for (int i = 0; i <= slots; i++)
        plan->requests[i] = MPI_REQUEST_NULL;
    if ((plan->idle = malloc(sizeof *plan->idle)) == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for an execution");
    return svm_listener_open(plan->comm, &plan->requests[slots], &plan->listener);
}

static void free_requests(struct sv_mpi_plan *plan)
{
    svm_listener_close(&plan->listener);
    free(plan->requests);
    free(plan->idle);
}

static sv_status take_buffer(const struct svm_arguments *arguments, struct sv_mpi_plan *plan)
{
    sv_allocator *allocator = NULL;
    sv_status status;

    if (plan->buffer_bytes == 0)
        return SV_OK;
    if ((status = svm_memory_to_pack(arguments->dst, arguments->src, &allocator)))
        return status;
    status = svm_of_libsv(sv_buffer_new(allocator, plan->buffer_bytes, SVM_SLOT_ALIGNMENT, 0, 0, &plan->buffer));
    sv_allocator_release(allocator);
    return status;
}

static struct svm_form form_of(const sv_view *view)
{
    return (struct svm_form){sv_layout_retain(sv_view_layout(view)), sv_view_dtype(view), sv_view_device_type(view),
                             sv_view_device_id(view)};
}

/* Where ranks agree when executions begin and end: in shared memory, or by two communicators, since a reduction of the
 * one may be under way when one of the other begins. */
static sv_status open_boards(struct sv_mpi_plan *plan)
{
    const struct svm_near *near = &plan->near;
    const bool is_near = near->bases != NULL && near->size == plan->size;

    plan->begins = plan->ends = (struct svm_board){.comm = plan->comm, .rank = plan->rank};
    if (!is_near)
        return svm_agree(plan->comm, plan->rank, svm_comm_duplicate(plan->comm, &plan->ends.comm), 0);
    plan->begins.bases = plan->ends.bases = near->bases;
    plan->begins.size = plan->ends.size = near->size;
    plan->begins.own = plan->ends.own = near->own;
    plan->begins.offset = SVM_BEGINS;
    plan->ends.offset = SVM_ENDS;
    return SV_OK;
}

/* Messages, and the memory for their chunks: shared with the ranks of this machine where there is such memory. */
static sv_status build(const struct svm_arguments *arguments, const int32_t *order, const sv_view *packed,
                       struct sv_mpi_plan *plan)
{
    struct svm_exchange exchange;
    sv_status status;

    describe(arguments, order, packed, &exchange);
    status = svm_agree(plan->comm, plan->rank, svm_messages_add(arguments, order, &exchange, plan), 0);
    if (status == SV_OK && plan->near.ranks != NULL && svm_messages_share(plan) != SV_OK) {
        svm_near_close(&plan->near);
        svm_messages_free(plan);
        status = svm_agree(plan->comm, plan->rank, svm_messages_add(arguments, order, &exchange, plan), 0);
    }
    if (status == SV_OK && (status = open_boards(plan)) == SV_OK && plan->near.ranks != NULL)
        status = svm_reading_prepare(arguments, order, &exchange, plan);
    if (status == SV_OK && plan->near.bases != NULL && (status = svm_probe(plan)) == SV_OK)
        status = svm_messages_plan_far(arguments, order, &exchange, plan);
    if (status == SV_OK && (status = take_requests(plan)) == SV_OK)
        status = take_buffer(arguments, plan);
    return status;
}

/* Whether all arrays of all ranks are of the host: those of devices are packed in memory that is not shared. */
static sv_status are_of_host(const struct svm_arguments *arguments, const struct sv_mpi_plan *plan, bool *out)
{
    int all = svm_memory_is_of_host(arguments->dst) && svm_memory_is_of_host(arguments->src);
    const int error = MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, plan->comm);

    *out = all;
    return svm_of_mpi(error, "MPI_Allreduce");
}

/* All ranks come to each collective step of MPI, or none does. */
static sv_status fill_plan(struct svm_arguments *arguments, struct sv_mpi_plan *plan)
{
    int32_t order[SVM_MAX_NDIM];
    sv_buffer *buffer = NULL;
    sv_view *packed = NULL;
    bool is_host = false;
    sv_status status;

    plan->dst = form_of(arguments->dst);
    plan->src = form_of(arguments->src);
    if ((status = svm_agree(plan->comm, plan->rank, choose_order(plan->comm, arguments, order), 0)) == SV_OK &&
        (status = are_of_host(arguments, plan, &is_host)) == SV_OK)
        status = svm_agree(plan->comm, plan->rank, view_packed(arguments, &buffer, &packed), 0);
    if (status == SV_OK && is_host)
        status = svm_agree(plan->comm, plan->rank, svm_near_open(plan->comm, &plan->near), 0);
    if (status == SV_OK)
        status = build(arguments, order, packed, plan);
    sv_view_release(packed);
    sv_buffer_release(buffer);
    return status;
}

static sv_status open_plan(MPI_Comm comm, struct sv_mpi_plan *plan)
{
    *plan = (struct sv_mpi_plan){.references = 1,
                                 .comm = MPI_COMM_NULL,
                                 .ends.comm = MPI_COMM_NULL,
                                 .near = {.comm = MPI_COMM_NULL, .window = MPI_WIN_NULL}};
    return svm_comm_open(comm, &plan->comm, &plan->rank, &plan->size);
}

sv_status sv_mpi_plan_new(MPI_Comm comm, const sv_mpi_distribution *to, const sv_mpi_distribution *from,
                          const int32_t *axes, const sv_view *dst, const sv_view *src, uint32_t flags, int64_t chunk,
                          sv_mpi_plan **out)
{
    struct svm_arguments arguments = {.to = to, .from = from, .dst = dst, .src = src, .flags = flags, .chunk = chunk};
    struct sv_mpi_plan opened, *plan = NULL;
    sv_status status = open_plan(comm, &opened);

    if (status != SV_OK)
        return status;
    if ((status = svm_need(out, "out")) == SV_OK &&
        (status = svm_arguments_check(&arguments, axes, opened.rank, opened.size)) == SV_OK &&
        (plan = malloc(sizeof *plan)) == NULL)
        status = svm_fail(SV_ERROR_MEMORY, "no memory for a plan");
    status = svm_agree(opened.comm, opened.rank, status, status == SV_OK ? svm_arguments_hash(&arguments) : 0);
    if (status != SV_OK) {
        MPI_Comm_free(&opened.comm);
        free(plan);
        return status;
    }
    *plan = opened;
    status = svm_agree(plan->comm, plan->rank, fill_plan(&arguments, plan), 0);
    if (status != SV_OK)
        svm_plan_release(plan);
    else
        *out = plan;
    return status;
}

void svm_plan_release(struct sv_mpi_plan *plan)
{
    if (--plan->references > 0)
        return;
    free_requests(plan);
    svm_messages_free(plan);
    svm_near_close(&plan->near);
    sv_buffer_release(plan->buffer);
    sv_layout_release(plan->dst.layout);
    sv_layout_release(plan->src.layout);
    if (plan->ends.comm != MPI_COMM_NULL && plan->ends.comm != plan->comm)
        MPI_Comm_free(&plan->ends.comm);
    if (!plan->is_broken) /* else what was not received would come to the next communicator that MPI makes of it */
        MPI_Comm_free(&plan->comm);
    free(plan);
}

void sv_mpi_plan_free(sv_mpi_plan *plan)
{
    if (plan != NULL)
        svm_plan_release(plan);
}

sv_status sv_mpi_plan_bytes(const sv_mpi_plan *plan, int64_t *sent, int64_t *buffers)
{
    const sv_status status = svm_need(plan, "plan");

    if (status != SV_OK)
        return status;
    if (sent != NULL)
        *sent = plan->sent_bytes;
    if (buffers != NULL)
        *buffers = plan->buffer_bytes + plan->near_bytes;
    return SV_OK;
}
