/* Buffers of host memory: making, sizes, slices, states, bytes. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "memory/buffer.h"

static sv_buffer *make(int64_t nbytes)
{
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_buffer_new(NULL, nbytes, 0, SV_BUFFER_ZERO, 0, &buffer), SV_OK, "%s", sv_last_message());
    return buffer;
}

/* --- new -------------------------------------------------------------------- */

static const struct {
    int64_t nbytes, alignment;
    uint32_t flags;
    sv_status status;
} asked[] = {
    {0, 0, 0, SV_OK},
    {0, 512, 0, SV_OK},
    {0, 3, 0, SV_ERROR_INVALID},
    {1, 0, 0, SV_OK},
    {1, 1, SV_BUFFER_ZERO, SV_OK},
    {100, 512, SV_BUFFER_ZERO, SV_OK},
    {100, 3, 0, SV_ERROR_INVALID},
    {100, -64, 0, SV_ERROR_INVALID},
    {-1, 0, 0, SV_ERROR_INVALID},
    {INT64_MIN, 0, 0, SV_ERROR_INVALID},
    {1, 0, SV_BUFFER_STRICT, SV_ERROR_INVALID},
    {1, 0, SV_READ_ONLY, SV_ERROR_INVALID},
    {1, 0, 1u << 31, SV_ERROR_INVALID},
    {4096, 0, SV_BUFFER_ZERO, SV_OK},
    {65535, 1, SV_BUFFER_ZERO, SV_OK},
    {65536, 64, SV_BUFFER_ZERO, SV_OK},
    {1 << 20, 1 << 16, SV_BUFFER_ZERO, SV_OK},
    {1 << 20, 1 << 21, SV_BUFFER_ZERO, SV_OK},
    {INT64_MAX, 1, 0, SV_ERROR_MEMORY},
    {INT64_MAX, 4096, 0, SV_ERROR_OVERFLOW},
    {1, INT64_C(1) << 62, 0, SV_ERROR_MEMORY},
    {INT64_MAX, INT64_C(1) << 62, 0, SV_ERROR_OVERFLOW},
};

static bool is_zero(const char *bytes, int64_t nbytes)
{
    for (int64_t i = 0; i < nbytes; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static void check_made(sv_buffer *buffer, int64_t nbytes, int64_t alignment, uint32_t flags)
{
    const int64_t promised = alignment == 0 ? 64 : alignment;
    char *data = sv_buffer_data(buffer);

    cr_expect_eq(sv_buffer_nbytes(buffer), nbytes);
    cr_expect_eq(sv_buffer_capacity(buffer), nbytes);
    cr_expect_eq(sv_buffer_alignment(buffer), promised);
    cr_expect_eq(data == NULL, nbytes == 0);
    cr_expect_eq(sv_buffer_host_data(buffer), data);
    cr_expect_eq((uintptr_t)data % (uint64_t)promised, 0);
    if (flags & SV_BUFFER_ZERO)
        cr_expect(is_zero(data, nbytes));
    if (nbytes > 0)
        memset(data, 1, (size_t)nbytes);
}

Test(buffer, new_has_what_was_asked_for)
{
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        sv_buffer *const none = (sv_buffer *)asked, *buffer = none;
        sv_status status = sv_buffer_new(NULL, asked[i].nbytes, asked[i].alignment, asked[i].flags, 0, &buffer);

        cr_expect_eq(status, asked[i].status, "row %d: %s %s", (int)i, sv_status_name(status), sv_last_message());
        cr_expect_eq(buffer == none, status != SV_OK);
        if (status == SV_OK) {
            check_made(buffer, asked[i].nbytes, asked[i].alignment, asked[i].flags);
            sv_buffer_release(buffer);
        }
    }
}

Test(buffer, facts_of_host_memory)
{
    sv_allocator *allocator = NULL;
    sv_buffer *buffer = NULL;

    cr_assert_eq(sv_allocator_host(0, &allocator), SV_OK);
    cr_assert_eq(sv_buffer_new(allocator, 10, 0, 0, 7, &buffer), SV_OK);
    sv_allocator_release(allocator); /* the buffer has a reference */
    cr_expect_eq(sv_buffer_allocator(buffer), allocator);
    cr_expect_eq(sv_buffer_kind(buffer), SV_MEMORY_HOST);
    cr_expect_eq(sv_buffer_traits(buffer), SV_TRAIT_HOST);
    cr_expect_eq(sv_buffer_device_type(buffer), SV_DEVICE_CPU);
    cr_expect_eq(sv_buffer_device_id(buffer), 0);
    cr_expect_eq(sv_buffer_stream(buffer), 7);
    cr_expect_null(sv_buffer_parent(buffer));
    cr_expect_null(sv_buffer_context(buffer, NULL));
    cr_expect_eq(sv_buffer_references(buffer), 1);
    cr_expect_eq(sv_buffer_exports(buffer), 0);
    cr_expect_not(sv_buffer_is_closed(buffer));
    cr_expect_eq(sv_buffer_retain(buffer), buffer);
    cr_expect_eq(sv_buffer_references(buffer), 2);
    sv_buffer_release(buffer);
    sv_buffer_release(buffer);
}

Test(buffer, none_is_no_buffer)
{
    cr_expect_null(sv_buffer_retain(NULL));
    sv_buffer_release(NULL);
    sv_buffer_release_later(NULL);
    sv_buffer_end_export(NULL);
    cr_expect_null(sv_buffer_data(NULL));
    cr_expect_eq(sv_buffer_nbytes(NULL), 0);
    cr_expect_eq(sv_buffer_kind(NULL), SV_MEMORY_UNKNOWN);
    cr_expect_eq(sv_buffer_is_closed(NULL), 0);
    cr_expect_null(sv_view_buffer(NULL));
}

/* --- adopt ------------------------------------------------------------------- */

static struct {
    int count;
    void *ctx, *pointer;
    int64_t nbytes, alignment;
    uintptr_t stream;
} freed;

static sv_status note_free(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    freed.count++;
    freed.ctx = ctx;
    freed.pointer = pointer;
    freed.nbytes = nbytes;
    freed.alignment = alignment;
    freed.stream = stream;
    return SV_OK;
}

static _Alignas(64) char cells[128];

static const struct {
    void *pointer;
    int64_t nbytes;
    sv_memory kind;
    int32_t device_type, device_id;
    uint32_t flags;
    sv_free_callback free;
    sv_status status;
} offers[] = {
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, note_free, SV_OK},
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_BUFFER_BORROWED, NULL, SV_OK},
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_READ_ONLY | SV_BUFFER_TRUST, note_free, SV_OK},
    {cells, 64, SV_MEMORY_UNKNOWN, -5, -5, 0, note_free, SV_OK},
    {cells, 64, SV_MEMORY_DEVICE, SV_DEVICE_CUDA, 3, SV_BUFFER_TRUST, note_free, SV_OK},
    {cells, 64, SV_MEMORY_FOREIGN, SV_DEVICE_ROCM, 1, 0, note_free, SV_OK},
    {cells, 0, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, note_free, SV_OK},
    {NULL, 0, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, note_free, SV_OK},
    {NULL, 0, SV_MEMORY_UNKNOWN, 0, 0, SV_BUFFER_BORROWED, NULL, SV_OK},
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, NULL, SV_ERROR_INVALID},
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_BUFFER_BORROWED, note_free, SV_ERROR_INVALID},
    {cells, -1, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, note_free, SV_ERROR_INVALID},
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_BUFFER_ZERO, note_free, SV_ERROR_INVALID},
    {cells, 64, 6, SV_DEVICE_CPU, 0, 0, note_free, SV_ERROR_INVALID},
    {cells, 64, -1, SV_DEVICE_CPU, 0, 0, note_free, SV_ERROR_INVALID},
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CUDA, 0, 0, note_free, SV_ERROR_DEVICE},
    {cells, 64, SV_MEMORY_FOREIGN, SV_DEVICE_CPU, 0, 0, note_free, SV_ERROR_DEVICE},
    {cells, 64, SV_MEMORY_HOST, 99, 0, 0, note_free, SV_ERROR_DEVICE},
    {cells, 64, SV_MEMORY_HOST, SV_DEVICE_CPU, -1, 0, note_free, SV_ERROR_DEVICE},
    {NULL, 1, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, note_free, SV_ERROR_NULL},
    {cells, INT64_MAX, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, note_free, SV_OK},
    {(void *)(UINTPTR_MAX - 8), 64, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, note_free, SV_ERROR_OVERFLOW},
};

static void check_adopted(sv_buffer *buffer, size_t i)
{
    cr_expect_eq(sv_buffer_data(buffer), offers[i].pointer, "row %d", (int)i);
    cr_expect_eq(sv_buffer_nbytes(buffer), offers[i].nbytes);
    cr_expect_eq((sv_buffer_traits(buffer) & SV_TRAIT_READ_ONLY) != 0, (offers[i].flags & SV_READ_ONLY) != 0);
    cr_expect_eq(sv_buffer_context(buffer, note_free), offers[i].free == NULL ? NULL : &freed);
    cr_expect_null(sv_buffer_allocator(buffer));
    if (offers[i].kind != SV_MEMORY_UNKNOWN) {
        cr_expect_eq(sv_buffer_kind(buffer), offers[i].kind);
        cr_expect_eq(sv_buffer_device_id(buffer), offers[i].device_id);
    } else {
        cr_expect_eq(sv_buffer_kind(buffer), SV_MEMORY_HOST);
    }
    if (sv_buffer_kind(buffer) >= SV_MEMORY_DEVICE)
        cr_expect_null(sv_buffer_host_data(buffer));
}

Test(buffer, adopted_memory_is_freed_once)
{
    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++) {
        sv_buffer *const none = (sv_buffer *)cells, *buffer = none;
        sv_status status;

        memset(&freed, 0, sizeof freed);
        status = sv_buffer_adopt(offers[i].pointer, offers[i].nbytes, offers[i].kind, offers[i].device_type,
                                 offers[i].device_id, offers[i].flags, 5, offers[i].free,
                                 offers[i].free == NULL ? NULL : &freed, &buffer);
        cr_expect_eq(status, offers[i].status, "row %d: %s %s", (int)i, sv_status_name(status), sv_last_message());
        cr_expect_eq(buffer == none, status != SV_OK);
        if (status == SV_OK) {
            check_adopted(buffer, i);
            cr_expect_eq(freed.count, 0);
            sv_buffer_release(buffer);
        }
        cr_assert_eq(freed.count, status == SV_OK && offers[i].free != NULL, "row %d", (int)i);
        if (freed.count > 0) {
            cr_expect_eq(freed.ctx, &freed);
            cr_expect_eq(freed.pointer, offers[i].pointer);
            cr_expect_eq(freed.nbytes, offers[i].nbytes);
            cr_expect_eq(freed.stream, 5);
            cr_expect_eq((uintptr_t)freed.pointer % (uint64_t)freed.alignment, 0);
        }
    }
}

static sv_buffer *adopt(void)
{
    sv_buffer *buffer = NULL;

    memset(&freed, 0, sizeof freed);
    cr_assert_eq(sv_buffer_adopt(cells, sizeof cells, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, 0, note_free, &freed,
                                 &buffer),
                 SV_OK);
    return buffer;
}

/* --- slices -------------------------------------------------------------------- */

static const struct {
    int64_t offset, nbytes;
    uint32_t flags;
    int64_t alignment;
    sv_status status;
} parts[] = {
    {0, 100, 0, 64, SV_OK},
    {0, 0, 0, 64, SV_OK},
    {100, 0, 0, 4, SV_OK},
    {8, 16, SV_READ_ONLY, 8, SV_OK},
    {1, 1, 0, 1, SV_OK},
    {0, 101, 0, 0, SV_ERROR_RANGE},
    {101, 0, 0, 0, SV_ERROR_RANGE},
    {-1, 1, 0, 0, SV_ERROR_RANGE},
    {1, -1, 0, 0, SV_ERROR_RANGE},
    {INT64_MAX, INT64_MAX, 0, 0, SV_ERROR_RANGE},
    {50, INT64_MAX, 0, 0, SV_ERROR_RANGE},
    {0, 1, SV_BUFFER_ZERO, 0, SV_ERROR_INVALID},
};

Test(buffer, slices_are_parts)
{
    sv_buffer *buffer = make(100);

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sv_buffer *slice = NULL;
        sv_status status = sv_buffer_slice(buffer, parts[i].offset, parts[i].nbytes, parts[i].flags, &slice);

        cr_expect_eq(status, parts[i].status, "row %d: %s", (int)i, sv_last_message());
        cr_expect_eq(slice != NULL, status == SV_OK);
        cr_expect_eq(sv_buffer_exports(buffer), status == SV_OK);
        if (status != SV_OK)
            continue;
        cr_expect_eq(sv_buffer_data(slice),
                     parts[i].nbytes == 0 ? NULL : (char *)sv_buffer_data(buffer) + parts[i].offset);
        cr_expect_eq(sv_buffer_nbytes(slice), parts[i].nbytes);
        cr_expect_eq(sv_buffer_alignment(slice), parts[i].alignment, "row %d", (int)i);
        cr_expect_eq(sv_buffer_parent(slice), buffer);
        cr_expect_eq((sv_buffer_traits(slice) & SV_TRAIT_READ_ONLY) != 0, parts[i].flags != 0);
        sv_buffer_release(slice);
        cr_expect_eq(sv_buffer_exports(buffer), 0);
    }
    sv_buffer_release(buffer);
}

Test(buffer, slices_of_slices_hold_the_root)
{
    sv_buffer *root = adopt(), *slice = NULL, *inner = NULL;

    cr_assert_eq(sv_buffer_slice(root, 16, 64, SV_READ_ONLY, &slice), SV_OK);
    cr_assert_eq(sv_buffer_slice(slice, 4, 8, 0, &inner), SV_OK);
    sv_buffer_release(slice);
    cr_expect_eq(sv_buffer_parent(inner), root);
    cr_expect_eq(sv_buffer_exports(root), 1);
    sv_buffer_release(root);
    cr_expect_eq(freed.count, 0);
    cr_expect_eq(sv_buffer_data(inner), cells + 20);
    cr_expect_eq(sv_buffer_alignment(inner), 4);
    cr_expect_eq(sv_buffer_write(inner, 0, "a", 1, 0, 0), SV_ERROR_READ_ONLY);
    cr_expect_eq(sv_buffer_context(inner, note_free), &freed);
    sv_buffer_release(inner);
    cr_expect_eq(freed.count, 1);
}

/* The root cannot be held once more: nothing is made, and nothing stays held. */
Test(buffer, too_many_exports)
{
    sv_buffer *root = make(8), *slice = NULL, *none = NULL;
    sv_view *view = NULL;
    svi_buffer_word *word = svi_buffer_word_of(root);
    int64_t before;

    cr_assert_eq(sv_buffer_slice(root, 0, 8, 0, &slice), SV_OK);
    before = atomic_load(word);
    atomic_store(word, before | SVI_BUFFER_EXPORTS);
    cr_expect_eq(sv_buffer_slice(slice, 0, 4, 0, &none), SV_ERROR_BLOCKED);
    cr_expect_eq(sv_buffer_slice(root, 0, 4, 0, &none), SV_ERROR_BLOCKED);
    cr_expect_eq(sv_view_from_buffer(root, NULL, SV_INT8, 0, 0, &view), SV_ERROR_BLOCKED);
    cr_expect(none == NULL && view == NULL);
    cr_expect_eq(sv_buffer_exports(slice), 0);
    cr_expect_eq(atomic_load(word), before | SVI_BUFFER_EXPORTS);
    atomic_store(word, before);
    sv_buffer_release(slice);
    sv_buffer_release(root);
}

/* --- states ---------------------------------------------------------------------- */

static sv_status detach(sv_buffer *buffer)
{
    void *pointer, *ctx;
    int64_t nbytes, alignment;
    uintptr_t stream;
    sv_free_callback free;
    sv_status status = sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &stream, &free, &ctx);

    return status == SV_OK ? free(ctx, pointer, nbytes, alignment, stream) : status;
}

static void check_empty(const sv_buffer *buffer)
{
    sv_buffer *slice;
    char byte;

    cr_expect(sv_buffer_is_closed(buffer));
    cr_expect_null(sv_buffer_data(buffer));
    cr_expect_null(sv_buffer_host_data(buffer));
    cr_expect_null(sv_buffer_allocator(buffer));
    cr_expect_null(sv_buffer_context(buffer, NULL));
    cr_expect_eq(sv_buffer_nbytes(buffer), 0);
    cr_expect_eq(sv_buffer_capacity(buffer), 0);
    cr_expect_eq(sv_buffer_slice(buffer, 0, 0, 0, &slice), SV_ERROR_STATE);
    cr_expect_eq(sv_buffer_read(buffer, 0, &byte, 1, 0, 0), SV_ERROR_STATE);
    cr_expect_eq(sv_buffer_begin_export((sv_buffer *)buffer), SV_ERROR_STATE);
    cr_expect_eq(detach((sv_buffer *)buffer), SV_ERROR_STATE);
    cr_expect_eq(sv_buffer_close((sv_buffer *)buffer, 0), SV_OK);
}

Test(buffer, close_frees_while_references_stay)
{
    sv_buffer *buffer = adopt(), *slice = NULL;

    sv_buffer_retain(buffer);
    cr_assert_eq(sv_buffer_slice(buffer, 0, 8, 0, &slice), SV_OK);
    cr_expect_eq(sv_buffer_close(buffer, 9), SV_ERROR_BLOCKED);
    cr_expect_eq(sv_buffer_close(slice, 9), SV_OK);
    check_empty(slice);
    cr_expect_eq(freed.count, 0);
    cr_expect_eq(sv_buffer_close(buffer, 9), SV_OK);
    cr_expect_eq(freed.count, 1);
    cr_expect_eq(freed.stream, 9);
    check_empty(buffer);
    sv_buffer_release(buffer);
    sv_buffer_release(buffer);
    sv_buffer_release(slice);
    cr_expect_eq(freed.count, 1);
}

/* Small memory lies with its handle, large memory apart. */
Test(buffer, detached_memory_is_the_callers)
{
    static const int64_t sizes[] = {0, 1, 100, 1 << 20};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sv_buffer *buffer = make(sizes[i]);
        void *pointer = NULL, *ctx = NULL, *data = sv_buffer_data(buffer);
        int64_t nbytes = -1, alignment = -1;
        uintptr_t stream = 1;
        sv_free_callback free = NULL;

        cr_assert_eq(sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &stream, &free, &ctx), SV_OK);
        cr_expect_eq(pointer, data);
        cr_expect_eq(nbytes, sizes[i]);
        cr_expect_eq(alignment, 64);
        cr_expect_eq(stream, 0);
        check_empty(buffer);
        sv_buffer_release(buffer);
        if (pointer != NULL)
            memset(pointer, 7, (size_t)nbytes);
        cr_assert_not_null(free);
        cr_expect_eq(free(ctx, pointer, nbytes, alignment, stream), SV_OK);
    }
}

Test(buffer, detached_adopted_memory_has_its_own_recipe)
{
    sv_buffer *buffer = adopt();
    void *pointer = NULL, *ctx = NULL;
    int64_t nbytes, alignment;
    uintptr_t stream;
    sv_free_callback free = NULL;

    cr_assert_eq(sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &stream, &free, &ctx), SV_OK);
    cr_expect_eq(free, note_free);
    cr_expect_eq(ctx, &freed);
    cr_expect_eq(pointer, cells);
    sv_buffer_release(buffer);
    cr_expect_eq(freed.count, 0);

    cr_assert_eq(sv_buffer_adopt(cells, 8, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_BUFFER_BORROWED, 0, NULL, NULL, &buffer),
                 SV_OK);
    cr_expect_eq(detach(buffer), SV_OK);
    sv_buffer_release(buffer);
}

static void expect_blocked(sv_buffer *buffer)
{
    void *pointer = cells;
    int64_t number = 77;
    uintptr_t stream = 77;
    sv_free_callback free = note_free;

    cr_expect_eq(sv_buffer_detach(buffer, &pointer, &number, &number, &stream, &free, &pointer), SV_ERROR_BLOCKED);
    cr_expect(pointer == cells && number == 77 && stream == 77 && free == note_free);
    cr_expect_not(sv_buffer_is_closed(buffer));
}

Test(buffer, detach_needs_the_only_reference)
{
    sv_buffer *buffer = make(8), *slice = NULL;

    sv_buffer_retain(buffer);
    expect_blocked(buffer);
    sv_buffer_release(buffer);
    cr_assert_eq(sv_buffer_begin_export(buffer), SV_OK);
    expect_blocked(buffer);
    sv_buffer_end_export(buffer);
    cr_assert_eq(sv_buffer_slice(buffer, 0, 8, 0, &slice), SV_OK);
    cr_expect_eq(detach(slice), SV_ERROR_STATE);
    sv_buffer_release(slice);
    cr_expect_eq(detach(buffer), SV_OK);
    sv_buffer_release(buffer);
}

Test(buffer, exports_keep_the_memory)
{
    sv_buffer *buffer = adopt();

    cr_assert_eq(sv_buffer_begin_export(buffer), SV_OK);
    cr_assert_eq(sv_buffer_begin_export(buffer), SV_OK);
    cr_expect_eq(sv_buffer_exports(buffer), 2);
    cr_expect_eq(sv_buffer_references(buffer), 3);
    sv_buffer_release(buffer);
    sv_buffer_end_export(buffer);
    cr_expect_eq(freed.count, 0);
    sv_buffer_end_export(buffer);
    cr_expect_eq(freed.count, 1);

    buffer = adopt();
    sv_buffer_end_export(buffer); /* one that never began */
    cr_expect_eq(sv_buffer_references(buffer), 1);
    sv_buffer_release(buffer);
}

Test(buffer, released_later_is_freed_by_the_next_allocation)
{
    sv_buffer *buffer = adopt(), *other = NULL;

    sv_buffer_release_later(sv_buffer_retain(buffer));
    cr_expect_eq(sv_buffer_references(buffer), 1);
    sv_buffer_release_later(buffer);
    cr_expect_eq(freed.count, 0);
    other = make(1);
    cr_expect_eq(freed.count, 1);
    sv_buffer_release(other);
    buffer = adopt();
    cr_assert_eq(sv_buffer_slice(buffer, 0, 1, 0, &other), SV_OK);
    sv_buffer_release(buffer);
    sv_buffer_release_later(other);
    cr_expect_eq(freed.count, 0);
    sv_buffer_release(make(1 << 20));
    cr_expect_eq(freed.count, 1);
}

/* --- bytes ------------------------------------------------------------------------- */

Test(buffer, bytes_are_read_and_written)
{
    sv_buffer *buffer = make(10);
    char bytes[10];

    cr_expect_eq(sv_buffer_write(buffer, 0, "abc", 3, 0, 0), SV_OK);
    cr_expect_eq(sv_buffer_write(buffer, 9, "z", 1, SV_COPY_BLOCKING, 0), SV_OK);
    cr_expect_eq(sv_buffer_read(buffer, 0, bytes, 10, 0, 0), SV_OK);
    cr_expect_eq(memcmp(bytes, "abc\0\0\0\0\0\0z", 10), 0);
    cr_expect_eq(sv_buffer_read(buffer, 10, NULL, 0, 0, 0), SV_OK);
    cr_expect_eq(sv_buffer_write(buffer, 0, NULL, 0, 0, 0), SV_OK);
    cr_expect_eq(sv_buffer_read(buffer, 0, NULL, 1, 0, 0), SV_ERROR_NULL);
    cr_expect_eq(sv_buffer_write(buffer, 0, NULL, 1, 0, 0), SV_ERROR_NULL);
    cr_expect_eq(sv_buffer_read(buffer, 1, bytes, 10, 0, 0), SV_ERROR_RANGE);
    cr_expect_eq(sv_buffer_write(buffer, 8, "xyz", 3, 0, 0), SV_ERROR_RANGE);
    cr_expect_eq(sv_buffer_write(buffer, 0, "xyz", 3, SV_COPY_TRUST, 0), SV_ERROR_INVALID);
    cr_expect_eq(memcmp(sv_buffer_data(buffer), "abc\0\0\0\0\0\0z", 10), 0);
    sv_buffer_release(buffer);
}

Test(buffer, copies_within_and_between)
{
    sv_buffer *buffer = make(10), *other = make(4), *empty = make(0);

    memcpy(sv_buffer_data(buffer), "0123456789", 10);
    cr_expect_eq(sv_buffer_copy(buffer, 2, buffer, 0, 8, 0, 0), SV_OK);
    cr_expect_eq(memcmp(sv_buffer_data(buffer), "0101234567", 10), 0);
    cr_expect_eq(sv_buffer_copy(buffer, 0, buffer, 0, 10, 0, 0), SV_OK);
    cr_expect_eq(sv_buffer_copy(other, 0, buffer, 6, 4, 0, 0), SV_OK);
    cr_expect_eq(memcmp(sv_buffer_data(other), "4567", 4), 0);
    cr_expect_eq(sv_buffer_copy(other, 0, buffer, 0, 5, 0, 0), SV_ERROR_RANGE);
    cr_expect_eq(sv_buffer_copy(buffer, 0, other, 1, 4, 0, 0), SV_ERROR_RANGE);
    cr_expect_eq(sv_buffer_copy(empty, 0, other, 4, 0, 0, 0), SV_OK);
    cr_expect_eq(sv_buffer_copy(other, 0, empty, 0, 1, 0, 0), SV_ERROR_RANGE);
    cr_expect_eq(memcmp(sv_buffer_data(other), "4567", 4), 0);
    sv_buffer_release(empty);
    sv_buffer_release(other);
    sv_buffer_release(buffer);
}

static const struct {
    int64_t offset, nbytes;
    int32_t itemsize;
    sv_status status;
} fills[] = {
    {0, 64, 1, SV_OK},
    {2, 62, 2, SV_OK},
    {1, 60, 4, SV_OK},
    {8, 16, 8, SV_OK},
    {3, 48, 16, SV_OK},
    {0, 0, 4, SV_OK},
    {64, 0, 4, SV_OK},
    {0, 64, 3, SV_ERROR_INVALID},
    {0, 64, 0, SV_ERROR_INVALID},
    {0, 64, -1, SV_ERROR_INVALID},
    {0, 64, 32, SV_ERROR_INVALID},
    {0, 63, 2, SV_ERROR_LAYOUT},
    {0, 65, 1, SV_ERROR_RANGE},
    {65, 0, 1, SV_ERROR_RANGE},
    {0, -1, 1, SV_ERROR_RANGE},
};

Test(buffer, filled_with_items)
{
    static const char item[] = "0123456789abcdef";

    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        sv_buffer *buffer = make(64);
        const char *data = sv_buffer_data(buffer);
        sv_status status =
            sv_buffer_fill(buffer, fills[i].offset, fills[i].nbytes, item, fills[i].itemsize, 0, 0);

        cr_expect_eq(status, fills[i].status, "row %d: %s", (int)i, sv_last_message());
        for (int64_t k = 0; k < 64; k++) {
            const int64_t at = k - fills[i].offset;
            const bool inside = status == SV_OK && at >= 0 && at < fills[i].nbytes;

            cr_assert_eq(data[k], inside ? item[at % fills[i].itemsize] : 0, "row %d, byte %d", (int)i, (int)k);
        }
        sv_buffer_release(buffer);
    }
}

Test(buffer, read_only_memory_is_not_written)
{
    sv_buffer *buffer = NULL, *source = make(8);

    cr_assert_eq(sv_buffer_adopt(cells, 8, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, SV_BUFFER_BORROWED | SV_READ_ONLY, 0, NULL,
                                 NULL, &buffer),
                 SV_OK);
    cr_expect_eq(sv_buffer_write(buffer, 0, "a", 1, 0, 0), SV_ERROR_READ_ONLY);
    cr_expect_eq(sv_buffer_copy(buffer, 0, source, 0, 1, 0, 0), SV_ERROR_READ_ONLY);
    cr_expect_eq(sv_buffer_fill(buffer, 0, 1, "a", 1, 0, 0), SV_ERROR_READ_ONLY);
    cr_expect_eq(sv_buffer_copy(source, 0, buffer, 0, 8, 0, 0), SV_OK);
    sv_buffer_release(source);
    sv_buffer_release(buffer);
}

/* --- owners ------------------------------------------------------------------------ */

static void *release_here(void *buffer)
{
    sv_buffer_release(buffer);
    return NULL;
}

static void *release_later_here(void *buffer)
{
    sv_buffer_release_later(buffer);
    return NULL;
}

static void in_another_thread(void *(*run)(void *), sv_buffer *buffer)
{
    pthread_t thread;

    cr_assert_eq(pthread_create(&thread, NULL, run, buffer), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
}

Test(buffer, memory_is_freed_by_whichever_thread_is_last)
{
    static const int64_t sizes[] = {100, 1 << 20}; /* with the handle, and apart */
    sv_buffer *buffer = adopt();

    in_another_thread(release_here, buffer);
    cr_expect_eq(freed.count, 1);
    buffer = adopt();
    in_another_thread(release_later_here, buffer);
    cr_expect_eq(freed.count, 0);
    for (int i = 0; i < 2; i++)
        in_another_thread(release_here, make(sizes[i]));
    cr_expect_eq(freed.count, 1);
}

/* What goes wrong in a free that nobody waits for is not lost with it. */
static sv_status fail_to_free(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)note_free(ctx, pointer, nbytes, alignment, stream);
    return svi_fail(SV_ERROR_PROTOCOL, "the owner is busy");
}

static sv_buffer *adopt_badly(void)
{
    sv_buffer *buffer = NULL;

    memset(&freed, 0, sizeof freed);
    cr_assert_eq(sv_buffer_adopt(cells, 8, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, 0, fail_to_free, cells, &buffer), SV_OK);
    return buffer;
}

Test(buffer, a_free_that_fails_is_told_once)
{
    sv_buffer_release(adopt_badly());
    cr_expect_eq(freed.count, 1);
    cr_expect_eq(svi_failure_tell(), SV_ERROR_PROTOCOL);
    cr_expect_str_eq(sv_last_message(), "memory is lost: the owner is busy");
    cr_expect_eq(svi_failure_tell(), SV_OK);
    sv_buffer_release_later(adopt_badly());
    sv_buffer_release(make(1));
    cr_expect_eq(freed.count, 1);
    cr_expect_eq(svi_failure_tell(), SV_ERROR_PROTOCOL);
}

Test(buffer, a_close_tells_that_the_free_failed)
{
    sv_buffer *buffer = adopt_badly();

    cr_expect_eq(sv_buffer_close(buffer, 0), SV_ERROR_PROTOCOL);
    cr_expect_str_eq(sv_last_message(), "the owner is busy");
    cr_expect_eq(svi_failure_tell(), SV_OK, "it was told");
    check_empty(buffer);
    cr_expect_eq(freed.count, 1);
    sv_buffer_release(buffer);
    cr_expect_eq(freed.count, 1);
}

/* Memory of other devices is passed on, and never touched. */
Test(buffer, facts_of_foreign_memory)
{
    sv_buffer *buffer = NULL, *slice = NULL;
    char bytes[4] = {0};

    cr_assert_eq(sv_buffer_adopt(cells + 2, 64, SV_MEMORY_FOREIGN, SV_DEVICE_ONEAPI, 5, SV_BUFFER_BORROWED, 9, NULL,
                                 cells, &buffer), SV_OK, "%s", sv_last_message());
    cr_expect_eq(sv_buffer_kind(buffer), SV_MEMORY_FOREIGN);
    cr_expect(sv_buffer_device_type(buffer) == SV_DEVICE_ONEAPI && sv_buffer_device_id(buffer) == 5);
    cr_expect_eq(sv_buffer_alignment(buffer), 2);
    cr_expect_eq(sv_buffer_stream(buffer), 9);
    cr_expect_eq(sv_buffer_context(buffer, NULL), cells);
    cr_assert_eq(sv_buffer_slice(buffer, 2, 8, 0, &slice), SV_OK);
    cr_expect(sv_buffer_data(slice) == cells + 4 && sv_buffer_host_data(slice) == NULL);
    cr_expect_eq(sv_buffer_stream(slice), 9);
    cr_expect_neq(sv_buffer_read(slice, 0, bytes, 4, 0, 0), SV_OK);
    cr_expect_neq(sv_buffer_fill(slice, 0, 4, "a", 1, 0, 0), SV_OK);
    cr_expect(cells[4] == 0 && bytes[0] == 0);
    cr_expect_eq(sv_buffer_read(slice, 0, bytes, 0, 0, 0), SV_OK);
    sv_buffer_release(buffer);
    sv_buffer_release(slice);
}
