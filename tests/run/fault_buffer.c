/* Calls of the fault suite: buffers, and views of them. */
#include <string.h>

#include "fault.h"

enum { SMALL = 256, LARGE = 1 << 20 };

/* Calls use with a buffer of so many bytes, which is released. */
static sv_status with_buffer(int64_t nbytes, sv_status (*use)(sv_buffer *, struct fault_outputs *),
                             struct fault_outputs *o)
{
    sv_buffer *buffer;
    sv_status status = sv_buffer_new(NULL, nbytes, 0, SV_BUFFER_ZERO, 0, &buffer);

    if (status != SV_OK)
        return status;
    status = use(buffer, o);
    sv_buffer_release(buffer);
    return status;
}

static sv_status new_small(struct fault_outputs *o)
{
    return sv_buffer_new(given.allocator, SMALL, 0, SV_BUFFER_ZERO, 0, &o->buffer);
}

static sv_status new_large(struct fault_outputs *o)
{
    return sv_buffer_new(NULL, LARGE, 4096, 0, 0, &o->buffer);
}

static sv_status end_cells(void *ctx, void *pointer, int64_t nbytes, int64_t alignment, uintptr_t stream)
{
    (void)pointer, (void)nbytes, (void)alignment, (void)stream;
    fault_end(ctx);
    return SV_OK;
}

static sv_status adopt(struct fault_outputs *o)
{
    return sv_buffer_adopt(given.cells, sizeof given.cells, SV_MEMORY_HOST, SV_DEVICE_CPU, 0, 0, 0, end_cells, NULL,
                           &o->buffer);
}

static sv_status use_slice(sv_buffer *buffer, struct fault_outputs *o)
{
    return sv_buffer_slice(buffer, 8, 16, 0, &o->buffer);
}

static sv_status slice(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_slice, o);
}

static sv_status use_view(sv_buffer *buffer, struct fault_outputs *o)
{
    return sv_view_from_buffer(buffer, NULL, SV_INT32, 4, 0, &o->view);
}

static sv_status view(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_view, o);
}

static sv_status use_view_with_layout(sv_buffer *buffer, struct fault_outputs *o)
{
    sv_status status = sv_view_from_buffer(buffer, given.row, SV_INT32, 4, 0, &o->view);

    return status == SV_OK ? fault_right(sv_view_buffer(o->view) == buffer) : status;
}

static sv_status view_with_layout(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_view_with_layout, o);
}

static sv_status use_facts(sv_buffer *buffer, struct fault_outputs *o)
{
    (void)o;
    sv_buffer_release(sv_buffer_retain(buffer));
    sv_buffer_release_later(sv_buffer_retain(buffer));
    return fault_right(sv_buffer_data(buffer) != NULL && sv_buffer_host_data(buffer) == sv_buffer_data(buffer) &&
                       sv_buffer_nbytes(buffer) == SMALL && sv_buffer_capacity(buffer) == SMALL &&
                       sv_buffer_alignment(buffer) == 64 && sv_buffer_kind(buffer) == SV_MEMORY_HOST &&
                       sv_buffer_traits(buffer) == SV_TRAIT_HOST && sv_buffer_device_type(buffer) == SV_DEVICE_CPU &&
                       sv_buffer_device_id(buffer) == 0 && sv_buffer_stream(buffer) == 0 &&
                       sv_buffer_allocator(buffer) != NULL && sv_buffer_parent(buffer) == NULL &&
                       sv_buffer_exports(buffer) == 0 && sv_buffer_references(buffer) == 1 &&
                       !sv_buffer_is_closed(buffer) && sv_buffer_context(buffer, NULL) == NULL);
}

static sv_status facts(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_facts, o);
}

static sv_status use_export(sv_buffer *buffer, struct fault_outputs *o)
{
    sv_status status = sv_buffer_begin_export(buffer);

    (void)o;
    sv_buffer_end_export(buffer);
    return status == SV_OK ? sv_buffer_close(buffer, 0) : status;
}

static sv_status export_and_close(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_export, o);
}

static sv_status use_collect(sv_buffer *buffer, struct fault_outputs *o)
{
    int64_t left, live;
    sv_status status;

    (void)o;
    sv_buffer_release_later(sv_buffer_retain(buffer));
    status = sv_memory_collect(0, &left);
    if (status == SV_OK)
        status = sv_memory_stats(SV_MEMORY_HOST, SV_STAT_LIVE_COUNT, &live);
    return status == SV_OK ? fault_right(left == 0 && live == 1) : status;
}

static sv_status collect(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_collect, o);
}

static sv_status stats(struct fault_outputs *o)
{
    int64_t live;
    sv_status status = sv_memory_stats(SV_MEMORY_UNKNOWN, SV_STAT_LIVE_BYTES, &live);

    (void)o;
    return status == SV_OK ? fault_right(live == 0) : status;
}

static sv_status empty(struct fault_outputs *o)
{
    return sv_empty(given.allocator, SV_INT32, 2, (const int64_t[]){3, 4}, SV_BUFFER_ZERO, 0, &o->view);
}

static sv_status empty_layout(struct fault_outputs *o)
{
    return sv_empty_layout(NULL, given.row, SV_INT32, 0, 0, &o->view);
}

static sv_status empty_like(struct fault_outputs *o)
{
    sv_view *large;
    sv_status status = sv_empty(NULL, SV_UINT8, 1, (const int64_t[]){LARGE}, 0, 0, &large);

    if (status != SV_OK)
        return status;
    status = sv_empty_like(NULL, large, SV_ORDER_K, SV_BUFFER_ZERO, 0, &o->view);
    sv_view_release(large);
    return status;
}

static sv_status use_detach(sv_buffer *buffer, struct fault_outputs *o)
{
    void *pointer, *ctx;
    int64_t nbytes, alignment;
    uintptr_t stream;
    sv_free_callback free;
    sv_status status = sv_buffer_detach(buffer, &pointer, &nbytes, &alignment, &stream, &free, &ctx);

    (void)o;
    return status == SV_OK ? free(ctx, pointer, nbytes, alignment, stream) : status;
}

static sv_status detach(struct fault_outputs *o)
{
    return with_buffer(LARGE, use_detach, o);
}

static sv_status use_bytes(sv_buffer *buffer, struct fault_outputs *o)
{
    char bytes[8] = "1234567";
    sv_status status = sv_buffer_write(buffer, 8, bytes, sizeof bytes, 0, 0);

    (void)o;
    if (status == SV_OK)
        status = sv_buffer_copy(buffer, 0, buffer, 8, sizeof bytes, 0, 0);
    if (status == SV_OK)
        status = sv_buffer_fill(buffer, 4, 4, "89ab", 4, 0, 0);
    if (status == SV_OK)
        status = sv_buffer_read(buffer, 0, bytes, sizeof bytes, 0, 0);
    return status == SV_OK ? fault_right(memcmp(bytes, "123489ab", sizeof bytes) == 0) : status;
}

static sv_status bytes(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_bytes, o);
}

static sv_status use_sizes(sv_buffer *buffer, struct fault_outputs *o)
{
    sv_status status = sv_buffer_resize(buffer, 2 * LARGE, SV_BUFFER_ZERO, 0);

    (void)o;
    if (status == SV_OK)
        status = sv_buffer_reserve(buffer, 3 * LARGE, 0);
    if (status == SV_OK)
        status = sv_buffer_shrink(buffer, 0);
    return status == SV_OK ? fault_right(sv_buffer_capacity(buffer) == 2 * LARGE) : status;
}

static sv_status sizes(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_sizes, o);
}

static sv_status use_migrate(sv_buffer *buffer, struct fault_outputs *o)
{
    sv_status status = sv_buffer_migrate(buffer, given.allocator, 0, 0);

    (void)o;
    return status == SV_OK ? fault_right(sv_buffer_allocator(buffer) == given.allocator) : status;
}

static sv_status migrate(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_migrate, o);
}

static sv_status use_streams(sv_buffer *buffer, struct fault_outputs *o)
{
    sv_status status = sv_buffer_set_stream(buffer, 2);

    (void)o;
    return status == SV_OK ? sv_buffer_record_use(buffer, 2) : status;
}

static sv_status streams(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_streams, o);
}

/* Without bytes no driver is called, so that it is the same on every machine. */
static sv_status register_nothing(struct fault_outputs *o)
{
    return sv_buffer_register(NULL, 0, 0, fault_end, NULL, &o->buffer);
}

enum { MANY = 17 }; /* more than are listed without an allocation */

/* Hints have no effect on host memory. */
static sv_status use_hints(sv_buffer *buffer, struct fault_outputs *o)
{
    sv_buffer *all[MANY];
    sv_status status;

    (void)o;
    for (int i = 0; i < MANY; i++)
        all[i] = buffer;
    status = sv_buffer_prefetch(MANY, all, SV_DEVICE_CPU, 0, 0, 0);
    if (status == SV_OK)
        status = sv_buffer_discard(MANY, all, SV_DEVICE_CPU, 0, 0, 0);
    if (status == SV_OK)
        status = sv_buffer_advise(MANY, all, SV_ADVICE_READ_MOSTLY, SV_DEVICE_CPU, 0, 0);
    return status;
}

static sv_status hints(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_hints, o);
}

static sv_status use_export_ipc(sv_buffer *buffer, struct fault_outputs *o)
{
    return fault_right(sv_buffer_export_ipc(buffer, sizeof o->text, o->text, &o->length) == SV_ERROR_DEVICE);
}

static sv_status export_ipc(struct fault_outputs *o)
{
    return with_buffer(SMALL, use_export_ipc, o);
}

static sv_status import_ipc(struct fault_outputs *o)
{
    return fault_right(sv_buffer_import_ipc(given.cells, SV_IPC_NBYTES, 0, &o->buffer) == SV_ERROR_PROTOCOL);
}

static const struct fault_row rows[] = {
    {"sv_buffer_new", new_small, 1, false},
    {"sv_buffer_new", new_large, 2, false},
    {"sv_buffer_adopt", adopt, 1, true},
    {"sv_buffer_slice", slice, 2, false},
    {"sv_buffer_retain", facts, 1, false},
    {"sv_buffer_release", facts, 1, false},
    {"sv_buffer_release_later", facts, 1, false},
    {"sv_buffer_detach", detach, 2, false},
    {"sv_buffer_close", export_and_close, 1, false},
    {"sv_buffer_data", facts, 1, false},
    {"sv_buffer_host_data", facts, 1, false},
    {"sv_buffer_nbytes", facts, 1, false},
    {"sv_buffer_capacity", facts, 1, false},
    {"sv_buffer_alignment", facts, 1, false},
    {"sv_buffer_kind", facts, 1, false},
    {"sv_buffer_traits", facts, 1, false},
    {"sv_buffer_device_type", facts, 1, false},
    {"sv_buffer_device_id", facts, 1, false},
    {"sv_buffer_stream", facts, 1, false},
    {"sv_buffer_allocator", facts, 1, false},
    {"sv_buffer_parent", facts, 1, false},
    {"sv_buffer_exports", facts, 1, false},
    {"sv_buffer_references", facts, 1, false},
    {"sv_buffer_is_closed", facts, 1, false},
    {"sv_buffer_context", facts, 1, false},
    {"sv_buffer_begin_export", export_and_close, 1, false},
    {"sv_buffer_end_export", export_and_close, 1, false},
    {"sv_buffer_read", bytes, 1, false},
    {"sv_buffer_write", bytes, 1, false},
    {"sv_buffer_copy", bytes, 1, false},
    {"sv_buffer_fill", bytes, 1, false},
    {"sv_buffer_resize", sizes, 7, false},
    {"sv_buffer_reserve", sizes, 7, false},
    {"sv_buffer_shrink", sizes, 7, false},
    {"sv_buffer_migrate", migrate, 3, false},
    {"sv_buffer_set_stream", streams, 1, false},
    {"sv_buffer_record_use", streams, 1, false},
    {"sv_buffer_register", register_nothing, 1, true},
    {"sv_buffer_prefetch", hints, 4, false},
    {"sv_buffer_discard", hints, 4, false},
    {"sv_buffer_advise", hints, 4, false},
    {"sv_buffer_export_ipc", export_ipc, 1, false},
    {"sv_buffer_import_ipc", import_ipc, 0, false},
    {"sv_empty", empty, 2, false},
    {"sv_empty_layout", empty_layout, 2, false},
    {"sv_empty_like", empty_like, 6, false},
    {"sv_memory_collect", collect, 1, false},
    {"sv_memory_stats", stats, 0, false},
    {"sv_view_from_buffer", view, 2, false},
    {"sv_view_from_buffer", view_with_layout, 2, false},
    {"sv_view_buffer", view_with_layout, 2, false},
};

const struct fault_rows fault_buffer = {sizeof rows / sizeof *rows, rows};
