#include <criterion/criterion.h>
#include <stdint.h>

#include "overlap/canonical.h"
#include "support/pairs.h"

static void load(const struct test_pair *p, struct svi_pair *pair)
{
    pair->ndim = p->ndim;
    pair->itemsize = p->itemsize;
    pair->dst_offset = pair->src_offset = 0;
    memcpy(pair->shape, p->shape, sizeof p->shape);
    memcpy(pair->dst, p->dst, sizeof p->dst);
    memcpy(pair->src, p->src, sizeof p->src);
}

static uint64_t hash(const struct svi_pair *pair)
{
    return test_walk_hash(pair->ndim, pair->shape, pair->dst, pair->src, pair->itemsize, pair->dst_offset,
                          pair->src_offset);
}

static void check_form(const struct svi_pair *pair)
{
    for (int32_t k = 0; k < pair->ndim; k++) {
        cr_assert_geq(pair->shape[k], 2, "axis %d", k);
        cr_assert_geq(pair->dst[k], 0, "axis %d", k);
    }
    for (int32_t k = 0; k + 1 < pair->ndim; k++) {
        cr_assert_geq(pair->dst[k], pair->dst[k + 1], "axis %d: not sorted", k);
        cr_assert(pair->dst[k] != pair->dst[k + 1] * pair->shape[k + 1] ||
                      pair->src[k] != pair->src[k + 1] * pair->shape[k + 1],
                  "axis %d: not merged", k);
    }
}

Test(canonical, random_pairs_keep_their_bytes)
{
    struct test_pair p;
    struct svi_pair pair;

    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        uint64_t before;

        test_pair_random(&p, 200);
        if (test_pair_is_empty(&p))
            continue;
        load(&p, &pair);
        before = hash(&pair);
        svi_canonicalise(&pair);
        check_form(&pair);
        cr_assert_eq(hash(&pair), before);
    }
}

static const struct {
    const char *name;
    int32_t ndim;
    int64_t shape[4], dst[4], src[4];
    int32_t ndim_after;
    int64_t shape_after[4], dst_after[4], src_after[4];
    int64_t dst_offset, src_offset;
} cases[] = {
    {"no axes", 0, {0}, {0}, {0}, 0, {0}, {0}, {0}, 0, 0},
    {"unit axes go", 3, {1, 5, 1}, {7, 4, -9}, {3, 8, 1}, 1, {5}, {4}, {8}, 0, 0},
    {"dense in both", 3, {2, 3, 4}, {48, 16, 4}, {48, 16, 4}, 1, {24}, {4}, {4}, 0, 0},
    {"dense in another order", 3, {4, 2, 3}, {4, 48, 16}, {4, 48, 16}, 1, {24}, {4}, {4}, 0, 0},
    {"backwards in both", 1, {6}, {-4}, {-4}, 1, {6}, {4}, {4}, -20, -20},
    {"backwards in dst", 1, {6}, {-4}, {4}, 1, {6}, {4}, {-4}, -20, 20},
    {"backwards in src", 1, {6}, {4}, {-4}, 1, {6}, {4}, {-4}, 0, 0},
    {"two backwards axes of src merge", 2, {2, 3}, {12, 4}, {-12, -4}, 1, {6}, {4}, {-4}, 0, 0},
    {"repeated axes merge", 2, {2, 3}, {12, 4}, {0, 0}, 1, {6}, {4}, {0}, 0, 0},
    {"repeated rows do not", 2, {2, 3}, {12, 4}, {0, 4}, 2, {2, 3}, {12, 4}, {0, 4}, 0, 0},
    {"transpose", 2, {2, 3}, {4, 8}, {12, 4}, 2, {3, 2}, {8, 4}, {4, 12}, 0, 0},
    {"dst of one place, src backwards", 1, {3}, {0}, {-4}, 1, {3}, {0}, {4}, 0, -8},
    {"equal dst strides by src", 2, {2, 3}, {0, 0}, {4, -100}, 2, {3, 2}, {0, 0}, {100, 4}, 0, -200},
    {"edge", 2, {2, 2}, {INT64_MAX, 1}, {INT64_MIN, -1}, 2, {2, 2}, {INT64_MAX, 1}, {INT64_MIN, -1}, 0, 0},
    {"no overflow when joining", 2, {2, 3}, {8, INT64_MAX / 2}, {8, 8}, 2, {3, 2}, {INT64_MAX / 2, 8}, {8, 8}, 0, 0},
};

Test(canonical, cases)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct svi_pair pair = {.ndim = cases[i].ndim, .itemsize = 4};
        const size_t after = (size_t)cases[i].ndim_after * sizeof(int64_t);

        memcpy(pair.shape, cases[i].shape, sizeof cases[i].shape);
        memcpy(pair.dst, cases[i].dst, sizeof cases[i].dst);
        memcpy(pair.src, cases[i].src, sizeof cases[i].src);
        svi_canonicalise(&pair);
        cr_expect_eq(pair.ndim, cases[i].ndim_after, "%s: %d axes", cases[i].name, pair.ndim);
        cr_expect_eq(memcmp(pair.shape, cases[i].shape_after, after), 0, "%s: shape", cases[i].name);
        cr_expect_eq(memcmp(pair.dst, cases[i].dst_after, after), 0, "%s: dst", cases[i].name);
        cr_expect_eq(memcmp(pair.src, cases[i].src_after, after), 0, "%s: src", cases[i].name);
        cr_expect_eq(pair.dst_offset, cases[i].dst_offset, "%s: dst offset", cases[i].name);
        cr_expect_eq(pair.src_offset, cases[i].src_offset, "%s: src offset", cases[i].name);
    }
}

Test(canonical, sixty_four_axes)
{
    struct svi_pair pair = {.ndim = SV_MAX_NDIM, .itemsize = 1};

    for (int32_t k = 0; k < SV_MAX_NDIM; k++) {
        pair.shape[k] = k % 2 ? 1 : 2;
        pair.dst[k] = (int64_t)1 << k / 2;
        pair.src[k] = -((int64_t)1 << k / 2);
    }
    svi_canonicalise(&pair);
    cr_assert_eq(pair.ndim, 1);
    cr_assert_eq(pair.shape[0], (int64_t)1 << 32);
    cr_assert_eq(pair.dst[0], 1);
    cr_assert_eq(pair.src[0], -1);
}
