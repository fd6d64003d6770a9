#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sv.h"
#include "support/pairs.h"
#include "support/views.h"

enum { SOURCES = 40, NDIM = 4 };

/* A destination, the same again for what is expected, and sources beside each other in it. */
struct stack {
    int32_t ndim, axis;
    int64_t itemsize, count;
    int64_t shape[NDIM], strides[NDIM];
    sv_view *dst, *expected, *src[SOURCES];
    char *memory[2], *sources[SOURCES];
    int64_t nbytes;
};

/* Memory for a layout, of random bytes, and a view of it. */
static sv_view *new_array(int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, char **memory,
                          int64_t *nbytes)
{
    int64_t lower, upper;

    test_hull(ndim, shape, strides, itemsize, &lower, &upper);
    *nbytes = upper - lower;
    *memory = malloc((size_t)*nbytes + 1);
    for (int64_t i = 0; i < *nbytes; i++)
        (*memory)[i] = (char)test_mix((uint64_t)i + (uint64_t)(uintptr_t)*memory);
    return test_view(*memory - lower, ndim, shape, strides, itemsize, 0);
}

/* most: elements along axes but the stacked one. */
static void make_stack(struct stack *s, int64_t most)
{
    static const int64_t itemsizes[] = {1, 2, 3, 4, 8, 12, 16, 40};
    int64_t nbytes;

    s->ndim = (int32_t)test_between(1, NDIM);
    s->axis = (int32_t)test_between(0, s->ndim - 1);
    s->itemsize = itemsizes[test_between(0, 7)];
    s->count = test_between(0, 2) ? test_between(1, SOURCES) : test_between(1, 5);
    s->shape[s->axis] = 0;
    for (int32_t k = 0; k < s->ndim; k++)
        if (k != s->axis) {
            s->shape[k] = test_between(0, 9) == 0 ? test_between(0, 1) : test_between(1, most);
            most = most / (s->shape[k] > 0 ? s->shape[k] : 1) + 1;
        }
    for (int64_t i = 0; i < s->count; i++) {
        const bool lacks = test_between(0, 1) == 0;
        int64_t shape[NDIM], strides[NDIM];
        int32_t ndim = 0;

        for (int32_t k = 0; k < s->ndim; k++)
            if (k != s->axis || !lacks)
                shape[ndim++] = k == s->axis ? test_between(0, 5) == 0 ? test_between(0, 40) : test_between(1, 2)
                                             : s->shape[k];
        s->shape[s->axis] += lacks ? 1 : shape[s->axis];
        test_spread(ndim, shape, s->itemsize, strides);
        if (test_between(0, 5) == 0 && ndim > 0)
            strides[test_between(0, ndim - 1)] = 0; /* repeated */
        s->src[i] = new_array(ndim, shape, strides, s->itemsize, &s->sources[i], &nbytes);
    }
    test_spread(s->ndim, s->shape, s->itemsize, s->strides);
    s->dst = new_array(s->ndim, s->shape, s->strides, s->itemsize, &s->memory[0], &s->nbytes);
    s->expected = new_array(s->ndim, s->shape, s->strides, s->itemsize, &s->memory[1], &s->nbytes);
    memcpy(s->memory[0], s->memory[1], (size_t)s->nbytes);
}

static void end_stack(struct stack *s)
{
    for (int64_t i = 0; i < s->count; i++) {
        sv_view_release(s->src[i]);
        free(s->sources[i]);
    }
    sv_view_release(s->dst);
    sv_view_release(s->expected);
    free(s->memory[0]);
    free(s->memory[1]);
}

/* One by one: each source, with the axis, to a slice. */
static void copy_one_by_one(const struct stack *s)
{
    int64_t place = 0;

    for (int64_t i = 0; i < s->count; i++) {
        const sv_layout *layout = sv_view_layout(s->src[i]);
        const bool lacks = sv_layout_ndim(layout) < s->ndim;
        int64_t start[NDIM] = {0}, stop[NDIM];
        sv_layout *whole = NULL;
        sv_view *part = NULL, *source = NULL;

        if (lacks)
            cr_assert_eq(sv_layout_unsqueeze(layout, 1, &s->axis, &whole), SV_OK);
        else
            whole = sv_layout_retain(layout);
        cr_assert_eq(sv_view_with_layout(s->src[i], whole, &source), SV_OK);
        for (int32_t k = 0; k < s->ndim; k++)
            stop[k] = s->shape[k];
        start[s->axis] = place;
        place += sv_layout_shape(whole)[s->axis];
        stop[s->axis] = place;
        cr_assert_eq(sv_view_slice(s->expected, s->ndim, start, stop, NULL, &part), SV_OK);
        cr_assert_eq(sv_copy(part, source, 0, 0), SV_OK, "%s", sv_last_message());
        sv_view_release(part);
        sv_view_release(source);
        sv_layout_release(whole);
    }
}

Test(stack, random_stacks_are_copies_one_by_one)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases() / 50); round++) {
        struct stack s;
        int64_t failed = -5;

        make_stack(&s, round % 8 ? 100 : 20000);
        copy_one_by_one(&s);
        cr_assert_eq(sv_copy_stack(s.dst, round % 3 ? s.axis : s.axis - s.ndim, s.count, s.src, 0, 0, &failed), SV_OK,
                     "%s", sv_last_message());
        cr_assert_eq(failed, -5);
        cr_assert_eq(memcmp(s.memory[0], s.memory[1], (size_t)s.nbytes), 0, "%d sources", (int)s.count);
        end_stack(&s);
    }
}

/* --- without memory for the buffer ------------------------------------------- */

static struct svi_alloc usual;

static void *allocate_small(size_t nbytes)
{
    return nbytes > 100000 ? NULL : usual.allocate(nbytes);
}

Test(stack, without_memory_sources_are_copied_one_by_one)
{
    enum { ROWS = 5000, COLUMNS = 6 };
    static uint16_t columns[COLUMNS][ROWS], matrix[ROWS][COLUMNS];
    const int64_t rows = ROWS, shape[] = {ROWS, COLUMNS};
    sv_view *src[COLUMNS], *dst = NULL;

    for (int i = 0; i < ROWS * COLUMNS; i++)
        columns[i / ROWS][i % ROWS] = (uint16_t)(i * 7);
    cr_assert_eq(sv_view_from_host(SV_UINT16, 2, shape, NULL, matrix, 0, &dst), SV_OK);
    for (int k = 0; k < COLUMNS; k++)
        cr_assert_eq(sv_view_from_host(SV_UINT16, 1, &rows, NULL, columns[k], 0, &src[k]), SV_OK);
    for (int limited = 1; limited >= 0; limited--) {
        memset(matrix, 0, sizeof matrix);
        usual = svi_alloc;
        if (limited)
            svi_alloc.allocate = allocate_small;
        cr_expect_eq(sv_copy_stack(dst, 1, COLUMNS, src, 0, 0, NULL), SV_OK, "%s", sv_last_message());
        svi_alloc = usual;
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < COLUMNS; k++)
                cr_assert_eq(matrix[i][k], columns[k][i]);
    }
    for (int k = 0; k < COLUMNS; k++)
        sv_view_release(src[k]);
    sv_view_release(dst);
}

/* --- conversions ------------------------------------------------------------- */

/* Columns of several types to the rows of a matrix, and with the bytes of each in the other order. */
Test(stack, elements_are_converted)
{
    enum { ROWS = 9001, COLUMNS = 7 };
    static double doubles[ROWS];
    static int16_t shorts[ROWS];
    static float matrix[ROWS][COLUMNS], swapped[ROWS][4], *column;
    const int64_t rows = ROWS, shape[] = {ROWS, COLUMNS}, narrow[] = {ROWS, 4};
    sv_view *src[COLUMNS], *dst = NULL, *other = NULL, *again[4];

    for (int i = 0; i < ROWS; i++) {
        doubles[i] = i * .5;
        shorts[i] = (int16_t)-i;
    }
    cr_assert_eq(sv_view_from_host(SV_FLOAT32, 2, shape, NULL, matrix, 0, &dst), SV_OK);
    for (int k = 0; k < COLUMNS; k++)
        cr_assert_eq(sv_view_from_host(k % 3 ? SV_FLOAT64 : SV_INT16, 1, &rows, NULL, k % 3 ? (void *)doubles : shorts,
                                       SV_READ_ONLY, &src[k]), SV_OK);
    cr_assert_eq(sv_copy_stack(dst, 1, COLUMNS, src, SV_COPY_CAST, 0, NULL), SV_OK, "%s", sv_last_message());
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++)
            cr_assert_eq(matrix[i][k], k % 3 ? (float)doubles[i] : (float)shorts[i]);
    cr_expect_eq(sv_copy_stack(dst, 1, COLUMNS, src, 0, 0, NULL), SV_ERROR_DTYPE);

    column = &matrix[0][0];
    cr_assert_eq(sv_view_from_host(SV_FLOAT32, 2, narrow, NULL, swapped, 0, &other), SV_OK);
    for (int k = 0; k < 4; k++)
        cr_assert_eq(sv_view_from_host(SV_FLOAT32, 1, &rows, NULL, column + k, SV_READ_ONLY, &again[k]), SV_OK);
    cr_assert_eq(sv_copy_stack(other, 1, 4, again, SV_COPY_SWAP, 0, NULL), SV_OK, "%s", sv_last_message());
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 4; k++) {
            unsigned char from[4], to[4];

            memcpy(from, column + k + i, 4);
            memcpy(to, &swapped[i][k], 4);
            cr_assert(from[0] == to[3] && from[1] == to[2] && from[2] == to[1] && from[3] == to[0]);
        }
    for (int k = 0; k < COLUMNS; k++)
        sv_view_release(src[k]);
    for (int k = 0; k < 4; k++)
        sv_view_release(again[k]);
    sv_view_release(dst);
    sv_view_release(other);
}

/* --- sources within the destination ------------------------------------------- */

/* They are copied in order, as a batch is. */
Test(stack, sources_may_share_bytes_with_the_destination)
{
    enum { ROWS = 3000, COLUMNS = 8 };
    static int32_t matrix[ROWS][COLUMNS], expected[ROWS][COLUMNS];
    const int64_t rows = ROWS, shape[] = {ROWS, COLUMNS}, strides[] = {sizeof *matrix};
    sv_view *src[COLUMNS], *dst = NULL;

    for (int i = 0; i < ROWS * COLUMNS; i++)
        matrix[i / COLUMNS][i % COLUMNS] = expected[i / COLUMNS][i % COLUMNS] = i;
    cr_assert_eq(sv_view_from_host(SV_INT32, 2, shape, NULL, matrix, 0, &dst), SV_OK);
    for (int k = 0; k < COLUMNS; k++)
        cr_assert_eq(sv_view_from_host(SV_INT32, 1, &rows, strides, &matrix[0][(k * 5 + 1) % COLUMNS], 0, &src[k]),
                     SV_OK);
    cr_assert_eq(sv_copy_stack(dst, -1, COLUMNS, src, 0, 0, NULL), SV_OK, "%s", sv_last_message());
    for (int k = 0; k < COLUMNS; k++)
        for (int i = 0; i < ROWS; i++)
            expected[i][k] = expected[i][(k * 5 + 1) % COLUMNS];
    cr_assert_arr_eq(matrix, expected, sizeof matrix);
    for (int k = 0; k < COLUMNS; k++)
        sv_view_release(src[k]);
    sv_view_release(dst);
}

/* --- refusals ----------------------------------------------------------------- */

static sv_view *bytes_of(char *memory, int32_t ndim, int64_t first, int64_t second, uint32_t flags)
{
    const int64_t shape[] = {first, second}, strides[] = {second, 1};

    return test_view(memory, ndim, ndim == 1 ? &shape[1] : shape, ndim == 1 ? &strides[1] : strides, 1, flags);
}

Test(stack, all_is_checked_first)
{
    char to[12], from[12];
    sv_view *dst = bytes_of(to, 2, 3, 4, 0), *readonly = bytes_of(to, 2, 3, 4, SV_READ_ONLY);
    sv_view *row = bytes_of(from, 1, 0, 4, 0), *two = bytes_of(from, 2, 2, 4, 0), *none = bytes_of(from, 2, 0, 4, 0);
    sv_view *other = bytes_of(from, 1, 0, 3, 0), *wide = bytes_of(from, 2, 1, 3, 0), *single = NULL, *cube = NULL;
    const int64_t three[] = {1, 1, 4}, steps[] = {4, 4, 1};
    const int32_t axis = 0;
    const struct {
        const char *name;
        sv_view *dst;
        int32_t axis;
        int64_t count;
        sv_view *src[4];
        uint32_t flags;
        sv_status status;
        int64_t failed; /* -5: no source is named */
    } rows[] = {
        {"rows", dst, 0, 3, {row, row, row}, 0, SV_OK, -5},
        {"a row and two", dst, -2, 2, {row, two}, 0, SV_OK, -5},
        {"one of no rows", dst, 0, 3, {none, two, row}, 0, SV_OK, -5},
        {"too few", dst, 0, 2, {row, row}, 0, SV_ERROR_LAYOUT, -5},
        {"none", dst, 0, 0, {NULL}, 0, SV_ERROR_LAYOUT, -5},
        {"too many", dst, 0, 4, {row, row, row, row}, 0, SV_ERROR_LAYOUT, 3},
        {"too long", dst, 0, 2, {two, two}, 0, SV_ERROR_LAYOUT, 1},
        {"other extent", dst, 0, 3, {row, other, row}, 0, SV_ERROR_LAYOUT, 1},
        {"other extent of two axes", dst, 0, 2, {two, wide}, 0, SV_ERROR_LAYOUT, 1},
        {"too many axes", dst, 0, 3, {(sv_view *)1, row, row}, 0, SV_ERROR_LAYOUT, 0},
        {"NULL", dst, 0, 3, {row, NULL, row}, 0, SV_ERROR_NULL, 1},
        {"no destination", NULL, 0, 3, {row, row, row}, 0, SV_ERROR_NULL, -5},
        {"read-only", readonly, 0, 3, {row, row, row}, 0, SV_ERROR_READ_ONLY, 0},
        {"no such axis", dst, 2, 3, {row, row, row}, 0, SV_ERROR_INDEX, -5},
        {"no such axis from behind", dst, -3, 3, {row, row, row}, 0, SV_ERROR_INDEX, -5},
        {"negative count", dst, 0, -1, {row}, 0, SV_ERROR_INVALID, -5},
        {"unknown flag", dst, 0, 3, {row, row, row}, 1u << 20, SV_ERROR_INVALID, 0},
    };

    memset(from, 'x', sizeof from);
    cube = test_view(from, 3, three, steps, 1, 0);
    cr_assert_eq(sv_view_index(row, 0, 0, &single), SV_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t failed = -5;
        sv_view *src[4];

        for (int k = 0; k < 4; k++)
            src[k] = rows[i].src[k] == (sv_view *)1 ? cube : rows[i].src[k];
        memset(to, '.', sizeof to);
        cr_expect_eq(sv_copy_stack(rows[i].dst, rows[i].axis, rows[i].count, src, rows[i].flags, 0, &failed),
                     rows[i].status, "%s: %s", rows[i].name, sv_last_message());
        cr_expect_eq(failed, rows[i].failed, "%s: %d", rows[i].name, (int)failed);
        cr_expect_eq(memcmp(to, rows[i].status == SV_OK ? "xxxxxxxxxxxx" : "............", 12), 0, "%s", rows[i].name);
    }
    cr_expect_eq(sv_copy_stack(dst, 0, 3, NULL, 0, 0, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_copy_stack(single, 0, 0, NULL, 0, 0, NULL), SV_ERROR_INDEX, "of no axes");
    cr_expect_eq(sv_copy_stack(none, axis, 0, NULL, 0, 0, NULL), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_copy_stack(row, axis, 4, (sv_view *[]){single, single, single, single}, SV_COPY_NO_TEMP, 0, NULL),
                 SV_OK, "%s", sv_last_message());
    sv_view_release(dst);
    sv_view_release(readonly);
    sv_view_release(row);
    sv_view_release(two);
    sv_view_release(none);
    sv_view_release(other);
    sv_view_release(wide);
    sv_view_release(single);
    sv_view_release(cube);
}
