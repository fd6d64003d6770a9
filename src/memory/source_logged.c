/* Tells a callback what is allocated and freed. */
#include "memory/allocator.h"

struct logged {
    sv_allocator allocator;
    sv_memory_callback log;
    sv_release_callback release;
    void *ctx;
};

static void tell_event(const sv_allocator *self, int32_t event, const struct svi_block *block, const void *pointer)
{
    const struct logged *logged = (const struct logged *)self;

    logged->log(logged->ctx, event, pointer, block->nbytes, block->stream);
}

/* The callback may call libsv, which must not hide why the base failed. */
static sv_status tell_failure(const sv_allocator *self, sv_status status, const struct svi_block *block,
                              const void *pointer)
{
    struct svi_message kept;

    svi_message_keep(&kept);
    tell_event(self, SV_EVENT_FAILED, block, pointer);
    svi_message_restore(&kept);
    return status;
}

static sv_status allocate_logged(const sv_allocator *self, struct svi_block *block)
{
    const sv_status status = self->base->source->allocate(self->base, block);

    if (status != SV_OK)
        return tell_failure(self, status, block, NULL);
    tell_event(self, SV_EVENT_ALLOCATED, block, block->pointer);
    return SV_OK;
}

static sv_status free_logged(const sv_allocator *self, const struct svi_block *block)
{
    sv_status status;

    tell_event(self, SV_EVENT_FREED, block, block->pointer);
    status = self->base->source->free(self->base, block);
    return status == SV_OK ? SV_OK : tell_failure(self, status, block, block->pointer);
}

static void release_log(sv_allocator *self)
{
    const struct logged *logged = (const struct logged *)self;

    if (logged->release != NULL)
        logged->release(logged->ctx);
}

static const struct svi_source source = {
    .name = "logged", .allocate = allocate_logged, .free = free_logged, .end = release_log};

sv_status sv_allocator_logged(const sv_allocator *base, sv_memory_callback log, sv_release_callback release, void *ctx,
                              sv_allocator **out)
{
    struct logged *made;

    SVI_TRY(svi_allocator_check(base, "base"));
    SVI_NEED(log);
    SVI_NEED(out);
    made = svi_allocator_wrap(sizeof *made, &source, base);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->log = log;
    made->release = release;
    made->ctx = ctx;
    *out = &made->allocator;
    return SV_OK;
}
