#include "view.h"

#include <inttypes.h>

#include "format.h"

/* Shape and byte strides as they are told, measured. */
static sv_status read_axes(int32_t ndim, const int64_t *shape, const int64_t *byte_strides, int64_t itemsize,
                           struct svi_geometry *g, struct svi_extent *extent)
{
    SVI_TRY(svi_geometry_init(g, ndim, shape, itemsize));
    SVI_TRY(byte_strides == NULL ? svi_geometry_set_dense(g, NULL) : svi_geometry_set_strides(g, byte_strides, 1));
    return svi_geometry_measure(g, extent);
}

/* --- PEP 3118 ------------------------------------------------------------ */

/* Items that are no number, and such as format and item size disagree on, are opaque. */
static sv_status read_format(const char *format, int64_t itemsize, sv_dtype *out)
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
        return svi_fail(SV_ERROR_UNSUPPORTED, "format \"%s\" is in the other byte order",
                        svi_printable(format, shown));
    *out = found.number;
    return SV_OK;
}

sv_status sv_view_from_pep3118(const char *format, int64_t itemsize, int32_t ndim, const int64_t *shape,
                               const int64_t *byte_strides, void *pointer, int64_t nbytes, uint32_t flags,
                               sv_release_callback release, void *ctx, sv_view **out)
{
    struct sv_view from = {
        .base = pointer, .device = {SV_DEVICE_CPU, 0}, .flags = flags, .release = release, .ctx = ctx};
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
    SVI_TRY(read_format(format, itemsize, &from.dtype));
    SVI_TRY(read_axes(ndim, shape, byte_strides, itemsize, &g, &extent));
    if (extent.size * itemsize != nbytes)
        return svi_fail(SV_ERROR_PROTOCOL, "%" PRId64 " items of %" PRId64 " bytes in a buffer of %" PRId64 " bytes",
                        extent.size, itemsize, nbytes);
    from.lower = extent.lower;
    from.upper = extent.upper;
    return svi_view_make_with(&from, &g, &extent, out);
}

/* --- array interfaces ---------------------------------------------------- */

sv_status sv_view_from_array_interface(const char *typestr, int32_t ndim, const int64_t *shape,
                                       const int64_t *byte_strides, void *pointer, int32_t device_type,
                                       int32_t device_id, uint32_t flags, sv_release_callback release, void *ctx,
                                       sv_view **out)
{
    struct sv_view from = {
        .base = pointer, .device = {device_type, device_id}, .flags = flags, .release = release, .ctx = ctx};
    struct svi_geometry g;
    struct svi_extent extent;
    int64_t itemsize;

    SVI_NEED(typestr);
    SVI_NEED(out);
    SVI_TRY(svi_typestr_read(typestr, &from.dtype, &itemsize));
    SVI_TRY(read_axes(ndim, shape, byte_strides, itemsize, &g, &extent));
    from.lower = extent.lower;
    from.upper = extent.upper;
    return svi_view_make_with(&from, &g, &extent, out);
}
