/* The kinds of memory of the fake runtime that tests of buffers go through. */
#ifndef BUFFER_SOURCES_H
#define BUFFER_SOURCES_H

#include <criterion/criterion.h>

#include "memory/buffer.h"
#include "fake/fake.h"

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
}

/* --- every way to make one --------------------------------------------------- */

static sv_status pinned(sv_allocator **out)
{
    return sv_allocator_pinned(out);
}

static sv_status device(sv_allocator **out)
{
    return sv_allocator_device(1, out);
}

static sv_status managed(sv_allocator **out)
{
    return sv_allocator_managed(1, out);
}

static sv_status pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_DEVICE, 1, 0, INT64_MAX, 0, out);
}

static sv_status pool_view(sv_allocator **out)
{
    return sv_allocator_pool_view(SV_MEMORY_DEVICE, 1, 0, out);
}

#if CUDART_VERSION >= 13000
static sv_status pinned_pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_PINNED, 0, 0, 0, 0, out);
}

static sv_status managed_pool(sv_allocator **out)
{
    return sv_allocator_pool(SV_MEMORY_MANAGED, 0, 0, 0, 0, out);
}
#endif

enum { NBYTES = 1000 };

static const struct source {
    sv_status (*make)(sv_allocator **out);
    const char *name;
    sv_memory kind;
    int32_t device_type, device_id;
    int64_t alignment; /* of a buffer that asks for none */
    int free;          /* the call that frees it */
    bool ordered, on_host, owns_pool;
} sources[] = {
    {pinned, "pinned", SV_MEMORY_PINNED, SV_DEVICE_CUDA_HOST, 0, 4096, FAKE_CALL(release_host), false, true, false},
    {device, "device", SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1, 256, FAKE_CALL(release), false, false, false},
    {managed, "managed", SV_MEMORY_MANAGED, SV_DEVICE_CUDA_MANAGED, 1, 256, FAKE_CALL(release), false, true, false},
    {pool, "pool", SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1, 256, FAKE_CALL(release_async), true, false, true},
    {pool_view, "pool view", SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 1, 256, FAKE_CALL(release_async), true, false, false},
#if CUDART_VERSION >= 13000
    {pinned_pool, "pinned pool", SV_MEMORY_PINNED, SV_DEVICE_CUDA_HOST, 0, 4096, FAKE_CALL(release_async), true, true,
     true},
    {managed_pool, "managed pool", SV_MEMORY_MANAGED, SV_DEVICE_CUDA_MANAGED, 0, 256, FAKE_CALL(release_async), true,
     true, true},
#endif
};

enum { SOURCES = sizeof sources / sizeof *sources };

static sv_buffer *new_buffer(const struct source *s, int64_t nbytes, uint32_t flags, uintptr_t stream)
{
    sv_allocator *a = NULL;
    sv_buffer *buffer = NULL;

    cr_assert_eq(s->make(&a), SV_OK, "%s: %s", s->name, sv_last_message());
    cr_assert_eq(sv_buffer_new(a, nbytes, 0, flags, stream, &buffer), SV_OK, "%s: %s", s->name, sv_last_message());
    sv_allocator_release(a);
    return buffer;
}

#endif
