/*
 * The list of backends, by itself so that a program can be linked with another list: tests add the driver of a second
 * family (tests/second). In the order in which they are asked: what host and device can both copy is the device's, in
 * the order of its streams.
 */
#include "device/backend_list.h"
#include "host/front/host.h"
#include "gpu/cuda/cuda.h"

const struct svi_backend *const svi_backends[] = {&svi_cuda, &svi_host, NULL};
