#include "support/layouts.h"

Test(layout_query, contiguous)
{
    static const struct {
        const char *name;
        int32_t ndim;
        int64_t shape[3], strides[3];
        int32_t c, f, k;
    } rows[] = {
        {"0-d", 0, {0}, {0}, 1, 1, 1},
        {"1-d", 1, {5}, {1}, 1, 1, 1},
        {"1-d with gaps", 1, {5}, {2}, 0, 0, 0},
        {"1-d reversed", 1, {5}, {-1}, 0, 0, 0},
        {"1-d of one element, any stride", 1, {1}, {-7}, 1, 1, 1},
        {"C", 3, {2, 3, 4}, {12, 4, 1}, 1, 0, 1},
        {"F", 3, {2, 3, 4}, {1, 2, 6}, 0, 1, 1},
        {"another order", 3, {2, 3, 4}, {4, 8, 1}, 0, 0, 1},
        {"reversed axis", 3, {2, 3, 4}, {12, -4, 1}, 0, 0, 0},
        {"broadcast", 3, {2, 3, 4}, {0, 4, 1}, 0, 0, 0},
        {"extents of 1 do not matter", 3, {1, 3, 1}, {100, 1, -5}, 1, 1, 1},
        {"gap between rows", 2, {2, 3}, {4, 1}, 0, 0, 0},
        {"empty", 2, {0, 3}, {-7, 100}, 1, 1, 1},
        {"equal strides", 2, {2, 2}, {1, 1}, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout;

        cr_assert_eq(sv_layout_new(rows[i].ndim, rows[i].shape, rows[i].strides, 4, &layout), SV_OK);
        cr_expect_eq(sv_layout_is_contiguous(layout, SV_ORDER_C), rows[i].c, "%s, C", rows[i].name);
        cr_expect_eq(sv_layout_is_contiguous(layout, SV_ORDER_F), rows[i].f, "%s, F", rows[i].name);
        cr_expect_eq(sv_layout_is_contiguous(layout, SV_ORDER_K), rows[i].k, "%s, K", rows[i].name);
        cr_expect_eq(sv_layout_is_contiguous(layout, SV_ORDER_AXES), 0, "%s", rows[i].name);
        cr_expect_eq(sv_layout_is_contiguous(layout, -1), 0, "%s", rows[i].name);
        sv_layout_release(layout);
    }
}

/* C: the offsets in C order follow one another. F: those of the reversed axes do. K: those of some order of them do. */
Test(layout_query, contiguous_and_bounds_against_brute_force)
{
    int seen[3] = {0};

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        static int64_t offsets[TEST_SIZE];
        sv_layout *layout = test_layout(5), *turned;
        int64_t lower, upper, least = INT64_MAX, most = INT64_MIN, count, itemsize = sv_layout_itemsize(layout), nbytes;
        bool c = true, f = true, k;

        cr_assert_eq(sv_layout_permute(layout, 0, NULL, &turned), SV_OK);
        count = test_offsets(turned, offsets);
        for (int64_t n = 1; n < count; n++)
            f = f && offsets[n] == offsets[n - 1] + itemsize;
        count = test_offsets(layout, offsets);
        for (int64_t n = 0; n < count; n++) {
            c = c && offsets[n] == offsets[0] + n * itemsize;
            least = offsets[n] < least ? offsets[n] : least;
            most = offsets[n] > most ? offsets[n] : most;
        }
        /* Dense: as many places as elements, none twice, and strides upwards. */
        k = count < 2 || (most - least) / itemsize + 1 == count;
        for (int64_t n = 0; n < count && k; n++) {
            k = offsets[n] >= offsets[0] && (offsets[n] - least) % itemsize == 0;
            for (int64_t m = 0; m < n && k; m++)
                k = offsets[m] != offsets[n];
        }
        cr_assert_eq(sv_layout_is_contiguous(layout, SV_ORDER_C), c, "C");
        cr_assert_eq(sv_layout_is_contiguous(layout, SV_ORDER_F), f, "F");
        cr_assert_eq(sv_layout_is_contiguous(layout, SV_ORDER_K), k, "K");
        seen[0] += c, seen[1] += f, seen[2] += k;

        cr_assert_eq(sv_layout_byte_bounds(layout, &lower, &upper), SV_OK);
        cr_assert_eq(lower, count == 0 ? 0 : least);
        cr_assert_eq(upper, count == 0 ? 0 : most + itemsize);
        nbytes = -1;
        cr_assert_eq(sv_layout_required_size(layout, &nbytes), lower < 0 ? SV_ERROR_LAYOUT : SV_OK);
        cr_assert_eq(nbytes, lower < 0 ? -1 : upper);
        sv_layout_release(turned);
        sv_layout_release(layout);
    }
    for (int k = 0; k < 3; k++)
        cr_assert(seen[k] > 1000 && seen[k] < test_cases() - 1000);
}

Test(layout_query, equal)
{
    static const struct {
        const char *name;
        int32_t ndim, other_ndim;
        int64_t shape[2], strides[2], itemsize, other_shape[2], other_strides[2], other_itemsize;
        int32_t equal;
    } rows[] = {
        {"same", 2, 2, {2, 3}, {3, 1}, 4, {2, 3}, {3, 1}, 4, 1},
        {"shape", 2, 2, {2, 3}, {3, 1}, 4, {3, 2}, {3, 1}, 4, 0},
        {"strides", 2, 2, {2, 3}, {3, 1}, 4, {2, 3}, {1, 2}, 4, 0},
        {"item size", 2, 2, {2, 3}, {0, 0}, 4, {2, 3}, {0, 0}, 8, 0},
        {"ndim", 1, 2, {2, 1}, {1, 1}, 4, {2, 1}, {1, 1}, 4, 0},
        {"stride of an extent of 1", 2, 2, {1, 3}, {3, 1}, 4, {1, 3}, {7, 1}, 4, 0},
        {"empty ones with other strides", 2, 2, {0, 3}, {3, 1}, 4, {0, 3}, {7, 0}, 4, 1},
        {"empty ones of other shapes", 2, 2, {0, 3}, {3, 1}, 4, {3, 0}, {3, 1}, 4, 0},
        {"0-d", 0, 0, {0}, {0}, 4, {0}, {0}, 4, 1},
    };
    int64_t shape[2] = {2, 3}, start[1] = {1}, stop[1] = {2};
    sv_layout *layout, *other, *part;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(sv_layout_new(rows[i].ndim, rows[i].shape, rows[i].strides, rows[i].itemsize, &layout), SV_OK);
        cr_assert_eq(sv_layout_new(rows[i].other_ndim, rows[i].other_shape, rows[i].other_strides,
                                   rows[i].other_itemsize, &other),
                     SV_OK);
        cr_expect_eq(sv_layout_equal(layout, other), rows[i].equal, "%s", rows[i].name);
        cr_expect_eq(sv_layout_equal(other, layout), rows[i].equal, "%s", rows[i].name);
        cr_expect_eq(sv_layout_hash(layout) == sv_layout_hash(other), rows[i].equal, "%s: hashes", rows[i].name);
        sv_layout_release(other);
        sv_layout_release(layout);
    }

    cr_assert_eq(sv_layout_new(2, shape, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_layout_slice(layout, 1, start, stop, NULL, &part), SV_OK);
    start[0] = 0, stop[0] = 1;
    cr_assert_eq(sv_layout_slice(layout, 1, start, stop, NULL, &other), SV_OK);
    cr_expect_eq(sv_layout_equal(part, other), 0, "offsets differ");
    cr_expect_neq(sv_layout_hash(part), sv_layout_hash(other), "offsets differ");
    sv_layout_release(other);
    sv_layout_release(part);
    sv_layout_release(layout);
}

/* Layouts that differ in one number, at either end of it, have different hashes. */
Test(layout_query, hashes_differ)
{
    enum { COUNT = 3000 };
    static uint64_t hashes[COUNT];

    for (int i = 0; i < COUNT; i++) {
        int64_t shape[3] = {2, 2, 1}, strides[3] = {1, 1, 1}, number = i / 4 - COUNT / 8;
        sv_layout *layout, *moved;

        if (i % 4 == 3)
            shape[2] = i + 1;
        else
            strides[i % 4] = i % 8 < 4 ? number * 4 : number + INT64_C(1) * number * 1000003 * 4096;
        if (i % 4 != 3 && strides[i % 4] == 1)
            strides[i % 4] = INT64_C(1) << 60;
        cr_assert_eq(sv_layout_new_bytes(3, shape, strides, 1, &layout), SV_OK);
        hashes[i] = sv_layout_hash(layout);
        cr_assert_eq(sv_layout_index(layout, 2, 0, &moved), SV_OK);
        cr_assert_neq(sv_layout_hash(moved), hashes[i]);
        sv_layout_release(moved);
        sv_layout_release(layout);
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++)
            cr_assert_neq(hashes[i], hashes[j], "cases %d and %d", i, j);
}

Test(layout_query, dense_within_and_alignment_against_brute_force)
{
    static int64_t offsets[TEST_SIZE];
    int dense = 0, aligned = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5);
        int64_t count = test_offsets(layout, offsets), address = test_between(0, 20) * 8, alignment = 0, lower, upper;
        uint64_t bits = UINT64_C(1) << 62;
        int32_t expected = sv_layout_is_contiguous(layout, SV_ORDER_K) && (count == 0 || offsets[0] == 0);

        cr_assert_eq(sv_layout_is_dense(layout), expected);
        cr_assert_eq(sv_layout_alignment(layout, (uintptr_t)address, &alignment), SV_OK);
        for (int64_t n = 0; n < count; n++)
            bits |= (uint64_t)(address + offsets[n]);
        cr_assert_eq((uint64_t)alignment, bits & -bits);
        sv_layout_byte_bounds(layout, &lower, &upper);
        cr_assert(sv_layout_is_within(layout, lower, upper));
        cr_assert(sv_layout_is_within(layout, INT64_MIN, INT64_MAX));
        cr_assert_eq(sv_layout_is_within(layout, lower + 1, upper), count == 0);
        cr_assert_eq(sv_layout_is_within(layout, lower, upper - 1), count == 0);
        dense += expected;
        aligned += alignment > 1 && count > 0;
        sv_layout_release(layout);
    }
    cr_expect(dense > 1000 && dense < test_cases() - 1000);
    cr_expect(aligned > 1000 && aligned < test_cases() - 1000);
}

Test(layout_query, alignment)
{
    static const struct {
        const char *text;
        uintptr_t address;
        int64_t alignment;
    } rows[] = {
        {"()*4", 0, INT64_C(1) << 62},
        {"()*4", 4096, 4096},
        {"()*4-8", 8, INT64_C(1) << 62},
        {"(3,):(-9223372036854775808,)*1+1", 1, 0}, /* does not fit */
        {"(2,):(-9223372036854775808,)*1", 0, INT64_C(1) << 62},
        {"(2, 1):(16, 3)b*1+32", 64, 16},
        {"(0, 3)*4+1", 3, INT64_C(1) << 62},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = NULL;
        int64_t alignment = 77;

        if (rows[i].alignment == 0) {
            cr_expect_eq(sv_layout_parse(rows[i].text, &layout), SV_ERROR_OVERFLOW);
            continue;
        }
        cr_assert_eq(sv_layout_parse(rows[i].text, &layout), SV_OK);
        cr_expect_eq(sv_layout_alignment(layout, rows[i].address, &alignment), SV_OK);
        cr_expect_eq(alignment, rows[i].alignment, "%s", rows[i].text);
        sv_layout_release(layout);
    }
}

Test(layout_query, max_itemsize)
{
    static const struct {
        const char *text;
        int64_t limit, address;
        int32_t axis;
        sv_status status;
        int64_t itemsize;
    } rows[] = {
        {"(12,)*4", 16, 0, -1, SV_OK, 16},
        {"(12,)*4", 12, 0, -1, SV_OK, 12},
        {"(4,)*3", 16, 0, -1, SV_OK, 3},
        {"(4,)*3", 24, 0, -1, SV_OK, 12},
        {"(3,)*4", 16, 0, 0, SV_OK, 4},
        {"(4,)*8", 16, 4, 0, SV_OK, 8},
        {"(4,)*4", 16, 8, 0, SV_OK, 8},
        {"(4, 2)*4", 16, 0, 0, SV_OK, 4},
        {"(2, 8):(10, 1)*2", 16, 0, 1, SV_OK, 4},
        {"(2, 8):(-12, 1)*2+24", 16, 0, 1, SV_OK, 8},
        {"(1, 8):(5, 1)b*1", 16, 0, 1, SV_OK, 8},
        {"(2, 1):(-9223372036854775808, 1)*1", 16, 0, -1, SV_OK, 1},
        {"(4, 0)*4", 16, 0, 0, SV_OK, 4},
        {"(5, 4)*8", 4, 0, -1, SV_ERROR_INVALID, 77},
        {"(5, 4)*4", 16, 0, 9, SV_ERROR_INDEX, 77},
        {"()*4", 16, 0, -1, SV_ERROR_INDEX, 77},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = NULL;
        int64_t itemsize = 77;

        cr_assert_eq(sv_layout_parse(rows[i].text, &layout), SV_OK);
        cr_expect_eq(sv_layout_max_itemsize(layout, rows[i].limit, (uintptr_t)rows[i].address, rows[i].axis, &itemsize),
                     rows[i].status, "%s", rows[i].text);
        cr_expect_eq(itemsize, rows[i].itemsize, "%s: %d", rows[i].text, (int)itemsize);
        sv_layout_release(layout);
    }
}

/* It is the largest divisor of the limit that repack takes. */
Test(layout_query, max_itemsize_is_what_repack_takes)
{
    int larger = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(4), *out;
        int64_t limit = test_between(0, 1) ? 16 : sv_layout_itemsize(layout) * test_between(1, 8), itemsize = 0;
        int64_t address = test_between(0, 1) ? 0 : sv_layout_itemsize(layout) * test_between(0, 8);
        int32_t axis = (int32_t)test_between(0, 3);
        int64_t best = sv_layout_itemsize(layout);

        if (axis >= sv_layout_ndim(layout) || limit < best || sv_layout_size(layout) == 0) {
            sv_layout_release(layout);
            continue;
        }
        cr_assert_eq(sv_layout_max_itemsize(layout, limit, (uintptr_t)address, axis, &itemsize), SV_OK);
        for (int64_t size = best + 1; size <= limit; size++) {
            if (limit % size != 0 || sv_layout_repack(layout, size, (uintptr_t)address, axis, 1, &out) != SV_OK)
                continue;
            best = size;
            sv_layout_release(out);
        }
        cr_assert_eq(itemsize, best, "%d, not %d", (int)itemsize, (int)best);
        larger += best > sv_layout_itemsize(layout);
        sv_layout_release(layout);
    }
    cr_expect_gt(larger, test_cases() / 70, "%d of %d", larger, test_cases());
}

Test(layout_query, null_arguments)
{
    int64_t value = 99;
    sv_layout *layout;

    cr_assert_eq(sv_layout_new(0, NULL, NULL, 1, &layout), SV_OK);
    cr_expect_eq(sv_layout_is_contiguous(NULL, SV_ORDER_C), 0);
    cr_expect_eq(sv_layout_byte_bounds(NULL, &value, &value), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_byte_bounds(layout, NULL, &value), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_byte_bounds(layout, &value, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_required_size(NULL, &value), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_required_size(layout, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_equal(NULL, layout), 0);
    cr_expect_eq(sv_layout_equal(layout, NULL), 0);
    cr_expect_eq(value, 99);
    sv_layout_release(layout);
}
