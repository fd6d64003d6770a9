/*
 * What a GPU would move for fixed copies, in sectors of 32 bytes and waves of
 * banks: none of it may grow. With --figures it is only printed, a line a case:
 * the kernel, distinct sectors read and written, those of all requests, waves
 * of loads and stores (0: no shared memory).
 */
#include <stdio.h>
#include <string.h>

#include "kernels.h"
#include "shapes.h"
#include "tap.h"

#define TURNED .order = {1, 0}
#define FORWARDS .order = {0, 1}
#define TWELVE_TWOS {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, .order = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}

struct counted {
    struct emulated_shape shape;
    const char *family;
    double loads, stores;             /* distinct sectors of each block, to the payload, at most */
    double loads_moved, stores_moved; /* sectors of all requests */
    double waves;
};

static const struct counted cases[] = {
    {{"tile, 1 byte", 1, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 2 bytes", 2, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 4 bytes", 4, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 8 bytes", 8, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 16 bytes", 16, 2, {512, 512}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 1 byte, backwards", 1, 2, {1024, 1024}, TURNED, .step = -1}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 2 bytes, backwards", 2, 2, {1024, 1024}, TURNED, .step = -1}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 8 bytes, backwards", 8, 2, {1024, 1024}, TURNED, .step = -1}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 16 bytes, backwards", 16, 2, {512, 512}, TURNED, .step = -1}, "tile", 1, 1, 1, 1, 1},
    {{"tiles around an axis, 4 bytes", 4, 3, {3, 256, 320}, .order = {0, 2, 1}}, "tile", 1, 1, 1, 1, 1},
    {{"tiles within an axis, 2 bytes", 2, 3, {256, 3, 256}, .order = {2, 1, 0}}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 4 bytes, aligned pitches", 4, 2, {512, 512}, TURNED, .dst_pad = 8, .src_pad = 16}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 4 bytes, rows of 1000", 4, 2, {1000, 1000}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 1 byte, rows of 1008", 1, 2, {1008, 1008}, TURNED}, "tile", 1.15, 1.15, 1.15, 1.15, 1},
    {{"tile, 4 bytes, 16 rows", 4, 2, {4096, 16}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 1 byte, odd source", 1, 2, {1024, 1024}, TURNED, .src_pad = 1}, "tile", 1.25, 1, 2.28, 1, 1},
    {{"tile, 2 bytes, odd source", 2, 2, {1024, 1024}, TURNED, .src_pad = 1}, "tile", 1.25, 1, 2.28, 1, 1},
    {{"tile, 4 bytes, odd source", 4, 2, {1024, 1024}, TURNED, .src_pad = 1}, "tile", 1.14, 1, 2.15, 1, 1},
    {{"tile, 8 bytes, odd source", 8, 2, {1024, 1024}, TURNED, .src_pad = 1}, "tile", 1.08, 1, 2.09, 1, 1},
    {{"tile, 1 byte, odd destination", 1, 2, {1024, 1024}, TURNED, .dst_pad = 1}, "tile", 1, 1.25, 1, 1.5, 1.78},
    {{"tile, 2 bytes, odd destination", 2, 2, {1024, 1024}, TURNED, .dst_pad = 1}, "tile", 1, 1.14, 1, 1.25, 1.37},
    {{"tile, 4 bytes, odd destination", 4, 2, {1024, 1024}, TURNED, .dst_pad = 1}, "tile", 1, 1.13, 1, 1.22, 1.26},
    {{"tile, 8 bytes, odd destination", 8, 2, {1024, 1024}, TURNED, .dst_pad = 1}, "tile", 1, 1.11, 1, 1.18, 1.14},
    {{"tile, 1 byte, odd and backwards", 1, 2, {1023, 1023}, TURNED, .step = -1}, "tile", 1.25, 1.25, 2.71, 1.5, 1.74},
    {{"tile, 4 bytes, both an item off", 4, 2, {1024, 1024}, TURNED, .dst_skew = 4, .src_skew = 4},
     "tile", 1.14, 1.14, 2.16, 1.27, 1.35},
    {{"tile, 4 bytes, backwards", 4, 2, {1024, 1024}, TURNED, .step = -1}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 1 byte, odd", 1, 2, {1023, 1023}, TURNED}, "tile", 1.25, 1.25, 2.7, 1.5, 1.75},
    {{"tile, 2 bytes, odd", 2, 2, {1023, 1023}, TURNED}, "tile", 1.25, 1.25, 2.4, 1.5, 1.4},
    {{"tile, 4 bytes, odd", 4, 2, {1023, 1023}, TURNED}, "tile", 1.15, 1.15, 2.2, 1.25, 1.3},
    {{"tile, 8 bytes, odd", 8, 2, {1023, 1023}, TURNED}, "tile", 1.1, 1.1, 2.1, 1.2, 1.2},
    {{"tile, 1 byte, both a byte off", 1, 2, {1024, 1024}, TURNED, .dst_skew = 1, .src_skew = 1}, "tile", 1.25, 1.25,
     2.3, 1.5, 1.8},
    {{"line, aligned", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .src_pad = 8}, "line", 1, 1, 1, 1, 1},
    {{"line, source 3 bytes off", 1, 2, {8, 65537}, FORWARDS, .src_pad = 1, .src_skew = 3}, "line", 1.01, 1.01, 2.1,
     1.05, 1},
    {{"line, rows of 4095 bytes", 1, 2, {64, 4095}, FORWARDS, .dst_pad = 1, .src_pad = 2},
     "line", 1.05, 1.05, 2.2, 1.15, 1},
    {{"line, destination 3 bytes off", 1, 2, {8, 65536}, FORWARDS, .src_pad = 16, .dst_pad = 16, .dst_skew = 3},
     "line", 1.01, 1.01, 2.09, 1.05, 1},
    {{"line, both 3 bytes off", 1, 2, {8, 65536}, FORWARDS, .src_pad = 16, .dst_pad = 16, .dst_skew = 3, .src_skew = 3},
     "line", 1.01, 1.01, 2.1, 1.05, 1},
    {{"line, rows of 2 KiB", 4, 2, {64, 512}, FORWARDS, .dst_pad = 8}, "line", 1, 1, 1, 1, 1},
    {{"rows of 64 bytes, odd pitches", 1, 2, {4096, 64}, FORWARDS, .dst_pad = 1, .src_pad = 3},
     "rows", 1.07, 1.04, 3.45, 2.11, 1},
    {{"rows of 100 bytes, pitches of words", 4, 2, {4096, 25}, FORWARDS, .dst_pad = 1, .src_pad = 3},
     "flat", 1.14, 1.06, 1.34, 1.26, 1},
    {{"rows of 500 bytes, odd pitches", 1, 2, {512, 500}, FORWARDS, .dst_pad = 1, .src_pad = 3},
     "rows", 1.03, 1.01, 2.22, 1.18, 1},
    {{"rows of 2047 bytes, odd pitches", 1, 2, {128, 2047}, FORWARDS, .dst_pad = 2, .src_pad = 4},
     "rows", 1.01, 1.01, 2.12, 1.07, 1},
    {{"rows of 200 bytes, odd pitches", 1, 2, {1024, 200}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows", 1.1, 1.1, 2.6,
     1.6, 1},
    {{"rows of 1000 bytes, odd pitches", 1, 2, {256, 1000}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows", 1.05, 1.05,
     2.2, 1.2, 1},
    {{"rows of 512 bytes", 4, 2, {512, 128}, FORWARDS, .dst_pad = 8, .src_pad = 8}, "flat", 1, 1, 1, 1, 1},
    {{"repeat, 4 bytes", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .repeat = true}, "repeat", .1, 1, .1, 1, 1},
    {{"repeat, 1 byte, odd rows", 1, 2, {8, 16384}, FORWARDS, .dst_pad = 1, .repeat = true}, "repeat", .1, 1.01, .1,
     1.06, 1},
    {{"reverse, 4 bytes", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .src_pad = 8, .step = -1}, "reverse", 1.01, 1.01,
     2.1, 1.01, 1},
    {{"reverse, 1 byte, odd rows", 1, 2, {8, 16384}, FORWARDS, .dst_pad = 1, .src_pad = 2, .step = -1}, "reverse", 1.01,
     1.01, 2.1, 1.06, 1},
    {{"repeat, 2 bytes", 2, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .repeat = true}, "repeat", .1, 1.01, .1, 1.05, 1},
    {{"repeat, 8 bytes", 8, 2, {8, 8192}, FORWARDS, .dst_pad = 8, .repeat = true}, "repeat", .1, 1, .1, 1, 1},
    {{"repeat, 16 bytes", 16, 2, {8, 4096}, FORWARDS, .dst_pad = 8, .repeat = true}, "repeat", .1, 1, .1, 1, 1},
    {{"reverse, 2 bytes", 2, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .src_pad = 8, .step = -1},
     "reverse", 1.01, 1.01, 2.09, 1.05, 1},
    {{"reverse, 8 bytes", 8, 2, {8, 8192}, FORWARDS, .dst_pad = 8, .src_pad = 8, .step = -1},
     "reverse", 1.01, 1.01, 2.09, 1.01, 1},
    {{"reverse, 16 bytes", 16, 2, {8, 4096}, FORWARDS, .dst_pad = 8, .src_pad = 8, .step = -1},
     "reverse", 1.01, 1.01, 2.09, 1.01, 1},
    {{"reverse, 4 bytes, an item off", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .src_pad = 8, .step = -1,
      .src_skew = 4}, "reverse", 1.01, 1.01, 2.09, 1.01, 1},
    {{"repeat, 4 bytes, rows of 64 bytes", 4, 2, {4096, 16}, FORWARDS, .repeat = true}, "repeat", .5, 1, .5, 1, 1},
    {{"repeat, 4 bytes, rows of 256 bytes", 4, 2, {1024, 64}, FORWARDS, .repeat = true}, "repeat", .13, 1, .13, 1, 1},
    {{"repeat, 1 byte, rows of 100 bytes", 1, 2, {4096, 100}, FORWARDS, .repeat = true},
     "repeat", .33, 1.01, .33, 2, 1},
    {{"repeat, 8 bytes, rows of 4 KiB", 8, 2, {128, 512}, FORWARDS, .repeat = true}, "repeat", .1, 1, .1, 1, 1},
    {{"reverse, 4 bytes, rows of 64 bytes", 4, 2, {4096, 16}, FORWARDS, .step = -1}, "reverse", 1, 1, 2.01, 1, 1},
    {{"reverse, 4 bytes, rows of 256 bytes", 4, 2, {1024, 64}, FORWARDS, .step = -1}, "reverse", 1, 1, 2.01, 1, 1},
    {{"reverse, 1 byte, rows of 100 bytes", 1, 2, {4096, 100}, FORWARDS, .step = -1},
     "reverse", 1.01, 1.01, 3.5, 2, 1},
    {{"reverse, 8 bytes, rows of 4 KiB", 8, 2, {128, 512}, FORWARDS, .step = -1}, "reverse", 1, 1, 2.01, 1, 1},
    {{"every second, 1 byte", 1, 2, {256, 512}, FORWARDS, .step = 2}, "flat", 2.03, 1, 32.33, 1, 1},
    {{"every second, 2 bytes", 2, 2, {256, 512}, FORWARDS, .step = 2}, "flat", 2.03, 1, 16.17, 1, 1},
    {{"every second, 8 bytes", 8, 2, {256, 512}, FORWARDS, .step = 2}, "flat", 2.03, 1, 2.03, 1, 1},
    {{"every second, 16 bytes", 16, 2, {256, 512}, FORWARDS, .step = 2}, "flat", 2.03, 1, 2.03, 1, 1},
    {{"every second backwards, 4 bytes", 4, 2, {256, 512}, FORWARDS, .step = -2}, "flat", 1.52, 1, 2.03, 1, 1},
    {{"three bytes of four", 1, 2, {65536, 3}, FORWARDS, .src_pad = 1}, "flat", 1.36, 1, 21.9, 2.03, 1},
    {{"three halves of four", 2, 2, {65536, 3}, FORWARDS, .src_pad = 1}, "flat", 1.36, 1, 10.95, 1, 1},
    {{"three words of four", 4, 2, {65536, 3}, FORWARDS, .src_pad = 1}, "flat", 1.36, 1, 1.52, 1, 1},
    {{"rows of 32 bytes", 4, 2, {8192, 8}, FORWARDS, .src_pad = 8}, "flat", 1, 1, 1, 1, 1},
    {{"every third, 4 bytes", 4, 2, {256, 512}, FORWARDS, .step = 3}, "flat", 3.1, 1, 3.1, 1, 1},
    {{"every third, 1 byte", 1, 2, {256, 512}, FORWARDS, .step = 3}, "flat", 3.1, 1, 40, 1, 1},
    {{"fill, 4 bytes", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8}, "fill", 0, 1, 0, 1, 1},
    {{"fill, 1 byte, odd rows", 1, 2, {8, 16384}, FORWARDS, .dst_pad = 1}, "fill", 0, 1.01, 0, 1.06, 1},
    {{"fill, 16 bytes, a byte off", 16, 2, {8, 2048}, FORWARDS, .dst_pad = 1, .dst_skew = 1}, "fill", 0, 1.01, 0, 1.05,
     1},
    {{"fill, 8 bytes, rows of 200 bytes", 8, 2, {1024, 25}, FORWARDS, .dst_pad = 1}, "fill", 0, 1.05, 0, 1.4, 1},
    {{"fill, 4 bytes, rows of 64 bytes", 4, 2, {4096, 16}, FORWARDS, .dst_pad = 8}, "fill", 0, 1, 0, 1, 1},
    {{"fill, 16 bytes, rows of 64 bytes", 16, 2, {1024, 4}, FORWARDS, .dst_pad = 2}, "fill", 0, 1, 0, 1, 1},
    {{"fill, 12 bytes, dense", 12, 1, {16384}, {0}, .dst_skew = 0}, "fill", 0, 1, 0, 1, 1},
    {{"box, twelve axes of 2, 4 bytes", 4, 12, TWELVE_TWOS}, "box", 1, 1, 1, 1, 2.01},
    {{"box, twelve axes of 2, 1 byte", 1, 12, TWELVE_TWOS}, "box", 1, 1, 1, 1, 1},
    {{"box, five axes of 15 and one of 16, 4 bytes", 4, 6, {16, 15, 15, 15, 15, 15}, .order = {5, 4, 3, 2, 1, 0}},
     "box", 1.08, 1.09, 1.15, 1.51, 2.01},
    {{"box, six axes, 4 bytes", 4, 6, {16, 15, 15, 15, 15, 15}, .order = {3, 5, 1, 4, 0, 2}},
     "box", 1.31, 1.15, 1.57, 1.58, 2.01},
    {{"box, six axes of 7, 8 bytes", 8, 6, {7, 7, 7, 7, 7, 7}, .order = {5, 4, 3, 2, 1, 0}},
     "box", 1.22, 1.28, 1.33, 1.37, 1.86},
    {{"box, rows of 20 bytes", 4, 3, {200, 300, 5}, .order = {1, 0, 2}}, "box", 1.1, 1.16, 1.1, 1.27, 2.01},
    {{"box, rows of 33 bytes", 1, 3, {200, 300, 33}, .order = {1, 0, 2}}, "box", 1.17, 1.17, 2.21, 2.21, 1.07},
    {{"box, rows of 40 bytes", 8, 3, {200, 300, 5}, .order = {1, 0, 2}}, "box", 1, 1, 1, 1, 2.01},
    {{"box, 15 x 300 x 16, 4 bytes", 4, 3, {16, 300, 15}, .order = {2, 1, 0}}, "box", 1.02, 1.06, 1.02, 1.18, 2.01},
    {{"box, 15 x 300 x 16 padded, 4 bytes", 4, 3, {16, 300, 15}, .order = {2, 1, 0}, .dst_pad = 1, .src_pad = 1},
     "box", 1.12, 1.09, 1.28, 1.31, 2.01},
    {{"box, 3 x 3 filters, 2 bytes", 2, 4, {55, 55, 3, 3}, .order = {3, 2, 1, 0}}, "box", 1.06, 1.24, 1.52, 1.66, 2.24},
    {{"box, 3 x 3 filters, 1 byte", 1, 4, {55, 55, 3, 3}, .order = {3, 2, 1, 0}}, "box", 1.1, 1.46, 2.03, 2.34, 2.01},
    {{"box, items of 3 bytes", 3, 2, {512, 512}, TURNED}, "box", 1, 1, 1, 1, 1.51},
    {{"box, items of 3 bytes, odd pitches", 3, 2, {511, 511}, TURNED}, "box", 1.34, 1.34, 1.99, 1.99, 1.51},
    {{"box, items of 5 bytes", 5, 2, {512, 512}, TURNED}, "box", 1.26, 1.3, 2.24, 2.32, 1},
    {{"box, items of 5 bytes, odd pitches", 5, 2, {511, 511}, TURNED}, "box", 1.29, 1.31, 2.31, 2.34, 1},
    {{"box, items of 6 bytes", 6, 2, {512, 512}, TURNED}, "box", 1, 1, 1, 1, 1},
    {{"box, items of 6 bytes, odd pitches", 6, 2, {511, 511}, TURNED}, "box", 1.17, 1.17, 1.48, 1.48, 1},
    {{"box, items of 12 bytes", 12, 2, {512, 512}, TURNED}, "box", 1.07, 1.07, 1.07, 1.07, 2.01},
    {{"box, items of 12 bytes, odd pitches", 12, 2, {511, 511}, TURNED}, "box", 1.18, 1.18, 1.39, 1.39, 2.01},
    {{"box, items of 24 bytes", 24, 2, {256, 256}, TURNED}, "box", 1.14, 1.14, 1.14, 1.14, 2.01},
    {{"box, items of 4 bytes, a byte off", 4, 2, {256, 256}, TURNED, .src_skew = 1}, "box", 1.26, 1, 2.01, 1, 1},
    {{"box, items of 16 bytes, 8 bytes off", 16, 2, {256, 256}, TURNED, .dst_skew = 8},
     "box", 1.24, 1.33, 1.24, 1.46, 1.15},
    {{"box, items of 3 bytes backwards", 3, 2, {512, 512}, TURNED, .step = -1}, "box", 1, 1, 1, 1, 1.51},
    {{"9 columns, 1 byte", 1, 2, {9, 250000}, TURNED}, "apart", 1.01, 1.01, 1.01, 1.04, 2},
    {{"9 rows, 1 byte", 1, 2, {250000, 9}, TURNED}, "together", 1.01, 1.01, 1.04, 1.01, 2},
    {{"box, 40 rows, 1 byte", 1, 2, {5000, 40}, TURNED}, "box", 1.28, 1.03, 1.79, 1.03, 1.61},
    {{"box, 40 columns, 1 byte", 1, 2, {40, 5000}, TURNED}, "box", 1.03, 1.28, 1.03, 1.79, 1},
    {{"box, 100 times 40 x 40, 1 byte", 1, 3, {100, 40, 40}, .order = {0, 2, 1}}, "box", 1, 1, 1, 1, 1.61},
    {{"box, 100 times 13 x 13, 4 bytes", 4, 3, {100, 13, 13}, .order = {0, 2, 1}}, "box", 1.11, 1.11, 1.33, 1.33, 2.86},
    {{"box, some tiles a block", 4, 3, {3, 600, 1001}, .order = {2, 1, 0}}, "box", 1.06, 1.25, 1.06, 1.43, 1.61},
    {{"permute, six axes of 16 to 26, 4 bytes", 4, 6, {4, 26, 18, 22, 6, 24}, .order = {0, 4, 2, 5, 3, 1}},
     "permute", 1.19, 1.11, 1.22, 1.11, 2.67},
    {{"permute, six axes of 15 reversed, 4 bytes", 4, 6, {16, 15, 15, 15, 15, 15}, .order = {5, 4, 3, 2, 1, 0}},
     "permute", 1.1, 1.12, 1.16, 2.39, 2.86},
    {{"permute, RGBA to RGB", 1, 2, {1000000, 3}, FORWARDS, .src_pad = 1}, "permute", 1.36, 1.01, 1.36, 1.01, 1.82},
    {{"permute, RGB to RGBA but the fourth byte", 1, 2, {1000000, 3}, FORWARDS, .dst_pad = 1},
     "permute", 1.01, 1.36, 1.01, 2.69, 1.07},
    {{"permute, BGR to RGB", 1, 2, {1000000, 3}, FORWARDS, .step = -1}, "permute", 1.01, 1.01, 1.01, 1.01, 1.11},
    {{"permute, RGBA to RGB, a byte off", 1, 2, {1000001, 3}, FORWARDS, .src_pad = 1, .src_skew = 1, .dst_skew = 1},
     "permute", 1.36, 1.03, 2.79, 1.04, 1.68},
    {{"permute, patches of 16 x 16 pixels", 1, 5, {24, 40, 16, 16, 3}, .order = {0, 2, 1, 3, 4}},
     "permute", 1.07, 1.07, 1.07, 1.07, 2.05},
    {{"permute, pixel shuffle of halves", 2, 5, {16, 128, 2, 128, 2}, .order = {0, 2, 4, 1, 3}},
     "permute", 1.01, 1.01, 1.01, 1.01, 1.01},
    {{"permute, matrices of 17 x 23 words", 4, 3, {1500, 17, 23}, .order = {0, 2, 1}},
     "permute", 1.01, 1.01, 1.05, 1.05, 1.88},
    {{"permute, matrices of 8 x 8 halves", 2, 3, {17000, 8, 8}, .order = {0, 2, 1}},
     "permute", 1.01, 1.01, 1.01, 1.01, 1.01},
    {{"permute, matrices of 32 x 32 words", 4, 3, {600, 32, 32}, .order = {0, 2, 1}},
     "permute", 1.01, 1.01, 1.01, 1.01, 2.52},
    {{"permute, matrices of 3 x 3 doubles", 8, 3, {31000, 3, 3}, .order = {0, 2, 1}},
     "permute", 1.01, 1.01, 1.01, 1.01, 1.45},
    {{"permute, rows of 100 bytes of pitch 128", 4, 2, {22000, 25}, FORWARDS, .src_pad = 7},
     "permute", 1.3, 1.01, 1.3, 1.01, 1.54},
    {{"permute, every second byte", 1, 2, {140, 16384}, FORWARDS, .step = 2}, "permute", 2.02, 1.01, 2.02, 1.01, 1.82},
    {{"permute, every third half", 2, 2, {140, 8192}, FORWARDS, .step = 3}, "permute", 3.02, 1.01, 3.02, 1.01, 2.32},
    {{"permute, every eighth half", 2, 2, {140, 8192}, FORWARDS, .step = 8}, "permute", 8.02, 1.01, 8.02, 1.01, 3.02},
    {{"permute, one of seven words", 4, 1, {550000}, .order = {0}, .step = 7}, "permute", 7.02, 1.01, 7.03, 1.01, 3.15},
    {{"permute, every second word", 4, 1, {550000}, .order = {0}, .step = 2}, "permute", 2.02, 1.01, 2.02, 1.01, 1.52},
    {{"permute, every second double backwards", 8, 1, {280000}, .order = {0}, .step = -2},
     "permute", 2.02, 1.01, 2.02, 1.01, 1.52},
    {{"permute, items of 5 bytes", 5, 2, {1024, 512}, TURNED}, "permute", 1.12, 1.05, 1.15, 1.05, 3.74},
    {{"permute, items of 12 bytes, odd pitches", 12, 2, {511, 511}, TURNED}, "permute", 1.19, 1.19, 2.06, 1.36, 2.64},
    {{"permute, 3 x 3 filters, 2 bytes", 2, 4, {400, 400, 3, 3}, .order = {3, 2, 1, 0}},
     "permute", 1.35, 1.22, 2.29, 1.52, 6.08},
    {{"permute, 40 columns, 1 byte", 1, 2, {40, 60000}, TURNED}, "permute", 1.01, 1.01, 1.01, 1.01, 4.81},
    {{"permute, transpose of bytes, odd", 1, 2, {1501, 1503}, TURNED}, "permute", 1.39, 1.46, 2.4, 1.96, 3.38},
    {{"permute, twelve axes of 2, 4 bytes", 4, 12, TWELVE_TWOS}, "permute", 1.01, 1.01, 1.01, 1.01, 2.52},
};

/* --- channels ------------------------------------------------------------------------------------------ */

enum {
    KINDS = 2 * 3,
    SIZES = 4,
    LARGE = 132 * 16384, /* bytes, from which blocks are as large as they get. Some of them are counted */
    SAMPLES = 12,        /* blocks */
    ROW = 6144,          /* bytes of pixels, about */
    ROWS = 352 /* of which an image has more than LARGE bytes */
};

static const int32_t channels[] = {2, 3, 4, 5, 8, 16, 32};

enum { CASES = sizeof cases / sizeof *cases, CHANNELS = sizeof channels / sizeof *channels * SIZES * KINDS };

/* A case with what rows of pixels have behind them, in bytes, and how many of each side's accesses are vectors. */
struct any_case {
    struct counted c;
    int64_t crop;
    double vectors;
    struct svi_chain chain; /* of conversions */
    bool is_large;
};

/* Pixels to planes and back: aligned, rows of odd lengths at odd addresses, and with gaps after the rows as well. */
static struct any_case channels_case(size_t i)
{
    static const char *const names[KINDS] = {"pixels to planes", "pixels to planes, odd", "pixels to planes with gaps",
                                             "planes to pixels", "planes to pixels, odd", "planes with gaps to pixels"};
    static char name[64];
    const int kind = (int)(i % KINDS);
    const bool apart = kind < 3, is_odd = kind % 3 > 0, has_gaps = kind % 3 == 2;
    const int64_t item = INT64_C(1) << i / KINDS % SIZES, count = channels[i / KINDS / SIZES];
    const int64_t pixels = ROW / (count * item) | is_odd;
    const struct emulated_shape to_planes = {name, item, 3, {count, ROWS, pixels}, .order = {1, 2, 0}};
    const struct emulated_shape to_pixels = {name, item, 3, {ROWS, pixels, count}, .order = {2, 0, 1}};
    struct any_case any = {.c = {apart ? to_planes : to_pixels, apart ? "apart" : "together", 1, 1, 1, 1, 2.67},
                           .vectors = 1,
                           .is_large = true};

    snprintf(name, sizeof name, "%s, %d of %d bytes", names[kind], (int)count, (int)item);
    if (count == 32)
        any.c.waves = 4.1;
    if (is_odd) {
        any.c.shape.dst_skew = any.c.shape.src_skew = item;
        any.c.shape.dst_pad = apart && has_gaps;
        any.c.shape.src_pad = !apart && has_gaps;
        any.c.loads = any.c.stores = 1.25;
        any.c.loads_moved = any.c.stores_moved = has_gaps && count == 32 ? 1.54 : 1.5;
        any.crop = has_gaps ? 3 * item : 0;
        any.vectors = has_gaps && count == 32 ? .39 : .5;
    } else if (count * item >= 64) {
        any.c.family = "tile";
    }
    return any;
}

/* --- conversions ----------------------------------------------------------------------------------------- */

/* Runs, of which each warp reads and writes whole sectors; those of 8 bytes by two vectors of a thread, each of which is
 * a half. */
static const struct counted runs[] = {
    {{"a run, converted", 1, 1, {65536}, .order = {0}}, "convert", 1, 1, 1, 1, 1},
    {{"rows, converted", 1, 2, {32, 1024}, .order = {0, 1}, .src_pad = 32}, "convert", 1, 1, 1, 1, 1},
};

/* Between numbers of all sizes. Skews are in items here, and sectors read those to the bytes of the source. */
static const struct counted turned[] = {
    {{"pixels to planes, converted", 1, 3, {3, 64, 128}, .order = {1, 2, 0}}, "box_cast", 1.07, 1.04, 1.96, 1.04, 2.01},
    {{"planes to pixels, converted", 1, 3, {64, 128, 3}, .order = {2, 0, 1}}, "box_cast", 1.04, 1.07, 1.04, 1.96, 2.01},
    {{"pixels to planes, converted, odd", 1, 3, {3, 64, 127}, .order = {1, 2, 0}, .dst_pad = 1, .dst_skew = 1,
      .src_skew = 1}, "box_cast", 1.05, 1.02, 2.02, 1.98, 2.01},
    {{"transpose, converted", 1, 2, {160, 192}, TURNED}, "box_cast", 1.15, 2.26, 1.15, 3.12, 1.44},
    {{"transpose, converted, odd", 1, 2, {161, 191}, TURNED, .dst_skew = 1, .src_skew = 1},
     "box_cast", 2.18, 2.43, 3.13, 3.38, 1.44},
};

static const sv_dtype from[] = {SV_UINT8, SV_FLOAT16, SV_INT32, SV_FLOAT64};
static const sv_dtype to[] = {SV_BOOL, SV_BFLOAT16, SV_FLOAT32, SV_INT64};

enum {
    TURNED_CASES = sizeof turned / sizeof *turned,
    RUNS = sizeof runs / sizeof *runs,
    CONVERSIONS = (TURNED_CASES + RUNS) * SIZES * SIZES
};

static struct any_case conversion_case(size_t i)
{
    const size_t row = i / SIZES / SIZES;
    struct any_case any = {.c = row < TURNED_CASES ? turned[row] : runs[row - TURNED_CASES]};

    svi_chain_find(to[i % SIZES], from[i / SIZES % SIZES], true, false, &any.chain);
    any.c.shape.itemsize = (int64_t)svi_chain_dst_bytes(&any.chain);
    if (row >= TURNED_CASES && any.c.shape.itemsize == 8)
        any.c.stores_moved = 2;
    if (row >= TURNED_CASES && svi_chain_src_bytes(&any.chain) == 8)
        any.c.loads_moved = 2;
    any.c.shape.dst_skew *= any.c.shape.itemsize;
    any.c.shape.src_skew *= (int64_t)svi_chain_src_bytes(&any.chain);
    return any;
}

static bool is_below(const char *what, double found, double most)
{
    if (found <= most + 1e-9)
        return true;
    tap_note("%s: %.3f, more than %.3f", what, found, most);
    return false;
}

static bool is_large(const struct emulated_shape *shape)
{
    int64_t nbytes = shape->itemsize;

    for (int32_t k = 0; k < shape->ndim; k++)
        nbytes *= shape->shape[k];
    return nbytes >= LARGE;
}

static struct any_case case_of(size_t i)
{
    if (i >= CASES + CHANNELS)
        return conversion_case(i - CASES - CHANNELS);
    return i < CASES ? (struct any_case){.c = cases[i], .is_large = is_large(&cases[i].shape)}
                     : channels_case(i - CASES);
}

static struct emulated_result run_case(const struct any_case *any, struct emulated_counts *counts)
{
    struct emulated_copy copy = emulated_copy_of(&any->c.shape);

    copy.family = emulated_find_family(any->c.family);
    if (strcmp(any->c.family, "fill") == 0) {
        memset(copy.src, 0, sizeof copy.src);
        return emulated_fill_run(&copy, counts);
    }
    if (any->chain.count > 0) {
        struct emulated_shape src = any->c.shape;

        src.itemsize = (int64_t)svi_chain_src_bytes(&any->chain);
        memcpy(copy.src, emulated_copy_of(&src).src, sizeof copy.src);
        copy.chain = any->chain;
    }
    if (strcmp(any->c.family, "apart") == 0)
        copy.src[1] += any->crop;
    else
        copy.dst[0] += any->crop;
    return any->is_large ? emulated_copy_count(&copy, SAMPLES, counts) : emulated_copy_run(&copy, counts);
}

static struct emulated_ratios ratios_of(const struct any_case *any, const struct emulated_counts *counts,
                                        int64_t nbytes)
{
    struct emulated_ratios r = emulated_ratios_of(counts, nbytes);

    if (any->chain.count > 0) {
        const double longer = (double)any->c.shape.itemsize / (double)svi_chain_src_bytes(&any->chain);

        r.block[0] *= longer;
        r.moved[0] *= longer;
    }
    return r;
}

static void test_case(const struct any_case *any)
{
    const struct counted *c = &any->c;
    struct emulated_counts counts = {0};
    const struct emulated_result result = run_case(any, &counts);
    const struct emulated_ratios r = ratios_of(any, &counts, result.nbytes);
    bool ok = result.fault == EMULATED_NOTHING && result.equal && emulated_is_family(&result, c->family);

    if (!ok)
        tap_note("%s %s", svi_kernel_name(result.shape.kernel), emulated_text());
    ok &= is_below("sectors read", r.block[0], c->loads);
    ok &= is_below("sectors written", r.block[1], c->stores);
    ok &= is_below("sectors of all loads", r.moved[0], c->loads_moved);
    ok &= is_below("sectors of all stores", r.moved[1], c->stores_moved);
    ok &= is_below("waves of loads", r.waves[0], c->waves);
    ok &= is_below("waves of stores", r.waves[1], c->waves);
    ok &= is_below("loads that are no vectors", 1 - r.vectors[0], 1 - any->vectors);
    ok &= is_below("stores that are no vectors", 1 - r.vectors[1], 1 - any->vectors);
    tap_ok(ok, "%s", c->shape.name);
    tap_note("%s: sectors read %.2f (%.2f), written %.2f (%.2f), waves %.2f %.2f, vectors %.2f %.2f",
             svi_kernel_name(result.shape.kernel), r.block[0], r.moved[0], r.block[1], r.moved[1], r.waves[0],
             r.waves[1], r.vectors[0], r.vectors[1]);
}

static void print_case(const struct any_case *any)
{
    struct emulated_counts counts = {0};
    const struct emulated_result result = run_case(any, &counts);
    const struct emulated_ratios r = ratios_of(any, &counts, result.nbytes);

    printf("%s %.4f %.4f %.4f %.4f %.4f %.4f\n", svi_kernel_name(result.shape.kernel), r.block[0], r.block[1],
           r.moved[0], r.moved[1], counts.ideal[0] ? r.waves[0] : 0, counts.ideal[1] ? r.waves[1] : 0);
}

int main(int argc, char **argv)
{
    const bool prints = argc > 1 && strcmp(argv[1], "--figures") == 0;

    for (size_t i = 0; i < CASES + CHANNELS + CONVERSIONS; i++) {
        const struct any_case any = case_of(i);

        if (prints)
            print_case(&any);
        else
            test_case(&any);
    }
    return prints ? 0 : tap_done();
}
