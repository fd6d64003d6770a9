/* Capture: what streams are given becomes nodes of a graph. Streams join it by waiting for one of its events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/runtime.h"

struct fake_graph {
    struct fake_operation **nodes;
    int count;
    char text[1024];
};

struct fake_capture {
    struct fake_capture *next;
    int origin, owner; /* stream; thread */
    enum cudaStreamCaptureMode mode;
    bool spoiled, ended;
    struct fake_graph *graph;
    struct fake_clock known[MAX_STREAMS]; /* to each stream, of each stream: how many nodes */
};

/* --- what is forbidden -------------------------------------------------------------- */

cudaError_t fake_spoil(struct fake_capture *c, cudaError_t error)
{
    c->spoiled = true;
    return error;
}

/* As cudaThreadExchangeStreamCaptureMode() says which captures forbid what to whom. */
static bool forbids(const struct fake_capture *c, const struct fake_thread *thread)
{
    if (c->ended || c->mode == cudaStreamCaptureModeRelaxed || thread->mode == cudaStreamCaptureModeRelaxed)
        return false;
    return c->owner == thread->number ||
           (c->mode == cudaStreamCaptureModeGlobal && thread->mode == cudaStreamCaptureModeGlobal);
}

cudaError_t fake_unsafe(void)
{
    cudaError_t error = cudaSuccess;

    for (struct fake_capture *c = fake.captures; c != NULL; c = c->next)
        if (forbids(c, fake_thread()))
            error = fake_spoil(c, cudaErrorStreamCaptureUnsupported);
    return error;
}

static struct fake_capture *blocking_capture(int device)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        if (fake.streams[i].capture != NULL && fake.streams[i].blocking && fake.streams[i].device == device)
            return fake.streams[i].capture;
    return NULL;
}

bool fake_is_blocking_capture(int device)
{
    struct fake_capture *c = blocking_capture(device);

    if (c != NULL)
        fake_spoil(c, cudaErrorStreamCaptureImplicit);
    return c != NULL;
}

/* The one question about the legacy stream that leaves the capture valid. */

cudaError_t cuda_is_capturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    cudaError_t error = ASK(is_capturing);
    const struct fake_stream *s;

    if (error != cudaSuccess)
        return fake_leave(error);
    s = fake_find_stream(handle);
    if (s == NULL)
        return fake_leave(cudaErrorInvalidResourceHandle);
    if (fake_is_legacy(s) && blocking_capture(s->device) != NULL)
        return fake_leave(cudaErrorStreamCaptureImplicit);
    *status = s->capture == NULL     ? cudaStreamCaptureStatusNone
              : s->capture->spoiled ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
    return fake_leave(cudaSuccess);
}

cudaError_t cuda_exchange_capture_mode(enum cudaStreamCaptureMode *mode)
{
    cudaError_t error = ASK(exchange_capture_mode);

    if (error == cudaSuccess) {
        const enum cudaStreamCaptureMode before = fake_thread()->mode;

        fake_thread()->mode = *mode;
        *mode = before;
    }
    return fake_leave(error);
}

/* --- nodes ---------------------------------------------------------------------------- */

cudaError_t fake_add_node(struct fake_operation *o)
{
    struct fake_capture *c = o->capture;
    struct fake_graph *g = c->graph;
    const size_t length = strlen(g->text);

    if (c->spoiled) {
        fake_drop(o);
        return cudaErrorStreamCaptureInvalidated;
    }
    c->known[o->stream].at[o->stream]++;
    g->nodes = realloc(g->nodes, (size_t)(g->count + 1) * sizeof *g->nodes);
    g->nodes[g->count++] = o;
    snprintf(g->text + length, sizeof g->text - length, "%s; ", o->what);
    return cudaSuccess;
}

void fake_note_recorded(struct fake_event *e, const struct fake_stream *s)
{
    e->clock = s->capture->known[s - fake.streams];
}

cudaError_t fake_wait_captured(struct fake_stream *s, const struct fake_event *e)
{
    struct fake_capture *c = e->capture;

    if (c == NULL || c->ended)
        return s->capture == NULL ? cudaErrorCapturedEvent
                                  : fake_spoil(s->capture, cudaErrorStreamCaptureIsolation);
    if (s->capture != NULL && s->capture != c)
        return fake_spoil(s->capture, cudaErrorStreamCaptureMerge);
    s->capture = c;
    fake_join(&c->known[s - fake.streams], &e->clock);
    return cudaSuccess;
}

/* --- begin and end ---------------------------------------------------------------------- */

cudaError_t fake_begin_capture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    struct fake_stream *s;
    cudaError_t error = cudaSuccess;

    fake_lock();
    s = fake_find_stream(handle);
    if (s == NULL || fake_is_legacy(s))
        error = cudaErrorStreamCaptureUnsupported;
    else if (s->capture != NULL)
        error = cudaErrorIllegalState;
    else {
        struct fake_capture *c = calloc(1, sizeof *c);

        *c = (struct fake_capture){.next = fake.captures, .origin = (int)(s - fake.streams), .mode = mode,
                                   .owner = fake_thread()->number, .graph = calloc(1, sizeof *c->graph)};
        fake.captures = s->capture = c;
    }
    fake_unlock();
    return error;
}

/* Whether the stream where it began waits for all that the others were given. */
static bool is_joined(const struct fake_capture *c)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        if (c->known[i].at[i] > c->known[c->origin].at[i])
            return false;
    return true;
}

static cudaError_t end(struct fake_capture *c)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        if (fake.streams[i].capture == c)
            fake.streams[i].capture = NULL;
    c->ended = true;
    return c->spoiled ? cudaErrorStreamCaptureInvalidated : is_joined(c) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

cudaError_t fake_end_capture(cudaStream_t handle, struct fake_graph **graph)
{
    struct fake_stream *s;
    struct fake_capture *c;
    cudaError_t error;

    fake_lock();
    s = fake_find_stream(handle);
    c = s == NULL ? NULL : s->capture;
    if (c == NULL)
        error = cudaErrorIllegalState;
    else if (c->origin != s - fake.streams)
        error = cudaErrorStreamCaptureUnmatched;
    else if (c->owner != fake_thread()->number && c->mode != cudaStreamCaptureModeRelaxed)
        error = cudaErrorStreamCaptureWrongThread;
    else {
        error = end(c);
        if (error == cudaSuccess && graph != NULL) {
            *graph = c->graph;
            c->graph = NULL;
        }
    }
    fake_unlock();
    return error;
}

void fake_end_captures(void)
{
    while (fake.captures != NULL) {
        struct fake_capture *c = fake.captures;

        fake.captures = c->next;
        if (!c->ended) {
            fake_fault("a capture has not ended");
            end(c);
        }
        fake_end_graph(c->graph);
        free(c);
    }
}

/* --- graphs --------------------------------------------------------------------------------- */

const char *fake_graph_text(const struct fake_graph *graph)
{
    return graph->text;
}

/* One node after another, which is one of the orders that it permits. */
void fake_launch_graph(struct fake_graph *graph, cudaStream_t stream)
{
    fake_lock();
    for (int i = 0; i < graph->count; i++) {
        const struct fake_operation *node = graph->nodes[i];
        struct fake_operation *o = fake_new_operation(fake_find_stream(stream), node->what), given = *o;

        *o = *node;
        o->clock = given.clock;
        memcpy(o->after, given.after, sizeof o->after);
        o->nafter = given.nafter;
        o->stream = given.stream;
        o->capture = given.capture;
        o->held = NULL;
        o->reads = (struct fake_spans){0};
        o->writes = (struct fake_spans){0};
        if (o->kernel && o->kernels->touch != NULL) {
            fake_touch_again(o);
            fake_give(o);
            continue;
        }
        for (size_t k = 0; k < node->reads.count; k++)
            fake_touch(o, (void *)node->reads.at[k].from, node->reads.at[k].to - node->reads.at[k].from, false);
        for (size_t k = 0; k < node->writes.count; k++)
            fake_touch(o, (void *)node->writes.at[k].from, node->writes.at[k].to - node->writes.at[k].from, true);
        fake_give(o);
    }
    fake_unlock();
}

/* Memory whose free was captured goes with the graph. */
static void end_captured(struct fake_region *r)
{
    while (r != NULL) {
        struct fake_region *next = r->next;

        if (r->captured && r->freeing)
            fake_end_region(r);
        r = next;
    }
}

void fake_end_graph(struct fake_graph *graph)
{
    if (graph == NULL)
        return;
    fake_lock();
    fake_perform_all(-1);
    for (int i = 0; i < graph->count; i++)
        fake_drop(graph->nodes[i]);
    end_captured(fake.regions);
    free(graph->nodes);
    free(graph);
    fake_unlock();
}
