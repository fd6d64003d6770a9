/*
 * The two functions that PyTorch's pluggable allocator calls, which get no context: the allocator of each device
 * stands in a table. An entry counts the blocks that are alive and the calls that run, and the allocator changes
 * only where the count is 0, so that a running call need not retain it.
 */
#include <inttypes.h>

#include "memory/allocator.h"
#include "base/lock.h"

enum { DEVICES = 128 }; /* PyTorch's device numbers are 8 bits with a sign */

static const int_least64_t CHANGING = -1; /* a count while the allocator changes, which takes some instructions */

static struct entry {
    atomic_int_least64_t count;
    sv_allocator *allocator;
} entries[DEVICES];

static struct entry *find_torch_entry(int32_t device_id)
{
    return device_id >= 0 && device_id < DEVICES ? &entries[device_id] : NULL;
}

static void enter_entry(struct entry *e)
{
    int_least64_t count = atomic_load_explicit(&e->count, memory_order_relaxed);

    for (;;)
        if (count == CHANGING)
            count = atomic_load_explicit(&e->count, memory_order_relaxed);
        else if (atomic_compare_exchange_weak_explicit(&e->count, &count, count + 1, memory_order_acquire,
                                                       memory_order_relaxed))
            return;
}

static void leave_entry(struct entry *e)
{
    atomic_fetch_sub_explicit(&e->count, 1, memory_order_release);
}

static sv_status check_torch_allocator(const sv_allocator *allocator, int32_t device_id)
{
    SVI_TRY(svi_allocator_check(allocator, "allocator"));
    if (!(allocator->traits & SV_TRAIT_CUDA))
        return svi_fail(SV_ERROR_DEVICE, "CUDA kernels do not read %s memory", sv_memory_name(allocator->kind));
    if (allocator->kind == SV_MEMORY_DEVICE && allocator->device.id != device_id)
        return svi_fail(SV_ERROR_DEVICE, "memory of device %d for device %d", (int)allocator->device.id,
                        (int)device_id);
    return SV_OK;
}

/* False where blocks are alive. The lock is there for fork(): a child does not find CHANGING, for which it would wait. */
static bool exchange_allocator(struct entry *e, const sv_allocator *allocator, sv_allocator **before,
                               int_least64_t *blocks)
{
    bool changes;

    svi_lock(SVI_LOCK_TORCH);
    *blocks = 0;
    changes = atomic_compare_exchange_strong_explicit(&e->count, blocks, CHANGING, memory_order_acquire,
                                                      memory_order_relaxed);
    if (changes) {
        *before = e->allocator;
        e->allocator = sv_allocator_retain(allocator);
        atomic_store_explicit(&e->count, 0, memory_order_release);
    }
    svi_unlock(SVI_LOCK_TORCH);
    return changes;
}

sv_status sv_torch_use(int32_t device_id, const sv_allocator *allocator)
{
    struct entry *e = find_torch_entry(device_id);
    int_least64_t blocks;
    sv_allocator *before;

    if (e == NULL)
        return svi_fail(SV_ERROR_DEVICE, "device number %d, PyTorch has 0 to %d", (int)device_id, DEVICES - 1);
    if (allocator != NULL)
        SVI_TRY(check_torch_allocator(allocator, device_id));
    if (!exchange_allocator(e, allocator, &before, &blocks))
        return svi_fail(SV_ERROR_BLOCKED, "PyTorch has %" PRId64 " blocks of device %d", (int64_t)blocks,
                        (int)device_id);
    sv_allocator_release(before);
    return SV_OK;
}

static sv_status allocate_for_torch(const struct entry *e, int64_t nbytes, int32_t device, void *stream, void **out)
{
    if (e->allocator == NULL)
        return svi_fail(SV_ERROR_STATE, "no allocator for PyTorch's device %d: see sv_torch_use()", (int)device);
    return sv_allocator_allocate(e->allocator, nbytes, 0, (uintptr_t)stream, out);
}

/* A block that is handed out stays counted. */
void *sv_torch_allocate(int64_t nbytes, int32_t device, void *stream)
{
    struct entry *e = find_torch_entry(device);
    void *made = NULL;

    if (e == NULL) {
        svi_fail(SV_ERROR_DEVICE, "device number %d, PyTorch has 0 to %d", (int)device, DEVICES - 1);
        return NULL;
    }
    enter_entry(e);
    (void)allocate_for_torch(e, nbytes, device, stream, &made);
    if (made == NULL)
        leave_entry(e);
    return made;
}

/* What cannot be freed is lost, and no longer counted. */
void sv_torch_free(void *pointer, int64_t nbytes, int32_t device, void *stream)
{
    struct entry *e = find_torch_entry(device);

    if (pointer == NULL || e == NULL || atomic_load_explicit(&e->count, memory_order_acquire) <= 0)
        return;
    (void)sv_allocator_free(e->allocator, pointer, nbytes, 0, (uintptr_t)stream);
    leave_entry(e);
}
