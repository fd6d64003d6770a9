/* Two layouts read together: their common form, and the words to walk both by. */
#include "support/layouts.h"

/* --- the common form ----------------------------------------------------- */

static sv_layout *broadcast_to(const sv_layout *layout, const sv_layout *target)
{
    sv_layout *out = NULL;

    cr_assert_eq(sv_layout_broadcast(layout, sv_layout_ndim(target), sv_layout_shape(target), &out), SV_OK);
    return out;
}

/* A number for the set of (dst element, src element). */
static uint64_t pairs_of(const sv_layout *dst, const sv_layout *src)
{
    static int64_t offsets[TEST_SIZE], others[TEST_SIZE];
    int64_t count = test_offsets(dst, offsets);
    uint64_t sum = 0;

    cr_assert_eq(test_offsets(src, others), count);
    for (int64_t i = 0; i < count; i++)
        sum += test_mix(test_mix((uint64_t)offsets[i]) + (uint64_t)others[i]);
    return sum;
}

static void check_form(const sv_layout *dst, const sv_layout *src)
{
    const int64_t *shape = sv_layout_shape(dst), *a = sv_layout_byte_strides(dst), *b = sv_layout_byte_strides(src);

    for (int32_t k = 0; k < sv_layout_ndim(dst); k++) {
        cr_assert_geq(shape[k], 2);
        cr_assert(a[k] > 0 || (a[k] == 0 && b[k] >= 0), "turned round");
        cr_assert(k == 0 || a[k - 1] >= a[k], "sorted");
        cr_assert(k == 0 || a[k - 1] != a[k] * shape[k] || b[k - 1] != b[k] * shape[k], "joined");
    }
}

Test(layout_common, common_form_pairs_the_same_elements)
{
    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        sv_layout *dst = test_layout(6), *src, *wide, *dst_out = untouched, *src_out = untouched;

        src = test_narrower(dst);
        wide = broadcast_to(src, dst);
        cr_assert_eq(sv_layout_common(dst, src, &dst_out, &src_out), SV_OK);
        cr_assert_eq(pairs_of(dst_out, src_out), pairs_of(dst, wide));
        cr_assert_eq(sv_layout_itemsize(dst_out), sv_layout_itemsize(dst));
        if (sv_layout_size(dst) == 0)
            cr_assert(sv_layout_ndim(dst_out) == 1 && sv_layout_shape(src_out)[0] == 0);
        else
            check_form(dst_out, src_out);
        sv_layout_release(src_out);
        sv_layout_release(dst_out);
        sv_layout_release(wide);
        sv_layout_release(src);
        sv_layout_release(dst);
    }
}

Test(layout_common, common_form)
{
    static const struct {
        const char *name, *dst, *src, *dst_out, *src_out;
    } rows[] = {
        {"dense", "(2, 3, 4)*4", "(2, 3, 4)*4", "(24,):(1,)*4", "(24,):(1,)*4"},
        {"single", "(1, 1)*4+8", "()*2", "():()*4+8", "():()*2"},
        {"empty", "(2, 0)*4+8", "(0,)*2-4", "(0,):(0,)*4", "(0,):(0,)*2"},
        {"transposed", "(2, 3):(3, 1)*4", "(2, 3):(1, 2)*4", "(2, 3):(3, 1)*4", "(2, 3):(1, 2)*4"},
        {"both turned", "(2, 3):(1, 2)*4", "(2, 3):(1, 2)*4", "(6,):(1,)*4", "(6,):(1,)*4"},
        {"reversed", "(6,):(-1,)*4+20", "(6,)*4", "(6,):(1,)*4", "(6,):(-1,)*4+20"},
        {"broadcast", "(2, 3)*4", "(3,)*4", "(2, 3):(3, 1)*4", "(2, 3):(0, 1)*4"},
        {"both repeat backwards", "(3,):(0,)*4", "(3,):(-1,)*4", "(3,):(0,)*4", "(3,):(1,)*4-8"},
        {"item sizes of their own", "(6,)*4", "(2, 3)*2", NULL, NULL},
        {"too few elements", "(6,)*4", "(7,)*4", NULL, NULL},
        {"ends of int64", "(2,):(9223372036854775806,)*1", "(2,):(-9223372036854775808,)*1",
         "(2,):(9223372036854775806,)*1", "(2,):(-9223372036854775808,)*1"},
        {"2^63 has no place", "(2,):(-9223372036854775808,)*1", "(2,)*1", NULL, NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *dst = test_parse(rows[i].dst), *src = test_parse(rows[i].src), *dst_out = untouched, *src_out = untouched;
        sv_status status = sv_layout_common(dst, src, &dst_out, &src_out);

        if (rows[i].dst_out == NULL) {
            cr_expect_eq(status, strchr(rows[i].dst, '-') ? SV_ERROR_OVERFLOW : SV_ERROR_LAYOUT, "%s", rows[i].name);
            cr_expect(dst_out == untouched && src_out == untouched, "%s: written", rows[i].name);
        } else {
            sv_layout *dst_expected = test_parse(rows[i].dst_out), *src_expected = test_parse(rows[i].src_out);

            cr_assert_eq(status, SV_OK, "%s: %s", rows[i].name, sv_last_message());
            cr_expect(sv_layout_equal(dst_out, dst_expected), "%s: dst", rows[i].name);
            cr_expect(sv_layout_equal(src_out, src_expected), "%s: src", rows[i].name);
            sv_layout_release(src_expected);
            sv_layout_release(dst_expected);
            sv_layout_release(src_out);
            sv_layout_release(dst_out);
        }
        sv_layout_release(src);
        sv_layout_release(dst);
    }
}

/* Whether words of this many bytes tile each run of bytes that is one in both, and begin at multiples of it. */
static bool can_walk_by(const sv_layout *dst, const sv_layout *src, int64_t address, int64_t other, int64_t word)
{
    static int64_t at[TEST_SIZE], from[TEST_SIZE];
    sv_layout *a, *b;
    int64_t count, item = sv_layout_itemsize(dst), run = item;

    cr_assert_eq(sv_layout_common(dst, src, &a, &b), SV_OK);
    count = test_offsets(a, at);
    test_offsets(b, from);
    for (int64_t i = 0; i < count; i++) {
        bool goes_on = i > 0 && at[i] == at[i - 1] + item && from[i] == from[i - 1] + item;

        run = goes_on ? run + item : item;
        if (!goes_on && ((at[i] + address) % word != 0 || (from[i] + other) % word != 0))
            break;
        if (i + 1 < count && at[i + 1] == at[i] + item && from[i + 1] == from[i] + item)
            continue;
        if (run % word != 0)
            break;
        if (i + 1 == count)
            count = -1;
    }
    sv_layout_release(a);
    sv_layout_release(b);
    return count == -1;
}

Test(layout_common, common_itemsize_against_brute_force)
{
    int seen[5] = {0};

    for (int64_t round = test_first_round(); test_round(round, test_cases()); round++) {
        sv_layout *dst = test_layout(4), *dense, *src;
        int64_t itemsize = 77, best = 16, address = test_between(0, 8) * 4, other = test_between(0, 4) * 8, slot = 0;

        cr_assert_eq(sv_layout_to_dense(dst, test_between(0, 1) ? SV_ORDER_C : SV_ORDER_K, 0, NULL, 0, &dense), SV_OK);
        src = test_between(0, 2) ? test_narrower(dense) : sv_layout_retain(dst);
        cr_assert_eq(sv_layout_common_itemsize(dst, src, (uintptr_t)address, (uintptr_t)other, 16, &itemsize), SV_OK);
        while (sv_layout_size(dst) > 0 && best > 1 && !can_walk_by(dst, src, address, other, best))
            best /= 2;
        if (sv_layout_size(dst) < 4000) /* a walk that repeats by chance may do better than what is promised */
            cr_assert(itemsize == best || (itemsize < best && sv_layout_size(dst) > 0), "%d, not %d",
                      (int)itemsize, (int)best);
        cr_assert(sv_layout_size(dst) == 0 || can_walk_by(dst, src, address, other, itemsize), "%d",
                  (int)itemsize);
        while (itemsize >> slot > 1)
            slot++;
        seen[slot]++;
        sv_layout_release(src);
        sv_layout_release(dense);
        sv_layout_release(dst);
    }
    for (int slot = 0; slot < 5; slot++)
        cr_expect_gt(seen[slot], 50, "words of %d bytes", 1 << slot);
}

Test(layout_common, common_itemsize)
{
    static const struct {
        const char *name, *dst, *src;
        uintptr_t dst_address, src_address;
        int64_t limit;
        sv_status status;
        int64_t itemsize;
    } rows[] = {
        {"dense", "(6, 4)*4", "(6, 4)*4", 0, 0, 16, SV_OK, 16},
        {"addresses", "(6, 4)*4", "(6, 4)*4", 64, 8, 16, SV_OK, 8},
        {"offsets", "(6, 4)*4+4", "(6, 4)*4", 0, 0, 16, SV_OK, 4},
        {"offset and address make up", "(6, 4)*4+4", "(6, 4)*4", 12, 0, 16, SV_OK, 16},
        {"pixels", "(4, 3)*1", "(4, 3)*1", 0, 0, 16, SV_OK, 4},
        {"pixels, any width", "(4, 3)*1", "(4, 3)*1", 0, 0, 12, SV_OK, 12},
        {"rows apart", "(6, 4):(6, 1)*4", "(6, 4):(12, 1)*4", 0, 0, 16, SV_OK, 8},
        {"transposed", "(6, 4)*4", "(6, 4):(1, 6)*4", 0, 0, 16, SV_OK, 4},
        {"backwards", "(6,)*4", "(6,):(-1,)*4+20", 0, 0, 16, SV_OK, 4},
        {"both backwards", "(4,):(-1,)*4+12", "(4,):(-1,)*4+12", 0, 0, 16, SV_OK, 16},
        {"items at odd places", "(2,)*8", "(2,)*8", 4, 4, 16, SV_OK, 4},
        {"broadcast", "(4, 4)*4", "(4,)*4", 0, 0, 16, SV_OK, 16},
        {"repeated items", "(4, 4)*4", "()*4", 0, 0, 16, SV_OK, 4},
        {"empty", "(0, 4)*4", "(4,)*4", 1, 1, 16, SV_OK, 16},
        {"item sizes", "(4,)*4", "(4,)*2", 0, 0, 16, SV_ERROR_LAYOUT, 77},
        {"shapes", "(4,)*4", "(3,)*4", 0, 0, 16, SV_ERROR_LAYOUT, 77},
        {"no limit", "(4,)*4", "(4,)*4", 0, 0, 0, SV_ERROR_INVALID, 77},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *dst = test_parse(rows[i].dst), *src = test_parse(rows[i].src);
        int64_t itemsize = 77;

        cr_expect_eq(sv_layout_common_itemsize(dst, src, rows[i].dst_address, rows[i].src_address, rows[i].limit,
                                               &itemsize), rows[i].status, "%s", rows[i].name);
        cr_expect_eq(itemsize, rows[i].itemsize, "%s: %d", rows[i].name, (int)itemsize);
        sv_layout_release(src);
        sv_layout_release(dst);
    }
}
