/* The one place outside the folder of a backend that has to know of it, here in a version for tests: the library's is
 * src/device/backend_list.c. */
#include "device/backend_list.h"
#include "host/front/host.h"
#include "gpu/cuda/cuda.h"
#include "second/second.h"

const struct svi_backend *const svi_backends[] = {&svi_cuda, &second_backend, &svi_host, NULL};
