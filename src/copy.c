#include <inttypes.h>
#include <string.h>

#include "alloc.h"
#include "device.h"
#include "overlap.h"
#include "view.h"

static const uint32_t known_flags = SV_COPY_NO_TEMP | SV_COPY_TRUST | SV_COPY_BLOCKING;
static const struct svi_device host = {SV_DEVICE_CPU, 0};

/* --- checks -------------------------------------------------------------- */

static sv_status check_dtypes(const sv_view *dst, const sv_view *src)
{
    char dst_name[SVI_DTYPE_TEXT], src_name[SVI_DTYPE_TEXT];

    if (dst->dtype == src->dtype && dst->layout->itemsize == src->layout->itemsize)
        return SV_OK;
    return svi_fail(SV_ERROR_DTYPE, "dst has %s of %" PRId64 " bytes, src %s of %" PRId64,
                    svi_dtype_text(dst->dtype, dst_name), dst->layout->itemsize, svi_dtype_text(src->dtype, src_name),
                    src->layout->itemsize);
}

static sv_status check_arguments(const sv_view *dst, const sv_view *src, uint32_t flags)
{
    SVI_TRY(svi_view_check(dst, "dst"));
    SVI_TRY(svi_view_check(src, "src"));
    if (flags & ~known_flags)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", known are 0x%" PRIx32, flags, known_flags);
    if (dst->flags & SV_READ_ONLY)
        return svi_fail(SV_ERROR_READ_ONLY, "dst is read-only");
    return check_dtypes(dst, src);
}

static sv_status check_own_overlap(const sv_view *dst, uint32_t flags)
{
    sv_answer answer = svi_overlap_self(dst->layout, SVI_OVERLAP_WORK);

    if (answer == SV_YES)
        return svi_fail(SV_ERROR_OVERLAP, "elements of dst share bytes");
    if (answer == SV_MAYBE && !(flags & SV_COPY_TRUST))
        return svi_fail(SV_ERROR_OVERLAP, "elements of dst may share bytes: not decided after %d steps",
                        SVI_OVERLAP_WORK);
    return SV_OK;
}

/* --- parts --------------------------------------------------------------- */

static char *address(const sv_view *view)
{
    return view->base + view->layout->byte_offset;
}

static bool same_shape(const sv_layout *a, const sv_layout *b)
{
    return a->ndim == b->ndim &&
           memcmp(svi_layout_shape(a), svi_layout_shape(b), (size_t)a->ndim * sizeof(int64_t)) == 0;
}

/* Strides of layout broadcast to the shape of target; room is where they are put when they change. */
static sv_status strides_for(const sv_layout *layout, const sv_layout *target, struct svi_geometry *room,
                             const int64_t **out)
{
    if (same_shape(layout, target)) {
        *out = svi_layout_byte_strides(layout);
        return SV_OK;
    }
    svi_layout_load(layout, room);
    SVI_TRY(svi_geometry_broadcast(room, target->ndim, svi_layout_shape(target)));
    *out = room->strides;
    return SV_OK;
}

/* Whether every element is its own source. */
static bool is_same_memory(const sv_view *dst, const sv_view *src, const int64_t *src_strides)
{
    const int64_t *shape = svi_layout_shape(dst->layout), *dst_strides = svi_layout_byte_strides(dst->layout);

    if (address(dst) != address(src))
        return false;
    for (int32_t k = 0; k < dst->layout->ndim; k++)
        if (shape[k] > 1 && dst_strides[k] != src_strides[k])
            return false;
    return true;
}

static bool may_overlap(const sv_view *dst, const sv_view *src)
{
    return svi_overlap_two((uintptr_t)dst->base, dst->layout, (uintptr_t)src->base, src->layout, SVI_OVERLAP_WORK) !=
           SV_NO;
}

static sv_status find_backend(struct svi_device dst, struct svi_device src, const struct svi_backend **out)
{
    *out = svi_backend_for(dst, src);
    if (*out == NULL)
        return svi_fail(SV_ERROR_UNSUPPORTED, "no backend copies from %s device %d to %s device %d",
                        svi_device_name(src.type), (int)src.id, svi_device_name(dst.type), (int)dst.id);
    return SV_OK;
}

/* --- through a temporary ------------------------------------------------- */

/* The dense form of what src holds, each repeated element once. */
static sv_status pack(const sv_layout *src, struct svi_geometry *g)
{
    svi_layout_load(src, g);
    for (int32_t k = 0; k < g->ndim; k++)
        if (g->strides[k] == 0)
            g->shape[k] = 1;
    return svi_geometry_to_dense(g, SV_ORDER_K, 0, NULL);
}

/* Both steps wait, since the temporary ends with the call. */
static sv_status copy_twice(const sv_view *dst, const sv_view *src, struct svi_geometry *packed, char *temporary,
                            uintptr_t stream)
{
    const int64_t *dst_shape = svi_layout_shape(dst->layout), *dst_strides = svi_layout_byte_strides(dst->layout);
    const struct svi_backend *in, *out;
    struct svi_plan plan;

    SVI_TRY(find_backend(host, src->device, &in));
    SVI_TRY(find_backend(dst->device, host, &out));
    svi_plan_make(packed->ndim, packed->shape, packed->strides, svi_layout_byte_strides(src->layout), packed->itemsize,
                  &plan);
    SVI_TRY(in->copy(&plan, host, temporary, src->device, address(src), stream, true));
    SVI_TRY(svi_geometry_broadcast(packed, dst->layout->ndim, dst_shape));
    svi_plan_make(packed->ndim, dst_shape, dst_strides, packed->strides, packed->itemsize, &plan);
    return out->copy(&plan, dst->device, address(dst), host, temporary, stream, true);
}

static sv_status copy_by_temporary(const sv_view *dst, const sv_view *src, uintptr_t stream)
{
    struct svi_geometry packed;
    struct svi_extent extent;
    char *temporary;
    sv_status status;

    SVI_TRY(pack(src->layout, &packed));
    SVI_TRY(svi_geometry_measure(&packed, &extent));
    temporary = svi_malloc((size_t)(extent.size * packed.itemsize));
    if (temporary == NULL)
        return SV_ERROR_MEMORY;
    status = copy_twice(dst, src, &packed, temporary, stream);
    svi_free(temporary);
    return status;
}

/* --- copy ---------------------------------------------------------------- */

sv_status sv_copy(const sv_view *dst, const sv_view *src, uint32_t flags, uintptr_t stream)
{
    const struct svi_backend *backend;
    struct svi_geometry room;
    const int64_t *src_strides;
    struct svi_plan plan;

    SVI_TRY(check_arguments(dst, src, flags));
    SVI_TRY(strides_for(src->layout, dst->layout, &room, &src_strides));
    if (dst->layout->extent.size == 0)
        return SV_OK;
    SVI_TRY(find_backend(dst->device, src->device, &backend));
    SVI_TRY(check_own_overlap(dst, flags));
    if (is_same_memory(dst, src, src_strides))
        return SV_OK;
    if (may_overlap(dst, src)) {
        if (flags & SV_COPY_NO_TEMP)
            return svi_fail(SV_ERROR_OVERLAP, "src and dst share bytes, or may, and a temporary is not wanted");
        return copy_by_temporary(dst, src, stream);
    }
    svi_plan_make(dst->layout->ndim, svi_layout_shape(dst->layout), svi_layout_byte_strides(dst->layout), src_strides,
                  dst->layout->itemsize, &plan);
    return backend->copy(&plan, dst->device, address(dst), src->device, address(src), stream,
                         (flags & SV_COPY_BLOCKING) != 0);
}
