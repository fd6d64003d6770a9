/* Halos: what is checked, and what all ranks agree on. */
#include "halo_pieces.h"

#include <inttypes.h>
#include <stdlib.h>

#include "agree.h"
#include "comm.h"
#include "failure.h"

/* --- what is refused --------------------------------------------------------- */

static sv_status check_axis(const struct svm_halo_arguments *arguments, int32_t k, int64_t local)
{
    const struct svm_axis *axis = &arguments->distribution->axes[k];
    const int64_t low = arguments->low[k], high = arguments->high[k];
    const int64_t extent = sv_layout_shape(sv_view_layout(arguments->view))[k];
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

static sv_status check(const struct svm_halo_arguments *arguments, int32_t rank, int32_t size)
{
    const struct sv_mpi_distribution *distribution = arguments->distribution;
    int64_t local[SVM_MAX_NDIM];
    sv_status status;

    if ((status = svm_need(distribution, "distribution")) || (status = svm_need(arguments->low, "low")) ||
        (status = svm_need(arguments->high, "high")) || (status = svm_need(arguments->view, "view")))
        return status;

    const int32_t ndim = sv_layout_ndim(sv_view_layout(arguments->view));

    if ((arguments->flags & ~(uint32_t)SV_MPI_HALO_FACES) != 0)
        return svm_fail(SV_ERROR_INVALID, "flags are SV_MPI_HALO_FACES or 0, not %#" PRIx32, arguments->flags);
    if (distribution->ranks > size)
        return svm_fail(SV_ERROR_LAYOUT, "the grid of distribution has %" PRId32 " ranks, comm has %" PRId32,
                        distribution->ranks, size);
    if (ndim != distribution->ndim)
        return svm_fail(SV_ERROR_LAYOUT, "view has %" PRId32 " axes, distribution has %" PRId32, ndim,
                        distribution->ndim);
    sv_mpi_distribution_local_shape(distribution, rank, local);
    for (int32_t k = 0; k < ndim; k++)
        if ((status = check_axis(arguments, k, local[k])))
            return status;
    return svm_check_dst("view", arguments->view);
}

/* Of all that ranks have to be given alike. */
static uint64_t hash_of(const struct svm_halo_arguments *arguments)
{
    const struct sv_mpi_distribution *distribution = arguments->distribution;
    const size_t axes = (size_t)distribution->ndim;
    const int64_t elements[] = {sv_view_dtype(arguments->view), sv_layout_itemsize(sv_view_layout(arguments->view)),
                                arguments->flags};
    uint64_t hash = svm_distribution_hash(0xcbf29ce484222325u, distribution);

    hash = svm_hash(hash, arguments->low, axes * sizeof *arguments->low);
    hash = svm_hash(hash, arguments->high, axes * sizeof *arguments->high);
    for (size_t k = 0; k < axes; k++)
        hash = svm_hash(hash, &(char){arguments->periodic != NULL && arguments->periodic[k] != 0}, 1);
    return svm_hash(hash, elements, sizeof elements);
}

/* --- halos ------------------------------------------------------------------- */

static sv_status fill_halo(const struct svm_halo_arguments *arguments, struct sv_mpi_halo *halo)
{
    sv_status status;

    halo->view = sv_view_retain(arguments->view);
    if ((status = svm_halo_find_pieces(arguments, halo)))
        return status;

    const int count = svm_halo_messages(halo);

    halo->requests = malloc((size_t)(count + 1) * sizeof *halo->requests);
    if (halo->requests == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for %d requests", count);
    for (int i = 0; i <= count; i++)
        halo->requests[i] = MPI_REQUEST_NULL;
    return svm_listener_open(halo->comm, &halo->requests[count], &halo->listener);
}

sv_status sv_mpi_halo_new(MPI_Comm comm, const sv_mpi_distribution *distribution, const int64_t *low,
                          const int64_t *high, const int32_t *periodic, const sv_view *view, uint32_t flags,
                          sv_mpi_halo **out)
{
    const struct svm_halo_arguments arguments = {distribution, low, high, periodic, view, flags};
    struct sv_mpi_halo opened = {.references = 1,
                                 .own.type = MPI_BYTE,
                                 .near = {.comm = MPI_COMM_NULL, .window = MPI_WIN_NULL}},
                       *halo = NULL;
    sv_status status = svm_comm_open(comm, &opened.comm, &opened.rank, &opened.size);

    if (status != SV_OK)
        return status;
    if ((status = svm_need(out, "out")) == SV_OK && (status = check(&arguments, opened.rank, opened.size)) == SV_OK &&
        (halo = malloc(sizeof *halo)) == NULL)
        status = svm_fail(SV_ERROR_MEMORY, "no memory for a halo");
    status = svm_agree(opened.comm, opened.rank, status, status == SV_OK ? hash_of(&arguments) : 0);
    if (status != SV_OK) {
        MPI_Comm_free(&opened.comm);
        free(halo);
        return status;
    }
    *halo = opened;
    status = svm_agree(halo->comm, halo->rank, fill_halo(&arguments, halo), 0);
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
    if (--halo->references > 0)
        return;
    svm_listener_close(&halo->listener);
    svm_bundles_free(&halo->sends);
    svm_bundles_free(&halo->receives);
    svm_bundle_free(&halo->own);
    svm_near_close(&halo->near);
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
        *buffers = halo->buffer_bytes + halo->near_bytes;
    return SV_OK;
}
