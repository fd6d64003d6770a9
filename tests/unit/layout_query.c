#include "layouts.h"

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

    for (int i = 0; i < 20000; i++) {
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
        cr_assert_eq(sv_layout_is_contiguous(layout, SV_ORDER_C), c, "case %d, C", i);
        cr_assert_eq(sv_layout_is_contiguous(layout, SV_ORDER_F), f, "case %d, F", i);
        cr_assert_eq(sv_layout_is_contiguous(layout, SV_ORDER_K), k, "case %d, K", i);
        seen[0] += c, seen[1] += f, seen[2] += k;

        cr_assert_eq(sv_layout_byte_bounds(layout, &lower, &upper), SV_OK);
        cr_assert_eq(lower, count == 0 ? 0 : least, "case %d", i);
        cr_assert_eq(upper, count == 0 ? 0 : most + itemsize, "case %d", i);
        nbytes = -1;
        cr_assert_eq(sv_layout_required_size(layout, &nbytes), lower < 0 ? SV_ERROR_LAYOUT : SV_OK, "case %d", i);
        cr_assert_eq(nbytes, lower < 0 ? -1 : upper, "case %d", i);
        sv_layout_release(turned);
        sv_layout_release(layout);
    }
    for (int k = 0; k < 3; k++)
        cr_assert(seen[k] > 1000 && seen[k] < 19000);
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
        sv_layout_release(other);
        sv_layout_release(layout);
    }

    cr_assert_eq(sv_layout_new(2, shape, NULL, 4, &layout), SV_OK);
    cr_assert_eq(sv_layout_slice(layout, 1, start, stop, NULL, &part), SV_OK);
    start[0] = 0, stop[0] = 1;
    cr_assert_eq(sv_layout_slice(layout, 1, start, stop, NULL, &other), SV_OK);
    cr_expect_eq(sv_layout_equal(part, other), 0, "offsets differ");
    sv_layout_release(other);
    sv_layout_release(part);
    sv_layout_release(layout);
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
