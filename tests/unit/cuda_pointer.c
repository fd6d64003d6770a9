/* What is known of addresses and of devices, over the fake runtime. */
#include "unit/fake_cuda.h"

TestSuite(cuda_pointer, .init = start);

static char cells[64];

#define P ((void *)cells)
#define Q ((void *)(cells + 32))

enum { ON_HOST = SV_TRAIT_HOST, ON_DEVICE = SV_TRAIT_CUDA, BOTH = SV_TRAIT_HOST | SV_TRAIT_CUDA };

/* The rows of memory in the driver's words: type, device, its address and the host's. */
Test(cuda_pointer, kinds_of_memory)
{
    static const struct {
        const char *name;
        enum cudaMemoryType type;
        int device;
        void *device_pointer, *host_pointer;
        bool has_pageable_access, is_in_pool, is_pool_on_host;
        sv_memory kind;
        uint32_t traits;
        int32_t id;
        void *device_address, *host_address;
    } cases[] = {
        {"malloc", cudaMemoryTypeUnregistered, -1, NULL, P, false, false, false,
         SV_MEMORY_HOST, ON_HOST, 0, NULL, P},
        {"malloc, no address told", cudaMemoryTypeUnregistered, -2, NULL, NULL, false, false, false,
         SV_MEMORY_HOST, ON_HOST, 0, NULL, P},
        {"malloc under HMM or ATS", cudaMemoryTypeUnregistered, -1, P, P, true, false, false,
         SV_MEMORY_HOST, BOTH, 0, P, P},
        {"freed, echoed", cudaMemoryTypeUnregistered, -1, P, NULL, false, false, false,
         SV_MEMORY_HOST, ON_HOST, 0, NULL, P},
        {"pinned", cudaMemoryTypeHost, 1, P, P, false, false, false, SV_MEMORY_PINNED, BOTH, 1, P, P},
        {"registered", cudaMemoryTypeHost, 0, P, P, false, false, false, SV_MEMORY_PINNED, BOTH, 0, P, P},
        {"registered, two addresses", cudaMemoryTypeHost, 0, Q, P, false, false, false,
         SV_MEMORY_PINNED, BOTH | SV_TRAIT_REGISTERED, 0, Q, P},
        {"device", cudaMemoryTypeDevice, 1, P, NULL, false, false, false, SV_MEMORY_DEVICE, ON_DEVICE, 1, P, NULL},
        {"device, and pageable access", cudaMemoryTypeDevice, 1, P, NULL, true, false, false,
         SV_MEMORY_DEVICE, ON_DEVICE, 1, P, NULL},
        {"pool", cudaMemoryTypeDevice, 1, P, NULL, false, true, false,
         SV_MEMORY_DEVICE, ON_DEVICE | SV_TRAIT_ORDERED, 1, P, NULL},
        {"pool on the host, told as a device's", cudaMemoryTypeDevice, 0, P, NULL, false, true, true,
         SV_MEMORY_PINNED, BOTH | SV_TRAIT_ORDERED, 0, P, P},
        {"pool on the host, told as the host's", cudaMemoryTypeHost, 0, P, P, false, true, true,
         SV_MEMORY_PINNED, BOTH | SV_TRAIT_ORDERED, 0, P, P},
        {"managed", cudaMemoryTypeManaged, 1, P, P, false, false, false,
         SV_MEMORY_MANAGED, BOTH | SV_TRAIT_MANAGED, 1, P, P},
        {"managed pool", cudaMemoryTypeManaged, 0, P, P, false, true, true,
         SV_MEMORY_MANAGED, BOTH | SV_TRAIT_MANAGED | SV_TRAIT_ORDERED, 0, P, P},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_memory kind = -1;
        uint32_t traits = 0;
        int32_t id = -1;
        void *device_address = NULL, *host_address = NULL;

        fake.attributes = (struct cudaPointerAttributes){cases[i].type, cases[i].device, cases[i].device_pointer,
                                                         cases[i].host_pointer, {0}};
        fake.has[cudaDevAttrPageableMemoryAccess] = cases[i].has_pageable_access;
        fake.pool_of_pointer = cases[i].is_in_pool ? (cudaMemPool_t)P : NULL;
        fake.host_access = cases[i].is_pool_on_host ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
        cr_assert_eq(sv_pointer_query(cells, &kind, &traits, &id, &device_address, &host_address), SV_OK);
        cr_expect_eq(kind, cases[i].kind, "%s: %d", cases[i].name, (int)kind);
        cr_expect_eq(traits, cases[i].traits, "%s: %x", cases[i].name, traits);
        cr_expect_eq(id, cases[i].id, "%s: %d", cases[i].name, (int)id);
        cr_expect_eq(device_address, cases[i].device_address, "%s", cases[i].name);
        cr_expect_eq(host_address, cases[i].host_address, "%s", cases[i].name);
    }
    cr_expect(fake.current == 0 && fake.pending == cudaSuccess);
}

/* One device that does not read pageable memory is enough: the address is not for all. */
Test(cuda_pointer, pageable_access_is_that_of_all_devices)
{
    sv_memory kind;
    uint32_t traits = 0;

    fake.has[cudaDevAttrPageableMemoryAccess] = 1;
    cr_assert_eq(sv_pointer_query(cells, &kind, &traits, NULL, NULL, NULL), SV_OK);
    cr_expect_eq(traits, BOTH);
    cr_expect_eq(fake.called[ENTRY(attribute)], 2);
}

/* As runtimes before 11.0 say it, whose error stays pending. */
Test(cuda_pointer, an_error_means_ordinary_memory_too)
{
    struct svi_pointer found;

    cr_assert_eq(svi_cuda_check_ready(), SV_OK);
    fake.failure = cudaErrorInvalidValue;
    fake.fail_at = fake.calls + 2;
    cr_expect_eq(svi_cuda.memory->query(cells, &found), SV_OK);
    cr_expect_eq(fake.failed[ENTRY(pointer)], 1);
    cr_expect(found.kind == SV_MEMORY_HOST && found.host_address == P && fake.pending == cudaSuccess);
}

/* An old driver, or one that fails: memory of pools is not told from other. */
Test(cuda_pointer, pools_are_told_if_the_driver_can)
{
    struct svi_pointer found;

    fake.attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, 1, P, NULL, {0}};
    fake.pool_of_pointer = (cudaMemPool_t)P;
    fake.driver_failure = 201;
    cr_expect_eq(svi_cuda.memory->query(cells, &found), SV_OK);
    cr_expect(found.kind == SV_MEMORY_DEVICE && found.traits == ON_DEVICE && found.device.id == 1);
}

/* The driver is looked for once. */
Test(cuda_pointer, without_a_driver_all_memory_is_the_hosts)
{
    fake.counting = cudaErrorInsufficientDriver;
    fake.driver = 0;
    for (int i = 0; i < 3; i++) {
        sv_memory kind = -1;
        uint32_t traits = 0;
        void *device_address = cells, *host_address = NULL;

        cr_expect_eq(sv_pointer_query(cells, &kind, &traits, NULL, &device_address, &host_address), SV_OK);
        cr_expect(kind == SV_MEMORY_HOST && traits == ON_HOST && device_address == NULL && host_address == P);
    }
    cr_expect_eq(fake.counted, 1);
    cr_expect_eq(fake.calls, 0);
}

Test(cuda_pointer, properties_are_those_of_the_device)
{
    static const struct {
        int32_t property;
        int attribute; /* -1: none alone */
        int64_t expected;
    } cases[] = {
        {SV_PROPERTY_MEMORY_TOTAL, -1, 2001},
        {SV_PROPERTY_MEMORY_FREE, -1, 1001},
        {SV_PROPERTY_PAGEABLE_ACCESS, cudaDevAttrPageableMemoryAccess, 7},
        {SV_PROPERTY_CONCURRENT_MANAGED, cudaDevAttrConcurrentManagedAccess, 7},
        {SV_PROPERTY_POOLS, cudaDevAttrMemoryPoolsSupported, 7},
        {SV_PROPERTY_HOST_POOLS, cudaDevAttrHostMemoryPoolsSupported, 7},
        {SV_PROPERTY_MANAGED_POOLS, cudaDevAttrConcurrentManagedAccess, 1},
        {SV_PROPERTY_IPC, cudaDevAttrIpcEventSupport, 7},
        {SV_PROPERTY_COMPUTE_CAPABILITY, cudaDevAttrComputeCapabilityMajor, 71},
        {SV_PROPERTY_MULTIPROCESSORS, cudaDevAttrMultiProcessorCount, 7},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -1;

        if (cases[i].attribute >= 0)
            fake.has[cases[i].attribute] = 7;
        cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 1, cases[i].property, &value), SV_OK, "%s",
                     sv_last_message());
        cr_expect_eq(value, cases[i].expected, "%d: %lld", (int)cases[i].property, (long long)value);
        if (cases[i].attribute >= 0)
            fake.has[cases[i].attribute] = 1;
        cr_expect_eq(fake.current, 0);
    }
}

Test(cuda_pointer, properties_that_a_device_has_not)
{
    int64_t value = 5;

    cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 2, SV_PROPERTY_POOLS, &value), SV_ERROR_DEVICE);
    cr_expect_str_eq(sv_last_message(), "asking what a device has: cudaErrorInvalidDevice (101), invalid device "
                                        "ordinal");
    cr_expect_eq(value, 5);
    fake.has[cudaDevAttrHostMemoryPoolsSupported] = -1; /* of which the driver has not heard */
    cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 0, SV_PROPERTY_HOST_POOLS, &value), SV_OK);
    cr_expect_eq(value, 0);
    fake.driver = 12090;
    cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 0, SV_PROPERTY_MANAGED_POOLS, &value), SV_OK);
    cr_expect_eq(value, 0);
    cr_expect_eq(fake.pending, cudaSuccess);
}

/* --- what is not there says so ------------------------------------------------ */

static sv_status new_pool_of(sv_memory kind)
{
    const struct svi_pool_request request = {kind, 1, 0, 0, 0};
    uintptr_t pool = 0;

    return svi_cuda.memory->new_pool(&request, &pool);
}

static sv_status default_pool_of(sv_memory kind)
{
    uintptr_t pool = 0;

    return svi_cuda.memory->default_pool(kind, 1, &pool);
}

static const struct svi_span spans[] = {{cells, 16}, {cells + 16, 32}};

static sv_status prefetch(sv_memory unused)
{
    (void)unused;
    return svi_cuda.memory->prefetch(2, spans, second, 110);
}

static sv_status discard(sv_memory unused)
{
    (void)unused;
    return svi_cuda.memory->discard(2, spans, 1, 110);
}

static sv_status discard_on_legacy(sv_memory unused)
{
    (void)unused;
    return svi_cuda.memory->discard(2, spans, 1, 0);
}

static sv_status advise(sv_memory unused)
{
    (void)unused;
    return svi_cuda.memory->advise(spans[0], SV_ADVICE_ACCESSED_BY, second);
}

Test(cuda_pointer, what_is_unsupported_says_why)
{
    static const struct {
        sv_status (*run)(sv_memory kind);
        sv_memory kind;
        int missing; /* attribute; 0: functions of the driver */
        const char *words;
    } cases[] = {
        {new_pool_of, SV_MEMORY_DEVICE, cudaDevAttrMemoryPoolsSupported,
         "device 1 and its driver have no pools of device memory"},
        {new_pool_of, SV_MEMORY_PINNED, cudaDevAttrHostMemoryPoolsSupported,
         "device 1 and its driver have no pools of pinned memory"},
        {new_pool_of, SV_MEMORY_MANAGED, cudaDevAttrConcurrentManagedAccess,
         "device 1 and its driver have no pools of managed memory"},
        {default_pool_of, SV_MEMORY_DEVICE, cudaDevAttrMemoryPoolsSupported,
         "device 1 and its driver have no pools of device memory"},
        {default_pool_of, SV_MEMORY_PINNED, 0,
         "the driver has no default pool of pinned memory: it is older than 13.0"},
        {default_pool_of, SV_MEMORY_MANAGED, 0,
         "the driver has no default pool of managed memory: it is older than 13.0"},
        {prefetch, 0, cudaDevAttrConcurrentManagedAccess, "device 1 moves managed memory only as a whole"},
        {discard, 0, cudaDevAttrConcurrentManagedAccess, "device 1 moves managed memory only as a whole"},
        {discard, 0, 0, "the driver cannot discard memory: it is older than 13.0"},
        {discard_on_legacy, 0, cudaDevAttrPageableMemoryAccess,
         "the driver discards memory on every stream but the legacy default one"},
        {advise, 0, cudaDevAttrConcurrentManagedAccess, "device 1 moves managed memory only as a whole"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake.log[0] = '\0';
        fake.is_driver_old = cases[i].missing == 0;
        fake.has[cases[i].missing] = 0;
        cr_expect_eq(cases[i].run(cases[i].kind), SV_ERROR_UNSUPPORTED, "%s", cases[i].words);
        cr_expect_str_eq(sv_last_message(), cases[i].words);
        cr_expect_str_eq(fake.log, "", "%s: %s", cases[i].words, fake.log);
        fake.has[cases[i].missing] = 1;
    }
}

/* Without the driver's call for many parts, or where it refuses, they are prefetched one by one. */
Test(cuda_pointer, parts_are_prefetched_one_by_one_where_need_be)
{
    static const char one_by_one[] = "1:prefetch 16 to 1:1 on 110; 1:prefetch 32 to 1:1 on 110; ";

    fake.is_driver_old = true;
    cr_expect_eq(prefetch(0), SV_OK);
    cr_expect_str_eq(fake.log, one_by_one);
    fake.log[0] = '\0';
    cr_expect_eq(svi_cuda.memory->prefetch(2, spans, second, 0), SV_OK);
    cr_expect_str_eq(fake.log, "1:prefetch 16 to 1:1 on 1; 1:prefetch 32 to 1:1 on 1; ");
    fake.log[0] = '\0';
    fake.is_driver_old = false;
    fake.driver_failure = cudaErrorNotSupported;
    cr_expect_eq(prefetch(0), SV_OK);
    cr_expect_str_eq(strstr(fake.log, "; ") + 2, one_by_one);
    fake.driver_failure = cudaErrorInvalidValue;
    fake.pending = cudaErrorInvalidConfiguration; /* the caller's: errors of the driver are never pending */
    cr_expect_eq(prefetch(0), SV_ERROR_CUDA);
    cr_expect_eq(fake.pending, cudaErrorInvalidConfiguration);
    cr_expect_eq(discard(0), SV_ERROR_CUDA);
    cr_expect_eq(default_pool_of(SV_MEMORY_MANAGED), SV_ERROR_CUDA);
    cr_expect_str_eq(sv_last_message(), "asking for a default pool: cudaErrorInvalidValue (1), invalid argument");
    cr_expect_eq(fake.pending, cudaErrorInvalidConfiguration);
}

Test(cuda_pointer, pages_that_are_locked_already_are_told)
{
    void *address = P;
    char expected[200];

    cr_assert_eq(svi_cuda.memory->enroll(cells, 32, &address), SV_OK);
    address = P;
    cr_expect_eq(svi_cuda.memory->enroll(cells + 16, 32, &address), SV_ERROR_BLOCKED);
    snprintf(expected, sizeof expected, "page-locking 32 bytes at %p, of which some are page-locked already: "
             "cudaErrorHostMemoryAlreadyRegistered (712), part or all of the requested memory range is already mapped",
             (void *)(cells + 16));
    cr_expect_str_eq(sv_last_message(), expected);
    cr_expect(address == P && fake.locked == 1 && fake.pending == cudaSuccess);
}

/* The address of pages for devices can be another one. */
Test(cuda_pointer, locked_pages_have_an_address_for_devices)
{
    void *address = NULL;

    fake.attributes = (struct cudaPointerAttributes){cudaMemoryTypeHost, 0, Q, P, {0}};
    cr_assert_eq(svi_cuda.memory->enroll(cells, 32, &address), SV_OK);
    cr_expect_eq(address, Q);
}

Test(cuda_pointer, events_that_have_not_come)
{
    void *event = NULL;
    bool done = true;

    cr_assert_eq(svi_cuda.memory->record(1, 110, &event), SV_OK);
    fake.not_ready = true;
    cr_expect(svi_cuda.memory->is_done(event, &done) == SV_OK && !done);
    fake.not_ready = false;
    cr_expect(svi_cuda.memory->is_done(event, &done) == SV_OK && done);
    cr_expect_eq(fake.pending, cudaSuccess);
    svi_cuda.memory->end_event(event);
}

/* Handles of a device, and memory opened by them. */
Test(cuda_pointer, devices_and_memory_have_handles)
{
    unsigned char uuid[SVI_UUID] = {0}, expected[SVI_UUID], handle[SVI_IPC_HANDLE];
    void *opened = NULL;

    memset(expected, 17, sizeof expected);
    cr_expect_eq(svi_cuda.memory->identify(1, uuid), SV_OK);
    cr_expect_eq(memcmp(uuid, expected, sizeof uuid), 0);
    cr_expect_eq(svi_cuda.memory->ipc_export(1, cells, handle), SV_OK);
    cr_expect_eq(svi_cuda.memory->ipc_open(1, handle, &opened), SV_OK);
    cr_expect(opened == cells && fake.mappings == 1);
    cr_expect_eq(svi_cuda.memory->ipc_close(1, opened), SV_OK);
    cr_expect_eq(fake.mappings, 0);
}
