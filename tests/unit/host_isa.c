/* Every instruction set's kernels, in cache and past it, with nothing mapped around either side. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "alloc.h"
#include "checked.h"
#include "in_place.h"
#include "split.h"
#include "two_threads.h"
#include "unit/arena.h"

TestSuite(host_isa, .init = set_up);

/* Where the first element is when the hull begins with the arena, or ends with it, or begins place bytes after. */
static unsigned char *origin_in(unsigned char *arena, int64_t lower, int64_t upper, int64_t place)
{
    if (place == 0)
        return arena - lower;
    return place < 0 ? arena + ARENA - upper : arena + place - lower;
}

struct parts {
    const struct svi_machine *machine;
    const struct svi_plan *plan;
    struct svi_split split;
    char *dst;
    const char *src;
};

static void run_part(void *ctx, int64_t index)
{
    const struct parts *parts = ctx;
    struct svi_plan part;

    svi_split_part(parts->plan, &parts->split, index, &part);
    svi_host_run(parts->machine, &part, parts->dst, parts->src);
}

/* In parts by two threads where there are several. */
static void run(const struct svi_machine *machine, const struct svi_plan *plan, int64_t count, char *dst,
                const char *src)
{
    struct parts parts = {.machine = machine, .plan = plan, .dst = dst, .src = src};

    if (count > 1)
        svi_split_make(plan, count, &parts.split);
    if (count > 1 && parts.split.count > 1)
        cr_assert_eq(two_threads(NULL, parts.split.count, run_part, &parts), SV_OK);
    else
        svi_host_run(machine, plan, dst, src);
}

static void check(const struct svi_machine *machine, const struct test_pair *p, int64_t count, int64_t dst_place,
                  int64_t src_place, const char *name)
{
    int64_t dst_lower, dst_upper, src_lower, src_upper;
    unsigned char *dst, *src, *from, *to;
    struct svi_plan plan;

    test_hull(p->ndim, p->shape, p->dst, p->itemsize, &dst_lower, &dst_upper);
    test_hull(p->ndim, p->shape, p->src, p->itemsize, &src_lower, &src_upper);
    cr_assert(dst_upper - dst_lower <= ARENA && src_upper - src_lower <= ARENA, "%s is too large", name);
    dst = origin_in(dst_arena, dst_lower, dst_upper, dst_place);
    src = origin_in(src_arena, src_lower, src_upper, src_place);
    from = dst + dst_lower > dst_arena + MARGIN ? dst + dst_lower - MARGIN : dst_arena;
    to = dst + dst_upper < dst_arena + ARENA - MARGIN ? dst + dst_upper + MARGIN : dst_arena + ARENA;
    memset(from, 0xa5, (size_t)(to - from));
    memset(expected, 0xa5, (size_t)(to - from));
    test_copy_one_by_one(p, expected + (dst - from), src);
    svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    if (plan.kind != SVI_CLASS_EMPTY)
        run(machine, &plan, count, (char *)dst, (const char *)src);
    cr_assert_eq(memcmp(from, expected, (size_t)(to - from)), 0,
                 "%s by %s, cache of %lld: class %s, %d axes, item %d, %d x %d, places %d and %d", name,
                 machine->isa->name, (long long)machine->cache, svi_class_name(plan.kind), plan.ndim, (int)plan.item,
                 (int)p->shape[0], (int)p->shape[1], (int)dst_place, (int)src_place);
}

static void check_all(const struct test_pair *p, const char *name)
{
    static const int64_t places[][2] = {{0, 0}, {-1, -1}, {64, 0}, {4096 + 1, 7}, {4096 + 16, 4096 + 48}};

    for (int m = 0; m < machine_count; m++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            check(&machines[m], p, 1, places[i][0], places[i][1], name);
}

/* Rows of the destination are pitch bytes apart; the source is dense. */
static struct test_pair transpose(int64_t item, int64_t rows, int64_t columns, int64_t pitch)
{
    return (struct test_pair){2, item, {columns, rows}, {pitch, item}, {item, columns * item}};
}

static int64_t whole_lines(int64_t nbytes)
{
    return (nbytes + 63) / 64 * 64;
}

/* As plans run them: of any length up to some lines, around the limits behind, and at all sorts of places. */
Test(host_isa, dense_runs)
{
    static const int64_t long_ones[] = {600, 767, 768, 769, 1000, 1024, 4095, 4096, 4097, 5000, 16383, 16384, 16385};
    static const int64_t places[][2] = {{0, 0}, {-1, -1}, {0, 5}, {16, 48}, {4096 + 63, 7}};
    const int64_t most = 530, count = most + (int64_t)(sizeof long_ones / sizeof *long_ones);

    for (int m = 0; m < machine_count; m++)
        for (int64_t i = 1; i <= count; i++)
            for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
                const int64_t nbytes = i <= most ? i : long_ones[i - most - 1], stride = 1;
                char *dst = (char *)origin_in(dst_arena, 0, nbytes, places[k][0]);
                const char *src = (const char *)origin_in(src_arena, 0, nbytes, places[k][1]);
                struct svi_plan plan;

                svi_plan_make(1, &nbytes, &stride, &stride, 1, &plan);
                memset(dst_arena, 0xa5, (size_t)nbytes + 4096 + 128);
                memset(dst_arena + ARENA - nbytes - 64, 0xa5, (size_t)nbytes + 64);
                cr_assert_eq(svi_dense_run(machines[m].isa, &plan)(&plan, dst, src, NULL), SV_OK);
                cr_assert(memcmp(dst, src, (size_t)nbytes) == 0 &&
                              (places[k][0] == 0 || (unsigned char)dst[-1] == 0xa5) &&
                              (places[k][0] < 0 || (unsigned char)dst[nbytes] == 0xa5),
                          "%d bytes by %s", (int)nbytes, machines[m].isa->name);
            }
}

/* Extents on both sides of every tile's, and of every block's. */
Test(host_isa, transposes_around_tiles)
{
    static const int64_t sides[] = {2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 140};
    enum { SIDES = sizeof sides / sizeof *sides };

    for (int64_t item = 1; item <= 16; item *= 2)
        for (int i = 0; i < SIDES; i++)
            for (int j = i % 3; j < SIDES; j += 3) {
                struct test_pair dense = transpose(item, sides[i], sides[j], sides[i] * item);
                struct test_pair lines = transpose(item, sides[i], sides[j], whole_lines(sides[i] * item));

                check_all(&dense, "dense");
                check_all(&lines, "lines");
                lines.src[0] = -lines.src[0];
                check_all(&lines, "backwards");
                lines.src[1] = -lines.src[1];
                check_all(&lines, "backwards, both");
            }
}

/* More than a block in both directions. */
Test(host_isa, transposes_of_blocks)
{
    static const int64_t sides[][2] = {{300, 300}, {1000, 20}, {20, 1000}, {257, 391}};

    for (int64_t item = 1; item <= 8; item *= 2)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            struct test_pair lines = transpose(item, sides[i][0], sides[i][1], whole_lines(sides[i][0] * item));

            if (sides[i][1] * lines.dst[0] <= ARENA / 2)
                check_all(&lines, "blocks");
        }
}

/* Several blocks down rows that begin anywhere in a line: what is not complete of a line waits for the next block. */
Test(host_isa, transposes_to_rows_that_begin_anywhere)
{
    static const int64_t items[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 40};

    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        const int64_t item = items[i], rows = item == 1 ? 3000 : 4500 / item + 130, columns = 48000 / rows / item + 37;
        struct test_pair p = {3, 1, {columns, rows, item}, {rows * item, item, 1}, {item, columns * item, 1}};

        if (columns * rows * item > ARENA / 2)
            p.shape[0] = ARENA / 2 / rows / item;
        check_all(&p, "dense");
        p.src[0] = -p.src[0], p.src[1] += 13 * item;
        p.dst[0] += 5;
        check_all(&p, "apart, backwards");
    }
}

/* Rows of the destination share the sets of a cache. */
Test(host_isa, transposes_to_rows_that_are_pages_apart)
{
    static const int64_t sides[][2] = {{255, 40}, {130, 9}, {257, 130}, {600, 70}};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            const int64_t pitch = (sides[i][0] * item + 4095) / 4096 * 4096;
            const struct test_pair pages = transpose(item, sides[i][0], sides[i][1], pitch);

            if (sides[i][1] * pitch <= ARENA / 2)
                check_all(&pages, "pages");
        }
}

/* Rows of the source do, so that they go through a buffer; in several blocks. */
Test(host_isa, transposes_from_rows_that_are_pages_apart)
{
    static const int64_t sides[][2] = {{140, 140}, {64, 300}, {300, 64}};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            struct test_pair pages = transpose(item, sides[i][0], sides[i][1], whole_lines(sides[i][0] * item));

            pages.src[1] = (sides[i][1] * item + 4095) / 4096 * 4096;
            if (sides[i][0] * pages.src[1] <= ARENA / 2)
                check_all(&pages, "pages of the source");
        }
}

/* Dense on both sides, axes of the source in the order perm. */
static struct test_pair permuted(int64_t item, int32_t ndim, const int64_t *shape, const int32_t *perm)
{
    struct test_pair p = {.ndim = ndim, .itemsize = item};
    int64_t src[PAIR_NDIM], next = item;

    for (int32_t k = ndim - 1; k >= 0; k--) {
        src[k] = next;
        next *= shape[k];
    }
    next = item;
    for (int32_t k = ndim - 1; k >= 0; k--) {
        p.shape[k] = shape[perm[k]];
        p.src[k] = src[perm[k]];
        p.dst[k] = next;
        next *= p.shape[k];
    }
    return p;
}

/* Several axes together are rows, or columns, of a block. */
Test(host_isa, transposes_of_short_axes)
{
    static const int64_t shapes[][6] = {{2, 2, 2, 2, 2, 2},   {4, 4, 4, 4, 4, 4},   {16, 3, 4, 5, 2, 16},
                                        {3, 16, 2, 16, 5, 3}, {32, 3, 1, 5, 3, 32}, {2, 32, 3, 3, 32, 2},
                                        {9, 2, 8, 8, 2, 12}};
    static const int32_t perms[][6] = {{5, 4, 3, 2, 1, 0}, {3, 4, 5, 0, 1, 2}, {5, 0, 4, 1, 3, 2},
                                       {4, 5, 3, 2, 0, 1}, {0, 5, 4, 3, 2, 1}, {1, 0, 3, 2, 5, 4}};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (size_t j = 0; j < sizeof perms / sizeof *perms; j++) {
                const struct test_pair p = permuted(item, 6, shapes[i], perms[j]);

                check_all(&p, "short axes");
            }
}

/* Rows that begin anywhere, of several axes, as columns are. */
Test(host_isa, transposes_of_axes_that_begin_anywhere)
{
    static const int64_t shape[] = {19, 17, 13, 15};
    static const int32_t perms[][4] = {{3, 2, 1, 0}, {2, 3, 0, 1}, {3, 1, 2, 0}, {1, 3, 2, 0}};

    for (int64_t item = 1; item <= 12; item += item < 2 ? 1 : 2)
        for (size_t k = 0; k < sizeof perms / sizeof *perms; k++) {
            const struct test_pair p = permuted(item, 4, shape, perms[k]);

            check_all(&p, "axes");
        }
}

/* Rows of the destination share the sets of a cache, and go on from plane to plane. */
Test(host_isa, transposes_of_planes_that_are_pages_apart)
{
    static const int64_t shapes[][3] = {{32, 32, 32}, {32, 32, 31}, {31, 32, 32}, {16, 64, 18}};
    static const int32_t backwards[] = {2, 1, 0};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const struct test_pair p = permuted(item, 3, shapes[i], backwards);

            check_all(&p, "planes");
        }
}

static void *no_memory(size_t nbytes)
{
    (void)nbytes;
    return NULL;
}

Test(host_isa, transposes_without_memory)
{
    const struct test_pair lines = transpose(4, 128, 300, 512);

    svi_alloc.allocate = no_memory;
    check_all(&lines, "without memory");
}

Test(host_isa, pixels)
{
    for (int64_t item = 1; item <= 8; item *= 2)
        for (int64_t channels = 2; channels <= 4; channels++)
            for (int64_t count = 1; count < 400; count += 1 + count / 7) {
                const int64_t plane = whole_lines(count * item), pixel = channels * item;
                struct test_pair split = {3, item, {2, channels, count}, {channels * plane, plane, item},
                                          {count * pixel, item, pixel}};
                struct test_pair join = {3, item, {2, count, channels}, {count * pixel, pixel, item},
                                         {count * pixel, item, count * item}};

                check_all(&split, "split");
                split.dst[1] = count * item;
                check_all(&split, "split, dense");
                split.src[1] = -item;
                check_all(&split, "split, other order");
                check_all(&join, "join");
                join.src[2] = -join.src[2];
                check_all(&join, "join, other order");
            }
}

/* More channels than pixels have, more pixels than go through a buffer at once. */
Test(host_isa, channels)
{
    static const int64_t channels[] = {2, 3, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 33, 63, 64};
    static const int64_t counts[] = {64, 67, 128, 250, 256, 257, 271, 272, 300, 513, 777, 1025};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t c = 0; c < sizeof channels / sizeof *channels; c++)
            for (size_t k = c % 2; k < sizeof counts / sizeof *counts; k += 2) {
                const int64_t pixel = channels[c] * item, plane = counts[k] * item + (int64_t)(k % 3) * 17;
                struct test_pair split = {2, item, {channels[c], counts[k]}, {plane, item}, {item, pixel}};
                struct test_pair join = {2, item, {counts[k], channels[c]}, {pixel, item}, {item, plane}};

                if (pixel * counts[k] > ARENA / 4)
                    continue;
                check_all(&split, "split");
                split.dst[0] = whole_lines(plane);
                check_all(&split, "split, lines");
                check_all(&join, "join");
                join.src[1] = -plane;
                check_all(&join, "join, other order");
            }
}

/* Items at small steps, of one unit and of several; and pixels whose units are the other way round. */
Test(host_isa, gathers)
{
    for (int64_t item = 1; item <= 16; item++)
        for (int64_t step = item + 1; step <= 4 * item + 3 && step <= 66; step++)
            for (int64_t count = 30; count < 500; count += 1 + count / 2) {
                struct test_pair p = {2, item, {3, count}, {count * item, item}, {count * step, step}};

                check_all(&p, "gather");
                p.dst[0] = whole_lines(count * item);
                check_all(&p, "gather, lines");
                p.dst[1] = step, p.dst[0] = count * step, p.src[1] = item, p.src[0] = count * item;
                check_all(&p, "scatter");
            }
}

/* Items of any lines: a column of a matrix, whose rows go up or down. */
Test(host_isa, columns)
{
    static const int64_t steps[] = {5, 9, 64, 100, 257, -1, -7, -130};

    for (int64_t item = 1; item <= 16; item++)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            for (int64_t count = 15; count < 900; count += 1 + count / 2) {
                const int64_t step = steps[i] * item;
                struct test_pair p = {2, item, {3, count}, {count * item, item}, {item, 2 * step}};

                if (count * 2 * svi_abs(step) > ARENA / 2)
                    continue;
                check_all(&p, "columns");
                p.dst[0] = whole_lines(count * item);
                check_all(&p, "columns to lines");
            }
}

Test(host_isa, pixels_backwards)
{
    for (int64_t item = 1; item <= 16; item++)
        for (int64_t channels = 2; channels <= 5; channels++)
            for (int64_t count = 8; count < 700; count += 1 + count / 2) {
                struct test_pair p = {2, item, {count, channels}, {channels * item, item}, {channels * item, -item}};

                check_all(&p, "backwards");
                p.src[0] = item, p.src[1] = 0;
                check_all(&p, "again and again");
                p.src[0] = 2 * item;
                check_all(&p, "again and again, apart");
            }
}

Test(host_isa, runs_of_every_length)
{
    for (int64_t length = 1; length <= 700; length += 1 + length / 150) {
        struct test_pair whole = {1, 1, {length}, {1}, {1}};
        struct test_pair rows = {2, 1, {5, length}, {length + 5, 1}, {length + 9, 1}};
        struct test_pair lines = {2, 1, {5, length}, {whole_lines(length), 1}, {length, 1}};
        struct test_pair packed = {3, 1, {2, 5, length}, {5 * length, length, 1}, {11 * length, 2 * length, 1}};
        struct test_pair reversed = {2, 1, {5, length}, {length, 1}, {length, -1}};

        check_all(&whole, "whole");
        check_all(&rows, "rows");
        check_all(&lines, "rows of lines");
        check_all(&packed, "rows packed");
        check_all(&reversed, "reversed");
    }
}

/* Both sides begin as far into a line, or not. */
Test(host_isa, long_rows)
{
    for (int64_t length = 448; length < 20000; length += 1 + length / 3)
        for (int64_t gap = 0; gap <= 130; gap += 65) {
            const int64_t lines = whole_lines(length);
            struct test_pair to = {2, 1, {7, length}, {lines + gap, 1}, {length, 1}};
            struct test_pair from = {2, 1, {7, length}, {lines, 1}, {2 * lines + gap, 1}};
            struct test_pair both = {3, 1, {2, 5, length}, {8 * lines, lines, 1}, {16 * lines, 3 * lines, 1}};

            check_all(&to, "long rows, to gaps");
            check_all(&from, "long rows, from gaps");
            check_all(&both, "long rows, with gaps");
        }
}

/* As many as are written without a loop, and more; in turns, and what is left. */
Test(host_isa, rows_of_few_lines)
{
    for (int64_t lines = 1; lines <= 18; lines++)
        for (int64_t rows = 2; rows <= 11; rows += 3) {
            const int64_t n = 64 * lines;
            struct test_pair p = {2, 1, {rows, n}, {n + 64, 1}, {n + 40, 1}};

            check_all(&p, "rows of lines");
            p.src[0] = -n - 64;
            check_all(&p, "rows of lines, backwards");
        }
}

/* Some share lines of the destination with their neighbours; the last of them have the order of the source. */
Test(host_isa, rows_with_gaps)
{
    static const int64_t gaps[] = {0, 2, 4, 30, 64, 66, 128};

    for (int64_t length = 64; length <= 520; length += 5 + length / 60)
        for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
            const int64_t row = length + gaps[i];
            struct test_pair rows = {2, 1, {40, length}, {row, 1}, {length + 6, 1}};
            struct test_pair order = {3, 1, {3, 9, length}, {9 * row, row, 1}, {length, 4 * length, 1}};

            check_all(&rows, "rows with gaps");
            check_all(&order, "rows in another order");
            rows.dst[0] = -row;
            check_all(&rows, "rows with gaps, backwards");
            order.src[0] = -order.src[0];
            check_all(&order, "rows in another order, backwards");
        }
}

Test(host_isa, reversed_runs_of_every_item)
{
    for (int64_t item = 1; item <= 16; item++)
        for (int64_t count = 2; count <= 150; count += 1 + count / 20) {
            struct test_pair p = {2, item, {3, count}, {whole_lines(count * item), item}, {count * item, -item}};

            check_all(&p, "reversed");
            p.dst[0] = count * item, p.src[0] = -p.src[0];
            check_all(&p, "reversed, all of it");
        }
}

/* Gaps of up to a line between rows of whole units, around what is done in one turn and what is left of an axis. */
Test(host_isa, short_gaps_between_rows)
{
    static const int64_t lengths[] = {20, 24, 32, 36, 48, 64, 72, 96, 100, 160, 512};
    static const int64_t gaps[] = {4, 8, 16, 32, 48, 60, 64, 68};

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
            for (int64_t count = 1 + (int64_t)k % 3; count < 60; count *= 4) {
                const int64_t n = lengths[k], pitch = n + gaps[i];
                struct test_pair p = {3, 1, {3, count, n}, {count * pitch + 32, pitch, 1}, {count * n, n, 1}};

                check_all(&p, "gaps");
                p.src[1] = -2 * n, p.src[0] = 2 * count * n + 12;
                check_all(&p, "gaps on both sides");
            }
}

/* Rows in one order here and in another there, forwards and backwards, around the groups that are stored together. */
Test(host_isa, rows_in_two_orders)
{
    static const int64_t lengths[] = {17, 24, 32, 48, 60, 64, 100, 128, 192, 256, 320, 512, 600, 1024, 4160};

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (int64_t i = 1; i <= 9; i += lengths[k] > 600 ? 4 : 2)
            for (int64_t j = 1; j <= 9; j += lengths[k] > 600 ? 4 : 1) {
                const int64_t n = lengths[k];
                struct test_pair p = {3, 1, {i, j, n}, {j * n, n, 1}, {n, i * n, 1}};

                check_all(&p, "across");
                p.src[0] = -p.src[0];
                check_all(&p, "across, backwards");
                p.dst[0] = n, p.dst[1] = whole_lines(i * n) + 64;
                check_all(&p, "along, backwards");
                p.src[0] = 2 * n, p.src[1] = 2 * n * i;
                check_all(&p, "along, apart");
            }
}

/* Rows of the source that end around the end of a line, apart from each other. */
Test(host_isa, transposes_of_rows_that_end_anywhere)
{
    static const int64_t items[] = {1, 3, 5, 11};

    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        for (int64_t columns = 256; columns < 320; columns++) {
            const int64_t item = items[i], rows = 600 / item, nbytes = columns * item;
            struct test_pair p = {3, 1, {columns, rows, item}, {rows * item + 5, item, 1}, {item, nbytes + 7, 1}};

            if ((nbytes + 1) % 64 <= 2)
                check_all(&p, "apart");
        }
}

/* Two axes of one memory change places. */
static void check_square(const struct svi_machine *machine, int64_t item, int64_t side, int64_t planes)
{
    const int64_t row = side * item + (side % 3) * 5, plane = side * row, nbytes = planes * plane;
    const struct test_pair p = {3, item, {planes, side, side}, {plane, row, item}, {plane, item, row}};
    struct svi_plan plan;

    memcpy(dst_arena, src_arena, (size_t)nbytes);
    memcpy(expected, src_arena, (size_t)nbytes);
    test_copy_one_by_one(&p, expected, src_arena);
    svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
    cr_assert_eq(svi_way_in_place(&plan, 0), SVI_WAY_SWAP);
    svi_host_in_place(machine, &plan, SVI_WAY_SWAP, (char *)dst_arena, (const char *)dst_arena);
    cr_assert_eq(memcmp(dst_arena, expected, (size_t)nbytes), 0, "%s: %d squares of %d, items of %d",
                 machine->isa->name, (int)planes, (int)side, (int)item);
}

Test(host_isa, squares_in_place)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 12, 16, 24}, sides[] = {2, 7, 32, 33, 64, 90, 129};

    for (int m = 0; m < machine_count; m++)
        for (size_t i = 0; i < sizeof items / sizeof *items; i++)
            for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
                check_square(&machines[m], items[i], sides[k], 1 + (int64_t)k % 2);
}

/* --- random --------------------------------------------------------------- */

/* Axes in a random order, with gaps, some of them to whole lines, some backwards. */
static void random_strides(struct test_pair *p, int64_t *strides)
{
    int64_t next = p->itemsize;
    int32_t axes[PAIR_NDIM];

    test_shuffle(p->ndim, axes);
    for (int32_t i = 0; i < p->ndim; i++) {
        const int32_t k = axes[i];

        if (test_between(0, 5) == 0)
            next += test_between(1, 3) * p->itemsize;
        if (i > 0 && test_between(0, 2) == 0)
            next = whole_lines(next);
        strides[k] = test_between(0, 5) == 0 ? -next : next;
        next *= p->shape[k];
    }
}

static int64_t hull_size(const struct test_pair *p, const int64_t *strides)
{
    int64_t lower, upper;

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    return upper - lower;
}

static void random_pair(struct test_pair *p)
{
    static const int64_t items[] = {1, 1, 2, 4, 4, 8, 16, 3, 6, 12, 24, 5};
    int64_t left;

    p->ndim = (int32_t)test_between(1, 4);
    p->itemsize = items[test_between(0, sizeof items / sizeof *items - 1)];
    left = 40000 / p->itemsize;
    for (int32_t k = 0; k < p->ndim; k++) {
        const int64_t most = test_between(0, 1) ? 5 : test_between(0, 9) ? 200 : 4000;

        p->shape[k] = test_between(1, most < left ? most : left);
        left /= p->shape[k];
    }
    do
        random_strides(p, p->dst);
    while (hull_size(p, p->dst) > ARENA / 2);
    do
        random_strides(p, p->src);
    while (hull_size(p, p->src) > ARENA / 2);
    for (int32_t k = 0; k < p->ndim; k++)
        if (test_between(0, 11) == 0)
            p->src[k] = 0;
}

static int64_t random_place(void)
{
    const int64_t kind = test_between(0, 3);

    if (kind < 2)
        return -kind;
    return kind == 2 ? 64 * test_between(1, 64) : test_between(1, 4096);
}

/* Every second one is of the class whose turn it is. */
static void random_pair_in_turn(int round, struct test_pair *p)
{
    const int32_t kind = SVI_CLASS_CONTIGUOUS + round / 2 % (SVI_CLASS_CAST - SVI_CLASS_CONTIGUOUS);
    struct svi_plan plan;

    do {
        random_pair(p);
        svi_plan_make(p->ndim, p->shape, p->dst, p->src, p->itemsize, &plan);
    } while (round % 2 == 0 && plan.kind != kind);
}

/* In parts now and then, and at times short of memory. */
Test(host_isa, random_copies)
{
    const int count = test_cases();
    struct test_pair p;

    for (int round = 0; round < count; round++) {
        const int64_t parts = round % 5 == 0 ? test_between(2, 9) : 1;

        svi_alloc.allocate = round % 5 == 1 ? sometimes_memory : malloc;
        random_pair_in_turn(round, &p);
        check(&machines[test_between(0, machine_count - 1)], &p, parts, random_place(), random_place(), "random");
    }
}

/* --- nothing mapped between rows --------------------------------------------- */

enum { ISLANDS = 64, INNER = 4096 /* bytes on one at most */ };

/* ISLANDS times PAGE bytes, as many of nothing in front of each and behind the last. */
static unsigned char *islands(void)
{
    unsigned char *all = mmap(NULL, (2 * ISLANDS + 1) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    cr_assert(all != MAP_FAILED);
    for (size_t k = 0; k < ISLANDS; k++)
        cr_assert_eq(mprotect(all + (2 * k + 1) * PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
    return all + PAGE;
}

/* Axes in a random order, those that are further out step from island to island. Bytes on one; 0: too many islands. */
static int64_t island_strides(const struct test_pair *p, int64_t *strides)
{
    int64_t next = p->itemsize, on = next;
    int32_t axes[PAIR_NDIM];

    test_shuffle(p->ndim, axes);
    for (int32_t i = 0; i < p->ndim; i++) {
        const int32_t k = axes[i];

        if (on == next && test_between(0, 7) == 0)
            next *= 2;
        if (next < 2 * PAGE && next * p->shape[k] > INNER)
            next = 2 * PAGE;
        strides[k] = test_between(0, 3) == 0 ? -next : next;
        next *= p->shape[k];
        on = next <= INNER ? next : on;
    }
    return next <= INNER || next / (2 * PAGE) <= ISLANDS ? on : 0;
}

/* The rows begin with the islands or end with them, or are anywhere there. */
static unsigned char *island_origin(unsigned char *first, const struct test_pair *p, const int64_t *strides, int64_t on)
{
    const int64_t kind = test_between(0, 3), place = kind == 0 ? 0 : kind < 3 ? PAGE - on : test_between(0, PAGE - on);
    int64_t lower, upper;

    test_hull(p->ndim, p->shape, strides, p->itemsize, &lower, &upper);
    return first + place - lower;
}

static void check_elements(const struct svi_machine *machine, const struct test_pair *p, const unsigned char *dst,
                           const unsigned char *src, const char *class)
{
    int64_t index[PAIR_NDIM] = {0};

    do
        cr_assert_eq(memcmp(dst + test_offset(p->ndim, index, p->dst), src + test_offset(p->ndim, index, p->src),
                            (size_t)p->itemsize), 0, "%s by %s, cache of %lld: items of %d, %d x %d x %d", class,
                     machine->isa->name, (long long)machine->cache, (int)p->itemsize, (int)p->shape[0],
                     (int)p->shape[1], (int)p->shape[2]);
    while (test_next(p->ndim, p->shape, index));
}

Test(host_isa, islands)
{
    unsigned char *const to = islands(), *const from = islands();
    const int count = test_cases();

    for (int64_t k = 0; k < ISLANDS; k++)
        memcpy(from + 2 * k * PAGE, src_arena + 256 * k, PAGE);
    for (int round = 0; round < count; round++) {
        const struct svi_machine *machine = &machines[test_between(0, machine_count - 1)];
        struct test_pair p = {.shape = {1, 1, 1}};
        int64_t on_dst, on_src;
        unsigned char *dst, *src;
        struct svi_plan plan;

        do {
            random_pair(&p);
            on_dst = island_strides(&p, p.dst);
            on_src = island_strides(&p, p.src);
        } while (on_dst == 0 || on_src == 0);
        dst = island_origin(to, &p, p.dst, on_dst);
        src = island_origin(from, &p, p.src, on_src);
        svi_plan_make(p.ndim, p.shape, p.dst, p.src, p.itemsize, &plan);
        svi_host_run(machine, &plan, (char *)dst, (const char *)src);
        check_elements(machine, &p, dst, src, svi_class_name(plan.kind));
    }
}

/* --- the choice of a table -------------------------------------------------- */

Test(host_isa, tables_by_name)
{
    cr_assert_not_null(svi_isa_named("plain"));
    cr_assert_null(svi_isa_named("mmx"));
    for (int m = 0; m < machine_count; m++)
        cr_assert_str_eq(svi_isa_named(machines[m].isa->name)->name, machines[m].isa->name);
}

Test(host_isa, environment_chooses)
{
    setenv("SV_HOST_ISA", "plain", 1);
    cr_assert_eq(svi_machine().isa, &svi_isa_plain);
    setenv("SV_HOST_ISA", "avx2", 1); /* too late */
    cr_assert_eq(svi_machine().isa, &svi_isa_plain);
}

Test(host_isa, unknown_in_environment)
{
    setenv("SV_HOST_ISA", "mmx", 1);
    cr_assert_not_null(svi_machine().isa);
    cr_assert_geq(svi_machine().cache, 1 << 16);
}
