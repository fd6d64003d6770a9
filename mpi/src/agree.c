/* One reduction tells all ranks whether one of them refused, which one, and whether all were given the same. */
#include "agree.h"

#include <inttypes.h>

uint64_t svm_hash(uint64_t hash, const void *bytes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

/* The least of the first numbers is 0 where none refused; the other two tell whether the least hash is the largest. */
static void make_vote(int32_t rank, sv_status status, uint64_t hash, struct svm_vote *vote)
{
    const int64_t number = (int64_t)(hash >> 1);

    vote->told[0] = status == SV_OK ? 0 : status * (INT64_C(1) << 32) + rank;
    vote->told[1] = number;
    vote->told[2] = -number;
    vote->own.status = SV_OK;
    vote->request = MPI_REQUEST_NULL;
    svm_failure_keep(&vote->own, status);
}

static const char *name_of(sv_status status)
{
    return status == SV_ERROR_MPI ? "SV_ERROR_MPI" : sv_status_name(status);
}

sv_status svm_vote_result(const struct svm_vote *vote)
{
    const int64_t least = vote->least[0], rank = least & INT64_C(0xffffffff);

    if (vote->own.status != SV_OK)
        return svm_failure_tell(&vote->own);
    if (least != 0)
        return svm_fail(SV_ERROR_STATE, "rank %" PRId64 " refused: %s", rank,
                        name_of((sv_status)((least - rank) / (INT64_C(1) << 32))));
    if (vote->least[1] != -vote->least[2])
        return svm_fail(SV_ERROR_STATE, "ranks were given different distributions, axes, dtypes, flags or chunks");
    return SV_OK;
}

sv_status svm_agree(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash)
{
    struct svm_vote vote;

    make_vote(rank, status, hash, &vote);

    const sv_status reduced =
        svm_of_mpi(MPI_Allreduce(vote.told, vote.least, 3, MPI_INT64_T, MPI_MIN, comm), "MPI_Allreduce");

    return status == SV_OK && reduced != SV_OK ? reduced : svm_vote_result(&vote);
}

sv_status svm_vote_begin(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash, struct svm_vote *vote)
{
    make_vote(rank, status, hash, vote);
    return svm_of_mpi(MPI_Iallreduce(vote->told, vote->least, 3, MPI_INT64_T, MPI_MIN, comm, &vote->request),
                      "MPI_Iallreduce");
}
