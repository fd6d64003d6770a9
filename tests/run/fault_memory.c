/* Calls of the fault suite: allocators. */
#include <stddef.h>
#include <string.h>

#include "fault.h"

enum { NBYTES = sizeof given.cells };

static sv_status allocator_host(struct fault_outputs *o)
{
    return sv_allocator_host(SV_ALLOCATOR_GUARD, &o->allocator);
}

static sv_status allocator_callbacks(struct fault_outputs *o)
{
    return sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, fault_allocate, fault_release, fault_end,
                                  given.cells, &o->allocator);
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

static sv_status allocator_cached(struct fault_outputs *o)
{
    return sv_allocator_cached(given.allocator, 1 << 20, &o->allocator);
}

static sv_status allocator_logged(struct fault_outputs *o)
{
    return sv_allocator_logged(given.allocator, fault_log_nothing, fault_end, given.cells, &o->allocator);
}

static sv_status allocator_retrying(struct fault_outputs *o)
{
    return sv_allocator_retrying(given.allocator, 3, fault_say_no, fault_end, given.cells, &o->allocator);
}

/* The block's entry in the list and the block. */
static sv_status allocate_wrapped(struct fault_outputs *o)
{
    void *block = NULL;
    sv_status status = sv_allocator_allocate(given.wrapped, SPARE, 0, 0, &block);

    (void)o;
    return status == SV_OK ? sv_allocator_free(given.wrapped, block, SPARE, 0, 0) : status;
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

static sv_status allocator_from_handler(struct fault_outputs *o)
{
    return sv_allocator_from_handler(0, handle_allocate, handle_free, fault_end, given.cells, &o->allocator);
}

static sv_status allocator_from_torch(struct fault_outputs *o)
{
    return sv_allocator_from_torch(0, fault_torch_allocate, fault_torch_free, &o->allocator);
}

static sv_status handler_allocate(struct fault_outputs *o)
{
    return sv_handler_allocate_from(given.allocator, &o->block, NBYTES, NULL);
}

/* A block that a call frees is no longer one of the inputs. */
static void *take_spare(void)
{
    void *spare = given.spare;

    given.spare = NULL;
    return spare;
}

static sv_status handler_free(struct fault_outputs *o)
{
    (void)o;
    return sv_handler_free_to(given.allocator, take_spare(), SPARE, NULL);
}

/* PyTorch gets the functions again of which the allocator was made. */
static sv_status use_torch(struct fault_outputs *o)
{
    sv_status status = sv_torch_use(0, given.torch);

    (void)o;
    return status == SV_OK ? sv_torch_use(0, NULL) : status;
}

static sv_status allocate_and_free_by_torch(struct fault_outputs *o)
{
    sv_status status = sv_torch_use(0, given.torch);
    void *block;

    (void)o;
    if (status != SV_OK)
        return status;
    block = sv_torch_allocate(SPARE, 0, NULL);
    sv_torch_free(block, SPARE, 0, NULL);
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
    void *block = NULL;
    sv_status status = sv_allocator_allocate(given.called, SPARE, 4096, 0, &block);

    (void)o;
    return status == SV_OK ? sv_allocator_free(given.called, block, SPARE, 4096, 0) : status;
}

static sv_status allocator_free(struct fault_outputs *o)
{
    (void)o;
    return sv_allocator_free(given.allocator, take_spare(), SPARE, 256, 0);
}

static const struct fault_row rows[] = {
    {"sv_allocator_host", allocator_host, ALLOCATES},
    {"sv_allocator_pinned", allocator_pinned, ALLOCATES},
    {"sv_allocator_device", allocator_device, ALLOCATES},
    {"sv_allocator_managed", allocator_managed, ALLOCATES},
    {"sv_allocator_pool", allocator_pool, ALLOCATES},
    {"sv_allocator_pool_view", allocator_pool_view, ALLOCATES},
    {"sv_allocator_callbacks", allocator_callbacks, TAKES_OWNERSHIP},
    {"sv_allocator_tracked", allocator_tracked, ALLOCATES},
    {"sv_allocator_limited", allocator_limited, ALLOCATES},
    {"sv_allocator_cached", allocator_cached, ALLOCATES},
    {"sv_allocator_logged", allocator_logged, TAKES_OWNERSHIP},
    {"sv_allocator_retrying", allocator_retrying, TAKES_OWNERSHIP},
    {"sv_allocator_allocate", allocate_wrapped, ALLOCATES},
    {"sv_allocator_stats", allocator_stats, ALLOCATES_NOTHING},
    {"sv_allocator_reset_peaks", allocator_reset_peaks, ALLOCATES_NOTHING},
    {"sv_allocator_visit", allocator_visit, ALLOCATES},
    {"sv_allocator_from_handler", allocator_from_handler, TAKES_OWNERSHIP},
    {"sv_allocator_from_torch", allocator_from_torch, ALLOCATES},
    {"sv_handler_allocate_from", handler_allocate, ALLOCATES},
    {"sv_handler_free_to", handler_free, ALLOCATES_NOTHING},
    {"sv_torch_use", use_torch, ALLOCATES_NOTHING},
    {"sv_torch_allocate", allocate_and_free_by_torch, ALLOCATES},
    {"sv_torch_free", allocate_and_free_by_torch, ALLOCATES},
    {"sv_allocator_retain", allocator_retain_release, ALLOCATES_NOTHING},
    {"sv_allocator_release", allocator_retain_release, ALLOCATES_NOTHING},
    {"sv_allocator_kind", allocator_retain_release, ALLOCATES_NOTHING},
    {"sv_allocator_device_type", allocator_facts, ALLOCATES_NOTHING},
    {"sv_allocator_device_id", allocator_facts, ALLOCATES_NOTHING},
    {"sv_allocator_traits", allocator_facts, ALLOCATES_NOTHING},
    {"sv_allocator_alignment", allocator_facts, ALLOCATES_NOTHING},
    {"sv_allocator_name", allocator_facts, ALLOCATES_NOTHING},
    {"sv_allocator_allocate", allocator_allocate, ALLOCATES},
    {"sv_allocator_allocate", allocator_allocate_none, ALLOCATES_NOTHING},
    {"sv_allocator_allocate", allocate_by_callbacks, ALLOCATES},
    {"sv_allocator_free", allocator_free, ALLOCATES_NOTHING},
};

const struct fault_rows fault_memory = {sizeof rows / sizeof *rows, rows};
