/*
 * The kernels, each once: the name after "svi_" and the type of its parameter
 * block. A kernel is void svi_NAME(const BLOCK block, char *dst, const char *src).
 */
#ifndef SVI_GPU_KERNEL_LIST_H
#define SVI_GPU_KERNEL_LIST_H

#include "gpu/launch.h"

#define SVI_KERNELS(KERNEL)                      \
    KERNEL(line_16, svi_launch_line)             \
    KERNEL(line_any, svi_launch_line)            \
    KERNEL(rows_any, svi_launch_rows)            \
    KERNEL(tile_1_11, svi_launch_tile)           \
    KERNEL(tile_1_01, svi_launch_tile)           \
    KERNEL(tile_1_10, svi_launch_tile)           \
    KERNEL(tile_1_00, svi_launch_tile)           \
    KERNEL(tile_2_11, svi_launch_tile)           \
    KERNEL(tile_2_01, svi_launch_tile)           \
    KERNEL(tile_2_10, svi_launch_tile)           \
    KERNEL(tile_2_00, svi_launch_tile)           \
    KERNEL(tile_4_11, svi_launch_tile)           \
    KERNEL(tile_4_01, svi_launch_tile)           \
    KERNEL(tile_4_10, svi_launch_tile)           \
    KERNEL(tile_4_00, svi_launch_tile)           \
    KERNEL(tile_8_11, svi_launch_tile)           \
    KERNEL(tile_8_01, svi_launch_tile)           \
    KERNEL(tile_8_10, svi_launch_tile)           \
    KERNEL(tile_8_00, svi_launch_tile)           \
    KERNEL(tile_16_11, svi_launch_tile)          \
    KERNEL(apart_1, svi_launch_channels)         \
    KERNEL(apart_2, svi_launch_channels)         \
    KERNEL(apart_4, svi_launch_channels)         \
    KERNEL(apart_8, svi_launch_channels)         \
    KERNEL(together_1, svi_launch_channels)      \
    KERNEL(together_2, svi_launch_channels)      \
    KERNEL(together_4, svi_launch_channels)      \
    KERNEL(together_8, svi_launch_channels)      \
    KERNEL(box_1, svi_launch_box)                \
    KERNEL(box_2, svi_launch_box)                \
    KERNEL(box_4, svi_launch_box)                \
    KERNEL(box_8, svi_launch_box)                \
    KERNEL(permute_1, svi_launch_permute)        \
    KERNEL(permute_2, svi_launch_permute)        \
    KERNEL(permute_4, svi_launch_permute)        \
    KERNEL(permute_8, svi_launch_permute)        \
    KERNEL(flat_1, svi_launch_flat)              \
    KERNEL(flat_2, svi_launch_flat)              \
    KERNEL(flat_4, svi_launch_flat)              \
    KERNEL(flat_8, svi_launch_flat)              \
    KERNEL(flat_16, svi_launch_flat)             \
    KERNEL(many_1, svi_launch_many)              \
    KERNEL(many_2, svi_launch_many)              \
    KERNEL(many_4, svi_launch_many)              \
    KERNEL(many_8, svi_launch_many)              \
    KERNEL(many_16, svi_launch_many)             \
    KERNEL(repeat_1, svi_launch_row)             \
    KERNEL(repeat_2, svi_launch_row)             \
    KERNEL(repeat_4, svi_launch_row)             \
    KERNEL(repeat_8, svi_launch_row)             \
    KERNEL(repeat_16, svi_launch_row)            \
    KERNEL(reverse_1, svi_launch_row)            \
    KERNEL(reverse_2, svi_launch_row)            \
    KERNEL(reverse_4, svi_launch_row)            \
    KERNEL(reverse_8, svi_launch_row)            \
    KERNEL(reverse_16, svi_launch_row)           \
    KERNEL(fill_1, svi_launch_fill)              \
    KERNEL(fill_2, svi_launch_fill)              \
    KERNEL(fill_4, svi_launch_fill)              \
    KERNEL(fill_8, svi_launch_fill)              \
    KERNEL(fill_16, svi_launch_fill)             \
    KERNEL(fill_row, svi_launch_fill_row)        \
    KERNEL(batched_line_16, svi_launch_batch)    \
    KERNEL(batched_line_any, svi_launch_batch)   \
    KERNEL(batched_rows_any, svi_launch_batch)   \
    KERNEL(batched_tile_1_11, svi_launch_batch)  \
    KERNEL(batched_tile_1_00, svi_launch_batch)  \
    KERNEL(batched_tile_2_11, svi_launch_batch)  \
    KERNEL(batched_tile_2_00, svi_launch_batch)  \
    KERNEL(batched_tile_4_11, svi_launch_batch)  \
    KERNEL(batched_tile_4_00, svi_launch_batch)  \
    KERNEL(batched_tile_8_11, svi_launch_batch)  \
    KERNEL(batched_tile_8_00, svi_launch_batch)  \
    KERNEL(batched_tile_16_11, svi_launch_batch) \
    KERNEL(batched_flat_1, svi_launch_batch)     \
    KERNEL(batched_flat_2, svi_launch_batch)     \
    KERNEL(batched_flat_4, svi_launch_batch)     \
    KERNEL(batched_flat_8, svi_launch_batch)     \
    KERNEL(batched_flat_16, svi_launch_batch)    \
    KERNEL(runs_any, svi_launch_runs)            \
    KERNEL(cast, svi_launch_cast)                \
    KERNEL(batched_cast, svi_launch_scaled)      \
    KERNEL(convert, svi_launch_cast)             \
    KERNEL(box_cast, svi_launch_box_cast)        \
    KERNEL(scaled, svi_launch_scaled)            \
    KERNEL(batched_scaled, svi_launch_scaled)    \
    KERNEL(scale, svi_launch_scaled)             \
    KERNEL(box_scaled, svi_launch_box_scaled)

#define SVI_KERNEL_NUMBER(name, block) SVI_KERNEL_##name,
enum svi_kernel { SVI_KERNELS(SVI_KERNEL_NUMBER) SVI_KERNEL_COUNT };
#undef SVI_KERNEL_NUMBER

#ifndef __CUDACC__
/* The kernel's name; static text. */
const char *svi_kernel_name(int32_t kernel);

/* The bytes of the kernel's parameter block. */
uint32_t svi_kernel_block_bytes(int32_t kernel);
#endif

#endif
