/* One reduction tells all ranks whether one of them refused, which one, and whether all were given the same. */
#include "agree.h"

#include <inttypes.h>

#include "failure.h"

uint64_t svm_hash(uint64_t hash, const void *bytes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

sv_status svm_agree(MPI_Comm comm, int32_t rank, sv_status status, uint64_t hash)
{
    const int64_t number = (int64_t)(hash >> 1);
    int64_t told[3] = {status == SV_OK ? 0 : status * (INT64_C(1) << 32) + rank, number, -number}, least[3];
    const sv_status reduced = svm_of_mpi(MPI_Allreduce(told, least, 3, MPI_INT64_T, MPI_MIN, comm), "MPI_Allreduce");

    if (status != SV_OK || reduced != SV_OK)
        return status != SV_OK ? status : reduced;
    if (least[0] != 0) {
        const int64_t other = least[0] & INT64_C(0xffffffff);

        return svm_fail(SV_ERROR_STATE, "rank %" PRId64 " refused: %s", other,
                        sv_status_name((sv_status)((least[0] - other) / (INT64_C(1) << 32))));
    }
    if (least[1] != -least[2])
        return svm_fail(SV_ERROR_STATE, "ranks were given different distributions, axes, dtypes, flags or chunks");
    return SV_OK;
}
