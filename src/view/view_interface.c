#include "view/view.h"

#include <inttypes.h>

#include "dtype/format.h"

sv_status sv_view_from_array(sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides,
                             void *pointer, int32_t device_type, int32_t device_id, uint32_t flags,
                             sv_release_callback release, void *ctx, sv_view **out)
{
    struct svi_view_memory memory = {.base = pointer,
                                     .dtype = dtype,
                                     .device = {device_type, device_id},
                                     .flags = flags,
                                     .release = release,
                                     .ctx = ctx};
    struct svi_geometry g;
    struct svi_extent extent;

    SVI_NEED(out);
    SVI_TRY(svi_dtype_check(dtype));
    if (dtype == SV_OPAQUE)
        return svi_fail(SV_ERROR_DTYPE, "opaque items need a layout that tells their size");
    SVI_TRY(svi_geometry_read(&g, ndim, shape, byte_strides, 1, svi_dtype_bytes(dtype), &extent));
    return svi_view_make(&memory, &g, &extent, out);
}

sv_status sv_view_from_host(sv_dtype dtype, int32_t ndim, const int64_t *shape, const int64_t *byte_strides,
                            void *pointer, uint32_t flags, sv_view **out)
{
    return sv_view_from_array(dtype, ndim, shape, byte_strides, pointer, SV_DEVICE_CPU, 0, flags, NULL, NULL, out);
}

/* --- PEP 3118 ------------------------------------------------------------ */

/* Items that are no number, and such as format and item size disagree on, are opaque. */
static sv_status read_item_format(const char *format, int64_t itemsize, sv_dtype *out)
{
    struct svi_format found;
    char shown[SVI_SHOWN];

    SVI_TRY(svi_format_read(format, &found));
    if (found.objects)
        return svi_fail(SV_ERROR_DTYPE, "format \"%s\": Python objects cannot be moved as bytes",
                        svi_printable(format, shown));
    if (svi_dtype_bytes(found.number) != itemsize) {
        *out = SV_OPAQUE;
        return SV_OK;
    }
    if (found.swapped)
        return svi_dtype_refuse_order("format ", format, found.number);
    *out = found.number;
    return SV_OK;
}

sv_status sv_view_from_pep3118(const char *format, int64_t itemsize, int32_t ndim, const int64_t *shape,
                               const int64_t *byte_strides, void *pointer, int64_t nbytes, uint32_t flags,
                               sv_release_callback release, void *ctx, sv_view **out)
{
    struct svi_view_memory memory = {
        .base = pointer, .device = svi_cpu, .flags = flags, .release = release, .ctx = ctx};
    struct svi_geometry g;
    struct svi_extent extent;
    int64_t count;

    SVI_NEED(out);
    if (itemsize < 1)
        return svi_fail(SV_ERROR_RANGE, "the item size is %" PRId64, itemsize);
    if (shape == NULL && ndim == 1) {
        count = nbytes / itemsize;
        shape = &count;
    }
    SVI_TRY(read_item_format(format, itemsize, &memory.dtype));
    SVI_TRY(svi_geometry_read(&g, ndim, shape, byte_strides, 1, itemsize, &extent));
    if (extent.size * itemsize != nbytes)
        return svi_fail(SV_ERROR_PROTOCOL, "%" PRId64 " items of %" PRId64 " bytes in a buffer of %" PRId64 " bytes",
                        extent.size, itemsize, nbytes);
    return svi_view_make(&memory, &g, &extent, out);
}

/* --- array interfaces ---------------------------------------------------- */

sv_status sv_view_from_array_interface(const char *typestr, int32_t ndim, const int64_t *shape,
                                       const int64_t *byte_strides, void *pointer, int32_t device_type,
                                       int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx,
                                       sv_view **out)
{
    struct svi_view_memory memory = {
        .base = pointer, .device = {device_type, device_id}, .flags = flags, .release = release, .ctx = ctx};
    struct svi_geometry g;
    struct svi_extent extent;
    int64_t itemsize;

    SVI_NEED(typestr);
    SVI_NEED(out);
    SVI_TRY(svi_typestr_read(typestr, &memory.dtype, &itemsize));
    SVI_TRY(svi_geometry_read(&g, ndim, shape, byte_strides, 1, itemsize, &extent));
    return svi_view_make(&memory, &g, &extent, out);
}
