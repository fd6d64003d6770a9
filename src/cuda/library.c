/* The kernels, which fatbin.S embeds: loaded by the first copy, for the life of the process. */
#include <pthread.h>

#include "cuda/api.h"
#include "cuda/scope.h"

extern const char svi_fatbin[];

enum { WORDS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cudaLibrary_t library;
static cudaKernel_t kernels[WORDS];

static cudaError_t load(int which, const char *name)
{
    if (library == NULL) {
        cudaLibrary_t loaded;
        cudaError_t error = svi_cuda_api.load(&loaded, svi_fatbin, NULL, NULL, 0, NULL, NULL, 0);

        if (error != cudaSuccess)
            return error;
        library = loaded;
    }
    return svi_cuda_api.get_kernel(&kernels[which], library, name);
}

/* A stream capture, which forbids loading, stays valid. */
static sv_status open(int which, const char *name)
{
    struct svi_cuda_scope scope;
    cudaError_t error;

    SVI_TRY(svi_cuda_begin(SVI_CUDA_ANY_DEVICE, &scope));
    error = load(which, name);
    return svi_cuda_end(&scope, error == cudaSuccess ? SV_OK : svi_cuda_fail(error, name));
}

sv_status svi_cuda_kernel(int64_t word, cudaKernel_t *out)
{
    static const char *const names[WORDS] = {"svi_copy_strided_1", "svi_copy_strided_2", "svi_copy_strided_4",
                                             "svi_copy_strided_8", "svi_copy_strided_16"};
    const int which = __builtin_ctzll((uint64_t)word);
    sv_status status = SV_OK;

    pthread_mutex_lock(&lock);
    if (kernels[which] == NULL)
        status = open(which, names[which]);
    if (status == SV_OK)
        *out = kernels[which];
    pthread_mutex_unlock(&lock);
    return status;
}
