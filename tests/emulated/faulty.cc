// A kernel that does what emulators must find. Compiled as the library's kernels are, as a user's own would be.
#include "faulty.h"

#include "kernels.h"

struct alignas(4) Three {
    uint32_t word[3];
};

// Each thread has four bytes of both sides, and the first word of its own in shared memory.
static __device__ void touch(faulty what, char *dst, const char *src)
{
    uint32_t *const shared = (uint32_t *)svi_shared;
    uint32_t *const to = (uint32_t *)dst;
    const uint32_t *const from = (const uint32_t *)src;
    const unsigned me = threadIdx.x, other = FAULTY_THREADS - 1 - me;

    switch (what) {
    case READS_BEHIND:
        to[me] = from[me + 1];
        break;
    case READS_BEFORE:
        to[me] = from[int(me) - 1];
        break;
    case WRITES_BEHIND:
        to[me + 1] = from[me];
        break;
    case READS_LAST_VECTOR: // of which the last word is outside
        if (me == 0)
            *(uint4 *)dst = *(const uint4 *)(src + FAULTY_NBYTES - 12);
        break;
    case WRITES_SOURCE:
        ((uint32_t *)src)[me] = 0;
        break;
    case READS_MISALIGNED:
        dst[me] = char(*(const uint16_t *)(src + me));
        break;
    case WRITES_MISALIGNED:
        if (me == 1)
            *(uint2 *)(dst + me * 4) = make_uint2(1, 2);
        break;
    case SHARES_MISALIGNED:
        *(uint2 *)(shared + me) = make_uint2(1, 2);
        break;
    case READS_STRUCTURE:
        if (me == 0)
            *(Three *)dst = *(const Three *)src;
        break;
    case WRITES_TWICE:
        to[me / 2] = from[me];
        break;
    case WRITES_TOGETHER:
        shared[me / 2] = from[me];
        break;
    case READS_WITHOUT_BARRIER:
        shared[me] = from[me];
        to[me] = shared[other];
        break;
    case WRITES_WITHOUT_BARRIER:
        shared[me] = from[me];
        shared[other] = from[me];
        break;
    case WRITES_AFTER_READS:
        shared[me] = from[me];
        __syncthreads();
        to[me] = shared[other];
        shared[me] = 0;
        break;
    case READS_UNWRITTEN:
        to[me] = shared[me];
        break;
    case READS_OTHER_BLOCK:
        if (blockIdx.x == 0)
            shared[me] = from[me];
        to[me] = shared[me];
        break;
    case LEAVES_BEFORE_BARRIER:
        if (me == 17)
            return;
        __syncthreads();
        break;
    case WAITS_ELSEWHERE:
        if (me == 17)
            __syncthreads();
        else
            __syncthreads();
        break;
    case SHARES_TOO_MUCH:
        shared[me + FAULTY_SHARED / 4 - FAULTY_THREADS + 1] = from[me];
        break;
    default:
        break;
    }
}

// Nothing is wrong with these.
static __device__ void touch_well(faulty what, char *dst, const char *src)
{
    uint32_t *const shared = (uint32_t *)svi_shared;
    uint32_t *const to = (uint32_t *)dst;
    const uint32_t *const from = (const uint32_t *)src;
    const unsigned me = threadIdx.x, other = FAULTY_THREADS - 1 - me;

    switch (what) {
    case COPIES_BYTES:
        for (unsigned k = 0; k < 4; k++)
            dst[me * 4 + k] = src[me * 4 + k];
        break;
    case COPIES_VECTORS:
        if (me < FAULTY_NBYTES / 16)
            ((uint4 *)dst)[me] = ((const uint4 *)src)[me];
        break;
    case EXCHANGES:
        shared[me] = from[me];
        __syncthreads();
        to[me] = shared[other];
        __syncthreads();
        shared[other] = 0;
        break;
    case READS_TOGETHER:
        if (me == 0)
            shared[0] = from[0];
        __syncthreads();
        to[me] = shared[0];
        break;
    default:
        break;
    }
}

extern "C" __global__ void faulty_kernel(faulty what, char *dst, const char *src)
{
    touch(what, dst, src);
    touch_well(what, dst, src);
}

EMULATED_KERNEL(run_faulty, faulty_arguments, faulty_kernel(a.what, dst, src))
