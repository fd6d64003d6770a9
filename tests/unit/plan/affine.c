/* What affine conversions are cut into: boxes for tasks, and two copies by way of a dense source. */
#include <criterion/criterion.h>

#include "plan/affine.h"
#include "support/pairs.h"

enum { FACTORS = 200, ROOM = 1 << 16 };

static double factors[FACTORS];

/* From int16 to float32, with a scale along one of the axes or none. False where there are no elements. */
static bool random_affine(struct svi_affine *a)
{
    struct test_pair p = {0};
    int32_t axis;

    test_pair_random(&p, 500);
    axis = (int32_t)test_between(-1, p.ndim - 1);
    *a = (struct svi_affine){.scale = {factors, axis >= 0}};
    cr_assert_eq(svi_affine_choose(SV_FLOAT32, SV_INT16, false, a), SV_OK);
    svi_affine_make_plan(p.ndim, p.shape, p.dst, p.src, 1, axis, a);
    for (int k = 0; k < FACTORS; k++)
        factors[k] = k;
    return a->plan.kind != SVI_CLASS_EMPTY;
}

static int64_t dst_of(const struct svi_plan *plan, const int64_t *index)
{
    return plan->dst_offset + test_offset(plan->ndim, index, plan->dst);
}

static int64_t src_of(const struct svi_plan *plan, const int64_t *index)
{
    return plan->src_offset + test_offset(plan->ndim, index, plan->src);
}

static double scale_of(const struct svi_affine *a, const int64_t *index)
{
    return a->scale.first[a->axis < 0 ? 0 : index[a->axis] * a->scale.step];
}

Test(affine, boxes_have_the_elements_of_the_whole)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases() / 4); round++) {
        int64_t first[SVI_PLAN_NDIM], count[SVI_PLAN_NDIM], index[SVI_PLAN_NDIM] = {0}, there[SVI_PLAN_NDIM], nbytes;
        struct svi_affine a, box;

        if (!random_affine(&a))
            continue;
        nbytes = a.plan.item;
        for (int32_t k = 0; k < a.plan.ndim; k++) {
            first[k] = test_between(0, a.plan.shape[k] - 1);
            count[k] = test_between(1, a.plan.shape[k] - first[k]);
            nbytes *= count[k];
        }
        svi_affine_box(&a, first, count, &box);
        cr_assert_eq(box.plan.nbytes, nbytes);
        do {
            for (int32_t k = 0; k < a.plan.ndim; k++)
                there[k] = first[k] + index[k];
            cr_assert_eq(dst_of(&box.plan, index), dst_of(&a.plan, there));
            cr_assert_eq(src_of(&box.plan, index), src_of(&a.plan, there));
            cr_assert_eq(scale_of(&box, index), scale_of(&a, there));
        } while (test_next(box.plan.ndim, box.plan.shape, index));
    }
}

/* For each byte of the dense source, which one of the source is copied to it. */
static void walk_packing(const struct svi_plan *in, int64_t nbytes, int64_t *where)
{
    int64_t index[SVI_PLAN_NDIM] = {0}, copied = 0;

    do
        for (int64_t b = 0; b < in->item; b++, copied++) {
            const int64_t to = dst_of(in, index) + b;

            cr_assert(0 <= to && to < nbytes);
            where[to] = src_of(in, index) + b;
        }
    while (test_next(in->ndim, in->shape, index));
    cr_assert_eq(copied, nbytes, "each byte is copied once");
    cr_assert_eq(in->nbytes, nbytes);
}

Test(affine, a_dense_source_has_the_elements_of_the_source)
{
    static int64_t where[ROOM];

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 4); round++) {
        int64_t index[SVI_PLAN_NDIM] = {0}, nbytes;
        struct svi_affine a, out;
        struct svi_plan in;

        if (!random_affine(&a))
            continue;
        nbytes = svi_affine_packed_nbytes(&a);
        cr_assert_leq(nbytes, ROOM);
        svi_affine_pack(&a, &in, &out);
        walk_packing(&in, nbytes, where);
        do {
            const int64_t from = src_of(&out.plan, index);

            cr_assert(0 <= from && from + 2 <= nbytes);
            cr_assert_eq(where[from], src_of(&a.plan, index));
            cr_assert_eq(where[from + 1], src_of(&a.plan, index) + 1);
            cr_assert_eq(dst_of(&out.plan, index), dst_of(&a.plan, index));
        } while (test_next(out.plan.ndim, out.plan.shape, index));
    }
}
