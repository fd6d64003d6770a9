#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "overlap/lenstra.h"
#include "overlap/diophantine_solve.h"
#include "support/pairs.h"

enum { WORK = 100000 };

static svi_wide reach(const struct svi_diophantine *e)
{
    svi_wide sum = 0;

    for (int32_t k = 0; k < e->count; k++)
        sum += e->terms[k].stride * e->terms[k].bound;
    return sum;
}

/* The sum of a random z. */
static svi_wide some_sum(const struct svi_diophantine *e)
{
    svi_wide sum = 0;

    for (int32_t k = 0; k < e->count; k++)
        sum += e->terms[k].stride * test_between(0, (int64_t)e->terms[k].bound);
    return sum;
}

static sv_answer by_brute_force(const struct svi_diophantine *e)
{
    int64_t shape[SVI_MAX_TERMS], index[SVI_MAX_TERMS] = {0};

    for (int32_t k = 0; k < e->count; k++)
        shape[k] = (int64_t)e->terms[k].bound + 1;
    do {
        svi_wide sum = 0;

        for (int32_t k = 0; k < e->count; k++)
            sum += e->terms[k].stride * index[k];
        if (e->low <= sum && sum <= e->high)
            return SV_YES;
    } while (test_next(e->count, shape, index));
    return SV_NO;
}

/* 1 to most terms, strides of so many bits; an interval about a sum or beside it, at times wide or off the ends. */
static void random_equation(struct svi_diophantine *e, int32_t most, int64_t bound, int64_t bits)
{
    int64_t common = INT64_C(1) << bits;

    e->count = 0;
    for (int32_t k = (int32_t)test_between(1, most); k > 0; k--) {
        int64_t own = INT64_C(1) << test_between(0, bits);

        svi_diophantine_add_term(e, test_between(0, 1) ? common - test_between(0, own - 1) : test_between(1, own),
                         test_between(1, bound));
    }
    e->low = some_sum(e) + test_between(-4, 4);
    if (test_between(0, 2) == 0)
        e->low += test_between(-common, common) / test_between(1, 4);
    e->high = e->low + (test_between(0, 1) ? 0 : test_between(0, INT64_C(1) << test_between(0, bits)));
}

static bool is_for_lattice(const struct svi_diophantine *e)
{
    return e->low > 0 && e->high < reach(e);
}

Test(diophantine, brute_force)
{
    struct svi_diophantine e, copy;
    int seen[3] = {0}, lattices[3] = {0};

    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        int64_t work = WORK, lattice_work = WORK;
        sv_answer expected, answer;

        random_equation(&e, 5, test_between(1, 5), test_between(1, 61));
        expected = by_brute_force(&e);
        copy = e;
        answer = svi_diophantine_solve(&copy, &work);
        cr_assert_eq(answer, expected, "%d, not %d", answer, expected);
        seen[answer]++;
        if (is_for_lattice(&e)) {
            answer = svi_lenstra_solve(&e, &lattice_work);
            cr_assert(answer == expected || answer == SV_MAYBE, "by the lattice: %d", answer);
            lattices[answer]++;
        }
        copy = e;
        work = test_between(0, 30);
        answer = svi_diophantine_solve(&copy, &work);
        cr_assert(answer == expected || answer == SV_MAYBE, "with little work");
    }
    for (int i = 0; i < 2; i++) {
        cr_expect_gt(seen[i], test_cases() / 10, "%d of answer %d", seen[i], i);
        cr_expect_gt(lattices[i], test_cases() / 10, "%d of answer %d by the lattice", lattices[i], i);
    }
    cr_expect_lt(lattices[SV_MAYBE], test_cases() / 50, "%d undecided, not having been shortened", lattices[SV_MAYBE]);
}

/* Far beyond brute force: with a known solution, and with that solution in the way of others. */
Test(diophantine, known_solutions)
{
    struct svi_diophantine e, copy;

    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        int64_t work = WORK;

        random_equation(&e, 6, (INT64_C(1) << test_between(1, 31)), test_between(1, 30));
        e.low = e.high = some_sum(&e);
        copy = e;
        cr_assert_neq(svi_diophantine_solve(&copy, &work), SV_NO);
        work = WORK;
        if (is_for_lattice(&e))
            cr_assert_neq(svi_lenstra_solve(&e, &work), SV_NO, "by the lattice");
    }
}

/* Two equations in one: with strides a * scale + b, a * z and b * z must both meet. No digit is ever carried. */
Test(diophantine, two_in_one)
{
    int seen[3] = {0};

    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        int64_t scale = INT64_C(1) << 50, a[4], b[4], shape[4], index[4] = {0}, first, second, work = WORK;
        struct svi_diophantine e = {.count = 0};
        sv_answer expected = SV_NO, answer;

        for (int k = 0; k < 4; k++) {
            shape[k] = test_between(2, 12);
            a[k] = test_between(1, 40);
            b[k] = test_between(1, 1000000);
            svi_diophantine_add_term(&e, a[k] * (svi_wide)scale + b[k], shape[k] - 1);
        }
        first = test_between(0, 300);
        second = test_between(0, 8000000);
        if (test_between(0, 1)) {
            first = second = 0;
            for (int k = 0; k < 4; k++) {
                int64_t z = test_between(0, shape[k] - 1);
                first += a[k] * z;
                second += b[k] * z + test_between(-1, 0);
            }
        }
        do {
            if (test_offset(4, index, a) == first && test_offset(4, index, b) == second)
                expected = SV_YES;
        } while (expected == SV_NO && test_next(4, shape, index));
        e.low = e.high = first * (svi_wide)scale + second;
        answer = svi_diophantine_solve(&e, &work);
        cr_assert_eq(answer, expected, "%d, not %d", answer, expected);
        seen[answer]++;
    }
    cr_expect(seen[SV_NO] > 100 && seen[SV_YES] > 100, "%d no, %d yes", seen[SV_NO], seen[SV_YES]);
}

/* What a work limit of 100000 promises: four terms and fewer are decided, however large. */
Test(diophantine, four_terms_are_decided)
{
    struct svi_diophantine e;

    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        int64_t work = WORK;

        random_equation(&e, 4, INT64_C(1) << test_between(1, 31), test_between(1, 31));
        cr_assert_neq(svi_diophantine_solve(&e, &work), SV_MAYBE);
    }
}

static int left; /* allocations that succeed */

static void *allocate_some(size_t nbytes)
{
    return left-- > 0 ? malloc(nbytes) : NULL;
}

/* A search of more steps than the first has, so that a lattice is asked, too. */
Test(diophantine, without_memory)
{
    static const struct {
        const char *name;
        int32_t allocations;
        int64_t strides[5], bounds[5], low;
    } rows[] = {
        {"a search", 1, {15, 21, 35}, {6, 4, 2}, 97},
        {"a lattice", 2, {10000019, 10000079, 10000103, 10000121, 10000139}, {60, 62, 64, 66, 68}, 1600000008},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int32_t some = 0; some <= rows[i].allocations; some++) {
            struct svi_diophantine e = {.low = rows[i].low, .high = rows[i].low};
            int64_t work = WORK;
            sv_answer answer;

            for (int k = 0; k < 5 && rows[i].strides[k] > 0; k++)
                svi_diophantine_add_term(&e, rows[i].strides[k], rows[i].bounds[k]);
            left = some;
            svi_alloc.allocate = allocate_some;
            answer = svi_diophantine_solve(&e, &work);
            svi_alloc.allocate = malloc;
            cr_expect_eq(answer == SVI_ANSWER_NO_MEMORY, some < rows[i].allocations, "%s, %d allocations: %d",
                         rows[i].name, some, answer);
            if (answer == SVI_ANSWER_NO_MEMORY)
                cr_expect_not_null(strstr(sv_last_message(), "no memory for"));
        }
}
