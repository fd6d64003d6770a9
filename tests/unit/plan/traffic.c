#include <criterion/criterion.h>

#include "plan/traffic.h"
#include "support/pairs.h"

/* Strides in bytes. */
static const struct {
    const char *name;
    int32_t ndim;
    int64_t itemsize, shape[3], dst[3], src[3], read, written;
} rows[] = {
    {"empty", 1, 4, {0}, {4}, {4}, 0, 0},
    {"one item", 0, 4, {0}, {0}, {0}, 64, 64},
    {"contiguous", 1, 4, {1024}, {4}, {4}, 4096, 4096},
    {"not whole lines", 1, 4, {17}, {4}, {4}, 128, 128},
    {"transpose", 2, 4, {32, 64}, {256, 4}, {4, 128}, 8192, 8192},
    {"every third", 1, 4, {1600}, {4}, {12}, 19200, 6400},
    {"one of a line", 1, 4, {160}, {4}, {64}, 10240, 640},
    {"one of two lines", 1, 4, {160}, {4}, {128}, 10240, 640},
    {"halves of lines", 2, 4, {100, 8}, {32, 4}, {128, 4}, 6400, 3200},
    {"lines across two", 2, 4, {1000, 16}, {64, 4}, {160, 4}, 96000, 64000},
    {"repeated row", 2, 4, {50, 32}, {128, 4}, {0, 4}, 128, 6400},
    {"backwards", 1, 4, {64}, {4}, {-4}, 256, 256},
    {"one item to all", 2, 4, {50, 32}, {128, 4}, {0, 0}, 64, 6400},
    {"further apart than int64", 2, 16, {2, 2}, {32, 16}, {INT64_C(1) << 62, -(INT64_C(1) << 62)}, 256, 64},
    {"every second plane", 3, 4, {3, 4, 16}, {256, 64, 4}, {1024, 64, 4}, 768, 768},
};

Test(traffic, cases)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct svi_plan plan;
        int64_t read, written;

        svi_plan_make(rows[i].ndim, rows[i].shape, rows[i].dst, rows[i].src, rows[i].itemsize, &plan);
        svi_plan_traffic(&plan, &read, &written);
        cr_expect_eq(read, rows[i].read, "%s: reads %d", rows[i].name, (int)read);
        cr_expect_eq(written, rows[i].written, "%s: writes %d", rows[i].name, (int)written);
    }
}

Test(traffic, as_many_axes_as_fit_int64)
{
    struct svi_plan plan;
    int64_t shape[62], dst[62], src[62], read, written;

    for (int32_t k = 0; k < 62; k++) {
        shape[k] = 2;
        dst[k] = (int64_t)1 << k;
        src[k] = (int64_t)1 << (61 - k);
    }
    svi_plan_make(62, shape, dst, src, 1, &plan);
    svi_plan_traffic(&plan, &read, &written);
    cr_expect_eq(read, (int64_t)1 << 62);
    cr_expect_eq(written, (int64_t)1 << 62);
}

/* Lines that are really touched, from the beginning of one. */
static int64_t touched(const struct test_pair *p, const int64_t *strides)
{
    static unsigned char seen[1 << 16];
    int64_t index[PAIR_NDIM] = {0}, lower, upper, count = 0;

    memset(seen, 0, sizeof seen);
    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    if (upper - lower > (int64_t)sizeof seen * 64)
        return -1;
    do
        for (int64_t b = 0; b < p->itemsize; b++)
            seen[(test_offset(p->ndim, index, strides) + b - lower) / 64] = 1;
    while (test_next(p->ndim, p->shape, index));
    for (size_t k = 0; k < sizeof seen; k++)
        count += seen[k];
    return 64 * count;
}

/* Not far from the truth, and within it where all is one run. */
Test(traffic, near_what_is_touched)
{
    struct test_pair p;
    int64_t predicted = 0, seen = 0;

    for (int64_t round = test_first_round(); test_round(round, 2000); round++) {
        struct svi_plan plan;
        int64_t read, written, truth;

        test_pair_random(&p, 3000);
        truth = test_pair_is_empty(&p) ? -1 : touched(&p, p.dst);
        if (truth < 0)
            continue;
        svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
        svi_plan_traffic(&plan, &read, &written);
        cr_expect(written <= 2 * truth + 64 && truth <= 2 * written, "%d for %d", (int)written, (int)truth);
        if (plan.kind == SVI_CLASS_CONTIGUOUS)
            cr_expect_eq(written, truth);
        predicted += written;
        seen += truth;
    }
    cr_expect(predicted < seen + seen / 20 && seen < predicted + predicted / 20, "%d for %d", (int)predicted,
              (int)seen);
}
