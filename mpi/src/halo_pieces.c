/* The pieces of a halo as messages: who gets which, how large they are, where they are packed, and by which copies. */
#include "halo_pieces.h"

#include <string.h>

#include "agree.h"
#include "box.h"
#include "memory.h"

enum { ALONE = 64 << 10 }; /* bytes */
enum { COPY_FLAGS = SV_COPY_TRUST | SV_COPY_BLOCKING };

/* Elements of a message follow one another as in the memory of the first rank, so that nothing is turned on the way
 * where all ranks have their axes in this order. */
static sv_status describe(const struct svm_halo_arguments *arguments, MPI_Comm comm, int32_t rank,
                          struct svm_margins *out)
{
    const sv_layout *layout = sv_view_layout(arguments->view);
    const int32_t ndim = arguments->distribution->ndim;
    int32_t order[SVM_MAX_NDIM];
    sv_status status;

    if (sv_layout_size(layout) == 0 || sv_layout_stride_order(layout, order) != SV_OK)
        for (int32_t k = 0; k < ndim; k++)
            order[k] = k;
    status = svm_of_mpi(MPI_Bcast(order, ndim, MPI_INT32_T, 0, comm), "MPI_Bcast");
    *out = (struct svm_margins){.distribution = arguments->distribution,
                                .ndim = ndim,
                                .rank = rank,
                                .has_edges = (arguments->flags & SV_MPI_HALO_FACES) == 0,
                                .alone = (ALONE - 1) / sv_layout_itemsize(layout) + 1};
    for (int32_t k = 0; k < ndim && status == SV_OK; k++) {
        const int32_t axis = order[k];

        out->axes[k] = (struct svm_margin){.axis = arguments->distribution->axes[axis],
                                           .low = arguments->low[axis],
                                           .high = arguments->high[axis],
                                           .is_periodic = arguments->periodic != NULL && arguments->periodic[axis] != 0,
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

/* How large messages are, and which of them are packed: all but single runs of bytes of memory that MPI takes. */
static void measure(const struct svm_margins *margins, const struct sv_mpi_halo *halo, struct svm_bundles *bundles)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(halo->view));

    for (int64_t i = 0; i < bundles->count; i++) {
        struct svm_bundle *bundle = &bundles->items[i];
        const struct svm_box first = box_of(margins, &bundle->pieces[0]);

        for (int64_t k = 0; k < bundle->count; k++)
            bundle->nbytes += bundle->pieces[k].size * itemsize;
        bundle->is_packed = bundle->count > 1 || !svm_box_is_run(&first, itemsize) || !svm_memory_is_taken(halo->view);
    }
}

/* What MPI counts, and where it is packed, unless in shared memory. */
static sv_status place_messages(struct sv_mpi_halo *halo, struct svm_bundles *bundles)
{
    sv_status status = SV_OK;

    for (int64_t i = 0; i < bundles->count && status == SV_OK; i++) {
        struct svm_bundle *bundle = &bundles->items[i];

        if (bundle->signals != NULL)
            continue;
        bundle->slot = halo->buffer_bytes;
        if (bundle->is_packed)
            halo->buffer_bytes += svm_halo_slot_size(bundle);
        status = svm_elements_count(sv_view_data(halo->view), bundle->nbytes, &bundle->type, &bundle->length);
    }
    return status;
}

/* The memory that messages are packed in, and its first element, which copies are planned with. */
static sv_status take_buffer(struct sv_mpi_halo *halo, sv_view **packed)
{
    const int64_t itemsize = sv_layout_itemsize(sv_view_layout(halo->view));
    sv_allocator *allocator = NULL;
    sv_layout *layout = NULL;
    sv_status status;

    if (halo->buffer_bytes == 0 && halo->near_bytes == 0 && halo->receives.count == 0)
        return SV_OK;
    if ((status = svm_memory_to_pack(halo->view, halo->view, &allocator)))
        return status;
    if ((status = sv_buffer_new(allocator, halo->buffer_bytes + itemsize, SVM_HALO_ALIGNMENT, 0, 0, &halo->buffer)) ==
            SV_OK &&
        (status = sv_layout_new_bytes(0, NULL, NULL, itemsize, &layout)) == SV_OK)
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

sv_status svm_halo_find_pieces(const struct svm_halo_arguments *arguments, struct sv_mpi_halo *halo)
{
    struct svm_margins margins;
    sv_view *packed = NULL;
    sv_status status = svm_agree(halo->comm, halo->rank, describe(arguments, halo->comm, halo->rank, &margins), 0);

    if (status != SV_OK || (status = svm_agree(halo->comm, halo->rank, find_pieces(&margins, halo), 0)))
        return status;
    measure(&margins, halo, &halo->receives);
    measure(&margins, halo, &halo->sends);
    if ((status = svm_halo_share(halo)) || (status = place_messages(halo, &halo->receives)) ||
        (status = place_messages(halo, &halo->sends)) || (status = take_buffer(halo, &packed)))
        return status;
    status = plan_copies(&margins, packed, halo);
    sv_view_release(packed);
    for (int64_t i = 0; i < halo->sends.count; i++)
        halo->sent_bytes += halo->sends.items[i].nbytes;
    return status;
}
