/* What two layouts have in common: a shape, a permutation, a walk over the same bytes. */
#include "support/layouts.h"

static sv_layout *permuted(const sv_layout *layout, const int32_t *axes)
{
    sv_layout *out = NULL;

    cr_assert_eq(sv_layout_permute(layout, sv_layout_ndim(layout), axes, &out), SV_OK);
    return out;
}

/* --- shapes -------------------------------------------------------------- */

Test(layout_pair, broadcast_shape)
{
    static const struct {
        const char *layout, *other;
        int32_t ndim; /* -1: refused */
        int64_t shape[4];
    } rows[] = {
        {"()*1", "()*1", 0, {0}},
        {"()*1", "(3,)*1", 1, {3}},
        {"(4, 1)*1", "(3,)*1", 2, {4, 3}},
        {"(2, 1, 5)*1", "(7, 1)*1", 3, {2, 7, 5}},
        {"(1,)*1", "(0,)*1", 1, {0}},
        {"(2, 0)*1", "(2, 1)*1", 2, {2, 0}},
        {"(3,)*1", "(4,)*1", -1, {0}},
        {"(3,)*1", "(0,)*1", -1, {0}},
        {"(2, 3)*1", "(3, 2)*1", -1, {0}},
        {"(9223372036854775807, 1)*1", "(9223372036854775807,)*1", 2, {INT64_MAX, INT64_MAX}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = test_parse(rows[i].layout), *other = test_parse(rows[i].other);

        for (int turn = 0; turn < 2; turn++) {
            int64_t shape[SV_MAX_NDIM] = {77};
            int32_t ndim = 77;
            sv_status status = sv_layout_broadcast_shape(turn ? other : layout, turn ? layout : other, &ndim, shape);

            if (rows[i].ndim < 0) {
                cr_expect_eq(status, SV_ERROR_LAYOUT, "%s, %s", rows[i].layout, rows[i].other);
                cr_expect(ndim == 77 && shape[0] == 77, "%s, %s: written", rows[i].layout, rows[i].other);
            } else {
                cr_expect_eq(status, SV_OK, "%s, %s", rows[i].layout, rows[i].other);
                cr_expect_eq(ndim, rows[i].ndim, "%s, %s", rows[i].layout, rows[i].other);
                cr_expect_arr_eq(shape, rows[i].shape, (size_t)ndim * sizeof *shape, "%s, %s", rows[i].layout,
                                 rows[i].other);
            }
        }
        sv_layout_release(other);
        sv_layout_release(layout);
    }
}

/* Both broadcast to the shape, and to none that is smaller. */
Test(layout_pair, broadcast_shape_is_one_both_reach)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        sv_layout *whole = test_layout(5), *layout = test_narrower(whole), *other = test_narrower(whole), *out;
        int64_t shape[SV_MAX_NDIM];
        int32_t ndim;

        cr_assert_eq(sv_layout_broadcast_shape(layout, other, &ndim, shape), SV_OK);
        cr_assert_eq(sv_layout_broadcast(layout, ndim, shape, &out), SV_OK);
        sv_layout_release(out);
        cr_assert_eq(sv_layout_broadcast(other, ndim, shape, &out), SV_OK);
        sv_layout_release(out);
        cr_assert_leq(ndim, sv_layout_ndim(whole));
        for (int32_t k = 0; k < ndim; k++) {
            int32_t a = sv_layout_ndim(layout) - ndim + k, b = sv_layout_ndim(other) - ndim + k;
            bool from_a = a >= 0 && sv_layout_shape(layout)[a] == shape[k];

            cr_assert(from_a || (b >= 0 && sv_layout_shape(other)[b] == shape[k]), "axis %d", k);
        }
        sv_layout_release(other);
        sv_layout_release(layout);
        sv_layout_release(whole);
    }
}

Test(layout_pair, permutation_is_found)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        sv_layout *layout = test_layout(6), *other, *back;
        int32_t axes[SV_MAX_NDIM], found[SV_MAX_NDIM];

        test_shuffle(sv_layout_ndim(layout), axes);
        other = permuted(layout, axes);
        cr_assert_eq(sv_layout_permutation(layout, other, found), SV_OK, "%s", sv_last_message());
        back = permuted(layout, found);
        cr_assert(sv_layout_equal(back, other));
        sv_layout_release(back);
        sv_layout_release(other);
        sv_layout_release(layout);
    }
}

Test(layout_pair, permutation)
{
    static const struct {
        const char *layout, *other;
        int32_t count; /* -1: none */
        int32_t axes[3];
    } rows[] = {
        {"()*4", "()*4", 0, {0}},
        {"(2, 3)*4", "(3, 2):(1, 3)*4", 2, {1, 0}},
        {"(2, 2, 2):(1, 1, 1)*4", "(2, 2, 2):(1, 1, 1)*4", 3, {0, 1, 2}},
        {"(2, 3, 2):(0, 5, 0)*4", "(3, 2, 2):(5, 0, 0)*4", 3, {1, 0, 2}},
        {"(2, 0, 3):(7, 7, 7)*4+4", "(0, 3, 2)*4", 3, {1, 2, 0}},
        {"(2, 3)*4", "(2, 3)*8", -1, {0}},
        {"(2, 3)*4", "(2, 3)*4+4", -1, {0}},
        {"(2, 3)*4", "(2, 3, 1)*4", -1, {0}},
        {"(2, 3)*4", "(3, 2)*4", -1, {0}},
        {"(2, 2):(1, 2)*4", "(2, 2):(1, 1)*4", -1, {0}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = test_parse(rows[i].layout), *other = test_parse(rows[i].other);
        int32_t axes[SV_MAX_NDIM] = {77};
        sv_status status = sv_layout_permutation(layout, other, axes);

        cr_expect_eq(status, rows[i].count < 0 ? SV_ERROR_LAYOUT : SV_OK, "%s, %s", rows[i].layout, rows[i].other);
        if (rows[i].count < 0)
            cr_expect_eq(axes[0], 77, "%s, %s: written", rows[i].layout, rows[i].other);
        else
            cr_expect_arr_eq(axes, rows[i].axes, (size_t)rows[i].count * sizeof *axes, "%s, %s", rows[i].layout,
                             rows[i].other);
        sv_layout_release(other);
        sv_layout_release(layout);
    }
}

/* --- the walk in C order ------------------------------------------------- */

/* The bytes in the order of the walk. Returns their number. */
static int64_t bytes_of(const sv_layout *layout, int64_t *out)
{
    static int64_t offsets[TEST_SIZE];
    int64_t count = test_offsets(layout, offsets), bytes = 0;

    for (int64_t i = 0; i < count; i++)
        for (int64_t b = 0; b < sv_layout_itemsize(layout); b++)
            out[bytes++] = offsets[i] + b;
    return bytes;
}

static bool same_bytes(const sv_layout *layout, const sv_layout *other)
{
    static int64_t bytes[TEST_SIZE * 24], others[TEST_SIZE * 24];
    int64_t count = bytes_of(layout, bytes);

    return bytes_of(other, others) == count && memcmp(bytes, others, (size_t)count * sizeof *bytes) == 0;
}

/* Another layout that often walks as the first does: joined, split, of other items, repeated, or with an axis moved. */
static sv_layout *relative(const sv_layout *layout)
{
    int32_t ndim = sv_layout_ndim(layout), axes[8];
    sv_layout *out = NULL;

    switch (test_between(0, 4)) {
    case 0:
        cr_assert_eq(sv_layout_flatten(layout, 0, -1, &out), SV_OK);
        break;
    case 1:
        test_shuffle(ndim, axes);
        out = permuted(layout, axes);
        break;
    case 2:
        if (ndim == 0 || sv_layout_nbytes(layout) >= TEST_SIZE ||
            sv_layout_repack(layout, 1, 0, ndim - 1, 1, &out) != SV_OK)
            out = sv_layout_retain(layout);
        break;
    case 3:
        cr_assert_eq(sv_layout_squeeze(layout, 0, NULL, &out), SV_OK);
        break;
    default:
        out = test_layout(2);
        break;
    }
    return out;
}

Test(layout_pair, same_bytes_against_brute_force)
{
    int seen[2] = {0};

    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        sv_layout *layout = test_layout(5), *other = relative(layout);
        bool expected = same_bytes(layout, other);

        cr_assert_eq(sv_layout_same_bytes(layout, other), expected, "not %d", expected);
        cr_assert_eq(sv_layout_same_bytes(other, layout), expected, "the other way: not %d", expected);
        seen[expected]++;
        sv_layout_release(other);
        sv_layout_release(layout);
    }
    cr_expect(seen[0] > 1000 && seen[1] > 1000, "%d no, %d yes", seen[0], seen[1]);
}

Test(layout_pair, same_bytes)
{
    static const struct {
        const char *layout, *other;
        int32_t same;
    } rows[] = {
        {"(2, 3)*4", "(6,)*4", 1},
        {"(2, 3)*4", "(24,)*1", 1},
        {"(2, 3)*4", "(2, 6)*2", 1},
        {"(2, 3):(0, 0)*4", "(3, 2):(0, 0)*4", 1},
        {"(2, 3):(-3, -1)*4+20", "(6,):(-1,)*4+20", 1},
        {"(2, 3):(-3, -1)*1+5", "(6,):(-1,)*1+5", 1},
        {"(2, 3):(1, 2)*4", "(6,)*4", 0},
        {"(6,):(-1,)*4+20", "(6,)*4", 0},
        {"(6,)*4+4", "(6,)*4", 0},
        {"(6,)*4", "(5,)*4", 0},
        {"(0, 3)*4+4", "(0,)*2", 1},
        {"(0, 3)*4", "()*4", 0},
        {"(2,):(-9223372036854775808,)*1", "(2, 1):(-9223372036854775808, 1)*1", 1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = test_parse(rows[i].layout), *other = test_parse(rows[i].other);

        cr_expect_eq(sv_layout_same_bytes(layout, other), rows[i].same, "%s, %s", rows[i].layout, rows[i].other);
        cr_expect_eq(sv_layout_same_bytes(other, layout), rows[i].same, "%s, %s", rows[i].other, rows[i].layout);
        sv_layout_release(other);
        sv_layout_release(layout);
    }
}

Test(layout_pair, sixty_four_axes)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM], ignored[SV_MAX_NDIM];
    int32_t axes[SV_MAX_NDIM], found[SV_MAX_NDIM], ndim;
    sv_layout *layout, *other, *dst_out, *src_out;

    for (int32_t k = 0; k < SV_MAX_NDIM; k++) {
        shape[k] = k % 8 == 3 ? 2 : 1;
        strides[k] = k % 8 == 3 ? INT64_C(3) << k / 8 : k;
        axes[k] = SV_MAX_NDIM - 1 - k;
    }
    cr_assert_eq(sv_layout_new(SV_MAX_NDIM, shape, strides, 2, &layout), SV_OK);
    other = permuted(layout, axes);
    cr_expect_eq(sv_layout_permutation(layout, other, found), SV_OK);
    cr_expect_arr_eq(found, axes, sizeof axes);
    cr_expect_eq(sv_layout_broadcast_shape(layout, layout, &ndim, ignored), SV_OK);
    cr_expect_eq(ndim, SV_MAX_NDIM);
    cr_expect_eq(sv_layout_same_bytes(layout, other), 0);
    cr_assert_eq(sv_layout_common(layout, layout, &dst_out, &src_out), SV_OK);
    cr_expect_eq(sv_layout_ndim(dst_out), 1);
    cr_expect(sv_layout_equal(dst_out, src_out));
    sv_layout_release(src_out);
    sv_layout_release(dst_out);
    sv_layout_release(other);
    sv_layout_release(layout);
}
