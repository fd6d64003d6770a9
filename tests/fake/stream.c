/* Streams: those that tests make, the legacy stream of each device, and each thread's default streams. */
#include <stdio.h>
#include <stdlib.h>

#include "fake/runtime.h"

/* --- handles ---------------------------------------------------------------------- */

/* A place that was not used for long: its operations are old, and count as known to what follows there. */
static struct fake_stream *take_place(void)
{
    for (int k = 0; k < MAX_STREAMS; k++) {
        struct fake_stream *s = &fake.streams[(fake.next_stream + k) % MAX_STREAMS];

        if (s->live)
            continue;
        fake.next_stream = (int)(s - fake.streams + 1) % MAX_STREAMS;
        if (s->last != 0)
            fake_perform(s->last);
        return s;
    }
    fprintf(stderr, "the fake runtime has %d streams, and no more\n", MAX_STREAMS);
    abort();
}

static struct fake_stream *new_stream(int device)
{
    struct fake_stream *s = take_place();

    *s = (struct fake_stream){.live = true, .device = device};
    s->clock.at[s - fake.streams] = fake.ticks[s - fake.streams];
    return s;
}

static struct fake_stream *find_own(int device, int owner)
{
    struct fake_stream *s;

    for (int i = 0; i < MAX_STREAMS; i++)
        if (fake.streams[i].live && fake.streams[i].thread && fake.streams[i].device == device &&
            fake.streams[i].owner == owner)
            return &fake.streams[i];
    s = new_stream(device);
    s->thread = s->blocking = true;
    s->owner = owner;
    return s;
}

bool fake_is_legacy(const struct fake_stream *s)
{
    return s - fake.streams < fake.settings.devices;
}

struct fake_stream *fake_find_stream(cudaStream_t handle)
{
    const struct fake_thread *thread = fake_thread();
    struct fake_stream *s;

    handle = fake_diverted(handle);
    s = (struct fake_stream *)(void *)handle;
    if (handle == NULL || handle == cudaStreamLegacy)
        return &fake.streams[thread->device];
    if (handle == cudaStreamPerThread)
        return find_own(thread->device, thread->number);
    if (s >= fake.streams && s < fake.streams + MAX_STREAMS && s->live && s->number > 0)
        return s;
    fake_fault("a stream is used that is not alive");
    return NULL;
}

const char *fake_stream_name(cudaStream_t handle)
{
    static _Thread_local char name[16];
    const struct fake_stream *s = (const struct fake_stream *)(const void *)handle;

    if (handle == NULL || handle == cudaStreamLegacy)
        return "legacy";
    if (handle == cudaStreamPerThread)
        return "thread";
    if (s < fake.streams || s >= fake.streams + MAX_STREAMS)
        return "nothing";
    snprintf(name, sizeof name, "s%d", s->number);
    return name;
}

cudaStream_t fake_new_stream(int device, unsigned flags)
{
    struct fake_stream *s;

    fake_lock();
    s = new_stream(device);
    s->number = ++fake.next_number;
    s->blocking = (flags & cudaStreamNonBlocking) == 0;
    fake_unlock();
    return (cudaStream_t)(void *)s;
}

void fake_end_stream(cudaStream_t handle)
{
    struct fake_stream *s;

    fake_lock();
    s = fake_find_stream(handle);
    if (s != NULL) {
        if (s->capture != NULL)
            fake_fault("stream s%d is destroyed while it is captured", s->number);
        s->live = false;
    }
    fake_unlock();
}

cudaError_t cuda_new_stream(cudaStream_t *stream, unsigned flags)
{
    cudaError_t error = ENTER(new_stream, "%s", "");

    if (error == cudaSuccess)
        error = fake_unsafe();
    if (error == cudaSuccess)
        *stream = fake_new_stream(fake_thread()->device, flags);
    return fake_leave(error);
}

cudaError_t cuda_end_stream(cudaStream_t stream)
{
    cudaError_t error = ENTER(end_stream, "%s", fake_stream_name(stream));
    struct fake_stream *s = fake.unloading ? NULL : fake_find_stream(stream);

    if (s == NULL)
        return fake_leave(error == cudaSuccess ? cudaErrorInvalidResourceHandle : error);
    if (error == cudaSuccess)
        fake_end_stream(stream);
    else
        s->excused = true;
    return fake_leave(error);
}

/* --- waits -------------------------------------------------------------------------- */

/* The legacy stream has what all blocking streams were given until now. */
static cudaError_t finish(struct fake_stream *s, bool wait)
{
    const bool legacy = fake_is_legacy(s);
    bool done = true;

    for (int i = 0; i < MAX_STREAMS; i++) {
        struct fake_stream *t = &fake.streams[i];

        if (t->last == 0 || (t != s && !(legacy && t->blocking && t->device == s->device)))
            continue;
        if (wait)
            fake_perform(t->last);
        if (fake_is_done(t->last))
            fake_learn(&t->clock);
        else {
            fake_perform_one(t->last);
            done = false;
        }
    }
    return fake.sticky != cudaSuccess ? fake.sticky : done ? cudaSuccess : cudaErrorNotReady;
}

static cudaError_t wait_or_ask(cudaStream_t handle, bool wait)
{
    struct fake_stream *s = fake_find_stream(handle);

    if (s == NULL)
        return cudaErrorInvalidResourceHandle;
    if (fake_is_dropped())
        return cudaSuccess;
    if (s->capture != NULL)
        return fake_spoil(s->capture, cudaErrorStreamCaptureUnsupported);
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return cudaErrorStreamCaptureImplicit;
    return finish(s, wait);
}

cudaError_t cuda_synchronize(cudaStream_t handle)
{
    cudaError_t error = ENTER(synchronize, "%s", fake_stream_name(handle));

    if (error == cudaSuccess)
        error = fake_unsafe();
    return fake_leave(error == cudaSuccess ? wait_or_ask(handle, true) : error);
}

/* Not while a stream of the device is captured. */
cudaError_t cuda_synchronize_device(void)
{
    cudaError_t error = ENTER(synchronize_device, "%s", "");
    const int device = fake_thread()->device;

    if (error == cudaSuccess)
        error = fake_unsafe();
    for (int i = 0; error == cudaSuccess && i < MAX_STREAMS; i++)
        if (fake.streams[i].capture != NULL && fake.streams[i].device == device)
            error = fake_spoil(fake.streams[i].capture, cudaErrorStreamCaptureUnsupported);
    if (error == cudaSuccess && !fake_is_dropped()) {
        fake_perform_all(device);
        fake_learn_all(device);
        error = fake.sticky;
    }
    return fake_leave(error);
}

cudaError_t cuda_stream_query(cudaStream_t handle)
{
    cudaError_t error = ENTER(stream_query, "%s", fake_stream_name(handle));

    if (error == cudaSuccess)
        error = fake_unsafe();
    return fake_leave(error == cudaSuccess ? wait_or_ask(handle, false) : error);
}

cudaError_t cuda_stream_device(cudaStream_t handle, int *device)
{
    cudaError_t error = ASK(stream_device);

    if (error == cudaSuccess) {
        const struct fake_stream *s = fake_find_stream(handle);

        if (s == NULL)
            error = cudaErrorInvalidResourceHandle;
        else if (s->capture != NULL)
            error = fake_spoil(s->capture, cudaErrorStreamCaptureUnsupported);
        else
            *device = s->device;
    }
    return fake_leave(error);
}
