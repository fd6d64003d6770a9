/* What the families of kernels share when they turn a plan into a launch. Pure. */
#ifndef SVI_GPU_LAUNCH_PARTS_H
#define SVI_GPU_LAUNCH_PARTS_H

#include <stdbool.h>

#include "gpu/kernel_list.h"
#include "gpu/launch_cost.h"
#include "plan/plan.h"

struct svi_launch_shape {
    int32_t kernel;  /* enum svi_kernel */
    uint32_t grid;   /* blocks of SVI_LAUNCH_THREADS threads, 2^31 - 1 at most */
    uint32_t copies; /* as many times along y; 1 but for batches */
    uint32_t shared; /* bytes of shared memory of each block */
    struct svi_cost cost; /* of families that compete */
    union {
        struct svi_launch_line line;
        struct svi_launch_rows rows;
        struct svi_launch_tile tile;
        struct svi_launch_flat flat;
        struct svi_launch_row row;
        struct svi_launch_many many;
        struct svi_launch_batch batch;
        struct svi_launch_runs runs;
        struct svi_launch_cast cast;
        struct svi_launch_fill fill;
        struct svi_launch_fill_row fill_row;
        struct svi_launch_box box;
        struct svi_launch_box_cast box_cast;
        struct svi_launch_permute permute;
        struct svi_launch_channels channels;
        struct svi_launch_scaled scaled;
        struct svi_launch_box_scaled box_scaled;
    } block;
};

enum { SVI_NO_AXIS = -1 };
#define SVI_MOST_BLOCKS INT64_C(0x7fffffff) /* of a launch; also the extent of an axis */

/* The largest power of two, up to 16, that divides both. */
static inline int64_t svi_divides(uint64_t a, uint64_t b)
{
    const uint64_t bits = 16 | a | b;

    return (int64_t)(bits & -bits);
}

/* What divides the address of the first item of a side, and its strides of all axes but those two. */
int64_t svi_launch_alignment(const struct svi_plan *plan, uintptr_t address, int64_t offset, const int64_t *strides,
                             int32_t but, int32_t and_but);

/* The offsets, and what of the source may be read; no axis. */
struct svi_launch_sides svi_launch_begin(const struct svi_plan *plan);

/* Appends all axes but those two. What they multiply to; 0 where they are too many or too long. */
int64_t svi_launch_outer(const struct svi_plan *plan, int32_t but, int32_t and_but, struct svi_launch_sides *sides);

/* All that the kernels of row.cu need, of a plan whose last axis is a row of so many bytes. The blocks; 0 where they
 * are too many. */
int64_t svi_launch_row_blocks(const struct svi_plan *plan, int64_t width, struct svi_launch_row *launch);

/* Appends the tiles along an axis, by which *tiles is multiplied; nothing where there is one. False: too many. */
bool svi_launch_add_outer(int64_t extent, int64_t tile, int64_t dst, int64_t src, struct svi_box_outer *outer,
                          uint32_t *nouter, int64_t *tiles);

/* Half 0 or 1 of a plan with an axis, along its longest. */
void svi_launch_half(const struct svi_plan *plan, int32_t which, struct svi_plan *out);

/* A kernel, and as many blocks as two factors give. Whether that is a number of blocks. */
bool svi_launch_end(int32_t kernel, int64_t blocks, int64_t times, int64_t shared, struct svi_launch_shape *out);

#endif
