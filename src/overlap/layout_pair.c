/*
 * The public functions on two layouts: their canonical form and the item size that both allow (canonical.h), the shape
 * that both broadcast to, the permutation that leads from one to the other, and whether both visit the same bytes in
 * C order.
 */
#include <inttypes.h>

#include "overlap/canonical.h"
#include "base/checked.h"
#include "layout/layout.h"
#include "layout/reshape.h"

static sv_status check_two(const sv_layout *layout, const char *name, const sv_layout *other, const char *other_name)
{
    SVI_TRY(svi_layout_check(layout, name));
    return svi_layout_check(other, other_name);
}

/* --- the common form ----------------------------------------------------- */

/* Broadcasts src to the shape of dst and brings the pair to canonical form, unless it is empty. */
static sv_status make_pair(const sv_layout *dst, const sv_layout *src, struct svi_pair *pair)
{
    struct svi_geometry g;

    svi_layout_load(src, &g);
    SVI_TRY(svi_geometry_broadcast(&g, dst->ndim, svi_layout_shape(dst)));
    pair->ndim = dst->ndim;
    pair->itemsize = dst->itemsize;
    pair->dst_offset = pair->src_offset = 0;
    for (int32_t i = 0; i < dst->ndim; i++) {
        pair->shape[i] = g.shape[i];
        pair->dst[i] = svi_layout_byte_strides(dst)[i];
        pair->src[i] = g.strides[i];
    }
    if (dst->extent.size > 0)
        svi_canonicalise(pair);
    return SV_OK;
}

/* Makes the layout of one side of a pair. An empty pair (NULL) becomes one axis of extent 0. The offset cannot
 * overflow, as it is that of an element of `from`. */
static sv_status make_side(const struct svi_pair *pair, const sv_layout *from, const int64_t *strides, int64_t offset,
                           sv_layout **out)
{
    const int64_t none = 0;
    struct svi_geometry g = {.itemsize = from->itemsize, .byte_offset = from->byte_offset};

    if (pair == NULL) {
        g.byte_offset = 0;
        svi_geometry_set_axes(&g, 1, &none, &none);
    } else {
        g.byte_offset = (int64_t)((uint64_t)g.byte_offset + (uint64_t)offset);
        svi_geometry_set_axes(&g, pair->ndim, pair->shape, strides);
    }
    return svi_layout_make(&g, out);
}

sv_status sv_layout_common(const sv_layout *dst, const sv_layout *src, sv_layout **dst_out, sv_layout **src_out)
{
    struct svi_pair pair, *form = &pair;
    sv_layout *dst_made, *src_made;
    sv_status status;

    SVI_TRY(check_two(dst, "dst", src, "src"));
    SVI_NEED(dst_out);
    SVI_NEED(src_out);
    SVI_TRY(make_pair(dst, src, &pair));
    if (dst->extent.size == 0)
        form = NULL;
    SVI_TRY(make_side(form, dst, pair.dst, pair.dst_offset, &dst_made));
    status = make_side(form, src, pair.src, pair.src_offset, &src_made);
    if (status != SV_OK) {
        sv_layout_release(dst_made);
        return status;
    }
    *dst_out = dst_made;
    *src_out = src_made;
    return SV_OK;
}

sv_status sv_layout_common_itemsize(const sv_layout *dst, const sv_layout *src, uintptr_t dst_address,
                                    uintptr_t src_address, int64_t limit, int64_t *itemsize)
{
    struct svi_pair pair;
    uint64_t size, run;
    int32_t last;

    SVI_TRY(check_two(dst, "dst", src, "src"));
    SVI_NEED(itemsize);
    if (limit < 1)
        return svi_fail(SV_ERROR_INVALID, "a limit of %" PRId64 " bytes", limit);
    if (dst->itemsize != src->itemsize)
        return svi_fail(SV_ERROR_LAYOUT, "items of %" PRId64 " and of %" PRId64 " bytes", dst->itemsize, src->itemsize);
    SVI_TRY(make_pair(dst, src, &pair));
    if (dst->extent.size == 0) {
        *itemsize = limit;
        return SV_OK;
    }

    last = pair.ndim - 1;
    run = (uint64_t)pair.itemsize;
    if (last >= 0 && pair.dst[last] == pair.itemsize && pair.src[last] == pair.itemsize)
        run *= (uint64_t)pair.shape[last--];
    size = svi_gcd((uint64_t)limit, run);
    size = svi_gcd(size, dst_address + (uint64_t)dst->byte_offset + (uint64_t)pair.dst_offset);
    size = svi_gcd(size, src_address + (uint64_t)src->byte_offset + (uint64_t)pair.src_offset);
    for (int32_t i = 0; i <= last; i++)
        size = svi_gcd(svi_gcd(size, svi_abs(pair.dst[i])), svi_abs(pair.src[i]));
    *itemsize = (int64_t)size;
    return SV_OK;
}

/* --- shapes -------------------------------------------------------------- */

/* Extent of axis k, counted from the last axis; 1 beyond the first. */
static int64_t extent_from_end(const sv_layout *layout, int32_t k)
{
    return k < layout->ndim ? svi_layout_shape(layout)[layout->ndim - 1 - k] : 1;
}

sv_status sv_layout_broadcast_shape(const sv_layout *layout, const sv_layout *other, int32_t *ndim, int64_t *shape)
{
    int32_t count;

    SVI_TRY(check_two(layout, "layout", other, "other"));
    SVI_NEED(ndim);
    SVI_NEED(shape);
    count = layout->ndim > other->ndim ? layout->ndim : other->ndim;
    for (int32_t k = 0; k < count; k++) {
        int64_t extent = extent_from_end(layout, k), met = extent_from_end(other, k);

        if (extent != met && extent != 1 && met != 1)
            return svi_fail(SV_ERROR_LAYOUT, "extents %" PRId64 " and %" PRId64 " meet on axis %" PRId32 " of %" PRId32,
                            extent, met, count - 1 - k, count);
    }
    for (int32_t k = 0; k < count; k++) {
        int64_t extent = extent_from_end(layout, k);

        shape[count - 1 - k] = extent == 1 ? extent_from_end(other, k) : extent;
    }
    *ndim = count;
    return SV_OK;
}

/* Whether axis i of layout can be axis k of other. */
static bool same_axis(const sv_layout *layout, int32_t i, const sv_layout *other, int32_t k)
{
    return svi_layout_shape(layout)[i] == svi_layout_shape(other)[k] &&
           (layout->extent.size == 0 || svi_layout_byte_strides(layout)[i] == svi_layout_byte_strides(other)[k]);
}

sv_status sv_layout_permutation(const sv_layout *layout, const sv_layout *other, int32_t *axes)
{
    int32_t found[SV_MAX_NDIM];
    uint64_t taken = 0;

    SVI_TRY(check_two(layout, "layout", other, "other"));
    SVI_NEED(axes);
    if (layout->ndim != other->ndim || layout->itemsize != other->itemsize)
        return svi_fail(SV_ERROR_LAYOUT, "%" PRId32 " axes of %" PRId64 " bytes, %" PRId32 " of %" PRId64, layout->ndim,
                        layout->itemsize, other->ndim, other->itemsize);
    if (layout->extent.size != 0 && layout->byte_offset != other->byte_offset)
        return svi_fail(SV_ERROR_LAYOUT, "offsets of %" PRId64 " and %" PRId64 " bytes", layout->byte_offset,
                        other->byte_offset);
    for (int32_t k = 0; k < other->ndim; k++) {
        int32_t i = 0;

        while (i < layout->ndim && (taken >> i & 1 || !same_axis(layout, i, other, k)))
            i++;
        if (i == layout->ndim)
            return svi_fail(SV_ERROR_LAYOUT,
                            "no axis is left for axis %" PRId32 " with extent %" PRId64 " and stride %" PRId64, k,
                            svi_layout_shape(other)[k], svi_layout_byte_strides(other)[k]);
        taken |= UINT64_C(1) << i;
        found[k] = i;
    }
    for (int32_t k = 0; k < other->ndim; k++)
        axes[k] = found[k];
    return SV_OK;
}

/* --- bytes in C order ---------------------------------------------------- */

/*
 * The fewest axes that visit the bytes of a layout in C order, the fastest first. Items become an axis of bytes, so
 * that layouts of different item sizes compare. The result is unique: the first axis lasts while the step from byte to
 * byte stays the same, the next one while the step from run to run does. Returns the number of axes.
 */
static int32_t walk_layout_bytes(const sv_layout *layout, int64_t *shape, int64_t *strides)
{
    int32_t count = 0;

    if (layout->itemsize > 1) {
        shape[count] = layout->itemsize;
        strides[count++] = 1;
    }
    for (int32_t i = layout->ndim - 1; i >= 0; i--) {
        int64_t extent = svi_layout_shape(layout)[i], stride = svi_layout_byte_strides(layout)[i], step;

        if (extent == 1)
            continue;
        if (count > 0 && !svi_mul(shape[count - 1], strides[count - 1], &step) && step == stride) {
            shape[count - 1] *= extent;
        } else {
            shape[count] = extent;
            strides[count++] = stride;
        }
    }
    return count;
}

int32_t sv_layout_same_bytes(const sv_layout *layout, const sv_layout *other)
{
    int64_t shape[SV_MAX_NDIM], strides[SV_MAX_NDIM], other_shape[SV_MAX_NDIM], other_strides[SV_MAX_NDIM];
    int32_t count;

    if (check_two(layout, "layout", other, "other") != SV_OK)
        return 0;
    if (layout->extent.size == 0 || other->extent.size == 0)
        return layout->extent.size == other->extent.size;
    if (layout->byte_offset != other->byte_offset)
        return 0;
    count = walk_layout_bytes(layout, shape, strides); /* at most 62 axes: nbytes fits int64 */
    if (walk_layout_bytes(other, other_shape, other_strides) != count)
        return 0;
    for (int32_t i = 0; i < count; i++)
        if (shape[i] != other_shape[i] || strides[i] != other_strides[i])
            return 0;
    return 1;
}
