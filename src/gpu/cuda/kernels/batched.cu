// Many copies in a launch: one plan between many addresses, by the kernels of the other files, or runs of bytes.
#include "gpu/cuda/kernels/kernel.cuh"

// The two addresses of copy number blockIdx.y.
SVI_DEVICE void find_copy(const svi_launch_batch &p, char *&dst, const char *&src)
{
    if (p.has_table) {
        dst = address_in(dst, p.table.dst_step);
        src = address_in(src, p.table.src_step);
    } else {
        dst += p.dst[blockIdx.y];
        src += p.src[blockIdx.y];
    }
}

#define SVI_BATCHED_KERNEL(blocks, family, name, ...)                                                             \
    SVI_KERNEL(blocks) svi_batched_##name(const __grid_constant__ svi_launch_batch p, char *dst, const char *src) \
    {                                                                                                             \
        find_copy(p, dst, src);                                                                                   \
        __VA_ARGS__(p.one.family, dst, src);                                                                      \
    }

SVI_BATCHED_KERNEL(8, line, line_16, line<true>)
SVI_BATCHED_KERNEL(4, line, line_any, line<false>)
SVI_BATCHED_KERNEL(2, rows, rows_any, rows)
SVI_BATCHED_KERNEL(6, tile, tile_1_11, copy_tile<1, true, true>)
SVI_BATCHED_KERNEL(5, tile, tile_1_00, copy_tile<1, false, false>)
SVI_BATCHED_KERNEL(6, tile, tile_2_11, copy_tile<2, true, true>)
SVI_BATCHED_KERNEL(5, tile, tile_2_00, copy_tile<2, false, false>)
SVI_BATCHED_KERNEL(6, tile, tile_4_11, copy_tile<4, true, true>)
SVI_BATCHED_KERNEL(5, tile, tile_4_00, copy_tile<4, false, false>)
SVI_BATCHED_KERNEL(6, tile, tile_8_11, copy_tile<8, true, true>)
SVI_BATCHED_KERNEL(5, tile, tile_8_00, copy_tile<8, false, false>)
SVI_BATCHED_KERNEL(6, tile, tile_16_11, copy_tile<16, true, true>)
SVI_BATCHED_KERNEL(6, flat, flat_1, flat_bytes<1>)
SVI_BATCHED_KERNEL(6, flat, flat_2, flat_bytes<2>)
SVI_BATCHED_KERNEL(6, flat, flat_4, flat<4>)
SVI_BATCHED_KERNEL(6, flat, flat_8, flat<8>)
SVI_BATCHED_KERNEL(5, flat, flat_16, flat<16>)

// The last run that begins at the block's number or before it.
SVI_DEVICE uint32_t find_run(const svi_launch_runs &p)
{
    uint32_t low = 0, high = p.count;

#pragma unroll 1
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;

        if (p.runs[middle].first <= blockIdx.x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

SVI_KERNEL(4) svi_runs_any(const __grid_constant__ svi_launch_runs p, char *dst, const char *src)
{
    const svi_launch_run &run = p.runs[find_run(p)];
    const int64_t width = run.nbytes, first = int64_t(blockIdx.x - run.first) * SVI_LAUNCH_BYTES;

    dst += run.dst;
    src += run.src;
    line_any(dst, src, first, width, src, src + width);
}
