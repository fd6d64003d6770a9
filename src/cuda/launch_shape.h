/*
 * Which kernel copies a plan between two addresses of a device, with how many
 * blocks and what parameters. Pure, without a header of CUDA.
 */
#ifndef SVI_CUDA_LAUNCH_SHAPE_H
#define SVI_CUDA_LAUNCH_SHAPE_H

#include "cuda/kernel_list.h"
#include "plan.h"

struct svi_launch_shape {
    int32_t kernel;  /* enum svi_kernel */
    uint32_t grid;   /* blocks of SVI_LAUNCH_THREADS threads, 2^31 - 1 at most */
    uint32_t shared; /* bytes of shared memory of each */
    union {
        struct svi_launch launch;
        struct svi_launch_many many;
        struct svi_launch_cast cast;
        struct svi_launch_fill fill;
        struct svi_launch_box box;
    } block;
};

#endif
