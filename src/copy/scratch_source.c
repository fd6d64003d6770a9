/* The memory is a buffer, so that it is freed in the order of the stream, or later, as buffers are. */
#include "copy/scratch_source.h"

static sv_status check_scratch(const struct svi_job *job, const sv_allocator *allocator)
{
    const enum svi_family family = svi_devices[allocator->device.type].family;

    if (allocator->kind != SV_MEMORY_DEVICE)
        return svi_fail(SV_ERROR_INVALID, "scratch allocates %s memory, where copies need that of a device",
                        svi_memory_kinds[allocator->kind].name);
    if (job->backend != NULL && job->backend->driver != NULL && job->backend->family != family)
        return svi_fail(SV_ERROR_DEVICE, "scratch is memory of a %s device, where %s copies", svi_family_title(family),
                        svi_family_title(job->backend->family));
    return SV_OK;
}

sv_status svi_scratch_set(struct svi_job *job, const sv_allocator *allocator)
{
    if (allocator != NULL) {
        SVI_TRY(svi_allocator_check(allocator, "scratch"));
        SVI_TRY(check_scratch(job, allocator));
    }
    job->scratch = allocator;
    return SV_OK;
}

static sv_status allocate_scratch(void *ctx, int64_t nbytes, uintptr_t stream, void **out)
{
    struct svi_scratch *self = ctx;

    SVI_TRY(sv_buffer_new(self->allocator, nbytes, 0, 0, stream, &self->buffer));
    *out = sv_buffer_data(self->buffer);
    return SV_OK;
}

/* What cannot be recorded is not freed before the stream is done: then the release waits for it. */
static void free_scratch(void *ctx, void *pointer, int64_t nbytes, uintptr_t stream)
{
    struct svi_scratch *self = ctx;

    (void)pointer, (void)nbytes;
    if (sv_buffer_record_use(self->buffer, stream) != SV_OK)
        (void)sv_stream_synchronize(self->source.device.type, self->source.device.id, stream);
    sv_buffer_release(self->buffer);
    self->buffer = NULL;
}

const struct svi_scratch_source *svi_scratch_begin(struct svi_scratch *self, const sv_allocator *allocator)
{
    if (allocator == NULL)
        return NULL;
    *self = (struct svi_scratch){.source = {allocate_scratch, free_scratch, self, allocator->device},
                                 .allocator = allocator};
    return &self->source;
}
