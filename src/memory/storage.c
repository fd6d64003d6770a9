#include "memory/storage.h"

#include <inttypes.h>
#include <string.h>

#include "device/backends.h"
#include "memory/buffer_stats.h"
#include "base/checked.h"
#include "device/thread_stream.h"
#include "memory/failure.h"
#include "memory/source_host.h"

/* --- memory that could not be freed --------------------------------------- */

/*
 * It must not be used again, since a device may still write to it. It keeps its allocator, for a pool is not to be
 * ended under it, and is kept where a checker of leaks finds it; what went wrong is told by the next
 * sv_memory_collect().
 */
static _Atomic(struct svi_deferred *) lost;

static void lose_storage(struct svi_storage *self)
{
    svi_stats_lost(self->kind, self->counted);
    svi_uses_forget(&self->uses);
    self->later.next = atomic_load_explicit(&lost, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&lost, &self->later.next, &self->later, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

/* --- allocating ------------------------------------------------------------ */

/* More than was asked for, where the allocator cannot align it as was asked. */
static sv_status size_block(const sv_allocator *allocator, const struct svi_want *want, struct svi_block *block)
{
    block->alignment = svi_smaller(want->alignment, allocator->alignment);
    if (svi_add(want->nbytes, want->alignment - block->alignment, &block->nbytes))
        return svi_fail(SV_ERROR_OVERFLOW, "%" PRId64 " bytes at a multiple of %" PRId64 " do not fit int64",
                        want->nbytes, want->alignment);
    return SV_OK;
}

void svi_storage_init(struct svi_storage *self, sv_memory kind, struct svi_device device)
{
    memset(self, 0, sizeof *self);
    self->later.device = device;
    self->kind = kind;
}

/* The default allocator never ends, so most buffers are spared the counting. */
static const sv_allocator *keep_allocator(const sv_allocator *allocator)
{
    return allocator == svi_allocator_default() ? allocator : sv_allocator_retain(allocator);
}

static void drop_allocator(const sv_allocator *allocator)
{
    if (allocator != NULL && allocator != svi_allocator_default())
        sv_allocator_release((sv_allocator *)allocator);
}

void svi_storage_init_inside(struct svi_storage *self, const sv_allocator *allocator, int64_t nbytes)
{
    svi_storage_init(self, allocator->kind, allocator->device);
    self->allocator = keep_allocator(allocator);
    self->counted = nbytes;
    if (nbytes > 0)
        svi_stats_made(self->kind, nbytes);
}

sv_status svi_storage_await(sv_memory kind, uint32_t traits, struct svi_device device, uintptr_t stream)
{
    if (kind != SV_MEMORY_PINNED || (traits & SV_TRAIT_ORDERED) == 0)
        return SV_OK;
    return svi_backend_of_streams(device.type)->synchronize(device, stream);
}

sv_status svi_storage_zero(sv_memory kind, struct svi_device device, char *data, int64_t nbytes, uintptr_t stream)
{
    const struct svi_driver *driver;

    if (nbytes == 0)
        return SV_OK;
    if (kind == SV_MEMORY_FOREIGN)
        return svi_fail(SV_ERROR_UNSUPPORTED, "libsv cannot write zeros to memory of %s devices",
                        svi_device_title(device.type));
    if (kind == SV_MEMORY_HOST || kind == SV_MEMORY_PINNED) {
        memset(data, 0, (size_t)nbytes);
        return SV_OK;
    }
    driver = svi_driver_of(device.type);
    return driver == NULL ? svi_driver_refuse(device.type) : driver->set(device.id, data, 0, nbytes, stream);
}

static char *align_pointer(void *pointer, int64_t alignment)
{
    return (char *)pointer + (-(uintptr_t)pointer & (uintptr_t)(alignment - 1));
}

/* Memory that nobody has seen. The message stays that of the failure before. */
static void free_unseen_block(const sv_allocator *allocator, const struct svi_block *block, int64_t nbytes)
{
    struct svi_message kept;

    svi_message_keep(&kept);
    if (svi_block_free(allocator, block) != SV_OK)
        svi_stats_lost(allocator->kind, nbytes);
    svi_message_restore(&kept);
}

sv_status svi_storage_make(const sv_allocator *allocator, const struct svi_want *want, struct svi_storage *out,
                           char **data)
{
    struct svi_block block = {.stream = want->stream, .wants_zeros = want->zero};
    sv_status status = SV_OK;
    char *at = NULL;

    if (want->nbytes > 0) {
        SVI_TRY(size_block(allocator, want, &block));
        SVI_TRY(svi_block_allocate(allocator, &block));
        at = align_pointer(block.pointer, want->alignment);
        status = svi_storage_await(allocator->kind, allocator->traits, allocator->device, want->stream);
        if (status == SV_OK && want->zero && !block.is_zero)
            status = svi_storage_zero(allocator->kind, allocator->device, at, want->nbytes, want->stream);
    }
    if (status != SV_OK) {
        free_unseen_block(allocator, &block, want->nbytes);
        return status;
    }
    svi_storage_init_inside(out, allocator, want->nbytes);
    out->block = block;
    out->ordered = (allocator->traits & SV_TRAIT_ORDERED) != 0 && at != NULL;
    out->waits = svi_allocator_is_driver(allocator) && at != NULL;
    *data = at;
    return SV_OK;
}

/* --- freeing ---------------------------------------------------------------- */

enum outcome { DONE, NOT_YET, FAILED };

/* Whether the free hands the block to a cache. */
static bool is_kept(const struct svi_storage *self)
{
    return self->waits && self->allocator != NULL && svi_block_is_kept(self->allocator, &self->block);
}

/* What was recorded comes before the free. */
static enum outcome settle_storage(struct svi_storage *self, enum svi_effort effort, sv_status *status)
{
    int64_t left = 0;

    if (!svi_uses_has(&self->uses))
        return DONE;
    if (self->ordered && is_kept(self))
        return DONE; /* they go along with the block */
    if (self->ordered && !self->waits) {
        *status = svi_uses_order(&self->uses, self->later.device, svi_stream_recall(self->block.stream),
                                 effort == SVI_EFFORT_WAIT, &left);
        if (*status == SV_ERROR_STATE) /* the stream is being captured */
            return NOT_YET;
    } else {
        *status = svi_uses_finish(&self->uses, effort == SVI_EFFORT_WAIT, &left);
    }
    if (*status != SV_OK)
        return FAILED;
    return left > 0 ? NOT_YET : DONE;
}

/* In a process that was forked there is nothing to undo, but the owner of the pages has its own copy of them. */
static sv_status call_undo(const struct svi_storage *self)
{
    const sv_status status = self->block.pointer != NULL ? self->undo(self) : SV_OK;

    if (self->release != NULL && (status == SV_OK || status == SV_ERROR_FORKED))
        self->release(self->ctx);
    return status;
}

/* The block, whose stream is named as this thread means it. */
static struct svi_block recall_block(const struct svi_storage *self)
{
    struct svi_block block = self->block;

    block.stream = svi_stream_recall(block.stream);
    return block;
}

static sv_status check_storage_free(const struct svi_storage *self)
{
    const struct svi_block block = recall_block(self);

    return self->ordered && self->allocator != NULL ? svi_block_check_free(self->allocator, &block) : SV_OK;
}

static sv_status call_storage_free(struct svi_storage *self)
{
    const uint32_t fails = svi_fail_count();
    struct svi_block block = recall_block(self);

    block.uses = &self->uses;
    if (self->undo != NULL)
        return call_undo(self);
    if (self->free != NULL)
        return svi_answer_of(self->free(self->ctx, block.pointer, block.nbytes, block.alignment, block.stream), fails,
                             "the function that frees the memory");
    return self->allocator != NULL && block.pointer != NULL ? svi_block_free(self->allocator, &block) : SV_OK;
}

/* In a process that was forked the memory of devices is its parent's: there is nothing to free. */
static enum outcome free_now(struct svi_storage *self, sv_status *status)
{
    *status = check_storage_free(self);
    if (*status == SV_ERROR_STATE) /* the stream is being captured */
        return NOT_YET;
    if (self->counted > 0)
        svi_stats_freed(self->kind, self->counted);
    if (*status == SV_OK)
        *status = call_storage_free(self);
    if (*status == SV_OK || *status == SV_ERROR_FORKED)
        return DONE;
    return FAILED;
}

static enum outcome try_to_free(struct svi_storage *self, enum svi_effort effort, sv_status *status)
{
    enum outcome outcome = settle_storage(self, effort, status);

    if (outcome == FAILED && self->counted > 0)
        svi_stats_freed(self->kind, self->counted);
    if (outcome != DONE)
        return outcome;
    if (self->waits && effort == SVI_EFFORT_NONE && !is_kept(self))
        return NOT_YET;
    return free_now(self, status);
}

/* Other than NOT_YET: self is not this thread's any more. */
static enum outcome finish_storage(struct svi_storage *self, enum svi_effort effort, sv_status *status)
{
    const sv_allocator *allocator = self->allocator;
    enum outcome outcome = try_to_free(self, effort, status);

    if (outcome == NOT_YET)
        return NOT_YET;
    if (self->is_late)
        svi_stats_deferred(self->kind, self->counted, -1);
    if (outcome == FAILED) {
        lose_storage(self);
        return outcome;
    }
    self->gone(self);
    drop_allocator(allocator);
    return outcome;
}

static bool finish_late(struct svi_deferred *later, enum svi_effort effort)
{
    sv_status status = SV_OK;
    enum outcome outcome = finish_storage((struct svi_storage *)later, effort, &status);

    if (outcome == FAILED)
        svi_failure_remember(status);
    return outcome != NOT_YET;
}

sv_status svi_storage_end(struct svi_storage *self, uintptr_t stream, enum svi_effort effort)
{
    sv_status status = SV_OK;
    enum outcome outcome;

    self->block.stream = svi_stream_remember(stream); /* what is deferred ends on any thread */
    outcome = finish_storage(self, effort, &status);
    if (outcome == FAILED && effort == SVI_EFFORT_NONE)
        svi_failure_remember(status);
    if (outcome == DONE)
        return SV_OK;
    if (outcome == FAILED)
        return status;
    self->is_late = true;
    svi_stats_deferred(self->kind, self->counted, 1);
    self->later.finish = finish_late;
    svi_deferred_add(&self->later);
    return SV_OK;
}
