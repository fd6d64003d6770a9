/* A distribution with its parts on those of its ranks that have much of them in another distribution. */
#include <inttypes.h>
#include <stdlib.h>

#include "assignment.h"
#include "failure.h"

enum { MAX_EXACT = 512, MAX_RANKS = 1 << 14 };

/* Elements that stay where they are. */
static int64_t kept_by(const struct svm_shares *shares, const int32_t *ranks)
{
    const struct sv_mpi_distribution *to = shares->to;
    int64_t kept = 0;

    for (int32_t part = 0; part < svm_distribution_parts(to); part++)
        kept += svm_shares_of(shares, part, ranks != NULL ? to->first + ranks[part] : svm_distribution_rank(to, part));
    return kept;
}

static sv_status relabel(const struct svm_shares *shares, int32_t *ranks, sv_mpi_distribution **out)
{
    const sv_status status = svm_distribution_parts(shares->to) <= MAX_EXACT ? svm_assign_exactly(shares, ranks)
                                                                             : svm_assign_greedily(shares, ranks);

    if (status != SV_OK)
        return status;
    if (kept_by(shares, ranks) > kept_by(shares, NULL))
        return svm_distribution_with_ranks(shares->to, ranks, out);
    *out = sv_mpi_distribution_retain(shares->to);
    return SV_OK;
}

static sv_status check_size(const char *name, const struct sv_mpi_distribution *distribution)
{
    const int32_t count = svm_distribution_parts(distribution);

    return count <= MAX_RANKS ? SV_OK
                              : svm_fail(SV_ERROR_UNSUPPORTED, "the grid of %s has %" PRId32 " ranks, more than %d",
                                         name, count, MAX_RANKS);
}

sv_status sv_mpi_distribution_relabel(const sv_mpi_distribution *to, const sv_mpi_distribution *from,
                                      const int32_t *axes, sv_mpi_distribution **out)
{
    int32_t order[SVM_MAX_NDIM], *ranks;
    struct svm_shares shares;
    sv_status status;

    if ((status = svm_need(to, "to")) || (status = svm_need(from, "from")) || (status = svm_need(out, "out")) ||
        (status = svm_distribution_axes(to, from, axes, order)) || (status = check_size("to", to)) ||
        (status = check_size("from", from)))
        return status;
    ranks = malloc((size_t)svm_distribution_parts(to) * sizeof *ranks);
    if (ranks == NULL)
        return svm_fail(SV_ERROR_MEMORY, "no memory for the ranks of %" PRId32 " parts", svm_distribution_parts(to));
    if ((status = svm_shares_find(to, from, order, &shares)) == SV_OK)
        status = relabel(&shares, ranks, out);
    svm_shares_free(&shares);
    free(ranks);
    return status;
}
