/* The fake runtime's own tests: memory of every kind, what is said of its addresses, who may touch it, what is left. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/fake.h"

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
}

TestSuite(fake_memory, .init = start);

/* The end finds what the text says. */
static void expect_fault(const char *text)
{
    const char *said = fake_end();

    cr_expect_not_null(strstr(said, text), "not \"%s\": %s", text, said);
}

static void expect_silence(void)
{
    const char *said = fake_end();

    cr_expect_str_eq(said, "", "%s", said);
}

/* --- kinds ---------------------------------------------------------------------- */

enum kind { MALLOC, DEVICE, PINNED, MANAGED, REGISTERED, POOL, HOST_POOL, MANAGED_POOL, KINDS };

static const char *const names[KINDS] = {"malloc", "device", "pinned", "managed", "registered", "pool", "host pool",
                                         "managed pool"};

enum { NBYTES = 3 * 4096 };

static cudaMemPool_t pool;

static void make_pool(enum kind kind)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned};

    properties.location.type = kind == HOST_POOL ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
#if CUDART_VERSION >= 13000
    if (kind == MANAGED_POOL)
        properties.allocType = cudaMemAllocationTypeManaged;
#endif
    cr_assert_eq(svi_cuda_api.new_pool(&pool, &properties), cudaSuccess);
}

static void *allocate(enum kind kind)
{
    void *out = NULL;
    cudaError_t error = cudaSuccess;

    switch (kind) {
    case MALLOC:
    case REGISTERED:
        out = malloc(NBYTES);
        if (kind == REGISTERED)
            error = svi_cuda_api.register_host(out, NBYTES, cudaHostRegisterPortable);
        break;
    case DEVICE:
        error = svi_cuda_api.allocate(&out, NBYTES);
        break;
    case PINNED:
        error = svi_cuda_api.allocate_host(&out, NBYTES, cudaHostAllocPortable);
        break;
    case MANAGED:
        error = svi_cuda_api.allocate_managed(&out, NBYTES, cudaMemAttachGlobal);
        break;
    default:
        make_pool(kind);
        error = svi_cuda_api.allocate_from_pool(&out, NBYTES, pool, cudaStreamLegacy);
        cr_assert_eq(svi_cuda_api.synchronize(cudaStreamLegacy), cudaSuccess);
    }
    cr_assert_eq(error, cudaSuccess, "%s: %d", names[kind], (int)error);
    cr_assert_not_null(out);
    return out;
}

static void release(enum kind kind, void *memory)
{
    cudaError_t error = cudaSuccess;

    switch (kind) {
    case MALLOC:
    case REGISTERED:
        if (kind == REGISTERED)
            error = svi_cuda_api.unregister_host(memory);
        free(memory);
        break;
    case DEVICE:
    case MANAGED:
        error = svi_cuda_api.release(memory);
        break;
    case PINNED:
        error = svi_cuda_api.release_host(memory);
        break;
    default:
        error = svi_cuda_api.release_async(memory, cudaStreamLegacy);
        cr_assert_eq(svi_cuda_api.synchronize(cudaStreamLegacy), cudaSuccess);
        cr_assert_eq(svi_cuda_api.end_pool(pool), cudaSuccess);
    }
    cr_assert_eq(error, cudaSuccess, "%s: %d", names[kind], (int)error);
}

static bool has_managed_pools(void)
{
    return CUDART_VERSION >= 13000;
}

Test(fake_memory, every_kind_begins_and_ends)
{
    for (enum kind kind = MALLOC; kind < KINDS; kind++)
        for (int used = 0; used < 2 && (kind < HOST_POOL || has_managed_pools()); used++) {
            char from[16] = "sixteen letters", to[16] = "";
            void *memory = allocate(kind);

            cr_expect_eq(fake_live_memory(), kind != MALLOC, "%s", names[kind]);
            if (used) {
                fake_write(memory, from, sizeof from);
                fake_read(to, memory, sizeof to);
                cr_expect_str_eq(to, from, "%s", names[kind]);
            }
            release(kind, memory);
            cr_expect_eq(fake_live_memory(), 0, "%s", names[kind]);
        }
    expect_silence();
}

/* --- addresses --------------------------------------------------------------------- */

/* The device address is the address itself (S), another one (O) or none (N); the same for the host. */
static const struct {
    enum kind kind;
    bool hmm, apart, vague;
    enum cudaMemoryType type;
    char device, host;
} addresses[] = {
    {MALLOC, false, false, false, cudaMemoryTypeUnregistered, 'N', 'S'},
    {MALLOC, true, false, false, cudaMemoryTypeUnregistered, 'S', 'S'},
    {DEVICE, false, false, false, cudaMemoryTypeDevice, 'S', 'N'},
    {PINNED, false, false, false, cudaMemoryTypeHost, 'S', 'S'},
    {MANAGED, false, false, false, cudaMemoryTypeManaged, 'S', 'S'},
    {REGISTERED, false, false, false, cudaMemoryTypeHost, 'S', 'S'},
    {REGISTERED, false, true, false, cudaMemoryTypeHost, 'O', 'S'},
    {REGISTERED, true, false, false, cudaMemoryTypeHost, 'S', 'S'},
    {POOL, false, false, false, cudaMemoryTypeDevice, 'S', 'N'},
    {HOST_POOL, false, false, false, cudaMemoryTypeHost, 'S', 'S'},
    {HOST_POOL, false, false, true, cudaMemoryTypeDevice, 'S', 'N'},
    {MANAGED_POOL, false, false, false, cudaMemoryTypeManaged, 'S', 'S'},
};

static char which(const void *found, const void *asked)
{
    return found == asked ? 'S' : found == NULL ? 'N' : 'O';
}

Test(fake_memory, pointer_attributes)
{
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        const struct fake_settings settings = {.policy = FAKE_LAZY, .vague_pools = addresses[i].vague};
        struct cudaPointerAttributes found;
        char *memory;

        if (addresses[i].kind >= HOST_POOL && !has_managed_pools())
            continue;
        fake_start_with(&settings);
        fake_set_attribute(-1, cudaDevAttrPageableMemoryAccess, addresses[i].hmm);
        fake_set_attribute(-1, cudaDevAttrCanUseHostPointerForRegisteredMem, !addresses[i].apart);
        memory = allocate(addresses[i].kind);
        for (int at = 0; at < NBYTES; at += NBYTES - 1) {
            cr_assert_eq(svi_cuda_api.pointer(&found, memory + at), cudaSuccess);
            cr_expect_eq(found.type, addresses[i].type, "row %zu: %d", i, (int)found.type);
            cr_expect_eq(which(found.devicePointer, memory + at), addresses[i].device, "row %zu", i);
            cr_expect_eq(which(found.hostPointer, memory + at), addresses[i].host, "row %zu", i);
        }
        release(addresses[i].kind, memory);
        if (addresses[i].kind != MALLOC && addresses[i].kind != REGISTERED) {
            cr_assert_eq(svi_cuda_api.pointer(&found, memory), cudaSuccess);
            cr_expect_eq(found.type, cudaMemoryTypeUnregistered, "row %zu: freed", i);
        }
        expect_silence();
    }
}

/* The address for devices of registered memory has the same bytes, and its attributes tell both. */
Test(fake_memory, two_addresses_of_registered_memory)
{
    struct cudaPointerAttributes found, back;
    cudaStream_t s = fake_new_stream(0, cudaStreamDefault);
    char *memory = malloc(NBYTES), *device = fake_allocate(cudaMemoryTypeDevice, 0, 8), there[8] = "";

    fake_set_attribute(-1, cudaDevAttrCanUseHostPointerForRegisteredMem, 0);
    cr_assert_eq(svi_cuda_api.register_host(memory, NBYTES, 0), cudaSuccess);
    cr_assert_eq(svi_cuda_api.pointer(&found, memory + 5), cudaSuccess);
    cr_assert_eq(svi_cuda_api.pointer(&back, found.devicePointer), cudaSuccess);
    cr_expect_eq(back.hostPointer, memory + 5);
    cr_expect_eq(back.type, cudaMemoryTypeHost);
    memcpy(memory + 5, "eight b", 8);
    cr_expect_eq(svi_cuda_api.copy(device, found.devicePointer, 8, cudaMemcpyDefault, s), cudaSuccess);
    fake_read(there, device, 8);
    cr_expect_str_eq(there, "eight b");
    cr_expect_eq(svi_cuda_api.synchronize(s), cudaSuccess);
    cr_expect_eq(svi_cuda_api.unregister_host(memory), cudaSuccess);
    free(memory);
    fake_free(device);
    fake_end_stream(s);
    expect_silence();
}

Test(fake_memory, alignment_is_what_is_promised)
{
    for (enum kind kind = DEVICE; kind <= POOL; kind++) {
        const uintptr_t aligned = kind == PINNED ? 4096 : kind == REGISTERED ? 1 : 256;
        void *memory = allocate(kind);

        cr_expect_eq((uintptr_t)memory % aligned, 0, "%s", names[kind]);
        if (aligned == 256)
            cr_expect_neq((uintptr_t)memory % 512, 0, "%s", names[kind]);
        release(kind, memory);
    }
    expect_silence();
}

/* --- who may touch it ----------------------------------------------------------------- */

#define NEEDS_PAGES                                                                                                  \
    if (!fake_protects()) {                                                                                          \
        fprintf(stderr, "skipped: page protection does not work here\n");                                            \
        return;                                                                                                      \
    }

static char read_byte(const volatile char *p)
{
    return *p;
}

static void write_byte(volatile char *p)
{
    *p = 1;
}

Test(fake_memory, the_host_has_no_device_memory)
{
    NEEDS_PAGES
    for (enum kind kind = MALLOC; kind < KINDS; kind++) {
        const bool foreign = kind == DEVICE || kind == POOL;
        char *memory;

        if (kind >= HOST_POOL && !has_managed_pools())
            continue;
        fake_start(FAKE_LAZY, 1);
        memory = allocate(kind);
        write_byte(memory);
        cr_expect_eq(fake_faults(), foreign, "%s: %s", names[kind], fake_text());
        read_byte(memory + NBYTES - 1);
        cr_expect_eq(fake_faults(), 2 * foreign, "%s: %s", names[kind], fake_text());
        release(kind, memory);
        fake_end();
    }
}

/* Not by policy: what counts is whether the host has waited. */
Test(fake_memory, the_host_waits_before_it_touches)
{
    static const enum kind kinds[] = {PINNED, REGISTERED, MANAGED};

    NEEDS_PAGES
    for (int i = 0; i < 3 * FAKE_POLICIES * 2; i++) {
        const enum kind kind = kinds[i % 3];
        const bool reads = i / 3 % 2 == 1; /* the operation does */
        cudaStream_t s;
        char *memory, *device;
        size_t page;

        fake_start((enum fake_policy)(i / 6), 1);
        s = fake_new_stream(0, cudaStreamNonBlocking);
        memory = allocate(kind);
        device = fake_allocate(cudaMemoryTypeDevice, 0, NBYTES);
        page = ((uintptr_t)memory + 8191) / 4096 * 4096 - (uintptr_t)memory; /* a whole page behind the first byte */
        if (reads)
            cr_assert_eq(svi_cuda_api.copy(device, memory + page, 1, cudaMemcpyDefault, s), cudaSuccess);
        else
            cr_assert_eq(svi_cuda_api.copy(memory + page, device, 1, cudaMemcpyDefault, s), cudaSuccess);
        read_byte(memory + page);
        cr_expect_eq(fake_faults(), !reads, "%s: %s", names[kind], fake_text());
        write_byte(memory + page);
        cr_expect_eq(fake_faults(), 1, "%s: %s", names[kind], fake_text());
        fake_forgive();
        cr_expect_eq(svi_cuda_api.synchronize(s), cudaSuccess);
        write_byte(memory + page);
        release(kind, memory);
        fake_free(device);
        fake_end_stream(s);
        expect_silence();
    }
}

Test(fake_memory, freed_memory_is_nobodys)
{
    char *memory = allocate(PINNED);

    NEEDS_PAGES
    release(PINNED, memory);
    read_byte(memory);
    expect_fault("the host touches pinned memory at +0 that was freed");
}

Test(fake_memory, what_lies_behind_is_nobodys)
{
    char *memory = allocate(PINNED);

    NEEDS_PAGES
    read_byte(memory + NBYTES);
    release(PINNED, memory);
    expect_fault("the host touches what lies around pinned memory");
}

/* --- misuse ------------------------------------------------------------------------------ */

Test(fake_memory, what_is_alive_at_the_end)
{
    static const char *const texts[KINDS] = {"", "device memory is alive: 12288 bytes of device 0",
                                             "pinned memory is alive", "managed memory is alive",
                                             "registered memory is alive", "device memory is alive",
                                             "pinned memory is alive", "managed memory is alive"};

    for (enum kind kind = DEVICE; kind < (has_managed_pools() ? KINDS : HOST_POOL); kind++) {
        void *memory;

        fake_start(FAKE_LAZY, 1);
        memory = allocate(kind);
        expect_fault(texts[kind]);
        if (kind >= POOL)
            expect_fault("a pool of device 0 is alive");
        if (kind == REGISTERED)
            free(memory);
    }
}

Test(fake_memory, freed_twice)
{
    void *memory = allocate(DEVICE);

    release(DEVICE, memory);
    cr_expect_eq(svi_cuda_api.release(memory), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorInvalidValue);
    expect_fault("a release of memory that was freed");
}

Test(fake_memory, freed_from_within_or_as_another_kind)
{
    char *memory = allocate(DEVICE);

    cr_expect_eq(svi_cuda_api.release(memory + 1), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.release_host(memory), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.release_async(memory, NULL), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.unregister_host(memory), cudaErrorHostMemoryNotRegistered);
    svi_cuda_api.last_error();
    cr_expect_eq(fake_faults(), 2, "%s", fake_text());
    release(DEVICE, memory);
}

Test(fake_memory, used_after_it_was_freed)
{
    char *memory = allocate(DEVICE), byte = 0;

    release(DEVICE, memory);
    cr_expect_eq(svi_cuda_api.copy(memory, &byte, 1, cudaMemcpyDefault, NULL), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.set(memory, 0, 1, NULL), cudaErrorInvalidValue);
    svi_cuda_api.last_error();
    expect_fault("memory is used that was freed");
}

Test(fake_memory, bytes_that_leave_an_allocation)
{
    char *memory = allocate(DEVICE), bytes[2] = "";

    cr_expect_eq(svi_cuda_api.copy(memory + NBYTES - 1, bytes, 2, cudaMemcpyDefault, NULL), cudaErrorInvalidValue);
    svi_cuda_api.last_error();
    release(DEVICE, memory);
    expect_fault("2 bytes at +12287 leave an allocation of 12288");
}

Test(fake_memory, pages_are_registered_once)
{
    char *memory = malloc(NBYTES);

    cr_expect_eq(svi_cuda_api.register_host(memory, NBYTES, 0), cudaSuccess);
    cr_expect_eq(svi_cuda_api.register_host(memory + 100, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
    cr_expect_eq(svi_cuda_api.unregister_host(memory + 1), cudaErrorHostMemoryNotRegistered);
    cr_expect_eq(svi_cuda_api.unregister_host(memory), cudaSuccess);
    cr_expect_eq(svi_cuda_api.unregister_host(memory), cudaErrorHostMemoryNotRegistered);
    svi_cuda_api.last_error();
    free(memory);
    expect_silence();
}

/* --- limits ---------------------------------------------------------------------------------- */

Test(fake_memory, a_device_has_so_much)
{
    const struct fake_settings settings = {.device_memory = 10000, .host_memory = 5000};
    void *first = NULL, *second = &first;
    size_t left = 0, total = 0;

    fake_start_with(&settings);
    cr_expect_eq(svi_cuda_api.allocate(&first, 6000), cudaSuccess);
    cr_expect_eq(svi_cuda_api.memory_info(&left, &total), cudaSuccess);
    cr_expect(left == 4000 && total == 10000);
    cr_expect_eq(svi_cuda_api.allocate(&second, 4001), cudaErrorMemoryAllocation);
    cr_expect_eq(second, &first);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorMemoryAllocation);
    cr_expect_eq(svi_cuda_api.allocate_host(&second, 5001, 0), cudaErrorMemoryAllocation);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorMemoryAllocation);
    cr_expect_eq(svi_cuda_api.set_device(1), cudaSuccess);
    cr_expect_eq(svi_cuda_api.allocate(&second, 10000), cudaSuccess);
    cr_expect_eq(svi_cuda_api.release(second), cudaSuccess);
    cr_expect_eq(svi_cuda_api.set_device(0), cudaSuccess);
    cr_expect_eq(svi_cuda_api.release(first), cudaSuccess);
    cr_expect_eq(svi_cuda_api.memory_info(&left, &total), cudaSuccess);
    cr_expect_eq(left, 10000);
    expect_silence();
}

Test(fake_memory, a_pool_has_so_much)
{
    const struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                                .location = {.type = cudaMemLocationTypeDevice, .id = 1},
                                                .maxSize = 1000};
    cudaStream_t s = fake_new_stream(1, cudaStreamNonBlocking), other = fake_new_stream(0, cudaStreamNonBlocking);
    uint64_t high = 0;
    void *first = NULL, *second = NULL;

    cr_expect_eq(svi_cuda_api.new_pool(&pool, &properties), cudaSuccess);
    cr_expect_eq(svi_cuda_api.allocate_from_pool(&first, 800, pool, other), cudaSuccess); /* of another device */
    cr_expect_eq(svi_cuda_api.release_async(first, other), cudaSuccess);
    cr_expect_eq(svi_cuda_api.synchronize(other), cudaSuccess);
    cr_expect_eq(svi_cuda_api.allocate_from_pool(&first, 800, pool, s), cudaSuccess);
    cr_expect_eq(svi_cuda_api.allocate_from_pool(&second, 201, pool, s), cudaErrorMemoryAllocation);
    svi_cuda_api.last_error();
    cr_expect_eq(svi_cuda_api.release_async(first, s), cudaSuccess);
    cr_expect_eq(svi_cuda_api.synchronize(s), cudaSuccess);
    cr_expect_eq(svi_cuda_api.allocate_from_pool(&second, 900, pool, s), cudaSuccess);
    cr_expect_eq(svi_cuda_api.release(second), cudaSuccess); /* this waits */
    cr_expect_eq(svi_cuda_api.get_pool(pool, cudaMemPoolAttrUsedMemHigh, &high), cudaSuccess);
    cr_expect_eq(high, 900);
    cr_expect_eq(svi_cuda_api.end_pool(pool), cudaSuccess);
    fake_end_stream(s);
    fake_end_stream(other);
    expect_silence();
}

/* --- other processes ------------------------------------------------------------------------------ */

Test(fake_memory, handles_for_other_processes)
{
    char *memory = allocate(DEVICE), bytes[8] = "";
    cudaIpcMemHandle_t handle;
    void *opened = NULL;

    cr_expect_eq(svi_cuda_api.ipc_get(&handle, memory), cudaSuccess);
    cr_expect_eq(svi_cuda_api.ipc_open(&opened, handle, cudaIpcMemLazyEnablePeerAccess), cudaErrorDeviceUninitialized);
    svi_cuda_api.last_error();
    fake_be_another_process(true);
    cr_assert_eq(svi_cuda_api.ipc_open(&opened, handle, cudaIpcMemLazyEnablePeerAccess), cudaSuccess);
    cr_expect_neq(opened, (void *)memory);
    fake_write(memory, "7 bytes", 8);
    fake_read(bytes, opened, 8);
    cr_expect_str_eq(bytes, "7 bytes");
    cr_expect_eq(svi_cuda_api.ipc_close(opened), cudaSuccess);
    cr_expect_eq(svi_cuda_api.ipc_close(opened), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorInvalidValue);
    fake_forgive();
    handle.reserved[0] ^= 1;
    cr_expect_eq(svi_cuda_api.ipc_open(&opened, handle, cudaIpcMemLazyEnablePeerAccess), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.last_error(), cudaErrorInvalidValue);
    release(DEVICE, memory);
    expect_silence();
}

Test(fake_memory, no_handles_of_other_memory)
{
    for (enum kind kind = MALLOC; kind < KINDS; kind++) {
        cudaIpcMemHandle_t handle;
        void *memory;

        if (kind == DEVICE || (kind >= HOST_POOL && !has_managed_pools()))
            continue;
        memory = allocate(kind);
        cr_expect_eq(svi_cuda_api.ipc_get(&handle, memory), cudaErrorInvalidValue, "%s", names[kind]);
        svi_cuda_api.last_error();
        release(kind, memory);
    }
    expect_silence();
}
