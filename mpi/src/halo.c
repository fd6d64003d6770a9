/* Plans of halo exchanges: what is checked, what all ranks agree on, and which pieces each of them sends and gets. */
#include "halo.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "box.h"
#include "comm.h"
#include "failure.h"

enum { SLOT_ALIGNMENT = 64, ALONE = 64 << 10 }; /* bytes */
enum { COPY_FLAGS = SV_COPY_TRUST | SV_COPY_BLOCKING };

/* What a halo is made of. */
struct request {
    const struct sv_mpi_distribution *distribution;
    const int64_t *low, *high;
    const int32_t *periodic;
    const sv_view *view;
    uint32_t flags;
};

/* --- what is refused --------------------------------------------------------- */

static sv_status check_axis(const struct request *request, int32_t k, int64_t local)
{
    const struct svm_axis *axis = &request->distribution->axes[k];
    const int64_t low = request->low[k], high = request->high[k];
    const int64_t extent = sv_layout_shape(sv_view_layout(request->view))[k];
    int64_t covered, around;

    if (low < 0 || high < 0)
        return svm_fail(SV_ERROR_INVALID, "axis %" PRId32 " has margins of %" PRId64 " and %" PRId64 " elements", k,
                        low, high);
    if (!__builtin_mul_overflow(axis->block, axis->count, &covered) && covered < axis->extent)
        return svm_fail(SV_ERROR_UNSUPPORTED,
                        "axis %" PRId32 " is cyclic, in blocks of %" PRId64 ": a halo needs one block for each process",
                        k, axis->block);
    if (__builtin_add_overflow(low, high, &around) || __builtin_add_overflow(around, axis->extent, &covered))
        return svm_fail(SV_ERROR_OVERFLOW, "axis %" PRId32 " and its margins have more than 2^63 - 1 elements", k);
    if (extent != local + around)
        return svm_fail(SV_ERROR_LAYOUT,
                        "axis %" PRId32 " of view has %" PRId64 " elements: the part has %" PRId64
                        ", its margins have %" PRId64,
                        k, extent, local, around);
    return SV_OK;
}

static sv_status check(const struct request *request, int32_t rank, int32_t size)
{
    const struct sv_mpi_distribution *distribution = request->distribution;
    int64_t local[SVM_MAX_NDIM];
    sv_status status;

    if ((status = svm_need(distribution, "distribution")) || (status = svm_need(request->low, "low")) ||
        (status = svm_need(request->high, "high")) || (status = svm_need(request->view, "view")))
        return status;

    const int32_t ndim = sv_layout_ndim(sv_view_layout(request->view));

    if ((request->flags & ~(uint32_t)SV_MPI_HALO_FACES) != 0)
        return svm_fail(SV_ERROR_INVALID, "flags are SV_MPI_HALO_FACES or 0, not %#" PRIx32, request->flags);
    if (distribution->ranks > size)
        return svm_fail(SV_ERROR_LAYOUT, "the grid of distribution has %" PRId32 " ranks, comm has %" PRId32,
                        distribution->ranks, size);
    if (ndim != distribution->ndim)
        return svm_fail(SV_ERROR_LAYOUT, "view has %" PRId32 " axes, distribution has %" PRId32, ndim,
                        distribution->ndim);
    sv_mpi_distribution_local_shape(distribution, rank, local);
    for (int32_t k = 0; k < ndim; k++)
        if ((status = check_axis(request, k, local[k])))
            return status;
    return svm_check_dst("view", request->view);
}

/* Of all that ranks have to be given alike. */
static uint64_t hash_of(const struct request *request)
{
    const struct sv_mpi_distribution *distribution = request->distribution;
    const size_t axes = (size_t)distribution->ndim;
    const int64_t elements[] = {sv_view_dtype(request->view), sv_layout_itemsize(sv_view_layout(request->view)),
                                request->flags, distribution->first};
    uint64_t hash = svm_hash(0xcbf29ce484222325u, distribution->axes, axes * sizeof *distribution->axes);

    hash = svm_hash(hash, request->low, axes * sizeof *request->low);
    hash = svm_hash(hash, request->high, axes * sizeof *request->high);
    for (size_t k = 0; k < axes; k++)
        hash = svm_hash(hash, &(char){request->periodic != NULL && request->periodic[k] != 0}, 1);
    return svm_hash(hash, elements, sizeof elements);
}

/* --- pieces ------------------------------------------------------------------ */

/* Elements of a message follow one another as in the memory of the first rank, so that nothing is turned on the way
 * where all ranks have their axes in this order. */
static sv_status describe(const struct request *request, MPI_Comm comm, int32_t rank, struct svm_margins *out)
{
    const sv_layout *layout = sv_view_layout(request->view);
    const int32_t ndim = request->distribution->ndim;
    int32_t order[SVM_MAX_NDIM];
    sv_status status;

    if (sv_layout_size(layout) == 0 || sv_layout_stride_order(layout, order) != SV_OK)
        for (int32_t k = 0; k < ndim; k++)
            order[k] = k;
    status = svm_of_mpi(MPI_Bcast(order, ndim, MPI_INT32_T, 0, comm), "MPI_Bcast");
    *out = (struct svm_margins){.distribution = request->distribution,
                                .ndim = ndim,
                                .rank = rank,
                                .has_edges = (request->flags & SV_MPI_HALO_FACES) == 0,
                                .alone = (ALONE - 1) / sv_layout_itemsize(layout) + 1};
    for (int32_t k = 0; k < ndim && status == SV_OK; k++) {
        const int32_t axis = order[k];

        out->axes[k] = (struct svm_margin){.axis = request->distribution->axes[axis],
                                           .low = request->low[axis],
                                           .high = request->high[axis],
                                           .is_periodic = request->periodic != NULL && request->periodic[axis] != 0,
                                           .stride = sv_layout_byte_strides(layout)[axis],
                                           .number = axis};
    }
    return status;
}

/* Takes the bundle of this rank out of those of all. */
static struct svm_bundle take_own(struct svm_bundles *bundles, int32_t rank)
{
    for (int64_t i = 0; i < bundles->count; i++)
        if (bundles->items[i].rank == rank) {
            const struct svm_bundle own = bundles->items[i];

            memmove(&bundles->items[i], &bundles->items[i + 1], (size_t)(--bundles->count - i) * sizeof own);
            return own;
        }
    return (struct svm_bundle){.rank = rank, .type = MPI_BYTE};
}

/* Every rank finds its own pieces, and those that others get from it; what it gets from itself is copied. */
static sv_status find_pieces(const struct svm_margins *margins, struct sv_mpi_halo *halo)
{
    int64_t coordinates[SVM_MAX_NDIM], place[SVM_MAX_NDIM];
    struct svm_bundle again; /* what this rank gives itself, which it has found as what it gets */
    sv_status status;

    if (!svm_distribution_coordinates(margins->distribution, halo->rank, coordinates))
        return SV_OK;
    for (int32_t k = 0; k < margins->ndim; k++)
        place[k] = coordinates[margins->axes[k].number];
    if ((status = svm_margins_filled(margins, place, &halo->receives)) ||
        (status = svm_margins_given(margins, place, &halo->sends)))
        return status;
    halo->own = take_own(&halo->receives, halo->rank);
    again = take_own(&halo->sends, halo->rank);
    svm_bundle_free(&again);
    return SV_OK;
}

static struct svm_box box_of(const struct svm_margins *margins, const struct svm_piece *piece)
{
    struct svm_box box = {.ndim = margins->ndim};

    for (int32_t k = 0; k < box.ndim; k++) {
        box.shape[k] = piece->shape[k];
        box.strides[k] = margins->axes[k].stride;
    }
    return box;
}

/* How large messages are, and which of them are packed: all but single runs of bytes of host memory. */
static sv_status measure(const struct svm_margins *margins, struct sv_mpi_halo *halo, struct svm_bundles *bundles)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(halo->view));
    sv_status status = SV_OK;

    for (int64_t i = 0; i < bundles->count && status == SV_OK; i++) {
        struct svm_bundle *bundle = &bundles->items[i];
        const struct svm_box first = box_of(margins, &bundle->pieces[0]);

        for (int64_t k = 0; k < bundle->count; k++)
            bundle->nbytes += bundle->pieces[k].size * itemsize;
        bundle->is_packed =
            bundle->count > 1 || !svm_box_is_run(&first, itemsize) || sv_view_device_type(halo->view) != SV_DEVICE_CPU;
        bundle->slot = halo->buffer_bytes;
        if (bundle->is_packed)
            halo->buffer_bytes += (bundle->nbytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
        status = svm_elements_count(sv_view_data(halo->view), bundle->nbytes, &bundle->type, &bundle->length);
    }
    return status;
}

/* The memory that messages are packed in, and its first element, which copies are planned with. */
static sv_status take_buffer(struct sv_mpi_halo *halo, sv_view **packed)
{
    sv_allocator *allocator = NULL;
    sv_layout *layout = NULL;
    sv_status status = SV_OK;

    if (halo->buffer_bytes == 0)
        return SV_OK;
    if (sv_view_device_type(halo->view) != SV_DEVICE_CPU)
        status = sv_allocator_pinned(&allocator);
    if (status == SV_OK &&
        (status = sv_buffer_new(allocator, halo->buffer_bytes, SLOT_ALIGNMENT, 0, 0, &halo->buffer)) == SV_OK &&
        (status = sv_layout_new_bytes(0, NULL, NULL, sv_layout_itemsize(sv_view_layout(halo->view)), &layout)) == SV_OK)
        status = sv_view_from_buffer(halo->buffer, layout, sv_view_dtype(halo->view), 0, 0, packed);
    sv_layout_release(layout);
    sv_allocator_release(allocator);
    return svm_of_libsv(status);
}

static sv_status plan_bundle(const struct svm_margins *margins, const sv_view *dst, const sv_view *src,
                             const sv_view *packed, struct svm_bundle *bundle)
{
    sv_status status = SV_OK;

    for (int64_t i = 0; i < bundle->count && status == SV_OK; i++) {
        const struct svm_box box = box_of(margins, &bundle->pieces[i]);
        struct svm_box run = box;

        if (packed != NULL)
            svm_box_make_run(&run, sv_layout_itemsize(sv_view_layout(packed)));
        status = svm_box_plan(dst, dst != packed ? &box : &run, src, src != packed ? &box : &run, COPY_FLAGS,
                              &bundle->pieces[i].plan);
    }
    return status;
}

static sv_status plan_copies(const struct svm_margins *margins, const sv_view *packed, struct sv_mpi_halo *halo)
{
    sv_status status = plan_bundle(margins, halo->view, halo->view, NULL, &halo->own);

    for (int64_t i = 0; i < halo->receives.count && status == SV_OK; i++)
        if (halo->receives.items[i].is_packed)
            status = plan_bundle(margins, halo->view, packed, packed, &halo->receives.items[i]);
    for (int64_t i = 0; i < halo->sends.count && status == SV_OK; i++)
        if (halo->sends.items[i].is_packed)
            status = plan_bundle(margins, packed, halo->view, packed, &halo->sends.items[i]);
    return status;
}

/* --- halos ------------------------------------------------------------------- */

static sv_status fill_halo(const struct request *request, struct sv_mpi_halo *halo)
{
    struct svm_margins margins;
    sv_view *packed = NULL;
    sv_status status;

    halo->view = sv_view_retain(request->view);
    if ((status = describe(request, halo->comm, halo->rank, &margins)) || (status = find_pieces(&margins, halo)) ||
        (status = measure(&margins, halo, &halo->receives)) || (status = measure(&margins, halo, &halo->sends)) ||
        (status = take_buffer(halo, &packed)))
        return status;
    status = plan_copies(&margins, packed, halo);
    sv_view_release(packed);
    if (status != SV_OK)
        return status;
    for (int64_t i = 0; i < halo->sends.count; i++)
        halo->sent_bytes += halo->sends.items[i].nbytes;

    const int count = svm_halo_messages(halo);

    halo->requests = malloc((size_t)(count + 1) * sizeof *halo->requests);
    if (halo->requests == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for %d requests", count);
    for (int i = 0; i <= count; i++)
        halo->requests[i] = MPI_REQUEST_NULL;
    return svm_halo_listen(halo);
}

sv_status sv_mpi_halo_new(MPI_Comm comm, const sv_mpi_distribution *distribution, const int64_t *low,
                          const int64_t *high, const int32_t *periodic, const sv_view *view, uint32_t flags,
                          sv_mpi_halo **out)
{
    const struct request request = {distribution, low, high, periodic, view, flags};
    struct sv_mpi_halo opened = {.references = 1, .own.type = MPI_BYTE}, *halo = NULL;
    sv_status status = svm_comm_open(comm, &opened.comm, &opened.rank, &opened.size);

    if (status != SV_OK)
        return status;
    if ((status = svm_need(out, "out")) == SV_OK && (status = check(&request, opened.rank, opened.size)) == SV_OK &&
        (halo = malloc(sizeof *halo)) == NULL)
        status = svm_fail(SV_ERROR_MEMORY, "no memory for a halo");
    status = svm_agree(opened.comm, opened.rank, status, status == SV_OK ? hash_of(&request) : 0);
    if (status != SV_OK) {
        MPI_Comm_free(&opened.comm);
        free(halo);
        return status;
    }
    *halo = opened;
    status = svm_agree(halo->comm, halo->rank, fill_halo(&request, halo), 0);
    if (status != SV_OK)
        svm_halo_release(halo);
    else
        *out = halo;
    return status;
}

int svm_halo_messages(const struct sv_mpi_halo *halo)
{
    return (int)(halo->receives.count + halo->sends.count);
}

void svm_halo_release(struct sv_mpi_halo *halo)
{
    MPI_Request *listening = halo->requests != NULL ? &halo->requests[svm_halo_messages(halo)] : NULL;

    if (--halo->references > 0)
        return;
    if (listening != NULL && *listening != MPI_REQUEST_NULL) {
        MPI_Cancel(listening);
        MPI_Wait(listening, MPI_STATUS_IGNORE);
    }
    svm_bundles_free(&halo->sends);
    svm_bundles_free(&halo->receives);
    svm_bundle_free(&halo->own);
    free(halo->requests);
    sv_buffer_release(halo->buffer);
    sv_view_release(halo->view);
    if (!halo->is_broken) /* else what was not received would come to the next communicator that MPI makes of it */
        MPI_Comm_free(&halo->comm);
    free(halo);
}

void sv_mpi_halo_free(sv_mpi_halo *halo)
{
    if (halo != NULL)
        svm_halo_release(halo);
}

sv_status sv_mpi_halo_bytes(const sv_mpi_halo *halo, int64_t *messages, int64_t *sent, int64_t *buffers)
{
    const sv_status status = svm_need(halo, "halo");

    if (status != SV_OK)
        return status;
    if (messages != NULL)
        *messages = halo->sends.count;
    if (sent != NULL)
        *sent = halo->sent_bytes;
    if (buffers != NULL)
        *buffers = halo->buffer_bytes;
    return SV_OK;
}
