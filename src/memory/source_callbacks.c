/* Memory of two functions of the caller. What they answer is looked at, since nobody else does. */
#include <inttypes.h>

#include "memory/allocator.h"

struct callbacks {
    sv_allocator allocator;
    sv_allocate_callback allocate;
    sv_free_callback free;
    sv_release_callback release;
    void *ctx;
};

static const struct callbacks *callbacks_of(const sv_allocator *self)
{
    return (const struct callbacks *)self;
}

static sv_status free_by_callback(const sv_allocator *self, const struct svi_block *block)
{
    const uint32_t fails = svi_fail_count();
    const sv_status status = callbacks_of(self)->free(callbacks_of(self)->ctx, block->pointer, block->nbytes,
                                                      block->alignment, block->stream);

    return svi_answer_of(status, fails, "the callback that frees memory");
}

/* Where the data pointer is a handle it may be NULL, and is not aligned to anything. */
static sv_status check_callback_block(const sv_allocator *self, const struct svi_block *block)
{
    const uintptr_t address = (uintptr_t)block->pointer;

    if (self->traits & SV_TRAIT_HANDLES)
        return SV_OK;
    if (address == 0)
        return svi_fail(SV_ERROR_MEMORY, "the callback that allocates answered SV_OK and NULL for %" PRId64 " bytes",
                        block->nbytes);
    if ((address & (uintptr_t)(block->alignment - 1)) == 0)
        return SV_OK;
    (void)free_by_callback(self, block);
    return svi_fail(SV_ERROR_ALIGNMENT,
                    "the callback that allocates answered address 0x%" PRIxPTR ", asked for alignment %" PRId64,
                    address, block->alignment);
}

static sv_status allocate_by_callback(const sv_allocator *self, struct svi_block *block)
{
    const uint32_t fails = svi_fail_count();
    struct svi_block made = *block;
    sv_status status;

    made.pointer = NULL;
    status =
        callbacks_of(self)->allocate(callbacks_of(self)->ctx, made.nbytes, made.alignment, made.stream, &made.pointer);
    SVI_TRY(svi_answer_of(status, fails, "the callback that allocates"));
    SVI_TRY(check_callback_block(self, &made));
    block->pointer = made.pointer;
    return SV_OK;
}

static void release_callbacks(sv_allocator *self)
{
    if (callbacks_of(self)->release != NULL)
        callbacks_of(self)->release(callbacks_of(self)->ctx);
}

static const struct svi_source source = {
    .name = "callbacks", .allocate = allocate_by_callback, .free = free_by_callback, .end = release_callbacks};

sv_status sv_allocator_callbacks(sv_memory kind, int32_t device_type, int32_t device_id, sv_allocate_callback allocate,
                                 sv_free_callback free, sv_release_callback release, void *ctx, sv_allocator **out)
{
    const struct svi_device device = {device_type, device_id};
    struct callbacks *made;

    SVI_NEED(allocate);
    SVI_NEED(free);
    SVI_NEED(out);
    SVI_TRY(svi_allocator_check_place(kind, device));
    made = svi_allocator_make(sizeof *made, &source, kind, device);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->allocate = allocate;
    made->free = free;
    made->release = release;
    made->ctx = ctx;
    *out = &made->allocator;
    return SV_OK;
}
