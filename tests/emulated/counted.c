/* What a GPU would move for fixed copies, in sectors of 32 bytes and waves of banks: none of it may grow. */
#include "kernels.h"
#include "shapes.h"
#include "tap.h"

#define TURNED .order = {1, 0}
#define FORWARDS .order = {0, 1}

static const struct {
    struct emulated_shape shape;
    const char *family;
    double loads, stores;             /* distinct sectors of each block, to the payload, at most */
    double loads_moved, stores_moved; /* sectors of all requests */
    double waves;
} cases[] = {
    {{"tile, 1 byte", 1, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 2 bytes", 2, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 4 bytes", 4, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 8 bytes", 8, 2, {1024, 1024}, TURNED}, "tile", 1, 1, 1, 1, 1},
    {{"tile, 16 bytes", 16, 2, {512, 512}, TURNED}, "tile", 1, 1, 1, 1, 1},
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
    {{"line, rows of 4095 bytes", 1, 2, {64, 4095}, FORWARDS, .dst_pad = 1, .src_pad = 2}, "line", 1.05, 1.05, 2.2, 1.15,
     1},
    {{"rows of 200 bytes, odd pitches", 1, 2, {1024, 200}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows", 1.1, 1.1, 2.6,
     1.6, 1},
    {{"rows of 1000 bytes, odd pitches", 1, 2, {256, 1000}, FORWARDS, .dst_pad = 1, .src_pad = 3}, "rows", 1.05, 1.05,
     2.2, 1.2, 1},
    {{"rows of 512 bytes", 4, 2, {512, 128}, FORWARDS, .dst_pad = 8, .src_pad = 8}, "flat", 1, 1, 1, 1, 1},
    {{"repeat, 4 bytes", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .repeat = true}, "repeat", .1, 1, .1, 1, 1},
    {{"repeat, 1 byte, odd rows", 1, 2, {8, 16384}, FORWARDS, .dst_pad = 1, .repeat = true}, "repeat", .1, 1.01, .1,
     1.05, 1},
    {{"reverse, 4 bytes", 4, 2, {8, 16384}, FORWARDS, .dst_pad = 8, .src_pad = 8, .step = -1}, "reverse", 1.01, 1.01,
     2.1, 1.01, 1},
    {{"reverse, 1 byte, odd rows", 1, 2, {8, 16384}, FORWARDS, .dst_pad = 1, .src_pad = 2, .step = -1}, "reverse", 1.01,
     1.01, 2.1, 1.05, 1},
    {{"every third, 4 bytes", 4, 2, {256, 512}, FORWARDS, .step = 3}, "flat", 3.1, 1, 3.1, 1, 1},
    {{"every third, 1 byte", 1, 2, {256, 512}, FORWARDS, .step = 3}, "flat", 3.1, 1, 40, 1, 1},
};

static bool is_below(const char *what, double found, double most)
{
    if (found <= most + 1e-9)
        return true;
    tap_note("%s: %.3f, more than %.3f", what, found, most);
    return false;
}

static void test_case(size_t i)
{
    const struct emulated_copy copy = emulated_copy_of(&cases[i].shape);
    struct emulated_counts counts = {0};
    const struct emulated_result result = emulated_copy_run(&copy, &counts);
    const struct emulated_ratios r = emulated_ratios_of(&counts, result.nbytes);
    bool ok = result.fault == EMULATED_NOTHING && result.equal && emulated_is_family(&result, cases[i].family);

    if (!ok)
        tap_note("%s %s", svi_kernel_name(result.shape.kernel), emulated_text());
    ok &= is_below("sectors read", r.block[0], cases[i].loads);
    ok &= is_below("sectors written", r.block[1], cases[i].stores);
    ok &= is_below("sectors of all loads", r.moved[0], cases[i].loads_moved);
    ok &= is_below("sectors of all stores", r.moved[1], cases[i].stores_moved);
    ok &= is_below("waves of loads", r.waves[0], cases[i].waves);
    ok &= is_below("waves of stores", r.waves[1], cases[i].waves);
    tap_ok(ok, "%s", cases[i].shape.name);
    tap_note("%s: sectors read %.2f (%.2f), written %.2f (%.2f), waves %.2f %.2f, vectors %.2f %.2f",
             svi_kernel_name(result.shape.kernel), r.block[0], r.moved[0], r.block[1], r.moved[1], r.waves[0],
             r.waves[1], r.vectors[0], r.vectors[1]);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        test_case(i);
    return tap_done();
}
