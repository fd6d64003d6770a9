/* Random batches in one launch: by one plan between many addresses, and of runs of bytes of any lengths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/backends.h"
#include "gpu/launch_batched.h"
#include "kernels.h"
#include "tap.h"
#include "support/pairs.h"
#include "host/front/host.h"

static const struct svi_device cpu = {SV_DEVICE_CPU, 0};

enum { GAP = 64 /* bytes between two pieces, at least */, LONGEST_RUN = 70000 };

/* One side of all pieces, one after the other. */
struct side {
    char *room, *begin;
    size_t nbytes;
    int64_t places[SVI_TRANSFERS]; /* from begin */
};

static struct side make_side(int64_t count, const int64_t *nbytes, bool aligned)
{
    struct side side;
    int64_t at = GAP;

    for (int64_t i = 0; i < count; i++) {
        side.places[i] = at + (aligned ? 0 : test_between(0, 1) ? test_between(0, 31) : 8);
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
                                  const struct svi_transfer *first, const struct side *dst, const struct side *src)
{
    struct emulated_region regions[2 * SVI_TRANSFERS];
    uint8_t *writes = calloc(dst->nbytes, 1);
    const struct emulated_launch what = {
        .kernel = emulated_kernel_of(shape->kernel),
        .block = &shape->block,
        .block_nbytes = svi_kernel_block_bytes(shape->kernel),
        .dst = first->dst,
        .src = first->src,
        .grid = shape->grid,
        .copies = shape->copies,
        .threads = SVI_LAUNCH_THREADS,
        .shared = shape->shared,
        .order = (unsigned)test_between(0, 4),
        .nregions = 2 * (size_t)batch->count,
        .regions = regions,
    };
    enum emulated_fault fault;

    put_regions(batch, dst, src, writes, regions);
    fault = emulated_run(&what, NULL);
    free(writes);
    return fault;
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
    bool there = true, ok = true;

    memcpy(want, dst.begin, dst.nbytes);
    for (int64_t i = 0; i < batch->count; i++) {
        const int64_t to = dst.places[i] + batch->dst_first, from = src.places[i] + batch->src_first;

        pieces[i] = (struct svi_transfer){dst.begin + to, src.begin + from, batch->dst_nbytes[i]};
        copy_one(batch, i, want + to, src.begin + from);
    }
    if (batch->plan == NULL)
        svi_batch_runs(batch->count, pieces, &shape);
    else
        there = svi_launch_batched(batch->plan, batch->count, pieces, &shape);
    if (there) {
        fault = launch(batch, &shape, pieces, &dst, &src);
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

    l->itemsize = (int64_t)1 << test_between(0, 4);
    side = l->itemsize == 1 ? 128 : 16384 / l->itemsize / 64;
    matrix(l, side + test_between(0, 3) * 16, 64 + side * test_between(0, 1) + (test_between(0, 3) == 0), true);
}

static void rows(struct layouts *l)
{
    l->itemsize = (int64_t)1 << test_between(0, 4);
    matrix(l, test_between(2, 12), test_between(1, (test_between(0, 1) ? 3000 : 300) / l->itemsize + 1), false);
}

/* Sides of which only the bytes between the first and the last element are there. */
static void make_batch(const struct layouts *l, struct svi_plan *plan, struct batch *batch)
{
    int64_t dst_lower, dst_upper, src_lower, src_upper;

    svi_plan_make(l->ndim, l->shape, l->dst, l->src, l->itemsize, plan);
    test_hull(l->ndim, l->shape, l->dst, l->itemsize, &dst_lower, &dst_upper);
    test_hull(l->ndim, l->shape, l->src, l->itemsize, &src_lower, &src_upper);
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

static bool test_plan(void (*make)(struct layouts *l), int *seen)
{
    struct layouts l = {0};
    struct svi_plan plan;
    struct batch batch = {.count = random_count()};
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
    int share;                       /* of a hundred */
} kinds[] = {{"any strides", any, 50}, {"transposes", transposes, 5}, {"rows", rows, 22}, {"runs", NULL, 23}};

static bool test_batch(void (*make)(struct layouts *l), int *seen)
{
    return make == NULL ? test_runs(seen) : test_plan(make, seen);
}

int main(void)
{
    const int total = test_rounds(3000, 12000, 120000);
    int seen[SVI_KERNEL_COUNT] = {0}, unseen = 0;
    int64_t round = 0; /* of all kinds */

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        const int rounds = total * kinds[kind].share / 100;
        int bad = 0;

        for (const int64_t end = round + rounds; round < end; round++)
            if (bad < 3 && test_round(round, INT64_MAX) && !test_batch(kinds[kind].make, seen)) {
                test_report_round();
                bad++;
            }
        tap_ok(bad == 0, "%d batches of %s", rounds, kinds[kind].name);
    }
    test_round(round, 0);
    for (int kernel = SVI_KERNEL_batched_line_16; kernel <= SVI_KERNEL_runs_any; kernel++)
        if (seen[kernel] == 0) {
            tap_note("%s was never chosen", svi_kernel_name(kernel));
            unseen++;
        }
    tap_ok(unseen == 0, "every kernel for batches is chosen");
    return tap_done();
}
