#include <stdlib.h>

#include "base/alloc.h"
#include "support/layouts.h"
#include "view/view.h"

enum { OPERATIONS = 18, STEPS = 6 };

/* --- one operation, both ways --------------------------------------------- */

/* Numbers for an operation: right ones as a rule, and some that are not. */
struct arguments {
    int32_t axis, other, count, axes[8], places[8];
    int64_t start[8], stop[8], step[8], numbers[8];
    sv_order order;
    uint64_t mask;
    bool all;
};

static void random_arguments(const sv_layout *layout, struct arguments *a)
{
    int32_t ndim = sv_layout_ndim(layout);

    a->axis = (int32_t)test_between(-2, ndim > 0 ? ndim - 1 : 0);
    a->other = (int32_t)test_between(-1, ndim > 0 ? ndim - 1 : 0);
    a->count = (int32_t)test_between(0, ndim < 3 ? ndim : 3);
    a->order = (sv_order)test_between(SV_ORDER_C, SV_ORDER_AXES);
    a->mask = test_random();
    a->all = test_between(0, 1);
    test_shuffle(ndim > 8 ? 8 : ndim, a->axes);
    test_shuffle(ndim > 8 ? 8 : ndim, a->places);
    for (int k = 0; k < 8; k++) {
        a->start[k] = test_between(-2, 2);
        a->stop[k] = test_between(0, 2) ? INT64_MAX : 2;
        a->step[k] = test_between(0, 20) ? 1 : test_between(-2, 2);
        a->numbers[k] = test_between(0, 15) ? test_between(1, 2) : -1;
    }
}

static sv_status by_layout(int operation, const sv_layout *l, const struct arguments *a, sv_layout **out)
{
    int32_t ndim = sv_layout_ndim(l);

    switch (operation) {
    case 0: return sv_layout_permute(l, ndim, a->axes, out);
    case 1: return sv_layout_slice(l, a->count, a->start, a->stop, a->all ? NULL : a->step, out);
    case 2: return sv_layout_index(l, a->axis, a->start[0], out);
    case 3: return sv_layout_reshape(l, a->count, a->numbers, out);
    case 4: return sv_layout_broadcast(l, ndim + 1, a->numbers, out);
    case 5: return sv_layout_squeeze(l, a->count, a->all ? NULL : a->axes, out);
    case 6: return sv_layout_unsqueeze(l, a->count, a->places, out);
    case 7: return sv_layout_to_dense(l, a->order, ndim, a->axes, a->start[0], out);
    case 8: return sv_layout_flatten(l, a->axis, a->other, out);
    case 9: return sv_layout_flatten_masked(l, a->mask, out);
    case 10: return sv_layout_merge_axes(l, a->axis, a->other, out);
    case 11: return sv_layout_split_axis(l, a->axis, 2, a->numbers, out);
    case 12: return sv_layout_move_axes(l, a->count, a->axes, a->places, out);
    case 13: return sv_layout_swap_axes(l, a->axis, a->other, out);
    case 14: return sv_layout_flip(l, a->count, a->all ? NULL : a->axes, out);
    case 15: return sv_layout_diagonal(l, a->start[0], a->axis, a->other, out);
    case 16: return sv_layout_window(l, a->count, a->axes, a->numbers, out);
    default: return sv_layout_repack(l, a->numbers[0] * 4, 0, a->axis, a->all, out);
    }
}

static sv_status by_builder(int operation, int32_t ndim, sv_layout_builder *b, const struct arguments *a)
{
    switch (operation) {
    case 0: return sv_layout_builder_permute(b, ndim, a->axes);
    case 1: return sv_layout_builder_slice(b, a->count, a->start, a->stop, a->all ? NULL : a->step);
    case 2: return sv_layout_builder_index(b, a->axis, a->start[0]);
    case 3: return sv_layout_builder_reshape(b, a->count, a->numbers);
    case 4: return sv_layout_builder_broadcast(b, ndim + 1, a->numbers);
    case 5: return sv_layout_builder_squeeze(b, a->count, a->all ? NULL : a->axes);
    case 6: return sv_layout_builder_unsqueeze(b, a->count, a->places);
    case 7: return sv_layout_builder_to_dense(b, a->order, ndim, a->axes, a->start[0]);
    case 8: return sv_layout_builder_flatten(b, a->axis, a->other);
    case 9: return sv_layout_builder_flatten_masked(b, a->mask);
    case 10: return sv_layout_builder_merge_axes(b, a->axis, a->other);
    case 11: return sv_layout_builder_split_axis(b, a->axis, 2, a->numbers);
    case 12: return sv_layout_builder_move_axes(b, a->count, a->axes, a->places);
    case 13: return sv_layout_builder_swap_axes(b, a->axis, a->other);
    case 14: return sv_layout_builder_flip(b, a->count, a->all ? NULL : a->axes);
    case 15: return sv_layout_builder_diagonal(b, a->start[0], a->axis, a->other);
    case 16: return sv_layout_builder_window(b, a->count, a->axes, a->numbers);
    default: return sv_layout_builder_repack(b, a->numbers[0] * 4, 0, a->axis, a->all);
    }
}

static bool is_same(const sv_layout *layout, const sv_layout *other)
{
    return sv_layout_itemsize(layout) == sv_layout_itemsize(other) &&
           test_has(other, sv_layout_ndim(layout), sv_layout_shape(layout), sv_layout_byte_strides(layout),
                    sv_layout_byte_offset(layout));
}

static bool holds(const sv_layout_builder *builder, const sv_layout *layout)
{
    sv_layout *built;
    bool same;

    cr_assert_eq(sv_layout_builder_finish(builder, &built), SV_OK, "%s", sv_last_message());
    same = is_same(layout, built);
    sv_layout_release(built);
    return same;
}

Test(layout_builder, does_what_chains_of_layouts_do)
{
    int done[OPERATIONS] = {0}, refused = 0;
    sv_layout_builder *builder;

    cr_assert_eq(sv_layout_builder_new(&builder), SV_OK);
    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *next;

        cr_assert_eq(sv_layout_builder_start(builder, layout), SV_OK);
        for (int step = 0; step < STEPS && sv_layout_ndim(layout) < 8; step++) {
            int operation = (int)test_between(0, OPERATIONS - 1);
            struct arguments a;
            sv_status status;

            random_arguments(layout, &a);
            status = by_layout(operation, layout, &a, &next);
            cr_assert_eq(by_builder(operation, sv_layout_ndim(layout), builder, &a), status, "operation %d",
                         operation);
            if (status == SV_OK) {
                sv_layout_release(layout);
                layout = next;
                done[operation]++;
            } else {
                refused++;
            }
            cr_assert(holds(builder, layout), "operation %d: %s", operation, sv_status_name(status));
        }
        sv_layout_release(layout);
    }
    for (int k = 0; k < OPERATIONS; k++)
        cr_assert_gt(done[k], test_cases() / 200, "operation %d", k);
    cr_assert_gt(refused, test_cases() / 4);
    sv_layout_builder_release(builder);
}

/* --- life ------------------------------------------------------------------ */

static int asked;

static void *count_allocate(size_t nbytes)
{
    asked++;
    return malloc(nbytes);
}

Test(layout_builder, one_allocation_at_the_end)
{
    static const int64_t shape[3] = {4, 6, 2}, flat[1] = {-1}, back[3] = {4, 6, 2};
    struct svi_alloc saved = svi_alloc;
    sv_layout_builder *builder;
    sv_layout *layout, *built, *direct;
    sv_view *view, *part;
    char memory[96];

    cr_assert_eq(sv_layout_new(3, shape, NULL, 1, &layout), SV_OK);
    cr_assert_eq(sv_view_from_pointer(layout, SV_UINT8, memory, sizeof memory, 0, &view), SV_OK);
    svi_alloc.allocate = count_allocate;
    asked = 0;
    cr_assert_eq(sv_layout_builder_new(&builder), SV_OK);
    cr_expect_eq(asked, 1);
    cr_assert_eq(sv_layout_builder_start(builder, layout), SV_OK);
    cr_assert_eq(sv_layout_builder_reshape(builder, 1, flat), SV_OK);
    cr_assert_eq(sv_layout_builder_flip(builder, 0, NULL), SV_OK);
    cr_assert_eq(sv_layout_builder_reshape(builder, 3, back), SV_OK);
    cr_assert_eq(sv_layout_builder_swap_axes(builder, 0, 1), SV_OK);
    cr_expect_eq(asked, 1);
    cr_assert_eq(sv_layout_builder_finish(builder, &built), SV_OK);
    cr_expect_eq(asked, 2);
    cr_assert_eq(sv_view_with_builder(view, builder, &part), SV_OK, "%s", sv_last_message());
    cr_expect_eq(asked, 3);
    cr_expect(sv_layout_equal(sv_view_layout(part), built));
    cr_expect_eq(sv_view_data(part), memory + 47);
    svi_alloc = saved;

    cr_assert_eq(sv_layout_builder_start(builder, layout), SV_OK, "from the beginning again");
    cr_assert_eq(sv_layout_builder_finish(builder, &direct), SV_OK);
    cr_expect(is_same(layout, direct));
    sv_layout_builder_release(builder);
    cr_expect_eq(sv_layout_size(built), 48, "what was made stays");
    sv_layout_release(direct);
    sv_layout_release(built);
    sv_view_release(part);
    sv_view_release(view);
    sv_layout_release(layout);
}

Test(layout_builder, nothing_before_start)
{
    static const int32_t axes[1] = {0};
    sv_layout_builder *builder;
    sv_layout *out = untouched;
    sv_view *view, *part = (sv_view *)1;
    sv_layout *layout;
    char byte;

    cr_assert_eq(sv_layout_new(0, NULL, NULL, 1, &layout), SV_OK);
    cr_assert_eq(sv_view_from_pointer(layout, SV_UINT8, &byte, 1, 0, &view), SV_OK);
    cr_assert_eq(sv_layout_builder_new(&builder), SV_OK);
    cr_expect_eq(sv_layout_builder_finish(builder, &out), SV_ERROR_STATE);
    cr_expect_eq(sv_layout_builder_permute(builder, 1, axes), SV_ERROR_STATE);
    cr_expect_eq(sv_layout_builder_flatten_masked(builder, 0), SV_ERROR_STATE);
    cr_expect_eq(sv_view_with_builder(view, builder, &part), SV_ERROR_STATE);
    cr_expect_eq(sv_layout_builder_start(builder, NULL), SV_ERROR_NULL);
    cr_expect_eq(sv_layout_builder_finish(builder, &out), SV_ERROR_STATE);
    cr_expect_eq(out, untouched);
    cr_expect_eq(part, (sv_view *)1);
    sv_layout_builder_release(builder);
    sv_layout_builder_release(NULL);
    sv_view_release(view);
    sv_layout_release(layout);
}

/* What no layout could be is refused where it comes up, not at the end. */
Test(layout_builder, too_large_is_told_at_once)
{
    static const int64_t shape[1] = {1}, wide[2] = {INT64_MAX, 2}, most[1] = {INT64_MAX}, two[1] = {2};
    sv_layout_builder *builder;
    sv_layout *layout, *built;

    cr_assert_eq(sv_layout_new(1, shape, NULL, 1, &layout), SV_OK);
    cr_assert_eq(sv_layout_builder_new(&builder), SV_OK);
    cr_assert_eq(sv_layout_builder_start(builder, layout), SV_OK);
    cr_expect_eq(sv_layout_builder_broadcast(builder, 2, wide), SV_ERROR_OVERFLOW);
    cr_assert_eq(sv_layout_builder_broadcast(builder, 1, most), SV_OK);
    cr_expect_eq(sv_layout_builder_window(builder, 1, NULL, two), SV_ERROR_OVERFLOW);
    cr_assert_eq(sv_layout_builder_finish(builder, &built), SV_OK);
    cr_expect_eq(sv_layout_size(built), INT64_MAX);
    sv_layout_release(built);
    sv_layout_builder_release(builder);
    sv_layout_release(layout);
}

Test(layout_builder, views_are_checked)
{
    static const int64_t shape[1] = {8}, half[1] = {4};
    sv_layout_builder *builder;
    sv_layout *whole, *layout;
    sv_view *view, *part = (sv_view *)1;
    char memory[8];

    cr_assert_eq(sv_layout_new(1, shape, NULL, 1, &whole), SV_OK);
    cr_assert_eq(sv_layout_new(1, half, NULL, 1, &layout), SV_OK);
    cr_assert_eq(sv_view_from_pointer(layout, SV_UINT8, memory, 4, SV_READ_ONLY, &view), SV_OK);
    cr_assert_eq(sv_layout_builder_new(&builder), SV_OK);
    cr_assert_eq(sv_layout_builder_start(builder, whole), SV_OK);
    cr_expect_eq(sv_view_with_builder(view, builder, &part), SV_ERROR_RANGE);
    cr_assert_eq(sv_layout_builder_repack(builder, 8, 0, 0, 1), SV_OK);
    cr_expect_eq(sv_view_with_builder(view, builder, &part), SV_ERROR_DTYPE);
    cr_expect_eq(part, (sv_view *)1);
    cr_assert_eq(sv_layout_builder_start(builder, layout), SV_OK);
    cr_assert_eq(sv_view_with_builder(view, builder, &part), SV_OK);
    cr_expect_eq(sv_view_is_readonly(part), 1);
    sv_view_release(part);
    sv_layout_builder_release(builder);
    sv_view_release(view);
    sv_layout_release(layout);
    sv_layout_release(whole);
}
