// Generic copy: any plan, one word at a time. Compiled for each generation of devices into what fatbin.S embeds.
#include "cuda/strided.h"

template <typename Word>
static __device__ void copy_strided(const svi_plan &plan, char *dst, const char *src)
{
    const int64_t count = plan.nbytes / int64_t(sizeof(Word));
    const int64_t step = int64_t(gridDim.x) * blockDim.x;

    for (int64_t index = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; index < count; index += step) {
        int64_t to, from;

        svi_strided_locate(&plan, sizeof(Word), index, &to, &from);
        *reinterpret_cast<Word *>(dst + to) = *reinterpret_cast<const Word *>(src + from);
    }
}

extern "C" {

__global__ void svi_copy_strided_1(const __grid_constant__ svi_plan plan, char *dst, const char *src)
{
    copy_strided<uint8_t>(plan, dst, src);
}

__global__ void svi_copy_strided_2(const __grid_constant__ svi_plan plan, char *dst, const char *src)
{
    copy_strided<uint16_t>(plan, dst, src);
}

__global__ void svi_copy_strided_4(const __grid_constant__ svi_plan plan, char *dst, const char *src)
{
    copy_strided<uint32_t>(plan, dst, src);
}

__global__ void svi_copy_strided_8(const __grid_constant__ svi_plan plan, char *dst, const char *src)
{
    copy_strided<uint64_t>(plan, dst, src);
}

__global__ void svi_copy_strided_16(const __grid_constant__ svi_plan plan, char *dst, const char *src)
{
    copy_strided<uint4>(plan, dst, src);
}

}
