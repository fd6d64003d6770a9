#include "support/layouts.h"

/* Whether element index of turned is the element of layout whose index along order[k] is index[k], for all. */
static bool is_reordered(const sv_layout *layout, const sv_layout *turned, const int32_t *order)
{
    int32_t ndim = sv_layout_ndim(layout);
    int64_t index[8] = {0}, old[8];

    if (sv_layout_ndim(turned) != ndim || sv_layout_size(turned) != sv_layout_size(layout))
        return false;
    for (int32_t k = 0; k < ndim; k++)
        if (sv_layout_shape(turned)[k] != sv_layout_shape(layout)[order[k]])
            return false;
    do {
        for (int32_t k = 0; k < ndim; k++)
            old[order[k]] = index[k];
        if (test_element(turned, index) != test_element(layout, old))
            return false;
    } while (sv_layout_size(turned) > 0 && test_next(ndim, sv_layout_shape(turned), index));
    return true;
}

static void check_there_and_back(const sv_layout *layout, const sv_layout *moved, const sv_layout *back,
                                 const int32_t *order)
{
    cr_assert(is_reordered(layout, moved, order));
    cr_assert(test_has(back, sv_layout_ndim(layout), sv_layout_shape(layout), sv_layout_byte_strides(layout),
                       sv_layout_byte_offset(layout)));
}

/* By taking the moved axes out, and putting each in where it goes, the first place first. */
static void move_one_by_one(int32_t ndim, int32_t count, const int32_t *axes, const int32_t *places, int32_t *order)
{
    int32_t length = 0;

    for (int32_t k = 0; k < ndim; k++) {
        bool moved = false;
        for (int32_t i = 0; i < count; i++)
            moved = moved || axes[i] == k;
        if (!moved)
            order[length++] = k;
    }
    for (int32_t place = 0; place < ndim; place++)
        for (int32_t i = 0; i < count; i++)
            if (places[i] == place) {
                memmove(order + place + 1, order + place, (size_t)(length++ - place) * sizeof *order);
                order[place] = axes[i];
            }
}

Test(axes, move_and_back)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(6), *moved, *back;
        int32_t ndim = sv_layout_ndim(layout), count = (int32_t)test_between(0, ndim), axes[8], places[8], order[8];

        test_shuffle(ndim, axes);
        test_shuffle(ndim, places);
        move_one_by_one(ndim, count, axes, places, order);
        for (int32_t k = 0; k < count; k++)
            axes[k] -= test_between(0, 1) ? ndim : 0;
        cr_assert_eq(sv_layout_move_axes(layout, count, axes, places, &moved), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_layout_move_axes(moved, count, places, axes, &back), SV_OK);
        check_there_and_back(layout, moved, back, order);
        sv_layout_release(back);
        sv_layout_release(moved);
        sv_layout_release(layout);
    }
}

Test(axes, swap_and_back)
{
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *swapped, *back;
        int32_t ndim = sv_layout_ndim(layout), order[8], axis, other;

        if (ndim > 0) {
            axis = (int32_t)test_between(0, ndim - 1);
            other = (int32_t)test_between(0, ndim - 1);
            for (int32_t k = 0; k < ndim; k++)
                order[k] = k == axis ? other : k == other ? axis : k;
            cr_assert_eq(sv_layout_swap_axes(layout, axis, other - ndim, &swapped), SV_OK, "%s", sv_last_message());
            cr_assert_eq(sv_layout_swap_axes(swapped, other, axis, &back), SV_OK);
            check_there_and_back(layout, swapped, back, order);
            sv_layout_release(back);
            sv_layout_release(swapped);
        }
        sv_layout_release(layout);
    }
}

Test(axes, moves_refused)
{
    static const struct {
        const char *name;
        int32_t count, axes[3], places[3];
        sv_status status;
    } rows[] = {
        {"axis twice", 2, {0, 0}, {0, 1}, SV_ERROR_INVALID},
        {"axis twice by its negative", 2, {2, -1}, {0, 1}, SV_ERROR_INVALID},
        {"place twice", 2, {0, 1}, {1, 1}, SV_ERROR_INVALID},
        {"axis outside", 1, {3}, {0}, SV_ERROR_INDEX},
        {"place outside", 1, {0}, {-4}, SV_ERROR_INDEX},
        {"place far outside", 1, {0}, {INT32_MIN}, SV_ERROR_INDEX},
        {"negative count", -1, {0}, {0}, SV_ERROR_INVALID},
        {"most negative count", INT32_MIN, {0}, {0}, SV_ERROR_INVALID},
    };
    static const int64_t shape[3] = {2, 3, 4};
    sv_layout *layout, *out = untouched;

    cr_assert_eq(sv_layout_new(3, shape, NULL, 4, &layout), SV_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(sv_layout_move_axes(layout, rows[i].count, rows[i].axes, rows[i].places, &out), rows[i].status,
                     "%s: %s", rows[i].name, sv_last_message());
        cr_expect_eq(out, untouched, "%s", rows[i].name);
    }
    cr_expect_eq(sv_layout_swap_axes(layout, 0, 3, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_layout_swap_axes(layout, -4, 0, &out), SV_ERROR_INDEX);
    cr_expect_eq(out, untouched);
    sv_layout_release(layout);
}

Test(axes, sixty_four)
{
    int64_t shape[64], strides[64];
    int32_t axes[64], places[64];
    sv_layout *layout, *moved, *back;

    for (int32_t k = 0; k < 64; k++) {
        shape[k] = 1 + k % 2;
        strides[k] = 1 + k;
        axes[k] = k;
        places[k] = -1 - k;
    }
    cr_assert_eq(sv_layout_new(64, shape, strides, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_move_axes(layout, 64, axes, places, &moved), SV_OK);
    for (int32_t k = 0; k < 64; k++)
        cr_expect_eq(sv_layout_byte_strides(moved)[k], 64 - k);
    cr_assert_eq(sv_layout_permute(layout, 0, NULL, &back), SV_OK);
    cr_expect(sv_layout_equal(moved, back));
    sv_layout_release(back);
    sv_layout_release(moved);
    cr_assert_eq(sv_layout_swap_axes(layout, 0, 63, &moved), SV_OK);
    cr_expect_eq(sv_layout_byte_strides(moved)[0], 64);
    cr_expect_eq(sv_layout_byte_strides(moved)[63], 1);
    sv_layout_release(moved);
    sv_layout_release(layout);
}
