#include <criterion/criterion.h>
#include <stdio.h>

#include "base/checked.h"
#include "plan/split.h"
#include "support/pairs.h"

enum { MIB = 1024 * 1024 };

/* Every byte is in one part: sums of hashes of what is copied where. */
static uint64_t walk(const struct svi_plan *plan)
{
    return test_walk_hash(plan->ndim, plan->shape, plan->dst, plan->src, plan->item, plan->dst_offset,
                          plan->src_offset);
}

/* What the units say is for large copies; here they are small, so that there are parts. */
static void shrink(const struct svi_plan *plan, int64_t wanted, struct svi_split *split)
{
    split->count = 1;
    split->lead = plan->ndim > 0 ? test_between(0, svi_smaller(plan->shape[plan->ndim - 1] - 1, 20)) : 0;
    for (int32_t k = 0; k < plan->ndim; k++) {
        const int64_t lead = k == plan->ndim - 1 ? split->lead : 0;

        split->unit[k] = test_between(1, 3);
        split->pieces[k] = test_between(1, (plan->shape[k] - lead - 1) / split->unit[k] + 1);
        if (split->count * split->pieces[k] > wanted)
            split->pieces[k] = 1;
        split->count *= split->pieces[k];
    }
}

Test(split, parts_are_disjoint_and_all)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 4); round++) {
        struct svi_plan plan, part;
        struct svi_split split;
        uint64_t sum = 0;
        int64_t nbytes = 0;

        test_pair_random(&p, 1500);
        if (test_pair_is_empty(&p))
            continue;
        svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
        if (round % 4 == 0)
            svi_split_make(&plan, (const void *)(uintptr_t)test_between(0, 63), test_between(1, 40), &split);
        else
            shrink(&plan, test_between(1, 40), &split);
        for (int64_t i = 0; i < split.count; i++) {
            svi_split_part(&plan, &split, i, &part);
            cr_assert_neq(part.kind, SVI_CLASS_EMPTY);
            cr_assert_eq(part.reach, plan.reach, "a part is as far from the cache as the whole");
            sum += walk(&part);
            nbytes += part.nbytes;
        }
        cr_assert_eq(sum, walk(&plan), "%d parts", (int)split.count);
        cr_assert_eq(nbytes, plan.nbytes);
    }
}

/* Sixteen parts are wanted. Strides in bytes; pieces of the plan's axes, the class of each part. */
static const struct {
    const char *name;
    int32_t ndim;
    int64_t itemsize, shape[4], dst[4], src[4];
    int64_t count;
    const char *pieces;
    int32_t class;
} rows[] = {
    {"contiguous", 1, 4, {MIB}, {4}, {4}, 16, "16", SVI_CLASS_CONTIGUOUS},
    {"contiguous, small", 1, 4, {3 * 256}, {4}, {4}, 3, "3", SVI_CLASS_CONTIGUOUS},
    {"one item", 0, 4, {0}, {0}, {0}, 1, "", SVI_CLASS_CONTIGUOUS},
    {"transpose f32", 2, 4, {2048, 1024}, {4096, 4}, {4, 8192}, 16, "4 4", SVI_CLASS_TRANSPOSE},
    {"transpose bytes", 2, 1, {2048, 1024}, {1024, 1}, {1, 2048}, 8, "8 1", SVI_CLASS_TRANSPOSE},
    {"few rows of the destination", 2, 4, {20, 65536}, {262144, 4}, {4, 80}, 16, "1 16", SVI_CLASS_TRANSPOSE},
    {"short rows of the destination", 2, 4, {65536, 20}, {80, 4}, {4, 262144}, 16, "16 1", SVI_CLASS_TRANSPOSE},
    {"P(2,1,0) f32", 3, 4, {448, 384, 320}, {491520, 1280, 4}, {4, 1792, 688128}, 16, "1 16 1", SVI_CLASS_TRANSPOSE},
    {"NHWC to NCHW", 3, 4, {32, 64, 12544}, {3211264, 50176, 4}, {3211264, 4, 256}, 16, "16 1 1",
     SVI_CLASS_TRANSPOSE},
    {"three images of it", 3, 4, {3, 64, 12544}, {3211264, 50176, 4}, {3211264, 4, 256}, 18, "3 1 6",
     SVI_CLASS_TRANSPOSE},
    {"pixels to planes", 2, 1, {3, MIB}, {MIB, 1}, {1, 3}, 16, "1 16", SVI_CLASS_TRANSPOSE},
    {"planes to pixels", 2, 1, {MIB, 3}, {3, 1}, {1, MIB}, 16, "16 1", SVI_CLASS_TRANSPOSE},
    {"long rows on both sides", 2, 4, {20000, 20000}, {80000, 4}, {4, 80000}, 16, "1 16", SVI_CLASS_TRANSPOSE},
    {"long rows of the source", 2, 4, {20000, 3000}, {12000, 4}, {4, 80000}, 16, "2 8", SVI_CLASS_TRANSPOSE},
    {"reversed axes", 4, 4, {96, 75, 75, 96}, {2160000, 28800, 384, 4}, {4, 384, 28800, 2160000}, 16, "1 1 16 1",
     SVI_CLASS_TRANSPOSE},
    {"rows in reversed order", 4, 4, {96, 75, 96, 80}, {2304000, 30720, 320, 4}, {320, 30720, 2304000, 4}, 16,
     "1 16 1 1", SVI_CLASS_ROWS},
    {"rows", 2, 4, {1000, 256}, {1024, 4}, {2048, 4}, 16, "16 1", SVI_CLASS_ROWS},
    {"long rows", 2, 4, {2, 65536}, {262144, 4}, {524288, 4}, 16, "2 8", SVI_CLASS_CONTIGUOUS},
    {"short rows to a line each", 2, 4, {1000, 8}, {64, 4}, {32, 4}, 16, "16 1", SVI_CLASS_ROWS},
    {"short rows together", 2, 8, {160, 4}, {32, 8}, {64, 8}, 16, "16 1", SVI_CLASS_ROWS},
    {"one value", 1, 4, {MIB}, {4}, {0}, 16, "16", SVI_CLASS_REPEAT},
    {"every third", 1, 4, {MIB}, {4}, {12}, 16, "16", SVI_CLASS_GATHER},
    {"backwards", 1, 4, {MIB}, {4}, {-4}, 16, "16", SVI_CLASS_REVERSED},
    {"to every second", 1, 4, {MIB}, {8}, {4}, 16, "16", SVI_CLASS_SCATTER},
    {"an axis within lines of the source", 3, 4, {2, 64, 4096}, {1048576, 16384, 4}, {4, 8, 512}, 16, "1 2 8",
     SVI_CLASS_TRANSPOSE},
};

Test(split, where)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct svi_plan plan, part;
        struct svi_split split;
        char pieces[64] = "";

        svi_plan_make(rows[i].ndim, rows[i].shape, rows[i].dst, rows[i].src, rows[i].itemsize, &plan);
        svi_split_make(&plan, NULL, 16, &split);
        for (int32_t k = 0; k < plan.ndim; k++)
            snprintf(pieces + strlen(pieces), 20, "%s%d", k > 0 ? " " : "", (int)split.pieces[k]);
        cr_expect_eq(split.count, rows[i].count, "%s: %d parts", rows[i].name, (int)split.count);
        cr_expect_str_eq(pieces, rows[i].pieces, "%s: %s", rows[i].name, pieces);
        for (int64_t k = 0; k < split.count; k++) {
            svi_split_part(&plan, &split, k, &part);
            cr_expect_eq(part.kind, rows[i].class, "%s: part %d is %s", rows[i].name, (int)k,
                         svi_class_name(part.kind));
        }
    }
}

/* Where rows of the destination begin alike in lines no line is in two parts; or where there are whole rows in each. */
Test(split, whole_lines)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 8); round++) {
        struct svi_plan plan, part;
        struct svi_split split;
        bool alike;
        int64_t dst;

        p.ndim = 2;
        p.itemsize = (int64_t)1 << test_between(0, 4);
        p.shape[0] = test_between(2, 3000);
        p.shape[1] = test_between(2, 3000);
        alike = test_between(0, 1);
        p.dst[0] = alike ? (p.shape[1] * p.itemsize + 63) / 64 * 64 : p.shape[1] * p.itemsize;
        dst = alike ? test_between(0, 63 / p.itemsize) * p.itemsize : 0;
        p.dst[1] = p.itemsize;
        p.src[0] = test_between(0, 1) ? p.itemsize : 3 * p.dst[0];
        p.src[1] = p.src[0] == p.itemsize ? p.shape[0] * p.itemsize : p.itemsize;
        svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
        svi_split_make(&plan, (const void *)(uintptr_t)dst, test_between(2, 32), &split);
        for (int64_t i = 0; i < split.count; i++) {
            svi_split_part(&plan, &split, i, &part);
            if (alike ? plan.ndim == 2 && part.dst_offset % p.dst[0] != 0 : split.pieces[1] == 1)
                cr_assert_eq((dst + part.dst_offset) % 64, 0, "part %d begins at %d", (int)i,
                             (int)part.dst_offset);
        }
    }
}

Test(split, largest_extents)
{
    const int64_t shape[1] = {INT64_MAX}, stride[1] = {1};
    struct svi_plan plan, part;
    struct svi_split split;
    int64_t next = 0;

    svi_plan_make(1, shape, stride, stride, 1, &plan);
    svi_split_make(&plan, NULL, 1000, &split);
    cr_assert_eq(split.count, 1000);
    for (int64_t i = 0; i < split.count; i++) {
        svi_split_part(&plan, &split, i, &part);
        cr_assert_eq(part.dst_offset, next);
        next += part.nbytes;
    }
    cr_assert_eq(next, INT64_MAX);
}

/* --- chunks ------------------------------------------------------------------------------ */

static int64_t chunks_of(const struct test_pair *p, int32_t side, int64_t most)
{
    struct svi_plan plan, part, in, out;
    struct svi_split split;
    uint64_t sum = 0;

    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    svi_split_chunks(&plan, side, SVI_SIDE_SRC, most, &split);
    for (int64_t i = 0; i < split.count; i++) {
        svi_split_part(&plan, &split, i, &part);
        sum += walk(&part);
        cr_assert_leq(svi_detour_nbytes(&part, SVI_SIDE_SRC), svi_larger(most, plan.src_item));
        svi_detour_make(&part, side, SVI_SIDE_SRC, &in, &out);
        cr_assert_eq(in.nbytes, svi_detour_nbytes(&part, SVI_SIDE_SRC));
    }
    cr_assert_eq(sum, walk(&plan));
    return split.count;
}

Test(split, chunks_are_disjoint_and_all)
{
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 8); round++) {
        test_pair_random(&p, 1500);
        if (!test_pair_is_empty(&p))
            chunks_of(&p, (int32_t)test_between(SVI_SIDE_DST, SVI_SIDE_SRC), test_between(1, 2000));
    }
}

Test(split, as_few_chunks_as_can_be)
{
    static const struct {
        const char *name;
        struct test_pair pair;
        int32_t side;
        int64_t most, chunks;
    } cases[] = {
        {"all of it fits", {2, 4, {10, 10}, {40, 4}, {4, 40}}, SVI_SIDE_SRC, 400, 1},
        {"rows of the source", {2, 4, {10, 10}, {40, 4}, {4, 40}}, SVI_SIDE_SRC, 399, 2},
        {"one row each", {2, 4, {10, 10}, {40, 4}, {4, 40}}, SVI_SIDE_SRC, 40, 10},
        {"half a row each", {2, 4, {10, 10}, {40, 4}, {4, 40}}, SVI_SIDE_DST, 20, 20},
        {"less than an item", {2, 4, {10, 10}, {40, 4}, {4, 40}}, SVI_SIDE_DST, 3, 100},
        {"what is repeated is there once", {2, 4, {1000, 10}, {40, 4}, {0, 8}}, SVI_SIDE_SRC, 40, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(chunks_of(&cases[i].pair, cases[i].side, cases[i].most), cases[i].chunks, "%s", cases[i].name);
}

/* Units of an axis are doubled until their steps are long enough: not where that would wrap. */
Test(split, steps_as_long_as_the_address_space)
{
    static const int64_t shape[] = {2, 64}, dst[] = {127, 1}, src[] = {INT64_C(1) << 62, 2};
    struct svi_plan plan;
    struct svi_split split;

    svi_plan_make(2, shape, dst, src, 1, &plan);
    svi_split_make(&plan, NULL, 8, &split);
    cr_expect(split.count >= 1);
}
