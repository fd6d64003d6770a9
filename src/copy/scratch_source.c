/* The memory is a buffer, so that it is freed in the order of the stream, or later, as buffers are. */
#include "copy/scratch_source.h"

sv_status svi_scratch_check(const sv_allocator *allocator)
{
    if (allocator == NULL)
        return SV_OK;
    SVI_TRY(svi_allocator_check(allocator, "scratch"));
    if (svi_devices[allocator->device.type].owner == SVI_FAMILY_CUDA && allocator->device.type == SV_DEVICE_CUDA)
        return SV_OK;
    return svi_fail(SV_ERROR_INVALID, "scratch allocates %s memory, where copies need that of a CUDA device",
                    svi_memory_kinds[allocator->kind].name);
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
