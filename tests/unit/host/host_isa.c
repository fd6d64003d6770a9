/* Every instruction set's rows, pixels and items, in cache and beyond it, with nothing mapped around either side. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/checked.h"
#include "support/compare.h"
#include "host/rows/rows_cached.h"
#include "host/isa/baseline.h"

TestSuite(host_isa, .init = set_up);

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

/* Single runs, most of them ends, of every form and unit: where the last step may write pixels again. */
Test(host_isa, few_pixels)
{
    for (int64_t item = 1; item <= 8; item *= 2)
        for (int64_t channels = 2; channels <= 4; channels++)
            for (int64_t count = 14; count < 200; count += 1 + (count > 70) * (count % 5)) {
                const int64_t plane = count * item, pixel = channels * item;
                const struct test_pair forms[] = {
                    {2, item, {channels, count}, {plane, item}, {item, pixel}},
                    {2, item, {count, channels}, {pixel, item}, {item, plane}},
                    {2, item, {count, channels}, {pixel, item}, {pixel, -item}},
                    {2, item, {count, channels}, {pixel, item}, {item, 0}},
                    {2, item, {count, channels - 1}, {pixel - item, item}, {pixel, item}},
                };

                for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
                    check_all(&forms[k], "few pixels");
            }
}

/* Two runs of every form that are long enough to go beyond the cache, with gaps between them and as whole lines. */
Test(host_isa, long_pixels)
{
    for (int64_t item = 1; item <= 8; item *= 2)
        for (int64_t channels = 2; channels <= 4; channels++)
            for (int64_t nbytes = 6200; nbytes < 10000; nbytes += 700 + test_between(0, 900)) {
                const int64_t pixel = channels * item, count = nbytes / pixel, fewer = pixel - item;
                const int64_t run = whole_lines(count * pixel) + nbytes % 3 * 17, plane = run / channels;
                struct test_pair forms[] = {
                    {3, item, {2, channels, count}, {run, plane, item}, {run, item, pixel}},
                    {3, item, {2, count, channels}, {run, pixel, item}, {run, item, plane}},
                    {3, item, {2, count, channels}, {run, pixel, item}, {run, pixel, -item}},
                    {3, item, {2, count, channels}, {run, pixel, item}, {run, item, 0}},
                    {3, item, {2, count, channels - 1}, {run, fewer, item}, {run, pixel, item}},
                    {2, item, {2, count * channels}, {run, item}, {run * channels, pixel}},
                };

                for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
                    check_all(&forms[k], "long pixels");
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

/* Planes so long that several places of each take turns beyond the cache, and what is left. */
Test(host_isa, long_channels)
{
    static const int64_t channels[] = {5, 9, 16, 17, 40, 63, 64};

    for (int64_t item = 1; item <= 8; item *= 2)
        for (size_t c = 0; c < sizeof channels / sizeof *channels; c++) {
            const int64_t n = channels[c], count = 4096 / item + test_between(0, 3000 / item);
            struct test_pair p = {3, item, {2, n, count}, {0, whole_lines(count * item), item}, {0, item, n * item}};

            p.dst[0] = n * p.dst[1];
            p.src[0] = n * count * item;
            if (p.dst[0] + p.src[0] > ARENA / 2)
                continue;
            check_all(&p, "many pixels of channels");
        }
}

/* Items at small steps, of one unit and of several; and pixels whose units are the other way round. */
Test(host_isa, gathers)
{
    for (int64_t item = 1; item <= 16; item++)
        for (int64_t step = item + 1; step <= 4 * item + 3 && step <= 66; step++)
            for (int64_t count = 4; count < 500; count += 1 + count / 2) {
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

/* At a step on either side or both: rows of less than a vector, of some and of one more, and some that are all there is
   from the source's begin to its end. */
Test(host_isa, items_at_a_step)
{
    static const int64_t items[] = {1, 2, 3, 4, 5, 6, 8, 12}, counts[] = {24, 63, 64, 65, 129, 300, 1001};
    static const int64_t steps[][2] = {{1, 2}, {1, 3}, {1, 4}, {2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 2}, {2, 5}, {7, 1}};

    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
                const int64_t item = items[i], count = counts[n], to = steps[k][0] * item, from = steps[k][1] * item;
                const int64_t rows = 9000 / (count * item) + 1;
                struct test_pair p = {2, item, {rows, count}, {count * to, to}, {count * from, from}};

                check_all(&p, "at a step");
                p.src[0] += count;
                check_all(&p, "at a step, in rows");
                p.dst[1] += item < 5 && to > item;
                p.src[1] += item < 5 && from > item;
                p.dst[0] += 3 * count;
                check_all(&p, "at an odd step");
            }
}

/* Rows of odd items at every step of up to a line and some more, even less than an item, of fewer items than two loads
 * have and of more. */
Test(host_isa, odd_items_at_a_step)
{
    for (int64_t item = 3; item <= 7; item++)
        for (int64_t step = 1; step <= 70; step++)
            for (int64_t count = 64 / item - 2; count <= 64 / item + 12; count++) {
                struct test_pair p = {2, item, {3, count}, {count * item, item}, {count * step, step}};

                check_all(&p, "odd items");
                p.dst[0] += 3, p.src[0] += 1;
                check_all(&p, "odd items, apart");
            }
}

/* The same, each item some times. */
Test(host_isa, items_at_a_step_again_and_again)
{
    static const int64_t counts[] = {24, 65, 300, 5001};

    for (int64_t item = 1; item <= 8; item += 1 + item / 2)
        for (int64_t times = 2; times <= 5; times++)
            for (int64_t step = 1; step <= 4; step++)
                for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
                    const int64_t count = counts[n], rows = 12000 / (count * item * times) + 1, pixel = item * times;
                    struct test_pair p = {3, item, {rows, count, times}, {count * pixel, pixel, item},
                                          {count * step * item + 4, step * item, 0}};

                    check_all(&p, "again");
                    p.dst[0] += 5, p.src[0] += 3;
                    check_all(&p, "again, in rows apart");
                    p.dst[1] += item, p.dst[0] += count * item;
                    check_all(&p, "again, with gaps");
                    p.dst[2] *= 2, p.dst[1] *= 2, p.dst[0] *= 2;
                    check_all(&p, "again, each with a gap");
                }
}

/* Lines are fetched far ahead, in long rows and across short ones, of either side or both. */
Test(host_isa, items_far_apart)
{
    static const int64_t steps[] = {192, 512, -1024, 2048}, items[] = {1, 2, 3, 4, 8, 12, 16};
    static const int64_t shapes[][2] = {{1, 330}, {3, 110}, {22, 15}, {110, 3}};

    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            for (size_t k = i % 2; k < sizeof shapes / sizeof *shapes; k += 2) {
                const int64_t item = items[i], row = (shapes[k][1] + 1) * svi_abs(steps[s]);
                const struct test_pair from = {
                    2, item, {shapes[k][0], shapes[k][1]}, {shapes[k][1] * item, item}, {row, steps[s]}};
                struct test_pair to = {2, item, {shapes[k][0], shapes[k][1]}, {row, svi_abs(steps[s])}, {17, item}};

                if (shapes[k][0] * row > ARENA)
                    continue;
                check_all(&from, "from lines");
                check_all(&to, "to lines");
                to.src[0] = 24, to.src[1] = -640;
                check_all(&to, "from lines to others");
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

/* Rows that begin anywhere in a line, and whole lines of an item that begins anywhere in it. */
Test(host_isa, one_item_to_long_rows)
{
    for (int64_t item = 1; item <= 16; item++)
        for (int64_t place = 1; place <= 64; place++) {
            const int64_t count = 2200 / item + 1;
            const struct test_pair p = {2, item, {2, count}, {count * item + place % 3, item}, {item, 0}};

            for (int m = 0; m < machine_count; m++)
                check(&machines[m], &p, 1, place, 3, "one item");
        }
}

/* Each by its ends, by vectors, and by lines with ends. */
Test(host_isa, rows_of_an_item_each)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 12, 16};

    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        for (int64_t item = items[i], nbytes = 2 * item; nbytes <= 420; nbytes += item * (1 + nbytes / item / 40)) {
            struct test_pair p = {2, item, {6, nbytes / item}, {nbytes, item}, {item, 0}};

            check_all(&p, "an item each");
            p.dst[0] = -2 * nbytes, p.src[0] = 5 * item;
            check_all(&p, "an item each, backwards");
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

/* Around what takes turns beyond the cache, and what is left. */
Test(host_isa, long_runs)
{
    static const int64_t lengths[] = {4095, 4096, 4352, 9999, 16384, 65535, 65600, 131072 + 64, 300000};

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const int64_t n = lengths[k];
        struct test_pair whole = {1, 1, {n}, {1}, {1}}, reversed = {2, 1, {2, n}, {n + 64, 1}, {n, -1}};

        check_all(&whole, "whole");
        check_all(&reversed, "reversed");
        reversed = (struct test_pair){2, 8, {2, n / 8}, {whole_lines(n), 8}, {n, -8}};
        check_all(&reversed, "reversed, of 8");
    }
}

/* So many pixels that parts of them take turns beyond the cache, and one unit of each. */
Test(host_isa, many_pixels)
{
    for (int64_t channels = 1; channels <= 4; channels++)
        for (int64_t item = 1; item <= 8; item *= 2) {
            const int64_t step = channels + (channels == 1), count = 150000 / item / step + test_between(0, 99);
            const struct test_pair p = {
                2, item, {channels, count}, {whole_lines(count * item), item}, {item, step * item}};

            check_all(&p, "many pixels");
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

/* More than L1 holds, in lines of the destination or anywhere. */
Test(host_isa, rows_behind_the_first_cache)
{
    for (int64_t length = 256; length <= 2200; length += 64 - length % 128 / 3)
        for (int64_t gap = 0; gap <= 72; gap += 36) {
            const int64_t pitch = length + (gap == 36 ? 64 : gap), rows = 18000 / length + 1;
            struct test_pair p = {2, 1, {rows, length}, {pitch, 1}, {length + gap, 1}};

            check_all(&p, "rows behind L1");
            p.dst[0] = -pitch;
            check_all(&p, "rows behind L1, backwards");
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

/* To lines that share few sets of L1, more than stay there and fewer. */
Test(host_isa, crowded_lines)
{
    static const int64_t steps[] = {512, 1024, 1536, 2048, 4096, 8192}, lengths[] = {17, 31, 32, 40, 63, 64, 100, 200};

    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (int64_t count = 11; count < 110 && count * steps[s] < ARENA / 2; count += 43) {
            for (int64_t item = 1; item <= 16; item++) {
                const struct test_pair p = {2, item, {2, count}, {32, steps[s]}, {count * item, item}};

                check_all(&p, "items");
            }
            for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
                const int64_t n = lengths[k];
                const struct test_pair p = {2, 1, {count, n}, {steps[s], 1}, {n + (int64_t)(k % 2), 1}};

                check_all(&p, "rows");
            }
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

/* --- the choice of a table -------------------------------------------------- */

Test(host_isa, tables_by_name)
{
    cr_assert_not_null(svi_isa_named("plain"));
    cr_assert_null(svi_isa_named("mmx"));
    for (int m = 0; m < machine_count; m++)
        cr_assert_str_eq(svi_isa_named(machines[m].isa->name)->name, machines[m].isa->name);
}

/* Threads that are the first at the same time all look for the machine. */
Test(host_isa, callers_find_the_same)
{
    const struct svi_machine found = svi_machine_first();

    for (int i = 0; i < 3; i++) {
        const struct svi_machine again = svi_machine_first();

        cr_assert(again.isa == found.isa && again.tuning == found.tuning && again.cache == found.cache &&
                  again.l2_bytes == found.l2_bytes, "caller %d", i + 2);
    }
}

Test(host_isa, environment_chooses)
{
    setenv("SV_HOST_ISA", "plain", 1);
    svi_machine_look();
    cr_assert_eq(svi_machine().isa, &svi_isa_plain);
    setenv("SV_HOST_ISA", "avx2", 1); /* too late */
    cr_assert_eq(svi_machine().isa, &svi_isa_plain);
}

Test(host_isa, unknown_in_environment)
{
    setenv("SV_HOST_ISA", "mmx", 1);
    svi_machine_look();
    cr_assert_not_null(svi_machine().isa);
    cr_assert_geq(svi_machine().cache, 1 << 16);
}
