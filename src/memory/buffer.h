/*
 * The buffer handle. A root has memory of its own; a slice has a part of a root's, and is an export of it. What a slice
 * does not have lies at the end of the struct.
 *
 * Who holds an export, or the state SVI_BUFFER_MOVING, may read the memory's facts as they are; getters, which hold
 * nothing, may meet a move in another thread, so the facts are atomics.
 */
#ifndef SVI_BUFFER_H
#define SVI_BUFFER_H

#include "memory/buffer_state.h"
#include "memory/storage.h"
#include "device/thread_stream.h"

struct sv_buffer {
    struct svi_handle handle; /* its count is the word of buffer_state.h */
    struct svi_deferred later; /* of sv_buffer_release_later() */
    struct sv_buffer *root;    /* of a slice; NULL of a root */
    _Atomic(char *) data;      /* where its device uses it */
    _Atomic(char *) host_data; /* NULL: not for the host */
    atomic_int_least64_t nbytes, capacity, alignment;
    atomic_int_least32_t kind, device_type, device_id;
    _Atomic uint32_t traits;

    /* of roots */
    _Atomic uintptr_t stream; /* remembered as thread_stream.h does */
    atomic_bool is_used_here; /* by work on that stream that was told of, and needed no event */
    struct svi_storage storage;
    void (*ending)(struct sv_buffer *self); /* called before the memory is freed; NULL: by nobody */
};

/* In the place of a count of references. */
static inline svi_buffer_word *svi_buffer_word_of(const sv_buffer *buffer)
{
    return (svi_buffer_word *)&buffer->handle.references;
}

/* Of one thing that no other thread writes at the same time, or where either value will do. */
#define SVI_GET(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define SVI_SET(field, value) atomic_store_explicit(&(field), (value), memory_order_relaxed)

/* The stream of a root's memory, as this thread means it. */
static inline uintptr_t svi_buffer_stream(const sv_buffer *root)
{
    return svi_stream_recall(SVI_GET(root->stream));
}

static inline void svi_buffer_set_stream(sv_buffer *root, uintptr_t stream)
{
    SVI_SET(root->stream, svi_stream_remember(stream));
}

static inline sv_status svi_buffer_check(const sv_buffer *buffer, const char *name)
{
    return svi_handle_check((const struct svi_handle *)buffer, SVI_TAG_BUFFER, name);
}

static inline bool svi_buffer_is(const sv_buffer *buffer)
{
    return svi_handle_is((const struct svi_handle *)buffer, SVI_TAG_BUFFER);
}

/* The buffer that has the memory. */
static inline sv_buffer *svi_buffer_root(const sv_buffer *buffer)
{
    return buffer->root != NULL ? buffer->root : (sv_buffer *)buffer;
}

/* The address that copies between this memory and any other use. */
static inline char *svi_buffer_address(const sv_buffer *buffer)
{
    return SVI_GET(buffer->kind) == SV_MEMORY_PINNED ? SVI_GET(buffer->host_data) : SVI_GET(buffer->data);
}

static inline struct svi_device svi_buffer_device(const sv_buffer *buffer)
{
    return (struct svi_device){SVI_GET(buffer->device_type), SVI_GET(buffer->device_id)};
}

/* SV_ERROR_BLOCKED or SV_ERROR_STATE of a word that refused something. */
sv_status svi_buffer_refuse(struct svi_word word);

/* An export: keeps buffer alive and its memory in place. */
static inline sv_status svi_buffer_hold(const sv_buffer *buffer)
{
    struct svi_word found;

    if (svi_word_export(svi_buffer_word_of(buffer), &found))
        return SV_OK;
    return svi_buffer_refuse(found);
}

/* Ends an export. */
void svi_buffer_unhold(const sv_buffer *buffer);

/* The memory for this thread alone; SV_ERROR_BLOCKED while something points into it. */
sv_status svi_buffer_begin_move(sv_buffer *buffer);

/* The buffer is open again after svi_buffer_begin_move(). */
void svi_buffer_end_move(sv_buffer *buffer);

/* SV_ERROR_RANGE unless the bytes are within the buffer, which is held. */
sv_status svi_buffer_check_range(const sv_buffer *buffer, int64_t offset, int64_t nbytes);

/* The storage of each root calls this as gone. */
void svi_buffer_memory_gone(struct svi_storage *storage);

/* For a buffer that nobody has seen: its reference becomes an export. */
static inline void svi_buffer_become_export(sv_buffer *buffer)
{
    svi_word_set(svi_buffer_word_of(buffer), SVI_BUFFER_OPEN, SVI_BUFFER_EXPORT);
}

#endif
