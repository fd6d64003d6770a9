/*
 * A run of equal bytes is the driver's memset; any other fill is one launch of
 * the backend's kernel, where it has one. The axes that are too many for it, or
 * all of them where the backend has none and memset writes the first item or
 * row, are filled by copies on the device that double what is there. All of it
 * is in the order of the stream, and waits for nothing.
 */
#include "copy/device_fill.h"

#include <string.h>

#include "base/checked.h"
#include "backend/memory.h"

/* Equal bytes from there on, of the item of so many bytes. */
static int64_t equal_bytes(const char *item, int64_t at, int64_t itemsize)
{
    int64_t count = 1;

    while (at + count < itemsize && item[at + count] == item[at])
        count++;
    return count;
}

static sv_status set_bytes(const struct svi_job *job, char *dst, char byte, int64_t nbytes, uintptr_t stream)
{
    return job->backend->driver->set(job->dst_device.id, dst, (unsigned char)byte, nbytes, stream);
}

static sv_status set_item(const struct svi_job *job, char *dst, const char *item, uintptr_t stream)
{
    int64_t count;

    for (int64_t at = 0; at < job->plan.item; at += count) {
        count = equal_bytes(item, at, job->plan.item);
        SVI_TRY(set_bytes(job, dst + at, item[at], count, stream));
    }
    return SV_OK;
}

/* What is filled of an axis and all faster ones is copied behind itself, until the axis is full. */
static sv_status fill_axis(const struct svi_job *job, int32_t axis, char *dst, uintptr_t stream)
{
    const struct svi_device device = job->dst_device;
    const int64_t *strides = job->plan.dst + axis;
    const int32_t ndim = job->plan.ndim - axis;
    int64_t shape[SVI_PLAN_NDIM];
    struct svi_plan plan;

    memcpy(shape, job->plan.shape + axis, (size_t)ndim * sizeof *shape);
    for (int64_t done = 1; done < job->plan.shape[axis]; done += shape[0]) {
        char *next = dst + done * strides[0];
        const struct svi_request request = {&plan, device, next, device, dst, stream, 0, NULL, NULL};

        shape[0] = svi_smaller(done, job->plan.shape[axis] - done);
        svi_plan_make(ndim, shape, strides, strides, job->plan.item, &plan);
        SVI_TRY(job->backend->copy(&request));
    }
    return SV_OK;
}

/* By the driver's calls; the axis that is the next to fill. */
static sv_status begin_by_set(const struct svi_job *job, char *dst, const char *item, uintptr_t stream, int32_t *axis)
{
    const struct svi_plan *plan = &job->plan;
    const bool has_equal_bytes = equal_bytes(item, 0, plan->item) == plan->item;

    if (!has_equal_bytes)
        return set_item(job, dst, item, stream);
    if (*axis < 0 || plan->dst[*axis] != plan->item)
        return set_bytes(job, dst, *item, plan->item, stream);
    return set_bytes(job, dst, *item, plan->item * plan->shape[(*axis)--], stream);
}

/* By a kernel, as many of the fastest axes as it takes. */
static sv_status begin_by_kernel(const struct svi_job *job, char *dst, const char *item, uintptr_t stream,
                                 int32_t *axis)
{
    const struct svi_plan *plan = &job->plan;
    const int32_t first = *axis < job->backend->fill_axes ? 0 : *axis + 1 - job->backend->fill_axes;
    static const int64_t still[SVI_PLAN_NDIM];
    struct svi_plan inner;

    svi_plan_make(*axis + 1 - first, plan->shape + first, plan->dst + first, still, plan->item, &inner);
    *axis = first - 1;
    return job->backend->fill(
        &(struct svi_request){&inner, job->dst_device, dst, job->dst_device, item, stream, 0, NULL, NULL});
}

/* One run of equal bytes is the driver's call alone. */
static bool is_for_kernel(const struct svi_job *job, const char *item)
{
    const struct svi_plan *plan = &job->plan;
    const bool is_run = plan->ndim == 0 || (plan->ndim == 1 && plan->dst[0] == plan->item);

    return job->backend->fill != NULL && !(is_run && equal_bytes(item, 0, plan->item) == plan->item);
}

sv_status svi_device_fill(const struct svi_job *job, char *dst, const char *item, uintptr_t stream)
{
    int32_t axis = job->plan.ndim - 1;

    dst += job->plan.dst_offset;
    if (is_for_kernel(job, item))
        SVI_TRY(begin_by_kernel(job, dst, item, stream, &axis));
    else
        SVI_TRY(begin_by_set(job, dst, item, stream, &axis));
    for (; axis >= 0; axis--)
        SVI_TRY(fill_axis(job, axis, dst, stream));
    return job->flags & SV_COPY_BLOCKING ? job->backend->synchronize(job->dst_device, stream) : SV_OK;
}
