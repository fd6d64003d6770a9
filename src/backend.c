#include "backend.h"

const struct svi_backend *const svi_backends[] = {&svi_host, &svi_cuda};
const int svi_backend_count = sizeof svi_backends / sizeof *svi_backends;

const struct svi_backend *svi_backend_search(struct svi_device dst, struct svi_device src)
{
    for (int i = 0; i < svi_backend_count; i++)
        if (svi_backends[i]->reaches(dst, src))
            return svi_backends[i];
    return NULL;
}

const struct svi_backend *svi_backend_of_streams(int32_t device_type)
{
    for (int i = 0; i < svi_backend_count; i++)
        if (svi_backends[i]->orders(device_type))
            return svi_backends[i];
    return NULL;
}
