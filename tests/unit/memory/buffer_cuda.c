/*
 * Buffers of every kind of memory over the fake runtime: what they say of themselves, frees that are deferred, frees in
 * the order of streams, memory that was detached.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/buffer_sources.h"

TestSuite(buffer_cuda, .init = start);

static bool drain(enum svi_effort effort)
{
    return svi_deferred_drain(svi_cpu, true, effort);
}

static void end(void)
{
    drain(SVI_EFFORT_WAIT);
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

static cudaStream_t new_stream(const struct source *s)
{
    return fake_new_stream(s->device_id, cudaStreamNonBlocking);
}

static void record(sv_buffer *buffer, cudaStream_t stream)
{
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
}

/* Work on a stream that writes the memory, and is told. */
static void use(sv_buffer *buffer, cudaStream_t stream)
{
    cr_assert_eq(svi_cuda_api.set(sv_buffer_data(buffer), 1, (size_t)sv_buffer_nbytes(buffer), stream), cudaSuccess);
    record(buffer, stream);
}

/* --- what they are -------------------------------------------------------------- */

Test(buffer_cuda, facts_of_each_kind)
{
    for (int i = 0; i < SOURCES; i++) {
        const struct source *s = &sources[i];
        sv_buffer *buffer = new_buffer(s, NBYTES, SV_BUFFER_ZERO, 2);
        const uint32_t traits = sv_buffer_traits(buffer);
        char bytes[NBYTES];

        cr_expect_eq(sv_buffer_kind(buffer), s->kind, "%s", s->name);
        cr_expect_eq(sv_buffer_device_type(buffer), s->device_type, "%s", s->name);
        cr_expect_eq(sv_buffer_device_id(buffer), s->device_id, "%s", s->name);
        cr_expect_eq(sv_buffer_alignment(buffer), s->alignment, "%s: %d", s->name, (int)sv_buffer_alignment(buffer));
        cr_expect_eq((uintptr_t)sv_buffer_data(buffer) % (uintptr_t)s->alignment, 0, "%s", s->name);
        cr_expect_eq(sv_buffer_stream(buffer), 2, "%s", s->name);
        cr_expect_eq(sv_buffer_host_data(buffer), s->on_host ? sv_buffer_data(buffer) : NULL, "%s", s->name);
        cr_expect_eq((traits & SV_TRAIT_ORDERED) != 0, s->ordered, "%s", s->name);
        cr_expect_eq((traits & SV_TRAIT_HOST) != 0, s->on_host, "%s", s->name);
        cr_expect(traits & SV_TRAIT_CUDA, "%s", s->name);
        cr_expect_eq(sv_buffer_read(buffer, 0, bytes, NBYTES, SV_COPY_BLOCKING, 2), SV_OK, "%s", sv_last_message());
        cr_expect(bytes[0] == 0 && memcmp(bytes, bytes + 1, NBYTES - 1) == 0, "%s", s->name);
        sv_buffer_release(buffer);
    }
    end();
}

/* --- deferred frees --------------------------------------------------------------- */

/* The driver's own frees wait for the device, which a release must not. */
Test(buffer_cuda, a_release_frees_pools_at_once_and_defers_the_rest)
{
    for (int i = 0; i < SOURCES; i++) {
        const struct source *s = &sources[i];
        sv_buffer *buffer = new_buffer(s, NBYTES, 0, 0);

        fake_reset();
        sv_buffer_release(buffer);
        cr_expect_eq(fake_count(s->free), s->ordered, "%s", s->name);
        cr_expect_eq(svi_deferred_count(), !s->ordered, "%s", s->name);
        cr_expect_eq(drain(SVI_EFFORT_FREE), !s->ordered, "%s", s->name);
        cr_expect_eq(fake_count(s->free), 1, "%s", s->name);
        cr_expect_eq(svi_deferred_count(), 0, "%s", s->name);
    }
    end();
}

Test(buffer_cuda, the_next_allocation_of_the_same_device_frees)
{
    sv_allocator *one = NULL, *two = NULL;
    sv_buffer *buffer = NULL, *other = NULL;

    cr_assert_eq(sv_allocator_device(0, &one), SV_OK);
    cr_assert_eq(sv_allocator_device(1, &two), SV_OK);
    cr_assert_eq(sv_buffer_new(one, NBYTES, 0, 0, 0, &buffer), SV_OK);
    sv_buffer_release(buffer);
    cr_assert_eq(sv_buffer_new(two, NBYTES, 0, 0, 0, &other), SV_OK);
    cr_expect_eq(svi_deferred_count(), 1, "memory of another device stays");
    sv_buffer_release(other);
    cr_assert_eq(sv_buffer_new(one, NBYTES, 0, 0, 0, &other), SV_OK);
    cr_expect_eq(svi_deferred_count(), 1, "that of this device is freed");
    sv_buffer_release(other);
    sv_allocator_release(one);
    sv_allocator_release(two);
    end();
}

Test(buffer_cuda, close_frees_at_once_while_references_stay)
{
    for (int i = 0; i < SOURCES; i++) {
        sv_buffer *buffer = new_buffer(&sources[i], NBYTES, 0, 0);

        fake_reset();
        cr_expect_eq(sv_buffer_close(buffer, 2), SV_OK, "%s: %s", sources[i].name, sv_last_message());
        cr_expect_eq(fake_count(sources[i].free), 1, "%s", sources[i].name);
        cr_expect_eq(svi_deferred_count(), 0, "%s", sources[i].name);
        cr_expect(sv_buffer_is_closed(buffer));
        sv_buffer_release(buffer);
        cr_expect_eq(fake_count(sources[i].free), 1, "%s", sources[i].name);
    }
    end();
}

/* Work that was recorded delays the free of what no stream orders, whichever way the buffer ends. */
Test(buffer_cuda, work_that_is_not_done_delays_the_free)
{
    for (int i = 0; i < SOURCES * 2; i++) {
        const struct source *s = &sources[i / 2];
        cudaStream_t stream = new_stream(s);
        sv_buffer *buffer = new_buffer(s, NBYTES, 0, (uintptr_t)stream);

        use(buffer, stream);
        fake_reset();
        if (i % 2)
            cr_expect_eq(sv_buffer_close(buffer, (uintptr_t)stream), SV_OK, "%s: %s", s->name, sv_last_message());
        sv_buffer_release(buffer);
        cr_expect_eq(fake_count(s->free), s->ordered, "%s", s->name);
        drain(SVI_EFFORT_FREE);
        cr_expect_eq(fake_count(s->free), s->ordered, "%s: no drain may wait without being asked to", s->name);
        drain(SVI_EFFORT_WAIT);
        cr_expect_eq(fake_count(s->free), 1, "%s", s->name);
        fake_end_stream(stream);
    }
    end();
}

Test(buffer_cuda, work_that_is_done_does_not_delay_it)
{
    cudaStream_t stream = new_stream(&sources[1]);
    sv_buffer *buffer = new_buffer(&sources[1], NBYTES, 0, 0);

    use(buffer, stream);
    cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
    sv_buffer_release(buffer);
    cr_expect(drain(SVI_EFFORT_FREE));
    cr_expect_eq(fake_count(FAKE_CALL(event_synchronize)), 0);
    fake_end_stream(stream);
    end();
}

/* A stream may be destroyed before the buffer that was used on it: events are kept, streams are not. */
Test(buffer_cuda, streams_may_end_first)
{
    for (int i = 0; i < SOURCES; i++) {
        const struct source *s = &sources[i];
        cudaStream_t stream = new_stream(s), other = new_stream(s);
        sv_buffer *buffer = new_buffer(s, NBYTES, 0, (uintptr_t)stream);

        cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, s->device_id, (uintptr_t)other, SV_DEVICE_CUDA, s->device_id,
                                    (uintptr_t)stream), SV_OK);
        use(buffer, other);
        fake_end_stream(other);
        sv_buffer_release(buffer);
        drain(SVI_EFFORT_WAIT);
        fake_end_stream(stream);
    }
    end();
}

/* --- the host --------------------------------------------------------------------------- */

#if CUDART_VERSION >= 13000
enum { SEEDS = 8 };

/* The bytes, by a view that libsv copies to and by the address. */
static void touch(sv_buffer *buffer, int32_t byte, bool is_zero)
{
    static const int64_t extent = NBYTES;
    char *data = sv_buffer_host_data(buffer), from[NBYTES];
    sv_view *dst = NULL, *src = NULL;
    sv_layout *layout = NULL;

    for (int k = 0; is_zero && k < NBYTES; k++)
        cr_assert_eq(data[k], 0);
    memset(from, byte, NBYTES);
    cr_assert_eq(sv_layout_new(1, &extent, NULL, 1, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, SV_UINT8, from, 0, NBYTES, SV_DEVICE_CPU, 0, 0, NULL, NULL, &src), SV_OK);
    cr_assert_eq(sv_view_from_buffer(buffer, NULL, SV_UINT8, 0, 0, &dst), SV_OK);
    cr_expect_eq(sv_copy(dst, src, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(memcmp(data, from, NBYTES), 0);
    cr_expect_eq(sv_fill(dst, "x", 1, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(data[NBYTES - 1], 'x');
    sv_view_release(src);
    sv_view_release(dst);
    sv_layout_release(layout);
}

static sv_status free_nothing(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)ctx, (void)pointer, (void)nbytes, (void)alignment, (void)stream;
    return SV_OK;
}

/* Pinned memory of a pool, whose stream has not done yet what it had to do: made, zeroed, grown, moved, adopted. */
static void check_pinned(const struct source *s, enum fake_policy policy, unsigned seed)
{
    sv_allocator *pool = NULL;
    sv_buffer *buffer, *moved = NULL, *adopted = NULL;
    cudaStream_t stream;
    void *raw = NULL;

    fake_start(policy, seed);
    stream = new_stream(s);
    cr_assert_eq(s->make(&pool), SV_OK, "%s", sv_last_message());
    for (int i = 0; i < 2; i++) {
        buffer = new_buffer(s, NBYTES, i == 1 ? SV_BUFFER_ZERO : 0, (uintptr_t)stream);
        touch(buffer, 1, i == 1);
        cr_expect_eq(sv_buffer_resize(buffer, 0, 0, (uintptr_t)stream), SV_OK);
        cr_expect_eq(sv_buffer_resize(buffer, NBYTES, SV_BUFFER_ZERO, (uintptr_t)stream), SV_OK);
        touch(buffer, 2, true);
        sv_buffer_release(buffer);
    }
    cr_assert_eq(sv_buffer_new(NULL, NBYTES, 0, SV_BUFFER_ZERO, 0, &moved), SV_OK);
    cr_assert_eq(sv_buffer_migrate(moved, pool, 0, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    touch(moved, 3, true);
    sv_buffer_release(moved);
    cr_assert_eq(sv_allocator_allocate(pool, NBYTES, 0, (uintptr_t)stream, &raw), SV_OK);
    cr_assert_eq(sv_buffer_adopt(raw, NBYTES, SV_MEMORY_UNKNOWN, 0, 0, 0, (uintptr_t)stream, free_nothing, NULL,
                                 &adopted), SV_OK, "%s", sv_last_message());
    touch(adopted, 4, false);
    sv_buffer_release(adopted);
    cr_expect_eq(sv_allocator_free(pool, raw, NBYTES, 0, (uintptr_t)stream), SV_OK);
    sv_allocator_release(pool);
    fake_end_stream(stream);
    end();
}

Test(buffer_cuda, pinned_memory_of_pools_is_there_for_the_host)
{
    end();
    for (int i = 0; i < SOURCES; i++)
        for (unsigned seed = 1; sources[i].ordered && sources[i].kind == SV_MEMORY_PINNED && seed <= SEEDS; seed++) {
            check_pinned(&sources[i], FAKE_LAZY, seed);
            check_pinned(&sources[i], FAKE_RANDOM, seed);
        }
}
#endif

/* --- in the order of streams ---------------------------------------------------------- */

/* told: whether the work of another stream is recorded. Without, the free does not wait for it: a fault. */
static const char *free_in_order(const struct source *s, bool told)
{
    cudaStream_t own = new_stream(s), other = new_stream(s);
    sv_buffer *buffer = new_buffer(s, NBYTES, 0, (uintptr_t)own);
    static char text[2000];

    cr_assert_eq(sv_stream_wait(SV_DEVICE_CUDA, s->device_id, (uintptr_t)other, SV_DEVICE_CUDA, s->device_id,
                                (uintptr_t)own), SV_OK);
    cr_assert_eq(svi_cuda_api.set(sv_buffer_data(buffer), 1, NBYTES, other), cudaSuccess);
    if (told)
        record(buffer, other);
    fake_reset();
    sv_buffer_release(buffer);
    cr_expect_eq(fake_count(FAKE_CALL(release_async)), 1, "%s", s->name);
    cr_expect_eq(fake_count(FAKE_CALL(wait)), told, "%s", s->name);
    cr_expect_eq(fake_count(FAKE_CALL(event_synchronize)) + fake_count(FAKE_CALL(synchronize)), 0, "%s", s->name);
    strncpy(text, fake_text(), sizeof text - 1);
    fake_forgive();
    fake_end_stream(own);
    fake_end_stream(other);
    return text;
}

Test(buffer_cuda, memory_of_pools_is_freed_after_all_uses)
{
    for (int i = 0; i < SOURCES; i++) {
        if (!sources[i].ordered)
            continue;
        cr_expect_str_eq(free_in_order(&sources[i], true), "", "%s", sources[i].name);
        cr_expect(free_in_order(&sources[i], false)[0] != '\0', "%s: untold work is a race", sources[i].name);
    }
    end();
}

/* --- detached ---------------------------------------------------------------------------- */

struct recipe {
    void *pointer, *ctx;
    int64_t nbytes, alignment;
    uintptr_t stream;
    sv_free_callback free;
};

static sv_status detach(sv_buffer *buffer, struct recipe *r)
{
    return sv_buffer_detach(buffer, &r->pointer, &r->nbytes, &r->alignment, &r->stream, &r->free, &r->ctx);
}

/* The handle may be gone before, and the caller may be on another device. */
Test(buffer_cuda, detached_memory_is_freed_by_its_recipe)
{
    for (int i = 0; i < SOURCES; i++) {
        const struct source *s = &sources[i];
        cudaStream_t stream = new_stream(s);
        sv_buffer *buffer = new_buffer(s, NBYTES, SV_BUFFER_ZERO, (uintptr_t)stream);
        struct recipe r = {.pointer = NULL};

        cr_assert_eq(detach(buffer, &r), SV_OK, "%s: %s", s->name, sv_last_message());
        cr_expect(r.pointer != NULL && r.nbytes == NBYTES && r.stream == (uintptr_t)stream, "%s", s->name);
        sv_buffer_release(buffer);
        cr_expect_eq(fake_live_memory() > 0, true, "%s", s->name);
        fake_reset();
        fake_set_current(1 - s->device_id);
        cr_expect_eq(r.free(r.ctx, r.pointer, r.nbytes, r.alignment, r.stream), SV_OK, "%s", sv_last_message());
        cr_expect_eq(fake_count(s->free), 1, "%s", s->name);
        cr_expect_eq(fake_current(), 1 - s->device_id, "%s", s->name);
        fake_set_current(0);
        cr_expect_eq(svi_deferred_count(), 0, "%s", s->name);
        fake_end_stream(stream);
    }
    end();
}

/* Nobody gets memory that work still uses, unless a stream's order says when it is done. */
Test(buffer_cuda, detaching_while_work_runs)
{
    for (int i = 0; i < SOURCES; i++) {
        const struct source *s = &sources[i];
        cudaStream_t stream = new_stream(s);
        sv_buffer *buffer = new_buffer(s, NBYTES, 0, (uintptr_t)stream);
        struct recipe r = {.pointer = NULL};

        use(buffer, stream);
        cr_expect_eq(detach(buffer, &r), s->ordered ? SV_OK : SV_ERROR_BLOCKED, "%s: %s", s->name, sv_last_message());
        cr_expect_eq(sv_buffer_is_closed(buffer), s->ordered, "%s", s->name);
        if (!s->ordered) {
            cr_expect_null(r.pointer, "%s", s->name);
            cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
            cr_assert_eq(detach(buffer, &r), SV_OK, "%s: %s", s->name, sv_last_message());
        }
        sv_buffer_release(buffer);
        cr_expect_eq(r.free(r.ctx, r.pointer, r.nbytes, r.alignment, r.stream), SV_OK, "%s", sv_last_message());
        fake_end_stream(stream);
    }
    end();
}
