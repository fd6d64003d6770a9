/*
 * The handle of allocators, and raw memory of them. What callers pass is checked here, once for all sources.
 */
#include "memory/allocator.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "device/backends.h"
#include "memory/cache_list.h"
#include "memory/deferred.h"

/* --- making one ---------------------------------------------------------- */

sv_status svi_allocator_check_place(sv_memory kind, struct svi_device device)
{
    if (sv_memory_name(kind) == NULL)
        return svi_fail(SV_ERROR_INVALID, "no kind of memory has the number %d", (int)kind);
    SVI_TRY(svi_device_check(device));
    if (svi_memory_kind_of(device.type) != kind)
        return svi_fail(SV_ERROR_DEVICE, "%s memory is not of %s devices", sv_memory_name(kind),
                        svi_device_title(device.type));
    return SV_OK;
}

static void *create_allocator(size_t nbytes, const struct svi_source *source)
{
    sv_allocator *made = svi_calloc(nbytes);

    if (made == NULL)
        return NULL;
    svi_handle_init(&made->handle, SVI_TAG_ALLOCATOR);
    made->source = source;
    return made;
}

void *svi_allocator_make(size_t nbytes, const struct svi_source *source, sv_memory kind, struct svi_device device)
{
    sv_allocator *made = create_allocator(nbytes, source);

    if (made == NULL)
        return NULL;
    made->kind = kind;
    made->device = device;
    made->traits = svi_devices[device.type].traits;
    made->alignment = SVI_ANY_ALIGNMENT;
    return made;
}

void *svi_allocator_wrap(size_t nbytes, const struct svi_source *source, const sv_allocator *base)
{
    sv_allocator *made = create_allocator(nbytes, source);

    if (made == NULL)
        return NULL;
    made->base = sv_allocator_retain(base);
    made->kind = base->kind;
    made->device = base->device;
    made->traits = base->traits;
    made->alignment = base->alignment;
    return made;
}

void svi_allocator_drop(void *allocator)
{
    sv_allocator *made = allocator;

    if (made != NULL && svi_handle_drop(&made->handle)) {
        sv_allocator_release(made->base);
        svi_free(made);
    }
}

sv_allocator *sv_allocator_retain(const sv_allocator *allocator)
{
    if (!svi_allocator_is(allocator))
        return NULL;
    svi_handle_retain(&allocator->handle);
    return (sv_allocator *)allocator;
}

/* Wrappers of wrappers end one after another, however deep they nest. */
void sv_allocator_release(sv_allocator *allocator)
{
    while (svi_allocator_is(allocator) && svi_handle_drop(&allocator->handle)) {
        sv_allocator *base = allocator->base;

        if (allocator->source->end != NULL)
            allocator->source->end(allocator);
        svi_free(allocator);
        allocator = base;
    }
}

/* --- getters ------------------------------------------------------------- */

sv_memory sv_allocator_kind(const sv_allocator *allocator)
{
    return svi_allocator_is(allocator) ? allocator->kind : SV_MEMORY_UNKNOWN;
}

int32_t sv_allocator_device_type(const sv_allocator *allocator)
{
    return svi_allocator_is(allocator) ? allocator->device.type : 0;
}

int32_t sv_allocator_device_id(const sv_allocator *allocator)
{
    return svi_allocator_is(allocator) ? allocator->device.id : 0;
}

uint32_t sv_allocator_traits(const sv_allocator *allocator)
{
    return svi_allocator_is(allocator) ? allocator->traits : 0;
}

int64_t sv_allocator_alignment(const sv_allocator *allocator)
{
    return svi_allocator_is(allocator) ? allocator->alignment : 0;
}

const char *sv_allocator_name(const sv_allocator *allocator)
{
    if (!svi_allocator_is(allocator))
        return NULL;
    while (allocator->name == NULL && allocator->base != NULL)
        allocator = allocator->base;
    return allocator->name != NULL ? allocator->name : allocator->source->name;
}

/* --- blocks -------------------------------------------------------------- */

/* The text of the allocation that failed stays, whatever a free says. What is deferred may go to a cache, which is
 * emptied after it. */
bool svi_allocator_drain(const sv_allocator *allocator)
{
    struct svi_message kept;
    bool freed;

    svi_message_keep(&kept);
    freed = svi_deferred_has(allocator->kind) && svi_deferred_drain(allocator->device, false, SVI_EFFORT_WAIT);
    freed = svi_cache_list_trim(&allocator->device, SVI_EFFORT_WAIT) || freed;
    svi_message_restore(&kept);
    return freed;
}

sv_status svi_block_allocate(const sv_allocator *allocator, struct svi_block *block)
{
    sv_status status;

    if (svi_deferred_has(allocator->kind))
        svi_deferred_drain(allocator->device, false, SVI_EFFORT_FREE);
    block->is_zero = false;
    status = allocator->source->allocate(allocator, block);
    if (status == SV_ERROR_MEMORY && svi_allocator_drain(allocator))
        status = allocator->source->allocate(allocator, block);
    return status;
}

sv_status svi_block_free(const sv_allocator *allocator, const struct svi_block *block)
{
    return allocator->source->free(allocator, block);
}

sv_status svi_block_check_free(const sv_allocator *allocator, const struct svi_block *block)
{
    allocator = svi_allocator_innermost(allocator);
    return allocator->source->check_free != NULL ? allocator->source->check_free(allocator, block) : SV_OK;
}

bool svi_block_is_kept(const sv_allocator *allocator, const struct svi_block *block)
{
    for (; allocator != NULL; allocator = allocator->base)
        if (allocator->source->keeps != NULL && allocator->source->keeps(allocator, block))
            return true;
    return false;
}

sv_status svi_alignment_of(int64_t asked, sv_memory kind, int64_t *out)
{
    if (asked < 0 || (asked & (asked - 1)) != 0)
        return svi_fail(SV_ERROR_INVALID, "an alignment of %" PRId64 " is no power of two", asked);
    *out = asked > 0 ? asked : svi_memory_kinds[kind].alignment;
    return SV_OK;
}

/* Without an alignment the kind's own is meant, as far as the allocator can. */
static sv_status read_alignment(const sv_allocator *allocator, int64_t asked, int64_t *out)
{
    SVI_TRY(svi_alignment_of(asked, allocator->kind, out));
    if (asked == 0)
        *out = svi_smaller(*out, allocator->alignment);
    return SV_OK;
}

sv_status sv_allocator_allocate(const sv_allocator *allocator, int64_t nbytes, int64_t alignment, uintptr_t stream,
                                void **pointer)
{
    struct svi_block block = {.nbytes = nbytes, .stream = stream};

    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    SVI_NEED(pointer);
    if (nbytes < 0)
        return svi_fail(SV_ERROR_INVALID, "nbytes is %" PRId64, nbytes);
    SVI_TRY(read_alignment(allocator, alignment, &block.alignment));
    if (nbytes > 0) {
        if (block.alignment > allocator->alignment)
            return svi_fail(SV_ERROR_ALIGNMENT,
                            "alignment %" PRId64 ", this allocator gives %" PRId64 " at most; a buffer can have more",
                            block.alignment, allocator->alignment);
        SVI_TRY(svi_block_allocate(allocator, &block));
    }
    *pointer = block.pointer;
    return SV_OK;
}

sv_status sv_allocator_free(const sv_allocator *allocator, void *pointer, int64_t nbytes, int64_t alignment,
                            uintptr_t stream)
{
    struct svi_block block = {.pointer = pointer, .nbytes = nbytes, .stream = stream};

    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    if (pointer == NULL)
        return SV_OK;
    if (nbytes <= 0)
        return svi_fail(SV_ERROR_INVALID, "nbytes is %" PRId64 ", and nothing of that size has an address", nbytes);
    SVI_TRY(read_alignment(allocator, alignment, &block.alignment));
    SVI_TRY(svi_block_check_free(allocator, &block));
    return svi_block_free(allocator, &block);
}

/* --- callbacks ----------------------------------------------------------- */

bool svi_is_error(sv_status status)
{
    return status < 0 && strcmp(sv_status_name(status), "SV_ERROR_UNKNOWN") != 0;
}

sv_status svi_answer_of(sv_status status, uint32_t fails, const char *what)
{
    if (status == SV_OK)
        return SV_OK;
    if (!svi_is_error(status))
        return svi_fail(SV_ERROR_INVALID, "%s answered %d, which is no status", what, (int)status);
    if (svi_fail_count() == fails)
        svi_fail(status, "%s answered %s", what, sv_status_name(status));
    return status;
}
