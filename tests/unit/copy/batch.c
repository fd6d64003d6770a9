#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sv.h"
#include "support/pairs.h"
#include "support/views.h"

enum { MOST = 12 };

/* --- against one by one ----------------------------------------------------- */

struct batch {
    int count;
    sv_view *dst[MOST], *src[MOST];
    sv_plan *plans[MOST];
    void *to[MOST];
    const void *from[MOST];
    unsigned char *block[MOST], *expected[MOST]; /* both sides of a copy, which may share bytes */
    size_t nbytes[MOST];
};

static void add(struct batch *batch, const struct test_pair *p)
{
    const int i = batch->count++;
    int64_t dst_lower, dst_upper, src_lower, src_upper, dst_at, src_at;
    sv_plan *plan = NULL;

    test_hull(p->ndim, p->shape, p->dst, p->itemsize, &dst_lower, &dst_upper);
    test_hull(p->ndim, p->shape, p->src, p->itemsize, &src_lower, &src_upper);
    dst_at = -dst_lower;
    src_at = (test_between(0, 2) == 0 ? test_between(0, dst_upper - dst_lower) : dst_upper - dst_lower) - src_lower;
    batch->nbytes[i] = (size_t)(dst_upper - dst_lower + dst_upper - dst_lower + src_upper - src_lower);
    batch->block[i] = malloc(batch->nbytes[i] + 1);
    batch->expected[i] = malloc(batch->nbytes[i] + 1);
    for (size_t k = 0; k < batch->nbytes[i]; k++)
        batch->block[i][k] = batch->expected[i][k] = (unsigned char)test_mix(k);
    test_copy_one_by_one(p, batch->expected[i] + dst_at, batch->block[i] + src_at);
    batch->dst[i] = test_view(batch->block[i] + dst_at, p->ndim, p->shape, p->dst, p->itemsize, 0);
    batch->src[i] = test_view(batch->block[i] + src_at, p->ndim, p->shape, p->src, p->itemsize, 0);
    cr_assert_eq(sv_plan_new(batch->dst[i], batch->src[i], 0, &plan), SV_OK, "%s", sv_last_message());
    batch->plans[i] = plan;
    batch->to[i] = sv_view_data(batch->dst[i]);
    batch->from[i] = sv_view_data(batch->src[i]);
}

static void end(struct batch *batch)
{
    for (int i = 0; i < batch->count; i++) {
        sv_view_release(batch->dst[i]);
        sv_view_release(batch->src[i]);
        sv_plan_release(batch->plans[i]);
        free(batch->block[i]);
        free(batch->expected[i]);
    }
}

/* Neighbours are alike now and then, or take turns. */
Test(batch, random_copies)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases() / 20); round++) {
        struct batch batch = {.count = 0};
        struct test_pair pairs[3];
        int count = (int)test_between(0, MOST);
        int64_t failed = -5;
        sv_status status;

        for (int k = 0; k < 3; k++)
            test_pair_random(&pairs[k], 300);
        while (batch.count < count) {
            const int64_t k = test_between(0, 2);

            if (test_between(0, 3) == 0)
                test_pair_random(&pairs[k], 300);
            add(&batch, &pairs[k]);
        }
        if (round % 2)
            status = sv_copy_batch(count, batch.dst, batch.src, 0, 0, &failed);
        else
            status = sv_plan_execute_batch(count, batch.plans, batch.to, batch.from, 0, &failed);
        cr_assert_eq(status, SV_OK, "%s", sv_last_message());
        cr_assert_eq(failed, -5);
        for (int i = 0; i < count; i++)
            cr_assert_eq(memcmp(batch.block[i], batch.expected[i], batch.nbytes[i]), 0, "%d of %d", i,
                         count);
        end(&batch);
    }
}

/* --- order -------------------------------------------------------------------- */

/* Copies of the host are done one after another: each may read what the one before wrote. */
Test(batch, copies_of_the_host_are_in_order)
{
    enum { PLACES = 5, ITEMS = 64, STRIDE = 24 };

    for (int64_t round = test_first_round(); test_round(round, test_cases() / 20); round++) {
        const int count = (int)test_between(2, MOST);
        const int64_t shape[] = {ITEMS}, strides[] = {test_between(1, 4)};
        char bytes[PLACES * STRIDE + 4 * ITEMS], expected[sizeof bytes];
        sv_view *dst[MOST], *src[MOST];

        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = expected[i] = (char)test_random();
        for (int i = 0; i < count; i++) {
            const int64_t to = test_between(0, PLACES) * STRIDE, from = test_between(0, PLACES) * STRIDE;
            char item[ITEMS];

            dst[i] = test_view(bytes + to, 1, shape, strides, 1, 0);
            src[i] = test_view(bytes + from, 1, shape, strides, 1, 0);
            for (int k = 0; k < ITEMS; k++)
                item[k] = expected[from + k * strides[0]];
            for (int k = 0; k < ITEMS; k++)
                expected[to + k * strides[0]] = item[k];
        }
        cr_assert_eq(sv_copy_batch(count, dst, src, 0, 0, NULL), SV_OK, "%s", sv_last_message());
        cr_assert_arr_eq(bytes, expected, sizeof bytes);
        for (int i = 0; i < count; i++) {
            sv_view_release(dst[i]);
            sv_view_release(src[i]);
        }
    }
}

/* --- refusals ----------------------------------------------------------------- */

static const int64_t eight[1] = {8}, seven[1] = {7}, one[1] = {1}, back[1] = {-1}, none[1] = {0};

/* One bad copy among good ones: nothing is written. */
Test(batch, all_is_checked_first)
{
    char to[8], from[16] = "abcdefghABCDEFGH", shared[16] = "abcdefghABCDEFGH";
    sv_view *dst = test_view(to, 1, eight, one, 1, 0), *src = test_view(from, 1, eight, one, 1, 0);
    sv_view *readonly = test_view(to, 1, eight, one, 1, SV_READ_ONLY);
    sv_view *short_one = test_view(from, 1, seven, one, 1, 0);
    sv_view *repeats = test_view(to, 1, eight, none, 1, 0), *within = test_view(shared, 1, eight, one, 1, 0);
    sv_view *reversed = test_view(shared + 9, 1, eight, back, 1, 0);
    const struct {
        const char *name;
        sv_view *dst, *src;
        sv_status status;
    } rows[] = {
        {"NULL", NULL, src, SV_ERROR_NULL},
        {"no source", dst, NULL, SV_ERROR_NULL},
        {"read-only", readonly, src, SV_ERROR_READ_ONLY},
        {"other shape", dst, short_one, SV_ERROR_LAYOUT},
        {"overlapping itself", repeats, src, SV_ERROR_OVERLAP},
        {"needs a temporary", within, reversed, SV_ERROR_OVERLAP},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int64_t place = 0; place < 5; place++) {
            sv_view *dsts[5] = {dst, dst, dst, dst, dst}, *srcs[5] = {src, src, src, src, src};
            int64_t failed = -5;

            memset(to, '.', sizeof to);
            dsts[place] = rows[i].dst;
            srcs[place] = rows[i].src;
            cr_expect_eq(sv_copy_batch(5, dsts, srcs, SV_COPY_NO_TEMP, 0, &failed), rows[i].status, "%s: %s",
                         rows[i].name, sv_last_message());
            cr_expect_eq(failed, place, "%s: %d", rows[i].name, (int)failed);
            cr_expect_eq(sv_last_message()[6], '0' + place, "%s: %s", rows[i].name, sv_last_message());
            cr_expect_eq(memcmp(to, "........", 8), 0, "%s at %d", rows[i].name, (int)place);
            cr_expect_eq(sv_copy_batch(5, dsts, srcs, SV_COPY_NO_TEMP, 0, NULL), rows[i].status, "%s", rows[i].name);
        }
    cr_expect_eq(sv_copy_batch(-1, (sv_view *[]){dst}, (sv_view *[]){src}, 0, 0, NULL), SV_ERROR_INVALID);
    cr_expect_eq(sv_copy_batch(1, NULL, (sv_view *[]){src}, 0, 0, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_copy_batch(0, NULL, NULL, 0, 0, NULL), SV_OK);
    cr_expect_eq(sv_copy_batch(1, (sv_view *[]){dst}, (sv_view *[]){src}, 1u << 20, 0, NULL), SV_ERROR_INVALID);
    sv_view_release(dst);
    sv_view_release(src);
    sv_view_release(readonly);
    sv_view_release(short_one);
    sv_view_release(repeats);
    sv_view_release(within);
    sv_view_release(reversed);
}

Test(batch, addresses_are_checked_first)
{
    char to[8] = "........", from[8] = "abcdefgh";
    sv_view *dst = test_view(to, 1, eight, one, 1, 0), *src = test_view(from, 1, eight, one, 1, 0);
    sv_plan *plan = NULL;
    int64_t failed = -5;

    cr_assert_eq(sv_plan_new(dst, src, 0, &plan), SV_OK);
    cr_expect_eq(sv_plan_execute_batch(2, (sv_plan *[]){plan, plan}, (void *[]){to, to},
                                       (const void *[]){from, NULL}, 0, &failed), SV_ERROR_NULL);
    cr_expect_eq(failed, 1);
    cr_expect_str_eq(sv_last_message(), "place 1: src is NULL, there are 8 elements");
    cr_expect_eq(sv_plan_execute_batch(2, (sv_plan *[]){plan, NULL}, (void *[]){to, to},
                                       (const void *[]){from, from}, 0, &failed), SV_ERROR_NULL);
    cr_expect_eq(memcmp(to, "........", 8), 0);
    cr_expect_eq(sv_plan_execute_batch(1, NULL, (void *[]){to}, (const void *[]){from}, 0, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_plan_execute_batch(0, NULL, NULL, NULL, 0, NULL), SV_OK);
    cr_expect_eq(sv_plan_execute_batch(-7, NULL, NULL, NULL, 0, NULL), SV_ERROR_INVALID);
    sv_plan_release(plan);
    sv_view_release(dst);
    sv_view_release(src);
}

/* --- memory ---------------------------------------------------------------------- */

static int allowed;

static void *allocate(size_t nbytes)
{
    return allowed-- > 0 ? malloc(nbytes) : NULL;
}

/* Temporaries are made when their turn comes: what was before is done. */
Test(batch, out_of_memory)
{
    char block[3][9] = {"abcdefgh", "abcdefgh", "abcdefgh"};
    const struct svi_alloc kept = svi_alloc;
    sv_view *dst[3], *src[3];
    int64_t failed = -5;
    sv_status status;

    for (int i = 0; i < 3; i++) {
        dst[i] = test_view(block[i], 1, eight, one, 1, 0);
        src[i] = test_view(block[i] + 7, 1, eight, back, 1, 0);
    }
    allowed = 1;
    svi_alloc.allocate = allocate;
    status = sv_copy_batch(3, dst, src, 0, 0, &failed);
    svi_alloc = kept;
    cr_expect_eq(status, SV_ERROR_MEMORY);
    cr_expect_eq(failed, 1);
    cr_expect_str_eq(block[0], "hgfedcba");
    cr_expect_str_eq(block[1], "abcdefgh");
    cr_expect_str_eq(block[2], "abcdefgh");
    for (int i = 0; i < 3; i++) {
        sv_view_release((sv_view *)dst[i]);
        sv_view_release((sv_view *)src[i]);
    }
}

/* One view that is not like the plan's among those that are: nothing is written. */
Test(batch, views_are_checked_against_the_plan_first)
{
    char to[8], from[16] = "abcdefghABCDEFGH", shared[16] = "abcdefghABCDEFGH";
    sv_view *dst = test_view(to, 1, eight, one, 1, 0), *src = test_view(from, 1, eight, one, 1, 0);
    sv_view *readonly = test_view(to, 1, eight, one, 1, SV_READ_ONLY);
    sv_view *short_one = test_view(from, 1, seven, one, 1, 0), *reversed = test_view(from + 7, 1, eight, back, 1, 0);
    sv_view *within = test_view(shared, 1, eight, one, 1, 0), *behind = test_view(shared + 1, 1, eight, one, 1, 0);
    sv_view *typed = NULL;
    sv_plan *plan = NULL;

    cr_assert_eq(sv_plan_new(dst, src, SV_COPY_NO_TEMP, &plan), SV_OK);
    cr_assert_eq(sv_view_with_dtype(src, SV_INT8, &typed), SV_OK);
    const struct {
        const char *name;
        sv_view *dst, *src;
        sv_status status;
    } rows[] = {
        {"NULL", NULL, src, SV_ERROR_NULL},
        {"no source", dst, NULL, SV_ERROR_NULL},
        {"read-only", readonly, src, SV_ERROR_READ_ONLY},
        {"other shape", dst, short_one, SV_ERROR_LAYOUT},
        {"other strides", dst, reversed, SV_ERROR_LAYOUT},
        {"other dtype", dst, typed, SV_ERROR_DTYPE},
        {"like it", dst, src, SV_OK},
        {"in one memory", within, behind, SV_OK},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int64_t place = 0; place < 5; place++) {
            sv_view *dsts[5] = {dst, dst, dst, dst, dst}, *srcs[5] = {src, src, src, src, src};
            const bool fails = rows[i].status != SV_OK;
            int64_t failed = -5;

            memset(to, '.', sizeof to);
            dsts[place] = rows[i].dst;
            srcs[place] = rows[i].src;
            cr_expect_eq(sv_plan_execute_views_batch(plan, 5, dsts, srcs, 0, &failed), rows[i].status, "%s: %s",
                         rows[i].name, sv_last_message());
            cr_expect_eq(failed, fails ? place : -5, "%s: %d", rows[i].name, (int)failed);
            cr_expect_eq(memcmp(to, fails ? "........" : "abcdefgh", 8), 0, "%s at %d", rows[i].name, (int)place);
        }
    cr_expect_eq(sv_plan_execute_views_batch(plan, -1, NULL, NULL, 0, NULL), SV_ERROR_INVALID);
    cr_expect_eq(sv_plan_execute_views_batch(plan, 0, NULL, NULL, 0, NULL), SV_OK);
    sv_plan_release(plan);
    sv_view_release(dst);
    sv_view_release(src);
    sv_view_release(readonly);
    sv_view_release(short_one);
    sv_view_release(reversed);
    sv_view_release(within);
    sv_view_release(behind);
    sv_view_release(typed);
}
