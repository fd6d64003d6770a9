/* Plans of redistributions: what is checked, what all ranks agree on, and what each of them sends and gets. */
#include "plan.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "failure.h"
#include "near.h"

enum { STRAIGHT_CHUNK = 256 << 10, TURNED_CHUNK = 4 << 20, SLOT_ALIGNMENT = 64 }; /* bytes */

/* What a plan is made of. */
struct request {
    const struct sv_mpi_distribution *to, *from;
    const sv_view *dst, *src;
    int32_t axes[SVM_MAX_NDIM];
    uint32_t flags;
    int64_t chunk;
};

/* --- what is refused --------------------------------------------------------- */

static sv_status check_axes(const int32_t *axes, struct request *request)
{
    const int32_t ndim = request->to->ndim;
    uint64_t met = 0;

    if (request->from->ndim != ndim)
        return svm_fail(SV_ERROR_LAYOUT, "to has %" PRId32 " axes, from has %" PRId32, ndim, request->from->ndim);
    for (int32_t k = 0; k < ndim; k++) {
        const int32_t axis = axes == NULL ? k : axes[k] < 0 ? axes[k] + ndim : axes[k];

        if (axis < 0 || axis >= ndim)
            return svm_fail(SV_ERROR_INDEX, "axes[%" PRId32 "] is no axis of %" PRId32, k, ndim);
        if (met >> axis & 1)
            return svm_fail(SV_ERROR_INVALID, "axis %" PRId32 " is given twice", axis);
        met |= UINT64_C(1) << axis;
        request->axes[k] = axis;
        if (request->to->axes[k].extent != request->from->axes[axis].extent)
            return svm_fail(SV_ERROR_LAYOUT,
                            "axis %" PRId32 " of to has %" PRId64 " elements, axis %" PRId32 " of from %" PRId64, k,
                            request->to->axes[k].extent, axis, request->from->axes[axis].extent);
    }
    return SV_OK;
}

/* A view has the shape that the distribution gives this rank. */
static sv_status check_view(const char *name, const sv_view *view, const struct sv_mpi_distribution *distribution,
                            const char *distribution_name, int32_t rank, int32_t size)
{
    const sv_layout *layout = sv_view_layout(view);
    int64_t shape[SVM_MAX_NDIM];

    if (distribution->ranks > size)
        return svm_fail(SV_ERROR_LAYOUT, "the grid of %s has %" PRId32 " ranks, comm has %" PRId32, distribution_name,
                        distribution->ranks, size);
    if (sv_layout_ndim(layout) != distribution->ndim)
        return svm_fail(SV_ERROR_LAYOUT, "%s has %" PRId32 " axes, %s has %" PRId32, name, sv_layout_ndim(layout),
                        distribution_name, distribution->ndim);
    sv_mpi_distribution_local_shape(distribution, rank, shape);
    for (int32_t k = 0; k < distribution->ndim; k++)
        if (sv_layout_shape(layout)[k] != shape[k])
            return svm_fail(SV_ERROR_LAYOUT,
                            "axis %" PRId32 " of %s has %" PRId64 " elements, of which %s gives rank %" PRId32
                            " %" PRId64,
                            k, name, sv_layout_shape(layout)[k], distribution_name, rank, shape[k]);
    return SV_OK;
}

/* Bytes of an element on its way: those of the smaller side. */
static int64_t travelling(const struct request *request)
{
    const int64_t dst = sv_layout_itemsize(sv_view_layout(request->dst));
    const int64_t src = sv_layout_itemsize(sv_view_layout(request->src));

    return dst < src ? dst : src;
}

static sv_status check_elements(const struct request *request)
{
    const int64_t itemsize = travelling(request), chunk = request->chunk != 0 ? request->chunk : itemsize;
    sv_answer unique;
    sv_status status;

    if ((request->flags & ~(uint32_t)(SV_COPY_CAST | SV_COPY_CAST_UNSAFE)) != 0)
        return svm_fail(SV_ERROR_INVALID, "flags are SV_COPY_CAST and SV_COPY_CAST_UNSAFE, not %#" PRIx32,
                        request->flags);
    if (chunk < itemsize || chunk > INT_MAX)
        return svm_fail(SV_ERROR_RANGE, "chunk is %" PRId64 " bytes: one element at least, 2^31 - 1 at most", chunk);
    if (sv_view_dtype(request->dst) != sv_view_dtype(request->src) && request->flags == 0)
        return svm_fail(SV_ERROR_DTYPE, "the dtypes differ, and no flag allows a conversion");
    if (sv_view_is_readonly(request->dst))
        return svm_fail(SV_ERROR_READ_ONLY, "dst is read-only");
    if ((status = svm_of_libsv(sv_layout_is_unique(sv_view_layout(request->dst), 0, &unique))))
        return status;
    return unique == SV_NO ? svm_fail(SV_ERROR_OVERLAP, "elements of dst share bytes") : SV_OK;
}

static sv_status check(struct request *request, const int32_t *axes, int32_t rank, int32_t size)
{
    sv_status status;

    if ((status = svm_need(request->to, "to")) || (status = svm_need(request->from, "from")) ||
        (status = svm_need(request->dst, "dst")) || (status = svm_need(request->src, "src")) ||
        (status = check_axes(axes, request)) ||
        (status = check_view("dst", request->dst, request->to, "to", rank, size)) ||
        (status = check_view("src", request->src, request->from, "from", rank, size)))
        return status;
    return check_elements(request);
}

/* Of all that ranks have to be given alike. */
static uint64_t hash_of(const struct request *request)
{
    const size_t axes = (size_t)request->to->ndim;
    const sv_dtype dtypes[] = {sv_view_dtype(request->dst), sv_view_dtype(request->src)};
    uint64_t hash = svm_hash(0xcbf29ce484222325u, request->to->axes, axes * sizeof *request->to->axes);

    hash = svm_hash(hash, request->from->axes, axes * sizeof *request->from->axes);
    hash = svm_hash(hash, &request->to->first, sizeof request->to->first);
    hash = svm_hash(hash, &request->from->first, sizeof request->from->first);
    hash = svm_hash(hash, request->axes, axes * sizeof *request->axes);
    hash = svm_hash(hash, dtypes, sizeof dtypes);
    hash = svm_hash(hash, &request->flags, sizeof request->flags);
    return svm_hash(hash, &request->chunk, sizeof request->chunk);
}

/* --- messages ---------------------------------------------------------------- */

/* Whether the axis along which the result is one run is one run of the source too, so that nothing is turned. */
static bool has_same_runs(const struct request *request, int32_t inner)
{
    const sv_layout *layout = sv_view_layout(request->src);
    const int64_t stride = sv_layout_byte_strides(layout)[request->axes[inner]];

    return (stride < 0 ? -stride : stride) == sv_layout_itemsize(layout);
}

/* In which order the elements of a message follow one another: that of the result in the memory of the first rank, which
 * also chooses the chunk, where the caller did not. Small chunks are still in a cache when they are unpacked; what is
 * turned while it is packed wants larger ones. */
static sv_status choose_order(MPI_Comm comm, struct request *request, int32_t *order)
{
    const int32_t ndim = request->to->ndim;
    int32_t told[SVM_MAX_NDIM + 1];

    if (sv_layout_size(sv_view_layout(request->dst)) == 0 ||
        sv_layout_stride_order(sv_view_layout(request->dst), told) != SV_OK)
        for (int32_t k = 0; k < ndim; k++)
            told[k] = k;
    told[ndim] = has_same_runs(request, told[ndim - 1]);

    const sv_status status = svm_of_mpi(MPI_Bcast(told, ndim + 1, MPI_INT32_T, 0, comm), "MPI_Bcast");

    memcpy(order, told, (size_t)ndim * sizeof *order);
    if (request->chunk == 0)
        request->chunk = told[ndim] ? STRAIGHT_CHUNK : TURNED_CHUNK;
    if (request->chunk < travelling(request))
        request->chunk = travelling(request);
    return status;
}

static void describe(const struct request *request, const int32_t *order, const sv_view *packed,
                     struct svm_exchange *out)
{
    const int64_t *dst = sv_layout_byte_strides(sv_view_layout(request->dst));
    const int64_t *src = sv_layout_byte_strides(sv_view_layout(request->src));

    *out = (struct svm_exchange){.ndim = request->to->ndim, .dst.view = request->dst, .src.view = request->src};
    for (int32_t k = 0; k < out->ndim; k++) {
        const int32_t axis = order[k], other = request->axes[axis];

        out->dst.strides[k] = dst[axis];
        out->dst.axes[k] = request->to->axes[axis];
        out->src.strides[k] = src[other];
        out->src.axes[k] = request->from->axes[other];
    }
    out->packed = packed;
    out->itemsize = sv_layout_itemsize(sv_view_layout(packed));
    out->chunk = request->chunk;
    out->flags = request->flags | SV_COPY_TRUST | SV_COPY_BLOCKING;
}

/* The places of a rank in both grids, in the order of a message. */
struct places {
    bool is_dst, is_src;
    int64_t dst[SVM_MAX_NDIM], src[SVM_MAX_NDIM];
};

static void find_places(const struct request *request, const int32_t *order, int32_t rank, struct places *out)
{
    int64_t dst[SVM_MAX_NDIM] = {0}, src[SVM_MAX_NDIM] = {0};

    out->is_dst = svm_distribution_coordinates(request->to, rank, dst);
    out->is_src = svm_distribution_coordinates(request->from, rank, src);
    for (int32_t k = 0; k < request->to->ndim; k++) {
        out->dst[k] = dst[order[k]];
        out->src[k] = src[request->axes[order[k]]];
    }
}

/* Parts one after another, until a chunk is full. */
static sv_status make_chunks(struct svm_message *message, int64_t limit)
{
    bool is_packed = message->is_near;

    message->chunks = malloc((size_t)message->parts.count * sizeof *message->chunks);
    if (message->chunks == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the chunks of a message");
    for (int64_t i = 0; i < message->parts.count; i++) {
        const int64_t nbytes = message->parts.items[i].nbytes;
        struct svm_chunk *last = message->count > 0 ? &message->chunks[message->count - 1] : NULL;

        if (last != NULL && last->nbytes + nbytes <= limit) {
            last->nbytes += nbytes;
            last->count++;
        } else {
            message->chunks[message->count++] = (struct svm_chunk){i, 1, nbytes};
        }
    }
    for (int64_t i = 0; i < message->count; i++) {
        const struct svm_chunk *chunk = &message->chunks[i];

        is_packed |= chunk->count > 1 || message->parts.items[chunk->first].plan != NULL;
        if (message->slot_size < chunk->nbytes)
            message->slot_size = chunk->nbytes;
    }
    message->slot_size = is_packed ? (message->slot_size + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT : 0;
    return SV_OK;
}

/* A run of bytes that shares its chunk, or goes by shared memory, is copied like any other part. */
static sv_status plan_runs(const struct svm_exchange *exchange, struct svm_message *message, enum svm_here here)
{
    for (int64_t i = 0; i < message->count; i++)
        for (int64_t k = 0; k < message->chunks[i].count && (message->is_near || message->chunks[i].count > 1); k++) {
            struct svm_part *part = &message->parts.items[message->chunks[i].first + k];
            const struct svm_box run = {1, {part->nbytes / exchange->itemsize}, {exchange->itemsize}};
            const sv_view *side = here == SVM_HERE_DST ? exchange->dst.view : exchange->src.view;
            sv_status status;

            if (part->plan == NULL &&
                (status = here == SVM_HERE_DST
                              ? svm_box_plan(side, &run, exchange->packed, &run, exchange->flags, &part->plan)
                              : svm_box_plan(exchange->packed, &run, side, &run, exchange->flags, &part->plan)))
                return status;
        }
    return SV_OK;
}

static void free_message(struct svm_message *message)
{
    svm_parts_free(&message->parts);
    free(message->chunks);
}

/* All that add_messages() made. */
static void free_messages(struct sv_mpi_plan *plan)
{
    for (int64_t i = 0; i < plan->sends.count; i++)
        free_message(&plan->sends.items[i]);
    for (int64_t i = 0; i < plan->receives.count; i++)
        free_message(&plan->receives.items[i]);
    free(plan->sends.items);
    free(plan->receives.items);
    plan->sends = plan->receives = (struct svm_messages){0};
    svm_parts_free(&plan->own);
    plan->buffer_bytes = plan->near_bytes = plan->sent_bytes = 0;
}

static sv_status add_message(const struct svm_exchange *exchange, struct sv_mpi_plan *plan, int32_t rank,
                             const int64_t *to, const int64_t *from, enum svm_here here, struct svm_messages *out)
{
    const bool is_near = plan->near.ranks != NULL && plan->near.ranks[rank] != MPI_UNDEFINED;
    struct svm_message message = {.rank = rank, .is_near = is_near};
    sv_status status = svm_parts_find(exchange, to, from, here, &message.parts);

    if (status == SV_OK && message.parts.count > 0 && (status = make_chunks(&message, exchange->chunk)) == SV_OK)
        status = plan_runs(exchange, &message, here);
    if (status == SV_OK && message.parts.count > 0 && out->count == out->capacity) {
        const int64_t capacity = out->capacity > 0 ? 2 * out->capacity : 8;
        struct svm_message *items = realloc(out->items, (size_t)capacity * sizeof *items);

        if (items == NULL)
            status = svm_fail(SV_ERROR_MEMORY, "no memory for %" PRId64 " messages", capacity);
        else
            *out = (struct svm_messages){items, out->count, capacity};
    }
    if (status != SV_OK || message.parts.count == 0) {
        free_message(&message);
        return status;
    }

    int64_t *nbytes = is_near ? &plan->near_bytes : &plan->buffer_bytes;

    message.slot = *nbytes;
    if (!is_near || here == SVM_HERE_SRC)
        *nbytes += SVM_SLOTS * message.slot_size;
    for (int64_t i = 0; i < message.count && here == SVM_HERE_SRC; i++)
        plan->sent_bytes += message.chunks[i].nbytes;
    out->items[out->count++] = message;
    return SV_OK;
}

/* To the rank behind this one first, and so on, so that not all send to the same rank at once. */
static sv_status add_messages(const struct request *request, const int32_t *order, const struct svm_exchange *exchange,
                              struct sv_mpi_plan *plan)
{
    struct places here, there;
    sv_status status = SV_OK;

    find_places(request, order, plan->rank, &here);
    if (here.is_dst && here.is_src)
        status = svm_parts_find(exchange, here.dst, here.src, SVM_HERE_BOTH, &plan->own);
    for (int32_t distance = 1; distance < plan->size && status == SV_OK; distance++) {
        const int32_t next = (int32_t)(((int64_t)plan->rank + distance) % plan->size);
        const int32_t before = (int32_t)(((int64_t)plan->rank + plan->size - distance) % plan->size);

        find_places(request, order, next, &there);
        if (here.is_src && there.is_dst)
            status = add_message(exchange, plan, next, there.dst, here.src, SVM_HERE_SRC, &plan->sends);
        find_places(request, order, before, &there);
        if (status == SV_OK && here.is_dst && there.is_src)
            status = add_message(exchange, plan, before, here.dst, there.src, SVM_HERE_DST, &plan->receives);
    }
    return status;
}

/* --- plans ------------------------------------------------------------------- */

/* An element of the smaller dtype in the memory that messages are packed in, pinned where a side is of a device. */
static sv_status view_packed(const struct request *request, sv_buffer **buffer, sv_view **out)
{
    const sv_view *dst = request->dst, *src = request->src;
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(dst)), other = sv_layout_itemsize(sv_view_layout(src));
    const sv_view *smaller = itemsize < other ? dst : src;
    sv_allocator *allocator = NULL;
    sv_layout *layout = NULL;
    sv_status status = SV_OK;

    if (sv_view_device_type(dst) != SV_DEVICE_CPU || sv_view_device_type(src) != SV_DEVICE_CPU)
        status = sv_allocator_pinned(&allocator);
    if (status == SV_OK &&
        (status = sv_buffer_new(allocator, itemsize < other ? itemsize : other, 0, 0, 0, buffer)) == SV_OK &&
        (status = sv_layout_new_bytes(0, NULL, NULL, itemsize < other ? itemsize : other, &layout)) == SV_OK)
        status = sv_view_from_buffer(*buffer, layout, sv_view_dtype(smaller), 0, 0, out);
    sv_layout_release(layout);
    sv_allocator_release(allocator);
    return svm_of_libsv(status);
}

static sv_status take_buffer(const sv_view *packed, struct sv_mpi_plan *plan)
{
    const int64_t slots = SVM_SLOTS * (plan->sends.count + plan->receives.count);
    sv_allocator *allocator = NULL;
    sv_status status = SV_OK;

    plan->requests = malloc((size_t)(slots + 1) * sizeof *plan->requests);
    if (plan->requests == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for %" PRId64 " requests", slots);
    for (int64_t i = 0; i < slots; i++)
        plan->requests[i] = MPI_REQUEST_NULL;
    if (plan->buffer_bytes == 0)
        return SV_OK;
    if (sv_view_device_type(packed) != SV_DEVICE_CPU)
        status = sv_allocator_pinned(&allocator);
    if (status == SV_OK)
        status = sv_buffer_new(allocator, plan->buffer_bytes, SLOT_ALIGNMENT, 0, 0, &plan->buffer);
    sv_allocator_release(allocator);
    return svm_of_libsv(status);
}

static struct svm_form form_of(const sv_view *view)
{
    return (struct svm_form){sv_layout_retain(sv_view_layout(view)), sv_view_dtype(view), sv_view_device_type(view),
                             sv_view_device_id(view)};
}

/* Messages, and the memory for their chunks: shared with the ranks of this machine where there is such memory. */
static sv_status build(const struct request *request, const int32_t *order, const sv_view *packed,
                       struct sv_mpi_plan *plan)
{
    struct svm_exchange exchange;
    sv_status status;

    describe(request, order, packed, &exchange);
    status = svm_agree(plan->comm, plan->rank, add_messages(request, order, &exchange, plan), 0);
    if (status == SV_OK && plan->near.ranks != NULL && svm_near_share(plan) != SV_OK) {
        svm_near_close(&plan->near);
        free_messages(plan);
        status = add_messages(request, order, &exchange, plan);
    }
    return status == SV_OK ? take_buffer(packed, plan) : status;
}

/* Whether all arrays of all ranks are of host memory: that of devices is packed in pinned memory, which is not shared. */
static sv_status are_of_host(const struct request *request, const struct sv_mpi_plan *plan, bool *out)
{
    int all = sv_view_device_type(request->dst) == SV_DEVICE_CPU && sv_view_device_type(request->src) == SV_DEVICE_CPU;
    const int error = MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, plan->comm);

    *out = all;
    return svm_of_mpi(error, "MPI_Allreduce");
}

static sv_status fill_plan(struct request *request, struct sv_mpi_plan *plan)
{
    int32_t order[SVM_MAX_NDIM];
    sv_buffer *buffer = NULL;
    sv_view *packed = NULL;
    bool is_host = false;
    sv_status status;

    plan->dst = form_of(request->dst);
    plan->src = form_of(request->src);
    if ((status = choose_order(plan->comm, request, order)) == SV_OK &&
        (status = are_of_host(request, plan, &is_host)) == SV_OK)
        status = svm_agree(plan->comm, plan->rank, view_packed(request, &buffer, &packed), 0);
    if (status == SV_OK && is_host)
        status = svm_agree(plan->comm, plan->rank, svm_near_open(plan->comm, &plan->near), 0);
    if (status == SV_OK)
        status = build(request, order, packed, plan);
    sv_view_release(packed);
    sv_buffer_release(buffer);
    return status;
}

static sv_status open_plan(MPI_Comm comm, struct sv_mpi_plan *plan)
{
    int is_inter = 0, rank = 0, size = 0;
    sv_status status;

    if (comm == MPI_COMM_NULL)
        return svm_fail(SV_ERROR_NULL, "comm is MPI_COMM_NULL");
    if ((status = svm_of_mpi(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter")))
        return status;
    if (is_inter)
        return svm_fail(SV_ERROR_UNSUPPORTED, "comm is an inter-communicator");
    if ((status = svm_of_mpi(MPI_Comm_dup(comm, &plan->comm), "MPI_Comm_dup")))
        return status;
    MPI_Comm_set_errhandler(plan->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(plan->comm, &rank);
    MPI_Comm_size(plan->comm, &size);
    plan->rank = rank;
    plan->size = size;
    return SV_OK;
}

sv_status sv_mpi_plan_new(MPI_Comm comm, const sv_mpi_distribution *to, const sv_mpi_distribution *from,
                          const int32_t *axes, const sv_view *dst, const sv_view *src, uint32_t flags, int64_t chunk,
                          sv_mpi_plan **out)
{
    struct request request = {.to = to, .from = from, .dst = dst, .src = src, .flags = flags, .chunk = chunk};
    struct sv_mpi_plan opened = {.comm = MPI_COMM_NULL, .near = {.comm = MPI_COMM_NULL, .window = MPI_WIN_NULL}},
                       *plan = NULL;
    sv_status status = open_plan(comm, &opened);

    if (status != SV_OK)
        return status;
    if ((status = svm_need(out, "out")) == SV_OK &&
        (status = check(&request, axes, opened.rank, opened.size)) == SV_OK && (plan = malloc(sizeof *plan)) == NULL)
        status = svm_fail(SV_ERROR_MEMORY, "no memory for a plan");
    status = svm_agree(opened.comm, opened.rank, status, status == SV_OK ? hash_of(&request) : 0);
    if (status == SV_OK) {
        *plan = opened;
        status = svm_agree(plan->comm, plan->rank, fill_plan(&request, plan), 0);
    } else {
        MPI_Comm_free(&opened.comm);
        free(plan);
        return status;
    }
    if (status != SV_OK)
        sv_mpi_plan_free(plan);
    else
        *out = plan;
    return status;
}

void sv_mpi_plan_free(sv_mpi_plan *plan)
{
    if (plan == NULL)
        return;
    free_messages(plan);
    svm_near_close(&plan->near);
    free(plan->requests);
    sv_buffer_release(plan->buffer);
    sv_layout_release(plan->dst.layout);
    sv_layout_release(plan->src.layout);
    MPI_Comm_free(&plan->comm);
    free(plan);
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
