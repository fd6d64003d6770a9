/* Making and releasing layout handles. Element strides are computed once, when a handle is made. */
#include "layout/layout.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "layout/order.h"

/* Copies shape and strides, and divides the strides by itemsize. An element stride may be rounded towards 0 on an axis
 * along which nothing moves. Returns whether all others divide. */
static bool fill_values(const struct svi_geometry *g, bool empty, int64_t *shape, int64_t *strides, int64_t *divided)
{
    int64_t rest = g->itemsize - 1;
    int shift = __builtin_ctzll((uint64_t)g->itemsize);
    bool shifts = (g->itemsize & rest) == 0; /* a shift, since divisions are slow */
    bool divides = true;

    for (int32_t i = 0; i < g->ndim; i++) {
        int64_t stride = g->strides[i], extent = g->shape[i];
        int64_t quotient = shifts ? (stride + (stride < 0 ? rest : 0)) >> shift : stride / g->itemsize;

        shape[i] = extent;
        strides[i] = stride;
        divided[i] = quotient;
        divides &= quotient * g->itemsize == stride || extent <= 1 || empty;
    }
    return divides;
}

sv_layout *svi_layout_place(const struct svi_geometry *g, const struct svi_extent *extent, void *room, void *block)
{
    sv_layout *layout = room;
    int64_t *values = layout->values;

    svi_handle_init(&layout->handle, SVI_TAG_LAYOUT);
    layout->ndim = g->ndim;
    layout->itemsize = g->itemsize;
    layout->byte_offset = g->byte_offset;
    layout->extent = *extent;
    layout->block = block;
    layout->divides = fill_values(g, extent->size == 0, values, values + g->ndim, values + 2 * g->ndim);
    return layout;
}

sv_status svi_layout_make_measured(const struct svi_geometry *g, const struct svi_extent *extent, sv_layout **out)
{
    void *block = svi_malloc(svi_layout_room(g->ndim));

    if (block == NULL)
        return SV_ERROR_MEMORY;
    *out = svi_layout_place(g, extent, block, block);
    return SV_OK;
}

sv_status svi_layout_make(const struct svi_geometry *g, sv_layout **out)
{
    struct svi_extent extent;

    SVI_TRY(svi_geometry_measure(g, &extent));
    return svi_layout_make_measured(g, &extent, out);
}

void svi_layout_load(const sv_layout *layout, struct svi_geometry *g)
{
    g->ndim = layout->ndim;
    g->itemsize = layout->itemsize;
    g->byte_offset = layout->byte_offset;
    for (int32_t i = 0; i < layout->ndim; i++) {
        g->shape[i] = svi_layout_shape(layout)[i];
        g->strides[i] = svi_layout_byte_strides(layout)[i];
    }
}

sv_status sv_layout_new(int32_t ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, sv_layout **out)
{
    struct svi_geometry g;

    SVI_NEED(out);
    SVI_TRY(svi_geometry_init(&g, ndim, shape, itemsize));
    SVI_TRY(strides == NULL ? svi_geometry_set_dense(&g, NULL) : svi_geometry_set_strides(&g, strides, itemsize));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_new_bytes(int32_t ndim, const int64_t *shape, const int64_t *byte_strides, int64_t itemsize,
                              sv_layout **out)
{
    struct svi_geometry g;

    SVI_NEED(out);
    SVI_TRY(svi_geometry_init(&g, ndim, shape, itemsize));
    SVI_TRY(byte_strides == NULL ? svi_geometry_set_dense(&g, NULL) : svi_geometry_set_strides(&g, byte_strides, 1));
    return svi_layout_make(&g, out);
}

sv_status sv_layout_new_dense(int32_t ndim, const int64_t *shape, sv_order order, const int32_t *axes, int64_t itemsize,
                              sv_layout **out)
{
    struct svi_geometry g;

    SVI_NEED(out);
    SVI_TRY(svi_geometry_init(&g, ndim, shape, itemsize));
    if (order == SV_ORDER_K)
        return svi_fail(SV_ERROR_INVALID, "order %d keeps strides, there are none yet", SV_ORDER_K);
    SVI_TRY(svi_geometry_to_dense(&g, order, ndim, axes, 0));
    return svi_layout_make(&g, out);
}

sv_layout *sv_layout_retain(const sv_layout *layout)
{
    if (layout == NULL || svi_layout_check(layout, "layout") != SV_OK)
        return NULL;
    svi_handle_retain(&layout->handle);
    return (sv_layout *)layout;
}

void sv_layout_release(sv_layout *layout)
{
    if (layout == NULL || svi_layout_check(layout, "layout") != SV_OK)
        return;
    if (svi_handle_drop(&layout->handle))
        svi_free(layout->block);
}

int32_t sv_layout_ndim(const sv_layout *layout)
{
    return svi_layout_check(layout, "layout") == SV_OK ? layout->ndim : 0;
}

const int64_t *sv_layout_shape(const sv_layout *layout)
{
    return svi_layout_check(layout, "layout") == SV_OK ? svi_layout_shape(layout) : NULL;
}

const int64_t *sv_layout_byte_strides(const sv_layout *layout)
{
    return svi_layout_check(layout, "layout") == SV_OK ? svi_layout_byte_strides(layout) : NULL;
}

sv_status sv_layout_strides(const sv_layout *layout, const int64_t **strides)
{
    SVI_TRY(svi_layout_check(layout, "layout"));
    SVI_NEED(strides);
    if (!layout->divides)
        return svi_fail(SV_ERROR_LAYOUT, "a stride in bytes is no multiple of the item size, %" PRId64,
                        layout->itemsize);
    *strides = svi_layout_element_strides(layout);
    return SV_OK;
}

int64_t sv_layout_itemsize(const sv_layout *layout)
{
    return svi_layout_check(layout, "layout") == SV_OK ? layout->itemsize : 0;
}

int64_t sv_layout_size(const sv_layout *layout)
{
    return svi_layout_check(layout, "layout") == SV_OK ? layout->extent.size : 0;
}

int64_t sv_layout_nbytes(const sv_layout *layout)
{
    return svi_layout_check(layout, "layout") == SV_OK ? layout->extent.size * layout->itemsize : 0;
}

int64_t sv_layout_byte_offset(const sv_layout *layout)
{
    return svi_layout_check(layout, "layout") == SV_OK ? layout->byte_offset : 0;
}
