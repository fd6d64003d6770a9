/* Streams are queues of operations, and an event is a place in one. A wait of the host does what it waits for. */
#include "second/second.h"

#include <stdlib.h>

enum { MOST_OPERATIONS = 64, LAST_DEFAULT = 1, NO_STREAM = 2 };

struct second_stream {
    struct second_operation *operations[MOST_OPERATIONS];
    int64_t given, done; /* numbers of operations, since the beginning */
    int32_t device_id;
};

struct event {
    struct second_stream *stream;
    int64_t number;
};

static struct second_stream defaults[SECOND_DEVICES];
static int streams, events;

int second_counts[SECOND_CALLS];

static sv_status find_stream(int32_t device_id, uintptr_t stream, struct second_stream **out)
{
    if (stream == NO_STREAM)
        return svi_fail(SV_ERROR_INVALID, "ROCm: there is no stream number %d", NO_STREAM);
    if (device_id < 0 || device_id >= SECOND_DEVICES)
        return svi_fail(SV_ERROR_DEVICE, "ROCm: there is no device number %d", (int)device_id);
    *out = stream <= LAST_DEFAULT ? &defaults[device_id] : (struct second_stream *)stream;
    return SV_OK;
}

static void run_until(struct second_stream *stream, int64_t number)
{
    while (stream->done < number) {
        struct second_operation *operation = stream->operations[stream->done % MOST_OPERATIONS];

        operation->run(operation);
        free(operation);
        stream->done++;
    }
}

static void run_other(const struct second_operation *self)
{
    run_until(self->other, self->number);
}

static void give(struct second_stream *stream, const struct second_operation *operation)
{
    struct second_operation *copy = malloc(sizeof *copy);

    if (copy == NULL)
        abort();
    *copy = *operation;
    if (stream->given - stream->done == MOST_OPERATIONS)
        run_until(stream, stream->given);
    stream->operations[stream->given++ % MOST_OPERATIONS] = copy;
}

sv_status second_give(int32_t device_id, uintptr_t stream, const struct second_operation *operation)
{
    struct second_stream *found = NULL;

    SVI_TRY(find_stream(device_id, stream, &found));
    give(found, operation);
    return SV_OK;
}

/* --- of the test -------------------------------------------------------------- */

uintptr_t second_new_stream(int32_t device_id)
{
    struct second_stream *made = calloc(1, sizeof *made);

    if (made == NULL)
        abort();
    made->device_id = device_id;
    streams++;
    return (uintptr_t)made;
}

void second_run(uintptr_t stream)
{
    struct second_stream *found = (struct second_stream *)stream;

    run_until(found, found->given);
}

void second_end_stream(uintptr_t stream)
{
    second_run(stream);
    free((void *)stream);
    streams--;
}

void second_run_default(int32_t device_id)
{
    run_until(&defaults[device_id], defaults[device_id].given);
}

int second_end_streams(void)
{
    for (int i = 0; i < SECOND_DEVICES; i++)
        second_run_default(i);
    return streams + events;
}

/* --- of the driver ------------------------------------------------------------- */

sv_status second_synchronize(struct svi_device device, uintptr_t stream)
{
    struct second_stream *found = NULL;

    second_counts[SECOND_SYNCHRONIZE]++;
    SVI_TRY(find_stream(device.id, stream, &found));
    run_until(found, found->given);
    return SV_OK;
}

static sv_status let_wait(int32_t device_id, uintptr_t stream, struct second_stream *other, int64_t number)
{
    const struct second_operation wait = {.run = run_other, .other = other, .number = number};

    return second_give(device_id, stream, &wait);
}

sv_status second_wait_for(struct svi_device device, uintptr_t stream, struct svi_device other_device, uintptr_t other)
{
    struct second_stream *found = NULL;

    SVI_TRY(find_stream(other_device.id, other, &found));
    return let_wait(device.id, stream, found, found->given);
}

sv_status second_record(int32_t device_id, uintptr_t stream, void **event)
{
    struct second_stream *found = NULL;
    struct event *made;

    second_counts[SECOND_RECORD]++;
    SVI_TRY(find_stream(device_id, stream, &found));
    made = malloc(sizeof *made);
    if (made == NULL)
        abort();
    *made = (struct event){found, found->given};
    *event = made;
    events++;
    return SV_OK;
}

sv_status second_is_done(void *event, bool *done)
{
    const struct event *e = event;

    *done = e->stream->done >= e->number;
    return SV_OK;
}

sv_status second_wait(void *event)
{
    const struct event *e = event;

    second_counts[SECOND_WAIT]++;
    run_until(e->stream, e->number);
    return SV_OK;
}

sv_status second_order(int32_t device_id, uintptr_t stream, void *event)
{
    const struct event *e = event;

    second_counts[SECOND_ORDER]++;
    return let_wait(device_id, stream, e->stream, e->number);
}

void second_end_event(void *event)
{
    second_counts[SECOND_END_EVENT]++;
    events--;
    free(event);
}
