/* Allocators of two functions: what these are given, what they answer, and what becomes of it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "memory/allocator.h"

/* A caller's allocator: it answers status, or a piece of its memory moved by so many bytes. */
struct heap {
    sv_status status, free_status;
    bool by_libsv; /* fails by a call of libsv, which leaves a text */
    bool null;
    int moved;
    int allocated, freed, released;
    int64_t nbytes, alignment;
    uintptr_t stream;
    _Alignas(4096) char memory[8192];
};

static sv_status allocate(void *ctx, int64_t nbytes, int64_t alignment, uintptr_t stream, void **out)
{
    struct heap *heap = ctx;
    sv_layout *layout = NULL;
    const int64_t negative = -5;

    heap->allocated++;
    heap->nbytes = nbytes;
    heap->alignment = alignment;
    heap->stream = stream;
    *out = heap->memory + 1; /* also of those that fail: it must not be looked at */
    if (heap->by_libsv)
        return sv_layout_new(1, &negative, NULL, 1, &layout);
    if (heap->status != SV_OK)
        return heap->status;
    *out = heap->null ? NULL : heap->memory + heap->moved;
    return SV_OK;
}

static sv_status release_memory(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    struct heap *heap = ctx;

    heap->freed++;
    cr_expect_eq(pointer, heap->memory + heap->moved);
    cr_expect(nbytes == heap->nbytes && alignment == heap->alignment);
    heap->stream = stream;
    return heap->free_status;
}

static void end(void *ctx)
{
    ((struct heap *)ctx)->released++;
}

static sv_allocator *over(struct heap *heap)
{
    sv_allocator *a = NULL;

    cr_assert_eq(sv_allocator_callbacks(SV_MEMORY_HOST, SV_DEVICE_CPU, 0, allocate, release_memory, end, heap, &a),
                 SV_OK);
    return a;
}

Test(allocator_callbacks, get_what_was_asked_for_and_are_released_once)
{
    static struct heap heap;
    sv_allocator *a = over(&heap);
    void *pointer = NULL;

    cr_expect_str_eq(sv_allocator_name(a), "callbacks");
    cr_assert_eq(sv_allocator_allocate(a, 100, 1024, 77, &pointer), SV_OK);
    cr_expect_eq(pointer, heap.memory);
    cr_expect(heap.nbytes == 100 && heap.alignment == 1024 && heap.stream == 77);
    cr_expect_eq(sv_allocator_free(a, pointer, 100, 1024, 78), SV_OK);
    cr_expect_eq(heap.stream, 78);
    cr_assert_eq(sv_allocator_allocate(a, 100, 0, 0, &pointer), SV_OK);
    cr_expect_eq(heap.alignment, 64);
    sv_allocator_release(sv_allocator_retain(a));
    cr_expect_eq(heap.released, 0);
    sv_allocator_release(a);
    cr_expect_eq(heap.released, 1);
}

Test(allocator_callbacks, are_not_called_for_nothing)
{
    static struct heap heap;
    sv_allocator *a = over(&heap);
    void *pointer = &heap;

    cr_expect_eq(sv_allocator_allocate(a, 0, 64, 0, &pointer), SV_OK);
    cr_expect_null(pointer);
    cr_expect_eq(sv_allocator_free(a, NULL, 0, 64, 0), SV_OK);
    cr_expect_eq(sv_allocator_allocate(a, -1, 64, 0, &pointer), SV_ERROR_INVALID);
    cr_expect_eq(sv_allocator_allocate(a, 1, 65, 0, &pointer), SV_ERROR_INVALID);
    cr_expect(heap.allocated == 0 && heap.freed == 0);
    sv_allocator_release(a);
}

Test(allocator_callbacks, errors_travel_with_a_text)
{
    static const struct {
        sv_status answered, told;
        const char *text;
    } cases[] = {
        {SV_ERROR_MEMORY, SV_ERROR_MEMORY, "answered SV_ERROR_MEMORY"},
        {SV_ERROR_CUDA, SV_ERROR_CUDA, "answered SV_ERROR_CUDA"},
        {SV_ERROR_BUFFER, SV_ERROR_BUFFER, "answered SV_ERROR_BUFFER"},
        {1, SV_ERROR_INVALID, "answered 1, which is no status"},
        {INT32_MAX, SV_ERROR_INVALID, "which is no status"},
        {-4000, SV_ERROR_INVALID, "answered -4000"},
        {INT32_MIN, SV_ERROR_INVALID, "which is no status"},
    };
    static struct heap heap;
    sv_allocator *a = over(&heap);
    void *pointer = &heap;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heap.status = cases[i].answered;
        cr_expect_eq(sv_allocator_allocate(a, 8, 8, 0, &pointer), cases[i].told, "row %zu", i);
        cr_expect_not_null(strstr(sv_last_message(), cases[i].text), "row %zu: %s", i, sv_last_message());
        heap.free_status = cases[i].answered;
        cr_expect_eq(sv_allocator_free(a, heap.memory, 8, 8, 0), cases[i].told, "row %zu", i);
        cr_expect_not_null(strstr(sv_last_message(), cases[i].text), "row %zu: %s", i, sv_last_message());
    }
    cr_expect_eq(pointer, &heap);
    heap.by_libsv = true;
    cr_expect_eq(sv_allocator_allocate(a, 8, 8, 0, &pointer), SV_ERROR_INVALID);
    cr_expect_not_null(strstr(sv_last_message(), "-5"), "the text of the call inside: %s", sv_last_message());
    sv_allocator_release(a);
}

Test(allocator_callbacks, bad_addresses_are_given_back)
{
    static struct heap heap;
    sv_allocator *a = over(&heap);
    void *pointer = &heap;

    heap.moved = 32;
    cr_expect_eq(sv_allocator_allocate(a, 8, 64, 0, &pointer), SV_ERROR_ALIGNMENT);
    cr_expect_eq(heap.freed, 1);
    cr_expect_eq(sv_allocator_allocate(a, 8, 32, 0, &pointer), SV_OK);
    heap.null = true;
    cr_expect_eq(sv_allocator_allocate(a, 8, 32, 0, &pointer), SV_ERROR_MEMORY);
    cr_expect_not_null(strstr(sv_last_message(), "NULL"));
    cr_expect_eq(heap.freed, 1);
    sv_allocator_release(a);
}

Test(allocator_callbacks, handles_are_no_addresses)
{
    static struct heap heap = {.moved = 1};
    sv_allocator *a = NULL;
    void *pointer = &heap;

    cr_assert_eq(sv_allocator_callbacks(SV_MEMORY_FOREIGN, SV_DEVICE_OPENCL, 3, allocate, release_memory, NULL, &heap,
                                        &a), SV_OK);
    cr_expect(sv_allocator_kind(a) == SV_MEMORY_FOREIGN && sv_allocator_device_type(a) == SV_DEVICE_OPENCL);
    cr_expect(sv_allocator_device_id(a) == 3 && sv_allocator_traits(a) == SV_TRAIT_HANDLES);
    cr_expect_eq(sv_allocator_allocate(a, 8, 64, 0, &pointer), SV_OK);
    cr_expect_eq(pointer, heap.memory + 1);
    heap.null = true;
    cr_expect_eq(sv_allocator_allocate(a, 8, 64, 0, &pointer), SV_OK);
    cr_expect_null(pointer);
    sv_allocator_release(a);
}

static int64_t lost_of_foreign(int32_t stat)
{
    int64_t value = -1;

    cr_assert_eq(sv_memory_stats(SV_MEMORY_FOREIGN, stat, &value), SV_OK);
    return value;
}

/* Memory that libsv cannot fill with zeros: no buffer is made. Where the free fails, too, the memory is lost; the
 * first failure is told. */
Test(allocator_callbacks, what_cannot_be_zeroed_is_given_back_or_counts_as_lost)
{
    static struct heap heap;
    sv_allocator *a = NULL;
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_allocator_callbacks(SV_MEMORY_FOREIGN, SV_DEVICE_ROCM, 0, allocate, release_memory, NULL, &heap,
                                        &a), SV_OK);
    for (int fails = 0; fails < 2; fails++) {
        const int64_t count = lost_of_foreign(SV_STAT_LOST_COUNT), bytes = lost_of_foreign(SV_STAT_LOST_BYTES);

        heap.free_status = fails ? SV_ERROR_STATE : SV_OK;
        cr_expect_eq(sv_buffer_new(a, 1000, 0, SV_BUFFER_ZERO, 0, &buffer), SV_ERROR_UNSUPPORTED);
        cr_expect_not_null(strstr(sv_last_message(), "zeros"), "%s", sv_last_message());
        cr_expect_null(buffer);
        cr_expect_eq(heap.freed, fails + 1);
        cr_expect_eq(lost_of_foreign(SV_STAT_LOST_COUNT) - count, fails);
        cr_expect_eq(lost_of_foreign(SV_STAT_LOST_BYTES) - bytes, 1000 * fails);
        cr_expect_eq(lost_of_foreign(SV_STAT_LIVE_COUNT), 0);
    }
    sv_allocator_release(a);
}

Test(allocator_callbacks, the_place_is_checked)
{
    static const struct {
        sv_memory kind;
        int32_t device_type, device_id;
        sv_status status;
    } cases[] = {
        {SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_OK},
        {SV_MEMORY_PINNED, SV_DEVICE_CUDA_HOST, 0, SV_OK},
        {SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 5, SV_OK},
        {SV_MEMORY_MANAGED, SV_DEVICE_CUDA_MANAGED, 1, SV_OK},
        {SV_MEMORY_FOREIGN, SV_DEVICE_ROCM, 0, SV_OK},
        {SV_MEMORY_FOREIGN, SV_DEVICE_ROCM_HOST, 0, SV_OK},
        {SV_MEMORY_UNKNOWN, SV_DEVICE_CPU, 0, SV_ERROR_INVALID},
        {6, SV_DEVICE_CPU, 0, SV_ERROR_INVALID},
        {-1, SV_DEVICE_CPU, 0, SV_ERROR_INVALID},
        {SV_MEMORY_HOST, SV_DEVICE_CUDA, 0, SV_ERROR_DEVICE},
        {SV_MEMORY_DEVICE, SV_DEVICE_CPU, 0, SV_ERROR_DEVICE},
        {SV_MEMORY_FOREIGN, SV_DEVICE_CUDA, 0, SV_ERROR_DEVICE},
        {SV_MEMORY_FOREIGN, 99, 0, SV_ERROR_DEVICE},
        {SV_MEMORY_FOREIGN, 5, 0, SV_ERROR_DEVICE},
        {SV_MEMORY_DEVICE, SV_DEVICE_CUDA, -1, SV_ERROR_DEVICE},
    };
    static struct heap heap;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_allocator *a = NULL;
        const sv_status status = sv_allocator_callbacks(cases[i].kind, cases[i].device_type, cases[i].device_id,
                                                        allocate, release_memory, end, &heap, &a);

        cr_expect_eq(status, cases[i].status, "row %zu: %s", i, sv_last_message());
        cr_expect_eq(a != NULL, status == SV_OK);
        cr_expect_eq(heap.released, 0, "ownership is not taken by a failed call");
        sv_allocator_release(a);
        heap.released = 0;
    }
}
