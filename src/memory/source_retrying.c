/* Asks a callback when there is no memory left, and tries again, so many times at most. */
#include "memory/allocator.h"

struct retrying {
    sv_allocator allocator;
    int32_t attempts;
    sv_no_memory_callback ask;
    sv_release_callback release;
    void *ctx;
};

static const struct retrying *retrying_of(const sv_allocator *self)
{
    return (const struct retrying *)self;
}

/* The text of the failure stays when the answer is no, whatever the callback did. */
static bool may_try_again(const struct retrying *r, int64_t nbytes, int32_t attempt)
{
    struct svi_message kept;
    bool again;

    svi_message_keep(&kept);
    again = r->ask(r->ctx, nbytes, attempt) != 0;
    svi_message_restore(&kept);
    return again;
}

static sv_status allocate_retrying(const sv_allocator *self, struct svi_block *block)
{
    sv_status status = self->base->source->allocate(self->base, block);

    if (status == SV_ERROR_MEMORY && svi_allocator_drain(self))
        status = self->base->source->allocate(self->base, block);
    for (int32_t asked = 0; status == SV_ERROR_MEMORY && asked < retrying_of(self)->attempts; asked++) {
        if (!may_try_again(retrying_of(self), block->nbytes, asked + 1))
            break;
        status = self->base->source->allocate(self->base, block);
    }
    return status;
}

static sv_status free_retrying(const sv_allocator *self, const struct svi_block *block)
{
    return self->base->source->free(self->base, block);
}

static void release_retrying(sv_allocator *self)
{
    if (retrying_of(self)->release != NULL)
        retrying_of(self)->release(retrying_of(self)->ctx);
}

static const struct svi_source source = {
    .name = "retrying", .allocate = allocate_retrying, .free = free_retrying, .end = release_retrying};

sv_status sv_allocator_retrying(const sv_allocator *base, int32_t attempts, sv_no_memory_callback ask,
                                sv_release_callback release, void *ctx, sv_allocator **out)
{
    struct retrying *made;

    SVI_TRY(svi_allocator_check(base, "base"));
    SVI_NEED(ask);
    SVI_NEED(out);
    if (attempts < 1)
        return svi_fail(SV_ERROR_INVALID, "attempts is %d", (int)attempts);
    made = svi_allocator_wrap(sizeof *made, &source, base);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->attempts = attempts;
    made->ask = ask;
    made->release = release;
    made->ctx = ctx;
    *out = &made->allocator;
    return SV_OK;
}
