/*
 * The driver's memset writes the first item, or a whole row where all bytes of
 * the item are equal; copies on the device then double what is filled, axis by
 * axis. So a fill takes a call for each doubling, not one for each item, all of
 * them in the order of the stream, and waits for nothing.
 */
#include "device_fill.h"

#include <string.h>

#include "checked.h"
#include "memory.h"

/* Equal bytes from there on, of the item of so many bytes. */
static int64_t equal_bytes(const char *item, int64_t at, int64_t itemsize)
{
    int64_t count = 1;

    while (at + count < itemsize && item[at + count] == item[at])
        count++;
    return count;
}

static sv_status set(const struct svi_job *job, char *dst, char byte, int64_t nbytes, uintptr_t stream)
{
    return job->backend->memory->set(job->dst_device.id, dst, (unsigned char)byte, nbytes, stream);
}

static sv_status set_item(const struct svi_job *job, char *dst, const char *item, uintptr_t stream)
{
    int64_t count;

    for (int64_t at = 0; at < job->plan.item; at += count) {
        count = equal_bytes(item, at, job->plan.item);
        SVI_TRY(set(job, dst + at, item[at], count, stream));
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
        const struct svi_request request = {&plan, device, next, device, dst, stream, 0, NULL};

        shape[0] = svi_smaller(done, job->plan.shape[axis] - done);
        svi_plan_make(ndim, shape, strides, strides, job->plan.item, &plan);
        SVI_TRY(job->backend->copy(&request));
    }
    return SV_OK;
}

sv_status svi_device_fill(const struct svi_job *job, char *dst, const char *item, uintptr_t stream)
{
    const struct svi_plan *plan = &job->plan;
    int32_t axis = plan->ndim - 1;

    dst += plan->dst_offset;
    if (equal_bytes(item, 0, plan->item) < plan->item) {
        SVI_TRY(set_item(job, dst, item, stream));
    } else if (axis >= 0 && plan->dst[axis] == plan->item) {
        SVI_TRY(set(job, dst, *item, plan->item * plan->shape[axis], stream));
        axis--;
    } else {
        SVI_TRY(set(job, dst, *item, plan->item, stream));
    }
    for (; axis >= 0; axis--)
        SVI_TRY(fill_axis(job, axis, dst, stream));
    return job->flags & SV_COPY_BLOCKING ? job->backend->synchronize(job->dst_device, stream) : SV_OK;
}
