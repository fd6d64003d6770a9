/*
 * Two families of drivers at once: CUDA's over the fake runtime, and a second one (tests/second). Each keeps its own
 * events, deferred memory and scratch, and nothing goes by the wrong driver.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "device/backends.h"
#include "memory/buffer.h"
#include "memory/source_driver.h"
#include "memory/source_pool.h"
#include "memory/storage_work.h"
#include "fake/fake.h"
#include "second/second.h"

enum { NBYTES = 1000 };

static void start(void)
{
    fake_start(FAKE_LAZY, 1);
}

TestSuite(families_cuda, .init = start);

static void end(void)
{
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
    cr_expect_eq(second_end(), 0);
    cr_expect_str_eq(fake_end(), "", "%s", fake_text());
}

static sv_allocator *new_allocator(enum svi_family family, sv_memory kind)
{
    sv_allocator *made = NULL;

    cr_assert_eq(svi_driver_allocator(family, kind, 0, &made), SV_OK, "%s", sv_last_message());
    return made;
}

static sv_buffer *new_buffer(enum svi_family family, sv_memory kind)
{
    sv_allocator *allocator = new_allocator(family, kind);
    sv_buffer *made = NULL;

    cr_assert_eq(sv_buffer_new(allocator, NBYTES, 0, SV_BUFFER_ZERO, 0, &made), SV_OK, "%s", sv_last_message());
    sv_allocator_release(allocator);
    return made;
}

static bool tells(const char *text)
{
    return strstr(sv_last_message(), text) != NULL;
}

/* --- frees ----------------------------------------------------------------------- */

/* An allocation frees what was deferred of its own device, and nothing of another driver's of the same number. */
Test(families_cuda, deferred_memory_is_of_one_driver)
{
    static const enum svi_family families[] = {SVI_FAMILY_CUDA, SVI_FAMILY_ROCM};

    for (int i = 0; i < 2; i++) {
        sv_buffer *first = new_buffer(families[0], SV_MEMORY_DEVICE);
        sv_buffer *second = new_buffer(families[1], SV_MEMORY_DEVICE);

        fake_reset();
        memset(second_counts, 0, sizeof second_counts);
        sv_buffer_release(first);
        sv_buffer_release(second);
        cr_expect_eq(svi_deferred_count(), 2);
        first = new_buffer(families[i], SV_MEMORY_DEVICE);
        cr_expect_eq(svi_deferred_count(), 1);
        cr_expect_eq(fake_count(FAKE_CALL(release)), i == 0);
        cr_expect_eq(second_counts[SECOND_FREE], i == 1);
        sv_buffer_release(first);
        cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
        cr_expect_eq(second_counts[SECOND_TRIM], 1);
        cr_expect_eq(svi_deferred_count(), 0);
    }
    end();
}

/* Work of both drivers uses one memory: its free comes after both, whichever is done first. */
Test(families_cuda, a_free_comes_after_the_uses_of_both)
{
    for (int i = 0; i < 2; i++) {
        const uintptr_t other = second_new_stream(0);
        cudaStream_t stream = fake_new_stream(0, cudaStreamNonBlocking);
        sv_buffer *buffer = new_buffer(SVI_FAMILY_CUDA, SV_MEMORY_PINNED);
        char byte;

        cr_assert_eq(svi_cuda_api.set(sv_buffer_data(buffer), 1, NBYTES, stream), cudaSuccess);
        cr_assert_eq(second_driver.set(0, &byte, 2, 1, other), SV_OK);
        cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)stream), SV_OK);
        cr_assert_eq(svi_uses_record(&buffer->storage.uses, (struct svi_device){SV_DEVICE_ROCM, 0}, other), SV_OK);
        fake_reset();
        sv_buffer_release(buffer);
        if (i == 0)
            cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
        else
            second_run(other);
        cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
        cr_expect_eq(svi_deferred_count(), 1, "%d: one of the two is not done", i);
        cr_expect_eq(fake_count(FAKE_CALL(release_host)), 0);
        if (i == 0)
            second_run(other);
        else
            cr_assert_eq(svi_cuda_api.synchronize(stream), cudaSuccess);
        cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
        cr_expect_eq(svi_deferred_count(), 0);
        cr_expect_eq(fake_count(FAKE_CALL(release_host)), 1);
        fake_end_stream(stream);
        second_end_stream(other);
    }
    end();
}

/* A stream waits for events of its own driver. For those of another one the host waits, or the free does. */
Test(families_cuda, events_of_the_other_driver)
{
    const struct svi_device cuda = {SV_DEVICE_CUDA, 0}, rocm = {SV_DEVICE_ROCM, 0};
    const uintptr_t other = second_new_stream(0);
    cudaStream_t stream = fake_new_stream(0, cudaStreamNonBlocking);
    sv_buffer *work = new_buffer(SVI_FAMILY_ROCM, SV_MEMORY_DEVICE);
    struct svi_uses uses = {.first = NULL};
    int64_t left = -1;

    cr_assert_eq(second_driver.set(0, sv_buffer_data(work), 2, NBYTES, other), SV_OK);
    cr_assert_eq(svi_uses_record(&uses, cuda, (uintptr_t)stream), SV_OK);
    cr_assert_eq(svi_uses_record(&uses, rocm, other), SV_OK);
    fake_reset();
    memset(second_counts, 0, sizeof second_counts);

    cr_expect_eq(svi_uses_order(&uses, cuda, (uintptr_t)stream, false, &left), SV_OK, "%s", sv_last_message());
    cr_expect(left == 1 && fake_count(FAKE_CALL(wait)) == 1 && second_counts[SECOND_WAIT] == 0);
    cr_expect_eq(svi_uses_follow(&uses, cuda, (uintptr_t)stream), SV_OK, "%s", sv_last_message());
    cr_expect(second_counts[SECOND_WAIT] == 1 && second_counts[SECOND_ORDER] == 0);
    cr_expect(svi_uses_has(&uses), "followed ones are kept");
    cr_expect_eq(svi_uses_order(&uses, cuda, (uintptr_t)stream, false, &left), SV_OK);
    cr_expect(left == 0 && !svi_uses_has(&uses) && second_counts[SECOND_END_EVENT] == 1);

    cr_assert_eq(second_driver.set(0, sv_buffer_data(work), 2, NBYTES, other), SV_OK);
    cr_assert_eq(svi_uses_record(&uses, rocm, other), SV_OK);
    cr_expect_eq(svi_uses_order(&uses, cuda, (uintptr_t)stream, true, &left), SV_OK);
    cr_expect(left == 0 && second_counts[SECOND_WAIT] == 2);
    sv_buffer_release(work);
    fake_end_stream(stream);
    second_end_stream(other);
    end();
}

/* No stream of a pool's driver can wait for the other driver's work: the memory is kept until it is done, or waited
 * for, and nobody is handed it before. */
Test(families_cuda, memory_of_pools_waits_for_the_other_driver)
{
    cudaStream_t stream = fake_new_stream(0, cudaStreamNonBlocking);
    sv_buffer *busy = new_buffer(SVI_FAMILY_CUDA, SV_MEMORY_DEVICE), *buffer = NULL;
    void *pointer, *ctx;
    int64_t nbytes, alignment;
    sv_allocator *pool = NULL;
    sv_free_callback free;
    uintptr_t own;

    cr_assert_eq(svi_driver_pool_view(SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, 0, 0, &pool), SV_OK, "%s", sv_last_message());
    cr_assert_eq(sv_buffer_new(pool, NBYTES, 0, 0, 0, &buffer), SV_OK);
    sv_allocator_release(pool);
    cr_assert_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, 0), SV_OK);
    cr_assert_eq(svi_cuda_api.set(sv_buffer_data(busy), 1, NBYTES, stream), cudaSuccess);
    cr_assert_eq(sv_buffer_record_use(busy, (uintptr_t)stream), SV_OK);
    cr_assert_eq(svi_uses_record(&buffer->storage.uses, (struct svi_device){SV_DEVICE_CUDA, 0}, (uintptr_t)stream),
                 SV_OK);
    cr_expect_eq(sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &own, &free, &ctx), SV_ERROR_BLOCKED);
    memset(second_counts, 0, sizeof second_counts);
    sv_buffer_release(buffer);
    cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
    cr_expect(second_counts[SECOND_FREE_IN_ORDER] == 0 && svi_deferred_count() == 1);
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK);
    cr_expect(second_counts[SECOND_FREE_IN_ORDER] == 1 && svi_deferred_count() == 0);
    sv_buffer_release(busy);
    fake_end_stream(stream);
    end();
}

/* --- migration ---------------------------------------------------------------------- */

static void check_byte(const sv_buffer *buffer, int expected)
{
    unsigned char byte = 0;

    cr_expect_eq(sv_buffer_read(buffer, NBYTES - 1, &byte, 1, SV_COPY_BLOCKING, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(byte, expected);
}

static sv_status migrate(sv_buffer *buffer, enum svi_family family, sv_memory kind, uintptr_t stream)
{
    sv_allocator *allocator = new_allocator(family, kind);
    const sv_status status = sv_buffer_migrate(buffer, allocator, 0, stream);

    sv_allocator_release(allocator);
    return status;
}

/* There and back. No backend copies from device to device, so each goes by the pinned memory of either family. */
Test(families_cuda, buffers_migrate)
{
    static const struct {
        enum svi_family family;
        sv_memory kind;
    } way[] = {
        {SVI_FAMILY_CUDA, SV_MEMORY_PINNED}, {SVI_FAMILY_ROCM, SV_MEMORY_DEVICE}, {SVI_FAMILY_ROCM, SV_MEMORY_PINNED},
        {SVI_FAMILY_ROCM, SV_MEMORY_DEVICE}, {SVI_FAMILY_CUDA, SV_MEMORY_PINNED}, {SVI_FAMILY_ROCM, SV_MEMORY_PINNED},
        {SVI_FAMILY_CUDA, SV_MEMORY_PINNED}, {SVI_FAMILY_CUDA, SV_MEMORY_DEVICE},
    };
    sv_buffer *buffer = new_buffer(SVI_FAMILY_CUDA, SV_MEMORY_DEVICE);
    const unsigned char item = 77;

    cr_assert_eq(sv_buffer_fill(buffer, 0, NBYTES, &item, 1, SV_COPY_BLOCKING, 0), SV_OK);
    cr_expect_eq(migrate(buffer, SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, 0), SV_ERROR_UNSUPPORTED);
    cr_expect(tells("no backend copies from CUDA device 0 to ROCm device 0"), "%s", sv_last_message());
    cr_expect_eq(sv_buffer_device_type(buffer), SV_DEVICE_CUDA);
    check_byte(buffer, item);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        cr_expect_eq(migrate(buffer, way[i].family, way[i].kind, 0), SV_OK, "%zu: %s", i, sv_last_message());
        cr_expect_eq(sv_stream_synchronize(SV_DEVICE_CUDA, 0, 0), SV_OK);
        cr_expect_eq(sv_stream_synchronize(SV_DEVICE_ROCM, 0, 0), SV_OK);
        cr_expect_eq(sv_buffer_device_type(buffer), svi_family_device_type(way[i].family, way[i].kind), "%zu", i);
        check_byte(buffer, item);
    }
    sv_buffer_release(buffer);
    end();
}

/* What one driver's stream still does with the old memory is waited for, and the old memory outlives the copy of the
 * other driver's stream. */
Test(families_cuda, migration_keeps_the_order)
{
    const uintptr_t other = second_new_stream(0);
    cudaStream_t stream = fake_new_stream(0, cudaStreamNonBlocking);
    sv_buffer *buffer = new_buffer(SVI_FAMILY_CUDA, SV_MEMORY_PINNED);

    cr_assert_eq(svi_cuda_api.set(sv_buffer_data(buffer), 9, NBYTES, stream), cudaSuccess);
    cr_assert_eq(sv_buffer_record_use(buffer, (uintptr_t)stream), SV_OK);
    fake_reset();
    memset(second_counts, 0, sizeof second_counts);
    cr_assert_eq(migrate(buffer, SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, other), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_stream(buffer), other);
    cr_expect_eq(second_counts[SECOND_COPY], 1);
    cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
    cr_expect_eq(fake_count(FAKE_CALL(release_host)), 0, "the copy reads it still");
    second_run(other);
    cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
    cr_expect_eq(fake_count(FAKE_CALL(release_host)), 1);
    check_byte(buffer, 9);
    sv_buffer_release(buffer);
    fake_end_stream(stream);
    second_end_stream(other);
    end();
}

/* Memory of a CUDA pool is freed on its own stream, since the caller's is one of the other driver. */
Test(families_cuda, pools_keep_their_streams)
{
    const uintptr_t other = second_new_stream(0);
    cudaStream_t stream = fake_new_stream(0, cudaStreamNonBlocking);
    sv_allocator *pool = NULL;
    sv_buffer *buffer = NULL;

    if (sv_allocator_pool(SV_MEMORY_PINNED, 0, 0, 0, 0, &pool) == SV_OK) {
        cr_assert_eq(sv_buffer_new(pool, NBYTES, 0, SV_BUFFER_ZERO, (uintptr_t)stream, &buffer), SV_OK);
        cr_assert_eq(migrate(buffer, SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, other), SV_OK, "%s", sv_last_message());
        cr_expect_eq(svi_deferred_count(), 1, "the copy reads it still");
        second_run(other);
        cr_expect_eq(sv_memory_collect(0, NULL), SV_OK, "%s", sv_last_message());
        cr_expect_eq(svi_deferred_count(), 0);
        check_byte(buffer, 0);
        cr_expect_eq(sv_buffer_migrate(buffer, pool, 0, other), SV_OK, "%s", sv_last_message());
        cr_expect_eq(sv_buffer_stream(buffer), 0);
        second_run(other);
        cr_expect_eq(*(char *)sv_buffer_host_data(buffer), 0);
        sv_buffer_release(buffer);
        cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
        sv_allocator_release(pool);
    }
    fake_end_stream(stream);
    second_end_stream(other);
    end();
}

/* --- addresses, streams and scratch ---------------------------------------------------- */

Test(families_cuda, each_address_is_known_to_its_driver)
{
    static const struct {
        enum svi_family family;
        sv_memory kind;
    } rows[] = {
        {SVI_FAMILY_CUDA, SV_MEMORY_PINNED}, {SVI_FAMILY_CUDA, SV_MEMORY_DEVICE}, {SVI_FAMILY_CUDA, SV_MEMORY_MANAGED},
        {SVI_FAMILY_ROCM, SV_MEMORY_PINNED}, {SVI_FAMILY_ROCM, SV_MEMORY_DEVICE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_buffer *buffer = new_buffer(rows[i].family, rows[i].kind), *adopted = NULL;
        const int32_t type = sv_buffer_device_type(buffer);
        const int32_t other = type == SV_DEVICE_CUDA ? SV_DEVICE_ROCM : SV_DEVICE_CUDA;
        void *data = sv_buffer_data(buffer);
        sv_memory kind = SV_MEMORY_UNKNOWN;

        cr_expect_eq(sv_pointer_query(data, &kind, NULL, NULL, NULL, NULL), SV_OK);
        cr_expect_eq(kind, rows[i].kind, "%zu", i);
        cr_expect_eq(sv_buffer_adopt(data, NBYTES, SV_MEMORY_UNKNOWN, 0, 0, SV_BUFFER_BORROWED, 0, NULL, NULL,
                                     &adopted), SV_OK);
        cr_expect_eq(sv_buffer_device_type(adopted), type, "%zu", i);
        sv_buffer_release(adopted);
        cr_expect_eq(sv_buffer_adopt(data, NBYTES, SV_MEMORY_DEVICE, other, 0, SV_BUFFER_BORROWED, 0, NULL, NULL,
                                     &adopted), SV_ERROR_DEVICE);
        if (kind == SV_MEMORY_DEVICE)
            cr_expect(tells("ROCm device 0") && tells("CUDA device 0"), "%s", sv_last_message());
        sv_buffer_release(buffer);
    }
    end();
}

Test(families_cuda, streams_of_two_drivers_are_in_no_order)
{
    cr_expect_eq(sv_stream_wait(SV_DEVICE_ROCM, 0, 0, SV_DEVICE_CUDA, 0, 0), SV_ERROR_UNSUPPORTED);
    cr_expect(tells("streams of ROCm and of CUDA devices in order"), "%s", sv_last_message());
    cr_expect_eq(sv_stream_wait(SV_DEVICE_ROCM, 0, 0, SV_DEVICE_ROCM_HOST, 0, 1), SV_OK, "one stream, two names");
    end();
}

Test(families_cuda, scratch_is_of_the_driver_that_copies)
{
    static const int64_t extent = NBYTES;
    sv_allocator *scratch = new_allocator(SVI_FAMILY_CUDA, SV_MEMORY_DEVICE);
    sv_buffer *buffer = new_buffer(SVI_FAMILY_ROCM, SV_MEMORY_DEVICE);
    char bytes[NBYTES];
    sv_layout *layout = NULL;
    sv_view *dst = NULL, *src = NULL;
    sv_plan *plan = NULL, *with = NULL;

    cr_assert_eq(sv_layout_new(1, &extent, NULL, 1, &layout), SV_OK);
    cr_assert_eq(sv_view_new(layout, SV_UINT8, bytes, 0, NBYTES, SV_DEVICE_CPU, 0, 0, NULL, NULL, &dst), SV_OK);
    cr_assert_eq(sv_view_from_buffer(buffer, layout, SV_UINT8, 0, 0, &src), SV_OK);
    cr_expect_eq(sv_copy_with(dst, src, scratch, 0, 0), SV_ERROR_DEVICE);
    cr_expect_str_eq(sv_last_message(), "scratch is memory of a CUDA device, where ROCm copies");
    cr_assert_eq(sv_plan_new(dst, src, 0, &plan), SV_OK);
    cr_expect_eq(sv_plan_with_allocator(plan, scratch, &with), SV_ERROR_DEVICE);
    sv_allocator_release(scratch);
    scratch = new_allocator(SVI_FAMILY_ROCM, SV_MEMORY_DEVICE);
    cr_expect_eq(sv_copy_with(dst, src, scratch, 0, 0), SV_OK, "%s", sv_last_message());
    sv_allocator_release(scratch);
    sv_plan_release(plan);
    sv_view_release(src);
    sv_view_release(dst);
    sv_layout_release(layout);
    sv_buffer_release(buffer);
    end();
}
