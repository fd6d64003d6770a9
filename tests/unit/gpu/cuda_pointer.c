/* What CUDA's driver tells of addresses and of devices, and what is missing in old ones, over the fake runtime. */
#include <stdio.h>

#include "unit/gpu/cuda_operations.h"

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
}

TestSuite(cuda_pointer, .init = start);

static void expect_silence(void)
{
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

/* --- addresses ------------------------------------------------------------------------ */

enum source { MALLOC, DEVICE_MEMORY, PINNED, MANAGED, REGISTERED, POOL, HOST_POOL, MANAGED_POOL, IMPORTED, FREED };

enum { ON_HOST = SV_TRAIT_HOST, ON_DEVICE = SV_TRAIT_CUDA, BOTH = SV_TRAIT_HOST | SV_TRAIT_CUDA };

static void *from_pool(sv_memory kind)
{
    cr_assert_eq(new_pool(kind, 0, 0, 0), SV_OK, "%s", sv_last_message());
    cr_assert_eq(allocate_in_order(), SV_OK, "%s", sv_last_message());
    return has.in_order;
}

static void *imported(void)
{
    cr_assert(allocate_device() == SV_OK && ipc_export() == SV_OK && ipc_open() == SV_OK);
    return has.mapping;
}

static void *get(enum source source)
{
    static char cells[BYTES];

    switch (source) {
    case MALLOC:
        return cells;
    case REGISTERED:
        cr_assert_eq(svi_cuda_api.register_host(pages, PAGE, cudaHostRegisterMapped), cudaSuccess);
        return pages;
    case POOL:
        return from_pool(SV_MEMORY_DEVICE);
    case HOST_POOL:
        return from_pool(SV_MEMORY_PINNED);
    case MANAGED_POOL:
        return from_pool(SV_MEMORY_MANAGED);
    case IMPORTED:
        return imported();
    default:
        cr_assert_eq(allocate(source == PINNED    ? SV_MEMORY_PINNED
                              : source == MANAGED ? SV_MEMORY_MANAGED
                                                  : SV_MEMORY_DEVICE), SV_OK);
        if (source == FREED)
            cr_assert_eq(free_block(), SV_OK);
        return has.block;
    }
}

static void give_back(enum source source)
{
    if (source == REGISTERED)
        cr_assert_eq(svi_cuda_api.unregister_host(pages), cudaSuccess);
    if (source == IMPORTED)
        cr_assert_eq(ipc_close(), SV_OK);
    if (source == POOL || source == HOST_POOL || source == MANAGED_POOL)
        cr_assert(free_in_order() == SV_OK && end_pool() == SV_OK);
    if (source == IMPORTED || source == DEVICE_MEMORY || source == PINNED || source == MANAGED)
        cr_assert_eq(free_block(), SV_OK);
}

/* An address is the one that is asked about (S), another one (O), or none (N). */
static char compare(const void *address, const void *asked)
{
    return address == asked ? 'S' : address == NULL ? 'N' : 'O';
}

/* How pools on the host are told is not settled: both ways are understood. */
Test(cuda_pointer, kinds_of_memory)
{
    static const struct {
        const char *name;
        enum source source;
        bool hmm, apart, vague; /* pageable memory is read; registered memory has two addresses; vague_pools */
        sv_memory kind;
        uint32_t traits;
        int32_t id;
        char on_device, on_host;
    } cases[] = {
        {"malloc", MALLOC, false, false, false, SV_MEMORY_HOST, ON_HOST, 0, 'N', 'S'},
        {"malloc under HMM or ATS", MALLOC, true, false, false, SV_MEMORY_HOST, BOTH, 0, 'S', 'S'},
        {"freed", FREED, false, false, false, SV_MEMORY_HOST, ON_HOST, 0, 'N', 'S'},
        {"pinned", PINNED, false, false, false, SV_MEMORY_PINNED, BOTH, DEVICE, 'S', 'S'},
        {"registered", REGISTERED, false, false, false, SV_MEMORY_PINNED, BOTH, 0, 'S', 'S'},
        {"registered, with two addresses", REGISTERED, false, true, false, SV_MEMORY_PINNED,
         BOTH | SV_TRAIT_REGISTERED, 0, 'O', 'S'},
        {"device", DEVICE_MEMORY, false, false, false, SV_MEMORY_DEVICE, ON_DEVICE, DEVICE, 'S', 'N'},
        {"device, under HMM", DEVICE_MEMORY, true, false, false, SV_MEMORY_DEVICE, ON_DEVICE, DEVICE, 'S', 'N'},
        {"imported", IMPORTED, false, false, false, SV_MEMORY_DEVICE, ON_DEVICE, DEVICE, 'S', 'N'},
        {"pool", POOL, false, false, false, SV_MEMORY_DEVICE, ON_DEVICE | SV_TRAIT_ORDERED, DEVICE, 'S', 'N'},
        {"pool on the host", HOST_POOL, false, false, false, SV_MEMORY_PINNED, BOTH | SV_TRAIT_ORDERED, DEVICE, 'S',
         'S'},
        {"pool on the host, told as a device's", HOST_POOL, false, false, true, SV_MEMORY_PINNED,
         BOTH | SV_TRAIT_ORDERED, DEVICE, 'S', 'S'},
        {"managed", MANAGED, false, false, false, SV_MEMORY_MANAGED, BOTH | SV_TRAIT_MANAGED, DEVICE, 'S', 'S'},
        {"managed pool", MANAGED_POOL, false, false, false, SV_MEMORY_MANAGED,
         BOTH | SV_TRAIT_MANAGED | SV_TRAIT_ORDERED, DEVICE, 'S', 'S'},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fake_settings settings = {.policy = FAKE_LAZY, .vague_pools = cases[i].vague};
        sv_memory kind = -1;
        uint32_t traits = 0;
        int32_t id = -1;
        void *device_address = NULL, *host_address = NULL, *address;

        fake_start_with(&settings);
        start_operations();
        fake_set_attribute(-1, cudaDevAttrPageableMemoryAccess, cases[i].hmm);
        fake_set_attribute(-1, cudaDevAttrCanUseHostPointerForRegisteredMem, !cases[i].apart);
        address = get(cases[i].source);
        cr_expect_eq(sv_pointer_query(address, &kind, &traits, &id, &device_address, &host_address), SV_OK, "%s: %s",
                     cases[i].name, sv_last_message());
        cr_expect_eq(kind, cases[i].kind, "%s: %d", cases[i].name, (int)kind);
        cr_expect_eq(traits, cases[i].traits, "%s: %x", cases[i].name, traits);
        cr_expect_eq(id, cases[i].id, "%s: %d", cases[i].name, (int)id);
        cr_expect_eq(compare(device_address, address), cases[i].on_device, "%s", cases[i].name);
        cr_expect_eq(compare(host_address, address), cases[i].on_host, "%s", cases[i].name);
        give_back(cases[i].source);
        end_operations();
        expect_silence();
    }
}

/* One device that does not read pageable memory is enough: the address is not for all. */
Test(cuda_pointer, pageable_access_is_that_of_all_devices)
{
    for (int without = -1; without < 2; without++) {
        sv_memory kind = -1;
        uint32_t traits = 0;
        void *address = NULL;

        fake_set_attribute(-1, cudaDevAttrPageableMemoryAccess, 1);
        if (without >= 0)
            fake_set_attribute(without, cudaDevAttrPageableMemoryAccess, 0);
        cr_expect_eq(sv_pointer_query(&traits, &kind, &traits, NULL, &address, NULL), SV_OK);
        cr_expect_eq(traits, without < 0 ? BOTH : ON_HOST, "%d", without);
        cr_expect_eq(address, without < 0 ? &traits : NULL, "%d", without);
    }
    expect_silence();
}

/* As runtimes before 11.0 say it, whose error stays pending. */
Test(cuda_pointer, an_error_means_ordinary_memory_too)
{
    struct svi_pointer found;

    fake_fail_call(FAKE_CALL(pointer), 1, cudaErrorInvalidValue);
    cr_expect_eq(OPS->query(&found, &found), SV_OK);
    cr_expect(fake_seen_failing(FAKE_CALL(pointer)) && found.kind == SV_MEMORY_HOST && found.host_address == &found);
    fake_fail_call(FAKE_CALL(pointer), 1, cudaErrorIllegalAddress);
    cr_expect_eq(OPS->query(&found, &found), SV_ERROR_CUDA);
    expect_silence();
}

/* With a driver that does not tell, memory of pools is not told from other. */
Test(cuda_pointer, pools_are_told_if_the_driver_can)
{
    static const int calls[] = {FAKE_CALL(driver_entry), FAKE_POINTER_ATTRIBUTE};

    start_operations();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct svi_pointer found;

        from_pool(SV_MEMORY_DEVICE);
        fake_fail_call(calls[i], 1, cudaErrorUnknown);
        cr_expect_eq(OPS->query(has.in_order, &found), SV_OK);
        cr_expect(found.kind == SV_MEMORY_DEVICE && found.traits == ON_DEVICE && found.device.id == DEVICE);
        give_back(POOL);
    }
    end_operations();
    expect_silence();
}

/* The driver is looked for once. */
Test(cuda_pointer, without_a_driver_all_memory_is_the_hosts)
{
    const struct fake_settings settings = {.counting = cudaErrorInsufficientDriver, .driver = FAKE_NO_DRIVER};

    fake_start_with(&settings);
    for (int i = 0; i < 3; i++) {
        sv_memory kind = -1;
        uint32_t traits = 0;
        void *device_address = &kind, *host_address = NULL;

        cr_expect_eq(sv_pointer_query(&kind, &kind, &traits, NULL, &device_address, &host_address), SV_OK);
        cr_expect(kind == SV_MEMORY_HOST && traits == ON_HOST && device_address == NULL && host_address == &kind);
    }
    cr_expect_eq(fake_count(FAKE_CALL(device_count)), 1);
    cr_expect_eq(fake_count(FAKE_CALL(pointer)), 0);
    expect_silence();
}

/* --- devices ---------------------------------------------------------------------------- */

enum { BEFORE = 256 << 20 /* what the fake device has */ };

Test(cuda_pointer, properties_are_those_of_the_device)
{
    static const struct {
        int32_t property;
        int attribute; /* 0: none alone */
        int64_t expected;
    } cases[] = {
        {SV_PROPERTY_MEMORY_TOTAL, 0, BEFORE},
        {SV_PROPERTY_PAGEABLE_ACCESS, cudaDevAttrPageableMemoryAccess, 7},
        {SV_PROPERTY_CONCURRENT_MANAGED, cudaDevAttrConcurrentManagedAccess, 7},
        {SV_PROPERTY_POOLS, cudaDevAttrMemoryPoolsSupported, 7},
        {SV_PROPERTY_HOST_POOLS, cudaDevAttrHostMemoryPoolsSupported, 7},
        {SV_PROPERTY_MANAGED_POOLS, cudaDevAttrConcurrentManagedAccess, 1},
        {SV_PROPERTY_IPC, cudaDevAttrIpcEventSupport, 7},
        {SV_PROPERTY_COMPUTE_CAPABILITY, cudaDevAttrComputeCapabilityMajor, 70},
        {SV_PROPERTY_MULTIPROCESSORS, cudaDevAttrMultiProcessorCount, 7},
    };

    fake_set_attribute(DEVICE, cudaDevAttrComputeCapabilityMinor, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -1;

        fake_set_attribute(0, (enum cudaDeviceAttr)cases[i].attribute, 0);
        fake_set_attribute(DEVICE, (enum cudaDeviceAttr)cases[i].attribute, 7);
        cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, DEVICE, cases[i].property, &value), SV_OK, "%s",
                     sv_last_message());
        cr_expect_eq(value, cases[i].expected, "%d: %lld", (int)cases[i].property, (long long)value);
    }
    expect_silence();
}

Test(cuda_pointer, free_memory_is_that_of_the_device)
{
    int64_t value = -1;

    start_operations();
    cr_assert_eq(allocate_device(), SV_OK);
    for (int32_t id = 0; id < 2; id++) {
        cr_expect_eq(sv_device_property(SV_DEVICE_CUDA_MANAGED, id, SV_PROPERTY_MEMORY_FREE, &value), SV_OK);
        cr_expect(id == DEVICE ? value < BEFORE : value == BEFORE, "%d: %lld", (int)id, (long long)value);
    }
    give_back(DEVICE_MEMORY);
    end_operations();
    expect_silence();
}

Test(cuda_pointer, properties_that_a_device_has_not)
{
    const struct fake_settings old = {.driver = 12090};
    int64_t value = 5;

    cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 2, SV_PROPERTY_POOLS, &value), SV_ERROR_DEVICE);
    cr_expect_str_eq(sv_last_message(), "asking what a device has: cudaErrorInvalidDevice (101), invalid device "
                                        "ordinal");
    cr_expect_eq(value, 5);
    fake_fail_call(FAKE_CALL(attribute), 1, cudaErrorInvalidValue); /* a driver that has not heard of it */
    cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 0, SV_PROPERTY_HOST_POOLS, &value), SV_OK);
    cr_expect_eq(value, 0);
    fake_fail_call(FAKE_CALL(attribute), 1, cudaErrorInvalidValue); /* one that is older than any */
    cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 0, SV_PROPERTY_POOLS, &value), SV_ERROR_CUDA);
    fake_start_with(&old);
    value = 5;
    cr_expect_eq(sv_device_property(SV_DEVICE_CUDA, 0, SV_PROPERTY_MANAGED_POOLS, &value), SV_OK);
    cr_expect_eq(value, 0);
    expect_silence();
}

/* --- what is not there says so ------------------------------------------------------------ */

static sv_status discard_on_legacy(void)
{
    return discard_on(0);
}

Test(cuda_pointer, what_is_unsupported_says_why)
{
    static const struct {
        sv_status (*run)(void);
        int missing; /* attribute; 0: functions of the driver */
        const char *words;
    } cases[] = {
        {new_device_pool, cudaDevAttrMemoryPoolsSupported, "device 1 and its driver have no pools of device memory"},
        {new_pinned_pool, cudaDevAttrHostMemoryPoolsSupported, "device 1 and its driver have no pools of pinned memory"},
        {new_managed_pool, cudaDevAttrConcurrentManagedAccess,
         "device 1 and its driver have no pools of managed memory"},
        {default_device_pool, cudaDevAttrMemoryPoolsSupported,
         "device 1 and its driver have no pools of device memory"},
        {default_pinned_pool, 0, "the driver has no default pool of pinned memory: it is older than 13.0"},
        {default_managed_pool, 0, "device 1 and its driver have no pools of managed memory"},
        {prefetch_all, cudaDevAttrConcurrentManagedAccess, "device 1 moves managed memory only as a whole"},
        {discard, cudaDevAttrConcurrentManagedAccess, "device 1 moves managed memory only as a whole"},
        {discard, 0, "the driver cannot discard memory: it is older than 13.0"},
        {discard_on_legacy, cudaDevAttrPageableMemoryAccess,
         "the driver discards memory on every stream but the legacy default one"},
        {advise, cudaDevAttrConcurrentManagedAccess, "device 1 moves managed memory only as a whole"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fake_settings settings = {.driver = cases[i].missing == 0 ? 12090 : 0};

        fake_start_with(&settings);
        start_operations();
        fake_reset();
        if (cases[i].missing != 0)
            fake_set_attribute(-1, (enum cudaDeviceAttr)cases[i].missing, 0);
        cr_expect_eq(cases[i].run(), SV_ERROR_UNSUPPORTED, "%s", cases[i].words);
        cr_expect_str_eq(sv_last_message(), cases[i].words);
        cr_expect_str_eq(fake_log(), "", "%s: %s", cases[i].words, fake_log());
        end_operations();
        expect_silence();
    }
}

/* Without the driver's call for many parts, or where it refuses, they are prefetched one by one. */
Test(cuda_pointer, parts_are_prefetched_one_by_one_where_need_be)
{
    static const char one_by_one[] = "1:prefetch 16 to 1 s1; 1:prefetch 32 to 1 s1; ";
    const struct fake_settings old = {.driver = 12090};

    start_operations();
    fake_reset();
    fake_fail_call(FAKE_PREFETCH_BATCH, 1, cudaErrorNotSupported);
    cr_expect_eq(prefetch_all(), SV_OK);
    cr_expect_str_eq(strstr(fake_log(), "; ") + 2, one_by_one, "%s", fake_log());
    fake_reset();
    cr_expect_eq(prefetch(2, device_1, 0), SV_OK);
    cr_expect_str_eq(fake_log(), "1:prefetch 16 to 1 legacy; 1:prefetch 32 to 1 legacy; ", "%s", fake_log());
    end_operations();
    expect_silence();
    fake_start_with(&old);
    start_operations();
    fake_reset();
    cr_expect_eq(prefetch_all(), SV_OK);
    cr_expect_str_eq(fake_log(), one_by_one, "%s", fake_log());
    end_operations();
    expect_silence();
}

/* Functions of the driver leave no error with the runtime, where another one may be pending. */
Test(cuda_pointer, errors_of_the_driver_take_none_of_the_runtimes)
{
    static const struct {
        sv_status (*run)(void);
        int call;
        const char *words;
    } cases[] = {
        {prefetch_all, FAKE_PREFETCH_BATCH, "prefetching managed memory"},
        {discard, FAKE_DISCARD_TO_BATCH, "discarding managed memory"},
        {default_pinned_pool, FAKE_DEFAULT_POOL, "asking for a default pool"},
    };
    int device;

    start_operations();
    fake_fail_call(FAKE_CALL(get_device), 1, cudaErrorInvalidConfiguration);
    svi_cuda_api.get_device(&device);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[120];

        fake_fail_call(cases[i].call, 1, cudaErrorInvalidValue);
        cr_expect_eq(cases[i].run(), SV_ERROR_CUDA);
        snprintf(words, sizeof words, "%s: cudaErrorInvalidValue (1), invalid argument", cases[i].words);
        cr_expect_str_eq(sv_last_message(), words);
        cr_expect_eq(fake_pending(), cudaErrorInvalidConfiguration, "%s", words);
    }
    svi_cuda_api.last_error();
    end_operations();
    expect_silence();
}

/* --- pages, events, pools, other processes --------------------------------------------------- */

Test(cuda_pointer, pages_that_are_locked_already_are_told)
{
    void *address = NULL;
    char expected[240];

    cr_assert_eq(OPS->enroll(pages, 2 * PAGE, &address), SV_OK);
    address = NULL;
    cr_expect_eq(OPS->enroll(pages + PAGE, 2 * PAGE, &address), SV_ERROR_BLOCKED);
    snprintf(expected, sizeof expected, "page-locking 8192 bytes at %p, of which some are page-locked already: "
             "cudaErrorHostMemoryAlreadyRegistered (712), part or all of the requested memory range is already mapped",
             (void *)(pages + PAGE));
    cr_expect_str_eq(sv_last_message(), expected);
    cr_expect_null(address);
    cr_expect_eq(OPS->withdraw(pages), SV_OK);
    cr_expect_neq(OPS->withdraw(pages), SV_OK);
    expect_silence();
}

Test(cuda_pointer, locked_pages_have_an_address_for_devices)
{
    void *address = NULL;

    fake_set_attribute(-1, cudaDevAttrCanUseHostPointerForRegisteredMem, 0);
    cr_assert_eq(OPS->enroll(pages, PAGE, &address), SV_OK);
    cr_expect(address != NULL && address != pages);
    cr_expect_eq(OPS->withdraw(pages), SV_OK);
    expect_silence();
}

/* The event has come when the work before it is done, and no work has to be done for asking. */
Test(cuda_pointer, events_that_have_not_come)
{
    bool done = true;

    start_operations();
    cr_assert(allocate_device() == SV_OK && set() == SV_OK && record_use() == SV_OK);
    cr_expect(OPS->is_done(has.event, &done) == SV_OK && !done);
    cr_expect_eq(fake_pending(), cudaSuccess);
    cr_expect_eq(OPS->wait(has.event), SV_OK);
    cr_expect(OPS->is_done(has.event, &done) == SV_OK && done);
    end_event();
    cr_expect_eq(free_block(), SV_OK);
    end_operations();
    expect_silence();
}

/* A free behind the event of another stream's use is no race; without that it is one. */
Test(cuda_pointer, a_stream_waits_for_the_use_of_another)
{
    for (int ordered = 0; ordered < 2; ordered++) {
        cudaStream_t user;

        fake_start(FAKE_LAZY, 1);
        start_operations();
        user = fake_new_stream(DEVICE, cudaStreamNonBlocking);
        from_pool(SV_MEMORY_DEVICE);
        cr_assert_eq(record_use(), SV_OK);
        cr_assert_eq(OPS->order(DEVICE, (uintptr_t)user, has.event), SV_OK);
        end_event();
        cr_assert_eq(OPS->set(DEVICE, has.in_order, 3, BYTES, (uintptr_t)user), SV_OK);
        cr_assert_eq(OPS->record(DEVICE, (uintptr_t)user, &has.event), SV_OK);
        if (ordered)
            cr_assert_eq(order(), SV_OK);
        end_event();
        give_back(POOL);
        fake_end_stream(user);
        end_operations();
        cr_expect_eq(strcmp(fake_end(), "") == 0, ordered, "%s", fake_text());
        fake_forgive();
    }
}

/* A limit holds, and memory that was reserved is there again. */
Test(cuda_pointer, pools_have_a_limit)
{
    void *block = NULL;

    start_operations();
    cr_assert_eq(new_device_pool(), SV_OK);
    cr_expect_eq(OPS->allocate_from_pool(DEVICE, has.pool, 65537, has.stream, &block), SV_ERROR_MEMORY);
    cr_expect_null(block);
    cr_expect_eq(end_pool(), SV_OK);
    cr_expect_eq(new_pool(SV_MEMORY_DEVICE, 65537, 0, 65536), SV_ERROR_MEMORY);
    end_operations();
    expect_silence();
}

Test(cuda_pointer, devices_and_memory_have_handles)
{
    unsigned char uuid[SVI_UUID] = {0}, expected[SVI_UUID];
    char from[] = "written there", to[sizeof from] = "";

    memset(expected, 0x10 + DEVICE, sizeof expected);
    cr_expect_eq(OPS->identify(DEVICE, uuid), SV_OK);
    cr_expect_arr_eq(uuid, expected, SVI_UUID);
    start_operations();
    imported();
    cr_expect_eq(opened_nbytes, BYTES);
    fake_write(has.block, from, sizeof from);
    fake_read(to, has.mapping, sizeof to);
    cr_expect_str_eq(to, from);
    give_back(IMPORTED);
    end_operations();
    expect_silence();
}

/* Handles of memory from a pool, and of what is no allocation, are refused; a process does not open its own. */
Test(cuda_pointer, what_cannot_be_shared)
{
    start_operations();
    from_pool(SV_MEMORY_DEVICE);
    cr_expect_eq(OPS->ipc_export(DEVICE, has.in_order, handle), SV_ERROR_CUDA);
    give_back(POOL);
    cr_expect_eq(OPS->ipc_export(DEVICE, pages, handle), SV_ERROR_CUDA);
    cr_assert(allocate_device() == SV_OK && ipc_export() == SV_OK);
    cr_expect_eq(OPS->ipc_open(DEVICE, handle, &has.mapping, &opened_nbytes), SV_ERROR_CUDA);
    cr_expect_null(has.mapping);
    give_back(DEVICE_MEMORY);
    end_operations();
    expect_silence();
}
