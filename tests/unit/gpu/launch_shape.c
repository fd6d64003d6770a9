/* Which kernel copies what, by how many blocks: a table, and random plans whose launches are checked by arithmetic. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emulated/shapes.h"
#include "gpu/launch_permute.h"
#include "unit/gpu/launch_walk.h"
#include "support/pairs.h"

#define FORWARDS .order = {0, 1}
#define TURNED .order = {1, 0}
#define TWELVE_TWOS {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, .order = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}

static const uintptr_t ADDRESS = UINT64_C(1) << 40; /* aligned to all that matters; there is no memory */

/* --- the table ---------------------------------------------------------------------------------- */

static const struct {
    struct emulated_shape shape;
    const char *kernel;
    uint32_t grid;
} rows[] = {
    /* one run */
    {{"a byte", 1, 0, {0}, .order = {0}}, "flat_1", 1},
    {{"one item of 16 bytes", 16, 0, {0}, .order = {0}}, "flat_16", 1},
    {{"an odd item", 13, 0, {0}, .order = {0}}, "flat_1", 1},
    {{"three items of 3 bytes", 3, 1, {3}, .order = {0}}, "flat_1", 1},
    {{"2047 bytes in a run", 1, 1, {2047}, .order = {0}}, "flat_1", 1},
    {{"2048 bytes in a run", 1, 1, {2048}, .order = {0}}, "line_16", 1},
    {{"a run of a MiB", 4, 1, {1 << 18}, .order = {0}}, "line_16", 64},
    {{"a run of a MiB from an odd address", 1, 1, {1 << 20}, .order = {0}, .src_skew = 3}, "line_any", 64},
    {{"a run of a MiB to an odd address", 1, 1, {1 << 20}, .order = {0}, .dst_skew = 5}, "line_any", 64},
    {{"a run of 17 words", 4, 1, {17}, .order = {0}}, "flat_4", 1},
    {{"a run of 8 GiB", 8, 1, {1 << 30}, .order = {0}}, "line_16", 524288},
    /* rows of 2 KiB and more */
    {{"rows of 2 KiB", 4, 2, {64, 512}, FORWARDS, .dst_pad = 8}, "line_16", 64},
    {{"rows of 2 KiB less one word", 4, 2, {64, 511}, FORWARDS, .dst_pad = 1, .src_pad = 5}, "permute_4", 128},
    {{"rows of 16 KiB", 1, 2, {9, 16384}, FORWARDS, .dst_pad = 16, .src_pad = 32}, "line_16", 9},
    {{"rows of 16 KiB and 16 bytes", 1, 2, {9, 16400}, FORWARDS, .dst_pad = 16, .src_pad = 32}, "line_16", 18},
    {{"rows of 16 KiB at odd pitches", 1, 2, {9, 16384}, FORWARDS, .dst_pad = 1}, "line_any", 9},
    {{"rows of 32 KiB at odd pitches", 1, 2, {9, 32768}, FORWARDS, .dst_pad = 2, .src_pad = 2},
     "line_any", 18},
    {{"rows of 32 KiB and a byte at odd pitches", 1, 2, {9, 32769}, FORWARDS, .dst_pad = 1, .src_pad = 3},
     "line_any", 27},
    {{"long rows from an odd address", 2, 2, {8, 4096}, FORWARDS, .dst_pad = 8, .src_pad = 8, .src_skew = 2},
     "line_any", 8},
    {{"long rows to an odd address", 2, 2, {8, 4096}, FORWARDS, .dst_pad = 8, .src_pad = 8, .dst_skew = 2},
     "line_any", 8},
    {{"long rows, both 4 bytes off", 4, 2, {8, 4096}, FORWARDS, .dst_pad = 4, .src_pad = 4, .dst_skew = 4,
      .src_skew = 4},
     "line_any", 8},
    {{"long rows of odd items", 3, 2, {8, 4096}, FORWARDS, .dst_pad = 1, .src_pad = 2}, "line_any", 8},
    {{"long rows, axes in another order", 4, 3, {5, 7, 1024}, .order = {1, 0, 2}}, "line_16", 35},
    {{"long rows, odd pitches, axes in another order", 1, 3, {5, 7, 5001}, .order = {1, 0, 2}}, "line_any", 35},
    {{"long rows along five axes", 4, 6, {2, 3, 2, 3, 2, 600}, .order = {4, 3, 2, 1, 0, 5}}, "line_16", 72},
    /* shorter rows */
    {{"rows of 17 bytes", 1, 2, {1000, 17}, FORWARDS, .dst_pad = 1, .src_pad = 2}, "permute_1", 32},
    {{"rows of 63 bytes", 1, 2, {1000, 63}, FORWARDS, .dst_pad = 1, .src_pad = 2}, "permute_1", 84},
    {{"rows of 64 bytes", 1, 2, {1000, 64}, FORWARDS, .dst_pad = 16, .src_pad = 32}, "permute_1", 63},
    {{"rows of 64 bytes at odd pitches", 1, 2, {1000, 64}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows_any", 8},
    {{"rows of 113 bytes", 1, 2, {1000, 113}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows_any", 8},
    {{"rows of 114 bytes", 1, 2, {1000, 114}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows_any", 16},
    {{"rows of 500 bytes at odd pitches", 1, 2, {512, 500}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows_any", 32},
    {{"rows of 2033 bytes", 1, 2, {128, 2033}, FORWARDS, .dst_pad = 2, .src_pad = 4}, "rows_any", 16},
    {{"rows of 4081 bytes", 1, 2, {128, 4081}, FORWARDS, .dst_pad = 2, .src_pad = 4}, "rows_any", 32},
    {{"rows of 4082 bytes", 1, 2, {128, 4082}, FORWARDS, .dst_pad = 1, .src_pad = 4}, "line_any", 128},
    {{"rows of 2047 bytes", 1, 2, {128, 2047}, FORWARDS, .dst_pad = 2, .src_pad = 4}, "rows_any", 32},
    {{"rows of 512 bytes", 4, 2, {512, 128}, FORWARDS, .dst_pad = 8, .src_pad = 8}, "permute_4", 128},
    {{"rows of 512 bytes, 8 bytes off", 4, 2, {512, 128}, FORWARDS, .dst_pad = 8, .src_pad = 8, .dst_skew = 8},
     "permute_4", 128},
    {{"rows of 64 bytes, 4 bytes off", 1, 2, {1000, 64}, FORWARDS, .dst_pad = 4, .src_pad = 8}, "permute_1", 84},
    {{"rows of 64 bytes, 2 bytes off", 1, 2, {1000, 64}, FORWARDS, .dst_pad = 2, .src_pad = 8}, "rows_any", 8},
    {{"rows of 24 bytes", 8, 2, {1000, 3}, FORWARDS, .src_pad = 2}, "permute_8", 42},
    {{"rows of 20 bytes", 4, 2, {1000, 5}, FORWARDS, .src_pad = 2}, "permute_4", 32},
    {{"rows of 32 bytes from every second one", 16, 3, {100, 50, 2}, .order = {1, 0, 2}}, "permute_8", 91},
    {{"blocks of rows of 100 bytes", 1, 3, {7, 70, 100}, .order = {1, 0, 2}, .dst_pad = 1}, "rows_any", 7},
    {{"rows of 100 bytes, 700 of 9 blocks", 1, 3, {9, 700, 100}, .order = {0, 1, 2}, .dst_pad = 3, .src_pad = 1},
     "rows_any", 50},
    /* rows that stand still or go backwards */
    {{"one byte everywhere", 1, 1, {1 << 20}, .order = {0}, .repeat = true}, "repeat_1", 64},
    {{"one item of 16 bytes everywhere", 16, 1, {1000}, .order = {0}, .repeat = true}, "repeat_16", 1},
    {{"rows of one word each", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .repeat = true}, "repeat_4", 32},
    {{"rows of one word each, odd pitch", 2, 2, {8, 16384}, FORWARDS, .dst_pad = 1, .repeat = true}, "repeat_2", 16},
    {{"rows of one double each, 256 bytes", 8, 2, {100, 32}, FORWARDS, .repeat = true}, "repeat_8", 2},
    {{"rows of one double each, 264 bytes", 8, 2, {100, 33}, FORWARDS, .repeat = true}, "repeat_8", 2},
    {{"rows of one double each, 272 bytes", 8, 2, {100, 34}, FORWARDS, .repeat = true}, "repeat_8", 4},
    {{"rows of one double each, 64 bytes", 8, 2, {1000, 8}, FORWARDS, .repeat = true}, "repeat_8", 4},
    {{"rows of one double each, 56 bytes", 8, 2, {1000, 7}, FORWARDS, .repeat = true}, "permute_8", 63},
    {{"rows of one double each, 4 KiB", 8, 2, {10, 512}, FORWARDS, .repeat = true}, "repeat_8", 3},
    {{"rows of one double each, 4112 bytes", 8, 2, {10, 514}, FORWARDS, .repeat = true}, "repeat_8", 10},
    {{"blocks of rows of one byte each", 1, 3, {3, 70, 100}, .order = {1, 0, 2}, .repeat = true}, "repeat_1", 2},
    {{"rows of one odd item each", 3, 2, {10, 300}, FORWARDS, .repeat = true}, "permute_1", 13},
    {{"rows of one word each, a byte off", 4, 2, {8, 1000}, FORWARDS, .repeat = true, .src_skew = 1}, "permute_1", 32},
    {{"bytes backwards", 1, 1, {100000}, .order = {0}, .step = -1}, "reverse_1", 7},
    {{"words backwards", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .src_pad = 8, .step = -1}, "reverse_4", 32},
    {{"halves backwards, 62 bytes", 2, 2, {80, 31}, FORWARDS, .dst_pad = 1, .step = -1}, "permute_2", 5},
    {{"halves backwards, 64 bytes", 2, 2, {800, 32}, FORWARDS, .dst_pad = 1, .step = -1}, "reverse_2", 4},
    {{"doubles backwards", 8, 2, {8, 3000}, FORWARDS, .dst_pad = 1, .step = -1}, "reverse_8", 16},
    {{"items of 16 bytes backwards", 16, 2, {8, 1024}, FORWARDS, .step = -1}, "reverse_16", 8},
    {{"items of 16 bytes backwards, 8 bytes off", 16, 2, {8, 1024}, FORWARDS, .step = -1, .src_skew = 8}, "permute_8", 128},
    {{"odd items backwards", 5, 2, {8, 1000}, FORWARDS, .step = -1}, "permute_1", 40},
    /* transposes */
    {{"transpose of bytes", 1, 2, {1024, 1024}, TURNED}, "tile_1_11", 64},
    {{"transpose of halves", 2, 2, {1024, 1024}, TURNED}, "tile_2_11", 128},
    {{"transpose of words", 4, 2, {1024, 1024}, TURNED}, "tile_4_11", 256},
    {{"transpose of doubles", 8, 2, {1024, 1024}, TURNED}, "tile_8_11", 512},
    {{"transpose of items of 16 bytes", 16, 2, {512, 512}, TURNED}, "tile_16_11", 256},
    {{"transpose of bytes, 1023", 1, 2, {1023, 1023}, TURNED}, "permute_1", 143},
    {{"transpose of halves, 1023", 2, 2, {1023, 1023}, TURNED}, "tile_2_00", 128},
    {{"transpose of words, 1023", 4, 2, {1023, 1023}, TURNED}, "tile_4_00", 256},
    {{"transpose of doubles, 1023", 8, 2, {1023, 1023}, TURNED}, "tile_8_00", 512},
    {{"transpose of items of 16 bytes, 511", 16, 2, {511, 511}, TURNED}, "tile_16_11", 256},
    {{"transpose of words, odd rows of the source", 4, 2, {1024, 1024}, TURNED, .src_pad = 1}, "tile_4_01", 256},
    {{"transpose of words, odd rows of the destination", 4, 2, {1024, 1024}, TURNED, .dst_pad = 1}, "tile_4_10", 256},
    {{"transpose of bytes, odd rows of the source", 1, 2, {1024, 1024}, TURNED, .src_pad = 1}, "permute_1", 143},
    {{"transpose of bytes, odd rows of the destination", 1, 2, {1024, 1024}, TURNED, .dst_pad = 1}, "permute_1", 143},
    {{"transpose of halves from an odd address", 2, 2, {1024, 1024}, TURNED, .src_skew = 1}, "permute_1", 286},
    {{"transpose of words to an address a half off", 4, 2, {1024, 1024}, TURNED, .dst_skew = 2}, "permute_2", 572},
    {{"transpose of items of 16 bytes, 8 bytes off", 16, 2, {512, 512}, TURNED, .dst_skew = 8}, "permute_8", 576},
    {{"transpose of words backwards", 4, 2, {512, 512}, TURNED, .step = -1}, "permute_4", 143},
    {{"transpose of doubles, 100 x 2000", 8, 2, {100, 2000}, TURNED}, "permute_8", 216},
    {{"transpose of words, 16 KiB", 4, 2, {64, 64}, TURNED}, "permute_4", 16},
    {{"transpose of words, 63 x 64", 4, 2, {63, 64}, TURNED}, "permute_4", 16},
    {{"transpose of words, runs of 64 bytes", 4, 2, {16, 4096}, TURNED}, "permute_4", 128},
    {{"transpose of words, runs of 60 bytes", 4, 2, {15, 4096}, TURNED}, "permute_4", 128},
    {{"transpose of words, runs of 60 bytes in the destination", 4, 2, {4096, 15}, TURNED}, "permute_4", 128},
    {{"transpose of bytes, runs of 64 and 256", 1, 2, {64, 256}, TURNED}, "permute_1", 22},
    {{"transpose of odd items", 3, 2, {300, 400}, TURNED}, "permute_1", 136},
    {{"transpose of pixels of 12 bytes", 12, 2, {300, 400}, TURNED}, "permute_4", 221},
    {{"transposes in a batch", 4, 3, {3, 256, 320}, .order = {0, 2, 1}}, "permute_4", 144},
    {{"transposes around an axis", 2, 3, {256, 3, 256}, .order = {2, 1, 0}}, "permute_2", 144},
    {{"axes turned round the other way", 4, 3, {64, 96, 80}, .order = {1, 2, 0}}, "tile_4_11", 120},
    {{"four axes turned round", 2, 4, {64, 5, 6, 128}, .order = {3, 2, 1, 0}}, "permute_2", 120},
    {{"six axes, one transpose", 4, 6, {2, 3, 4, 2, 64, 96}, .order = {3, 2, 1, 0, 5, 4}}, "permute_4", 192},
    {{"a transpose of 9 tiles of b", 4, 2, {576, 64}, TURNED}, "permute_4", 72},
    {{"a transpose of 17 tiles of b", 4, 2, {1088, 64}, TURNED}, "permute_4", 102},
    /* channels */
    {{"pixels of 3 bytes to planes", 1, 3, {3, 480, 640}, .order = {1, 2, 0}}, "apart_1", 134},
    {{"planes to pixels of 3 bytes", 1, 3, {480, 640, 3}, .order = {2, 0, 1}}, "together_1", 134},
    {{"pixels of 4 bytes to planes", 1, 3, {4, 480, 640}, .order = {1, 2, 0}}, "apart_1", 134},
    {{"planes to pixels of 4 halves", 2, 3, {480, 640, 4}, .order = {2, 0, 1}}, "together_2", 150},
    {{"NHWC to NCHW, 16 halves", 2, 4, {8, 16, 56, 56}, .order = {0, 2, 3, 1}}, "apart_2", 160},
    {{"NCHW to NHWC, 16 halves", 2, 4, {8, 56, 56, 16}, .order = {0, 3, 1, 2}}, "together_2", 160},
    {{"NHWC to NCHW, 64 words", 4, 4, {8, 64, 56, 56}, .order = {0, 2, 3, 1}}, "tile_4_11", 392},
    {{"NCHW to NHWC, 64 words", 4, 4, {8, 56, 56, 64}, .order = {0, 3, 1, 2}}, "tile_4_11", 392},
    {{"complex numbers to parts", 4, 2, {2, 100000}, TURNED}, "apart_4", 133},
    {{"parts to complex numbers", 8, 2, {100000, 2}, TURNED}, "permute_8", 209},
    {{"three of four channels to planes", 1, 3, {3, 480, 640}, .order = {1, 2, 0}, .src_pad = 1}, "apart_1", 178},
    {{"pixels of 3 bytes to planes with gaps", 1, 3, {3, 480, 640}, .order = {1, 2, 0}, .dst_pad = 16}, "apart_1", 160},
    {{"planes with gaps to pixels of 3 bytes", 1, 3, {480, 640, 3}, .order = {2, 0, 1}, .src_pad = 5},
     "together_1", 160},
    {{"planes to three of four channels", 1, 3, {480, 640, 3}, .order = {2, 0, 1}, .dst_pad = 1}, "permute_1", 182},
    {{"pixels of 32 bytes to planes", 1, 2, {32, 100000}, TURNED}, "apart_1", 196},
    {{"pixels of 33 bytes to planes", 1, 2, {33, 100000}, TURNED}, "permute_1", 447},
    {{"pixels of 16 words to planes", 4, 2, {16, 4096}, TURNED}, "permute_4", 128},
    {{"pixels of 16 words to planes, a word off", 4, 2, {16, 4096}, TURNED, .src_skew = 4}, "apart_4", 86},
    {{"32 planes of doubles to pixels, a double off", 8, 2, {4096, 32}, TURNED, .dst_skew = 8}, "permute_8", 138},
    {{"pixels of 4 words to planes, a half off", 4, 2, {4, 4096}, TURNED, .src_skew = 2}, "permute_2", 64},
    {{"pixels of 4 items of 16 bytes to planes", 16, 2, {4, 4096}, TURNED}, "permute_8", 137},
    {{"pixels of 3 bytes to short rows", 1, 3, {3, 480, 63}, .order = {1, 2, 0}, .dst_pad = 1}, "permute_1", 120},
    {{"1000 small images to planes", 1, 4, {1000, 3, 7, 7}, .order = {0, 2, 3, 1}}, "permute_1", 84},
    {{"1000 images to planes", 4, 4, {1000, 3, 14, 14}, .order = {0, 2, 3, 1}}, "apart_4", 167},
    {{"pixels of 3 bytes to planes, fewer than 4 KiB", 1, 2, {3, 1365}, TURNED}, "flat_1", 1},
    /* steps */
    {{"every second byte", 1, 2, {256, 512}, FORWARDS, .step = 2}, "permute_1", 274},
    {{"every second half", 2, 2, {256, 512}, FORWARDS, .step = 2}, "permute_2", 256},
    {{"every third word", 4, 2, {256, 512}, FORWARDS, .step = 3}, "permute_4", 391},
    {{"every second double", 8, 2, {256, 512}, FORWARDS, .step = 2}, "permute_8", 274},
    {{"every second item of 16 bytes", 16, 2, {256, 512}, FORWARDS, .step = 2}, "flat_16", 128},
    {{"every second word backwards", 4, 2, {256, 512}, FORWARDS, .step = -2}, "permute_4", 256},
    {{"every second word, 2 bytes off", 4, 2, {256, 512}, FORWARDS, .step = 2, .src_skew = 2}, "permute_2", 256},
    {{"every second word, a byte off", 4, 2, {256, 512}, FORWARDS, .step = 2, .dst_skew = 1}, "permute_1", 256},
    {{"every third odd item", 5, 2, {256, 512}, FORWARDS, .step = 3}, "permute_1", 410},
    {{"every third item of 6 bytes", 6, 2, {256, 512}, FORWARDS, .step = 3}, "permute_2", 391},
    {{"three bytes of four", 1, 2, {65536, 3}, FORWARDS, .src_pad = 1}, "permute_1", 128},
    {{"three words of four", 4, 2, {65536, 3}, FORWARDS, .src_pad = 1}, "permute_4", 171},
    /* short and many axes */
    {{"twelve axes of 2, words", 4, 12, TWELVE_TWOS}, "permute_4", 16},
    {{"twelve axes of 2, bytes", 1, 12, TWELVE_TWOS}, "permute_1", 4},
    {{"twelve axes of 2, items of 16 bytes", 16, 12, TWELVE_TWOS}, "permute_8", 64},
    {{"nine axes, halves", 2, 9, {2, 3, 2, 3, 2, 3, 2, 3, 2}, .order = {8, 7, 6, 5, 4, 3, 2, 1, 0}}, "permute_2", 12},
    {{"nine axes, doubles", 8, 9, {2, 3, 2, 3, 2, 3, 2, 3, 2}, .order = {8, 7, 6, 5, 4, 3, 2, 1, 0}}, "permute_8", 36},
    {{"eight axes, words", 4, 8, {2, 3, 2, 3, 2, 3, 2, 3}, .order = {7, 6, 5, 4, 3, 2, 1, 0}}, "permute_4", 6},
    {{"five axes of 15 and one of 16", 4, 6, {16, 15, 15, 15, 15, 15}, .order = {5, 4, 3, 2, 1, 0}}, "permute_4", 554},
    {{"3 x 3 filters", 2, 4, {55, 55, 3, 3}, .order = {3, 2, 1, 0}}, "permute_2", 84},
    {{"six axes of 16 to 26, P(0,5,2,4,1,3)", 4, 6, {16, 26, 18, 22, 20, 24}, .order = {0, 4, 2, 5, 3, 1}}, "permute_4", 2880},
    /* pixels to pixels */
    {{"RGBA to RGB", 1, 2, {1 << 24, 3}, FORWARDS, .src_pad = 1}, "permute_1", 547},
    {{"RGB to RGBA, the fourth byte as it is", 1, 2, {1 << 24, 3}, FORWARDS, .dst_pad = 1}, "permute_1", 547},
    {{"BGR to RGB", 1, 2, {1 << 24, 3}, FORWARDS, .step = -1}, "permute_1", 561},
    {{"RGB of an odd number of pixels from an odd address", 1, 2, {(1 << 24) + 1, 3}, FORWARDS, .src_pad = 1, .src_skew = 1}, "permute_1", 547},
    /* boxes of small items */
    {{"patches of 16 x 16 pixels of 3 bytes", 1, 5, {64, 64, 16, 16, 3}, .order = {0, 2, 1, 3, 4}}, "flat_16", 192},
    {{"pixel shuffle of halves", 2, 5, {64, 128, 2, 128, 2}, .order = {0, 2, 4, 1, 3}}, "permute_2", 1024},
    {{"matrices of 17 x 23 words", 4, 3, {50000, 17, 23}, .order = {0, 2, 1}}, "permute_4", 782},
    {{"matrices of 8 x 8 halves", 2, 3, {500000, 8, 8}, .order = {0, 2, 1}}, "permute_2", 559},
    {{"matrices of 32 x 32 words", 4, 3, {50000, 32, 32}, .order = {0, 2, 1}}, "permute_4", 1563},
    {{"rows of 100 bytes of pitch 128", 4, 2, {1 << 20, 25}, FORWARDS, .src_pad = 7}, "permute_4", 1024},
    /* small copies */
    {{"an image of 224 x 224 pixels to planes", 1, 3, {3, 224, 224}, .order = {1, 2, 0}}, "apart_1", 38},
    {{"512 matrices of 8 x 8 words", 4, 3, {512, 8, 8}, .order = {0, 2, 1}}, "permute_4", 128},
    {{"128 rows of 256 words of pitch 300", 4, 2, {128, 256}, FORWARDS, .src_pad = 44}, "permute_4", 128},
    /* steps of large copies */
    {{"every second byte of many", 1, 2, {8192, 16384}, FORWARDS, .step = 2}, "permute_1", 2185},
    {{"one of seven fields", 4, 1, {1 << 24}, .order = {0}, .step = 7}, "permute_4", 3745},
    {{"every eighth half", 2, 1, {1 << 24}, .order = {0}, .step = 8}, "permute_2", 2048},
    {{"real parts", 4, 1, {1 << 24}, .order = {0}, .step = 2}, "permute_4", 1093},
    {{"17 x 300 x 16 turned round", 4, 3, {17, 300, 16}, .order = {2, 1, 0}}, "permute_4", 150},
};

enum { ROWS = sizeof rows / sizeof *rows };

Test(launch_shape, table_of_layouts)
{
    int bad = 0;

    for (size_t i = 0; i < ROWS; i++) {
        const struct emulated_copy copy = emulated_copy_of(&rows[i].shape);
        const uintptr_t dst = ADDRESS + (uintptr_t)copy.dst_skew, src = ADDRESS / 2 + (uintptr_t)copy.src_skew;
        struct svi_launch_shape shape;
        struct svi_plan plan;
        const char *name, *wrong;

        svi_plan_make(copy.ndim, copy.shape, copy.dst, copy.src, copy.itemsize, &plan);
        cr_assert(svi_launch_shape(&plan, dst, src, &shape), "%s", rows[i].shape.name);
        name = svi_kernel_name(shape.kernel) + strlen("svi_");
        wrong = launch_wrong(&plan, dst, src, &shape);
        if (strcmp(name, rows[i].kernel) == 0 && shape.grid == rows[i].grid && wrong == NULL)
            continue;
        fprintf(stderr, "%s: %s, %" PRIu32 " blocks, not %s, %" PRIu32 "%s%s\n", rows[i].shape.name, name, shape.grid,
                rows[i].kernel, rows[i].grid, wrong == NULL ? "" : "; wrong: ", wrong == NULL ? "" : wrong);
        bad++;
    }
    cr_assert_eq(bad, 0, "%d rows of %d", bad, (int)ROWS);
}

/* --- conversions ------------------------------------------------------------------------------------ */

static const struct {
    struct emulated_shape shape; /* items of the destination */
    sv_dtype to, from;
    const char *kernel;
    uint32_t grid;
} converted[] = {
    {{"pixels of bytes to planes of float32", 4, 3, {3, 480, 640}, .order = {1, 2, 0}}, SV_FLOAT32, SV_UINT8,
     "box_cast", 915},
    {{"planes of float32 to pixels of bytes", 1, 3, {480, 640, 3}, .order = {2, 0, 1}}, SV_UINT8, SV_FLOAT32,
     "box_cast", 915},
    {{"transpose of halves to floats", 4, 2, {512, 512}, TURNED}, SV_FLOAT32, SV_FLOAT16, "box_cast", 256},
    {{"transpose of doubles in the other byte order", 8, 2, {512, 512}, TURNED}, SV_FLOAT64, SV_INT64, "box_cast", 285},
    {{"a small transpose", 4, 2, {30, 30}, TURNED}, SV_FLOAT32, SV_UINT8, "cast", 1},
    {{"one run", 4, 1, {5000}, .order = {0}}, SV_FLOAT32, SV_UINT8, "convert", 5},
    {{"a long run of bytes", 4, 1, {1 << 24}, .order = {0}}, SV_FLOAT32, SV_UINT8, "convert", 2048},
    {{"a long run of doubles", 4, 1, {1 << 24}, .order = {0}}, SV_FLOAT32, SV_FLOAT64, "convert", 16384},
    {{"a run at an odd item", 4, 1, {5000}, .order = {0}, .dst_skew = 4}, SV_FLOAT32, SV_UINT8, "cast", 5},
    {{"rows", 4, 2, {64, 100}, FORWARDS, .dst_pad = 3}, SV_FLOAT32, SV_UINT8, "cast", 7},
    {{"rows backwards", 4, 2, {64, 100}, FORWARDS, .step = -1}, SV_FLOAT32, SV_UINT8, "cast", 7},
    {{"transpose to an odd address", 4, 2, {64, 100}, TURNED, .dst_skew = 1}, SV_FLOAT32, SV_UINT8, "cast", 7},
    {{"transpose of complex numbers", 8, 2, {64, 100}, TURNED}, SV_COMPLEX64, SV_FLOAT64, "box_cast", 8},
    {{"transpose to complex numbers of 16 bytes", 16, 2, {64, 100}, TURNED}, SV_COMPLEX128, SV_FLOAT64, "cast", 7},
};

Test(launch_shape, table_of_conversions)
{
    int bad = 0;

    for (size_t i = 0; i < sizeof converted / sizeof *converted; i++) {
        struct emulated_shape from = converted[i].shape;
        struct emulated_copy copy = emulated_copy_of(&from);
        struct svi_launch_shape shape;
        struct svi_chain chain;
        struct svi_plan plan;
        const char *name;

        svi_chain_find(converted[i].to, converted[i].from, true, false, &chain);
        from.itemsize = (int64_t)svi_chain_src_bytes(&chain);
        memcpy(copy.src, emulated_copy_of(&from).src, sizeof copy.src);
        svi_plan_make_cast(copy.ndim, copy.shape, copy.dst, copy.src, &chain, 1, &plan);
        cr_assert(svi_launch_shape(&plan, ADDRESS + (uintptr_t)copy.dst_skew, ADDRESS / 2, &shape));
        name = svi_kernel_name(shape.kernel) + strlen("svi_");
        if (strcmp(name, converted[i].kernel) == 0 && shape.grid == converted[i].grid)
            continue;
        fprintf(stderr, "%s: %s, %" PRIu32 " blocks\n", converted[i].shape.name, name, shape.grid);
        bad++;
    }
    cr_expect_eq(bad, 0);
}

/* --- scales ----------------------------------------------------------------------------------------- */

/* From bytes to float32, with a scale along an axis of the shape. */
static const struct {
    const char *name;
    int32_t ndim, axis;
    int64_t shape[3], dst[3], src[3];
    const char *kernel;
} scaled[] = {
    {"one scale", 1, -1, {5000}, {4}, {1}, "scale"},
    {"planes", 2, 0, {3, 4096}, {16384, 4}, {4096, 1}, "scale"},
    {"odd planes", 2, 0, {3, 4095}, {16380, 4}, {4095, 1}, "scaled"},
    {"pixels", 2, 1, {4096, 3}, {12, 4}, {3, 1}, "scale"},
    {"pixels in rows of 128 bytes", 3, 2, {64, 40, 3}, {512, 12, 4}, {128, 3, 1}, "scale"},
    {"pixels of which one side has four", 2, 1, {4096, 3}, {16, 4}, {3, 1}, "scaled"},
    {"pixels to planes", 2, 0, {3, 4096}, {16384, 4}, {1, 3}, "box_scaled"},
    {"planes to pixels", 2, 1, {4096, 3}, {12, 4}, {1, 4096}, "box_scaled"},
    {"backwards", 1, -1, {5000}, {4}, {-1}, "scaled"},
};

Test(launch_shape, table_of_scales)
{
    static const double values[3] = {1, 2, 3};

    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++) {
        struct svi_affine affine = {.scale = {values, scaled[i].axis < 0 ? 1 : 3}};
        struct svi_launch_shape shape;
        struct svi_plan plan;

        cr_assert_eq(svi_affine_choose(SV_FLOAT32, SV_UINT8, false, &affine), SV_OK);
        svi_affine_make_plan(scaled[i].ndim, scaled[i].shape, scaled[i].dst, scaled[i].src, 1, scaled[i].axis, &affine,
                             &plan);
        cr_assert(svi_launch_shape(&plan, ADDRESS, ADDRESS / 2, &shape));
        cr_expect_str_eq(svi_kernel_name(shape.kernel) + strlen("svi_"), scaled[i].kernel, "%s", scaled[i].name);
    }
}

/* --- many axes ----------------------------------------------------------------------------------------- */

/* Axes of two in the reverse order, of which a tile has room for more than a parameter block has. */
Test(launch_shape, tiles_with_as_many_axes_as_there_can_be)
{
    int32_t most = 0;

    for (int32_t ndim = 12; ndim <= 24; ndim++) {
        int64_t shape[24], dst[24], src[24];
        struct svi_launch_shape launch;
        struct svi_plan plan;
        const char *wrong;

        for (int32_t k = 0; k < ndim; k++) {
            shape[k] = 2;
            dst[k] = INT64_C(1) << (ndim - 1 - k);
            src[k] = INT64_C(1) << k;
        }
        svi_plan_make(ndim, shape, dst, src, 1, &plan);
        cr_assert(svi_family_permute(&plan, ADDRESS, ADDRESS / 2, &launch), "%d axes", (int)ndim);
        wrong = launch_wrong(&plan, ADDRESS, ADDRESS / 2, &launch);
        cr_assert_null(wrong, "%d axes: %s", (int)ndim, wrong);
        most = launch.block.permute.naxes > (uint32_t)most ? (int32_t)launch.block.permute.naxes : most;
    }
    cr_expect_eq(most, SVI_BOX_AXES, "%d", (int)most);
}

/* --- random plans --------------------------------------------------------------------------------- */

enum { MOST_AXES = 40, SIZE_BITS = 42 /* of a side without gaps, in bytes; fewer than 2^62 with them */ };

static const uintptr_t FAR = UINT64_C(1) << 62;

struct sides {
    int32_t ndim;
    int64_t itemsize;
    int64_t shape[MOST_AXES], dst[MOST_AXES], src[MOST_AXES];
    bool is_far; /* all items are GiB apart: no tile has two */
};

static int64_t random_extent(int64_t bits)
{
    return bits <= 0 ? 1 : test_between(1, (int64_t)1 << test_between(0, bits));
}

static int32_t bits_of(int64_t n)
{
    return 64 - __builtin_clzll((uint64_t)n);
}

static void make_shape(struct sides *s)
{
    const bool many = test_between(0, 9) == 0;
    int64_t bits = SIZE_BITS - 5;

    s->is_far = many && test_between(0, 3) == 0;
    if (s->is_far)
        bits = 24;

    s->itemsize = test_between(0, 3) ? (int64_t)1 << test_between(0, 4) : test_between(1, 24);
    s->ndim = (int32_t)(many ? test_between(9, MOST_AXES) : test_between(0, 7));
    for (int32_t k = 0; k < s->ndim; k++) {
        s->shape[k] = many ? test_between(1, 3) : random_extent(test_between(0, 1) ? bits : bits < 8 ? bits : 8);
        if (bits_of(s->shape[k]) > bits)
            s->shape[k] = 1;
        bits -= bits_of(s->shape[k]);
    }
}

/* The axes in this order, the slowest first, with gaps behind them, up to a multiple of 16 or a few bytes. */
static void lay_out(const struct sides *s, const int32_t *order, int64_t *strides)
{
    const bool aligns = test_between(0, 1), pads = test_between(0, 1), flips = test_between(0, 2) == 0;
    int64_t next = s->is_far ? INT64_C(1) << 33 : s->itemsize;

    for (int32_t i = s->ndim - 1; i >= 0; i--) {
        const int32_t k = order[i];

        strides[k] = flips && test_between(0, 2) == 0 ? -next : next;
        next *= s->shape[k];
        if (aligns && bits_of(next) < 60)
            next = (next + 15) & ~(int64_t)15;
        else if (pads && bits_of(next) < 60)
            next += test_between(0, 8);
    }
}

static void shuffle(int32_t count, int32_t *axes, int64_t changes)
{
    for (int32_t k = 0; k < count; k++)
        axes[k] = k;
    for (; count > 1 && changes > 0; changes--) {
        const int64_t a = test_between(0, count - 1), b = test_between(0, count - 1);
        const int32_t kept = axes[a];

        axes[a] = axes[b];
        axes[b] = kept;
    }
}

/* Pixels to planes or back. */
static void make_channels(struct sides *s)
{
    static const int32_t pixels[] = {0, 1, 2, 3}, planes[] = {0, 3, 1, 2};
    const bool apart = test_between(0, 1);

    s->ndim = 4;
    s->is_far = false;
    s->itemsize = (int64_t)1 << test_between(0, 3);
    for (int32_t k = 0; k < 4; k++)
        s->shape[k] = k == 3 ? test_between(2, 32) : random_extent(k == 0 ? 4 : 12);
    lay_out(s, apart ? planes : pixels, s->dst);
    lay_out(s, apart ? pixels : planes, s->src);
}

static void make_sides(struct sides *s)
{
    int32_t order[MOST_AXES];

    if (test_between(0, 9) == 0) {
        make_channels(s);
        return;
    }
    make_shape(s);
    shuffle(s->ndim, order, test_between(0, 1));
    lay_out(s, order, s->dst);
    shuffle(s->ndim, order, test_between(0, 3));
    lay_out(s, order, s->src);
    for (int32_t k = 0; k < s->ndim; k++)
        if (test_between(0, 7) == 0)
            s->src[k] = test_between(0, 1) ? 0 : s->src[k] / 2;
}

/* Of addresses that are aligned, or by items only, or not at all. */
static uintptr_t skew_of(int64_t itemsize)
{
    return (uintptr_t)(test_between(0, 1) ? 0 : test_between(0, 2) ? itemsize * test_between(0, 15)
                                                                   : test_between(0, 15));
}

/* What is wrong with a plan or one of its halves; NULL: nothing. Counts the launches. */
static const char *wrong_with(const struct svi_plan *plan, uintptr_t dst, uintptr_t src, int *seen, int *launches)
{
    struct svi_launch_shape shape;
    struct svi_plan half[2];
    const char *wrong = NULL;

    if (svi_launch_shape(plan, dst, src, &shape)) {
        seen[shape.kernel]++;
        ++*launches;
        return launch_wrong(plan, dst, src, &shape);
    }
    for (int32_t i = 0; i < 2; i++)
        svi_launch_half(plan, i, &half[i]);
    if (half[0].nbytes + half[1].nbytes != plan->nbytes || half[0].nbytes == plan->nbytes)
        return "the halves";
    for (int32_t i = 0; i < 2 && wrong == NULL; i++)
        wrong = wrong_with(&half[i], dst, src, seen, launches);
    return wrong;
}

/* Not for one copy that keeps its bytes. */
static bool is_for_others(const char *name)
{
    static const char *const converts[] = {"svi_cast",  "svi_convert", "svi_box_cast",
                                           "svi_scale", "svi_scaled",  "svi_box_scaled"};

    for (size_t i = 0; i < sizeof converts / sizeof *converts; i++)
        if (strcmp(name, converts[i]) == 0)
            return true;
    return strncmp(name, "svi_batched_", 12) == 0 || strncmp(name, "svi_runs_", 9) == 0 ||
           strncmp(name, "svi_fill_", 9) == 0;
}

Test(launch_shape, random_plans_by_arithmetic)
{
    const int rounds = test_rounds(200000, 1000000, 10000000);
    int seen[SVI_KERNEL_COUNT] = {0}, halved = 0;

    for (int64_t round = test_first_round(); test_round(round, rounds); round++) {
        struct svi_plan plan;
        struct sides s;
        const char *wrong;
        int launches = 0;

        make_sides(&s);
        svi_plan_make(s.ndim, s.shape, s.dst, s.src, s.itemsize, &plan);
        wrong = wrong_with(&plan, FAR + skew_of(s.itemsize), FAR + skew_of(s.itemsize), seen, &launches);
        halved += launches > 1;
        if (wrong == NULL && launches > 1 && plan.nbytes < SVI_MOST_BLOCKS)
            wrong = "more than one launch";
        if (wrong != NULL)
            test_tell_copy(s.ndim, s.shape, s.dst, s.itemsize, 0, s.src, s.itemsize, 0);
        cr_assert_null(wrong, "%s, items of %d bytes: %s", svi_class_name(plan.kind), (int)plan.item, wrong);
    }
    cr_expect_gt(halved, rounds / 1000, "only %d plans of more than a launch", halved);
    for (int kernel = 0; kernel < SVI_KERNEL_COUNT; kernel++)
        cr_expect(seen[kernel] > rounds / 20000 || is_for_others(svi_kernel_name(kernel)),
                  "%s was chosen %d times", svi_kernel_name(kernel), seen[kernel]);
}
