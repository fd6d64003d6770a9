/*
 * The emulated kernels, by the numbers of src/gpu/kernel_list.h.
 *
 * Kernels of other files, a user's own for example, are run in the same way. local.mk compiles their file as it does
 * faulty.cc: after device.h, with SV_EMULATED_CXXFLAGS. The file includes this header and has for each kernel
 *
 *     EMULATED_KERNEL(run_scale, struct scale_arguments, scale(a.dst, a.src, a.factor))
 *
 * where a is the structure that the caller gives as the launch's block; dst and src are its two addresses. A program in
 * C declares "emulated_kernel run_scale;" and gives it to emulated_run() with all memory that the kernel may touch as
 * regions, as tests/emulated/detectors.c does. Threads are numbered along x only, blocks along x and y.
 */
#ifndef EMULATED_KERNELS_H
#define EMULATED_KERNELS_H

#include "emulator.h"

#ifdef __cplusplus
#define EMULATED_KERNEL(name, type, call)                                  \
    extern "C" void name(const void *block, char *dst, const char *src)    \
    {                                                                      \
        const type &a = *static_cast<const type *>(block);                 \
                                                                           \
        (void)dst, (void)src;                                              \
        call;                                                              \
    }
extern "C"
#endif
emulated_kernel *emulated_kernel_of(int kernel);

#endif
