#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "overlap/overlap.h"
#include "support/pairs.h"

static sv_layout *make(int32_t ndim, const int64_t *shape, const int64_t *byte_strides, int64_t itemsize)
{
    sv_layout *layout = NULL;

    cr_assert_eq(sv_layout_new_bytes(ndim, shape, byte_strides, itemsize, &layout), SV_OK, "%s", sv_last_message());
    return layout;
}

struct row {
    const char *name;
    int32_t ndim;
    int64_t shape[6], strides[6], itemsize;
    int32_t answer;
};

Test(overlap, one_layout)
{
    static const struct row rows[] = {
        {"0-d", 0, {0}, {0}, 8, SV_NO},
        {"dense", 3, {4, 5, 6}, {120, 24, 4}, 4, SV_NO},
        {"permuted", 3, {6, 4, 5}, {4, 120, 24}, 4, SV_NO},
        {"reversed", 2, {4, 5}, {-20, -4}, 4, SV_NO},
        {"gaps", 2, {4, 5}, {1000, 8}, 4, SV_NO},
        {"empty with stride 0", 2, {0, 5}, {0, 0}, 4, SV_NO},
        {"extent of 1 with stride 0", 2, {1, 5}, {0, 4}, 4, SV_NO},
        {"broadcast", 2, {3, 5}, {0, 4}, 4, SV_YES},
        {"equal strides", 2, {2, 2}, {4, 4}, 4, SV_YES},
        {"opposite strides", 2, {2, 2}, {4, -4}, 4, SV_YES},
        {"neighbours share a byte", 1, {2}, {3}, 4, SV_YES},
        {"neighbours do not", 1, {2}, {4}, 4, SV_NO},
        {"windows", 2, {5, 3}, {4, 4}, 4, SV_YES},
        {"2 x 3 by 3 and 2: unique, though not nested", 2, {2, 3}, {12, 8}, 4, SV_NO},
        {"3 x 4 by 3 and 2", 2, {3, 4}, {12, 8}, 4, SV_YES},
        {"items of a byte more", 2, {2, 3}, {12, 8}, 5, SV_YES},
        {"coprime", 3, {7, 5, 3}, {15, 21, 35}, 1, SV_NO},
        {"coprime, one too long", 3, {8, 6, 3}, {15, 21, 35}, 1, SV_YES},
        {"most negative stride", 1, {2}, {INT64_MIN}, 1, SV_NO},
        {"whole range", 2, {2, 2}, {INT64_MIN, INT64_MAX - 1}, 1, SV_NO},
        {"huge and nested", 2, {2, 2}, {INT64_C(1) << 61, (INT64_C(1) << 61) + 1}, 1, SV_NO},
        {"huge and equal", 2, {2, 2}, {INT64_C(1) << 61, -(INT64_C(1) << 61)}, 1, SV_YES},
        {"huge with a common factor", 2, {2, 3}, {INT64_C(3) << 59, INT64_C(2) << 59}, 1, SV_NO},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout = make(rows[i].ndim, rows[i].shape, rows[i].strides, rows[i].itemsize);
        sv_answer answer = svi_overlap_self(layout, SVI_OVERLAP_WORK);

        cr_expect_eq(answer, rows[i].answer, "%s: %d", rows[i].name, answer);
        sv_layout_release(layout);
    }
}

static int64_t below(int64_t limit) { return test_between(0, limit - 1); }

/* A layout of few elements with strides that make it interesting. */
static sv_layout *random_layout(int32_t max_ndim)
{
    int64_t shape[6], strides[6], itemsize = below(3) == 0 ? 1 + below(24) : 1 + below(4);
    int64_t unit = below(2) ? itemsize : 1;
    int32_t ndim = (int32_t)below(max_ndim + 1);

    for (int32_t i = 0; i < ndim; i++) {
        shape[i] = below(40) == 0 ? 0 : 1 + below(ndim > 4 ? 3 : 5);
        strides[i] = unit * (below(2) ? below(20) : below(150)) * (below(3) ? 1 : -1);
    }
    return make(ndim, shape, strides, itemsize);
}

/* Adds 1 to the count of each byte of each element. bytes[0] is the lower bound of the layout. */
static void count_bytes(const sv_layout *layout, uint8_t *bytes)
{
    int64_t index[SV_MAX_NDIM] = {0};

    for (int64_t n = 0; n < sv_layout_size(layout); n++) {
        int64_t at = sv_layout_byte_offset(layout) - layout->extent.lower;
        for (int32_t i = 0; i < layout->ndim; i++)
            at += index[i] * svi_layout_byte_strides(layout)[i];
        for (int64_t k = 0; k < layout->itemsize; k++)
            bytes[at + k]++;
        for (int32_t i = layout->ndim - 1; i >= 0 && ++index[i] == svi_layout_shape(layout)[i]; i--)
            index[i] = 0;
    }
}

enum { SPAN = 1 << 16 }; /* bytes between the bounds of a random layout at most */

Test(overlap, one_layout_against_brute_force)
{
    int32_t seen[3] = {0};

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        static uint8_t bytes[SPAN];
        sv_layout *layout = random_layout(6);
        int64_t span = layout->extent.upper - layout->extent.lower;
        int32_t expected = SV_NO, answer = svi_overlap_self(layout, SVI_OVERLAP_WORK);

        memset(bytes, 0, (size_t)span);
        count_bytes(layout, bytes);
        for (int64_t k = 0; k < span; k++)
            if (bytes[k] > 1)
                expected = SV_YES;
        cr_assert_eq(answer, expected, "%d, not %d", answer, expected);
        answer = svi_overlap_self(layout, below(20));
        cr_assert(answer == expected || answer == SV_MAYBE, "with little work");
        seen[expected]++;
        sv_layout_release(layout);
    }
    cr_assert_gt(seen[SV_NO], 1000);
    cr_assert_gt(seen[SV_YES], 1000);
}

Test(overlap, two_layouts_against_brute_force)
{
    int32_t seen[3] = {0};

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        static uint8_t bytes[SPAN], other_bytes[SPAN];
        sv_layout *layout = random_layout(4), *other = below(3) ? random_layout(4) : sv_layout_retain(layout);
        int64_t span = layout->extent.upper - layout->extent.lower;
        int64_t other_span = other->extent.upper - other->extent.lower;
        int64_t shift = below(span + other_span + 20) - other_span - 10; /* from one lower bound to the other */
        uintptr_t base = 1000000, other_base = base + (uintptr_t)(shift + layout->extent.lower - other->extent.lower);
        int32_t expected = SV_NO, answer, mirror;

        memset(bytes, 0, (size_t)span);
        memset(other_bytes, 0, (size_t)other_span);
        count_bytes(layout, bytes);
        count_bytes(other, other_bytes);
        for (int64_t k = 0; k < span; k++)
            if (bytes[k] > 0 && k - shift >= 0 && k - shift < other_span && other_bytes[k - shift] > 0)
                expected = SV_YES;
        answer = svi_overlap_two(base, layout, other_base, other, SVI_OVERLAP_WORK);
        mirror = svi_overlap_two(other_base, other, base, layout, SVI_OVERLAP_WORK);
        cr_assert_eq(answer, expected, "%d, not %d", answer, expected);
        cr_assert_eq(mirror, expected, "the other way round: %d, not %d", mirror, expected);
        answer = svi_overlap_two(base, layout, other_base, other, below(10));
        cr_assert(answer == expected || answer == SV_MAYBE, "with little work");
        seen[expected]++;
        sv_layout_release(other);
        sv_layout_release(layout);
    }
    cr_assert_gt(seen[SV_NO], 1000);
    cr_assert_gt(seen[SV_YES], 1000);
}

/* Slices of one array: what users have. All are decided, at sizes far beyond brute force. */
Test(overlap, parts_of_one_array)
{
    static const struct {
        const char *name;
        int64_t start[3], stop[3], step[3], other_start[3], other_stop[3], other_step[3];
        int32_t answer;
    } rows[] = {
        {"halves", {0, 0, 0}, {500, 999, 999}, {1, 1, 1}, {500, 0, 0}, {999, 999, 999}, {1, 1, 1}, SV_NO},
        {"halves that meet", {0, 0, 0}, {501, 999, 999}, {1, 1, 1}, {500, 0, 0}, {999, 999, 999}, {1, 1, 1}, SV_YES},
        {"left and right", {0, 0, 0}, {999, 400, 999}, {1, 1, 1}, {0, 400, 0}, {999, 999, 999}, {1, 1, 1}, SV_NO},
        {"even and odd", {0, 0, 0}, {999, 999, 999}, {1, 1, 2}, {0, 0, 1}, {999, 999, 999}, {1, 1, 2}, SV_NO},
        {"2 and 3", {0, 0, 0}, {999, 999, 999}, {1, 1, 2}, {0, 0, 1}, {999, 999, 999}, {1, 1, 3}, SV_YES},
        {"2 and 3, short", {0, 0, 0}, {999, 999, 3}, {1, 1, 2}, {0, 0, 1}, {999, 999, 5}, {1, 1, 3}, SV_NO},
        {"even and odd planes", {0, 0, 0}, {999, 999, 999}, {2, 1, 1}, {1, 0, 0}, {999, 999, 999}, {2, 1, 1}, SV_NO},
        {"backwards", {0, 0, 0}, {999, 999, 999}, {1, 1, 1}, {999, 999, 999}, {INT64_MIN, INT64_MIN, INT64_MIN},
         {-1, -1, -1}, SV_YES},
        {"backwards, the other elements", {0, 0, 0}, {999, 999, 999}, {1, 2, 1},
         {999, 998, 999}, {INT64_MIN, INT64_MIN, INT64_MIN}, {-1, -2, -1}, SV_YES},
    };
    int64_t shape[3] = {1000, 1000, 1000};
    int32_t axes[3] = {2, 0, 1};
    sv_layout *whole;

    cr_assert_eq(sv_layout_new(3, shape, NULL, 4, &whole), SV_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *part, *other, *turned;

        cr_assert_eq(sv_layout_slice(whole, 3, rows[i].start, rows[i].stop, rows[i].step, &part), SV_OK);
        cr_assert_eq(sv_layout_slice(whole, 3, rows[i].other_start, rows[i].other_stop, rows[i].other_step, &other),
                     SV_OK);
        cr_assert_eq(sv_layout_permute(other, 3, axes, &turned), SV_OK);
        cr_expect_eq(svi_overlap_two(4096, part, 4096, other, SVI_OVERLAP_WORK), rows[i].answer, "%s", rows[i].name);
        cr_expect_eq(svi_overlap_two(4096, part, 4096, turned, SVI_OVERLAP_WORK), rows[i].answer, "%s, turned",
                     rows[i].name);
        cr_expect_eq(svi_overlap_self(turned, SVI_OVERLAP_WORK), SV_NO, "%s, itself", rows[i].name);
        sv_layout_release(turned);
        sv_layout_release(other);
        sv_layout_release(part);
    }
    sv_layout_release(whole);
}

Test(overlap, fields_of_records)
{
    int64_t shape[2] = {1000, 1000}, strides[2] = {12000, 12};
    sv_layout *four = make(2, shape, strides, 4), *eight = make(2, shape, strides, 8);
    sv_layout *nine = make(2, shape, strides, 9);

    cr_expect_eq(svi_overlap_two(4096, four, 4100, four, SVI_OVERLAP_WORK), SV_NO);
    cr_expect_eq(svi_overlap_two(4096, four, 4100, eight, SVI_OVERLAP_WORK), SV_NO);
    cr_expect_eq(svi_overlap_two(4096, four, 4100, nine, SVI_OVERLAP_WORK), SV_YES);
    cr_expect_eq(svi_overlap_two(4096, four, 4099, four, SVI_OVERLAP_WORK), SV_YES);
    sv_layout_release(nine);
    sv_layout_release(eight);
    sv_layout_release(four);
}

static int64_t power_of_two(int64_t most) { return INT64_C(1) << (1 + below(most)); }


/* Up to four axes, strides and extents anyhow: large, alike, many; always decided. */
Test(overlap, four_axes_are_decided)
{
    int32_t seen[3] = {0};

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        int64_t shape[4], strides[4], answers = seen[SV_MAYBE], base = power_of_two(50), extent = power_of_two(31);
        sv_layout *layout;
        sv_answer answer;

        for (int k = 0; k < 4; k++) {
            shape[k] = 1 + below(below(2) ? extent : 1 + below(200));
            strides[k] = (i % 3 == 0 ? base + below(1000) : 1 + below(base)) * (below(2) ? 1 : -1);
        }
        if (sv_layout_new_bytes(4, shape, strides, below(2) ? 1 : 1 + below(power_of_two(20)), &layout) != SV_OK)
            continue;
        cr_assert_eq(sv_layout_is_unique(layout, 0, &answer), SV_OK);
        seen[answer]++;
        cr_expect_eq(seen[SV_MAYBE], answers, "is not decided");
        sv_layout_release(layout);
    }
    cr_expect_gt(seen[SV_NO], 1000);
    cr_expect_gt(seen[SV_YES], 1000);
}

/* What the work limit is for: it answers, and does not answer wrongly. */
Test(overlap, too_hard_is_told)
{
    int64_t shape[12], strides[12];
    int32_t answer;
    sv_layout *layout;

    for (int i = 0; i < 12; i++) { /* sums of distinct powers of 3, and a shift: unique, but not nested */
        shape[i] = 2;
        strides[i] = (INT64_C(1) << 40) + (INT64_C(1) << (2 * i)) * 3;
    }
    layout = make(12, shape, strides, 1);
    answer = svi_overlap_self(layout, 100);
    cr_expect(answer == SV_NO || answer == SV_MAYBE);
    cr_expect_eq(svi_overlap_self(layout, INT64_C(1) << 40), SV_NO);
    sv_layout_release(layout);
}

Test(overlap, public_answers)
{
    int64_t shape[2] = {3, 5}, broadcast[2] = {0, 4}, hard_shape[12], hard[12];
    sv_layout *dense = make(2, shape, NULL, 4), *repeated = make(2, shape, broadcast, 4), *tangled;
    sv_answer answer = 77;

    cr_expect_eq(sv_layout_is_unique(dense, 0, &answer), SV_OK);
    cr_expect_eq(answer, SV_YES);
    cr_expect_eq(sv_layout_is_unique(repeated, 0, &answer), SV_OK);
    cr_expect_eq(answer, SV_NO);
    cr_expect_eq(sv_layout_overlap(dense, dense, 4096, 4096 + 59, 0, &answer), SV_OK);
    cr_expect_eq(answer, SV_YES);
    cr_expect_eq(sv_layout_overlap(dense, repeated, 4096, 4096 + 60, 0, &answer), SV_OK);
    cr_expect_eq(answer, SV_NO);
    cr_expect_eq(sv_layout_overlap(repeated, dense, 4096 + 60, 4096, 1, &answer), SV_OK);
    cr_expect_eq(answer, SV_NO, "an easy answer takes no step");
    for (int i = 0; i < 12; i++) {
        hard_shape[i] = 2;
        hard[i] = (INT64_C(1) << 40) + (INT64_C(1) << (2 * i)) * 3;
    }
    tangled = make(12, hard_shape, hard, 1);
    cr_expect_eq(sv_layout_is_unique(tangled, 1, &answer), SV_OK);
    cr_expect_eq(answer, SV_MAYBE);
    answer = 77;
    cr_expect_eq(sv_layout_is_unique(dense, -1, &answer), SV_ERROR_INVALID);
    cr_expect_eq(sv_layout_overlap(dense, dense, 0, 0, INT64_MIN, &answer), SV_ERROR_INVALID);
    cr_expect_eq(answer, 77, "written by a failed call");
    sv_layout_release(tangled);
    sv_layout_release(repeated);
    sv_layout_release(dense);
}

Test(overlap, at_the_ends_of_the_address_space)
{
    int64_t shape[1] = {16}, strides[1] = {-1};
    sv_layout *up = make(1, shape, NULL, 1), *down = make(1, shape, strides, 1);

    cr_expect_eq(svi_overlap_two(UINTPTR_MAX - 15, up, 0, up, 10), SV_NO);
    cr_expect_eq(svi_overlap_two(UINTPTR_MAX - 15, up, UINTPTR_MAX, down, 10), SV_YES);
    cr_expect_eq(svi_overlap_two(UINTPTR_MAX - 15, up, 15, down, 10), SV_NO);
    cr_expect_eq(svi_overlap_two(0, up, UINTPTR_MAX - 15, up, 10), SV_NO);
    cr_expect_eq(svi_overlap_two(0, up, UINTPTR_MAX - 14, up, 10), SV_YES, "round the end");
    cr_expect_eq(svi_overlap_two(UINTPTR_MAX - 14, up, 0, up, 10), SV_YES, "round the end");
    sv_layout_release(down);
    sv_layout_release(up);
}
