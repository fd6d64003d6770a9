#include "protocols/current.h"

#include "base/errors.h"
#include "execution/stream.h"
#include "execution/thread_stream.h"
#include "objects/view_struct.h"
#include "protocols/exchange.h"
#include "protocols/interface_dict.h"
#include "protocols/type_cache.h"

svpy_side svpy_side_of(const svpy_view *view)
{
    return (svpy_side){view->handle, view->stream, view->work, view->exporter};
}

static bool has_cuda_streams(int32_t device_type)
{
    return (sv_device_traits(device_type) & SV_TRAIT_CUDA) != 0 && svpy_has_streams(device_type);
}

int svpy_current_stream(struct svpy_state *state, const svpy_side *side, int64_t *out)
{
    struct svpy_protocols protocols;

    if (side->producer == NULL || !has_cuda_streams(sv_view_device_type(side->handle)))
        return 0;
    if (svpy_protocols_of(state, Py_TYPE(side->producer), &protocols) < 0)
        return -1;
    if (protocols.table != NULL)
        return svpy_table_stream(protocols.table, sv_view_device_id(side->handle), out);
    return side->stream == SVPY_THEIRS ? svpy_interface_stream(state, side->producer, out) : 0;
}

/* --- what comes before ------------------------------------------------------------- */

static int add_stream(int64_t stream, int64_t streams[3], int count)
{
    for (int k = 0; k < count; k++)
        if (streams[k] == stream)
            return count;
    streams[count] = stream;
    return count + 1;
}

int svpy_list_streams(struct svpy_state *state, const svpy_side *side, bool current, int64_t streams[3])
{
    const int64_t own = svpy_recall(side->stream);
    int count = 0, told = 0;
    int64_t theirs = 0;

    if (side->producer != NULL && (current || own == SVPY_THEIRS))
        told = svpy_current_stream(state, side, &theirs);
    if (told < 0)
        return -1;
    if (told > 0)
        count = add_stream(theirs, streams, count);
    if (own >= 0)
        count = add_stream(own, streams, count);
    if (side->work != NULL && side->work->stream >= 0)
        count = add_stream(side->work->stream, streams, count);
    return count;
}

int svpy_wait_for_side(struct svpy_state *state, const sv_view *waiting, int64_t stream, const svpy_side *side,
                       bool current)
{
    int64_t streams[3];
    int count;

    if (stream < 0)
        return 0;
    if (side->stream == SVPY_ABSENT)
        return svpy_wait_on(waiting, stream, side->handle, SVPY_ABSENT);
    count = svpy_list_streams(state, side, current, streams);
    for (int k = 0; k < count; k++)
        if (svpy_wait_on(waiting, stream, side->handle, streams[k]) < 0)
            return -1;
    return count < 0 ? -1 : 0;
}

int svpy_ready_stream(const svpy_view *view, int64_t *out)
{
    const svpy_side side = svpy_side_of(view);
    int64_t streams[3];
    const int count = svpy_list_streams(view->state, &side, true, streams);

    if (count < 0)
        return -1;
    *out = count > 0 ? streams[0] : view->stream == SVPY_THEIRS ? SVPY_NOTHING : svpy_recall(view->stream);
    for (int k = 1; k < count; k++)
        if (svpy_wait_on(view->handle, streams[0], view->handle, streams[k]) < 0)
            return -1;
    return 0;
}

/* --- questions about streams --------------------------------------------------------- */

bool svpy_is_captured(const sv_view *view, int64_t stream)
{
    int32_t captured = 1;

    return sv_stream_query(sv_view_device_type(view), sv_view_device_id(view), (uintptr_t)stream, NULL, &captured) !=
               SV_OK ||
           captured;
}

bool svpy_is_stream_of(const sv_view *view, int64_t stream)
{
    const int32_t device_id = sv_view_device_id(view);
    int32_t owner = device_id;

    return stream <= 2 || (sv_stream_query(sv_view_device_type(view), device_id, (uintptr_t)stream, &owner, NULL) ==
                               SV_OK &&
                           owner == device_id);
}

int svpy_captured_stream(struct svpy_state *state, int32_t device_type, int32_t device_id, int64_t *out)
{
    int32_t captured = 0;
    int told;

    if (state->worker == NULL || !has_cuda_streams(device_type))
        return 0;
    told = svpy_worker_stream(state, device_id, out);
    if (told <= 0 || *out <= 2)
        return told < 0 ? -1 : 0;
    if (sv_stream_query(device_type, device_id, (uintptr_t)*out, NULL, &captured) != SV_OK)
        return 0;
    return captured;
}
