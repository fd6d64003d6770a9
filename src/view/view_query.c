#include "view/view.h"

#include <inttypes.h>

#include "overlap/overlap.h"
#include "view/view_query.h"

void *sv_view_data(const sv_view *view)
{
    return svi_view_check(view, "view") == SV_OK ? view->borrowed.dl_tensor.data : NULL;
}

const sv_layout *sv_view_layout(const sv_view *view)
{
    return svi_view_check(view, "view") == SV_OK ? view->layout : NULL;
}

sv_dtype sv_view_dtype(const sv_view *view)
{
    return svi_view_check(view, "view") == SV_OK ? view->dtype : SV_OPAQUE;
}

int32_t sv_view_device_type(const sv_view *view)
{
    return svi_view_check(view, "view") == SV_OK ? view->device.type : 0;
}

int32_t sv_view_device_id(const sv_view *view)
{
    return svi_view_check(view, "view") == SV_OK ? view->device.id : 0;
}

int32_t sv_view_is_readonly(const sv_view *view)
{
    return svi_view_check(view, "view") == SV_OK && (view->flags & SV_READ_ONLY) != 0;
}

sv_status sv_view_bounds(const sv_view *view, int64_t *lower, int64_t *upper)
{
    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(lower);
    SVI_NEED(upper);
    *lower = view->lower;
    *upper = view->upper;
    return SV_OK;
}

int64_t sv_view_references(const sv_view *view)
{
    if (svi_view_check(view, "view") != SV_OK)
        return 0;
    /* A root has one reference of this view, which is not counted twice. */
    return svi_handle_count(&view->handle) + (view->root == NULL ? 0 : svi_handle_count(&view->root->handle) - 1);
}

void *sv_view_context(const sv_view *view, sv_release_callback release)
{
    const sv_view *root;

    if (svi_view_check(view, "view") != SV_OK)
        return NULL;
    root = view->root == NULL ? view : view->root;
    return release != NULL && root->release == release ? root->ctx : NULL;
}

/* SV_YES: one address space; SV_NO: no memory in common; SV_MAYBE: not known. */
static sv_answer shares_space(const sv_view *view, const sv_view *other)
{
    if (svi_devices[view->device.type].unified && svi_devices[other->device.type].unified)
        return SV_YES;
    if (view->device.type != other->device.type)
        return SV_MAYBE;
    if (view->device.id != other->device.id)
        return SV_NO;
    return view->base == other->base || !svi_device_has(view->device.type, SV_TRAIT_HANDLES) ? SV_YES : SV_MAYBE;
}

sv_status sv_view_overlap(const sv_view *view, const sv_view *other, int64_t work, sv_answer *answer)
{
    sv_answer space;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_TRY(svi_view_check(other, "other"));
    SVI_NEED(answer);
    SVI_TRY(svi_overlap_work(work, &work));
    space = shares_space(view, other);
    if (view->layout->extent.size == 0 || other->layout->extent.size == 0)
        space = SV_NO;
    if (space == SV_YES)
        space = svi_overlap_two((uintptr_t)view->base, view->layout, (uintptr_t)other->base, other->layout, work);
    if (space == SVI_ANSWER_NO_MEMORY)
        return SV_ERROR_MEMORY;
    *answer = space;
    return SV_OK;
}

sv_status svi_view_check_borrowable(const sv_view *view)
{
    const sv_layout *l = view->layout;

    if (view->borrowable)
        return SV_OK;
    if (view->dtype == SV_OPAQUE)
        return svi_fail(SV_ERROR_DTYPE, "opaque items of %" PRId64 " bytes have no DLPack type", l->itemsize);
    for (int32_t i = 0; i < l->ndim; i++)
        if (!l->divides && svi_layout_shape(l)[i] > 1 && svi_layout_byte_strides(l)[i] % l->itemsize != 0)
            return svi_fail(SV_ERROR_LAYOUT, "axis %d has a stride of %" PRId64 " bytes, no multiple of %" PRId64,
                            (int)i, svi_layout_byte_strides(l)[i], l->itemsize);
    return svi_fail(SV_ERROR_LAYOUT, "an offset of %" PRId64 " bytes from a handle", l->byte_offset);
}

const struct DLManagedTensorVersioned *sv_view_borrow(const sv_view *view)
{
    if (svi_view_check(view, "view") != SV_OK)
        return NULL;
    if (view->borrowable)
        return &view->borrowed;
    svi_view_check_borrowable(view); /* says why */
    return NULL;
}
