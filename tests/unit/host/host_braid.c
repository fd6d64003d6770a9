/* Small records whose items come from a few windows, by every instruction set, in cache and beyond it, with nothing
 * mapped around either side, nor between windows. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <unistd.h>

#include "support/compare.h"

TestSuite(host_braid, .init = set_up);

enum { BYTES = 40000, PLANES = 4 };

/* Records of a rows of b items, m times, with gaps of so many bytes behind rows, and behind records, on both sides. */
struct kind {
    int64_t item, m, a, b;
    int64_t row_gap, gap, src_gap;
};

static struct test_pair dense(const struct kind *k)
{
    const int64_t row = k->b * k->item + k->row_gap;

    return (struct test_pair){3, k->item, {k->m, k->a, k->b}, {k->a * row + k->gap, row, k->item}, {0}};
}

/* Transposed, from planes of one item each, and from planes of rows. */
static void check_kind(const struct kind *k)
{
    struct test_pair p = dense(k);

    p.src[1] = k->item, p.src[2] = k->a * k->item + k->src_gap, p.src[0] = k->b * p.src[2];
    check_all(&p, "transposed");
    p.src[0] = -p.src[0];
    check_all(&p, "transposed, backwards");
    p.src[0] = k->item + k->src_gap, p.src[1] = k->m * p.src[0], p.src[2] = k->a * p.src[1];
    check_all(&p, "from planes");
    p.src[0] = -p.src[0], p.src[2] = -p.src[2];
    check_all(&p, "from planes, backwards");
    p.src[0] = k->b * k->item + k->src_gap, p.src[1] = k->m * p.src[0], p.src[2] = k->item;
    check_all(&p, "from planes of rows");
    p.src[2] = -p.src[2], p.src[1] = 8;
    check_all(&p, "backwards in rows that overlap");
}

Test(host_braid, records)
{
    static const int64_t gaps[][3] = {{0, 0, 0}, {0, 0, 5}, {0, 3, 0}, {2, 7, 1}};

    for (int64_t item = 1; item <= 16; item += 1 + item / 3)
        for (int64_t a = 2; a <= 5; a++)
            for (int64_t b = 2; b <= 6 && a * b * item <= 256; b += 1 + a % 2)
                for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
                    const int64_t m = BYTES / (item * a * b) + a;

                    check_kind(&(struct kind){item, m, a, b, gaps[g][0], gaps[g][1], gaps[g][2]});
                }
}

/* Short runs of records whose elements have a gap between them, but none behind the last. */
Test(host_braid, gaps_within_records)
{
    for (int64_t item = 1; item <= 8; item *= 2)
        for (int64_t m = 140 / item; m <= 400 / item; m += 1 + 50 / item) {
            const struct test_pair p = {4,
                                        item,
                                        {20, m, 2, 2},
                                        {m * 5 * item, 5 * item, 3 * item, item},
                                        {m * 4 * item + 8, 4 * item, item, 2 * item}};

            check_all(&p, "with gaps within");
        }
}

/* Across a long axis both fast ones change places; and two of four axes. */
Test(host_braid, strands_across)
{
    for (int64_t item = 1; item <= 16; item *= 2)
        for (int64_t a = 2; a <= 9; a++) {
            const int64_t m = BYTES / (item * a * 2) + a;
            const struct test_pair across = {
                3, item, {2, m, a}, {m * a * item, a * item, item}, {item, 2 * item, m * 2 * item}};
            const struct test_pair of_four = {4,
                                              item,
                                              {m / 60, 60, a, 2},
                                              {a * 120 * item + 9, a * 2 * item, 2 * item, item},
                                              {60 * item, item, m * item, a * m * item}};

            check_all(&across, "across");
            check_all(&of_four, "of four axes");
        }
}

/* Each plane ends where what is mapped does. */
Test(host_braid, nothing_between_strands)
{
    for (int k = 1; k < ARENA / PAGE; k += 2)
        cr_assert_eq(mprotect(src_arena + k * PAGE, PAGE, PROT_NONE), 0);
    for (int64_t item = 1; item <= 16; item *= 2)
        for (int64_t b = 1; b <= 3; b++)
            for (int backwards = 0; backwards <= 1; backwards++)
                for (int m = 0; m < machine_count; m++) {
                    const int64_t count = 16000 / (item * b) - item, row = b * item;
                    const struct test_pair p = {3,
                                                item,
                                                {count, PLANES, b},
                                                {PLANES * row, row, item},
                                                {backwards ? -row : row, 2 * PAGE, item}};

                    check(&machines[m], &p, 1, 0, PAGE - count * row, "with nothing between");
                    check(&machines[m], &p, 1, 0, 0, "with nothing before");
                }
}

/* Each record does. */
Test(host_braid, nothing_between_records)
{
    const int64_t page = sysconf(_SC_PAGESIZE), records = 128;
    const struct test_pair p = {3, 4, {records, 4, 2}, {32, 8, 4}, {2 * page, 4, 16}};

    if (2 * page * records > ARENA)
        return;
    for (int64_t k = 1; k < 2 * records; k += 2)
        cr_assert_eq(mprotect(src_arena + k * page, (size_t)page, PROT_NONE), 0);
    for (int m = 0; m < machine_count; m++)
        check(&machines[m], &p, 1, 0, page - 32, "with nothing between");
}
