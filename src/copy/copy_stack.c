/*
 * Several arrays beside each other in one: what stack() and concatenate() of other libraries do. Each source has its
 * part of dst, and all of these pairs are checked and copied as a batch is, or, where parts interleave in host memory,
 * together (stacked.h).
 */
#include <inttypes.h>

#include "base/alloc.h"
#include "copy/batched.h"
#include "copy/stacked.h"
#include "layout/axes.h"

/* That a source has the shape of dst along the other axes. */
static sv_status check_source(const struct svi_stack *stack, const sv_view *src)
{
    const sv_layout *dst = stack->dst->layout;
    const int32_t ndim = src->layout->ndim;

    if (ndim != dst->ndim && ndim != dst->ndim - 1)
        return svi_fail(SV_ERROR_LAYOUT, "a source has %d axes, dst %d", (int)ndim, (int)dst->ndim);
    for (int32_t k = 0; k < dst->ndim; k++) {
        const int32_t own = ndim == dst->ndim || k < stack->axis ? k : k - 1;

        if (k != stack->axis && svi_layout_shape(src->layout)[own] != svi_layout_shape(dst)[k])
            return svi_fail(SV_ERROR_LAYOUT, "axis %d of a source has extent %" PRId64 ", axis %d of dst %" PRId64,
                            (int)own, svi_layout_shape(src->layout)[own], (int)k, svi_layout_shape(dst)[k]);
    }
    return SV_OK;
}

static __attribute__((cold)) sv_status fail_full(const struct svi_stack *stack)
{
    return svi_fail(SV_ERROR_LAYOUT, "axis %d of dst has extent %" PRId64 ", which the sources up to this one exceed",
                    (int)stack->axis, svi_layout_shape(stack->dst->layout)[stack->axis]);
}

/* That the sources fill dst. Their places are counted by a sum that stops where it is too large. */
static sv_status check_sources(const struct svi_stack *stack, int64_t *failed)
{
    const int64_t extent = svi_layout_shape(stack->dst->layout)[stack->axis];
    int64_t places = 0;

    for (int64_t i = 0; i < stack->count; i++) {
        SVI_TRY(svi_batch_step(svi_view_check(stack->src[i], "src"), i, failed));
        SVI_TRY(svi_batch_step(check_source(stack, stack->src[i]), i, failed));
        if (svi_stack_places(stack, i) > extent - places)
            return svi_batch_step(fail_full(stack), i, failed);
        places += svi_stack_places(stack, i);
    }
    if (places != extent)
        return svi_fail(SV_ERROR_LAYOUT, "axis %d of dst has extent %" PRId64 ", all sources together %" PRId64,
                        (int)stack->axis, extent, places);
    return SV_OK;
}

/* The part of dst for a source. */
static sv_status make_source_part(const struct svi_stack *stack, int64_t i, int64_t place, sv_view **out)
{
    const int32_t axis = stack->axis;
    int64_t start[SV_MAX_NDIM], stop[SV_MAX_NDIM];

    if (stack->src[i]->layout->ndim < stack->dst->layout->ndim)
        return sv_view_index(stack->dst, axis, place, out);
    for (int32_t k = 0; k < axis; k++) {
        start[k] = 0;
        stop[k] = INT64_MAX;
    }
    start[axis] = place;
    stop[axis] = place + svi_stack_places(stack, i);
    return sv_view_slice(stack->dst, axis + 1, start, stop, NULL, out);
}

/* On failure those that were made are to be released as well. */
static sv_status make_source_parts(const struct svi_stack *stack, sv_view **parts)
{
    sv_status status = SV_OK;
    int64_t place = 0;

    for (int64_t i = 0; status == SV_OK && i < stack->count; i++) {
        status = make_source_part(stack, i, place, &parts[i]);
        place += svi_stack_places(stack, i);
    }
    return status;
}

static sv_status check_parts(const struct svi_stack *stack, sv_view *const *parts, int64_t *failed)
{
    struct svi_job job;

    for (int64_t i = 0; i < stack->count; i++)
        SVI_TRY(svi_batch_step(svi_job_make(parts[i], stack->src[i], stack->flags, SVI_JOB_CHECK, &job), i, failed));
    return SV_OK;
}

static sv_status run_parts(const struct svi_stack *stack, sv_view *const *parts, uintptr_t stream, int64_t *failed)
{
    if (svi_stack_is_interleaved(stack)) {
        SVI_TRY(check_parts(stack, parts, failed));
        if (svi_stack_run(stack) == SV_OK)
            return SV_OK;
    }
    return sv_copy_batch(stack->count, parts, stack->src, stack->flags, stream, failed);
}

sv_status sv_copy_stack(const sv_view *dst, int32_t axis, int64_t count, sv_view *const *src, uint32_t flags,
                        uintptr_t stream, int64_t *failed)
{
    struct svi_stack stack = {dst, axis, count, src, flags};
    sv_view **parts;
    sv_status status;

    SVI_TRY(svi_view_check(dst, "dst"));
    SVI_TRY(svi_axis_resolve(axis, dst->layout->ndim, &stack.axis));
    SVI_TRY(svi_batch_check(count, src, "src"));
    SVI_TRY(check_sources(&stack, failed));
    if (count > INT64_MAX / (int64_t)sizeof *parts)
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " sources", count);
    parts = svi_calloc((size_t)count * sizeof *parts + 1);
    if (parts == NULL)
        return SV_ERROR_MEMORY;
    status = make_source_parts(&stack, parts);
    if (status == SV_OK)
        status = run_parts(&stack, parts, stream, failed);
    for (int64_t i = 0; i < count; i++)
        sv_view_release(parts[i]);
    svi_free(parts);
    return status;
}
