/*
 * What a copy kernel is given by value besides two addresses. launch_shape.c
 * makes it of a plan, so kernels never see one. Plain data, which C and CUDA
 * C++ read; there is no pointer in it.
 *
 * a is the axis that is a run in the destination, b the one that is a run in
 * the source. Strides and offsets are in bytes and of any sign.
 */
#ifndef SVI_GPU_LAUNCH_H
#define SVI_GPU_LAUNCH_H

#include <stdint.h>

#include "dtype/chain.h"

enum {
    SVI_LAUNCH_THREADS = 256,  /* of a block, always */
    SVI_LAUNCH_BYTES = 16384,  /* that a block of most kernels copies */
    SVI_LAUNCH_UNITS = 1024,   /* that a block of flat, cast and fill copies */
    SVI_LAUNCH_AXES = 8,
    SVI_LAUNCH_MANY_AXES = 64,
    SVI_LAUNCH_BATCH = 128,    /* copies of one launch */
    SVI_BOX_AXES = 12,
    SVI_BOX_OUTER = 24,
    SVI_BOX_CAST_ITEMS = 1024, /* of a tile that is converted, at most */
    SVI_LAUNCH_BLOCK = 4080,   /* bytes that there are for parameters besides two addresses */
    SVI_CONVERT_BYTES = 32,    /* of the source that a thread converts of runs */
    SVI_PERMUTE_BYTES = 8192,  /* of the segments of a tile of permute, and of its runs, at most */
};

/* Items of a box's tile, at most, of words of so many bytes. */
#define SVI_BOX_ITEMS(word) ((word) <= 2 ? 4096 : 2048)

/*
 * An extent and its division without a division:
 * n / extent = ((n * magic >> 32) + n) >> shift for n < 2^31, and
 * n / extent = ((n * wide >> 64) + n) >> shift for n < 2^63,
 * as in T. Granlund and P. L. Montgomery, Division by Invariant Integers using
 * Multiplication, 1994, figure 4.1 without its overflow step.
 */
struct svi_axis {
    uint64_t wide;
    uint32_t magic, shift;
    uint32_t extent; /* 1 to 2^31 - 1 */
    uint32_t unused;
    int64_t dst, src;
};

/* What the kernels share that walk axes: where both sides begin, what of the source may be read, and the axes around
 * what a block copies. */
struct svi_launch_sides {
    int64_t dst_offset, src_offset; /* bytes from the addresses to the first item */
    int64_t src_lower, src_upper;   /* bytes of the source that may be read, counted as src_offset is */
    uint32_t naxes, unused;
    struct svi_axis axes[SVI_LAUNCH_AXES]; /* the fastest first */
};

/* line: the axes are the rows, each of which has some blocks. */
struct svi_launch_line {
    struct svi_launch_sides at;
    int64_t width;          /* bytes of a row */
    struct svi_axis blocks; /* of a row */
};

/* rows: a block has four rows for each group of threads. The axes are what is around the rows. */
struct svi_launch_rows {
    struct svi_launch_sides at;
    int64_t count, width;         /* rows, and bytes of a row */
    int64_t dst_pitch, src_pitch; /* bytes from row to row */
    struct svi_axis blocks;       /* of rows */
    uint32_t lanes, unused;       /* threads of a row, a power of two */
};

/* tile: the number of a block is, from the fastest: a tile of b within its band, a tile of a, a band, the axes. */
struct svi_launch_tile {
    struct svi_launch_sides at;
    int64_t a_extent, b_extent;
    int64_t a_src, b_dst;                 /* strides of the two axes on the side where they are no runs */
    struct svi_axis band, tiles_a, bands; /* tiles of b in a band, tiles of a, and bands */
};

/* flat: units of the kernel's word; the first axis is the fastest in the destination. */
struct svi_launch_flat {
    struct svi_launch_sides at;
    int64_t count; /* units */
};

/* repeat, reverse: the axes are the rows. A long row has some blocks; of shorter ones a block has four for each group
 * of threads. */
struct svi_launch_row {
    struct svi_launch_sides at;
    int64_t count, width;       /* rows, and bytes of a row */
    struct svi_axis blocks;     /* of a row */
    struct svi_axis lanes;      /* threads of a row, a power of two */
    uint32_t per_block, unused; /* rows; 1: they are long */
};

/* many: flat with more axes. */
struct svi_launch_many {
    int64_t dst_offset, src_offset;
    int64_t count;
    int64_t naxes;
    struct svi_axis axes[SVI_LAUNCH_MANY_AXES];
};

/* Where the kernel's own two addresses are those of two arrays in which the addresses of its copies are: the bytes from
 * one to the next. Copy number blockIdx.y is between number blockIdx.y of each. */
struct svi_launch_table {
    int64_t dst_step, src_step;
};

/* batched: one plan between many addresses. Copy number blockIdx.y begins so many bytes from the two addresses, or is
 * one of a table. */
struct svi_launch_batch {
    union {
        struct svi_launch_line line;
        struct svi_launch_rows rows;
        struct svi_launch_tile tile;
        struct svi_launch_flat flat;
    } one;
    struct svi_launch_table table;
    int64_t has_table; /* 0 or 1 */
    int64_t dst[SVI_LAUNCH_BATCH], src[SVI_LAUNCH_BATCH];
};

/* runs: bytes in one piece each. Run k has the blocks from first on, up to those of run k + 1. */
struct svi_launch_run {
    int64_t dst, src;
    uint32_t nbytes, first;
};

struct svi_launch_runs {
    uint32_t count, unused;
    struct svi_launch_run runs[SVI_LAUNCH_BATCH];
};

/* batched_cast, batched_scaled: copy number blockIdx.y is between addresses so many bytes from the kernel's two. */
struct svi_launch_distance {
    int64_t dst, src;
};

/* cast: as flat, of items; every item goes through the chain. A word is an item, or 0 where items may lie anywhere.
 * convert: the first axis is a run on both sides, and four items are words or vectors wherever they begin. */
struct svi_launch_cast {
    struct svi_chain chain;
    uint32_t dst_word, src_word;
    uint32_t packets; /* convert: of four items, that a thread has; up to SVI_CONVERT_BYTES of the source */
    uint32_t distances; /* batched_cast, batched_scaled: bytes from the beginning of the block to them; 0: a table */
    struct svi_launch_table table; /* of these kernels, where there is one */
    struct svi_launch_many at; /* the last, since scaled has values behind its axes */
};

/*
 * The numbers of a chain that scales: index n of an axis has value n * step, of float32 or float64 as the chain scales
 * them, from so many bytes behind the beginning of the block on.
 */
struct svi_launch_affine {
    int32_t axis;  /* of those of the kernel: of a tile's in the order of the destination; -1: none */
    int32_t outer; /* of the axes that are walked tile by tile; -1: none */
    uint32_t scale_at, bias_at;
    uint32_t scale_step, bias_step;  /* 0 or 1 */
    uint32_t period;                 /* n is counted modulo this; 0: as it is */
    uint32_t magic, shift, unused; /* to divide by it, as in svi_axis */
};

/* scaled, scale: as cast and convert. Values begin behind the last axis that there is.
 * batched_cast, batched_scaled: as cast and scaled. Distances begin behind the last axis, and values behind these. */
struct svi_launch_scaled {
    struct svi_launch_affine affine;
    struct svi_launch_cast cast;
    unsigned char values[SVI_LAUNCH_BLOCK - sizeof(struct svi_launch_affine) - sizeof(struct svi_launch_cast)];
};

/* fill_S: as flat, where the source's offsets are those of words of the item, whose own axis is the first. */
struct svi_launch_fill {
    struct svi_launch_flat to;
    unsigned char item[16];
};

/* fill_row: as repeat, of an item that is there as often as it fits. */
struct svi_launch_fill_row {
    struct svi_launch_row to;
    unsigned char item[16];
};

/* apart, together: rows of pixels; the axes are what is around the rows. segment and piece are the vectors of 16 bytes
 * of a block's row, at most: of its pixels, and of one channel. */
struct svi_launch_channels {
    struct svi_launch_sides at;
    int64_t row_count, row_pixels;
    int64_t dst_pitch, src_pitch;  /* bytes from row to row */
    struct svi_axis along, across; /* blocks of a row, and blocks of rows */
    struct svi_axis channels;
    struct svi_axis segment, piece;
    struct svi_axis pixel; /* items from pixel to pixel, where the channels are neighbours */
    uint32_t pixels, rows; /* of a block */
    uint32_t has_ends;     /* vectors of the destination that are not whole, maybe */
    uint32_t unused;
};

/* An axis of a tile: its stride on one side, and how far apart its items are in shared memory. The last quotient is not
 * used. */
struct svi_box_axis {
    uint32_t extent, magic, shift;
    int32_t stride;  /* bytes */
    uint32_t shared; /* items */
};

/* An axis that is walked tile by tile; the last tile begins at most, so that it is whole. */
struct svi_box_outer {
    uint32_t tiles, magic, shift;
    uint32_t step;
    int64_t most;
    int64_t dst, src;
};

/* box: tiles of items with axes in the order of the source and of the destination, the fastest first. A block copies
 * per tiles, in two halves of shared memory by turns. The offsets are those of the first tile's lowest addresses. */
struct svi_launch_box {
    int64_t dst_offset, src_offset;
    uint32_t first; /* bytes from there to the first item of the source */
    uint32_t unused;
    uint32_t items, naxes, nouter, tiles, per;
    uint32_t half; /* items of one half, with the gaps that keep banks apart; below 2^16 */
    struct svi_box_axis by_src[SVI_BOX_AXES], by_dst[SVI_BOX_AXES];
    struct svi_box_outer outer[SVI_BOX_OUTER];
};

/* An extent of 1 to 2^31 - 1 with its division, and the bytes from one to the next. */
struct svi_permute_axis {
    uint32_t extent, magic, shift;
    int32_t stride;
};

/*
 * permute: tiles whose segments (the source's runs, with what is between neighbours that share sectors) are read by
 * vectors, and whose runs are written by vectors. The fastest axes come first. Offsets are those of the first tile's
 * lowest addresses.
 */
struct svi_launch_permute {
    int64_t dst_offset, src_offset;
    int64_t src_lower, src_upper; /* as in svi_launch_sides */
    uint32_t nouter, tiles, per;  /* as in svi_launch_box */
    uint32_t first;               /* bytes from the lowest address of a tile to the destination's first item */
    uint32_t span;                /* bytes of a segment */
    uint32_t vectors;             /* of 16 bytes, of all segments */
    uint32_t words;               /* of 4 bytes, or of 8 where items have them, of all runs' slots */
    uint32_t runs, run_bytes;
    uint32_t slot_bytes; /* from run to run in shared memory */
    uint32_t unit;   /* bytes stored at once: what the addresses of all runs are multiples of, 16 at most */
    uint32_t
        middle; /* 16 or 4: bytes stored at once at their multiples, of runs that may begin anywhere; 0: units are */
    uint32_t naxes, nsegments, nruns, unused;
    struct svi_permute_axis chunks;         /* vectors of a segment */
    struct svi_permute_axis slot;           /* words of a slot */
    struct svi_permute_axis pieces;         /* units of a run */
    struct svi_permute_axis items;          /* items of a run */
    struct svi_permute_axis single;         /* 1 */
    struct svi_permute_axis middles; /* that a run touches, at most; or 1 */
    struct svi_permute_axis axes[SVI_BOX_AXES];     /* of the destination, with distances in the segments */
    struct svi_permute_axis segments[SVI_BOX_AXES]; /* the source's axes around a segment */
    struct svi_permute_axis run[SVI_BOX_AXES];      /* the destination's around a run */
    struct svi_box_outer outer[SVI_BOX_OUTER];
};

/* box_cast: as box, of items that go through the chain. Strides are of either side's items. */
struct svi_launch_box_cast {
    struct svi_launch_box box;
    struct svi_chain chain;
    uint32_t dst_word, src_word; /* bytes of an item: 1, 2, 4 or 8 */
};

/* box_scaled: as box_cast. */
struct svi_launch_box_scaled {
    struct svi_launch_affine affine;
    struct svi_launch_box_cast cast;
    unsigned char values[SVI_LAUNCH_BLOCK - sizeof(struct svi_launch_affine) - sizeof(struct svi_launch_box_cast)];
};

#ifndef __CUDACC__
/* extent is 1 to 2^31 - 1. */
struct svi_axis svi_axis_make(int64_t extent, int64_t dst, int64_t src);
#endif

#endif
