/* The fake runtime's own tests: hints for managed memory, and which device's kernels reach which memory. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda/driver.h"
#include "gpu/launch.h"
#include "fake/fake.h"

enum { NBYTES = 3 * 4096 };

static cudaStream_t streams[2];
static char *managed;

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
    for (int i = 0; i < 2; i++)
        streams[i] = fake_new_stream(0, cudaStreamNonBlocking);
    managed = fake_allocate(cudaMemoryTypeManaged, 0, NBYTES);
}

static const char *end(void)
{
    svi_cuda_api.last_error();
    fake_free(managed);
    fake_end_stream(streams[0]);
    fake_end_stream(streams[1]);
    return fake_end();
}

TestSuite(fake_managed, .init = start);

static struct cudaMemLocation device(int id)
{
    return (struct cudaMemLocation){.type = cudaMemLocationTypeDevice, .id = id};
}

static const struct cudaMemLocation to_host = {.type = cudaMemLocationTypeHost};

static cudaError_t prefetch(const void *memory, size_t nbytes, struct cudaMemLocation place)
{
    return svi_cuda_api.prefetch(memory, nbytes, place, 0, streams[0]);
}

static cudaError_t advise(const void *memory, size_t nbytes, struct cudaMemLocation place)
{
    return svi_cuda_api.advise(memory, nbytes, cudaMemAdviseSetPreferredLocation, place);
}

/* NULL: the toolkit has no such function. */
static void *driver_function(const char *name)
{
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
    void *entry = NULL;

    cr_assert_eq(svi_cuda_api.driver_entry(name, &entry, 13000, cudaEnableDefault, &found), cudaSuccess);
    cr_assert_eq(entry != NULL, found == cudaDriverEntryPointSuccess);
    cr_assert_eq(entry != NULL, CUDART_VERSION >= 13000, "%s", name);
    if (entry == NULL)
        fprintf(stderr, "skipped: the toolkit is older than 13.0\n");
    return entry;
}

typedef int discard_batch(svi_cuda_address *pointers, size_t *sizes, size_t count, unsigned long long flags,
                          cudaStream_t stream);

static int discard_on(cudaStream_t stream, void *memory, size_t nbytes)
{
    discard_batch *batch = (discard_batch *)driver_function("cuMemDiscardBatchAsync");
    svi_cuda_address pointer = (uintptr_t)memory;

    return batch(&pointer, &nbytes, 1, 0, stream);
}

static int discard_to(struct cudaMemLocation place, cudaStream_t stream, void *memory, size_t nbytes)
{
    svi_cuda_place_batch *batch = (svi_cuda_place_batch *)driver_function("cuMemDiscardAndPrefetchBatchAsync");
    svi_cuda_address pointer = (uintptr_t)memory;
    size_t first = 0;

    return batch(&pointer, &nbytes, 1, &place, &first, 1, 0, stream);
}

/* --- hints ------------------------------------------------------------------------ */

/* Of memory that is not managed only the host's, where devices read it by its page tables. */
Test(fake_managed, hints_are_for_managed_memory)
{
    char *const on_device = fake_allocate(cudaMemoryTypeDevice, 0, NBYTES), *const ordinary = malloc(NBYTES),
                *const pinned = fake_allocate(cudaMemoryTypeHost, 0, NBYTES);
    const struct {
        const char *name;
        char *memory;
        cudaError_t error, with_page_tables;
    } cases[] = {
        {"managed", managed, cudaSuccess, cudaSuccess},
        {"device", on_device, cudaErrorInvalidValue, cudaErrorInvalidValue},
        {"pinned", pinned, cudaErrorInvalidValue, cudaErrorInvalidValue},
        {"malloc", ordinary, cudaErrorInvalidValue, cudaSuccess},
    };

    for (int page_tables = 0; page_tables < 2; page_tables++) {
        fake_set_attribute(-1, cudaDevAttrPageableMemoryAccess, page_tables);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const cudaError_t error = page_tables ? cases[i].with_page_tables : cases[i].error;

            cr_expect_eq(prefetch(cases[i].memory, NBYTES, device(1)), error, "%s, %d", cases[i].name, page_tables);
            cr_expect_eq(prefetch(cases[i].memory, NBYTES, to_host), error, "%s, %d", cases[i].name, page_tables);
            cr_expect_eq(advise(cases[i].memory, NBYTES, device(1)), error, "%s, %d", cases[i].name, page_tables);
        }
    }
    fake_free(on_device);
    fake_free(pinned);
    free(ordinary);
    cr_expect_str_eq(end(), "");
}

Test(fake_managed, hints_check_their_arguments)
{
    const struct cudaMemLocation nowhere = {.type = cudaMemLocationTypeInvalid};

    cr_expect_eq(prefetch(managed, 0, device(0)), cudaErrorInvalidValue);
    cr_expect_eq(prefetch(managed, NBYTES, device(2)), cudaErrorInvalidValue);
    cr_expect_eq(prefetch(managed, NBYTES, device(-1)), cudaErrorInvalidValue);
    cr_expect_eq(prefetch(managed, NBYTES, nowhere), cudaErrorInvalidValue);
    cr_expect_eq(svi_cuda_api.prefetch(managed, NBYTES, device(0), 1, streams[0]), cudaErrorInvalidValue);
    cr_expect_eq(advise(managed, 0, device(0)), cudaErrorInvalidValue);
    cr_expect_eq(advise(managed, NBYTES, device(2)), cudaErrorInvalidValue);
    cr_expect_eq(advise(managed, NBYTES, nowhere), cudaErrorInvalidValue);
    for (int advice = 0; advice < 8; advice++)
        cr_expect_eq(svi_cuda_api.advise(managed, 1, (enum cudaMemoryAdvise)advice, device(1)),
                     advice >= (int)cudaMemAdviseSetReadMostly && advice <= (int)cudaMemAdviseUnsetAccessedBy
                         ? cudaSuccess
                         : cudaErrorInvalidValue,
                     "%d", advice);
    cr_expect_eq(fake_pending(), cudaErrorInvalidValue);
    cr_expect_eq(fake_unfinished(), 0);
    cr_expect_eq(fake_faults(), 0, "%s", fake_text());
    cr_expect_eq(prefetch(managed + 1, NBYTES, device(0)), cudaErrorInvalidValue);
    cr_expect_eq(advise(managed + 1, NBYTES, device(0)), cudaErrorInvalidValue);
    cr_expect_str_eq(end(), "12288 bytes at +1 leave an allocation of 12288\n"
                            "12288 bytes at +1 leave an allocation of 12288\n");
}

/* A device that moves managed memory only as a whole is no place to prefetch to; the host is. */
Test(fake_managed, a_device_without_page_faults)
{
    fake_set_attribute(1, cudaDevAttrConcurrentManagedAccess, 0);
    cr_expect_eq(prefetch(managed, NBYTES, device(1)), cudaErrorInvalidDevice);
    cr_expect_eq(prefetch(managed, NBYTES, device(0)), cudaSuccess);
    cr_expect_eq(prefetch(managed, NBYTES, to_host), cudaSuccess);
    cr_expect_str_eq(end(), "");
}

/* Its bytes stay, and what other streams do with them needs no order; but it is work of its stream. */
Test(fake_managed, a_prefetch_is_no_access)
{
    char found = 0;

    cr_expect_eq(svi_cuda_api.set(managed, 'x', NBYTES, streams[1]), cudaSuccess);
    fake_reset();
    cr_expect_eq(prefetch(managed, NBYTES, device(1)), cudaSuccess);
    cr_expect_eq(prefetch(managed, 10, to_host), cudaSuccess);
    cr_expect_str_eq(fake_log(), "0:prefetch 12288 to 1 s1; 0:prefetch 10 to -1 s1; ", "%s", fake_log());
    cr_expect_eq(svi_cuda_api.stream_query(streams[0]), cudaErrorNotReady);
    svi_cuda_api.last_error();
    cr_expect_eq(fake_unfinished(), 3);
    fake_read(&found, managed + NBYTES - 1, 1);
    cr_expect_eq(found, 'x');
    cr_expect_str_eq(end(), "");
}

Test(fake_managed, a_batch_of_prefetches)
{
    svi_cuda_place_batch *batch = (svi_cuda_place_batch *)driver_function("cuMemPrefetchBatchAsync");
    svi_cuda_address pointers[3] = {(uintptr_t)managed, (uintptr_t)managed + 4096, (uintptr_t)managed + 8192};
    struct cudaMemLocation places[2] = {device(0), device(1)};
    size_t sizes[3] = {4096, 4096, 4096}, first_of_place[2] = {0, 2};

    if (batch == NULL)
        return;
    cr_expect_eq(batch(pointers, sizes, 3, places, first_of_place, 2, 0, streams[0]), 0);
    cr_expect_eq(fake_unfinished(), 3);
    cr_expect_eq(batch(pointers, sizes, 3, places, first_of_place, 2, 0, cudaStreamLegacy), cudaErrorInvalidValue);
    cr_expect_eq(batch(pointers, sizes, 0, places, first_of_place, 2, 0, streams[0]), cudaErrorInvalidValue);
    cr_expect_eq(batch(pointers, sizes, 3, places, first_of_place, 2, 1, streams[0]), cudaErrorInvalidValue);
    fake_set_attribute(1, cudaDevAttrConcurrentManagedAccess, 0);
    cr_expect_eq(batch(pointers, sizes, 3, places, first_of_place, 2, 0, streams[0]), cudaErrorInvalidDevice);
    cr_expect_eq(batch(pointers, sizes, 2, places, first_of_place, 1, 0, streams[0]), cudaErrorInvalidDevice);
    cr_expect_eq(fake_pending(), cudaSuccess, "the driver leaves no error to the runtime");
    cr_expect_str_eq(end(), "");
}

/* --- discards ----------------------------------------------------------------------- */

/* Nobody knows what is there then. */
Test(fake_managed, a_discard_spoils_its_bytes)
{
    char bytes[3] = "";

    if (driver_function("cuMemDiscardBatchAsync") == NULL)
        return;
    fake_write(managed, "abc", 3);
    cr_expect_eq(discard_on(streams[0], managed + 1, 1), 0);
    fake_read(bytes, managed, 3);
    cr_expect(bytes[0] == 'a' && bytes[1] != 'b' && bytes[2] == 'c');
    fake_write(managed, "abc", 3);
    cr_expect_eq(discard_to(device(0), streams[0], managed + 1, 1), 0);
    fake_read(bytes, managed, 3);
    cr_expect(bytes[0] == 'a' && bytes[1] != 'b' && bytes[2] == 'c');
    cr_expect_str_eq(end(), "");
}

/* Whoever writes, and however it is read, unless the memory was prefetched in between, or by the discard itself. */
Test(fake_managed, what_is_written_after_a_discard_is_lost)
{
    enum { ALONE, THEN_PREFETCHED, WITH_PREFETCH, WAYS };
    enum { BY_HOST, BY_DEVICE, BY_TEST, WRITERS };

    if (driver_function("cuMemDiscardBatchAsync") == NULL)
        return;
    for (int i = 0; i < WAYS * WRITERS; i++) {
        const int way = i % WAYS, writer = i / WAYS;
        char found[3] = "";

        fake_write(managed, "abc", 3);
        cr_expect_eq(way == WITH_PREFETCH ? discard_to(to_host, streams[0], managed + 1, 1)
                                          : discard_on(streams[0], managed + 1, 1), 0);
        if (way == THEN_PREFETCHED)
            cr_expect_eq(svi_cuda_api.prefetch(managed, 3, to_host, 0, streams[0]), cudaSuccess);
        cr_expect_eq(svi_cuda_api.synchronize(streams[0]), cudaSuccess);
        if (writer == BY_HOST)
            memset(managed, 'x', 3);
        else if (writer == BY_DEVICE)
            cr_expect_eq(svi_cuda_api.set(managed, 'x', 3, streams[0]), cudaSuccess);
        else
            fake_write(managed, "xxx", 3);
        cr_expect_eq(svi_cuda_api.copy(found, managed, 3, cudaMemcpyDefault, streams[0]), cudaSuccess);
        cr_expect(found[0] == 'x' && found[2] == 'x', "%d", i);
        cr_expect_eq(found[1] == 'x', way != ALONE, "%d", i);
        cr_expect_eq(svi_cuda_api.prefetch(managed, 3, to_host, 0, streams[0]), cudaSuccess);
    }
    cr_expect_str_eq(end(), "");
}

Test(fake_managed, a_discard_is_a_write)
{
    if (driver_function("cuMemDiscardBatchAsync") == NULL)
        return;
    cr_expect_eq(svi_cuda_api.set(managed, 'x', 8, streams[1]), cudaSuccess);
    cr_expect_eq(discard_on(streams[0], managed + 8, 8), 0);
    cr_expect_eq(fake_faults(), 0, "%s", fake_text());
    cr_expect_eq(discard_on(streams[0], managed + 7, 8), 0);
    cr_expect_str_eq(end(), "a fill on stream s2 and a discard on stream s1 touch the same bytes in no order\n");
}

Test(fake_managed, a_discard_checks_its_arguments)
{
    char *on_device = fake_allocate(cudaMemoryTypeDevice, 0, 8);

    if (driver_function("cuMemDiscardBatchAsync") == NULL)
        return;
    cr_expect_eq(discard_on(cudaStreamLegacy, managed, 8), cudaErrorInvalidValue);
    cr_expect_eq(discard_on(NULL, managed, 8), cudaErrorInvalidValue);
    cr_expect_eq(discard_on(streams[0], managed, 0), cudaErrorInvalidValue);
    cr_expect_eq(discard_on(streams[0], on_device, 8), cudaErrorInvalidValue);
    cr_expect_eq(discard_to(device(2), streams[0], managed, 8), cudaErrorInvalidDevice);
    cr_expect_eq(discard_to(to_host, NULL, managed, 8), cudaErrorInvalidValue);
    cr_expect_eq(discard_to(to_host, streams[0], managed, 0), cudaErrorInvalidValue);
    fake_set_attribute(1, cudaDevAttrConcurrentManagedAccess, 0);
    cr_expect_eq(discard_on(streams[0], managed, 8), cudaErrorInvalidDevice, "all devices have to");
    cr_expect_eq(discard_to(device(0), streams[0], managed, 8), cudaErrorInvalidDevice);
    cr_expect_eq(fake_unfinished(), 0);
    cr_expect_eq(fake_pending(), cudaSuccess, "the driver leaves no error to the runtime");
    fake_free(on_device);
    cr_expect_str_eq(end(), "");
}

/* --- peers ---------------------------------------------------------------------------- */

/* Copies eight bytes by a kernel of device 0. */
static cudaError_t launch_copy(void *dst, const void *src)
{
    struct svi_launch launch = {.count = 1, .naxes = 1, .axes = {svi_axis_make(1, 8, 8)}};
    void *arguments[] = {&launch, &dst, &src};
    const cudaLaunchConfig_t config = {.blockDim = {1, 1, 1}, .gridDim = {1, 1, 1}, .stream = streams[0]};
    const uint32_t magic = 0xba55ed50;
    cudaLibrary_t library = NULL;
    cudaKernel_t kernel = NULL;

    cr_assert_eq(svi_cuda_api.load(&library, &magic, NULL, NULL, 0, NULL, NULL, 0), cudaSuccess);
    cr_assert_eq(svi_cuda_api.get_kernel(&kernel, library, "svi_flat_8"), cudaSuccess);
    return svi_cuda_api.launch(&config, (const void *)kernel, arguments);
}

/* A kernel reaches memory of a peer that its device was given, and not the other way round. */
Test(fake_managed, kernels_reach_peers_that_were_enabled)
{
    static const struct {
        const char *name;
        int device, peer; /* enabled; equal: none */
        bool reads;       /* the kernel, of device 0, does */
        bool reaches;
    } cases[] = {
        {"none", 0, 0, true, false},
        {"none, to write", 0, 0, false, false},
        {"the other direction", 1, 0, true, false},
        {"another peer", 0, 2, true, false},
        {"enabled", 0, 1, true, true},
        {"enabled, to write", 0, 1, false, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *here, *there, found[8] = "";

        fake_free(managed);
        fake_end_stream(streams[0]);
        fake_end_stream(streams[1]);
        fake_start_with(&(struct fake_settings){.policy = FAKE_LAZY, .devices = 3}); /* forgets what was enabled */
        for (int k = 0; k < 2; k++)
            streams[k] = fake_new_stream(0, cudaStreamNonBlocking);
        managed = fake_allocate(cudaMemoryTypeManaged, 0, NBYTES);
        here = fake_allocate(cudaMemoryTypeDevice, 0, 8);
        there = fake_allocate(cudaMemoryTypeDevice, 1, 8);
        fake_write(cases[i].reads ? there : here, "7 bytes", 8);
        if (cases[i].device != cases[i].peer) {
            fake_set_current(cases[i].device);
            cr_assert_eq(svi_cuda_api.enable_peer(cases[i].peer, 0), cudaSuccess, "%s", cases[i].name);
            fake_set_current(0);
        }
        cr_expect_eq(launch_copy(cases[i].reads ? here : there, cases[i].reads ? there : here), cudaSuccess);
        cr_expect_eq(fake_faults(), !cases[i].reaches, "%s: %s", cases[i].name, fake_text());
        cr_expect_eq(svi_cuda_api.synchronize(streams[0]),
                     cases[i].reaches ? cudaSuccess : cudaErrorIllegalAddress, "%s", cases[i].name);
        fake_read(found, cases[i].reads ? here : there, 8);
        cr_expect_eq(memcmp(found, "7 bytes", 8) == 0, cases[i].reaches, "%s", cases[i].name);
        fake_forgive();
        fake_free(here);
        fake_free(there);
    }
}
