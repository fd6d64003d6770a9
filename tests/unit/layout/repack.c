#include "support/layouts.h"

enum { BYTES = 8192 };

/* Byte offsets of the layout in the order of its items, those of axis last. Returns their number. */
static int64_t bytes_of(const sv_layout *layout, int32_t axis, int64_t *out)
{
    static int64_t offsets[TEST_SIZE];
    int32_t last[1] = {-1};
    sv_layout *turned;
    int64_t count = 0, size;

    cr_assert_eq(sv_layout_move_axes(layout, 1, &axis, last, &turned), SV_OK);
    size = test_offsets(turned, offsets);
    cr_assert_leq(size * sv_layout_itemsize(layout), BYTES);
    for (int64_t i = 0; i < size; i++)
        for (int64_t b = 0; b < sv_layout_itemsize(layout); b++)
            out[count++] = offsets[i] + b;
    sv_layout_release(turned);
    return count;
}

/* At most 5 axes, items of 1 to 8 bytes, neighbours along one axis as a rule. Not empty. */
static sv_layout *random_layout(int32_t *axis)
{
    int64_t shape[5], strides[5], itemsize = INT64_C(1) << test_between(0, 3), start[5], stop[5], size = 1;
    int32_t ndim = (int32_t)test_between(1, 5);
    sv_layout *layout, *part;

    *axis = (int32_t)test_between(0, ndim - 1);
    for (int32_t k = 0; k < ndim; k++) {
        shape[k] = test_between(0, 2) ? test_between(1, 3) : 1;
        strides[k] = test_between(-8, 8) * (test_between(0, 1) ? 8 : itemsize);
        size *= shape[k];
    }
    if (test_between(0, 5)) {
        shape[*axis] = size <= 27 ? test_between(1, 8) : 2;
        strides[*axis] = itemsize;
    }
    for (int32_t k = 0; k < ndim; k++) {
        start[k] = test_between(0, 5) == 0 && shape[k] > 1;
        stop[k] = INT64_MAX;
    }
    cr_assert_eq(sv_layout_new_bytes(ndim, shape, strides, itemsize, &layout), SV_OK);
    cr_assert_eq(sv_layout_slice(layout, ndim, start, stop, NULL, &part), SV_OK);
    sv_layout_release(layout);
    return part;
}

/* Whether items of axis can become one of itemsize, by trying each and its neighbours. */
static bool can_pack(const sv_layout *layout, int32_t axis, int64_t itemsize)
{
    static int64_t bytes[BYTES];
    int64_t count, old = sv_layout_itemsize(layout);

    if (sv_layout_shape(layout)[axis] % (itemsize / old) != 0)
        return false;
    if (sv_layout_shape(layout)[axis] > 1 && sv_layout_byte_strides(layout)[axis] != old)
        return false;
    count = bytes_of(layout, axis, bytes);
    for (int64_t i = 0; i < count; i += itemsize)
        if (bytes[i] % itemsize != 0)
            return false;
    return true;
}

Test(repack, there_and_back)
{
    static int64_t bytes[BYTES], new_bytes[BYTES];
    int made = 0, refused = 0;

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        int32_t axis;
        sv_layout *layout = random_layout(&axis), *packed = untouched, *back;
        int64_t old = sv_layout_itemsize(layout), itemsize = INT64_C(1) << test_between(0, 4), count;
        bool neighbours = sv_layout_shape(layout)[axis] == 1 || sv_layout_byte_strides(layout)[axis] == old;
        sv_status status = sv_layout_repack(layout, itemsize, 0, axis, 1, &packed);

        if (itemsize == old || (itemsize < old ? neighbours : can_pack(layout, axis, itemsize))) {
            cr_assert_eq(status, SV_OK, "%s", sv_last_message());
            cr_assert_eq(sv_layout_itemsize(packed), itemsize);
            cr_assert_eq(sv_layout_nbytes(packed), sv_layout_nbytes(layout));
            count = bytes_of(layout, axis, bytes);
            cr_assert_eq(bytes_of(packed, axis, new_bytes), count);
            cr_assert_arr_eq(bytes, new_bytes, (size_t)count * sizeof *bytes);
            if (itemsize > old || can_pack(packed, axis, old)) {
                cr_assert_eq(sv_layout_repack(packed, old, 0, axis, 1, &back), SV_OK, "%s", sv_last_message());
                cr_assert_arr_eq(sv_layout_shape(back), sv_layout_shape(layout),
                                 (size_t)sv_layout_ndim(layout) * sizeof *bytes);
                cr_assert(test_same_offsets(layout, back));
                sv_layout_release(back);
            }
            sv_layout_release(packed);
            made++;
        } else {
            cr_assert_eq(status, SV_ERROR_LAYOUT, "%d to %d", (int)old, (int)itemsize);
            cr_assert_eq(packed, untouched);
            refused++;
        }
        sv_layout_release(layout);
    }
    cr_assert_gt(made, test_cases() / 4);
    cr_assert_gt(refused, test_cases() / 10);
}

Test(repack, numbers)
{
    static const struct {
        const char *name;
        int64_t shape[2], strides[2], itemsize, new_itemsize;
        uintptr_t address;
        int32_t axis, keep_dim;
        sv_status status;
        int32_t ndim;
        int64_t new_shape[2], result[2];
    } rows[] = { /* strides in bytes */
        {"pack", {5, 6}, {24, 4}, 4, 8, 0, -1, 1, SV_OK, 2, {5, 3}, {24, 8}},
        {"pack to one", {5, 4}, {16, 4}, 4, 16, 0, -1, 1, SV_OK, 2, {5, 1}, {16, 16}},
        {"pack to one that goes", {5, 4}, {16, 4}, 4, 16, 0, -1, 0, SV_OK, 1, {5}, {16}},
        {"unpack one that stays", {5, 1}, {16, 16}, 16, 4, 0, -1, 0, SV_OK, 2, {5, 4}, {16, 4}},
        {"another axis", {4, 6}, {4, 16}, 4, 16, 0, 0, 1, SV_OK, 2, {1, 6}, {16, 16}},
        {"backward rows", {5, 6}, {-24, 4}, 4, 8, 0, 1, 1, SV_OK, 2, {5, 3}, {-24, 8}},
        {"the same, whatever else", {5, 6}, {9, 2}, 4, 4, 3, 77, 1, SV_OK, 2, {5, 6}, {9, 2}},
        {"aligned address", {5, 6}, {24, 4}, 4, 8, 16, -1, 1, SV_OK, 2, {5, 3}, {24, 8}},
        {"unaligned address", {5, 6}, {24, 4}, 4, 8, 12, -1, 1, SV_ERROR_ALIGNMENT, 0, {0}, {0}},
        {"smaller at any address", {5, 6}, {24, 4}, 4, 2, 1, -1, 1, SV_OK, 2, {5, 12}, {24, 2}},
        {"address at the top", {5, 6}, {24, 4}, 4, 8, UINTPTR_MAX, -1, 1, SV_ERROR_ALIGNMENT, 0, {0}, {0}},
        {"stride of an extent of 1", {1, 4}, {5, 4}, 4, 8, 0, 1, 1, SV_OK, 2, {1, 2}, {5, 8}},
        {"stride of the axis, extent of 1", {4, 1}, {48, 24}, 8, 4, 0, 1, 1, SV_OK, 2, {4, 2}, {48, 4}},
        {"row that does not divide", {5, 6}, {28, 4}, 4, 8, 0, -1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"extent that does not divide", {5, 6}, {24, 4}, 4, 16, 0, -1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"extent of 1 cannot be packed", {5, 1}, {16, 4}, 4, 8, 0, -1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"no neighbours", {5, 6}, {4, 20}, 4, 8, 0, -1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"no neighbours, smaller", {5, 6}, {4, 20}, 4, 2, 0, -1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"backward neighbours", {5, 6}, {24, -4}, 4, 8, 0, -1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"6 of 4", {5, 6}, {24, 4}, 4, 6, 0, -1, 1, SV_ERROR_INVALID, 0, {0}, {0}},
        {"3 of 8", {5, 6}, {48, 8}, 8, 3, 0, -1, 1, SV_ERROR_INVALID, 0, {0}, {0}},
        {"6 of 3", {5, 6}, {18, 3}, 3, 6, 0, -1, 1, SV_OK, 2, {5, 3}, {18, 6}},
        {"largest", {5, 6}, {24, 4}, 4, INT64_MAX - 3, 0, -1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"none", {5, 6}, {24, 4}, 4, 0, 0, -1, 1, SV_ERROR_RANGE, 0, {0}, {0}},
        {"negative", {5, 6}, {24, 4}, 4, -4, 0, -1, 1, SV_ERROR_RANGE, 0, {0}, {0}},
        {"no such axis", {5, 6}, {24, 4}, 4, 8, 0, 2, 1, SV_ERROR_INDEX, 0, {0}, {0}},
        {"empty", {5, 0}, {7, 9}, 4, 8, 0, 1, 1, SV_OK, 2, {5, 0}, {7, 8}},
        {"empty along another axis", {0, 4}, {7, 9}, 4, 8, 0, 1, 1, SV_OK, 2, {0, 2}, {7, 8}},
        {"empty that does not divide", {0, 3}, {7, 9}, 4, 8, 0, 1, 1, SV_ERROR_LAYOUT, 0, {0}, {0}},
        {"empty and too long", {0, INT64_MAX}, {7, 4}, 4, 2, 0, 1, 1, SV_ERROR_OVERFLOW, 0, {0}, {0}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_layout *layout, *packed = untouched;

        cr_assert_eq(sv_layout_new_bytes(2, rows[i].shape, rows[i].strides, rows[i].itemsize, &layout), SV_OK);
        cr_expect_eq(sv_layout_repack(layout, rows[i].new_itemsize, rows[i].address, rows[i].axis, rows[i].keep_dim,
                                      &packed), rows[i].status, "%s: %s", rows[i].name, sv_last_message());
        test_expect(rows[i].name, packed, rows[i].status, rows[i].ndim, rows[i].new_shape, rows[i].result);
        sv_layout_release(layout);
    }
}

Test(repack, offsets_must_divide)
{
    static const int64_t shape[2] = {5, 6}, stop[2] = {INT64_MAX, INT64_MAX};
    sv_layout *layout, *part, *packed;

    cr_assert_eq(sv_layout_new(2, shape, NULL, 4, &layout), SV_OK);
    for (int64_t k = 0; k < 4; k += 2) {
        cr_assert_eq(sv_layout_slice(layout, 2, (int64_t[]){1, k}, stop, NULL, &part), SV_OK);
        cr_assert_eq(sv_layout_repack(part, 8, 0, 1, 1, &packed), SV_OK, "%s", sv_last_message());
        cr_expect_eq(sv_layout_byte_offset(packed), 24 + 4 * k);
        sv_layout_release(packed);
        sv_layout_release(part);
    }
    cr_assert_eq(sv_layout_slice(layout, 2, (int64_t[]){1, 1}, (int64_t[]){5, 5}, NULL, &part), SV_OK);
    packed = untouched;
    cr_expect_eq(sv_layout_repack(part, 8, 0, 1, 1, &packed), SV_ERROR_LAYOUT);
    cr_expect_eq(packed, untouched);
    sv_layout_release(part);
    sv_layout_release(layout);
}

Test(repack, sixty_four_axes)
{
    int64_t shape[64];
    sv_layout *layout, *packed, *back;

    for (int k = 0; k < 64; k++)
        shape[k] = k % 8 ? 1 : 2;
    shape[63] = 16;
    cr_assert_eq(sv_layout_new(64, shape, NULL, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_repack(layout, 16, 0, 63, 0, &packed), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_layout_ndim(packed), 63);
    sv_layout_release(packed);
    cr_assert_eq(sv_layout_repack(layout, 16, 0, -1, 1, &packed), SV_OK);
    cr_assert_eq(sv_layout_repack(packed, 1, 0, -1, 1, &back), SV_OK);
    cr_expect(sv_layout_equal(layout, back));
    sv_layout_release(back);
    sv_layout_release(packed);
    sv_layout_release(layout);
}
