/* Faults planted in the kernels: each is found, by a check, by the bytes or by a count. */
#include <string.h>

#include "gpu/launch_box.h"
#include "gpu/launch_channels.h"
#include "gpu/launch_flat.h"
#include "gpu/launch_permute.h"
#include "gpu/launch_tile.h"
#include "kernels.h"
#include "planted.h"
#include "shapes.h"
#include "tap.h"

static const char *const names[FAULTS] = {
    [NO_FAULT] = "no fault",
    [NO_BARRIER] = "a missing barrier",
    [NO_SWIZZLE] = "rows of shared memory that begin in the same bank",
    [BOUND_TOO_LARGE] = "a bound that is one too large",
    [VECTOR_PAST_THE_END] = "a vector past a row's end",
    [MISALIGNED_VECTOR] = "a vector at an odd address",
    [THREAD_LEAVES] = "a thread that leaves before the barrier",
    [THREAD_STORES_NOTHING] = "a thread that stores nothing",
    [END_STORED_TWICE] = "an item that is stored twice",
    [WRONG_ROW] = "a row of shared memory for another",
    [PRODUCT_OF_32_BITS] = "a product of 32 bits",
    [WRONG_MAGIC] = "a magic number that is one too small",
    [NO_CARRY] = "a missing carry",
    [ITEM_NOT_TURNED] = "vectors of a fill that begin with the item's first byte, wherever they are",
    [ONE_HALF] = "one half of shared memory for two tiles",
    [NO_SECOND_BARRIER] = "a missing second barrier",
    [FIRST_ENTRY] = "the first addresses of a table for all copies",
    [SAME_NUMBER] = "the scale of a packet's first item for all of them",
    [NO_PERIOD] = "scales of pixels that are not counted modulo the channels",
    [FIRST_TILE] = "the scales of the first tile for all",
    [FUSED] = "a product that is not rounded before the bias is added",
};

#define FAULT(fault) (UINT32_C(1) << (fault))

/* Copies, and the faults with which each of them goes wrong whatever the others do. */
static const struct {
    struct emulated_shape shape;
    uint32_t faults;
    svi_launch_family *family; /* NULL: the one that is chosen */
} cases[] = {
    {{.name = "tile", .itemsize = 4, .ndim = 2, .shape = {256, 256}, .order = {1, 0}},
     FAULT(NO_BARRIER) | FAULT(NO_SWIZZLE) | FAULT(THREAD_LEAVES), svi_family_tile},
    {{.name = "odd tile", .itemsize = 4, .ndim = 2, .shape = {251, 253}, .order = {1, 0}},
     FAULT(NO_BARRIER) | FAULT(NO_SWIZZLE) | FAULT(THREAD_LEAVES), svi_family_tile},
    {{.name = "odd tile of bytes", .itemsize = 1, .ndim = 3, .shape = {7, 251, 253}, .order = {0, 2, 1}},
     FAULT(NO_BARRIER) | FAULT(NO_SWIZZLE) | FAULT(THREAD_LEAVES), svi_family_tile},
    {{.name = "line", .itemsize = 1, .ndim = 2, .shape = {7, 20001}, .order = {0, 1}, .dst_pad = 3}, 0,
     NULL},
    {{.name = "box", .itemsize = 4, .ndim = 3, .shape = {3, 50, 101}, .order = {2, 1, 0}},
     FAULT(NO_BARRIER) | FAULT(BOUND_TOO_LARGE) | FAULT(THREAD_LEAVES) | FAULT(THREAD_STORES_NOTHING) |
         FAULT(WRONG_MAGIC) | FAULT(ONE_HALF),
     svi_family_box},
    {{.name = "permutation", .itemsize = 1, .ndim = 3, .shape = {61, 50, 101}, .order = {2, 0, 1}, .dst_pad = 3,
      .src_pad = 5, .dst_skew = 1},
     FAULT(NO_BARRIER) | FAULT(BOUND_TOO_LARGE) | FAULT(VECTOR_PAST_THE_END) | FAULT(THREAD_LEAVES) |
         FAULT(THREAD_STORES_NOTHING) | FAULT(WRONG_MAGIC) | FAULT(NO_SECOND_BARRIER),
     svi_family_permute},
    {{.name = "permutation of rows of 128 bytes", .itemsize = 4, .ndim = 3, .shape = {40, 32, 32},
      .order = {0, 2, 1}},
     FAULT(NO_BARRIER) | FAULT(NO_SWIZZLE) | FAULT(THREAD_LEAVES) | FAULT(THREAD_STORES_NOTHING) |
         FAULT(NO_SECOND_BARRIER),
     svi_family_permute},
    {{.name = "pixels", .itemsize = 2, .ndim = 3, .shape = {8, 12, 301}, .order = {1, 2, 0}, .dst_pad = 1,
      .src_skew = 2},
     FAULT(NO_BARRIER) | FAULT(NO_SWIZZLE) | FAULT(BOUND_TOO_LARGE) | FAULT(VECTOR_PAST_THE_END) |
         FAULT(THREAD_LEAVES) | FAULT(THREAD_STORES_NOTHING) | FAULT(END_STORED_TWICE) | FAULT(WRONG_MAGIC),
     svi_family_channels},
    {{.name = "planes", .itemsize = 4, .ndim = 3, .shape = {12, 301, 7}, .order = {2, 0, 1}, .src_pad = 1,
      .dst_skew = 4, .src_skew = 4},
     FAULT(NO_BARRIER) | FAULT(NO_SWIZZLE) | FAULT(BOUND_TOO_LARGE) | FAULT(THREAD_LEAVES) |
         FAULT(THREAD_STORES_NOTHING) | FAULT(END_STORED_TWICE) | FAULT(WRONG_MAGIC),
     svi_family_channels},
    {{.name = "steps", .itemsize = 4, .ndim = 3, .shape = {7, 11, 13}, .order = {0, 1, 2}, .dst_pad = 3, .src_pad = 5,
      .step = 2},
     FAULT(WRONG_MAGIC) | FAULT(NO_CARRY), svi_family_flat},
};

enum { CASES = sizeof cases / sizeof *cases };

static bool is_wrong(const struct emulated_shape *shape, svi_launch_family *family)
{
    struct emulated_copy copy = emulated_copy_of(shape);
    struct emulated_counts counts = {0};
    struct emulated_result result;
    struct emulated_ratios ratios;

    copy.box_tiles = 3;
    copy.family = family;
    result = emulated_copy_run(&copy, &counts);
    ratios = emulated_ratios_of(&counts, result.nbytes);
    return result.fault != EMULATED_NOTHING || !result.equal || ratios.waves[0] > 3 || ratios.waves[1] > 3;
}

/* How many copies are wrong; each that must be is. */
static int count_wrong(int fault, bool *as_expected)
{
    int found = 0;

    for (size_t i = 0; i < CASES; i++) {
        const bool wrong = is_wrong(&cases[i].shape, cases[i].family);

        found += wrong;
        if (wrong || (cases[i].faults & FAULT(fault)) == 0)
            continue;
        tap_note("%s: not found in the copy of a %s", names[fault], cases[i].shape.name);
        *as_expected = false;
    }
    return found;
}

/* Rows at odd addresses are filled, and items with gaps. */
static bool is_wrong_filled(void)
{
    const struct emulated_copy fills[] = {
        {.ndim = 2, .itemsize = 4, .shape = {3, 2049}, .dst = {8199, 4}, .dst_skew = 1},
        {.ndim = 3, .itemsize = 4, .shape = {7, 11, 13}, .dst = {1500, 108, 8}},
    };
    bool wrong = false;

    for (int i = 0; i < 2; i++) {
        const struct emulated_result result = emulated_fill_run(&fills[i], NULL);

        wrong |= result.fault != EMULATED_NOTHING || !result.equal;
    }
    return wrong;
}

/* Rows that lie 4 GiB apart: the memory is there in name only. */
static bool is_wrong_far_away(void)
{
    const struct emulated_copy copy = {.ndim = 2, .itemsize = 4, .shape = {3, 2048}, .dst = {8192, 4},
                                       .src = {(INT64_C(1) << 32) + 64, 8}, .family = svi_family_flat};
    const struct emulated_result result = emulated_copy_run(&copy, NULL);

    return result.fault != EMULATED_NOTHING || !result.equal;
}

/* --- numbers ------------------------------------------------------------------------------------------ */

enum { NUMBERS_OF_SCALE = 64 };

/* Bytes that become float32, by a scale and a bias for each index of an axis. */
static struct emulated_scale along_first = {.axis = 0, .src_itemsize = 1}, along_second = {.axis = 1, .src_itemsize = 1};

static void choose_scales(void)
{
    static double scales[NUMBERS_OF_SCALE], biases[NUMBERS_OF_SCALE];
    struct emulated_scale *const all[] = {&along_first, &along_second};

    for (int k = 0; k < NUMBERS_OF_SCALE; k++) {
        scales[k] = 1 / (k + 3.);
        biases[k] = 7.1 - k;
    }
    for (int i = 0; i < 2; i++) {
        svi_affine_choose(SV_FLOAT32, SV_UINT8, false, &all[i]->affine);
        all[i]->affine.scale = (struct svi_factor){scales, NUMBERS_OF_SCALE};
        all[i]->affine.bias = (struct svi_factor){biases, NUMBERS_OF_SCALE};
    }
}

#define FROM_BYTES {1, {{SVI_OP_F32_FROM_U8, 1, 4, 1}}}

static const uint32_t faults_of_tiles = FAULT(NO_BARRIER) | FAULT(THREAD_LEAVES) | FAULT(THREAD_STORES_NOTHING) |
                                        FAULT(WRONG_MAGIC) | FAULT(ONE_HALF);
static const uint32_t faults_of_items = FAULT(NO_CARRY) | FAULT(BOUND_TOO_LARGE) | FAULT(THREAD_STORES_NOTHING);

static const struct {
    const char *family;
    struct emulated_copy copy;
    uint32_t faults;
} numbers[] = {
    {"box_cast", {.ndim = 2, .itemsize = 4, .shape = {3, 1500}, .dst = {6000, 4}, .src = {1, 3}, .box_tiles = 3,
                  .chain = FROM_BYTES},
     faults_of_tiles | FAULT(BOUND_TOO_LARGE)},
    {"cast", {.ndim = 2, .itemsize = 4, .shape = {37, 53}, .dst = {212, 4}, .src = {107, 2}, .chain = FROM_BYTES},
     faults_of_items},
    {"scale", {.ndim = 2, .itemsize = 4, .shape = {60, 5}, .dst = {20, 4}, .src = {5, 1}, .scale = &along_second},
     FAULT(THREAD_STORES_NOTHING) | FAULT(SAME_NUMBER) | FAULT(NO_PERIOD) | FAULT(FUSED)},
    {"scaled", {.ndim = 2, .itemsize = 4, .shape = {37, 53}, .dst = {212, 4}, .src = {107, 2}, .scale = &along_second},
     faults_of_items | FAULT(SAME_NUMBER) | FAULT(FUSED)},
    {"box_scaled", {.ndim = 3, .itemsize = 4, .shape = {3, 40, 50}, .dst = {8000, 200, 4}, .src = {2000, 1, 40},
                    .box_tiles = 3, .scale = &along_first},
     faults_of_tiles | FAULT(FIRST_TILE) | FAULT(FUSED)},
    {"box_scaled", {.ndim = 2, .itemsize = 4, .shape = {3, 1500}, .dst = {6000, 4}, .src = {1, 3}, .box_tiles = 3,
                    .scale = &along_first},
     faults_of_tiles | FAULT(SAME_NUMBER) | FAULT(FUSED)},
    {"batched", {.ndim = 3, .itemsize = 4, .shape = {4, 20, 30}, .dst = {2400, 120, 4}, .src = {2400, 4, 80},
                 .by_table = true},
     FAULT(FIRST_ENTRY)},
    {"batched_cast", {.ndim = 3, .itemsize = 4, .shape = {4, 37, 53}, .dst = {7844, 212, 4}, .src = {4000, 107, 2},
                    .chain = FROM_BYTES, .by_table = true},
     faults_of_items | FAULT(FIRST_ENTRY)},
    {"batched_scaled", {.ndim = 3, .itemsize = 4, .shape = {4, 37, 53}, .dst = {7844, 212, 4}, .src = {4000, 107, 2},
                      .scale = &along_second, .by_table = true},
     faults_of_items | FAULT(FIRST_ENTRY) | FAULT(FUSED)},
    {"batched_cast", {.ndim = 3, .itemsize = 4, .shape = {4, 37, 53}, .dst = {7844, 212, 4}, .src = {4000, 107, 2},
                    .chain = FROM_BYTES, .by_batch = true},
     faults_of_items | FAULT(FIRST_ENTRY)},
    {"batched_scaled", {.ndim = 3, .itemsize = 4, .shape = {4, 37, 53}, .dst = {7844, 212, 4}, .src = {4000, 107, 2},
                      .scale = &along_second, .by_batch = true},
     faults_of_items | FAULT(FIRST_ENTRY) | FAULT(FUSED)},
};

enum { OF_NUMBERS = sizeof numbers / sizeof *numbers };

static int count_wrong_numbers(int fault, bool *as_expected)
{
    int found = 0;

    for (size_t i = 0; i < OF_NUMBERS; i++) {
        const struct emulated_result result = emulated_copy_run(&numbers[i].copy, NULL);
        const bool wrong = result.fault != EMULATED_NOTHING || !result.equal;

        found += wrong;
        if (emulated_is_family(&result, numbers[i].family) && (wrong || (numbers[i].faults & FAULT(fault)) == 0))
            continue;
        tap_note("%s: not found in a copy by %s, which goes by %s", names[fault], numbers[i].family,
                 svi_kernel_name(result.shape.kernel));
        *as_expected = false;
    }
    return found;
}

int main(void)
{
    choose_scales();
    for (int fault = NO_FAULT; fault < FAULTS; fault++) {
        bool ok = true;
        int found;

        emulated_plant(fault);
        found = count_wrong(fault, &ok) + count_wrong_numbers(fault, &ok) + is_wrong_far_away() + is_wrong_filled();
        tap_ok(ok && (found > 0) == (fault != NO_FAULT), "%s: %d of %d copies are wrong", names[fault], found,
               CASES + OF_NUMBERS + 2);
    }
    return tap_done();
}
