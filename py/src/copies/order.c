/* Between ordinary memory no driver is asked: most copies are that. */
#include "copies/order.h"

#include "base/state.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/lending.h"
#include "objects/view_object.h"
#include "objects/view_stream.h"

/* --- who copies ------------------------------------------------------------------ */

static int is_ordinary(const sv_view *target, const sv_view *source)
{
    return sv_view_device_type(target) == SV_DEVICE_CPU && sv_view_device_type(source) == SV_DEVICE_CPU;
}

int svpy_host_copies(const sv_view *target, const sv_view *source)
{
    int32_t by = SV_DEVICE_CPU;

    if (is_ordinary(target, source))
        return 1;
    return sv_copy_placement(target, source, 0, 0, &by, NULL, NULL, NULL, NULL, NULL) == SV_OK && by == SV_DEVICE_CPU;
}

const sv_view *svpy_copy_owner(const sv_view *target, const sv_view *source)
{
    int32_t type, id;

    if (is_ordinary(target, source) ||
        sv_copy_placement(target, source, 0, 0, NULL, &type, &id, NULL, NULL, NULL) != SV_OK)
        return target;
    return type == sv_view_device_type(source) && id == sv_view_device_id(source) &&
                   type != sv_view_device_type(target)
               ? source
               : target;
}

/* A fill is the host's wherever it reaches the memory. */
static bool is_by_host(const svpy_side *target, const svpy_side *source)
{
    return source == NULL ? svpy_is_host(target->handle) : svpy_host_copies(target->handle, source->handle);
}

static const svpy_side *find_owner(const svpy_side *target, const svpy_side *source)
{
    return source != NULL && svpy_copy_owner(target->handle, source->handle) == source->handle ? source : target;
}

/* --- the choice ------------------------------------------------------------------- */

static bool is_same_device(const svpy_side *side, const svpy_side *other)
{
    return sv_view_device_id(side->handle) == sv_view_device_id(other->handle) &&
           svpy_has_streams(sv_view_device_type(other->handle));
}

/* What our own memory was last worked on by, or its own stream; a negative number where there is none. */
static int64_t find_own_stream(const svpy_side *owner, const svpy_side *side)
{
    const int64_t last = svpy_recall(side->stream);
    const sv_buffer *buffer;

    if (last >= 0 && svpy_is_stream_of(owner->handle, last))
        return last;
    buffer = svpy_buffer_below(side->handle);
    return buffer == NULL ? SVPY_NOTHING : svpy_home_stream(buffer);
}

/* By the producers of either side, that of the side whose device copies first; then by a library that captures a graph;
 * then by our own memory. */
static int find_stream(struct svpy_state *state, const svpy_side *owner, const svpy_side *other, int64_t *out)
{
    const int32_t device_type = sv_view_device_type(owner->handle);
    int found = svpy_current_stream(state, owner, out);

    if (other != NULL && !is_same_device(owner, other))
        other = NULL;
    if (found == 0 && other != NULL)
        found = svpy_current_stream(state, other, out);
    if (found == 0)
        found = svpy_captured_stream(state, device_type, sv_view_device_id(owner->handle), out);
    if (found != 0)
        return found < 0 ? -1 : 0;
    *out = find_own_stream(owner, owner);
    if (*out < 0 && other != NULL)
        *out = find_own_stream(owner, other);
    return *out < 0 ? svpy_stream_on(device_type, SVPY_ABSENT, out) : 0;
}

/* Whether who works on the memory next waits for what is under way: by its producer's stream, or as memory of ours
 * does. 1, 0 or -1. */
static int is_followed(struct svpy_state *state, const svpy_side *side)
{
    int64_t current;

    return side->work != NULL ? 1 : svpy_current_stream(state, side, &current);
}

/* Without stream= only work within devices is still under way on return: the host reads its own memory at once. */
static int must_be_done(struct svpy_state *state, const svpy_side *target, const svpy_side *source)
{
    int followed;

    if (svpy_is_host(target->handle) || (source != NULL && svpy_is_host(source->handle)))
        return 1;
    followed = is_followed(state, target);
    if (followed == 1 && source != NULL)
        followed = is_followed(state, source);
    return followed < 0 ? -1 : !followed;
}

int svpy_ordering_read(PyObject *const *options, uint32_t flags, svpy_ordering *out)
{
    *out = (svpy_ordering){.blocks = -1, .flags = flags, .stream = SVPY_NOTHING, .joined = SVPY_NOTHING};
    if (svpy_stream(options[SVPY_STREAM], &out->given) < 0)
        return -1;
    if (out->given != SVPY_NOTHING)
        return svpy_maybe_flag(options[SVPY_BLOCKING], &out->blocks);
    PyErr_SetString(PyExc_ValueError, "stream -1 orders nothing; a copy needs a stream or None");
    return -1;
}

int svpy_ordering_choose(struct svpy_state *state, const svpy_side *target, const svpy_side *source,
                         svpy_ordering *order)
{
    const svpy_side *owner;
    int32_t device_type;
    int blocks = order->blocks;

    if (order->given == SVPY_ABSENT && source != NULL && is_ordinary(target->handle, source->handle)) {
        order->flags |= blocks != 0 ? (uint32_t)SV_COPY_BLOCKING : 0;
        return 0;
    }
    owner = find_owner(target, source);
    device_type = sv_view_device_type(owner->handle);
    if (order->given != SVPY_ABSENT || !svpy_has_streams(device_type) || is_by_host(target, source)) {
        if (svpy_stream_on(device_type, order->given, &order->stream) < 0)
            return -1;
    } else if (find_stream(state, owner, owner == target ? source : target, &order->stream) < 0) {
        return -1;
    }
    if (blocks < 0)
        blocks = order->given == SVPY_ABSENT ? must_be_done(state, target, source) : 0;
    if (blocks > 0)
        order->flags |= SV_COPY_BLOCKING;
    return blocks < 0 ? -1 : 0;
}

/* --- before the work --------------------------------------------------------------- */

static int let_host_wait(struct svpy_state *state, const svpy_side *side, bool current)
{
    int64_t streams[3];
    const int count = svpy_list_streams(state, side, current, streams);

    for (int k = 0; k < count; k++)
        if (svpy_await_work(side->handle, streams[k]) < 0)
            return -1;
    return count < 0 ? -1 : 0;
}

static int let_wait(struct svpy_state *state, const svpy_side *owner, const svpy_side *side,
                    const svpy_ordering *order, bool host)
{
    const bool current = order->given == SVPY_ABSENT;

    if (side == NULL)
        return 0;
    return host ? let_host_wait(state, side, current)
                : svpy_wait_for_side(state, owner->handle, order->stream, side, current);
}

int svpy_ordering_wait(struct svpy_state *state, const svpy_side *target, const svpy_side *source,
                    const svpy_ordering *order)
{
    const bool nothing = target->stream == SVPY_NOTHING && (source == NULL || source->stream == SVPY_NOTHING);
    const svpy_side *owner;
    bool host;

    if (nothing && order->stream < 0)
        return 0;
    host = is_by_host(target, source);
    owner = find_owner(target, source);
    return let_wait(state, owner, target, order, host) < 0 ? -1 : let_wait(state, owner, source, order, host);
}

int svpy_ordering_begin(struct svpy_state *state, const svpy_side *target, const svpy_side *source,
                        svpy_ordering *order)
{
    return svpy_ordering_choose(state, target, source, order) < 0 ? -1
                                                               : svpy_ordering_wait(state, target, source, order);
}

/* --- after the work ---------------------------------------------------------------- */

/* Let what comes next on another stream, of the device of a side, come after the copy. A stream that is not captured
 * would join a capture by that, and what a graph does is ordered by who runs the graph. Whether it does. */
static bool join_stream(const svpy_side *owner, const svpy_side *side, int64_t other, svpy_ordering *order)
{
    const int32_t type = sv_view_device_type(side->handle), id = sv_view_device_id(side->handle);

    if (id == sv_view_device_id(owner->handle) && (other == order->stream || other == order->joined))
        return true;
    if (svpy_is_captured(owner->handle, order->stream) && !svpy_is_captured(side->handle, other))
        return false;
    if (sv_stream_wait(type, id, (uintptr_t)other, sv_view_device_type(owner->handle), sv_view_device_id(owner->handle),
                       (uintptr_t)order->stream) != SV_OK)
        return false;
    if (id == sv_view_device_id(owner->handle))
        order->joined = other;
    return true;
}

/* Where the caller named the stream, the producer's own need not wait for it, but its memory is kept. */
static void keep_memory(struct svpy_state *state, const svpy_side *side, const svpy_ordering *order)
{
    int64_t current;

    if (side->producer == NULL || (order->flags & SV_COPY_BLOCKING) != 0 ||
        (svpy_current_stream(state, side, &current) == 1 && current == order->stream))
        return;
    svpy_keep(side->handle, order->stream);
}

static void end_named(struct svpy_state *state, svpy_view *followed, const svpy_side *side,
                      const svpy_ordering *order)
{
    if (side == NULL)
        return;
    if (followed != NULL)
        svpy_follow(followed, order->flags, order->stream);
    else
        svpy_record(side->handle, order->flags, order->stream);
    keep_memory(state, side, order);
}

/* What comes next on either side, a free by its owner among it, comes after the copy. */
static void end_unnamed(struct svpy_state *state, svpy_view *followed, const svpy_side *owner, const svpy_side *side,
                        svpy_ordering *order)
{
    const sv_buffer *buffer = side == NULL || side->work == NULL ? NULL : svpy_buffer_below(side->handle);
    int64_t other;

    if (side == NULL || (order->flags & SV_COPY_BLOCKING) != 0)
        return;
    if (buffer == NULL && svpy_current_stream(state, side, &other) != 1) { /* blocking=False: as if it had a name */
        end_named(state, followed, side, order);
        return;
    }
    if (buffer != NULL)
        other = svpy_home_stream(buffer);
    if (join_stream(owner, side, other, order) && buffer != NULL)
        svpy_work_set(side->work, buffer, other);
}

void svpy_ordering_end(struct svpy_state *state, svpy_view *followed, const svpy_side *target, const svpy_side *source,
                       svpy_ordering *order)
{
    const svpy_side *owner;

    if (order->stream < 0 || is_by_host(target, source))
        return;
    owner = find_owner(target, source);
    if (order->given != SVPY_ABSENT || svpy_is_host(target->handle) ||
        (source != NULL && svpy_is_host(source->handle))) {
        end_named(state, followed, target, order);
        end_named(state, NULL, source, order);
    } else {
        end_unnamed(state, followed, owner, target, order);
        end_unnamed(state, NULL, owner, source, order);
    }
    PyErr_Clear();
}
