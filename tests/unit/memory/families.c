/*
 * Memory of a second family of drivers (tests/second) by the same code as CUDA's: allocators, views and copies, the
 * order of streams, frees that are deferred, addresses, other processes, and texts that name it. With both families at
 * once: families_cuda.c.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "device/backends.h"
#include "memory/buffer_adopt.h"
#include "memory/ipc_blob.h"
#include "memory/source_driver.h"
#include "memory/source_pool.h"
#include "second/second.h"

enum { NBYTES = 1000, DEVICE = 1 };

static sv_allocator *new_allocator(sv_memory kind)
{
    sv_allocator *made = NULL;

    cr_assert_eq(svi_driver_allocator(SVI_FAMILY_ROCM, kind, kind == SV_MEMORY_DEVICE ? DEVICE : 0, &made), SV_OK, "%s",
                 sv_last_message());
    return made;
}

static sv_allocator *new_pool(void)
{
    sv_allocator *made = NULL;

    cr_assert_eq(svi_driver_pool_view(SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, DEVICE, 0, &made), SV_OK, "%s",
                 sv_last_message());
    return made;
}

/* The allocator is kept by the buffer alone. */
static sv_buffer *new_buffer(sv_allocator *allocator, uint32_t flags, uintptr_t stream)
{
    sv_buffer *made = NULL;

    cr_assert_eq(sv_buffer_new(allocator, NBYTES, 0, flags, stream, &made), SV_OK, "%s", sv_last_message());
    sv_allocator_release(allocator);
    return made;
}

static void end(void)
{
    int64_t left = -1;

    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, &left), SV_OK, "%s", sv_last_message());
    cr_expect_eq(left, 0);
    cr_expect_eq(second_end(), 0);
}

static bool tells(const char *text)
{
    return strstr(sv_last_message(), text) != NULL;
}

/* --- what there is --------------------------------------------------------------- */

Test(families, its_device_types_have_kinds)
{
    static const struct {
        int32_t type;
        sv_memory kind;
    } rows[] = {
        {SV_DEVICE_CPU, SV_MEMORY_HOST},          {SV_DEVICE_CUDA, SV_MEMORY_DEVICE},
        {SV_DEVICE_CUDA_HOST, SV_MEMORY_PINNED},  {SV_DEVICE_CUDA_MANAGED, SV_MEMORY_MANAGED},
        {SV_DEVICE_ROCM, SV_MEMORY_DEVICE},       {SV_DEVICE_ROCM_HOST, SV_MEMORY_PINNED},
        {SV_DEVICE_ONEAPI, SV_MEMORY_FOREIGN},    {SV_DEVICE_EXT, SV_MEMORY_FOREIGN},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(svi_memory_kind_of(rows[i].type), rows[i].kind, "%d", (int)rows[i].type);
    cr_expect_eq(svi_family_device_type(SVI_FAMILY_ROCM, SV_MEMORY_PINNED), SV_DEVICE_ROCM_HOST);
    cr_expect_eq(svi_family_device_type(SVI_FAMILY_ROCM, SV_MEMORY_MANAGED), 0);
}

Test(families, its_devices_are_ready)
{
    sv_device_state state = SV_STATE_BROKEN;
    int32_t count = 0;
    int64_t value = 0;
    char text[100];

    cr_expect_eq(sv_device_probe(SV_DEVICE_ROCM, &state, &count), SV_OK);
    cr_expect(state == SV_STATE_READY && count == SECOND_DEVICES);
    cr_expect_eq(sv_device_text(SV_DEVICE_ROCM, sizeof text, text, NULL), SV_OK);
    cr_expect_str_eq(text, "ROCm: 3 devices of host memory");
    cr_expect_eq(sv_device_property(SV_DEVICE_ROCM, 2, SV_PROPERTY_MEMORY_FREE, &value), SV_OK);
    cr_expect_eq(value, 2000 + SV_PROPERTY_MEMORY_FREE);
}

Test(families, allocators_have_its_places_and_alignments)
{
    static const struct {
        sv_memory kind;
        int32_t type, id;
        int64_t alignment;
    } rows[] = {
        {SV_MEMORY_PINNED, SV_DEVICE_ROCM_HOST, 0, SECOND_PINNED_ALIGNMENT},
        {SV_MEMORY_DEVICE, SV_DEVICE_ROCM, DEVICE, SECOND_DEVICE_ALIGNMENT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t asked = svi_memory_kinds[rows[i].kind].alignment;
        sv_allocator *allocator = new_allocator(rows[i].kind);
        sv_buffer *buffer;

        cr_expect_eq(sv_allocator_kind(allocator), rows[i].kind);
        cr_expect_eq(sv_allocator_device_type(allocator), rows[i].type);
        cr_expect_eq(sv_allocator_device_id(allocator), rows[i].id);
        cr_expect_eq(sv_allocator_traits(allocator), svi_devices[rows[i].type].traits);
        cr_expect_eq(sv_allocator_alignment(allocator), rows[i].alignment);
        cr_expect_str_eq(sv_allocator_name(allocator), sv_memory_name(rows[i].kind));
        buffer = new_buffer(allocator, 0, 0);
        cr_expect_eq(sv_buffer_device_type(buffer), rows[i].type);
        cr_expect_eq((uintptr_t)sv_buffer_data(buffer) % (uintptr_t)asked, 0);
        sv_buffer_release(buffer);
    }
    end();
}

static sv_status make_managed(sv_allocator **out)
{
    return svi_driver_allocator(SVI_FAMILY_ROCM, SV_MEMORY_MANAGED, 0, out);
}

static sv_status make_on_no_device(sv_allocator **out)
{
    return svi_driver_allocator(SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, SECOND_DEVICES, out);
}

static sv_status make_pinned_pool(sv_allocator **out)
{
    const struct svi_pool_request request = {SV_MEMORY_PINNED, 0, 0, 0, 0};

    return svi_driver_pool(SVI_FAMILY_ROCM, &request, out);
}

static sv_status allocate_too_much(sv_allocator **out)
{
    sv_allocator *allocator = new_allocator(SV_MEMORY_DEVICE);
    void *pointer;
    const sv_status status = sv_allocator_allocate(allocator, SECOND_MOST + 1, 0, 0, &pointer);

    (void)out;
    sv_allocator_release(allocator);
    return status;
}

Test(families, texts_name_it)
{
    static const struct {
        sv_status (*make)(sv_allocator **out);
        sv_status status;
        const char *text;
    } rows[] = {
        {make_managed, SV_ERROR_UNSUPPORTED, "ROCm has no managed memory"},
        {make_on_no_device, SV_ERROR_DEVICE, "ROCm device number 3 of 3"},
        {make_pinned_pool, SV_ERROR_UNSUPPORTED, "ROCm: no pools of pinned memory"},
        {allocate_too_much, SV_ERROR_MEMORY, "ROCm: no memory for 65537 bytes"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sv_allocator *out = NULL;

        cr_expect_eq(rows[i].make(&out), rows[i].status, "%s", rows[i].text);
        cr_expect_str_eq(sv_last_message(), rows[i].text);
        cr_expect_null(out);
    }
    end();
}

/* --- views and copies -------------------------------------------------------------- */

enum { ROWS = 20, COLUMNS = 50 };

static sv_view *view_of(sv_buffer *buffer, bool transposed)
{
    static const int64_t shape[] = {ROWS, COLUMNS}, strides[] = {COLUMNS, 1};
    static const int64_t other[] = {ROWS, COLUMNS}, columns[] = {1, ROWS};
    sv_layout *layout = NULL;
    sv_view *view = NULL;

    cr_assert_eq(sv_layout_new(2, transposed ? other : shape, transposed ? columns : strides, 1, &layout), SV_OK);
    cr_assert_eq(sv_view_from_buffer(buffer, layout, SV_UINT8, 0, 0, &view), SV_OK, "%s", sv_last_message());
    sv_layout_release(layout);
    return view;
}

static void copy(sv_buffer *dst, bool transposed, sv_buffer *src, uint32_t flags, uintptr_t stream)
{
    sv_view *to = view_of(dst, transposed), *from = view_of(src, false);

    cr_expect_eq(sv_copy(to, from, flags, stream), SV_OK, "%s", sv_last_message());
    sv_view_release(to);
    sv_view_release(from);
}

static sv_buffer *new_numbers(void)
{
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_buffer_new(NULL, NBYTES, 0, 0, 0, &buffer), SV_OK);
    for (int i = 0; i < NBYTES; i++)
        ((unsigned char *)sv_buffer_data(buffer))[i] = (unsigned char)(i * 7 + i / 256);
    return buffer;
}

/* From the host, on the device, and back by pinned memory; the bytes are there when the stream was waited for. */
Test(families, copies_of_views)
{
    const uintptr_t stream = second_new_stream(DEVICE);
    sv_buffer *numbers = new_numbers(), *back = new_buffer(new_allocator(SV_MEMORY_PINNED), SV_BUFFER_ZERO, 0);
    sv_buffer *first = new_buffer(new_allocator(SV_MEMORY_DEVICE), 0, 0);
    sv_buffer *second = new_buffer(new_allocator(SV_MEMORY_DEVICE), 0, 0);
    const unsigned char *from = sv_buffer_data(numbers), *to = sv_buffer_host_data(back);

    copy(first, false, numbers, 0, stream);
    copy(second, true, first, 0, stream);
    copy(back, false, second, 0, stream);
    cr_expect(to[0] == 0 && memcmp(to, to + 1, NBYTES - 1) == 0, "the stream has not done it yet");
    cr_expect_eq(sv_stream_synchronize(SV_DEVICE_ROCM, DEVICE, stream), SV_OK);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++)
            cr_assert_eq(to[k * ROWS + i], from[i * COLUMNS + k], "%d, %d", i, k);
    sv_buffer_release(numbers);
    sv_buffer_release(first);
    sv_buffer_release(second);
    sv_buffer_release(back);
    second_end_stream(stream);
    end();
}

/* Zeros, items, and runs that share bytes, for which the device's pool has the temporary. */
Test(families, fills_and_runs)
{
    sv_buffer *buffer = new_buffer(new_pool(), SV_BUFFER_ZERO, 0);
    const uint32_t item = 0x04030201;
    unsigned char bytes[NBYTES];

    cr_expect_eq(sv_buffer_read(buffer, 0, bytes, NBYTES, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect(bytes[0] == 0 && memcmp(bytes, bytes + 1, NBYTES - 1) == 0);
    cr_expect_eq(sv_buffer_fill(buffer, 0, NBYTES, &item, sizeof item, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_copy(buffer, 2, buffer, 0, NBYTES - 2, 0, 0), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_read(buffer, 0, bytes, NBYTES, 0, 0), SV_OK, "%s", sv_last_message());
    for (int i = 0; i < NBYTES; i++)
        cr_assert_eq(bytes[i], i < 2 ? i % 4 + 1 : (i - 2) % 4 + 1, "%d", i);
    sv_buffer_release(buffer);
    end();
}

/* Its limits: no device reaches another one, and none converts. */
Test(families, copies_that_it_cannot_do)
{
    sv_allocator *other = NULL;
    sv_buffer *here = new_buffer(new_allocator(SV_MEMORY_DEVICE), 0, 0), *there;
    sv_view *dst, *src;

    cr_assert_eq(svi_driver_allocator(SVI_FAMILY_ROCM, SV_MEMORY_DEVICE, 2, &other), SV_OK);
    there = new_buffer(other, 0, 0);
    dst = view_of(there, false);
    src = view_of(here, false);
    cr_expect_eq(sv_copy(dst, src, 0, 0), SV_ERROR_UNSUPPORTED);
    cr_expect(tells("no backend copies from ROCm device 1 to ROCm device 2"), "%s", sv_last_message());
    sv_view_release(dst);
    sv_view_release(src);
    sv_buffer_release(here);
    sv_buffer_release(there);
    end();
}

/* --- the order of work --------------------------------------------------------------- */

Test(families, streams_wait_for_each_other)
{
    const uintptr_t first = second_new_stream(0), then = second_new_stream(DEVICE);
    sv_buffer *pinned = new_buffer(new_allocator(SV_MEMORY_PINNED), SV_BUFFER_ZERO, 0);

    cr_expect_eq(second_driver.set(0, sv_buffer_data(pinned), 5, NBYTES, first), SV_OK);
    cr_expect_eq(sv_stream_wait(SV_DEVICE_ROCM, DEVICE, then, SV_DEVICE_ROCM, 0, first), SV_OK);
    cr_expect_eq(*(char *)sv_buffer_data(pinned), 0);
    second_run(then);
    cr_expect_eq(*(char *)sv_buffer_data(pinned), 5);
    cr_expect_eq(sv_stream_wait(SV_DEVICE_ROCM, 0, 2, SV_DEVICE_ROCM, 0, first), SV_ERROR_INVALID);
    cr_expect(tells("ROCm: there is no stream number 2"), "%s", sv_last_message());
    sv_buffer_release(pinned);
    second_end_stream(first);
    second_end_stream(then);
    end();
}

/* Memory of no stream is freed when its uses are done, that of a pool after them on its own stream. */
Test(families, frees_come_after_uses)
{
    for (int ordered = 0; ordered <= 1; ordered++) {
        const uintptr_t stream = second_new_stream(DEVICE);
        sv_buffer *buffer = new_buffer(ordered ? new_pool() : new_allocator(SV_MEMORY_DEVICE), 0, 0);
        void *data = sv_buffer_data(buffer);
        sv_memory kind = SV_MEMORY_UNKNOWN;

        cr_expect_eq(second_driver.set(DEVICE, data, 1, NBYTES, stream), SV_OK);
        cr_expect_eq(sv_buffer_record_use(buffer, stream), SV_OK, "%s", sv_last_message());
        memset(second_counts, 0, sizeof second_counts);
        sv_buffer_release(buffer);
        cr_expect_eq(second_counts[SECOND_ORDER], ordered);
        cr_expect_eq(second_counts[SECOND_FREE_IN_ORDER], ordered);
        cr_expect_eq(svi_deferred_count(), !ordered);
        cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
        cr_expect_eq(second_counts[SECOND_FREE], 0);
        cr_expect_eq(sv_pointer_query(data, &kind, NULL, NULL, NULL, NULL), SV_OK);
        cr_expect_eq(kind, SV_MEMORY_DEVICE, "it is still there");
        second_run(stream);
        cr_expect_eq(sv_memory_collect(0, NULL), SV_OK);
        cr_expect_eq(second_counts[SECOND_FREE], !ordered);
        cr_expect_eq(sv_stream_synchronize(SV_DEVICE_ROCM, DEVICE, 0), SV_OK);
        second_end_stream(stream);
        end();
    }
}

Test(families, a_buffer_changes_its_stream)
{
    const uintptr_t first = second_new_stream(DEVICE), then = second_new_stream(DEVICE);
    sv_buffer *buffer = new_buffer(new_pool(), SV_BUFFER_ZERO, first);

    memset(second_counts, 0, sizeof second_counts);
    cr_expect_eq(sv_buffer_set_stream(buffer, then), SV_OK, "%s", sv_last_message());
    cr_expect(second_counts[SECOND_RECORD] == 1 && second_counts[SECOND_ORDER] == 1);
    sv_buffer_release(buffer);
    second_end_stream(then); /* which does what it waits for */
    second_end_stream(first);
    end();
}

/* --- addresses -------------------------------------------------------------------------- */

Test(families, pointers_are_told)
{
    sv_buffer *pinned = new_buffer(new_allocator(SV_MEMORY_PINNED), 0, 0), *pool = new_buffer(new_pool(), 0, 0);
    sv_memory kind = SV_MEMORY_UNKNOWN;
    void *device_address = NULL, *host_address = NULL;
    uint32_t traits = 0;
    int32_t id = -1;

    cr_expect_eq(sv_pointer_query((char *)sv_buffer_data(pinned) + 5, &kind, &traits, &id, &device_address,
                                  &host_address), SV_OK);
    cr_expect(kind == SV_MEMORY_PINNED && traits == SV_TRAIT_HOST && id == 0 && host_address == device_address);
    cr_expect_eq(sv_pointer_query(sv_buffer_data(pool), &kind, &traits, &id, &device_address, &host_address), SV_OK);
    cr_expect(kind == SV_MEMORY_DEVICE && traits == SV_TRAIT_ORDERED && id == DEVICE && host_address == NULL);
    cr_expect_eq(sv_pointer_query(&kind, &kind, &traits, &id, &device_address, &host_address), SV_OK);
    cr_expect_eq(kind, SV_MEMORY_HOST);
    sv_buffer_release(pinned);
    sv_buffer_release(pool);
    end();
}

Test(families, memory_is_adopted_and_registered)
{
    sv_buffer *buffer = new_buffer(new_allocator(SV_MEMORY_DEVICE), 0, 0), *adopted = NULL, *registered = NULL;
    void *data = sv_buffer_data(buffer);
    char pages[NBYTES];

    cr_expect_eq(sv_buffer_adopt(data, NBYTES, SV_MEMORY_UNKNOWN, 0, 0, SV_BUFFER_BORROWED, 0, NULL, NULL, &adopted),
                 SV_OK, "%s", sv_last_message());
    cr_expect(sv_buffer_kind(adopted) == SV_MEMORY_DEVICE && sv_buffer_device_type(adopted) == SV_DEVICE_ROCM &&
              sv_buffer_device_id(adopted) == DEVICE);
    sv_buffer_release(adopted);
    cr_expect_eq(sv_buffer_adopt(data, NBYTES, SV_MEMORY_DEVICE, SV_DEVICE_ROCM, 2, SV_BUFFER_BORROWED, 0, NULL, NULL,
                                 &adopted), SV_ERROR_DEVICE);
    cr_expect(tells("said to be device memory of ROCm device 2, and is device memory of ROCm device 1"), "%s",
              sv_last_message());
    cr_expect_eq(svi_buffer_register(SVI_FAMILY_ROCM, pages, NBYTES, 0, NULL, NULL, &registered), SV_OK, "%s",
                 sv_last_message());
    cr_expect(sv_buffer_device_type(registered) == SV_DEVICE_ROCM_HOST && sv_buffer_host_data(registered) == pages);
    sv_buffer_release(registered);
    sv_buffer_release(buffer);
    end();
}

/* --- other processes ---------------------------------------------------------------------- */

Test(families, memory_of_other_processes)
{
    sv_buffer *buffer = new_buffer(new_allocator(SV_MEMORY_DEVICE), SV_BUFFER_ZERO, 0), *opened = NULL;
    struct svi_ipc_blob blob;

    cr_assert_eq(sv_buffer_export_ipc(buffer, sizeof blob, &blob, NULL), SV_OK, "%s", sv_last_message());
    blob.process.id += 1 << 30; /* as another process would have written it */
    svi_ipc_seal(&blob);
    cr_assert_eq(sv_buffer_import_ipc(&blob, sizeof blob, 0, &opened), SV_OK, "%s", sv_last_message());
    cr_expect(sv_buffer_device_type(opened) == SV_DEVICE_ROCM && sv_buffer_device_id(opened) == DEVICE);
    cr_expect_eq(sv_buffer_data(opened), sv_buffer_data(buffer));
    cr_expect(sv_buffer_traits(opened) & SV_TRAIT_SHARED);
    sv_buffer_release(opened);
    cr_expect_eq(sv_memory_collect(SV_COLLECT_WAIT, NULL), SV_OK, "%s", sv_last_message());
    sv_buffer_release(buffer);
    end();
}
