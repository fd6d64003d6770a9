/* Every instruction set's transposes, in cache and beyond it, with nothing mapped around either side. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/alloc.h"
#include "plan/in_place.h"
#include "support/compare.h"
#include "support/no_memory.h"
#include "host/compound/exchange.h"

TestSuite(host_transpose, .init = set_up);

/* Rows of the destination are pitch bytes apart; the source is dense. */
static struct test_pair transpose(int64_t item, int64_t rows, int64_t columns, int64_t pitch)
{
    return (struct test_pair){2, item, {columns, rows}, {pitch, item}, {item, columns * item}};
}

/* Extents on both sides of every tile's, and of every block's. */
Test(host_transpose, transposes_around_tiles)
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
Test(host_transpose, transposes_of_blocks)
{
    static const int64_t sides[][2] = {{300, 300}, {1000, 20}, {20, 1000}, {257, 391}};

    for (int64_t item = 1; item <= 8; item *= 2)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            struct test_pair lines = transpose(item, sides[i][0], sides[i][1], whole_lines(sides[i][0] * item));

            if (sides[i][1] * lines.dst[0] <= ARENA / 2)
                check_all(&lines, "blocks");
        }
}

/* Rows are whole lines that begin within one: axes that go on with them have the rest of it, or nothing has. */
Test(host_transpose, transposes_to_rows_that_share_lines)
{
    for (int64_t item = 1; item <= 16; item *= 2)
        for (int64_t planes = 3; planes <= 6; planes++) {
            const int64_t rows = 3 * 64 / item, line = 64 / item, columns = 256 / item + 5;
            struct test_pair p = {3, item, {columns, planes, rows}, {planes * rows * item, rows * item, item},
                                  {item, columns * rows * item, columns * item}};
            struct test_pair q = {4, item, {columns, planes, 8, line},
                                  {planes * 512 + 64, 512, 64, item},
                                  {item, 8 * line * columns * item, line * columns * item, columns * item}};
            struct test_pair r = {3, item, {planes, 500 / item, rows}, {50000, rows * item, item},
                                  {192 * 512, item, 512}};

            check_all(&p, "planes");
            check_all(&q, "records of planes");
            check_all(&r, "columns");
            p.src[1] = -p.src[1], p.src[2] = -p.src[2];
            q.src[0] = -q.src[0];
            r.src[1] = -r.src[1];
            check_all(&p, "planes, backwards");
            check_all(&q, "records of planes, backwards");
            check_all(&r, "columns, backwards");
            q.shape[1] = 1;
            check_all(&q, "records");
        }
}

/* Several blocks down rows that begin anywhere in a line: what is not complete of a line waits for the next block. */
Test(host_transpose, transposes_to_rows_that_begin_anywhere)
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

/* Few columns, less than a line of them or a little more: rows of the source follow each other, or have gaps. */
Test(host_transpose, transposes_of_few_columns_to_rows_that_begin_anywhere)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 16}, lines[] = {64, 128, 256, 512};

    for (size_t t = 0; t < sizeof items / sizeof *items; t++)
        for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
            for (int64_t more = -1; more <= 1; more++)
                for (int64_t k = 0; k < 4; k++) {
                    const int64_t item = items[t], columns = lines[l] / item + more;
                    const int64_t rows = 1600 / item + 64 * k + more, pitch = rows * item;
                    struct test_pair p = {3, 1, {columns, rows, item}, {pitch, item, 1}, {item, columns * item, 1}};

                    check_all(&p, "dense");
                    p.dst[0] += 5 * item;
                    check_all(&p, "to rows apart");
                    p.dst[0] = pitch, p.src[1] += 3;
                    check_all(&p, "from rows apart");
                }
}

/* Bytes wait for others in a buffer, and for lines in front of it. */
Test(host_transpose, transposes_of_bytes_to_long_rows)
{
    static const int64_t sides[][2] = {{1024, 64}, {1030, 100}, {1027, 999}, {1057, 65}};

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const int64_t rows = sides[i][0], columns = sides[i][1];
        struct test_pair p = {2, 1, {columns, rows}, {rows, 1}, {1, columns > 900 ? columns : 980}};

        check_all(&p, "dense");
        p.dst[0] += 5;
        p.src[1] = -p.src[1];
        check_all(&p, "apart, backwards");
    }
}

/* Rows of the destination share the sets of a cache. */
Test(host_transpose, transposes_to_rows_that_are_pages_apart)
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
Test(host_transpose, transposes_from_rows_that_are_pages_apart)
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

/* Rows of both sides do, and those of the destination go on from plane to plane: packed in cache, on AMD's processors. */
Test(host_transpose, transposes_between_rows_that_are_pages_apart)
{
    static const int64_t sides[][2] = {{17, 64}, {40, 30}, {64, 100}, {100, 127}, {127, 66}};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
            for (int64_t pitch = 2048; pitch <= 6144; pitch += 2048) {
                const int64_t rows = sides[i][0], columns = sides[i][1];
                struct test_pair p = transpose(item, rows, columns, pitch);

                p.src[1] = pitch;
                if (rows * item > pitch || columns * item > pitch || svi_larger(rows, columns) * pitch > ARENA / 2)
                    continue;
                check_all(&p, "pages of both sides");
                p = (struct test_pair){3, item, {columns, 3, rows / 3}, {pitch, rows / 3 * item, item},
                                       {item, pitch, 3 * pitch}};
                check_all(&p, "planes");
            }
}

/* Rows of the source that are a page long and more: few of them at a time are read in whole lines. */
Test(host_transpose, transposes_of_long_rows)
{
    static const int64_t rows[] = {16, 79, 192};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < (item == 1 ? 3 : 2); i++)
            for (int apart = 0; apart < 2; apart++) {
                const int64_t size = rows[i] * item, columns = 4096 / item + 37;
                struct test_pair p = transpose(item, rows[i], columns, whole_lines(size));

                p.src[1] = apart ? 8192 : p.src[1];
                if (rows[i] * p.src[1] > ARENA)
                    continue;
                check_all(&p, "to lines");
                p.dst[0] = size + item;
                check_all(&p, "to rows that begin anywhere");
                p.dst[0] = -p.dst[0];
                p.src[1] = -p.src[1];
                check_all(&p, "backwards");
            }
}

/* Matrices of a batch, so many that they are read by a table; with gaps, backwards, and in two runs. */
Test(host_transpose, transposes_of_small_records)
{
    static const int64_t sides[][2] = {{2, 2}, {3, 3}, {7, 2}, {2, 7}, {4, 4}, {5, 11}, {8, 8}, {33, 33}, {64, 40}};
    static const int64_t items[] = {4, 8, 12, 16, 24, 2};

    for (size_t t = 0; t < sizeof items / sizeof *items; t++)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            const int64_t item = items[t], rows = sides[i][0], columns = sides[i][1], size = rows * columns * item;
            const int64_t count = 24000 / size + 3;
            struct test_pair p = {
                3, item, {count, rows, columns}, {size, columns * item, item}, {size, item, rows * item}};

            check_all(&p, "records");
            p.src[0] = size + item;
            check_all(&p, "with gaps");
            p.src[0] = -p.src[0], p.src[2] = -p.src[2];
            check_all(&p, "backwards");
            p = (struct test_pair){4, item, {2, count, rows, columns}, {count * size + 4, size, columns * item, item},
                                   {count * size + 8, size, item, rows * item}};
            check_all(&p, "in two runs");
        }
}

/* Planes of some kilobytes that lie together, on a stage; and such that begin elsewhere. */
/* Runs of records that begin with other bytes of a line each; forwards and backwards. */
Test(host_transpose, transposes_of_runs_of_records)
{
    static const int64_t sides[][2] = {{2, 2}, {3, 3}, {2, 4}, {4, 4}, {5, 7}, {8, 8}};

    for (int64_t item = 1; item <= 8; item *= 2)
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
            const int64_t a = sides[k][0], b = sides[k][1], record = a * b * item;
            const int64_t count = (9 * 64 * a * b + 1024) / record + 3;
            struct test_pair p = {4, item, {3, count, a, b}, {count * record + 7 * item, record, b * item, item},
                                  {count * record + 3 * item, record, item, a * item}};

            check_all(&p, "records");
            p.src[1] = -p.src[1];
            check_all(&p, "from the last record");
            p.src[2] = -p.src[2];
            check_all(&p, "and from the last row of each");
            p.src[1] = -p.src[1] + 2 * item;
            p.src[0] = count * p.src[1];
            check_all(&p, "with gaps");
        }
}

Test(host_transpose, transposes_of_planes_that_lie_together)
{
    static const int64_t sides[][2] = {{50, 70}, {33, 79}, {49, 512}, {512, 49}, {130, 37}, {37, 64}};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            const int64_t rows = sides[i][0], columns = sides[i][1], size = rows * columns * item;
            struct test_pair p = {3, item, {3, columns, rows}, {size, rows * item, item}, {size, item, columns * item}};

            if (3 * size > ARENA / 2)
                continue;
            check_all(&p, "planes");
            p.src[2] = -p.src[2];
            check_all(&p, "planes, backwards");
            p.dst[0] += 7, p.src[0] += 64;
            check_all(&p, "planes that begin elsewhere");
        }
}

/* Several planes of such. */
Test(host_transpose, transposes_of_planes_of_long_rows)
{
    for (int64_t item = 2; item <= 16; item *= 2) {
        const int64_t rows = 128 / item + 5, columns = 4096 / item + 3, size = columns * rows * item;
        struct test_pair p = {3, item, {2, columns, rows}, {size, rows * item, item}, {size, item, columns * item}};

        check_all(&p, "planes");
        p.dst[1] += item, p.dst[0] = columns * p.dst[1] + 4;
        check_all(&p, "planes that begin elsewhere");
    }
}

/* Columns of which only those of two axes together are whole lines of the source. */
Test(host_transpose, transposes_of_axes_that_make_lines)
{
    for (int64_t item = 1; item <= 16; item *= 2)
        for (int64_t rows = 128 / item; rows <= 192 / item + 1; rows += 64 / item + 1) {
            const int64_t columns = 96 / item, size = whole_lines(rows * item);
            struct test_pair p = {
                3, item, {columns, 6, rows}, {6 * size, size, item}, {item, columns * item, 4096}};

            check_all(&p, "to lines");
            p.src[1] += 64;
            check_all(&p, "apart");
            p.src[1] -= 64, p.dst[0] = rows * item, p.dst[1] = columns * p.dst[0];
            check_all(&p, "to rows that follow each other");
            p.dst[0] += item, p.dst[1] = columns * p.dst[0] + 2 * item;
            check_all(&p, "to rows that begin anywhere");
            p.src[1] = -p.src[1];
            check_all(&p, "backwards");
        }
}

/* Not even together; pieces of the source are shorter than a page. */
Test(host_transpose, transposes_of_axes_that_make_no_lines)
{
    for (int64_t item = 1; item <= 16; item *= 2)
        for (int64_t columns = 32 / item + 3; columns <= 192 / item + 3; columns += 64 / item)
            for (int64_t other = 5; other <= 9; other += 4) {
                const int64_t rows = 320 / item, size = rows * item;
                struct test_pair p = {3, item, {columns, other, rows}, {other * size, size, item},
                                      {item, columns * item, columns * other * item}};

                check_all(&p, "no lines");
                p.src[2] += item;
                check_all(&p, "with gaps");
                p.dst[0] += 64;
                check_all(&p, "apart");
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

/* Short rows of the destination that follow each other, from runs of two axes. */
Test(host_transpose, transposes_to_short_rows)
{
    static const int32_t perm[] = {1, 3, 0, 4, 2};

    for (int64_t item = 1; item <= 16; item *= 2) {
        const int64_t shape[] = {2, 2, 192 / item, 3, 112};
        struct test_pair p = permuted(item, 5, shape, perm);

        check_all(&p, "short rows");
        p.src[0] = -p.src[0], p.src[4] = -p.src[4];
        check_all(&p, "short rows, backwards");
    }
}

/* Runs too short for tiles on both sides, or pixels of which few follow each other: by way of a buffer, in blocks. */
Test(host_transpose, transposes_of_short_runs)
{
    static const int64_t shapes[][4] = {{1, 2, 4500, 4}, {2, 5, 900, 7}, {3, 15, 301, 3}, {70, 37, 5, 3}, {37, 80, 3, 4},
                                        {9, 50, 33, 3}};
    static const int32_t perms[][4] = {{0, 3, 2, 1}, {3, 2, 0, 1}, {0, 3, 1, 2}, {3, 0, 2, 1}, {2, 3, 0, 1}};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int64_t item = 1 + (int64_t)i % 2; item <= 8; item *= 4)
            for (size_t k = 0; k < sizeof perms / sizeof *perms; k++) {
                struct test_pair p = permuted(item, 4, shapes[i], perms[k]);

                check_all(&p, "short runs");
                p.src[3] = -p.src[3], p.src[1] = -p.src[1];
                check_all(&p, "backwards");
            }
}

/* Several axes together are rows, or columns, of a block. */
Test(host_transpose, transposes_of_short_axes)
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
Test(host_transpose, transposes_of_axes_that_begin_anywhere)
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
Test(host_transpose, transposes_of_planes_that_are_pages_apart)
{
    static const int64_t shapes[][3] = {{32, 32, 32}, {32, 32, 31}, {31, 32, 32}, {16, 64, 18}};
    static const int32_t backwards[] = {2, 1, 0};

    for (int64_t item = 1; item <= 16; item *= 2)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const struct test_pair p = permuted(item, 3, shapes[i], backwards);

            check_all(&p, "planes");
        }
}

Test(host_transpose, transposes_without_memory)
{
    const struct test_pair lines = transpose(4, 128, 300, 512), long_rows = transpose(1, 1030, 990, 1030);
    const struct test_pair planes = {3, 4, {3, 70, 50}, {14000, 200, 4}, {14000, 4, 280}};
    const struct test_pair records = {3, 4, {900, 5, 3}, {60, 12, 4}, {60, 4, 20}};

    svi_alloc.allocate = no_memory;
    check_all(&lines, "lines without memory");
    check_all(&long_rows, "long rows without memory");
    check_all(&planes, "planes without memory");
    check_all(&records, "records without memory");
}

/* Rows of the source that end around the end of a line, apart from each other. */
Test(host_transpose, transposes_of_rows_that_end_anywhere)
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

/* Items of 12 and 24 bytes, of which some make three lines, and as many rows as leave each part of these over. */
Test(host_transpose, transposes_of_three_words)
{
    for (int64_t item = 12; item <= 24; item += 12)
        for (int64_t rows = 30; rows < 47; rows++) {
            const int64_t columns = 1600 / item + rows;
            struct test_pair p = {3, 1, {columns, rows, item}, {rows * item, item, 1}, {item, columns * item, 1}};

            check_all(&p, "dense");
            p.dst[0] += 8;
            p.src[1] = -p.src[1];
            check_all(&p, "apart, backwards");
        }
}

/* Items of 3, 6 and 12 bytes, around the sides of their tiles, with rows that have gaps behind them or not. */
Test(host_transpose, transposes_of_thirds)
{
    static const int64_t sides[] = {4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100};
    enum { SIDES = sizeof sides / sizeof *sides };

    for (int64_t item = 3; item <= 12; item *= 2)
        for (int i = 0; i < SIDES; i++)
            for (int j = 0; j < SIDES; j++) {
                struct test_pair p = transpose(item, sides[i], sides[j], sides[i] * item);

                check_all(&p, "dense");
                p.dst[0] += 5;
                p.src[1] += 1;
                check_all(&p, "with gaps");
                p.src[0] = -p.src[0];
                check_all(&p, "backwards");
                p.src[1] = -p.src[1];
                check_all(&p, "backwards, both");
            }
}

/* Planes of a few cache lines and of some more, among other short axes. */
Test(host_transpose, transposes_of_tiny_planes)
{
    for (int64_t item = 1; item <= 16; item *= 2)
        for (int64_t side = 2; side <= 9; side++) {
            const int64_t plane = side * side * item, cube = side * plane;
            struct test_pair p = {4, item, {side, side, 3, side}, {3 * plane, 3 * side * item, side * item, item},
                                  {item, plane, cube, side * item}};

            check_all(&p, "planes");
            p.dst[0] += 8 * item, p.src[1] += 8 * item, p.src[2] += 8 * side * item;
            check_all(&p, "planes with gaps");
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

Test(host_transpose, squares_in_place)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 12, 16, 24}, sides[] = {2, 7, 32, 33, 64, 90, 129};

    for (int m = 0; m < machine_count; m++)
        for (size_t i = 0; i < sizeof items / sizeof *items; i++)
            for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
                check_square(&machines[m], items[i], sides[k], 1 + (int64_t)k % 2);
}
