/* Random batches in one launch: by one plan between many addresses, which are in the parameters or in a table, and of
 * runs of bytes of any lengths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/backends.h"
#include "gpu/launch_batched.h"
#include "kernels.h"
#include "plan/affine.h"
#include "tap.h"
#include "support/pairs.h"
#include "host/front/host.h"

static const struct svi_device cpu = {SV_DEVICE_CPU, 0};

/* The arrays of a table: pairs of addresses, of which each array has every other one, or two arrays, one backwards. */
static uint64_t entries[2 * SVI_TRANSFERS];

enum { GAP = 64 /* bytes between two pieces, at least */, LONGEST_RUN = 70000 };

/* One side of all pieces, one after the other. */
struct side {
    char *room, *begin;
    size_t nbytes;
    int64_t places[SVI_TRANSFERS]; /* from begin */
};

static struct side make_side(int64_t count, const int64_t *nbytes, bool aligned)
{
    const bool words = test_between(0, 1);
    struct side side;
    int64_t at = GAP;

    for (int64_t i = 0; i < count; i++) {
        side.places[i] = at + (aligned ? 0 : words ? 8 : test_between(0, 31));
        at = (side.places[i] + nbytes[i] + GAP + 31) & ~(int64_t)31;
    }
    side.nbytes = (size_t)at;
    side.room = malloc(side.nbytes + 256);
    side.begin = (char *)(((uintptr_t)side.room + 255) & ~(uintptr_t)255);
    for (size_t i = 0; i < side.nbytes; i++)
        side.begin[i] = (char)test_random();
    return side;
}

/* --- a batch ---------------------------------------------------------------------------------------- */

struct batch {
    int64_t count;
    const struct svi_plan *plan; /* NULL: runs of bytes */
    bool by_table;
    int64_t dst_nbytes[SVI_TRANSFERS], src_nbytes[SVI_TRANSFERS];
    int64_t dst_first, src_first; /* bytes to the element [0,...,0] */
};

static void copy_one(const struct batch *batch, int64_t i, char *dst, const char *src)
{
    if (batch->plan == NULL)
        memcpy(dst, src, (size_t)batch->dst_nbytes[i]);
    else
        svi_host.copy(&(struct svi_request){batch->plan, cpu, dst, cpu, src, 0, SV_COPY_BLOCKING, NULL, NULL});
}

static void put_regions(const struct batch *batch, const struct side *dst, const struct side *src, uint8_t *writes,
                        struct emulated_region *regions)
{
    for (int64_t i = 0; i < batch->count; i++) {
        *regions++ = (struct emulated_region){dst->begin + dst->places[i], (size_t)batch->dst_nbytes[i], true,
                                              writes + dst->places[i]};
        *regions++ = (struct emulated_region){src->begin + src->places[i], (size_t)batch->src_nbytes[i], false, NULL};
    }
}

static enum emulated_fault launch(const struct batch *batch, const struct svi_launch_shape *shape,
                                  void *to, const void *from, const struct side *dst, const struct side *src)
{
    struct emulated_region regions[2 * SVI_TRANSFERS + 1];
    uint8_t *writes = calloc(dst->nbytes, 1);
    const struct emulated_launch what = {
        .kernel = emulated_kernel_of(shape->kernel),
        .block = &shape->block,
        .block_nbytes = svi_kernel_block_bytes(shape->kernel),
        .dst = to,
        .src = from,
        .grid = shape->grid,
        .copies = shape->copies,
        .threads = SVI_LAUNCH_THREADS,
        .shared = shape->shared,
        .order = (unsigned)test_between(0, 4),
        .nregions = 2 * (size_t)batch->count + 1,
        .regions = regions,
    };
    enum emulated_fault fault;

    put_regions(batch, dst, src, writes, regions);
    regions[2 * batch->count] = (struct emulated_region){entries, sizeof entries, false, NULL};
    fault = emulated_run(&what, NULL);
    free(writes);
    return fault;
}

static struct svi_table make_table(int64_t count, const struct svi_transfer *pieces)
{
    const bool pairs = test_between(0, 1);
    struct svi_table table = {.count = count, .device = cpu, .dst = (char *)entries, .src = (char *)(entries + 1),
                              .dst_step = 16, .src_step = 16};
    uint64_t bits = 16;

    if (!pairs) {
        table.dst_step = 8;
        table.src = (char *)(entries + 2 * count - 1);
        table.src_step = -8;
    }
    for (int64_t i = 0; i < count; i++) {
        *(uint64_t *)(table.dst + i * table.dst_step) = (uintptr_t)pieces[i].dst;
        *(uint64_t *)(table.src + i * table.src_step) = (uintptr_t)pieces[i].src;
        bits |= (uintptr_t)pieces[i].dst | (uintptr_t)pieces[i].src;
    }
    table.alignment = (int64_t)(bits & -bits);
    return table;
}

/* Whether there is one; with the addresses that the kernel is given. */
static bool find_launch(const struct batch *batch, const struct svi_transfer *pieces, struct svi_launch_shape *shape,
                        void **to, const void **from)
{
    struct svi_table table;

    *to = pieces->dst;
    *from = pieces->src;
    if (batch->plan == NULL) {
        svi_batch_runs(batch->count, pieces, shape);
        return true;
    }
    if (!batch->by_table)
        return svi_launch_batched(batch->plan, batch->count, pieces, shape);
    table = make_table(batch->count, pieces);
    *to = (void *)table.dst;
    *from = table.src;
    return svi_launch_table(batch->plan, batch->count, &table, shape);
}

/* Whether the launch leaves what the host makes of all copies; and which kernel it is, -1 where there is none. */
static bool is_right(const struct batch *batch, bool aligned, int32_t *kernel)
{
    struct side dst = make_side(batch->count, batch->dst_nbytes, aligned);
    struct side src = make_side(batch->count, batch->src_nbytes, aligned);
    struct svi_transfer pieces[SVI_TRANSFERS];
    char *want = malloc(dst.nbytes);
    struct svi_launch_shape shape = {.kernel = -1};
    enum emulated_fault fault = EMULATED_NOTHING;
    bool there, ok = true;
    const void *from;
    void *to;

    memcpy(want, dst.begin, dst.nbytes);
    for (int64_t i = 0; i < batch->count; i++) {
        const int64_t dst_at = dst.places[i] + batch->dst_first, src_at = src.places[i] + batch->src_first;

        pieces[i] = (struct svi_transfer){dst.begin + dst_at, src.begin + src_at, batch->dst_nbytes[i]};
        copy_one(batch, i, want + dst_at, src.begin + src_at);
    }
    there = find_launch(batch, pieces, &shape, &to, &from);
    if (there) {
        fault = launch(batch, &shape, to, from, &dst, &src);
        ok = fault == EMULATED_NOTHING && memcmp(want, dst.begin, dst.nbytes) == 0;
    }
    *kernel = there ? shape.kernel : -1;
    if (!ok)
        tap_note("%s: %s", svi_kernel_name(shape.kernel), fault ? emulated_text() : "other bytes than the host's");
    free(want);
    free(src.room);
    free(dst.room);
    return ok;
}

/* --- what there is to copy --------------------------------------------------------------------------- */

struct layouts {
    int32_t ndim;
    int64_t itemsize, shape[PAIR_NDIM], dst[PAIR_NDIM], src[PAIR_NDIM];
    int64_t src_itemsize;    /* 0: that of both */
    struct svi_chain chain;  /* without a step: nothing is converted */
    int32_t scaled_axis;
    struct svi_affine affine; /* without a scale: nothing is scaled */
};

static void any(struct layouts *l)
{
    struct test_pair p;

    do
        test_pair_random(&p, 300);
    while (test_pair_is_empty(&p));
    l->ndim = p.ndim;
    l->itemsize = p.itemsize;
    memcpy(l->shape, p.shape, sizeof p.shape);
    memcpy(l->dst, p.dst, sizeof p.dst);
    memcpy(l->src, p.src, sizeof p.src);
}

static int64_t random_pad(void)
{
    return test_between(0, 3) ? 0 : test_between(0, 17);
}

static void matrix(struct layouts *l, int64_t rows, int64_t columns, bool turned)
{
    l->ndim = 2;
    l->shape[0] = rows;
    l->shape[1] = columns;
    l->dst[1] = l->itemsize;
    l->dst[0] = l->itemsize * (columns + random_pad());
    l->src[turned ? 0 : 1] = l->itemsize;
    l->src[turned ? 1 : 0] = l->itemsize * ((turned ? rows : columns) + random_pad());
}

static void transposes(struct layouts *l)
{
    int64_t side;

    l->itemsize = (int64_t)1 << test_between(test_between(0, 2) ? 0 : 3, 4); /* tiles of 8 and 16 are not chosen often */
    side = l->itemsize == 1 ? 128 : 16384 / l->itemsize / 64;
    matrix(l, side + test_between(0, 3) * 16, 64 + side * test_between(0, 1) + (test_between(0, 3) == 0), true);
}

static void rows(struct layouts *l)
{
    l->itemsize = (int64_t)1 << test_between(0, 4);
    matrix(l, test_between(2, 12), test_between(1, (test_between(0, 1) ? 3000 : 300) / l->itemsize + 1), false);
}

static void lay_out_numbers(struct layouts *l, int64_t dst_item, int64_t src_item)
{
    l->ndim = 3;
    l->shape[0] = test_between(1, 4);
    l->shape[1] = test_between(1, 9);
    l->shape[2] = test_between(1, test_between(0, 1) ? 9 : 300);
    test_spread(3, l->shape, dst_item, l->dst);
    test_spread(3, l->shape, src_item, l->src);
    l->itemsize = dst_item;
    l->src_itemsize = src_item;
}

/* Any type to any, of either byte order. */
static void conversions(struct layouts *l)
{
    static const sv_dtype types[] = {SV_BOOL,    SV_UINT8,    SV_INT16,   SV_INT32,     SV_UINT64,
                                     SV_FLOAT16, SV_BFLOAT16, SV_FLOAT32, SV_COMPLEX64, SV_COMPLEX128};
    enum { TYPES = sizeof types / sizeof *types };

    do
        svi_chain_find(types[test_between(0, TYPES - 1)], types[test_between(0, TYPES - 1)], true,
                       test_between(0, 3) == 0, &l->chain);
    while (l->chain.count == 0);
    lay_out_numbers(l, (int64_t)svi_chain_dst_bytes(&l->chain), (int64_t)svi_chain_src_bytes(&l->chain));
}

/* Bytes to a float type, by numbers that change along an axis or not. */
static void scaled(struct layouts *l)
{
    static const sv_dtype types[] = {SV_FLOAT16, SV_BFLOAT16, SV_FLOAT32, SV_FLOAT64};
    static const int64_t items[] = {2, 2, 4, 8};
    static double scales[300], biases[300];
    const int64_t which = test_between(0, 3);
    int64_t extent;

    lay_out_numbers(l, items[which], 1);
    l->scaled_axis = (int32_t)test_between(0, 2);
    extent = l->shape[l->scaled_axis];
    for (int64_t k = 0; k < extent; k++) {
        scales[k] = (double)test_between(-300, 300) / 128;
        biases[k] = (double)test_between(-5000, 5000) / 64;
    }
    svi_affine_choose(types[which], SV_UINT8, false, &l->affine);
    l->affine.scale = (struct svi_factor){scales, test_between(0, 1) ? extent : 1};
    l->affine.bias = (struct svi_factor){test_between(0, 1) ? biases : NULL, extent};
}

/* Sides of which only the bytes between the first and the last element are there. */
static void make_batch(const struct layouts *l, struct svi_plan *plan, struct batch *batch)
{
    int64_t dst_lower, dst_upper, src_lower, src_upper;

    if (l->affine.scale.values != NULL)
        svi_affine_make_plan(l->ndim, l->shape, l->dst, l->src, 1, l->scaled_axis, &l->affine, plan);
    else if (l->chain.count > 0)
        svi_plan_make_cast(l->ndim, l->shape, l->dst, l->src, &l->chain, 1, plan);
    else
        svi_plan_make(l->ndim, l->shape, l->dst, l->src, l->itemsize, plan);
    test_hull(l->ndim, l->shape, l->dst, l->itemsize, &dst_lower, &dst_upper);
    test_hull(l->ndim, l->shape, l->src, l->src_itemsize == 0 ? l->itemsize : l->src_itemsize, &src_lower, &src_upper);
    batch->plan = plan;
    batch->dst_first = -dst_lower;
    batch->src_first = -src_lower;
    for (int64_t i = 0; i < batch->count; i++) {
        batch->dst_nbytes[i] = dst_upper - dst_lower;
        batch->src_nbytes[i] = src_upper - src_lower;
    }
}

static int64_t random_count(void)
{
    return test_between(0, 19) == 0 ? SVI_TRANSFERS : test_between(1, 7);
}

static bool test_plan(void (*make)(struct layouts *l), bool by_table, int *seen)
{
    struct layouts l = {0};
    struct svi_plan plan;
    struct batch batch = {.count = random_count(), .by_table = by_table};
    int32_t kernel;
    bool ok;

    make(&l);
    make_batch(&l, &plan, &batch);
    ok = is_right(&batch, test_between(0, 1), &kernel);
    if (kernel >= 0)
        seen[kernel]++;
    return ok;
}

/* Short ones, some of many blocks, and some that end where a block does, or near that. */
static int64_t random_length(void)
{
    switch (test_between(0, 15)) {
    case 0:
        return test_between(1, LONGEST_RUN);
    case 1:
    case 2:
        return SVI_LAUNCH_BYTES * test_between(1, 2) - test_between(-16, 16);
    default:
        return test_between(1, 600);
    }
}

static bool test_runs(int *seen)
{
    struct batch batch = {.count = random_count()};
    int32_t kernel;
    bool ok;

    for (int64_t i = 0; i < batch.count; i++)
        batch.dst_nbytes[i] = batch.src_nbytes[i] = random_length();
    ok = is_right(&batch, test_between(0, 2) == 0, &kernel);
    seen[kernel]++;
    return ok;
}

static const struct {
    const char *name;
    void (*make)(struct layouts *l); /* NULL: runs */
    bool by_table;
    int share;                       /* of a hundred */
} kinds[] = {
    {"batches of any strides", any, false, 19},
    {"batches of transposes", transposes, false, 7},
    {"batches of rows", rows, false, 16},
    {"batches of runs", NULL, false, 15},
    {"batches of conversions", conversions, false, 4},
    {"batches of scaled copies", scaled, false, 4},
    {"tables of any strides", any, true, 12},
    {"tables of transposes", transposes, true, 9},
    {"tables of rows", rows, true, 6},
    {"tables of conversions", conversions, true, 4},
    {"tables of scaled copies", scaled, true, 4},
};

static bool test_batch(size_t kind, int *seen)
{
    return kinds[kind].make == NULL ? test_runs(seen) : test_plan(kinds[kind].make, kinds[kind].by_table, seen);
}

static bool is_for_batches(int kernel)
{
    return (kernel >= SVI_KERNEL_batched_line_16 && kernel <= SVI_KERNEL_runs_any) || kernel == SVI_KERNEL_batched_cast ||
           kernel == SVI_KERNEL_batched_scaled;
}

int main(void)
{
    const int total = test_rounds(3000, 12000, 120000);
    int seen[2][SVI_KERNEL_COUNT] = {{0}}, unseen = 0; /* by parameters and by tables */
    int64_t round = 0; /* of all kinds */

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        const int rounds = total * kinds[kind].share / 100;
        int bad = 0;

        for (const int64_t end = round + rounds; round < end; round++)
            if (bad < 3 && test_round(round, INT64_MAX) && !test_batch(kind, seen[kinds[kind].by_table])) {
                test_report_round();
                bad++;
            }
        tap_ok(bad == 0, "%d %s", rounds, kinds[kind].name);
    }
    test_round(round, 0);
    for (int kernel = 0; kernel < SVI_KERNEL_COUNT; kernel++)
        for (int by_table = 0; by_table < 2; by_table++) {
            const bool is_other = by_table && kernel == SVI_KERNEL_runs_any;

            if (!is_for_batches(kernel) || is_other || seen[by_table][kernel] > 0)
                continue;
            tap_note("%s was never chosen%s", svi_kernel_name(kernel), by_table ? " for a table" : "");
            unseen++;
        }
    tap_ok(unseen == 0, "every kernel for batches is chosen");
    return tap_done();
}
