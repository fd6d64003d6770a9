/*
 * Allocators in the shapes of other libraries, and libsv's in theirs: memory handlers of NVIDIA's libraries, and the
 * functions of PyTorch's pluggable allocator, which adapter_torch.c serves in the other direction. Neither shape has an
 * alignment.
 */
#include <inttypes.h>

#include "memory/allocator.h"

enum { ALIGNMENT = 256 }; /* of cudaMalloc(), which users of these shapes take for granted */

struct handler {
    sv_allocator allocator;
    sv_handler_allocate_callback allocate;
    sv_handler_free_callback free;
    sv_release_callback release;
    void *ctx;
};

struct torch {
    sv_allocator allocator;
    sv_torch_allocate_callback allocate;
    sv_torch_free_callback free;
};

/* Of device memory in the order of streams. */
static void *make_adapter(size_t nbytes, const struct svi_source *source, int32_t device_id)
{
    sv_allocator *made =
        svi_allocator_make(nbytes, source, SV_MEMORY_DEVICE, (struct svi_device){SV_DEVICE_CUDA, device_id});

    if (made != NULL) {
        made->traits |= SV_TRAIT_ORDERED;
        made->alignment = ALIGNMENT;
    }
    return made;
}

/* What was allocated, unless it is NULL, perhaps with the text of a call of libsv since fails, or not aligned: then it
 * is given back. */
static sv_status check_made_block(const sv_allocator *self, struct svi_block *block, void *made, uint32_t fails)
{
    struct svi_block refused = *block;

    if (made == NULL && svi_fail_count() != fails)
        return SV_ERROR_MEMORY;
    if (made == NULL)
        return svi_fail(SV_ERROR_MEMORY, "the function that allocates answered NULL for %" PRId64 " bytes",
                        block->nbytes);
    if (((uintptr_t)made & (uintptr_t)(block->alignment - 1)) != 0) {
        refused.pointer = made;
        (void)self->source->free(self, &refused);
        return svi_fail(SV_ERROR_ALIGNMENT, "the function that allocates answered %p, asked for alignment %" PRId64,
                        made, block->alignment);
    }
    block->pointer = made;
    return SV_OK;
}

/* --- handlers ------------------------------------------------------------------- */

static const struct handler *handler_of(const sv_allocator *self)
{
    return (const struct handler *)self;
}

/* Statuses of libsv's own functions pass; other numbers that are not 0 mean what the call was for. */
static sv_status translate_result(int32_t result, bool allocates, uint32_t fails)
{
    const char *what = allocates ? "the memory handler that allocates" : "the memory handler that frees";

    if (result == SV_OK || svi_is_error(result))
        return svi_answer_of(result, fails, what);
    return svi_fail(allocates ? SV_ERROR_MEMORY : SV_ERROR_CUDA, "%s answered %d", what, (int)result);
}

static sv_status take_handled(const sv_allocator *self, struct svi_block *block)
{
    const struct handler *h = handler_of(self);
    const uint32_t fails = svi_fail_count();
    void *made = NULL;
    const int32_t result = h->allocate(h->ctx, &made, (size_t)block->nbytes, (void *)block->stream);

    SVI_TRY(translate_result(result, true, fails));
    return check_made_block(self, block, made, svi_fail_count());
}

static sv_status give_handled(const sv_allocator *self, const struct svi_block *block)
{
    const struct handler *h = handler_of(self);
    const uint32_t fails = svi_fail_count();
    const int32_t result = h->free(h->ctx, block->pointer, (size_t)block->nbytes, (void *)block->stream);

    return translate_result(result, false, fails);
}

static void end_handled(sv_allocator *self)
{
    if (handler_of(self)->release != NULL)
        handler_of(self)->release(handler_of(self)->ctx);
}

sv_status sv_allocator_from_handler(int32_t device_id, sv_handler_allocate_callback allocate,
                                    sv_handler_free_callback free, sv_release_callback release, void *ctx,
                                    sv_allocator **out)
{
    static const struct svi_source source = {
        .name = "handler", .allocate = take_handled, .free = give_handled, .end = end_handled};
    struct handler *made;

    SVI_NEED(allocate);
    SVI_NEED(free);
    SVI_NEED(out);
    SVI_TRY(svi_device_check((struct svi_device){SV_DEVICE_CUDA, device_id}));
    made = make_adapter(sizeof *made, &source, device_id);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->allocate = allocate;
    made->free = free;
    made->release = release;
    made->ctx = ctx;
    *out = &made->allocator;
    return SV_OK;
}

/* --- an allocator as a handler ---------------------------------------------------- */

static sv_status read_size(size_t nbytes, int64_t *out)
{
    if (nbytes > INT64_MAX)
        return svi_fail(SV_ERROR_OVERFLOW, "%zu bytes do not fit int64", nbytes);
    *out = (int64_t)nbytes;
    return SV_OK;
}

sv_status sv_handler_allocate_from(void *allocator, void **pointer, size_t nbytes, void *stream)
{
    int64_t size = 0;

    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    SVI_NEED(pointer);
    SVI_TRY(read_size(nbytes, &size));
    return sv_allocator_allocate(allocator, size, 0, (uintptr_t)stream, pointer);
}

sv_status sv_handler_free_to(void *allocator, void *pointer, size_t nbytes, void *stream)
{
    int64_t size = 0;

    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    SVI_TRY(read_size(nbytes, &size));
    return sv_allocator_free(allocator, pointer, size, 0, (uintptr_t)stream);
}

/* --- PyTorch's shape ---------------------------------------------------------------- */

static sv_status take_torch(const sv_allocator *self, struct svi_block *block)
{
    const struct torch *t = (const struct torch *)self;
    const uint32_t fails = svi_fail_count();

    return check_made_block(self, block, t->allocate(block->nbytes, self->device.id, (void *)block->stream), fails);
}

static sv_status give_torch(const sv_allocator *self, const struct svi_block *block)
{
    const struct torch *t = (const struct torch *)self;

    t->free(block->pointer, block->nbytes, self->device.id, (void *)block->stream);
    return SV_OK;
}

sv_status sv_allocator_from_torch(int32_t device_id, sv_torch_allocate_callback allocate, sv_torch_free_callback free,
                                  sv_allocator **out)
{
    static const struct svi_source source = {.name = "torch", .allocate = take_torch, .free = give_torch};
    struct torch *made;

    SVI_NEED(allocate);
    SVI_NEED(free);
    SVI_NEED(out);
    SVI_TRY(svi_device_check((struct svi_device){SV_DEVICE_CUDA, device_id}));
    made = make_adapter(sizeof *made, &source, device_id);
    if (made == NULL)
        return SV_ERROR_MEMORY;
    made->allocate = allocate;
    made->free = free;
    *out = &made->allocator;
    return SV_OK;
}
