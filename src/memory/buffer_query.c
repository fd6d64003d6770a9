/* What can be asked of a buffer. Of one that lost its memory the answers are 0 and NULL. */
#include "memory/buffer.h"

/* Whether it has memory, which may be moving at the moment. */
static bool has_memory(const sv_buffer *buffer)
{
    int64_t state;

    if (!svi_buffer_is(buffer))
        return false;
    state = svi_word_state(svi_word_get(svi_buffer_word_of(buffer)));
    return state == SVI_BUFFER_OPEN || state == SVI_BUFFER_MOVING;
}

void *sv_buffer_data(const sv_buffer *buffer)
{
    return has_memory(buffer) ? SVI_GET(buffer->data) : NULL;
}

void *sv_buffer_host_data(const sv_buffer *buffer)
{
    return has_memory(buffer) ? SVI_GET(buffer->host_data) : NULL;
}

int64_t sv_buffer_nbytes(const sv_buffer *buffer)
{
    return has_memory(buffer) ? SVI_GET(buffer->nbytes) : 0;
}

int64_t sv_buffer_capacity(const sv_buffer *buffer)
{
    return has_memory(buffer) ? SVI_GET(buffer->capacity) : 0;
}

int64_t sv_buffer_alignment(const sv_buffer *buffer)
{
    return has_memory(buffer) ? SVI_GET(buffer->alignment) : 0;
}

sv_memory sv_buffer_kind(const sv_buffer *buffer)
{
    return svi_buffer_is(buffer) ? SVI_GET(buffer->kind) : SV_MEMORY_UNKNOWN;
}

uint32_t sv_buffer_traits(const sv_buffer *buffer)
{
    return svi_buffer_is(buffer) ? SVI_GET(buffer->traits) : 0;
}

int32_t sv_buffer_device_type(const sv_buffer *buffer)
{
    return svi_buffer_is(buffer) ? SVI_GET(buffer->device_type) : 0;
}

int32_t sv_buffer_device_id(const sv_buffer *buffer)
{
    return svi_buffer_is(buffer) ? SVI_GET(buffer->device_id) : 0;
}

/* A slice that is open now may be closed by another thread, and its root be gone then. */
uintptr_t sv_buffer_stream(const sv_buffer *buffer)
{
    uintptr_t stream;

    if (!has_memory(buffer))
        return 0;
    if (buffer->root == NULL)
        return svi_buffer_stream(buffer);
    if (svi_buffer_hold(buffer) != SV_OK)
        return 0;
    stream = svi_buffer_stream(buffer->root);
    svi_buffer_unhold(buffer);
    return stream;
}

/* Holds the buffer, since its allocator changes when it moves. */
const sv_allocator *sv_buffer_allocator(const sv_buffer *buffer)
{
    const sv_allocator *allocator;

    if (!svi_buffer_is(buffer) || svi_buffer_hold(buffer) != SV_OK)
        return NULL;
    allocator = svi_buffer_root(buffer)->storage.allocator;
    svi_buffer_unhold(buffer);
    return allocator;
}

/* Holds the buffer, since its storage changes when it moves. */
void *sv_buffer_context(const sv_buffer *buffer, sv_free_callback free)
{
    const struct svi_storage *storage;
    void *ctx = NULL;

    if (!svi_buffer_is(buffer) || svi_buffer_hold(buffer) != SV_OK)
        return NULL;
    storage = &svi_buffer_root(buffer)->storage;
    if (free == NULL || free == storage->free)
        ctx = storage->ctx;
    svi_buffer_unhold(buffer);
    return ctx;
}

const sv_buffer *sv_buffer_parent(const sv_buffer *buffer)
{
    return has_memory(buffer) ? buffer->root : NULL;
}

int64_t sv_buffer_exports(const sv_buffer *buffer)
{
    return svi_buffer_is(buffer) ? svi_word_exports(svi_word_get(svi_buffer_word_of(buffer))) : 0;
}

int64_t sv_buffer_references(const sv_buffer *buffer)
{
    return svi_buffer_is(buffer) ? svi_word_references(svi_word_get(svi_buffer_word_of(buffer))) : 0;
}

int32_t sv_buffer_is_closed(const sv_buffer *buffer)
{
    return svi_buffer_is(buffer) && !has_memory(buffer);
}
