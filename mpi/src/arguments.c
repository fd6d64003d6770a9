/* What of the arguments of a plan is refused, and what all ranks have to be given alike. */
#include "arguments.h"

#include <inttypes.h>
#include <limits.h>

#include "agree.h"
#include "failure.h"

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

int64_t svm_arguments_itemsize(const struct svm_arguments *arguments)
{
    const int64_t dst = sv_layout_itemsize(sv_view_layout(arguments->dst));
    const int64_t src = sv_layout_itemsize(sv_view_layout(arguments->src));

    return dst < src ? dst : src;
}

static sv_status check_elements(const struct svm_arguments *arguments)
{
    const int64_t itemsize = svm_arguments_itemsize(arguments),
                  chunk = arguments->chunk != 0 ? arguments->chunk : itemsize;

    if ((arguments->flags & ~(uint32_t)(SV_COPY_CAST | SV_COPY_CAST_UNSAFE)) != 0)
        return svm_fail(SV_ERROR_INVALID, "flags are SV_COPY_CAST and SV_COPY_CAST_UNSAFE, not %#" PRIx32,
                        arguments->flags);
    if (chunk < itemsize || chunk > INT_MAX)
        return svm_fail(SV_ERROR_RANGE, "chunk is %" PRId64 " bytes: one element at least, 2^31 - 1 at most", chunk);
    if (sv_view_dtype(arguments->dst) != sv_view_dtype(arguments->src) && arguments->flags == 0)
        return svm_fail(SV_ERROR_DTYPE, "the dtypes differ, and no flag allows a conversion");
    return svm_check_dst("dst", arguments->dst);
}

sv_status svm_arguments_check(struct svm_arguments *arguments, const int32_t *axes, int32_t rank, int32_t size)
{
    sv_status status;

    if ((status = svm_need(arguments->to, "to")) || (status = svm_need(arguments->from, "from")) ||
        (status = svm_need(arguments->dst, "dst")) || (status = svm_need(arguments->src, "src")) ||
        (status = svm_distribution_axes(arguments->to, arguments->from, axes, arguments->axes)) ||
        (status = check_view("dst", arguments->dst, arguments->to, "to", rank, size)) ||
        (status = check_view("src", arguments->src, arguments->from, "from", rank, size)))
        return status;
    return check_elements(arguments);
}

uint64_t svm_arguments_hash(const struct svm_arguments *arguments)
{
    const size_t axes = (size_t)arguments->to->ndim;
    const sv_dtype dtypes[] = {sv_view_dtype(arguments->dst), sv_view_dtype(arguments->src)};
    uint64_t hash = svm_distribution_hash(0xcbf29ce484222325u, arguments->to);

    hash = svm_distribution_hash(hash, arguments->from);
    hash = svm_hash(hash, arguments->axes, axes * sizeof *arguments->axes);
    hash = svm_hash(hash, dtypes, sizeof dtypes);
    hash = svm_hash(hash, &arguments->flags, sizeof arguments->flags);
    return svm_hash(hash, &arguments->chunk, sizeof arguments->chunk);
}
