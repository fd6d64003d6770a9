/* The kernels, which fatbin.S embeds: loaded by the first copy, for the life of the process. */
#include <pthread.h>

#include "gpu/cuda/api.h"
#include "gpu/kernel_list.h"
#include "gpu/cuda/scope.h"
#include "gpu/cuda/error.h"
#include "gpu/cuda/library.h"

extern const char svi_fatbin[];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cudaLibrary_t library;
static cudaKernel_t kernels[SVI_KERNEL_COUNT];

static cudaError_t load_kernel(int32_t kernel)
{
    if (library == NULL) {
        cudaLibrary_t loaded;
        cudaError_t error = svi_cuda_api.load(&loaded, svi_fatbin, NULL, NULL, 0, NULL, NULL, 0);

        if (error != cudaSuccess)
            return error;
        library = loaded;
    }
    return svi_cuda_api.get_kernel(&kernels[kernel], library, svi_kernel_name(kernel));
}

/* A stream capture, which forbids loading, stays valid. */
static sv_status open_kernel(int32_t kernel)
{
    struct svi_gpu_scope scope;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(SVI_GPU_ANY_DEVICE, &scope));
    error = load_kernel(kernel);
    return svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, svi_kernel_name(kernel)));
}

sv_status svi_cuda_kernel(int32_t kernel, cudaKernel_t *out)
{
    sv_status status = SV_OK;

    pthread_mutex_lock(&lock);
    if (kernels[kernel] == NULL)
        status = open_kernel(kernel);
    if (status == SV_OK)
        *out = kernels[kernel];
    pthread_mutex_unlock(&lock);
    return status;
}
