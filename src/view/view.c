#include "view/view.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "layout/layout_builder.h"

enum { DLPACK_MAJOR = 1, DLPACK_MINOR = 3 }; /* what is handed out, however new the header is */

/* --- checks -------------------------------------------------------------- */

static sv_status check_capacity(const struct sv_view *from, const struct svi_extent *e)
{
    if (from->lower > from->upper)
        return svi_fail(SV_ERROR_RANGE, "memory from byte %" PRId64 " to byte %" PRId64, from->lower, from->upper);
    if (e->size > 0 && (e->lower < from->lower || e->upper > from->upper))
        return svi_fail(SV_ERROR_RANGE,
                        "elements occupy bytes %" PRId64 " to %" PRId64 ", the memory is bytes %" PRId64 " to %" PRId64,
                        e->lower, e->upper, from->lower, from->upper);
    return SV_OK;
}

bool svi_is_addressable(uintptr_t address, int64_t lower, int64_t upper)
{
    return (lower >= 0 || svi_abs(lower) <= address) && (upper <= 0 || svi_abs(upper) <= UINTPTR_MAX - address);
}

static sv_status check_addresses(const void *pointer, int32_t device_type, const struct svi_extent *e)
{
    uintptr_t base = (uintptr_t)pointer;

    if (e->size == 0 || svi_device_has(device_type, SV_TRAIT_HANDLES))
        return SV_OK;
    if (base == 0)
        return svi_fail(SV_ERROR_NULL, "the address is NULL, there are %" PRId64 " elements", e->size);
    if (!svi_is_addressable(base, e->lower, e->upper))
        return svi_fail(SV_ERROR_OVERFLOW,
                        "bytes %" PRId64 " to %" PRId64 " from address 0x%" PRIxPTR " leave the address space",
                        e->lower, e->upper, base);
    return SV_OK;
}

static sv_status check_view_place(uint32_t flags, struct svi_device device)
{
    if (flags & ~(uint32_t)SV_READ_ONLY)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_READ_ONLY is known", flags);
    return svi_device_check(device);
}

/* --- making -------------------------------------------------------------- */

static bool is_borrowable(const sv_view *view)
{
    return view->dtype != SV_OPAQUE && view->layout->divides &&
           !(view->layout->byte_offset < 0 && svi_device_has(view->device.type, SV_TRAIT_HANDLES));
}

static void fill_tensor(const sv_view *view, DLTensor *tensor)
{
    const sv_layout *l = view->layout;

    tensor->device = (DLDevice){(DLDeviceType)view->device.type, view->device.id};
    tensor->ndim = l->ndim;
    tensor->dtype = (DLDataType){view->dtype & 0xff, view->dtype >> 8 & 0xff, (uint16_t)(view->dtype >> 16)};
    tensor->shape = l->ndim > 0 ? (int64_t *)svi_layout_shape(l) : NULL;
    tensor->strides = l->ndim > 0 ? (int64_t *)svi_layout_element_strides(l) : NULL;
    tensor->byte_offset = 0;
    if (svi_device_has(view->device.type, SV_TRAIT_HANDLES)) {
        tensor->data = view->base;
        tensor->byte_offset = (uint64_t)l->byte_offset;
    } else if (l->extent.size > 0) {
        tensor->data = view->base + l->byte_offset;
    } else {
        tensor->data = NULL;
    }
}

/* Makes a view of room, which says what was checked, and takes the layout over. */
static void complete_view(sv_view *room, sv_layout *layout)
{
    svi_handle_init(&room->handle, SVI_TAG_VIEW);
    room->layout = layout;
    sv_view_retain(room->root);
    room->borrowable = is_borrowable(room);
    room->borrowed.version = (DLPackVersion){DLPACK_MAJOR, DLPACK_MINOR};
    room->borrowed.manager_ctx = NULL;
    room->borrowed.deleter = NULL;
    room->borrowed.flags = room->flags & SV_READ_ONLY ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
    if (svi_dtype_is_padded(room->dtype))
        room->borrowed.flags |= DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
    fill_tensor(room, &room->borrowed.dl_tensor);
}

/* Checks what from says (all but handle, borrowable and borrowed). The view retains the layout and the root. */
static sv_status make_checked_view(const struct sv_view *from, sv_view **out)
{
    const struct svi_extent *extent = &from->layout->extent;
    sv_view *view;

    SVI_TRY(check_view_place(from->flags, from->device));
    SVI_TRY(svi_dtype_fits(from->dtype, from->layout->itemsize));
    SVI_TRY(check_capacity(from, extent));
    SVI_TRY(check_addresses(from->base, from->device.type, extent));
    view = svi_malloc(sizeof *view);
    if (view == NULL)
        return SV_ERROR_MEMORY;
    memcpy(view, from, offsetof(struct sv_view, borrowable)); /* complete_view() makes the rest */
    complete_view(view, sv_layout_retain(from->layout));
    *out = view;
    return SV_OK;
}

sv_status svi_view_make(const struct svi_view_memory *memory, const struct svi_geometry *g,
                        const struct svi_extent *extent, sv_view **out)
{
    sv_view *view;

    SVI_TRY(check_view_place(memory->flags, memory->device));
    SVI_TRY(check_addresses(memory->base, memory->device.type, extent));
    view = svi_malloc(sizeof *view + svi_layout_room(g->ndim));
    if (view == NULL)
        return SV_ERROR_MEMORY;
    view->base = memory->base;
    view->lower = extent->lower;
    view->upper = extent->upper;
    view->dtype = memory->dtype;
    view->flags = memory->flags;
    view->device = memory->device;
    view->root = memory->root;
    view->release = memory->release;
    view->ctx = memory->ctx;
    complete_view(view, svi_layout_place(g, extent, view + 1, view));
    *out = view;
    return SV_OK;
}

sv_status sv_view_new(const sv_layout *layout, sv_dtype dtype, void *base, int64_t lower, int64_t upper,
                      int32_t device_type, int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx,
                      sv_view **out)
{
    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(out);
    return make_checked_view(&(struct sv_view){.layout = (sv_layout *)layout,
                                               .base = base,
                                               .lower = lower,
                                               .upper = upper,
                                               .dtype = dtype,
                                               .flags = flags,
                                               .device = {device_type, device_id},
                                               .release = release,
                                               .ctx = ctx},
                             out);
}

sv_status sv_view_from_pointer(const sv_layout *layout, sv_dtype dtype, void *pointer, int64_t nbytes, uint32_t flags,
                               sv_view **out)
{
    return sv_view_new(layout, dtype, pointer, 0, nbytes, SV_DEVICE_CPU, 0, flags, NULL, NULL, out);
}

/* What a view made from another starts with. Not a plain copy: other threads may be counting references. */
static void derive_view(const sv_view *view, struct sv_view *from)
{
    from->layout = view->layout;
    from->base = view->base;
    from->lower = view->lower;
    from->upper = view->upper;
    from->dtype = view->dtype;
    from->flags = view->flags;
    from->device = view->device;
    from->root = svi_view_root(view);
    from->release = NULL;
    from->ctx = NULL;
}

sv_status sv_view_with_layout(const sv_view *view, const sv_layout *layout, sv_view **out)
{
    struct sv_view from;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(out);
    derive_view(view, &from);
    from.layout = (sv_layout *)layout;
    return make_checked_view(&from, out);
}

sv_status svi_view_derive(const sv_view *view, const struct svi_geometry *g, const struct svi_extent *extent,
                          sv_view **out)
{
    sv_view *made;

    if (g->itemsize != view->layout->itemsize)
        SVI_TRY(svi_dtype_fits(view->dtype, g->itemsize));
    SVI_TRY(check_capacity(view, extent));
    SVI_TRY(check_addresses(view->base, view->device.type, extent));

    made = svi_malloc(sizeof *made + svi_layout_room(g->ndim));
    if (made == NULL)
        return SV_ERROR_MEMORY;
    derive_view(view, made);
    complete_view(made, svi_layout_place(g, extent, made + 1, made));
    *out = made;
    return SV_OK;
}

sv_status sv_view_with_builder(const sv_view *view, const sv_layout_builder *builder, sv_view **out)
{
    struct svi_extent extent;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_TRY(svi_layout_builder_check(builder));
    SVI_NEED(out);
    SVI_TRY(svi_layout_builder_measure(builder, &extent));
    return svi_view_derive(view, &builder->geometry, &extent, out);
}

sv_status sv_view_with_dtype(const sv_view *view, sv_dtype dtype, sv_view **out)
{
    struct sv_view from;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(out);
    derive_view(view, &from);
    from.dtype = dtype;
    return make_checked_view(&from, out);
}

sv_status sv_view_as_readonly(const sv_view *view, sv_view **out)
{
    struct sv_view from;

    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(out);
    derive_view(view, &from);
    from.flags |= SV_READ_ONLY;
    return make_checked_view(&from, out);
}

sv_view *sv_view_retain(const sv_view *view)
{
    if (view == NULL || svi_view_check(view, "view") != SV_OK)
        return NULL;
    svi_handle_retain(&view->handle);
    return (sv_view *)view;
}

void sv_view_release(sv_view *view)
{
    if (view == NULL || svi_view_check(view, "view") != SV_OK)
        return;
    while (view != NULL && svi_handle_drop(&view->handle)) {
        sv_view *root = view->root;
        sv_release_callback release = view->release;
        void *ctx = view->ctx;
        sv_layout *layout = view->layout;

        if (layout->block != view)
            svi_free(view);
        sv_layout_release(layout);
        if (release != NULL)
            release(ctx);
        view = root;
    }
}
