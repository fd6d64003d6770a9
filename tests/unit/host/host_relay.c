/* Transposes in two steps, by every instruction set, in cache and beyond it, with nothing mapped around either side. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/alloc.h"
#include "support/compare.h"
#include "host/front/compound.h"

TestSuite(host_relay, .init = set_up);

/* Two axes whose rows are so many items apart, and items steps of them; gap: bytes behind each row of both sides. */
static struct test_pair stepped(int64_t item, int64_t rows, int64_t columns, int64_t dst_step, int64_t src_step,
                                int64_t gap)
{
    return (struct test_pair){2,
                              item,
                              {columns, rows},
                              {rows * dst_step * item + gap, dst_step * item},
                              {src_step * item, columns * src_step * item + gap}};
}

/* Without runs on one side or both, around the sides of blocks. */
Test(host_relay, transposes_at_a_step)
{
    static const int64_t sides[][2] = {{65, 520}, {300, 129}, {131, 137}, {260, 70}};
    static const int64_t steps[][2] = {{1, 2}, {1, 3}, {2, 1}, {4, 1}, {2, 2}, {1, 5}, {5, 1}, {3, 2}};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
            for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
                const int64_t wide = item > 4 ? item / 4 : 1;
                const int64_t rows = sides[i][0] / wide + wide, columns = sides[i][1] / wide + wide;
                struct test_pair p = stepped(item, rows, columns, steps[k][0], steps[k][1], (int64_t)i);

                check_all(&p, "at a step");
                p.src[0] = -p.src[0], p.src[1] = -p.src[1];
                check_all(&p, "at a step backwards");
            }
}

/* So large that it goes by way of a buffer in L2, or cannot. */
Test(host_relay, transposes_at_a_step_of_many)
{
    const struct test_pair bytes = stepped(1, 600, 700, 1, 2, 3), both = stepped(2, 300, 400, 2, 3, 0);
    const struct test_pair wide = stepped(8, 250, 190, 1, 2, 8);
    const struct test_pair *pairs[] = {&bytes, &both, &wide};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        svi_alloc.allocate = malloc;
        check_all(pairs[i], "at a step");
        svi_alloc.allocate = sometimes_memory;
        check_all(pairs[i], "at a step, memory or not");
    }
}

/* Both fast axes change places across a long one, or a few planes become pixels in another order. */
Test(host_relay, transposes_of_tiny_planes)
{
    for (int64_t item = 1; item <= 16; item *= 2)
        for (int64_t a = 2; a <= 5; a++)
            for (int64_t b = 2; b <= 4; b++) {
                const int64_t m = 40000 / (item * a * b) + b;
                const struct test_pair across = {
                    3, item, {b, m, a}, {m * a * item, a * item, item}, {item, b * item, m * b * item}};
                const struct test_pair planes = {
                    3, item, {m, b, a}, {b * a * item, a * item, item}, {item, m * item, b * m * item}};

                check_all(&across, "across");
                check_all(&planes, "planes");
            }
}

/* --- slabs ---------------------------------------------------------------------- */

enum { ROWS = 300, SLABS = 700000 /* bytes: more than one buffer in L2 holds */ };

/* The transpose of every step-th of some columns, by every machine. */
static void check_columns(int64_t item, int64_t step, int64_t columns)
{
    const int64_t pitch = columns * step * item;
    const struct test_pair p = {2, item, {columns, ROWS}, {ROWS * item, item}, {step * item, pitch}};
    const size_t nbytes = (size_t)(columns * ROWS * item);
    unsigned char *src = malloc((size_t)(ROWS * pitch)), *dst = malloc(nbytes), *right = malloc(nbytes);
    struct svi_plan plan;

    for (int64_t k = 0; k < ROWS * pitch; k++)
        src[k] = (unsigned char)(k ^ k >> 8 ^ k >> 16);
    test_copy_one_by_one(&p, right, src);
    svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
    for (int m = 0; m < machine_count; m++) {
        memset(dst, 0, nbytes);
        svi_host_run(&machines[m], &plan, (char *)dst, (const char *)src);
        cr_assert_eq(memcmp(dst, right, nbytes), 0, "every %d of %d bytes by %s", (int)step, (int)item,
                     machines[m].isa->name);
    }
    free(src), free(dst), free(right);
}

/* Once such a step was made of such copies again, without end. */
Test(host_relay, slabs_at_every_step)
{
    for (int64_t item = 1; item <= 8; item *= 2)
        for (int64_t step = 2; step <= 9; step++)
            check_columns(item, step, SLABS / ROWS / item);
}

Test(host_relay, columns_far_apart)
{
    check_columns(1, 32, 80000 / 32);
    check_columns(1, 5, 80000 / 5);
    check_columns(2, 8, 80000 / 8);
}
