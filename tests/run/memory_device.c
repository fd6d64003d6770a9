/* Memory of every kind on this machine's own CUDA: a round trip of each operation; without a device they are skipped. */
#include <string.h>

#include "sv.h"
#include "tap.h"

#ifdef SVI_CUDA
#include "gpu/cuda/api.h"
#include "gpu/cuda/cuda.h"

#define OPS (svi_cuda.driver)

enum { BLOCK = 1 << 20, DISCARDS = 20 };

/* The message is of the call that failed. */
static bool check(bool ok, const char *text)
{
    if (!ok)
        tap_note("%s", sv_last_message());
    return tap_ok(ok, "%s", text);
}

/* Set on the device, waited for by an event, and read by the host. */
static bool is_set(void *block)
{
    static unsigned char back[BLOCK];
    void *event = NULL;
    bool done = false, ok;

    ok = OPS->set(0, block, 0xa7, BLOCK, 2) == SV_OK && OPS->record(0, 2, &event) == SV_OK &&
         OPS->order(0, 1, event) == SV_OK && OPS->wait(event) == SV_OK && OPS->is_done(event, &done) == SV_OK && done;
    if (event != NULL)
        OPS->end_event(event);
    if (!ok || svi_cuda_api.copy(back, block, BLOCK, cudaMemcpyDefault, cudaStreamLegacy) != cudaSuccess ||
        svi_cuda_api.synchronize(cudaStreamLegacy) != cudaSuccess)
        return false;
    return back[0] == 0xa7 && memcmp(back, back + 1, BLOCK - 1) == 0;
}

static bool is_known(const void *block, sv_memory kind, uint32_t trait)
{
    sv_memory found = SV_MEMORY_UNKNOWN;
    uint32_t traits = 0;

    if (sv_pointer_query(block, &found, &traits, NULL, NULL, NULL) != SV_OK)
        return false;
    if (found != kind)
        tap_note("%s memory is told as %s", sv_memory_name(kind), found == 0 ? "unknown" : sv_memory_name(found));
    return found == kind && (traits & trait) == trait;
}

static void test_allocations(void)
{
    static const sv_memory kinds[] = {SV_MEMORY_PINNED, SV_MEMORY_DEVICE, SV_MEMORY_MANAGED};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        void *block = NULL;
        sv_status status = OPS->allocate(kinds[i], 0, BLOCK, &block);

        if (status == SV_ERROR_UNSUPPORTED) {
            tap_skip("allocations", sv_last_message());
            continue;
        }
        tap_ok(status == SV_OK && is_known(block, kinds[i], 0) && is_set(block) &&
                   OPS->free(kinds[i], 0, block) == SV_OK,
               "%s memory is allocated, known, set, read and freed", sv_memory_name(kinds[i]));
    }
}

/* What the driver says of memory of pools on the host, and of managed ones, is not settled: it is told, not tested. */
static void test_pools(void)
{
    static const sv_memory kinds[] = {SV_MEMORY_DEVICE, SV_MEMORY_PINNED, SV_MEMORY_MANAGED};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct svi_pool_request request = {kinds[i], 0, BLOCK, 2 * BLOCK, 0};
        uintptr_t pool = 0;
        void *block = NULL;
        sv_status status = OPS->new_pool(&request, &pool);
        bool known;

        if (status == SV_ERROR_UNSUPPORTED) {
            tap_skip("a pool", sv_last_message());
            continue;
        }
        status = status == SV_OK ? OPS->allocate_from_pool(0, pool, BLOCK, 2, &block) : status;
        known = status == SV_OK && is_known(block, kinds[i], SV_TRAIT_ORDERED);
        tap_ok(status == SV_OK && (known || kinds[i] != SV_MEMORY_DEVICE) && is_set(block) &&
                   OPS->free_in_order(0, block, 2) == SV_OK && OPS->end_pool(0, pool) == SV_OK,
               "a pool of %s memory", sv_memory_name(kinds[i]));
    }
}

static void test_pages(void)
{
    static _Alignas(4096) char pages[2 * BLOCK];
    void *address = NULL, *again = NULL;

    check(is_known(pages, SV_MEMORY_HOST, 0) && OPS->enroll(pages, BLOCK, &address) == SV_OK && address != NULL &&
               is_known(pages, SV_MEMORY_PINNED, 0) && OPS->enroll(pages, BLOCK, &again) == SV_ERROR_BLOCKED &&
               is_set(address) && OPS->withdraw(pages) == SV_OK && is_known(pages, SV_MEMORY_HOST, 0),
          "pages are locked once and unlocked");
}

static void test_hints(void)
{
    const struct svi_device device = {SV_DEVICE_CUDA, 0};
    int64_t concurrent = 0;
    void *block = NULL;
    sv_status status = SV_OK;

    if (OPS->property(0, SV_PROPERTY_CONCURRENT_MANAGED, &concurrent) != SV_OK || !concurrent) {
        tap_skip("hints", "the device moves managed memory only as a whole");
        return;
    }
    if (check(OPS->allocate(SV_MEMORY_MANAGED, 0, BLOCK, &block) == SV_OK, "managed memory")) {
        const struct svi_span spans[] = {{block, BLOCK / 2}, {(char *)block + BLOCK / 2, BLOCK / 2}};

        check(OPS->advise(spans[0], SV_ADVICE_PREFER, device) == SV_OK &&
                   OPS->prefetch(2, spans, device, 2) == SV_OK && OPS->prefetch(1, spans, svi_cpu, 0) == SV_OK,
              "it is advised on and prefetched");
        for (int i = 0; i < DISCARDS && status == SV_OK; i++) {
            status = OPS->discard(2, spans, i % 2 == 0 ? device : svi_cpu, 2);
            if (status == SV_ERROR_UNSUPPORTED)
                status = SV_OK;
            if (sv_stream_synchronize(SV_DEVICE_CUDA, 0, 2) != SV_OK || !is_set(block))
                status = SV_ERROR_CUDA;
        }
        check(status == SV_OK && OPS->free(SV_MEMORY_MANAGED, 0, block) == SV_OK,
              "it is discarded, where the driver can, and used again");
    }
}

/* A process cannot open its own handles. */
static void test_sharing(void)
{
    unsigned char uuid[SVI_UUID], handle[SVI_IPC_HANDLE];
    int64_t shared = 0;
    void *block = NULL;

    check(OPS->identify(0, uuid) == SV_OK && OPS->property(0, SV_PROPERTY_IPC, &shared) == SV_OK,
              "a device has an identity");
    if (!shared) {
        tap_skip("sharing", "the device has no handles for other processes");
        return;
    }
    check(OPS->allocate(SV_MEMORY_DEVICE, 0, BLOCK, &block) == SV_OK && OPS->ipc_export(0, block, handle) == SV_OK &&
               OPS->free(SV_MEMORY_DEVICE, 0, block) == SV_OK,
              "memory has a handle for other processes");
}

static void test_memory(void)
{
    void *block = NULL;

    for (int32_t property = SV_PROPERTY_MEMORY_TOTAL; property <= SV_PROPERTY_MULTIPROCESSORS; property++) {
        int64_t value = -1;

        check(sv_device_property(SV_DEVICE_CUDA, 0, property, &value) == SV_OK && value >= 0, "a property is told");
        tap_note("property %d is %lld", (int)property, (long long)value);
    }
    test_allocations();
    test_pools();
    test_pages();
    test_hints();
    test_sharing();
    check(OPS->allocate(SV_MEMORY_DEVICE, 0, INT64_C(1) << 50, &block) == SV_ERROR_MEMORY && block == NULL,
              "out of memory");
    check(OPS->allocate(SV_MEMORY_DEVICE, 1000, 16, &block) == SV_ERROR_DEVICE && block == NULL,
              "no such device");
    tap_ok(svi_cuda_api.last_error() == cudaSuccess, "no error is left pending by operations on memory");
}
#else
static void test_memory(void)
{
}
#endif

int main(void)
{
    sv_device_state state = SV_STATE_BROKEN;
    char words[300] = "";

    tap_ok(sv_device_probe(SV_DEVICE_CUDA, &state, NULL) == SV_OK &&
               sv_device_text(SV_DEVICE_CUDA, sizeof words, words, NULL) == SV_OK,
           "the state of CUDA is known");
    if (state == SV_STATE_READY)
        test_memory();
    else
        tap_skip("memory of a device", words);
    return tap_done();
}
