/* Calls of the fault suite: allocators. */
#include <stddef.h>
#include <string.h>

#include "fault.h"

enum { NBYTES = sizeof given.cells };

static sv_status allocator_host(struct fault_outputs *o)
{
    return sv_allocator_host(SV_ALLOCATOR_GUARD, &o->allocator);
}

static sv_status allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    return sv_allocator_allocate(ctx, nbytes, alignment, stream, out);
}

static sv_status release(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    return sv_allocator_free(ctx, pointer, nbytes, alignment, stream);
}

static sv_status allocator_callbacks(struct fault_outputs *o)
{
    return sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate, release, fault_end, given.cells,
                                  &o->allocator);
}

/* The allocator's own memory comes first, so that it is one allocation on every machine. */
static sv_status where_there_is_cuda(sv_status status)
{
    return status == SV_ERROR_UNSUPPORTED ? SV_OK : status;
}

static sv_status allocator_pinned(struct fault_outputs *o)
{
    return where_there_is_cuda(sv_allocator_pinned(&o->allocator));
}

static sv_status allocator_device(struct fault_outputs *o)
{
    return where_there_is_cuda(sv_allocator_device(0, &o->allocator));
}

static sv_status allocator_managed(struct fault_outputs *o)
{
    return where_there_is_cuda(sv_allocator_managed(0, &o->allocator));
}

static sv_status allocator_pool(struct fault_outputs *o)
{
    return where_there_is_cuda(sv_allocator_pool(SV_MEMORY_DEVICE, 0, 0, 0, 0, &o->allocator));
}

static sv_status allocator_pool_view(struct fault_outputs *o)
{
    return where_there_is_cuda(sv_allocator_pool_view(SV_MEMORY_DEVICE, 0, 0, &o->allocator));
}

static void log_nothing(void *ctx, int32_t event, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)ctx, (void)event, (void)pointer, (void)nbytes, (void)stream;
}

static int32_t say_no(void *ctx, int64_t nbytes, int32_t attempt)
{
    (void)ctx, (void)nbytes, (void)attempt;
    return 0;
}

static int32_t count_block(void *ctx, int64_t number, const void *pointer, int64_t nbytes, uintptr_t stream)
{
    (void)number, (void)pointer, (void)nbytes, (void)stream;
    ++*(int *)ctx;
    return 0;
}

static sv_status allocator_tracked(struct fault_outputs *o)
{
    return sv_allocator_tracked(given.allocator, "tag", SV_ALLOCATOR_BLOCKS, &o->allocator);
}

static sv_status allocator_limited(struct fault_outputs *o)
{
    return sv_allocator_limited(given.allocator, 1 << 20, &o->allocator);
}

static sv_status allocator_logged(struct fault_outputs *o)
{
    return sv_allocator_logged(given.allocator, log_nothing, fault_end, given.cells, &o->allocator);
}

static sv_status allocator_retrying(struct fault_outputs *o)
{
    return sv_allocator_retrying(given.allocator, 3, say_no, fault_end, given.cells, &o->allocator);
}

static sv_status wrap_all(const sv_allocator *base, sv_allocator **out)
{
    sv_allocator *limited = NULL, *logged = NULL;
    sv_status status = sv_allocator_limited(base, NBYTES, &limited);

    if (status == SV_OK)
        status = sv_allocator_logged(limited, log_nothing, NULL, NULL, &logged);
    if (status == SV_OK)
        status = sv_allocator_retrying(logged, 2, say_no, NULL, NULL, out);
    sv_allocator_release(limited);
    sv_allocator_release(logged);
    return status;
}

/* The wrappers, then the block's entry in the list and the block. */
static sv_status allocate_wrapped(struct fault_outputs *o)
{
    sv_allocator *tracked = NULL, *outer = NULL;
    void *block = NULL;
    sv_status status = sv_allocator_tracked(given.allocator, NULL, SV_ALLOCATOR_BLOCKS, &tracked);

    (void)o;
    if (status == SV_OK)
        status = wrap_all(tracked, &outer);
    if (status == SV_OK)
        status = sv_allocator_allocate(outer, NBYTES, 0, 0, &block);
    if (status == SV_OK)
        status = sv_allocator_free(outer, block, NBYTES, 0, 0);
    sv_allocator_release(tracked);
    sv_allocator_release(outer);
    return status;
}

static sv_status allocator_stats(struct fault_outputs *o)
{
    sv_status status = sv_allocator_stats(given.tracked, SV_STAT_LIVE_COUNT, &o->numbers[0]);

    return status == SV_OK ? fault_right(o->numbers[0] == 1) : status;
}

static sv_status allocator_reset_peaks(struct fault_outputs *o)
{
    (void)o;
    return sv_allocator_reset_peaks(given.tracked);
}

static sv_status allocator_visit(struct fault_outputs *o)
{
    int blocks = 0;
    sv_status status = sv_allocator_visit(given.tracked, count_block, &blocks);

    (void)o;
    return status == SV_OK ? fault_right(blocks == 1) : status;
}

static int32_t handle_allocate(void *ctx, void **pointer, size_t nbytes, void *stream)
{
    return sv_handler_allocate_from(ctx, pointer, nbytes, stream);
}

static int32_t handle_free(void *ctx, void *pointer, size_t nbytes, void *stream)
{
    return sv_handler_free_to(ctx, pointer, nbytes, stream);
}

static void *torch_allocate(int64_t nbytes, int32_t device, void *stream)
{
    void *block = NULL;

    (void)device, (void)stream;
    return sv_allocator_allocate(given.allocator, nbytes, 256, 0, &block) == SV_OK ? block : NULL;
}

static void torch_free(void *pointer, int64_t nbytes, int32_t device, void *stream)
{
    (void)device, (void)stream;
    (void)sv_allocator_free(given.allocator, pointer, nbytes, 256, 0);
}

static sv_status allocator_from_handler(struct fault_outputs *o)
{
    return sv_allocator_from_handler(0, handle_allocate, handle_free, fault_end, given.cells, &o->allocator);
}

static sv_status allocator_from_torch(struct fault_outputs *o)
{
    return sv_allocator_from_torch(0, torch_allocate, torch_free, &o->allocator);
}

static sv_status handler_allocate(struct fault_outputs *o)
{
    return sv_handler_allocate_from(given.allocator, &o->block, NBYTES, NULL);
}

static sv_status handler_free(struct fault_outputs *o)
{
    void *block = NULL;
    sv_status status = sv_handler_allocate_from(given.allocator, &block, NBYTES, NULL);

    (void)o;
    return status == SV_OK ? sv_handler_free_to(given.allocator, block, NBYTES, NULL) : status;
}

/* An allocator from PyTorch's functions that PyTorch has again: the handle and the block. */
static sv_status torch(struct fault_outputs *o)
{
    sv_allocator *made = NULL;
    void *block;
    sv_status status = sv_allocator_from_torch(0, torch_allocate, torch_free, &made);

    (void)o;
    if (status == SV_OK)
        status = sv_torch_use(0, made);
    sv_allocator_release(made);
    if (status != SV_OK)
        return status;
    block = sv_torch_allocate(NBYTES, 0, NULL);
    sv_torch_free(block, NBYTES, 0, NULL);
    status = sv_torch_use(0, NULL);
    return block != NULL ? status : SV_ERROR_MEMORY;
}

static sv_status allocator_retain_release(struct fault_outputs *o)
{
    (void)o;
    sv_allocator_release(sv_allocator_retain(given.allocator));
    return fault_right(sv_allocator_kind(given.allocator) == SV_MEMORY_HOST);
}

static sv_status allocator_facts(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_allocator_device_type(given.allocator) == SV_DEVICE_CPU &&
                       sv_allocator_device_id(given.allocator) == 0 &&
                       sv_allocator_traits(given.allocator) == SV_TRAIT_HOST &&
                       sv_allocator_alignment(given.allocator) >= 4096 &&
                       strcmp(sv_allocator_name(given.allocator), "host") == 0);
}

static sv_status allocator_allocate(struct fault_outputs *o)
{
    return sv_allocator_allocate(given.allocator, NBYTES, 0, 0, &o->block);
}

static sv_status allocator_allocate_none(struct fault_outputs *o)
{
    return sv_allocator_allocate(given.allocator, 0, 512, 0, &o->block);
}

/* By callbacks that answer what an allocation of libsv answered. */
static sv_status allocate_by_callbacks(struct fault_outputs *o)
{
    sv_allocator *outer = NULL;
    void *block = NULL;
    sv_status status = sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate, release, NULL,
                                              given.allocator, &outer);

    (void)o;
    if (status == SV_OK)
        status = sv_allocator_allocate(outer, NBYTES, 4096, 0, &block);
    if (status == SV_OK)
        status = sv_allocator_free(outer, block, NBYTES, 4096, 0);
    sv_allocator_release(outer);
    return status;
}

static sv_status allocator_free(struct fault_outputs *o)
{
    void *block = NULL;
    sv_status status = sv_allocator_allocate(given.allocator, NBYTES, 256, 0, &block);

    (void)o;
    return status == SV_OK ? sv_allocator_free(given.allocator, block, NBYTES, 256, 0) : status;
}

static const struct fault_row rows[] = {
    {"sv_allocator_host", allocator_host, 1, false},
    {"sv_allocator_pinned", allocator_pinned, 1, false},
    {"sv_allocator_device", allocator_device, 1, false},
    {"sv_allocator_managed", allocator_managed, 1, false},
    {"sv_allocator_pool", allocator_pool, 1, false},
    {"sv_allocator_pool_view", allocator_pool_view, 1, false},
    {"sv_allocator_callbacks", allocator_callbacks, 1, true},
    {"sv_allocator_tracked", allocator_tracked, 2, false},
    {"sv_allocator_limited", allocator_limited, 1, false},
    {"sv_allocator_logged", allocator_logged, 1, true},
    {"sv_allocator_retrying", allocator_retrying, 1, true},
    {"sv_allocator_allocate", allocate_wrapped, 7, false},
    {"sv_allocator_stats", allocator_stats, 0, false},
    {"sv_allocator_reset_peaks", allocator_reset_peaks, 0, false},
    {"sv_allocator_visit", allocator_visit, 1, false},
    {"sv_allocator_from_handler", allocator_from_handler, 1, true},
    {"sv_allocator_from_torch", allocator_from_torch, 1, false},
    {"sv_handler_allocate_from", handler_allocate, 1, false},
    {"sv_handler_free_to", handler_free, 1, false},
    {"sv_torch_use", torch, 2, false},
    {"sv_torch_allocate", torch, 2, false},
    {"sv_torch_free", torch, 2, false},
    {"sv_allocator_retain", allocator_retain_release, 0, false},
    {"sv_allocator_release", allocator_retain_release, 0, false},
    {"sv_allocator_kind", allocator_retain_release, 0, false},
    {"sv_allocator_device_type", allocator_facts, 0, false},
    {"sv_allocator_device_id", allocator_facts, 0, false},
    {"sv_allocator_traits", allocator_facts, 0, false},
    {"sv_allocator_alignment", allocator_facts, 0, false},
    {"sv_allocator_name", allocator_facts, 0, false},
    {"sv_allocator_allocate", allocator_allocate, 1, false},
    {"sv_allocator_allocate", allocator_allocate_none, 0, false},
    {"sv_allocator_allocate", allocate_by_callbacks, 2, false},
    {"sv_allocator_free", allocator_free, 1, false},
};

const struct fault_rows fault_memory = {sizeof rows / sizeof *rows, rows};
