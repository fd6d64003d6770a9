#include "copy/scaled_job.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "layout/reshape.h"
#include "plan/part.h"

/* --- scale and bias ------------------------------------------------------------- */

/* Of an array of count values: 0 is none, 1 is one for all, else there is one for each index of the axis. */
static sv_status check_factor(const char *name, const double *values, int64_t count, const sv_layout *dst, int32_t axis)
{
    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "%s has %" PRId64 " values", name, count);
    if (count > 0 && values == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL, and has %" PRId64 " values", name, count);
    if (count > 1 && count != svi_layout_shape(dst)[axis])
        return svi_fail(SV_ERROR_LAYOUT, "%s has %" PRId64 " values, axis %" PRId32 " of dst has %" PRId64, name, count,
                        axis, svi_layout_shape(dst)[axis]);
    return SV_OK;
}

static struct svi_factor factor_of(const double *values, int64_t count)
{
    return (struct svi_factor){count > 0 ? values : NULL, count};
}

/* axis receives -1 where none is needed. */
static sv_status take_factors(const sv_layout *dst, const struct svi_scale_arguments *a, int32_t *axis,
                              struct svi_affine *out)
{
    *axis = -1;
    if (a->nscale > 1 || a->nbias > 1)
        SVI_TRY(svi_axis_resolve(a->axis, dst->ndim, axis));
    SVI_TRY(check_factor("scale", a->scale, a->nscale, dst, *axis));
    SVI_TRY(check_factor("bias", a->bias, a->nbias, dst, *axis));
    out->scale = factor_of(a->scale, a->nscale);
    out->bias = factor_of(a->bias, a->nbias);
    return SV_OK;
}

/* --- the job -------------------------------------------------------------------- */

static sv_status make_affine_plan(const sv_view *dst, const sv_layout *src, int32_t axis,
                                  const struct svi_affine *affine, struct svi_plan *out)
{
    const sv_layout *layout = dst->layout;
    struct svi_geometry room;

    svi_layout_load(src, &room);
    SVI_TRY(svi_geometry_broadcast_src(&room, layout->ndim, svi_layout_shape(layout)));
    svi_affine_make_plan(layout->ndim, svi_layout_shape(layout), svi_layout_byte_strides(layout), room.strides,
                         (int32_t)svi_dtype_lanes(dst->dtype), axis, affine, out);
    return SV_OK;
}

sv_status svi_job_make_scaled(const sv_view *dst, const sv_view *src, const struct svi_scale_arguments *arguments,
                              uint32_t flags, struct svi_affine *affine, struct svi_job *out)
{
    int32_t axis;

    SVI_TRY(svi_job_make(dst, src, flags | SV_COPY_CAST_UNSAFE, SVI_JOB_CHECK, out));
    SVI_TRY(svi_affine_choose(dst->dtype, src->dtype, (flags & SV_COPY_SWAP) != 0, affine));
    SVI_TRY(take_factors(dst->layout, arguments, &axis, affine));
    SVI_TRY(make_affine_plan(dst, src->layout, axis, affine, &out->plan));
    svi_job_choose(out);
    return SV_OK;
}

/* --- plans that are kept --------------------------------------------------------- */

static double *keep_values(struct svi_factor *factor, double *room)
{
    if (factor->values == NULL)
        return room;
    factor->values = memcpy(room, factor->values, (size_t)factor->count * sizeof *room);
    return room + factor->count;
}

sv_status svi_affine_keep(struct svi_plan *plan, struct svi_affine **out)
{
    const struct svi_affine *affine = plan->scaled.affine;
    struct svi_affine *kept = NULL;

    *out = NULL;
    if (!svi_scales(plan))
        return SV_OK;
    kept = svi_malloc(sizeof *kept + ((size_t)affine->scale.count + (size_t)affine->bias.count) * sizeof(double));
    if (kept == NULL)
        return SV_ERROR_MEMORY;
    *kept = *affine;
    keep_values(&kept->bias, keep_values(&kept->scale, (double *)(kept + 1)));
    svi_plan_set_affine(plan, kept);
    *out = kept;
    return SV_OK;
}
