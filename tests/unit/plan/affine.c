/* What plans that scale are cut into: boxes for tasks, chunks, and two copies by way of dense memory. */
#include <criterion/criterion.h>

#include "plan/affine.h"
#include "plan/detour.h"
#include "plan/part.h"
#include "plan/split.h"
#include "support/pairs.h"

enum { FACTORS = 200, ROOM = 1 << 17 };

static double factors[FACTORS];

/* From int16 to float32, with a scale along one of the axes or none. False where there are no elements. */
static bool random_affine(struct svi_affine *a, struct svi_plan *plan)
{
    struct test_pair p = {0};
    int32_t axis;

    test_pair_random(&p, 500);
    axis = (int32_t)test_between(-1, p.ndim - 1);
    *a = (struct svi_affine){.scale = {factors, axis >= 0 ? p.shape[axis] : 1}};
    cr_assert_eq(svi_affine_choose(SV_FLOAT32, SV_INT16, false, a), SV_OK);
    svi_affine_make_plan(p.ndim, p.shape, p.dst, p.src, 1, axis, a, plan);
    for (int k = 0; k < FACTORS; k++)
        factors[k] = k;
    return plan->kind != SVI_CLASS_EMPTY;
}

static int64_t dst_of(const struct svi_plan *plan, const int64_t *index)
{
    return plan->dst_offset + test_offset(plan->ndim, index, plan->dst);
}

static int64_t src_of(const struct svi_plan *plan, const int64_t *index)
{
    return plan->src_offset + test_offset(plan->ndim, index, plan->src);
}

static double scale_of(const struct svi_plan *plan, const int64_t *index)
{
    const struct svi_scaled *scaled = &plan->scaled;
    const int64_t number = scaled->first + (scaled->axis < 0 ? 0 : index[scaled->axis] * scaled->step);

    return scaled->affine->scale.values[number * svi_factor_step(&scaled->affine->scale)];
}

/* Boxes as parts keep the axes of the whole; boxes that are plans of their own have the same elements in any order. */
Test(affine, boxes_have_the_elements_of_the_whole)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases() / 4); round++) {
        int64_t first[SVI_PLAN_NDIM], count[SVI_PLAN_NDIM], index[SVI_PLAN_NDIM] = {0}, there[SVI_PLAN_NDIM], nbytes;
        struct svi_affine a;
        struct svi_plan plan, box;

        if (!random_affine(&a, &plan))
            continue;
        nbytes = plan.item;
        for (int32_t k = 0; k < plan.ndim; k++) {
            first[k] = test_between(0, plan.shape[k] - 1);
            count[k] = test_between(1, plan.shape[k] - first[k]);
            nbytes *= count[k];
        }
        svi_part_of_box(&plan, first, count, &box);
        cr_assert_eq(box.nbytes, nbytes);
        do {
            for (int32_t k = 0; k < plan.ndim; k++)
                there[k] = first[k] + index[k];
            cr_assert_eq(dst_of(&box, index), dst_of(&plan, there));
            cr_assert_eq(src_of(&box, index), src_of(&plan, there));
            cr_assert_eq(scale_of(&box, index), scale_of(&plan, there));
        } while (test_next(box.ndim, box.shape, index));
    }
}

/* --- elements by the place that they go to ------------------------------------------- */

/* What becomes of the two bytes at an address: where they come from, and their scale. */
struct element {
    int64_t src;
    double scale;
};

static struct element elements[2][ROOM];

/* Walks over a plan that scales, or not; both addresses are those of the memory's first bytes. */
static void walk_elements(const struct svi_plan *plan, int64_t unit, int64_t shift, struct element *out)
{
    int64_t index[SVI_PLAN_NDIM] = {0};

    do
        for (int64_t at = 0; at < plan->item; at += unit) {
            const int64_t to = dst_of(plan, index) + at + shift;

            cr_assert(0 <= to && to < ROOM);
            out[to] = (struct element){src_of(plan, index) + at, svi_scales(plan) ? scale_of(plan, index) : -1};
        }
    while (test_next(plan->ndim, plan->shape, index));
}

static void forget_elements(void)
{
    for (int k = 0; k < ROOM; k++)
        elements[0][k] = elements[1][k] = (struct element){INT64_MIN, -1};
}

static void compare_elements(void)
{
    for (int k = 0; k < ROOM; k++) {
        cr_assert_eq(elements[0][k].src, elements[1][k].src);
        cr_assert_eq(elements[0][k].scale, elements[1][k].scale);
    }
}

Test(affine, parts_of_a_split_have_the_elements_of_the_whole)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases() / 64); round++) {
        struct svi_affine a;
        struct svi_plan plan, part;
        struct svi_split split;
        int64_t covered = 0;

        if (!random_affine(&a, &plan))
            continue;
        forget_elements();
        walk_elements(&plan, plan.item, ROOM / 2, elements[0]);
        svi_split_chunks(&plan, (int32_t)test_between(SVI_SIDE_DST, SVI_SIDE_SRC),
                         (int32_t)test_between(SVI_SIDE_DST, SVI_SIDE_SRC), test_between(4, 200), &split);
        for (int64_t i = 0; i < split.count; i++) {
            svi_split_part(&plan, &split, i, &part);
            cr_assert_null(svi_part_fault(&part));
            walk_elements(&part, part.item, ROOM / 2, elements[1]);
            covered += part.nbytes;
        }
        cr_assert_eq(covered, plan.nbytes);
        compare_elements();
    }
}

/* By way of dense memory in any order, with items of either side: one half scales. */
Test(affine, two_halves_have_the_elements_of_the_whole)
{
    static struct element between[ROOM];

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 64); round++) {
        const int32_t side = (int32_t)test_between(SVI_SIDE_DST, SVI_SIDE_SRC);
        const int32_t items = (int32_t)test_between(SVI_SIDE_DST, SVI_SIDE_SRC);
        struct svi_affine a;
        struct svi_plan plan, in, out;
        int64_t unit;

        if (!random_affine(&a, &plan))
            continue;
        forget_elements();
        walk_elements(&plan, plan.item, ROOM / 2, elements[0]);
        svi_detour_make(&plan, side, items, &in, &out);
        unit = items == SVI_SIDE_DST ? plan.item : plan.src_item;
        cr_assert_eq(in.nbytes, svi_detour_nbytes(&plan, items));
        cr_assert_eq(svi_scales(&in), items == SVI_SIDE_DST);
        cr_assert_eq(svi_scales(&out), items == SVI_SIDE_SRC);
        walk_elements(&in, unit, 0, between);
        walk_elements(&out, svi_scales(&out) ? out.item : unit, ROOM / 2, elements[1]);
        for (int k = 0; k < ROOM; k++) {
            struct element *e = &elements[1][k];

            if (e->src == INT64_MIN)
                continue;
            cr_assert(0 <= e->src && e->src < in.nbytes);
            e->scale = svi_scales(&in) ? between[e->src].scale : e->scale;
            e->src = between[e->src].src;
        }
        compare_elements();
    }
}

Test(affine, what_grows_by_scaling_crosses_before_it)
{
    const int64_t shape[2] = {3, 8}, dst[2] = {8, 1}, src[2] = {0, 4}, dense[2] = {32, 4};
    struct svi_affine a = {.scale = {factors, 3}};
    struct svi_plan plan;

    cr_assert_eq(svi_affine_choose(SV_UINT8, SV_FLOAT32, false, &a), SV_OK);
    svi_affine_make_plan(2, shape, dst, src, 1, 0, &a, &plan);
    cr_expect_eq(svi_detour_narrow(&plan), SVI_SIDE_SRC);
    cr_expect_eq(svi_detour_nbytes(&plan, SVI_SIDE_SRC), 32);
    cr_expect_eq(svi_detour_nbytes(&plan, SVI_SIDE_DST), 24);
    svi_affine_make_plan(2, shape, dst, dense, 1, 0, &a, &plan);
    cr_expect_eq(svi_detour_narrow(&plan), SVI_SIDE_DST);
}
