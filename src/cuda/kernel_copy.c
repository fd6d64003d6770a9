/* Copies by the kernels of a device: both addresses are ones that it reads and writes itself. */
#include "cuda/api.h"
#include "cuda/strided.h"

enum { THREADS = 256, MAX_BLOCKS = 1 << 16 };

sv_status svi_cuda_launch(const struct svi_plan *plan, void *dst, const void *src, cudaStream_t stream)
{
    struct svi_plan joined = *plan;
    void *arguments[] = {&joined, &dst, &src};
    cudaLaunchConfig_t config = {.blockDim = {THREADS, 1, 1}, .gridDim = {1, 1, 1}, .stream = stream};
    cudaKernel_t function = NULL;
    cudaError_t error;
    int64_t word, blocks;

    svi_strided_join(&joined);
    word = svi_strided_word(&joined, (uintptr_t)dst, (uintptr_t)src);
    SVI_TRY(svi_cuda_kernel(word, &function));
    blocks = (joined.nbytes / word - 1) / THREADS + 1;
    config.gridDim.x = (unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS);
    error = svi_cuda_api.launch(&config, (const void *)function, arguments);
    if (error != cudaSuccess)
        return svi_cuda_fail(error, "launching the copy");
    return SV_OK;
}
