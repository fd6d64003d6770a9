/* Events: where a stream stood when it was recorded, whatever it is given later. */
#include <stdio.h>
#include <stdlib.h>

#include "fake/runtime.h"

struct fake_event *fake_find_event(cudaEvent_t handle)
{
    struct fake_event *e = (struct fake_event *)(void *)handle;

    if (e >= fake.events && e < fake.events + MAX_EVENTS && e->live)
        return e;
    fake_fault("an event is used that is not alive");
    return NULL;
}

cudaError_t cuda_new_event(cudaEvent_t *out, unsigned flags)
{
    cudaError_t error = ENTER(new_event, "%s", "");

    (void)flags;
    if (error != cudaSuccess)
        return fake_leave(error);
    for (int k = 0; k < MAX_EVENTS; k++) {
        struct fake_event *e = &fake.events[(fake.next_event + k) % MAX_EVENTS];

        if (e->live)
            continue;
        *e = (struct fake_event){.live = true, .device = fake_thread()->device};
        fake.next_event = (int)(e - fake.events + 1) % MAX_EVENTS;
        if (e - fake.events >= fake.most_events)
            fake.most_events = (int)(e - fake.events) + 1;
        *out = (cudaEvent_t)(void *)e;
        return fake_leave(cudaSuccess);
    }
    return fake_leave(cudaErrorMemoryAllocation);
}

/* A destroyed event stays what others wait for. */
cudaError_t cuda_end_event(cudaEvent_t handle)
{
    cudaError_t error = ENTER(end_event, "%s", "");
    struct fake_event *e = fake.unloading ? NULL : fake_find_event(handle);

    if (e == NULL)
        return fake_leave(error == cudaSuccess ? cudaErrorInvalidResourceHandle : error);
    if (error == cudaSuccess)
        e->live = false;
    else
        e->excused = true;
    return fake_leave(error);
}

/* An event is recorded on streams of its own device alone. */
cudaError_t cuda_record(cudaEvent_t handle, cudaStream_t stream)
{
    cudaError_t error = ENTER(record, "%s", fake_stream_name(stream));
    struct fake_event *e;
    struct fake_stream *s;

    if (error != cudaSuccess || fake_is_dropped())
        return fake_leave(error);
    e = fake_find_event(handle);
    s = fake_find_stream(stream);
    if (e == NULL || s == NULL || e->device != s->device)
        return fake_leave(cudaErrorInvalidResourceHandle);
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return fake_leave(cudaErrorStreamCaptureImplicit);
    e->capture = s->capture;
    if (s->capture != NULL)
        fake_note_recorded(e, s);
    else {
        fake_give(fake_new_operation(s, "recording an event"));
        e->recorded = s->last;
        e->clock = s->clock;
    }
    return fake_leave(cudaSuccess);
}

/* On what was recorded until now; later records do not change it. */
cudaError_t cuda_wait(cudaStream_t stream, cudaEvent_t handle, unsigned flags)
{
    cudaError_t error = ENTER(wait, "%s", fake_stream_name(stream));
    struct fake_event *e;
    struct fake_stream *s;
    struct fake_operation *o;

    (void)flags;
    if (error != cudaSuccess || fake_is_dropped())
        return fake_leave(error);
    e = fake_find_event(handle);
    s = fake_find_stream(stream);
    if (e == NULL || s == NULL)
        return fake_leave(cudaErrorInvalidResourceHandle);
    if (fake_is_legacy(s) && fake_is_blocking_capture(s->device))
        return fake_leave(cudaErrorStreamCaptureImplicit);
    if (e->capture != NULL || s->capture != NULL)
        return fake_leave(fake_wait_captured(s, e));
    if (e->recorded == 0)
        return fake_leave(cudaSuccess);
    o = fake_new_operation(s, "a wait");
    o->after[o->nafter++] = e->recorded;
    fake_join(&o->clock, &e->clock);
    return fake_leave(fake_give(o));
}

static cudaError_t wait_or_ask(cudaEvent_t handle, bool wait)
{
    struct fake_event *e = fake_find_event(handle);

    if (e == NULL)
        return cudaErrorInvalidResourceHandle;
    if (fake_is_dropped())
        return cudaSuccess;
    if (e->capture != NULL)
        return fake_spoil(e->capture, cudaErrorCapturedEvent);
    if (e->recorded != 0 && wait)
        fake_perform(e->recorded);
    if (e->recorded == 0 || fake_is_done(e->recorded)) {
        fake_learn(&e->clock);
        return fake.sticky;
    }
    fake_perform_one(e->recorded);
    return fake.sticky != cudaSuccess ? fake.sticky : cudaErrorNotReady;
}

cudaError_t cuda_event_query(cudaEvent_t handle)
{
    cudaError_t error = ENTER(event_query, "%s", "");

    if (error == cudaSuccess)
        error = fake_unsafe();
    return fake_leave(error == cudaSuccess ? wait_or_ask(handle, false) : error);
}

cudaError_t cuda_event_synchronize(cudaEvent_t handle)
{
    cudaError_t error = ENTER(event_synchronize, "%s", "");

    if (error == cudaSuccess)
        error = fake_unsafe();
    return fake_leave(error == cudaSuccess ? wait_or_ask(handle, true) : error);
}

int fake_live_events(void)
{
    int n = 0;

    for (int i = 0; i < fake.most_events; i++)
        n += fake.events[i].live && !fake.events[i].excused;
    return n;
}
