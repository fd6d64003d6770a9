#include "unit/view/dlpack_constants.h"
#include "support/foreign.h"

/* --- valid tensors ------------------------------------------------------- */

static const struct valid {
    const char *name;
    struct change changes[CHANGES];
    void *data; /* of the view */
    int64_t size, lower, upper;
    int64_t stride; /* in bytes, of axis 0 */
    int readonly, only;
} valid[] = {
    {"plain", {{0}}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"newer minor", {FIELD(version.minor, 99)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"oldest minor", {FIELD(version.minor, 0)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"no strides", {TENSOR(strides, 0)}, cells + 16, 6, 0, 24, 12, 0, 0},
    {"no deleter", {FIELD(deleter, 0)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"read-only", {FIELD(flags, 1)}, cells + 16, 6, 0, 28, 16, 1, V},
    {"copied", {FIELD(flags, 2)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"padding does not matter", {FIELD(flags, 4)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"unknown flags", {FIELD(flags, ~7ULL)}, cells + 16, 6, 0, 28, 16, 0, V},
    {"offset", {TENSOR(byte_offset, 8)}, cells + 18, 6, 0, 28, 16, 0, 0},
    {"misaligned", {TENSOR(byte_offset, 1)}, (char *)cells + 65, 6, 0, 28, 16, 0, 0},
    {"negative stride", {STRIDE(0, -4)}, cells + 16, 6, -16, 12, -16, 0, 0},
    {"zero strides", {STRIDE(0, 0), STRIDE(1, 0)}, cells + 16, 6, 0, 4, 0, 0, 0},
    {"overlapping", {STRIDE(0, 1)}, cells + 16, 6, 0, 16, 4, 0, 0},
    {"scalar", {TENSOR(ndim, 0), TENSOR(shape, 0), TENSOR(strides, 0)}, cells + 16, 1, 0, 4, 0, 0, 0},
    {"scalar with arrays", {TENSOR(ndim, 0)}, cells + 16, 1, 0, 4, 0, 0, 0},
    {"64 axes", {TENSOR(ndim, 64)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"empty", {SHAPE(1, 0)}, NULL, 0, 0, 0, 16, 0, 0},
    {"empty without data", {SHAPE(1, 0), TENSOR(data, 0)}, NULL, 0, 0, 0, 16, 0, 0},
    {"empty at the top", {SHAPE(1, 0), TENSOR(data, -1), TENSOR(byte_offset, 9)}, NULL, 0, 0, 0, 16, 0, 0},
    {"empty beyond measure", {SHAPE(0, INT64_MAX), SHAPE(1, 0), STRIDE(0, 1)}, NULL, 0, 0, 0, 4, 0, 0},
    {"empty, mad stride", {SHAPE(1, 0), STRIDE(0, INT64_MAX)}, NULL, 0, 0, 0, 0, 0, 0},
    {"one row, mad stride", {SHAPE(0, 1), STRIDE(0, INT64_MAX)}, cells + 16, 3, 0, 12, 0, 0, 0},
    {"one row, least stride", {SHAPE(0, 1), STRIDE(0, INT64_MIN)}, cells + 16, 3, 0, 12, 0, 0, 0},
    {"one row, its stride", {SHAPE(0, 1), STRIDE(0, 77)}, cells + 16, 3, 0, 12, 308, 0, 0},
    {"CPU 3", {TENSOR(device.device_id, 3)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"GPU 3", {TENSOR(device.device_type, kDLCUDA), TENSOR(device.device_id, 3)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"handle", {TENSOR(device.device_type, kDLMetal), TENSOR(byte_offset, 8)}, cells + 16, 6, 8, 36, 16, 0, 0},
    {"handle NULL", {TENSOR(device.device_type, kDLMetal), TENSOR(data, 0)}, NULL, 6, 0, 28, 16, 0, 0},
    {"fp4 by twos", {TYPE(kDLFloat4_e2m1fn, 4, 2)}, cells + 16, 6, 0, 7, 4, 0, 0},
    {"int4 by eights", {TYPE(kDLInt, 4, 8)}, cells + 16, 6, 0, 28, 16, 0, 0},
    {"float by fours", {TYPE(kDLFloat, 32, 4)}, cells, 6, 0, 112, 64, 0, 0},
    {"highest address",
     {TENSOR(data, UINTPTR_MAX - 28)},
     (void *)(UINTPTR_MAX - 28),
     6,
     0,
     28,
     16,
     0,
     0},
};

static void accept(const struct valid *row, enum form form)
{
    struct foreign f, before;
    sv_view *view = NULL;
    int64_t lower, upper;
    const char *name = row->name;

    foreign_change(&f, row->changes);
    if (f.versioned.dl_tensor.dtype.lanes == 4)
        f.versioned.dl_tensor.data = f.unversioned.dl_tensor.data = cells;
    before = f;
    cr_assert_eq(take(&f, form, 0, &view), SV_OK, "%s, %s: %s", name, form_names[form], sv_last_message());
    cr_assert_eq(memcmp(&f, &before, sizeof f), 0, "%s: tensor written", name);
    cr_assert_eq(sv_view_data(view), row->data, "%s: %p", name, sv_view_data(view));
    cr_assert_eq(sv_layout_ndim(sv_view_layout(view)), f.versioned.dl_tensor.ndim, "%s", name);
    cr_assert_eq(sv_layout_size(sv_view_layout(view)), row->size, "%s", name);
    cr_assert_eq(sv_view_bounds(view, &lower, &upper), SV_OK);
    cr_assert(lower == row->lower && upper == row->upper, "%s: %ld to %ld", name, (long)lower, (long)upper);
    if (sv_layout_ndim(sv_view_layout(view)) > 0)
        cr_assert_eq(sv_layout_byte_strides(sv_view_layout(view))[0], row->stride, "%s: stride %ld", name,
                     (long)sv_layout_byte_strides(sv_view_layout(view))[0]);
    cr_assert_eq(sv_view_is_readonly(view), row->readonly, "%s", name);
    cr_assert_eq(sv_view_device_type(view), (int32_t)f.versioned.dl_tensor.device.device_type, "%s", name);
    cr_assert_eq(sv_view_device_id(view), f.versioned.dl_tensor.device.device_id, "%s", name);
    cr_assert_not_null(sv_view_borrow(view), "%s", name);
    cr_assert_eq(f.deleted, 0, "%s", name);
    sv_view_release(view);
    cr_assert_eq(f.deleted, form != BARE && before.versioned.deleter != NULL, "%s, %s", name, form_names[form]);
    if (f.deleted)
        cr_assert_eq(f.deleted_pointer, form == VERSIONED ? (void *)&f.versioned : (void *)&f.unversioned, "%s", name);
}

Test(view_dlpack, valid_tensors)
{
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        for (enum form form = VERSIONED; form < FORMS; form++)
            if (form == VERSIONED || valid[i].only != V)
                accept(&valid[i], form);
}

Test(view_dlpack, read_only_on_request)
{
    for (enum form form = VERSIONED; form < FORMS; form++) {
        struct foreign f;
        sv_view *view;

        foreign_change(&f, (struct change[CHANGES]){{0}});
        cr_assert_eq(take(&f, form, SV_READ_ONLY, &view), SV_OK);
        cr_assert_eq(sv_view_is_readonly(view), 1);
        sv_view_release(view);
    }
}

Test(view_dlpack, numbers_are_copied_out)
{
    struct foreign f;
    sv_view *view;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    f.shape[0] = INT64_MAX;
    f.strides[0] = INT64_MIN;
    cr_assert_eq(sv_layout_shape(sv_view_layout(view))[0], 2);
    cr_assert_eq(sv_layout_byte_strides(sv_view_layout(view))[0], 16);
    sv_view_release(view);
}

Test(view_dlpack, deleter_waits_for_the_last_view_and_export)
{
    struct DLManagedTensorVersioned *tensor;
    struct DLManagedTensor *old;
    struct foreign f;
    sv_view *view, *fixed;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    cr_assert_eq(sv_view_retain(view), view);
    cr_assert_eq(sv_view_as_readonly(view, &fixed), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(fixed, 0, &tensor), SV_OK);
    cr_assert_eq(sv_view_to_dlpack_unversioned(view, &old), SV_OK);
    sv_view_release(view);
    sv_view_release(view);
    sv_view_release(fixed);
    cr_assert_eq(f.deleted, 0);
    tensor->deleter(tensor);
    cr_assert_eq(f.deleted, 0);
    old->deleter(old);
    cr_assert_eq(f.deleted, 1);
}

/* The layout lies in the view's block, which stays for as long as either is held. */
Test(view_dlpack, layout_outlives_the_view)
{
    struct foreign f;
    sv_view *view, *turned, *again;
    sv_layout *layout, *reversed;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    layout = sv_layout_retain(sv_view_layout(view));
    cr_assert_eq(sv_layout_permute(layout, 0, NULL, &reversed), SV_OK);
    cr_assert_eq(sv_view_with_layout(view, reversed, &turned), SV_OK);
    cr_assert_eq(sv_view_with_layout(turned, layout, &again), SV_OK);
    cr_expect_eq(sv_view_layout(again), layout, "a layout given is shared");
    sv_layout_release(reversed);
    sv_view_release(turned);
    sv_view_release(view);
    cr_expect_eq(f.deleted, 0);
    sv_view_release(again);
    cr_expect_eq(f.deleted, 1, "a layout keeps no memory alive");
    cr_expect_eq(sv_layout_shape(layout)[0], 2);
    cr_expect_eq(sv_layout_byte_strides(layout)[0], 16);
    sv_layout_release(layout);
}

/* --- export -------------------------------------------------------------- */

static void assert_same_tensor(const char *name, const DLTensor *a, const DLTensor *b)
{
    size_t nbytes = (size_t)a->ndim * sizeof(int64_t);

    cr_assert_eq(a->data, b->data, "%s", name);
    cr_assert_eq(a->byte_offset, b->byte_offset, "%s", name);
    cr_assert_eq(a->ndim, b->ndim, "%s", name);
    cr_assert_eq(memcmp(&a->dtype, &b->dtype, sizeof a->dtype), 0, "%s", name);
    cr_assert_eq(memcmp(&a->device, &b->device, sizeof a->device), 0, "%s", name);
    cr_assert_eq(a->shape == NULL, a->ndim == 0, "%s", name);
    cr_assert_eq(a->strides == NULL, a->ndim == 0, "%s", name);
    cr_assert_eq(b->shape == NULL, b->ndim == 0, "%s", name);
    cr_assert_eq(b->strides == NULL, b->ndim == 0, "%s", name);
    if (a->ndim > 0) {
        cr_assert_eq(memcmp(a->shape, b->shape, nbytes), 0, "%s", name);
        cr_assert_eq(memcmp(a->strides, b->strides, nbytes), 0, "%s", name);
    }
}

Test(view_dlpack, there_and_back)
{
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        const char *name = valid[i].name;
        struct DLManagedTensorVersioned *first, *second;
        struct DLManagedTensor *old = NULL;
        sv_view *view, *again, *third;
        struct foreign f;

        foreign_change(&f, valid[i].changes);
        cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK, "%s", name);
        cr_assert_eq(sv_view_to_dlpack(view, 0, &first), SV_OK, "%s", name);
        cr_assert(first->version.major == 1 && first->version.minor == 3);
        cr_assert_eq(first->flags, (uint64_t)valid[i].readonly, "%s", name);
        assert_same_tensor(name, &first->dl_tensor, &sv_view_borrow(view)->dl_tensor);
        cr_assert_eq(sv_view_from_dlpack(first, 0, &again), SV_OK, "%s: %s", name, sv_last_message());
        cr_assert_eq(sv_view_to_dlpack(again, SV_IS_COPIED, &second), SV_OK, "%s", name);
        cr_assert_eq(second->flags, (uint64_t)valid[i].readonly + 2, "%s", name);
        assert_same_tensor(name, &second->dl_tensor, &sv_view_borrow(view)->dl_tensor);
        sv_view_release(view);
        cr_assert_eq(sv_view_to_dlpack_unversioned(again, &old), valid[i].readonly ? SV_ERROR_READ_ONLY : SV_OK, "%s",
                     name);
        sv_view_release(again);
        if (old != NULL) {
            assert_same_tensor(name, &old->dl_tensor, &second->dl_tensor);
            cr_assert_eq(sv_view_from_dlpack_unversioned(old, 0, &third), SV_OK, "%s", name);
            sv_view_release(third);
        }
        cr_assert_eq(f.deleted, 0, "%s", name);
        second->deleter(second);
        cr_assert_eq(f.deleted, f.versioned.deleter != NULL, "%s", name);
    }
}

Test(view_dlpack, exports_may_be_scribbled_on)
{
    struct DLManagedTensorVersioned *tensor;
    struct foreign f;
    sv_view *view;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, 0, &view), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(view, 0, &tensor), SV_OK);
    tensor->dl_tensor.shape[0] = tensor->dl_tensor.strides[0] = 9;
    cr_assert_eq(sv_layout_shape(sv_view_layout(view))[0], 2);
    tensor->deleter(tensor);
    sv_view_release(view);
}

Test(view_dlpack, export_refusals)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    struct DLManagedTensor *old = NULL;
    struct foreign f;
    sv_view *view;

    foreign_change(&f, (struct change[CHANGES]){{0}});
    cr_assert_eq(take(&f, VERSIONED, SV_READ_ONLY, &view), SV_OK);
    cr_assert_eq(sv_view_to_dlpack(NULL, 0, &tensor), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack(view, 0, NULL), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack(view, SV_READ_ONLY, &tensor), SV_ERROR_INVALID);
    cr_assert_eq(sv_view_to_dlpack_unversioned(NULL, &old), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack_unversioned(view, NULL), SV_ERROR_NULL);
    cr_assert_eq(sv_view_to_dlpack_unversioned(view, &old), SV_ERROR_READ_ONLY);
    cr_assert_null(tensor);
    cr_assert_null(old);
    sv_view_release(view);
    cr_assert_eq(f.deleted, 1);
}

static void count_end(void *ctx)
{
    ++*(int *)ctx;
}

Test(view_dlpack, bare_tensors_end_with_the_last_view)
{
    float numbers[6];
    int64_t shape[] = {2, 3};
    DLTensor tensor = {.data = numbers, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
    sv_view *view = NULL, *same = NULL;
    int ended = 0;

    cr_assert_eq(sv_view_from_dltensor(&tensor, SV_READ_ONLY, count_end, &ended, &view), SV_OK);
    memset(&tensor, 0xff, sizeof tensor);
    cr_expect(sv_view_data(view) == numbers && sv_view_is_readonly(view));
    cr_assert_eq(sv_view_as_readonly(view, &same), SV_OK);
    sv_view_release(view);
    cr_expect_eq(ended, 0);
    sv_view_release(same);
    cr_expect_eq(ended, 1);

    tensor = (DLTensor){.data = NULL, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
    view = NULL;
    cr_expect_eq(sv_view_from_dltensor(&tensor, 0, count_end, &ended, &view), SV_ERROR_PROTOCOL);
    cr_expect(view == NULL && ended == 1, "what is refused stays with the caller");
}

/* --- exports that come back ---------------------------------------------- */

/* Exports a view, takes the tensor back and lets the view go. */
static sv_view *hand_on(sv_view *view, bool versioned, uint32_t flags)
{
    struct DLManagedTensorVersioned *tensor = NULL;
    struct DLManagedTensor *old = NULL;
    sv_view *back = NULL;

    if (versioned) {
        cr_assert_eq(sv_view_to_dlpack(view, 0, &tensor), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_view_from_dlpack(tensor, flags, &back), SV_OK, "%s", sv_last_message());
    } else {
        cr_assert_eq(sv_view_to_dlpack_unversioned(view, &old), SV_OK, "%s", sv_last_message());
        cr_assert_eq(sv_view_from_dlpack_unversioned(old, flags, &back), SV_OK, "%s", sv_last_message());
    }
    sv_view_release(view);
    return back;
}

static sv_view *owning_view(int *ended)
{
    static int32_t memory[6];
    static const int64_t shape[2] = {2, 3};
    sv_view *view = NULL;

    cr_assert_eq(sv_view_from_array(SV_INT32, 2, shape, NULL, memory, SV_DEVICE_CPU, 0, 0, count_end, ended, &view),
                 SV_OK);
    return view;
}

/* The last release needs no deeper stack, however often an array was handed on. */
Test(view_dlpack, handed_on_many_times)
{
    int ended = 0;
    sv_view *view = owning_view(&ended);
    const void *data = sv_view_data(view);

    for (int i = 0; i < 300000; i++)
        view = hand_on(view, i % 3 != 0, 0);
    cr_expect_eq(sv_view_data(view), data);
    cr_expect_eq(ended, 0);
    sv_view_release(view);
    cr_expect_eq(ended, 1);
}

/* What comes back is what the tensor says, with bounds of its own, and keeps the root from whichever view it was. */
Test(view_dlpack, handed_on_parts)
{
    for (int versioned = 0; versioned < 2; versioned++) {
        static const int64_t start[2] = {1, 2}, stop[2] = {2, INT64_MIN}, step[2] = {1, -2};
        int ended = 0;
        sv_view *whole = owning_view(&ended), *part = NULL, *kept;
        sv_layout *layout = NULL;
        int64_t lower, upper;

        cr_assert_eq(sv_layout_slice(sv_view_layout(whole), 2, start, stop, step, &layout), SV_OK);
        cr_assert_eq(sv_view_with_layout(whole, layout, &part), SV_OK);
        kept = sv_view_retain(whole);
        part = hand_on(part, versioned, SV_READ_ONLY);
        cr_expect_eq(sv_view_data(part), (int32_t *)sv_view_data(whole) + 5);
        cr_expect(sv_view_is_readonly(part) && !sv_view_is_readonly(whole));
        cr_assert_eq(sv_view_bounds(part, &lower, &upper), SV_OK);
        cr_expect(lower == -8 && upper == 4, "%d, %d", (int)lower, (int)upper);
        cr_expect_eq(sv_layout_byte_strides(sv_view_layout(part))[1], -8);
        sv_view_release(kept);
        sv_view_release(whole);
        cr_expect_eq(ended, 0);
        sv_view_release(part);
        cr_expect_eq(ended, 1);
        sv_layout_release(layout);
    }
}

/* A tensor that is refused stays whole: its deleter is the caller's to call. */
Test(view_dlpack, handed_on_but_refused)
{
    int ended = 0;
    sv_view *view = owning_view(&ended), *back = NULL;
    struct DLManagedTensorVersioned *tensor = NULL;

    cr_assert_eq(sv_view_to_dlpack(view, 0, &tensor), SV_OK);
    sv_view_release(view);
    cr_expect_eq(sv_view_from_dlpack(tensor, 64, &back), SV_ERROR_INVALID);
    cr_expect(back == NULL && ended == 0);
    tensor->deleter(tensor);
    cr_expect_eq(ended, 1);
}
