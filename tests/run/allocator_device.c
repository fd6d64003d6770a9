/*
 * Allocators of CUDA as this machine has it. With a device: memory of each kind is what the driver says it is, the host
 * writes and reads what it can, and nothing is left. Without one: the message says what is missing.
 */
#include <stdint.h>
#include <string.h>

#include "sv.h"
#include "tap.h"

enum { NBYTES = 3 << 20 };

static sv_status pinned(sv_allocator **out)
{
    return sv_allocator_pinned(out);
}

static sv_status device(sv_allocator **out)
{
    return sv_allocator_device(0, out);
}

static sv_status managed(sv_allocator **out)
{
    return sv_allocator_managed(0, out);
}

static sv_status pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_DEVICE, 0, 1 << 20, INT64_MAX, 64 << 20, out);
}

static sv_status default_pool(sv_allocator **out)
{
    return sv_allocator_pool_view(SV_MEMORY_DEVICE, 0, 0, out);
}

static sv_status pinned_pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_PINNED, 0, 0, 0, 0, out);
}

static sv_status managed_pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_MANAGED, 0, 0, 0, 0, out);
}

static const struct kind {
    const char *name;
    sv_status (*make)(sv_allocator **out);
    sv_memory kind;
    bool optional; /* drivers and devices may have none */
} kinds[] = {
    {"pinned", pinned, SV_MEMORY_PINNED, false},
    {"device", device, SV_MEMORY_DEVICE, false},
    {"managed", managed, SV_MEMORY_MANAGED, false},
    {"pool", pool, SV_MEMORY_DEVICE, true},
    {"default pool", default_pool, SV_MEMORY_DEVICE, true},
    {"pinned pool", pinned_pool, SV_MEMORY_PINNED, true},
    {"managed pool", managed_pool, SV_MEMORY_MANAGED, true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- without a device --------------------------------------------------------- */

static void test_refused(const char *words)
{
    for (int i = 0; i < KINDS; i++) {
        sv_allocator *a = NULL;
        const sv_status status = kinds[i].make(&a);

        tap_ok(status == SV_ERROR_UNSUPPORTED && a == NULL && strcmp(sv_last_message(), words) == 0,
               "%s: %s", kinds[i].name, sv_last_message());
    }
}

/* --- with one -------------------------------------------------------------------- */

static bool is_what_it_says(const sv_allocator *a, const void *pointer)
{
    sv_memory kind = SV_MEMORY_UNKNOWN;
    uint32_t traits = 0;

    return sv_pointer_query(pointer, &kind, &traits, NULL, NULL, NULL) == SV_OK && kind == sv_allocator_kind(a) &&
           (traits & SV_TRAIT_CUDA) && (traits & SV_TRAIT_HOST) == (sv_allocator_traits(a) & SV_TRAIT_HOST);
}

/* The host waits for an allocation in the order of a stream before it touches the memory. */
static bool host_can_use(const sv_allocator *a, void *pointer)
{
    const char *bytes = pointer;

    if (!(sv_allocator_traits(a) & SV_TRAIT_HOST))
        return true;
    if (sv_stream_synchronize(SV_DEVICE_CUDA, 0, 0) != SV_OK)
        return false;
    memset(pointer, 7, NBYTES);
    return bytes[0] == 7 && bytes[NBYTES - 1] == 7;
}

static bool use(const sv_allocator *a)
{
    void *pointer = NULL;
    bool right;

    if (sv_allocator_allocate(a, NBYTES, 0, 0, &pointer) != SV_OK)
        return false;
    right = (uintptr_t)pointer % 256 == 0 && is_what_it_says(a, pointer) && host_can_use(a, pointer);
    return sv_allocator_free(a, pointer, NBYTES, 0, 0) == SV_OK && right;
}

static void test_kind(const struct kind *k)
{
    sv_allocator *a = NULL, *counted = NULL;
    int64_t live = -1;
    const sv_status status = k->make(&a);

    if (status == SV_ERROR_UNSUPPORTED && k->optional) {
        tap_skip(k->name, sv_last_message());
        return;
    }
    if (!tap_ok(status == SV_OK && sv_allocator_kind(a) == k->kind, "%s: %s", k->name, sv_last_message()))
        return;
    tap_ok(sv_allocator_tracked(a, NULL, SV_ALLOCATOR_BLOCKS, &counted) == SV_OK, "counted");
    tap_ok(use(counted) && use(counted), "its memory: %s", sv_last_message());
    tap_ok(sv_allocator_stats(counted, SV_STAT_LIVE_BYTES, &live) == SV_OK && live == 0, "nothing is left");
    sv_allocator_release(counted);
    sv_allocator_release(a);
}

int main(void)
{
    sv_device_state state = SV_STATE_NO_BACKEND;
    char words[300] = "";

    tap_ok(sv_device_probe(SV_DEVICE_CUDA, &state, NULL) == SV_OK &&
               sv_device_text(SV_DEVICE_CUDA, sizeof words, words, NULL) == SV_OK, "what this machine has");
    if (state != SV_STATE_READY)
        test_refused(words);
    for (int i = 0; i < KINDS && state == SV_STATE_READY; i++)
        test_kind(&kinds[i]);
    return tap_done();
}
