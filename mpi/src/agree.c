/* Agreements that are waited for at once. */
#include "agree.h"

#include "vote.h"

uint64_t svm_hash(uint64_t hash, const void *bytes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

sv_status svm_agree(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash)
{
    struct svm_vote vote;

    svm_vote_make(rank, status, hash, &vote);

    const sv_status reduced =
        svm_of_mpi(MPI_Allreduce(vote.told, vote.least, 3, MPI_INT64_T, MPI_MIN, comm), "MPI_Allreduce");

    return status == SV_OK && reduced != SV_OK ? reduced : svm_vote_result(&vote);
}
