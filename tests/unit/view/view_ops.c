#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "support/layouts.h"
#include "support/numbers.h"
#include "view/view.h"

enum { OPERATIONS = 5, MANY = 8 };

struct arguments {
    int32_t ndim, axis, axes[MANY];
    int64_t index, start[MANY], stop[MANY], step[MANY], shape[MANY];
    bool all;
};

static void random_arguments(const sv_layout *layout, int operation, struct arguments *a)
{
    const int32_t ndim = sv_layout_ndim(layout);

    a->axis = (int32_t)test_between(-ndim - 1, ndim);
    a->index = test_between(-3, 3);
    a->all = test_between(0, 1);
    test_shuffle(ndim, a->axes);
    a->ndim = operation == 4 ? ndim + 1 : (int32_t)test_between(0, ndim);
    for (int k = 0; k < MANY; k++) {
        a->start[k] = test_between(-2, 2);
        a->stop[k] = test_between(0, 2) ? INT64_MAX : 2;
        a->step[k] = test_between(0, 9) ? test_between(1, 2) : test_between(-2, 0);
        a->shape[k] = test_between(0, 15) ? test_between(1, 3) : -1;
    }
    for (int32_t k = 0; operation == 4 && k < ndim; k++)
        a->shape[k + 1] = test_between(0, 9) ? sv_layout_shape(layout)[k] : a->shape[k + 1];
    if (operation == 3 && test_between(0, 1)) {
        a->ndim = 1;
        a->shape[0] = -1;
    }
}

static sv_status by_layout(int operation, const sv_layout *l, const struct arguments *a, sv_layout **out)
{
    switch (operation) {
    case 0: return sv_layout_permute(l, a->ndim, a->all ? NULL : a->axes, out);
    case 1: return sv_layout_slice(l, a->ndim, a->start, a->stop, a->all ? NULL : a->step, out);
    case 2: return sv_layout_index(l, a->axis, a->index, out);
    case 3: return sv_layout_reshape(l, a->ndim, a->shape, out);
    default: return sv_layout_broadcast(l, a->ndim, a->shape, out);
    }
}

static sv_status by_view(int operation, const sv_view *v, const struct arguments *a, sv_view **out)
{
    switch (operation) {
    case 0: return sv_view_permute(v, a->ndim, a->all ? NULL : a->axes, out);
    case 1: return sv_view_slice(v, a->ndim, a->start, a->stop, a->all ? NULL : a->step, out);
    case 2: return sv_view_index(v, a->axis, a->index, out);
    case 3: return sv_view_reshape(v, a->ndim, a->shape, out);
    default: return sv_view_broadcast(v, a->ndim, a->shape, out);
    }
}

static int asked;

static void *count_allocate(size_t nbytes)
{
    asked++;
    return malloc(nbytes);
}

/* The same layout, the same address and the same refusal as of the layout's operation, in one allocation. */
Test(view_ops, does_what_layouts_do)
{
    char *const base = (char *)(UINTPTR_MAX / 2); /* not read */
    const struct svi_alloc saved = svi_alloc;
    int done[OPERATIONS] = {0}, refused[OPERATIONS] = {0};

    for (int64_t i = test_first_round(); test_round(i, test_cases()); i++) {
        sv_layout *layout = test_layout(5), *changed = NULL;
        const int operation = i % OPERATIONS;
        sv_view *view, *direct = NULL, *wanted;
        struct arguments a;
        sv_status status;

        random_arguments(layout, operation, &a);
        cr_assert_eq(sv_view_new(layout, SV_OPAQUE, base, INT64_MIN, INT64_MAX, SV_DEVICE_CUDA, 3, SV_READ_ONLY, NULL,
                                 NULL, &view), SV_OK, "%s", sv_last_message());
        status = by_layout(operation, layout, &a, &changed);
        asked = 0;
        svi_alloc.allocate = count_allocate;
        cr_assert_eq(by_view(operation, view, &a, &direct), status, "%s", sv_last_message());
        svi_alloc = saved;
        cr_assert_eq(asked, status == SV_OK);
        if (status == SV_OK) {
            cr_assert_eq(sv_view_with_layout(view, changed, &wanted), SV_OK);
            cr_assert_eq(sv_layout_equal(sv_view_layout(direct), changed), 1);
            cr_assert_eq(sv_view_data(direct), sv_view_data(wanted));
            cr_assert_eq(sv_view_is_readonly(direct), 1);
            cr_assert_eq(sv_view_device_id(direct), 3);
            sv_view_release(wanted);
            done[operation]++;
        } else {
            cr_assert_null(direct);
            refused[operation]++;
        }
        sv_view_release(view);
        sv_view_release(direct);
        sv_layout_release(changed);
        sv_layout_release(layout);
    }
    for (int k = 0; k < OPERATIONS; k++) {
        cr_expect_gt(done[k], test_cases() / 100, "operation %d", k);
        cr_expect_gt(refused[k], test_cases() / 500, "operation %d", k);
    }
}

static void count_release(void *ctx)
{
    ++*(int *)ctx;
}

/* Memory ends with the last view of it, whichever that is; read-only stays, and the dtype. */
Test(view_ops, keeps_memory_alive)
{
    static const int64_t shape[2] = {3, 4}, start[1] = {1}, stop[1] = {INT64_MAX}, flat[1] = {-1}, wide[3] = {2, 2, 4};
    int released = 0, cells[12];
    sv_view *whole, *rows, *turned, *column, *all, *twice;

    cr_assert_eq(sv_view_from_array(SV_INT32, 2, shape, NULL, cells, SV_DEVICE_CPU, 0, SV_READ_ONLY, count_release,
                                    &released, &whole), SV_OK);
    cr_assert_eq(sv_view_reshape(whole, 1, flat, &all), SV_OK);
    cr_assert_eq(sv_view_slice(whole, 1, start, stop, NULL, &rows), SV_OK);
    sv_view_release(whole);
    cr_assert_eq(sv_view_permute(rows, 0, NULL, &turned), SV_OK);
    cr_assert_eq(sv_view_index(turned, 0, -1, &column), SV_OK);
    cr_assert_eq(sv_view_broadcast(rows, 3, wide, &twice), SV_OK);
    cr_expect_eq(sv_view_data(rows), cells + 4);
    cr_expect_eq(sv_view_data(column), cells + 7);
    cr_expect_eq(sv_view_data(all), cells);
    cr_expect_eq(sv_view_data(twice), cells + 4);
    cr_expect_eq(sv_layout_size(sv_view_layout(all)), 12);
    cr_expect_eq(sv_view_dtype(column), SV_INT32);
    cr_expect_eq(sv_view_is_readonly(column), 1);
    sv_view_release(turned);
    sv_view_release(rows);
    sv_view_release(all);
    sv_view_release(twice);
    cr_expect_eq(released, 0);
    sv_view_release(column);
    cr_expect_eq(released, 1);
}

/* What only a copy could give is refused, and what has no meaning. */
Test(view_ops, refused)
{
    static const int64_t shape[2] = {3, 4}, flat[1] = {12}, narrow[1] = {4};
    static const int32_t twice[2] = {0, 0};
    int cells[12];
    sv_view *whole, *turned, *out = NULL;

    cr_assert_eq(sv_view_from_array(SV_INT32, 2, shape, NULL, cells, SV_DEVICE_CPU, 0, 0, NULL, NULL, &whole), SV_OK);
    cr_assert_eq(sv_view_permute(whole, 0, NULL, &turned), SV_OK);
    cr_expect_eq(sv_view_reshape(turned, 1, flat, &out), SV_ERROR_LAYOUT);
    cr_expect_eq(sv_view_permute(whole, 2, twice, &out), SV_ERROR_INVALID);
    cr_expect_eq(sv_view_index(whole, 0, 3, &out), SV_ERROR_INDEX);
    cr_expect_eq(sv_view_broadcast(whole, 1, narrow, &out), SV_ERROR_LAYOUT);
    cr_expect_eq(sv_view_slice(whole, 1, shape, shape, NULL, NULL), SV_ERROR_NULL);
    cr_expect_null(out);
    sv_view_release(turned);
    sv_view_release(whole);
}
