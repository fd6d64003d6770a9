#include <criterion/criterion.h>
#include <stdlib.h>

#include "host/loop/facts.h"
#include "plan/in_place.h"
#include "sv.h"
#include "support/pairs.h"
#include "support/views.h"
#include "host/compound/exchange.h"

/* --- every small case ------------------------------------------------------- */

enum { ROOM = 256, MIDDLE = 128 };

static bool is_unique(const struct test_pair *p)
{
    unsigned char seen[ROOM] = {0};
    int64_t index[PAIR_NDIM] = {0};

    do
        for (int64_t b = 0; b < p->itemsize; b++)
            if (seen[MIDDLE + test_offset(p->ndim, index, p->dst) + b]++)
                return false;
    while (test_next(p->ndim, p->shape, index));
    return true;
}

static int seen[4];

/* The way, if there is one, gives what reading everything first would give. */
static void try_pair(const struct test_pair *p, int64_t shift)
{
    const struct svi_machine machine = svi_machine();
    unsigned char block[ROOM], before[ROOM], expected[ROOM];
    struct svi_plan plan;
    int32_t way;

    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    way = svi_way_in_place(&plan, shift + plan.dst_offset - plan.src_offset);
    seen[way]++;
    if (way == SVI_WAY_NONE)
        return;
    for (int i = 0; i < ROOM; i++)
        block[i] = before[i] = expected[i] = (unsigned char)i;
    test_copy_one_by_one(p, expected + MIDDLE + shift, before + MIDDLE);
    svi_host_in_place(&machine, &plan, way, (char *)block + MIDDLE + shift, (char *)block + MIDDLE);
    cr_assert_eq(memcmp(block, expected, sizeof block), 0,
                 "way %d, shape %d %d, dst %d %d, src %d %d, item %d, shift %d", (int)way, (int)p->shape[0],
                 (int)p->shape[1], (int)p->dst[0], (int)p->dst[1], (int)p->src[0], (int)p->src[1], (int)p->itemsize,
                 (int)shift);
}

static void all_strides(struct test_pair *p)
{
    for (p->dst[0] = -7; p->dst[0] <= 7; p->dst[0]++)
        for (p->dst[1] = -7; p->dst[1] <= 7; p->dst[1]++) {
            if (!is_unique(p))
                continue;
            for (p->src[0] = -7; p->src[0] <= 7; p->src[0]++)
                for (p->src[1] = -7; p->src[1] <= 7; p->src[1]++)
                    for (int64_t shift = -12; shift <= 12; shift += 1 + (p->src[1] & 1))
                        try_pair(p, shift);
        }
}

Test(in_place, all_small_pairs)
{
    struct test_pair p = {.ndim = 2};

    for (p.itemsize = 1; p.itemsize <= 3; p.itemsize++)
        for (p.shape[0] = 1; p.shape[0] <= 3; p.shape[0]++)
            for (p.shape[1] = 2; p.shape[1] <= 3; p.shape[1]++)
                all_strides(&p);
    for (int way = 0; way < 4; way++)
        cr_expect_gt(seen[way], 100, "way %d was taken %d times only", way, seen[way]);
}

/* --- which way ---------------------------------------------------------------- */

/* Strides and shift in bytes. */
static const struct {
    const char *name;
    int32_t ndim;
    int64_t itemsize, shape[4], dst[4], src[4], shift;
    int32_t way;
} rows[] = {
    {"run moved down", 1, 4, {100}, {4}, {4}, -4, SVI_WAY_FORWARD},
    {"run moved up", 1, 4, {100}, {4}, {4}, 4, SVI_WAY_BACKWARD},
    {"by less than an item", 1, 4, {100}, {4}, {4}, 1, SVI_WAY_BACKWARD},
    {"rows moved up", 2, 4, {10, 30}, {160, 4}, {160, 4}, 164, SVI_WAY_BACKWARD},
    {"backwards both", 1, 4, {100}, {-4}, {-4}, 8, SVI_WAY_BACKWARD},
    {"drawn together", 1, 4, {100}, {4}, {12}, 0, SVI_WAY_FORWARD},
    {"drawn together too late", 1, 4, {100}, {4}, {12}, 4, SVI_WAY_NONE},
    {"spread", 1, 4, {100}, {12}, {4}, 0, SVI_WAY_BACKWARD},
    {"rows drawn together", 2, 4, {10, 30}, {120, 4}, {160, 4}, -8, SVI_WAY_FORWARD},
    {"reversed", 1, 4, {100}, {4}, {-4}, -396, SVI_WAY_NONE},
    {"repeated", 2, 4, {10, 30}, {120, 4}, {0, 4}, 0, SVI_WAY_NONE},
    {"square", 2, 4, {30, 30}, {120, 4}, {4, 120}, 0, SVI_WAY_SWAP},
    {"square with gaps", 2, 4, {30, 30}, {500, 8}, {8, 500}, 0, SVI_WAY_SWAP},
    {"square, moved", 2, 4, {30, 30}, {120, 4}, {4, 120}, 4, SVI_WAY_NONE},
    {"square to wider columns", 2, 4, {30, 30}, {120, 4}, {8, 120}, 0, SVI_WAY_NONE},
    {"square to farther rows", 2, 4, {30, 30}, {120, 4}, {4, 240}, 0, SVI_WAY_NONE},
    {"no square", 2, 4, {30, 20}, {80, 4}, {4, 120}, 0, SVI_WAY_NONE},
    {"squares", 3, 4, {7, 30, 30}, {3600, 120, 4}, {3600, 4, 120}, 0, SVI_WAY_SWAP},
    {"squares of 24-byte items", 3, 24, {7, 30, 30}, {21600, 720, 24}, {21600, 24, 720}, 0, SVI_WAY_SWAP},
    {"slowest and fastest of a cube", 3, 4, {9, 9, 9}, {324, 36, 4}, {4, 36, 324}, 0, SVI_WAY_SWAP},
    {"turn of a cube", 3, 4, {9, 9, 9}, {324, 36, 4}, {4, 324, 36}, 0, SVI_WAY_NONE},
};

Test(in_place, ways)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct svi_plan plan;
        int32_t way;

        svi_plan_make(rows[i].ndim, rows[i].shape, rows[i].dst, rows[i].src, rows[i].itemsize, &plan);
        way = svi_way_in_place(&plan, rows[i].shift + plan.dst_offset - plan.src_offset);
        cr_expect_eq(way, rows[i].way, "%s: way %d", rows[i].name, (int)way);
    }
}

/* --- squares, through the whole library ---------------------------------------- */

/* Two axes of a random dense array with gaps change places. */
static void try_squares(int64_t side)
{
    struct test_pair p = {.ndim = (int32_t)test_between(2, 4), .itemsize = test_between(1, 40)};
    int32_t axes[PAIR_NDIM], a, b;
    int64_t lower, upper;
    unsigned char *block, *expected;
    sv_view *dst, *src;

    test_shuffle(p.ndim, axes);
    a = axes[0], b = axes[1];
    for (int32_t k = 0; k < p.ndim; k++)
        p.shape[k] = k == a || k == b ? side : test_between(1, 5);
    test_spread(p.ndim, p.shape, p.itemsize, p.dst);
    for (int32_t k = 0; k < p.ndim; k++)
        p.dst[k] = p.dst[k] < 0 ? -p.dst[k] : p.dst[k];
    memcpy(p.src, p.dst, sizeof p.src);
    p.src[a] = p.dst[b];
    p.src[b] = p.dst[a];
    test_hull(p.ndim, p.shape, p.dst, p.itemsize, &lower, &upper);
    block = malloc((size_t)upper);
    expected = malloc((size_t)upper);
    for (int64_t i = 0; i < upper; i++)
        block[i] = expected[i] = (unsigned char)test_mix((uint64_t)i);
    test_copy_one_by_one(&p, expected, block);
    dst = test_view(block, p.ndim, p.shape, p.dst, p.itemsize, 0);
    src = test_view(block, p.ndim, p.shape, p.src, p.itemsize, 0);
    cr_assert_eq(sv_copy(dst, src, SV_COPY_NO_TEMP, 0), SV_OK, "%s", sv_last_message());
    cr_assert_eq(memcmp(block, expected, (size_t)upper), 0, "side %d, item %d, axes %d and %d of %d",
                 (int)side, (int)p.itemsize, (int)a, (int)b, (int)p.ndim);
    sv_view_release(dst);
    sv_view_release(src);
    free(block);
    free(expected);
}

Test(in_place, squares_without_a_temporary)
{
    static const int64_t sides[] = {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 64, 65, 100, 129};

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 100); round++)
        try_squares(sides[round % (int)(sizeof sides / sizeof *sides)]);
}
