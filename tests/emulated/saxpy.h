/* The parameters of the kernel of examples/kernels/saxpy.cu, as C has them. */
#ifndef EMULATED_SAXPY_H
#define EMULATED_SAXPY_H

#include <stdint.h>

/* What sv_view_kernel_arg() writes for two axes. */
struct block_of_2 {
    uint64_t address;
    int64_t shape[2], strides[2];
};

struct saxpy_arguments {
    struct block_of_2 y, x;
    float a;
};

#endif
