/* The emulated kernels, by the numbers of src/cuda/kernel_list.h. */
#ifndef EMULATED_KERNELS_H
#define EMULATED_KERNELS_H

#include "emulator.h"

#ifdef __cplusplus
extern "C"
#endif
emulated_kernel *emulated_kernel_of(int kernel);

#endif
