/* Functions of the driver that not every driver has: looked up by name when they are needed. */
#include "gpu/cuda/driver.h"

/* A name alone could get a later version of the function, with other parameters: the version says which one. */
void *svi_cuda_driver(const char *name, int version)
{
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    void *entry = NULL;
    cudaError_t error = svi_cuda_api.driver_entry(name, &entry, (unsigned)version, cudaEnableDefault, &found);

    if (error != cudaSuccess)
        svi_cuda_api.last_error();
    return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? entry : NULL;
}
