/* The operations of layout_ops.c that most users need, on a view: one allocation, no layout in between. */
#include "view/view.h"
#include "layout/axes.h"
#include "layout/reshape.h"
#include "layout/slice.h"

static sv_status load_view(const sv_view *view, sv_view **out, struct svi_geometry *g)
{
    SVI_TRY(svi_view_check(view, "view"));
    SVI_NEED(out);
    svi_layout_load(view->layout, g);
    return SV_OK;
}

/* Where other elements are reached than by view. */
static sv_status measure_and_derive(const sv_view *view, const struct svi_geometry *g, sv_view **out)
{
    struct svi_extent extent;

    SVI_TRY(svi_geometry_measure(g, &extent));
    return svi_view_derive(view, g, &extent, out);
}

sv_status sv_view_permute(const sv_view *view, int32_t ndim, const int32_t *axes, sv_view **out)
{
    struct svi_geometry g;

    SVI_TRY(load_view(view, out, &g));
    SVI_TRY(svi_geometry_permute(&g, ndim, axes));
    return svi_view_derive(view, &g, &view->layout->extent, out);
}

sv_status sv_view_slice(const sv_view *view, int32_t count, const int64_t *start, const int64_t *stop,
                        const int64_t *step, sv_view **out)
{
    struct svi_geometry g;

    SVI_TRY(load_view(view, out, &g));
    SVI_TRY(svi_geometry_slice(&g, count, start, stop, step));
    return measure_and_derive(view, &g, out);
}

sv_status sv_view_index(const sv_view *view, int32_t axis, int64_t index, sv_view **out)
{
    struct svi_geometry g;

    SVI_TRY(load_view(view, out, &g));
    SVI_TRY(svi_geometry_index(&g, axis, index));
    return measure_and_derive(view, &g, out);
}

sv_status sv_view_reshape(const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out)
{
    struct svi_geometry g;

    SVI_TRY(load_view(view, out, &g));
    SVI_TRY(svi_geometry_reshape(&g, ndim, shape));
    return svi_view_derive(view, &g, &view->layout->extent, out);
}

sv_status sv_view_broadcast(const sv_view *view, int32_t ndim, const int64_t *shape, sv_view **out)
{
    struct svi_geometry g;

    SVI_TRY(load_view(view, out, &g));
    SVI_TRY(svi_geometry_broadcast(&g, ndim, shape));
    return measure_and_derive(view, &g, out);
}
