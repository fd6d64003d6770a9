// What the copy kernels share: vectors of 16 bytes, the ends of rows item by item, divisions by magic numbers.
//
// No kernel uses shuffles, atomics or static shared memory: a barrier is all that threads share. So the emulator of
// tests/emulated runs these files as they are.
#ifndef SVI_CUDA_KERNEL_CUH
#define SVI_CUDA_KERNEL_CUH

#include <stdint.h>

#include "gpu/launch.h"

#define SVI_DEVICE static __device__ __forceinline__
#define SVI_MEMBER __device__ __forceinline__

// Blocks that a multiprocessor is to have at a time, which bounds the registers of a thread. Some generations have room
// for fewer.
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ == 750
#define SVI_MOST_RESIDENT 4
#elif defined __CUDA_ARCH__ && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define SVI_MOST_RESIDENT 6
#else
#define SVI_MOST_RESIDENT 8
#endif
#define SVI_RESIDENT(blocks) ((blocks) < SVI_MOST_RESIDENT ? (blocks) : SVI_MOST_RESIDENT)
#define SVI_KERNEL(blocks) extern "C" __global__ void __launch_bounds__(SVI_LAUNCH_THREADS, SVI_RESIDENT(blocks))

#ifdef SVI_EMULATED
extern "C" unsigned char svi_shared[];
#define SVI_LOADS_FIRST
#else
extern __shared__ __align__(1024) unsigned char svi_shared[];
// Loads above are not moved below, so that all of them are on their way at once.
#define SVI_LOADS_FIRST asm volatile("" ::: "memory")
#endif

// Faults that tests plant in what they run, to see that they are found: tests/emulated/planted.h. The library has none.
#ifdef SVI_EMULATED
#define SVI_HAS_FAULT(fault) (emulated_planted == (fault))
#else
#define SVI_HAS_FAULT(fault) false
#endif

enum { THREADS = SVI_LAUNCH_THREADS, VECTORS = 4 /* that a thread copies */, STEP = THREADS * 16 /* bytes */ };

struct alignas(16) Vector {
    uint32_t word[4];
};

// An unsigned integer of so many bytes, or a vector.
template <int BYTES> struct Integer;
template <> struct Integer<1> {
    typedef uint8_t type;
};
template <> struct Integer<2> {
    typedef uint16_t type;
};
template <> struct Integer<4> {
    typedef uint32_t type;
};
template <> struct Integer<8> {
    typedef uint64_t type;
};
template <> struct Integer<16> {
    typedef Vector type;
};
template <int BYTES> using Item = typename Integer<BYTES>::type;

// --- loads and stores -------------------------------------------------------------------

// Addresses are made from pointers, never from integers: else the compiler does not know that they are global.
template <int BYTES> SVI_DEVICE Item<BYTES> load(const void *from)
{
    if constexpr (BYTES == 16) {
        const uint4 v = *(const uint4 *)from;

        return Vector{{v.x, v.y, v.z, v.w}};
    } else {
        return *(const Item<BYTES> *)from;
    }
}

template <int BYTES> SVI_DEVICE void store(void *to, const Item<BYTES> &value)
{
    if constexpr (BYTES == 16)
        *(uint4 *)to = make_uint4(value.word[0], value.word[1], value.word[2], value.word[3]);
    else
        *(Item<BYTES> *)to = value;
}

SVI_DEVICE unsigned beyond_vector(const void *address)
{
    return unsigned(uintptr_t(address) & 15);
}

// --- items of a vector --------------------------------------------------------------------

SVI_DEVICE Vector zero()
{
    return Vector{{0, 0, 0, 0}};
}

template <int BYTES> SVI_DEVICE Item<BYTES> item_of(const Vector &v, int k)
{
    if constexpr (BYTES == 1)
        return uint8_t(v.word[k >> 2] >> (k & 3) * 8);
    else if constexpr (BYTES == 2)
        return uint16_t(v.word[k >> 1] >> (k & 1) * 16);
    else if constexpr (BYTES == 4)
        return v.word[k];
    else if constexpr (BYTES == 8)
        return uint64_t(v.word[2 * k + 1]) << 32 | v.word[2 * k];
    else
        return v;
}

// Where bytes of the item are still 0.
template <int BYTES> SVI_DEVICE void put_item(Vector &v, int k, const Item<BYTES> &item)
{
    if constexpr (BYTES == 1)
        v.word[k >> 2] |= uint32_t(item) << (k & 3) * 8;
    else if constexpr (BYTES == 2)
        v.word[k >> 1] |= uint32_t(item) << (k & 1) * 16;
    else if constexpr (BYTES == 4)
        v.word[k] = item;
    else if constexpr (BYTES == 8)
        v.word[2 * k] = uint32_t(item), v.word[2 * k + 1] = uint32_t(item >> 32);
    else
        v = item;
}

template <int BYTES> SVI_DEVICE Vector filled_with(const Item<BYTES> &item)
{
    Vector v = zero();

#pragma unroll
    for (int k = 0; k < 16 / BYTES; k++)
        put_item<BYTES>(v, k, item);
    return v;
}

// Items first to last - 1 of the 16 bytes at an address: the ends of rows. A loop over two halves, so that it is little
// code and stays in registers.
template <int BYTES> SVI_DEVICE Vector load_items(const char *from, int first, int last)
{
    if constexpr (BYTES == 16) {
        return first < last ? load<16>(from) : zero();
    } else {
        uint64_t low = 0, high = 0;

#pragma unroll 1
        for (int k = first; k < last; k++) {
            const uint64_t item = load<BYTES>(from + k * BYTES);

            if (k * BYTES < 8)
                low |= item << k * BYTES * 8;
            else
                high |= item << (k * BYTES - 8) * 8;
        }
        return Vector{{uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)}};
    }
}

template <int BYTES> SVI_DEVICE void store_items(char *to, const Vector &v, int first, int last)
{
    if constexpr (BYTES == 16) {
        if (first < last)
            store<16>(to, v);
    } else {
        const uint64_t low = uint64_t(v.word[1]) << 32 | v.word[0], high = uint64_t(v.word[3]) << 32 | v.word[2];

#pragma unroll 1
        for (int k = first; k < last; k++)
            store<BYTES>(to + k * BYTES,
                         Item<BYTES>(k * BYTES < 8 ? low >> k * BYTES * 8 : high >> (k * BYTES - 8) * 8));
    }
}

// Bytes at to at + 15 of two vectors that follow each other; at is a multiple of BYTES below 16.
template <int BYTES> SVI_DEVICE Vector shifted(const Vector &low, const Vector &high, unsigned at)
{
    uint32_t w[8] = {low.word[0],  low.word[1],  low.word[2],  low.word[3],
                     high.word[0], high.word[1], high.word[2], high.word[3]};
    const bool two = at & 8, one = at & 4;
    Vector out;

#pragma unroll
    for (int k = 0; k < 6; k++)
        w[k] = two ? w[k + 2] : w[k];
    if (BYTES < 8) {
#pragma unroll
        for (int k = 0; k < 5; k++)
            w[k] = one ? w[k + 1] : w[k];
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        out.word[k] = BYTES < 4 ? __funnelshift_r(w[k], w[k + 1], (at & 3) * 8) : w[k];
    return out;
}

// --- places -------------------------------------------------------------------------------

SVI_DEVICE uint32_t quotient(uint32_t n, uint32_t magic, uint32_t shift)
{
    return (__umulhi(n, SVI_HAS_FAULT(WRONG_MAGIC) ? magic - 1 : magic) + n) >> shift;
}

SVI_DEVICE uint32_t quotient(uint32_t n, const svi_axis &axis)
{
    return quotient(n, axis.magic, axis.shift);
}

SVI_DEVICE uint64_t quotient_wide(uint64_t n, const svi_axis &axis)
{
    return (__umul64hi(n, SVI_HAS_FAULT(WRONG_MAGIC) ? axis.wide - 1 : axis.wide) + n) >> axis.shift;
}

SVI_DEVICE int64_t bytes_to(uint32_t index, int64_t stride)
{
    return SVI_HAS_FAULT(PRODUCT_OF_32_BITS) ? int64_t(int32_t(index * uint32_t(stride))) : int64_t(index) * stride;
}

// Takes the last of a number's digits off, and gives it.
SVI_DEVICE uint32_t take_digit(uint32_t &n, const svi_axis &axis)
{
    const uint32_t q = quotient(n, axis), digit = n - q * axis.extent;

    n = q;
    return digit;
}

// Adds where number n of the outer axes begins.
SVI_DEVICE void add_outer(const svi_launch_sides &p, uint32_t n, int64_t &dst, int64_t &src)
{
#pragma unroll 1
    for (uint32_t k = 0; k < p.naxes; k++) {
        const uint32_t at = take_digit(n, p.axes[k]);

        dst += bytes_to(at, p.axes[k].dst);
        src += bytes_to(at, p.axes[k].src);
    }
}

// --- copies of a batch --------------------------------------------------------------------

// How far copy number blockIdx.y is from the kernel's two addresses, where that is in the parameter block.
SVI_DEVICE svi_launch_distance distance_in(const void *block, uint32_t at)
{
    return ((const svi_launch_distance *)((const char *)block + at))[SVI_HAS_FAULT(FIRST_ENTRY) ? 0 : blockIdx.y];
}

// Its address in a table, as a way from the table's own, which the compiler knows to be global.
template <typename P> SVI_DEVICE P address_in(P table, int64_t step)
{
    return table + int64_t(load<8>(table + int64_t(SVI_HAS_FAULT(FIRST_ENTRY) ? 0 : blockIdx.y) * step) -
                           uint64_t(uintptr_t(table)));
}

#endif
