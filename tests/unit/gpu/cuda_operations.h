/*
 * Each operation of the CUDA backend's table for memory, on what was made for it, over the fake runtime: what tests do
 * with all of them in turn.
 */
#ifndef SVI_TEST_CUDA_OPERATIONS_H
#define SVI_TEST_CUDA_OPERATIONS_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "device/backends.h"
#include "fake/fake.h"
#include "gpu/cuda/find.h"
#include "gpu/cuda/cuda.h"

#define OPS (svi_cuda.driver)

enum { DEVICE = 1, BYTES = 64, PAGE = 4096 };

/* What is alive of what operations made. */
static struct {
    uintptr_t stream; /* of the device, made by start_operations() */
    void *block, *in_order, *event, *mapping;
    sv_memory kind; /* of block */
    uintptr_t pool;
    char *locked;
} has;

/* What hints are about; pages that are locked one after another, so that none is locked twice. */
static char *managed;
static _Alignas(PAGE) char pages[512 * PAGE];

static void start_operations(void)
{
    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    has.stream = (uintptr_t)fake_new_stream(DEVICE, cudaStreamNonBlocking);
    managed = fake_allocate(cudaMemoryTypeManaged, DEVICE, BYTES);
}

static void end_operations(void)
{
    fake_free(managed);
    fake_end_stream((cudaStream_t)has.stream);
}

/* --- allocations ------------------------------------------------------------- */

static sv_status allocate(sv_memory kind)
{
    has.kind = kind;
    return OPS->allocate(kind, DEVICE, BYTES, &has.block);
}

static sv_status allocate_device(void)
{
    return allocate(SV_MEMORY_DEVICE);
}

static sv_status allocate_pinned(void)
{
    return allocate(SV_MEMORY_PINNED);
}

static sv_status allocate_managed(void)
{
    return allocate(SV_MEMORY_MANAGED);
}

static sv_status free_block(void)
{
    return OPS->free(has.kind, DEVICE, has.block);
}

static sv_status enroll(void)
{
    static int next;
    char *page = pages + PAGE * (next++ % (int)(sizeof pages / PAGE));
    void *address = NULL;
    sv_status status = OPS->enroll(page, PAGE, &address);

    cr_assert_eq(address, status == SV_OK ? page : NULL);
    has.locked = address;
    return status;
}

static sv_status withdraw(void)
{
    return OPS->withdraw(has.locked);
}

static sv_status set(void)
{
    return OPS->set(DEVICE, has.block, 7, BYTES, has.stream);
}

/* --- pools ------------------------------------------------------------------- */

static sv_status new_pool(sv_memory kind, int64_t initial, int64_t threshold, int64_t most)
{
    const struct svi_pool_request request = {kind, DEVICE, initial, threshold, most};

    return OPS->new_pool(&request, &has.pool);
}

static sv_status new_device_pool(void)
{
    return new_pool(SV_MEMORY_DEVICE, 4096, 8192, 65536);
}

static sv_status new_pinned_pool(void)
{
    return new_pool(SV_MEMORY_PINNED, 0, 0, 0);
}

static sv_status new_managed_pool(void)
{
    return new_pool(SV_MEMORY_MANAGED, 0, 0, 0);
}

static sv_status default_pool(sv_memory kind)
{
    uintptr_t pool = 0;
    sv_status status = OPS->default_pool(kind, DEVICE, &pool);

    cr_assert_eq(pool != 0, status == SV_OK);
    return status;
}

static sv_status default_device_pool(void)
{
    return default_pool(SV_MEMORY_DEVICE);
}

static sv_status default_pinned_pool(void)
{
    return default_pool(SV_MEMORY_PINNED);
}

static sv_status default_managed_pool(void)
{
    return default_pool(SV_MEMORY_MANAGED);
}

static sv_status end_pool(void)
{
    return OPS->end_pool(DEVICE, has.pool);
}

static sv_status allocate_in_order(void)
{
    return OPS->allocate_from_pool(DEVICE, has.pool, BYTES, has.stream, &has.in_order);
}

static sv_status free_in_order(void)
{
    return OPS->free_in_order(DEVICE, has.in_order, has.stream);
}

/* --- addresses, events, hints ----------------------------------------------------- */

static sv_status query(void)
{
    struct svi_pointer found;

    return OPS->query(has.in_order, &found);
}

static sv_status query_host(void)
{
    struct svi_pointer found;

    return OPS->query(&has, &found);
}

static sv_status record_use(void)
{
    return OPS->record(DEVICE, has.stream, &has.event);
}

static sv_status is_done(void)
{
    bool done = true;

    return OPS->is_done(has.event, &done);
}

static sv_status wait_for_event(void)
{
    return OPS->wait(has.event);
}

static sv_status order(void)
{
    return OPS->order(DEVICE, has.stream, has.event);
}

static sv_status end_event(void)
{
    OPS->end_event(has.event);
    return SV_OK;
}

static const struct svi_device device_1 = {SV_DEVICE_CUDA, DEVICE};

static sv_status prefetch(int64_t count, struct svi_device to, uintptr_t stream)
{
    const struct svi_span spans[] = {{managed, 16}, {managed + 16, 32}};

    return OPS->prefetch(count, spans, to, stream);
}

static sv_status prefetch_one(void)
{
    return prefetch(1, device_1, 0);
}

static sv_status prefetch_to_host(void)
{
    return prefetch(1, svi_cpu, 0);
}

static sv_status prefetch_all(void)
{
    return prefetch(2, device_1, has.stream);
}

static sv_status discard_on(uintptr_t stream)
{
    const struct svi_span spans[] = {{managed, 16}, {managed + 16, 32}};

    return OPS->discard(2, spans, device_1, stream);
}

static sv_status discard(void)
{
    return discard_on(has.stream);
}

static sv_status advise(void)
{
    return OPS->advise((struct svi_span){managed, BYTES}, SV_ADVICE_PREFER, device_1);
}

/* --- devices, and other processes ----------------------------------------------------- */

static sv_status identify(void)
{
    unsigned char uuid[SVI_UUID];

    return OPS->identify(DEVICE, uuid);
}

static unsigned char handle[SVI_IPC_HANDLE];
static int64_t opened_nbytes;

static sv_status ipc_export(void)
{
    return OPS->ipc_export(DEVICE, has.block, handle);
}

static sv_status ipc_open(void)
{
    sv_status status;

    fake_be_another_process(true);
    status = OPS->ipc_open(DEVICE, handle, &has.mapping, &opened_nbytes);
    fake_be_another_process(false);
    return status;
}

static sv_status ipc_close(void)
{
    return OPS->ipc_close(DEVICE, has.mapping);
}

static sv_status ask(int32_t property)
{
    int64_t value;

    return OPS->property(DEVICE, property, &value);
}

static sv_status free_memory(void)
{
    return ask(SV_PROPERTY_MEMORY_FREE);
}

static sv_status all_memory(void)
{
    return ask(SV_PROPERTY_MEMORY_TOTAL);
}

static sv_status managed_pools(void)
{
    return ask(SV_PROPERTY_MANAGED_POOLS);
}

static sv_status capability(void)
{
    return ask(SV_PROPERTY_COMPUTE_CAPABILITY);
}

/* --- all of them ---------------------------------------------------------------- */

enum { NONE = -1 };

static const struct {
    const char *name;
    sv_status (*first)(void), (*second)(void); /* what it needs, NULL: nothing */
    sv_status (*run)(void);
    int frees; /* the call that frees, of those that do */
    const char *log; /* what it does, each call after the number of the device that is current */
} operations[] = {
    {"allocate device", NULL, NULL, allocate_device, NONE, "1:allocate 64; "},
    {"allocate pinned", NULL, NULL, allocate_pinned, NONE, "1:allocate_host 64; "},
    {"allocate managed", NULL, NULL, allocate_managed, NONE, "1:allocate_managed 64; "},
    {"free device", allocate_device, NULL, free_block, FAKE_CALL(release), "1:release ; "},
    {"free pinned", allocate_pinned, NULL, free_block, FAKE_CALL(release_host), "1:release_host ; "},
    {"free managed", allocate_managed, NULL, free_block, FAKE_CALL(release), "1:release ; "},
    {"enroll", NULL, NULL, enroll, NONE, "0:register_host 4096; "},
    {"withdraw", enroll, NULL, withdraw, FAKE_CALL(unregister_host), "0:unregister_host ; "},
    {"set", allocate_device, NULL, set, NONE, "1:set 64 s1; "},
    {"new pool", NULL, NULL, new_device_pool, NONE,
     "1:new_pool ; 1:allocate_from_pool 4096 thread; 1:release_async thread; "},
    {"new pinned pool", NULL, NULL, new_pinned_pool, NONE,
     "1:new_pool ; 1:set_pool_access 1; 1:set_pool_access 1; "},
    {"new managed pool", NULL, NULL, new_managed_pool, NONE, "1:new_pool ; "},
    {"default pool", NULL, NULL, default_device_pool, NONE, ""},
    {"default pinned pool", NULL, NULL, default_pinned_pool, NONE, "1:set_pool_access 1; 1:set_pool_access 1; "},
    {"default managed pool", NULL, NULL, default_managed_pool, NONE, ""},
    {"end pool", new_device_pool, NULL, end_pool, FAKE_CALL(end_pool), "1:end_pool ; "},
    {"allocate in order", new_device_pool, NULL, allocate_in_order, NONE, "1:allocate_from_pool 64 s1; "},
    {"free in order", new_device_pool, allocate_in_order, free_in_order, FAKE_CALL(release_async),
     "1:release_async s1; "},
    {"query", new_device_pool, allocate_in_order, query, NONE, ""},
    {"query of host memory", NULL, NULL, query_host, NONE, ""},
    {"record", NULL, NULL, record_use, NONE, "1:new_event ; 1:record s1; "},
    {"is done", record_use, NULL, is_done, NONE, "0:event_query ; "},
    {"wait", record_use, NULL, wait_for_event, NONE, "0:event_synchronize ; "},
    {"order", record_use, NULL, order, NONE, "1:wait s1; "},
    {"end event", record_use, NULL, end_event, FAKE_CALL(end_event), "0:end_event ; "},
    {"prefetch one", NULL, NULL, prefetch_one, NONE, "1:prefetch 16 to 1 legacy; "},
    {"prefetch to the host", NULL, NULL, prefetch_to_host, NONE, "0:prefetch 16 to -1 legacy; "},
    {"prefetch all", NULL, NULL, prefetch_all, NONE, "1:cuMemPrefetchBatchAsync 2 s1; "},
    {"discard", NULL, NULL, discard, NONE, "1:cuMemDiscardAndPrefetchBatchAsync 2 to 1 s1; "},
    {"advise", NULL, NULL, advise, NONE, "0:advise 3 64; "},
    {"identify", NULL, NULL, identify, NONE, ""},
    {"export", allocate_device, NULL, ipc_export, NONE, "1:ipc_get ; "},
    {"open", allocate_device, ipc_export, ipc_open, NONE, "1:ipc_open ; "},
    {"free memory", NULL, NULL, free_memory, NONE, ""},
    {"all memory", NULL, NULL, all_memory, NONE, ""},
    {"managed pools", NULL, NULL, managed_pools, NONE, ""},
    {"capability", NULL, NULL, capability, NONE, ""},
};

enum { OPERATIONS = sizeof operations / sizeof *operations };

#endif
