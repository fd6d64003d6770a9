/* Calls of the fault suite: buffers, and views of them. */
#include <string.h>

#include "fault.h"

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

static sv_status slice(struct fault_outputs *o)
{
    return sv_buffer_slice(given.small, 8, 16, 0, &o->buffer);
}

static sv_status view(struct fault_outputs *o)
{
    return sv_view_from_buffer(given.small, NULL, SV_INT32, 4, 0, &o->view);
}

static sv_status view_with_layout(struct fault_outputs *o)
{
    sv_status status = sv_view_from_buffer(given.small, given.row, SV_INT32, 4, 0, &o->view);

    return status == SV_OK ? fault_right(sv_view_buffer(o->view) == given.small) : status;
}

static sv_status view_buffer(struct fault_outputs *o)
{
    (void)o;
    return fault_right(sv_view_buffer(given.wide) == NULL);
}

static sv_status facts(struct fault_outputs *o)
{
    const sv_buffer *buffer = given.small;

    (void)o;
    sv_buffer_release(sv_buffer_retain(given.small));
    sv_buffer_release_later(sv_buffer_retain(given.small));
    return fault_right(sv_buffer_data(buffer) != NULL && sv_buffer_host_data(buffer) == sv_buffer_data(buffer) &&
                       sv_buffer_nbytes(buffer) == SMALL && sv_buffer_capacity(buffer) == SMALL &&
                       sv_buffer_alignment(buffer) == 64 && sv_buffer_kind(buffer) == SV_MEMORY_HOST &&
                       sv_buffer_traits(buffer) == SV_TRAIT_HOST && sv_buffer_device_type(buffer) == SV_DEVICE_CPU &&
                       sv_buffer_device_id(buffer) == 0 && sv_buffer_stream(buffer) == 0 &&
                       sv_buffer_allocator(buffer) != NULL && sv_buffer_parent(buffer) == NULL &&
                       sv_buffer_exports(buffer) == 0 && sv_buffer_references(buffer) == 1 &&
                       !sv_buffer_is_closed(buffer) && sv_buffer_context(buffer, NULL) == NULL);
}

static sv_status export_and_close(struct fault_outputs *o)
{
    sv_status status = sv_buffer_begin_export(given.small);

    (void)o;
    sv_buffer_end_export(given.small);
    return status == SV_OK ? sv_buffer_close(given.small, 0) : status;
}

static sv_status collect(struct fault_outputs *o)
{
    int64_t left, live;
    sv_status status;

    (void)o;
    sv_buffer_release_later(sv_buffer_retain(given.small));
    status = sv_memory_collect(0, &left);
    if (status == SV_OK)
        status = sv_memory_stats(SV_MEMORY_HOST, SV_STAT_LIVE_COUNT, &live);
    return status == SV_OK ? fault_right(left == 0 && live == 2) : status;
}

static sv_status stats(struct fault_outputs *o)
{
    int64_t live;
    sv_status status = sv_memory_stats(SV_MEMORY_UNKNOWN, SV_STAT_LIVE_BYTES, &live);

    (void)o;
    return status == SV_OK ? fault_right(live == SMALL + LARGE) : status;
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
    return sv_empty_like(NULL, given.wide, SV_ORDER_K, SV_BUFFER_ZERO, 0, &o->view);
}

static sv_status detach(struct fault_outputs *o)
{
    void *pointer, *ctx;
    int64_t nbytes, alignment;
    uintptr_t stream;
    sv_free_callback free;
    sv_status status = sv_buffer_detach(given.roomy, &pointer, &nbytes, &alignment, &stream, &free, &ctx);

    (void)o;
    return status == SV_OK ? free(ctx, pointer, nbytes, alignment, stream) : status;
}

static sv_status bytes(struct fault_outputs *o)
{
    char bytes[8] = "1234567";
    sv_status status = sv_buffer_write(given.small, 8, bytes, sizeof bytes, 0, 0);

    (void)o;
    if (status == SV_OK)
        status = sv_buffer_copy(given.small, 0, given.small, 8, sizeof bytes, 0, 0);
    if (status == SV_OK)
        status = sv_buffer_fill(given.small, 4, 4, "89ab", 4, 0, 0);
    if (status == SV_OK)
        status = sv_buffer_read(given.small, 0, bytes, sizeof bytes, 0, 0);
    return status == SV_OK ? fault_right(memcmp(bytes, "123489ab", sizeof bytes) == 0) : status;
}

static sv_status resize(struct fault_outputs *o)
{
    (void)o;
    return sv_buffer_resize(given.small, 2 * LARGE, SV_BUFFER_ZERO, 0);
}

static sv_status resize_within(struct fault_outputs *o)
{
    (void)o;
    return sv_buffer_resize(given.roomy, LARGE, SV_BUFFER_ZERO, 0);
}

static sv_status reserve(struct fault_outputs *o)
{
    (void)o;
    return sv_buffer_reserve(given.roomy, 3 * LARGE, 0);
}

static sv_status shrink(struct fault_outputs *o)
{
    sv_status status = sv_buffer_shrink(given.roomy, 0);

    (void)o;
    return status == SV_OK ? fault_right(sv_buffer_capacity(given.roomy) == SMALL) : status;
}

static sv_status migrate(struct fault_outputs *o)
{
    sv_status status = sv_buffer_migrate(given.small, given.allocator, 0, 0);

    (void)o;
    return status == SV_OK ? fault_right(sv_buffer_allocator(given.small) == given.allocator) : status;
}

static sv_status streams(struct fault_outputs *o)
{
    sv_status status = sv_buffer_set_stream(given.small, 2);

    (void)o;
    return status == SV_OK ? sv_buffer_record_use(given.small, 2) : status;
}

/* Without bytes no driver is called, so that it is the same on every machine. */
static sv_status register_nothing(struct fault_outputs *o)
{
    return sv_buffer_register(NULL, 0, 0, fault_end, NULL, &o->buffer);
}

enum { MANY = 17 }; /* more than are listed without an allocation */

/* Hints have no effect on host memory. */
static sv_status prefetch(struct fault_outputs *o)
{
    sv_buffer *all[MANY];

    (void)o;
    for (int i = 0; i < MANY; i++)
        all[i] = given.small;
    return sv_buffer_prefetch(MANY, all, SV_DEVICE_CPU, 0, 0, 0);
}

static sv_status discard(struct fault_outputs *o)
{
    sv_buffer *all[MANY];

    (void)o;
    for (int i = 0; i < MANY; i++)
        all[i] = given.small;
    return sv_buffer_discard(MANY, all, SV_DEVICE_CPU, 0, 0, 0);
}

static sv_status advise(struct fault_outputs *o)
{
    sv_buffer *all[MANY];

    (void)o;
    for (int i = 0; i < MANY; i++)
        all[i] = given.small;
    return sv_buffer_advise(MANY, all, SV_ADVICE_READ_MOSTLY, SV_DEVICE_CPU, 0, 0);
}

static sv_status export_ipc(struct fault_outputs *o)
{
    return fault_right(sv_buffer_export_ipc(given.small, sizeof o->text, o->text, &o->length) == SV_ERROR_DEVICE);
}

static sv_status import_ipc(struct fault_outputs *o)
{
    return fault_right(sv_buffer_import_ipc(given.cells, SV_IPC_NBYTES, 0, &o->buffer) == SV_ERROR_PROTOCOL);
}

static const struct fault_row rows[] = {
    {"sv_buffer_new", new_small, ALLOCATES},
    {"sv_buffer_new", new_large, ALLOCATES},
    {"sv_buffer_adopt", adopt, TAKES_OWNERSHIP},
    {"sv_buffer_slice", slice, ALLOCATES},
    {"sv_buffer_retain", facts, ALLOCATES_NOTHING},
    {"sv_buffer_release", facts, ALLOCATES_NOTHING},
    {"sv_buffer_release_later", facts, ALLOCATES_NOTHING},
    {"sv_buffer_detach", detach, ALLOCATES_NOTHING},
    {"sv_buffer_close", export_and_close, ALLOCATES_NOTHING},
    {"sv_buffer_data", facts, ALLOCATES_NOTHING},
    {"sv_buffer_host_data", facts, ALLOCATES_NOTHING},
    {"sv_buffer_nbytes", facts, ALLOCATES_NOTHING},
    {"sv_buffer_capacity", facts, ALLOCATES_NOTHING},
    {"sv_buffer_alignment", facts, ALLOCATES_NOTHING},
    {"sv_buffer_kind", facts, ALLOCATES_NOTHING},
    {"sv_buffer_traits", facts, ALLOCATES_NOTHING},
    {"sv_buffer_device_type", facts, ALLOCATES_NOTHING},
    {"sv_buffer_device_id", facts, ALLOCATES_NOTHING},
    {"sv_buffer_stream", facts, ALLOCATES_NOTHING},
    {"sv_buffer_allocator", facts, ALLOCATES_NOTHING},
    {"sv_buffer_parent", facts, ALLOCATES_NOTHING},
    {"sv_buffer_exports", facts, ALLOCATES_NOTHING},
    {"sv_buffer_references", facts, ALLOCATES_NOTHING},
    {"sv_buffer_is_closed", facts, ALLOCATES_NOTHING},
    {"sv_buffer_context", facts, ALLOCATES_NOTHING},
    {"sv_buffer_begin_export", export_and_close, ALLOCATES_NOTHING},
    {"sv_buffer_end_export", export_and_close, ALLOCATES_NOTHING},
    {"sv_buffer_read", bytes, ALLOCATES_NOTHING},
    {"sv_buffer_write", bytes, ALLOCATES_NOTHING},
    {"sv_buffer_copy", bytes, ALLOCATES_NOTHING},
    {"sv_buffer_fill", bytes, ALLOCATES_NOTHING},
    {"sv_buffer_resize", resize, ALLOCATES},
    {"sv_buffer_resize", resize_within, ALLOCATES_NOTHING},
    {"sv_buffer_reserve", reserve, ALLOCATES},
    {"sv_buffer_shrink", shrink, ALLOCATES},
    {"sv_buffer_migrate", migrate, ALLOCATES},
    {"sv_buffer_set_stream", streams, ALLOCATES_NOTHING},
    {"sv_buffer_record_use", streams, ALLOCATES_NOTHING},
    {"sv_buffer_register", register_nothing, TAKES_OWNERSHIP},
    {"sv_buffer_prefetch", prefetch, ALLOCATES},
    {"sv_buffer_discard", discard, ALLOCATES},
    {"sv_buffer_advise", advise, ALLOCATES},
    {"sv_buffer_export_ipc", export_ipc, ALLOCATES_NOTHING},
    {"sv_buffer_import_ipc", import_ipc, ALLOCATES_NOTHING},
    {"sv_empty", empty, ALLOCATES},
    {"sv_empty_layout", empty_layout, ALLOCATES},
    {"sv_empty_like", empty_like, ALLOCATES},
    {"sv_memory_collect", collect, ALLOCATES_NOTHING},
    {"sv_memory_stats", stats, ALLOCATES_NOTHING},
    {"sv_view_from_buffer", view, ALLOCATES},
    {"sv_view_from_buffer", view_with_layout, ALLOCATES},
    {"sv_view_buffer", view_buffer, ALLOCATES_NOTHING},
};

const struct fault_rows fault_buffer = {sizeof rows / sizeof *rows, rows};
