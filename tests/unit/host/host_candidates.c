/* Every loop that a measured plan may keep, at other addresses than those it was found for and for parts of the plan. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "host/front/host.h"
#include "backend/backend.h"
#include "plan/part.h"
#include "support/pairs.h"
#include "support/views.h"

enum { GUARD = 64 };

struct memory {
    unsigned char *bytes, *origin;
    size_t nbytes;
};

static struct memory allocate(const struct test_pair *p, const int64_t *strides, unsigned char seed)
{
    struct memory m;
    int64_t lower, upper;

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    m.nbytes = (size_t)((upper - lower + 3 * GUARD + 4095) / 4096 * 4096);
    m.bytes = aligned_alloc(4096, m.nbytes);
    for (size_t i = 0; i < m.nbytes; i++)
        m.bytes[i] = (unsigned char)test_mix(i + seed * 1000003u);
    m.origin = m.bytes + GUARD - lower;
    return m;
}

static void release(struct memory *m)
{
    free(m->bytes);
}

/* A loop that was found between the first bytes copies between others, the whole or two parts of it. */
static void check_elsewhere(const struct test_pair *p, const struct svi_plan *plan, const struct svi_candidate *loop,
                            struct memory *dst, const struct memory *src)
{
    const int64_t to_skew = test_between(0, GUARD - 1), from_skew = test_between(0, GUARD - 1);
    const int32_t axis = plan->ndim > 0 ? (int32_t)test_between(0, plan->ndim - 1) : -1;
    char *const there = (char *)dst->origin + to_skew;
    const char *const here = (const char *)src->origin + from_skew;
    unsigned char *wanted = malloc(dst->nbytes);

    memset(dst->bytes, 0xee, dst->nbytes);
    memset(wanted, 0xee, dst->nbytes);
    test_copy_one_by_one(p, wanted + ((unsigned char *)there - dst->bytes), (const unsigned char *)here);
    if (axis < 0 || test_between(0, 1) == 0) {
        cr_assert_eq(svi_host.run_candidate(plan, there, here, loop), SV_OK);
    } else {
        int64_t first[SVI_PLAN_NDIM] = {0}, count[SVI_PLAN_NDIM];
        const int64_t cut = test_between(1, plan->shape[axis] - 1);
        struct svi_plan part;

        memcpy(count, plan->shape, (size_t)plan->ndim * sizeof *count);
        count[axis] = cut;
        svi_plan_box(plan, first, count, &part);
        cr_assert_eq(svi_host.run_candidate(&part, there, here, loop), SV_OK);
        first[axis] = cut;
        count[axis] = plan->shape[axis] - cut;
        svi_plan_box(plan, first, count, &part);
        cr_assert_eq(svi_host.run_candidate(&part, there, here, loop), SV_OK);
    }
    cr_assert_eq(memcmp(dst->bytes, wanted, dst->nbytes), 0, "%s%s, class %s, %d axes, item %d",
                 loop->name, loop->beyond_cache ? " beyond the cache" : "", svi_class_name(plan->kind), plan->ndim,
                 (int)plan->item);
    free(wanted);
}

static void check_all(const struct test_pair *p, int *loops)
{
    struct memory dst = allocate(p, p->dst, 1), src = allocate(p, p->src, 2);
    struct svi_candidate found[SVI_CANDIDATES];
    struct svi_plan plan;

    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    if (plan.kind != SVI_CLASS_EMPTY) {
        const int count = svi_host.candidates(&plan, dst.origin + test_between(0, GUARD - 1),
                                              src.origin + test_between(0, GUARD - 1), found);

        cr_assert(count > 0 && count < SVI_CANDIDATES);
        for (int k = 0; k < count; k++)
            check_elsewhere(p, &plan, &found[k], &dst, &src);
        *loops += count;
    }
    release(&dst);
    release(&src);
}

Test(host_candidates, every_loop_elsewhere)
{
    const int rounds = test_is_emulated() ? 300 : 6000;
    struct test_pair p;
    int loops = 0;

    for (int64_t round = test_first_round(); test_round(round, rounds); round++) {
        test_pair_random(&p, 3000);
        check_all(&p, &loops);
    }
    cr_expect_gt(loops, rounds);
}

/* Matrices and rows, of which there are more loops. */
Test(host_candidates, every_loop_of_matrices_elsewhere)
{
    const int rounds = test_is_emulated() ? 50 : 1500;
    int loops = 0;

    for (int64_t round = test_first_round(); test_round(round, rounds); round++) {
        const int64_t item = (int64_t)1 << test_between(0, 4), rows_of = test_between(2, 130), columns = test_between(2, 130);
        const int64_t wide = columns * item + test_between(0, 2) * test_between(0, 70);
        const int64_t high = rows_of * item + test_between(0, 2) * test_between(0, 70);
        struct test_pair turned = {2, item, {rows_of, columns}, {wide, item}, {item, high}};
        struct test_pair rows_apart = {2, item, {rows_of, columns}, {wide, item}, {columns * item + 5, item}};

        check_all(&turned, &loops);
        check_all(&rows_apart, &loops);
    }
    cr_expect_gt(loops, 3 * rounds);
}

/* A measured plan writes what an ordinary one writes, at the measured addresses and at others. */
enum { TIME_NS = 1000000 };

Test(host_candidates, random_plans)
{
    const int rounds = test_is_emulated() ? 10 : 150;
    struct test_pair p;

    for (int64_t round = test_first_round(); test_round(round, rounds); round++) {
        struct memory dst, src, wanted;
        sv_view *to_view, *from_view;
        sv_plan *plan = NULL, *measured = NULL;

        test_pair_random(&p, 3000);
        dst = allocate(&p, p.dst, 1);
        wanted = allocate(&p, p.dst, 1);
        src = allocate(&p, p.src, 2);
        to_view = test_view(dst.origin, p.ndim, p.shape, p.dst, p.itemsize, 0);
        from_view = test_view(src.origin, p.ndim, p.shape, p.src, p.itemsize, SV_READ_ONLY);
        cr_assert_eq(sv_plan_new(to_view, from_view, 0, &plan), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_plan_measure(plan, to_view, from_view, TIME_NS, 0, &measured), SV_OK, "%s", sv_last_message());
        for (int k = 0; k < 4; k++) {
            const int64_t there = k == 0 ? 0 : test_between(0, GUARD - 1), here = k == 0 ? 0 : test_between(0, GUARD - 1);

            if (k > 0)
                cr_assert_eq(sv_plan_execute(measured, dst.origin + there, src.origin + here, 0), SV_OK);
            cr_assert_eq(sv_plan_execute(plan, wanted.origin + there, src.origin + here, 0), SV_OK);
            cr_assert_eq(memcmp(dst.bytes, wanted.bytes, dst.nbytes), 0, "by %s",
                         sv_plan_kernel(measured));
        }
        sv_plan_release(plan);
        sv_plan_release(measured);
        sv_view_release(to_view);
        sv_view_release(from_view);
        release(&dst);
        release(&src);
        release(&wanted);
    }
}
