/*
 * CUDA C++ for a C++ compiler of the host: included before a .cu file, which is
 * compiled as it is. emulator.cc runs what comes of it.
 */
#ifndef EMULATED_DEVICE_H
#define EMULATED_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "planted.h"

#define SVI_EMULATED 1
#define __CUDACC__ 1
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) alignas(n)

struct dim3 {
    unsigned x, y, z;
};

struct alignas(8) uint2 {
    uint32_t x, y;
};

struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};

static inline uint2 make_uint2(uint32_t x, uint32_t y)
{
    return uint2{x, y};
}

static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return uint4{x, y, z, w};
}

extern "C" {
/* Constants to the kernel, so that reading them is no access to memory. */
extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
/* The alignment is that of an access at a place known to the compiler, which else is no single one. */
extern unsigned char svi_shared[] __attribute__((aligned(1024)));
extern const int emulated_planted; /* enum fault */
void emulated_barrier(int place);
}

/* The line tells two barriers apart. */
#define __syncthreads() emulated_barrier(__LINE__)

static inline uint32_t __umulhi(uint32_t a, uint32_t b)
{
    return uint32_t(uint64_t(a) * b >> 32);
}

static inline uint64_t __umul64hi(uint64_t a, uint64_t b)
{
    return uint64_t((unsigned __int128)a * b >> 64);
}

static inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t bits)
{
    return uint32_t((uint64_t(high) << 32 | low) >> (bits & 31));
}

/* Byte k of the result is the one of x (0 to 3) or y (4 to 7) that digit k of the selector names. */
static inline uint32_t __byte_perm(uint32_t x, uint32_t y, uint32_t selector)
{
    const uint64_t both = uint64_t(y) << 32 | x;
    uint32_t out = 0;

    for (int k = 0; k < 4; k++)
        out |= uint32_t(both >> (selector >> 4 * k & 7) * 8 & 255) << 8 * k;
    return out;
}

#endif
