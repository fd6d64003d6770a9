/* Random copies: whatever kernel launch_shape.c chooses leaves the bytes that the host engine does, and no fault. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "copies.h"
#include "gpu/launch_box.h"
#include "gpu/launch_channels.h"
#include "gpu/launch_flat.h"
#include "gpu/launch_permute.h"
#include "gpu/launch_tile.h"
#include "tap.h"
#include "support/numbers.h"
#include "support/pairs.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Of one of some sizes. */
static int64_t item_of(bool odd)
{
    return odd ? test_between(1, 24) : INT64_C(1) << test_between(0, 4);
}

/* Aligned to 16 or not at all, in items. */
static int64_t skew_of(int64_t itemsize)
{
    return test_between(0, 1) ? 0 : test_between(0, 2) == 0 ? test_between(0, 31) : itemsize * test_between(0, 15);
}

/* Strides of a side whose axes are in this order, the slowest first; each maybe backwards, with gaps after the last
 * two, of which some end at a multiple of 16 bytes. */
static void lay_out(struct emulated_copy *copy, const int32_t *axes, int64_t *strides, bool pads, bool flips)
{
    int64_t next = copy->itemsize;

    for (int32_t i = copy->ndim - 1; i >= 0; i--) {
        const int32_t k = axes[i];

        strides[k] = flips && test_between(0, 2) == 0 ? -next : next;
        next *= copy->shape[k];
        if (pads && test_between(0, 1))
            next += copy->itemsize * test_between(0, 9);
        else if (pads)
            next += (copy->itemsize * 16 - next % 16) % 16;
    }
}

/* --- what the kinds of copies are ----------------------------------------------------------- */

static void any(struct emulated_copy *copy)
{
    struct test_pair p;

    do
        test_pair_random(&p, 1500);
    while (test_pair_is_empty(&p));
    copy->ndim = p.ndim;
    copy->itemsize = p.itemsize;
    memcpy(copy->shape, p.shape, sizeof p.shape);
    memcpy(copy->dst, p.dst, sizeof p.dst);
    memcpy(copy->src, p.src, sizeof p.src);
}

/* Two axes that change places, and maybe one around them. */
static void transpose(struct emulated_copy *copy)
{
    static const int32_t forwards[] = {0, 1, 2}, turned[] = {0, 2, 1}, between[] = {1, 0, 2}, middle[] = {2, 0, 1};
    const int32_t *const orders[] = {turned, middle};

    copy->ndim = 3;
    copy->itemsize = item_of(test_between(0, 9) == 0);
    copy->shape[0] = test_between(1, 3);
    copy->shape[1] = test_between(1, smaller(300, 3000 / copy->itemsize));
    copy->shape[2] = test_between(1, smaller(300, 3000 / copy->itemsize));
    lay_out(copy, test_between(0, 3) ? forwards : between, copy->dst, test_between(0, 1), false);
    lay_out(copy, orders[test_between(0, 1)], copy->src, test_between(0, 1), test_between(0, 1));
}

/* Pixels to planes or back: rows and images may have gaps behind them, and pixels of a source more channels. */
static void channels(struct emulated_copy *copy)
{
    static const int32_t pixels[] = {0, 1, 2, 3}, planes[] = {0, 3, 1, 2}, mixed[] = {3, 0, 1, 2};
    const bool apart = test_between(0, 1);
    int64_t *const by_pixel = apart ? copy->src : copy->dst, *const by_plane = apart ? copy->dst : copy->src;
    int64_t kept;

    copy->ndim = 4;
    copy->itemsize = INT64_C(1) << test_between(0, 3);
    copy->shape[0] = test_between(1, 3);
    copy->shape[1] = test_between(1, 12);
    copy->shape[3] = kept = test_between(2, test_between(0, 2) ? 5 : 32);
    copy->shape[2] = test_between(1, smaller(20000 / (copy->shape[1] * copy->itemsize * copy->shape[3]) + 1, 4000));
    lay_out(copy, test_between(0, 3) ? planes : mixed, by_plane, test_between(0, 1), false);
    copy->shape[3] += apart && test_between(0, 3) == 0;
    lay_out(copy, pixels, by_pixel, false, false);
    copy->shape[3] = kept;
    for (int32_t k = 1; k >= 0; k--) {
        by_pixel[k] = by_pixel[k + 1] * copy->shape[k + 1];
        if (test_between(0, 1))
            by_pixel[k] += copy->itemsize * test_between(0, 40);
    }
    for (int32_t k = 0; k < 4; k++)
        if (test_between(0, 7) == 0)
            copy->src[k] = -copy->src[k];
}

/* Pixels to pixels: crops, of fewer channels of either side, mirrored, with channels in another order. */
static void pixels(struct emulated_copy *copy)
{
    static const int32_t forwards[] = {0, 1, 2};
    int64_t *const wider = test_between(0, 1) ? copy->dst : copy->src;
    const int64_t more = test_between(0, 2), kept = test_between(1, 7);

    copy->ndim = 3;
    copy->itemsize = test_between(0, 2) ? 1 : item_of(false);
    copy->shape[0] = test_between(1, 20);
    copy->shape[1] = test_between(1, smaller(1 + 20000 / (copy->shape[0] * copy->itemsize * kept), 3000));
    copy->shape[2] = kept;
    lay_out(copy, forwards, copy->dst, false, false);
    lay_out(copy, forwards, copy->src, test_between(0, 2) == 0, test_between(0, 1));
    for (int32_t k = 0; k < 2; k++)
        wider[k] = wider[k] / kept * (kept + more);
    if (test_between(0, 2) == 0)
        copy->dst[0] += copy->itemsize * test_between(0, 9);
    copy->box_tiles = (uint32_t)test_between(0, 5);
}

/* The same order on both sides, in rows of up to 40 KB; the source stands still or goes backwards. */
static void rows(struct emulated_copy *copy)
{
    static const int32_t forwards[] = {0, 1, 2};

    copy->ndim = 3;
    copy->itemsize = item_of(false);
    copy->shape[0] = test_between(1, 3);
    copy->shape[1] = test_between(1, test_between(0, 1) ? 5 : 40);
    copy->shape[2] = test_between(1, test_between(0, 4) ? smaller(2000 / copy->itemsize, 500) + 1
                                                        : 40000 / copy->itemsize);
    lay_out(copy, forwards, copy->dst, true, false);
    lay_out(copy, forwards, copy->src, true, test_between(0, 1));
    if (test_between(0, 3) == 0)
        copy->src[2] = 0;
    if (test_between(0, 5) == 0)
        copy->src[1] = 0;
}

/* Every so many, along axes of any extents. */
static void stepped(struct emulated_copy *copy)
{
    static const int32_t forwards[] = {0, 1, 2};

    copy->ndim = 2;
    copy->itemsize = item_of(test_between(0, 3) == 0);
    copy->shape[0] = test_between(1, 70);
    copy->shape[1] = test_between(1, 70);
    lay_out(copy, forwards, copy->dst, true, false);
    lay_out(copy, forwards, copy->src, true, true);
    for (int32_t k = 0; k < 2; k++)
        copy->src[k] *= test_between(1, 3);
    if (test_between(0, 2) == 0)
        copy->dst[0] *= 3, copy->dst[1] *= 3;
}

/* Short axes in another order, of which one may be longer, and items of any size. */
static void short_axes(struct emulated_copy *copy)
{
    int32_t forwards[COPY_NDIM], order[COPY_NDIM];
    int64_t most = 6000, longest;

    copy->ndim = (int32_t)test_between(2, 9);
    copy->itemsize = item_of(test_between(0, 1));
    longest = test_between(0, copy->ndim);
    for (int32_t k = 0; k < copy->ndim; k++) {
        copy->shape[k] = test_between(1, smaller(most, k == longest ? 300 : copy->ndim > 4 ? 6 : 24));
        most /= copy->shape[k];
        forwards[k] = k;
    }
    test_shuffle(copy->ndim, order);
    lay_out(copy, forwards, copy->dst, test_between(0, 3) == 0, false);
    lay_out(copy, order, copy->src, test_between(0, 3) == 0, test_between(0, 3) == 0);
    if (test_between(0, 9) == 0)
        copy->src[test_between(0, copy->ndim - 1)] = 0;
    copy->box_tiles = (uint32_t)test_between(0, 5);
}

/* More axes than most kernels take. */
static void many_axes(struct emulated_copy *copy)
{
    int32_t axes[COPY_NDIM], long_ones = 0;
    int64_t next = copy->itemsize = item_of(false);

    copy->ndim = (int32_t)test_between(9, 64);
    test_shuffle(copy->ndim, axes);
    for (int32_t i = 0; i < copy->ndim; i++) {
        const int32_t k = axes[i];

        copy->shape[k] = long_ones < 11 ? 2 : 1;
        long_ones += copy->shape[k] > 1;
        copy->src[k] = test_between(0, 1) ? next : -next;
        next *= copy->shape[k];
    }
    next = copy->itemsize;
    for (int32_t k = copy->ndim - 1; k >= 0; k--) {
        copy->dst[k] = next;
        next *= copy->shape[k];
        next += test_between(0, 1) * copy->itemsize;
    }
}

/* One item to rows, transposes or steps of a destination. */
static void fill(struct emulated_copy *copy)
{
    static void (*const makers[])(struct emulated_copy *) = {rows, transpose, stepped};

    do
        makers[test_between(0, 2)](copy);
    while (copy->itemsize > SVI_PLAN_ITEM);
    memset(copy->src, 0, sizeof copy->src);
}

static sv_dtype converted_to, converted_from; /* by the last one */

/* Axes of the source in any order, or runs of both sides. */
static void lay_out_items(struct emulated_copy *copy, int64_t item, int64_t src_item)
{
    static const int32_t forwards[] = {0, 1, 2};
    const bool runs = test_between(0, 2) == 0;
    int32_t order[3];

    copy->ndim = 3;
    copy->shape[0] = test_between(1, 4);
    copy->shape[1] = test_between(1, 6);
    copy->shape[2] = test_between(1, test_between(0, 1) ? 7 : 200);
    if (test_between(0, 2) == 0)
        copy->shape[1] = test_between(7, 60);
    if (runs)
        copy->shape[2] *= 4;
    copy->box_tiles = (uint32_t)test_between(0, 5);
    copy->packets = (uint32_t)test_between(0, 8);
    copy->itemsize = src_item;
    test_shuffle(3, order);
    lay_out(copy, runs || test_between(0, 1) ? forwards : order, copy->src, !runs && test_between(0, 1),
            !runs && test_between(0, 1));
    if (test_between(0, 5) == 0)
        copy->src[test_between(0, 2)] = 0;
    copy->itemsize = item;
    lay_out(copy, forwards, copy->dst, !runs && test_between(0, 1), false);
}

/* Those that are converted most, of which kernels have code of their own. */
static const sv_dtype frequent[] = {SV_BOOL,  SV_UINT8,   SV_INT8,     SV_INT16,   SV_INT32,
                                    SV_INT64, SV_FLOAT16, SV_BFLOAT16, SV_FLOAT32, SV_FLOAT64};

static sv_dtype random_type(bool is_frequent)
{
    return is_frequent ? frequent[test_between(0, sizeof frequent / sizeof *frequent - 1)]
                       : numbers[test_between(0, NUMBERS - 1)];
}

/* Any type to any, of either byte order. */
static void conversion(struct emulated_copy *copy)
{
    const bool is_frequent = test_between(0, 1);

    do {
        converted_to = random_type(is_frequent);
        converted_from = random_type(is_frequent);
        svi_chain_find(converted_to, converted_from, true, test_between(0, 3) == 0, &copy->chain);
    } while (copy->chain.count == 0);
    lay_out_items(copy, (int64_t)svi_chain_dst_bytes(&copy->chain), (int64_t)svi_chain_src_bytes(&copy->chain));
}

enum { REALS = NUMBERS - 3, FACTORS = 1000 };

static double factors[2][FACTORS];

static struct svi_factor random_factor(const double *values, int64_t extent)
{
    const int64_t kind = test_between(0, 3);

    return (struct svi_factor){kind == 0 ? NULL : values, kind > 1 ? extent : 1};
}

/* Neighbouring channels on both sides, along which a scale changes. */
static void lay_out_pixels(struct emulated_copy *copy)
{
    static const int32_t forwards[] = {0, 1, 2};
    const int64_t item = copy->itemsize;

    copy->shape[0] = test_between(1, 5);
    copy->shape[1] = test_between(1, 100) * (test_between(0, 3) ? 4 : 1);
    copy->shape[2] = test_between(1, 7);
    lay_out(copy, forwards, copy->dst, false, false);
    copy->itemsize = copy->scale->src_itemsize;
    lay_out(copy, forwards, copy->src, false, false);
    copy->itemsize = item;
    if (test_between(0, 2) == 0)
        copy->src[0] += 16 * copy->scale->src_itemsize;
}

/* The same with a scale and a bias, along any axis. A number that is not finite is among them now and then. */
static void scaling(struct emulated_copy *copy)
{
    static struct emulated_scale scale;
    struct svi_affine *affine = &scale.affine;
    const double odd = (double[]){1e300, 1e-300, INFINITY, -0.0}[test_between(0, 3)];
    int64_t extent = 1;

    converted_to = numbers[test_between(0, REALS - 1)];
    converted_from = numbers[test_between(0, REALS - 1)];
    svi_affine_choose(converted_to, converted_from, test_between(0, 3) == 0, affine);
    lay_out_items(copy, sv_dtype_itemsize(converted_to), sv_dtype_itemsize(converted_from));
    copy->scale = &scale;
    scale.src_itemsize = sv_dtype_itemsize(converted_from);
    scale.axis = (int32_t)test_between(-1, 2);
    if (test_between(0, 3) == 0) {
        lay_out_pixels(copy);
        scale.axis = 2;
    }
    if (scale.axis >= 0) /* more are several launches */
        extent = copy->shape[scale.axis] = smaller(copy->shape[scale.axis], 140);
    for (int k = 0; k < FACTORS; k++) {
        factors[0][k] = (double)test_between(-300, 300) / 128;
        factors[1][k] = (double)test_between(-5000, 5000) / 64;
    }
    if (test_between(0, 3) == 0)
        factors[test_between(0, 1)][test_between(0, 3)] = odd;
    affine->scale = random_factor(factors[0], extent);
    affine->bias = random_factor(factors[1], extent);
}

static const struct {
    const char *name;
    void (*make)(struct emulated_copy *copy);
    int share; /* of a hundred */
} kinds[] = {{"any strides", any, 26},       {"transposes", transpose, 10}, {"rows", rows, 12},
             {"steps", stepped, 12},         {"short axes", short_axes, 8}, {"many axes", many_axes, 6},
             {"conversions", conversion, 6}, {"scales", scaling, 6},        {"fills", fill, 4},
             {"channels", channels, 4},      {"pixels", pixels, 6}};

/* --- the test --------------------------------------------------------------------------------- */

static void describe(const struct emulated_copy *copy, const struct emulated_result *result)
{
    const bool converts = copy->chain.count > 0 || copy->scale != NULL;
    const int64_t src_item = copy->scale != NULL ? copy->scale->src_itemsize
                             : converts          ? (int64_t)svi_chain_src_bytes(&copy->chain)
                                                 : copy->itemsize;

    test_tell("%s: %s", svi_kernel_name(result->shape.kernel),
              result->fault ? emulated_text() : "the bytes are not those of the host");
    test_tell("skews of %" PRId64 " and %" PRId64 " bytes", copy->dst_skew, copy->src_skew);
    test_tell_copy(copy->ndim, copy->shape, copy->dst, copy->itemsize, converts ? converted_to : 0, copy->src,
                   src_item, converts ? converted_from : 0);
    test_report_round();
}

/* Families that compete with each other: in some rounds one of them copies whether or not it would be chosen. */
static svi_launch_family *any_family(void)
{
    static svi_launch_family *const families[] = {svi_family_tile, svi_family_channels, svi_family_permute,
                                                  svi_family_box,  svi_family_flat,     svi_family_flat};

    return test_between(0, 2) ? NULL : families[test_between(0, sizeof families / sizeof *families - 1)];
}

/* Whether it is right. */
static bool test_copy(size_t kind, int *seen)
{
    struct emulated_copy copy = {.order = (unsigned)test_between(0, 5)};
    struct emulated_result result;

    kinds[kind].make(&copy);
    copy.dst_skew = skew_of(copy.itemsize);
    copy.src_skew = skew_of(copy.itemsize);
    copy.family = copy.chain.count > 0 || copy.scale != NULL                ? NULL
                  : kinds[kind].make == transpose && test_between(0, 1) ? svi_family_tile
                                                                          : any_family();
    result = kinds[kind].make == fill ? emulated_fill_run(&copy, NULL) : emulated_copy_run(&copy, NULL);
    if (result.launches == 0 && copy.family != NULL) {
        copy.family = NULL; /* it does not copy this */
        result = emulated_copy_run(&copy, NULL);
    }
    seen[result.shape.kernel]++;
    if (result.fault == EMULATED_NOTHING && result.equal)
        return true;
    describe(&copy, &result);
    return false;
}

/* Rounds are counted through all kinds. */
static int64_t test_kind(size_t kind, int64_t first, int rounds, int *seen)
{
    int bad = 0;

    for (int64_t round = first; round < first + rounds && bad < 3; round++)
        bad += test_round(round, INT64_MAX) && !test_copy(kind, seen);
    tap_ok(bad == 0, "%d copies with %s", rounds, kinds[kind].name);
    return first + rounds;
}

static bool is_for_batches(const char *name)
{
    return strncmp(name, "svi_batched_", 12) == 0 || strncmp(name, "svi_runs_", 9) == 0;
}

int main(void)
{
    const int total = test_rounds(test_is_emulated() ? 36000 : 9000, 100000, 2000000);
    int seen[SVI_KERNEL_COUNT] = {0}, unseen = 0;
    int64_t round = 0;

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        round = test_kind(kind, round, total * kinds[kind].share / 100, seen);
    test_round(round, 0);
    for (int kernel = 0; kernel < SVI_KERNEL_COUNT; kernel++)
        if (seen[kernel] == 0 && !is_for_batches(svi_kernel_name(kernel))) {
            tap_note("%s was never chosen", svi_kernel_name(kernel));
            unseen++;
        }
    tap_ok(unseen == 0, "every kernel for single copies is chosen");
    return tap_done();
}
