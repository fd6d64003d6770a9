/* Faults planted in the kernels: each is found, by a check, by the bytes or by a count. */
#include <string.h>

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
};

/* Copies of which one at least goes wrong with each fault. */
static const struct emulated_shape shapes[] = {
    {.name = "tile", .itemsize = 4, .ndim = 2, .shape = {256, 256}, .order = {1, 0}},
    {.name = "odd tile", .itemsize = 4, .ndim = 2, .shape = {251, 253}, .order = {1, 0}},
    {.name = "odd tile of bytes", .itemsize = 1, .ndim = 3, .shape = {7, 251, 253}, .order = {0, 2, 1}},
    {.name = "line", .itemsize = 1, .ndim = 2, .shape = {7, 20001}, .order = {0, 1}, .dst_pad = 3},
    {.name = "steps", .itemsize = 4, .ndim = 3, .shape = {7, 11, 13}, .order = {0, 1, 2}, .dst_pad = 3,
     .src_pad = 5, .step = 2},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static bool is_wrong(const struct emulated_shape *shape)
{
    const struct emulated_copy copy = emulated_copy_of(shape);
    struct emulated_counts counts = {0};
    const struct emulated_result result = emulated_copy_run(&copy, &counts);
    const struct emulated_ratios ratios = emulated_ratios_of(&counts, result.nbytes);

    return result.fault != EMULATED_NOTHING || !result.equal || ratios.waves[0] > 2 || ratios.waves[1] > 2;
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
                                       .src = {(INT64_C(1) << 32) + 64, 8}};
    const struct emulated_result result = emulated_copy_run(&copy, NULL);

    return result.fault != EMULATED_NOTHING || !result.equal;
}

int main(void)
{
    for (int fault = NO_FAULT; fault < FAULTS; fault++) {
        int found = 0;

        emulated_plant(fault);
        for (size_t i = 0; i < SHAPES; i++)
            found += is_wrong(&shapes[i]);
        found += is_wrong_far_away() + is_wrong_filled();
        tap_ok((found > 0) == (fault != NO_FAULT), "%s: %d of %d copies are wrong", names[fault], found, SHAPES + 2);
    }
    return tap_done();
}
