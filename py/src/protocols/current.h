/*
 * The stream that the producer of some memory works on now, and the streams that memory is ready after.
 *
 * PyTorch's and CuPy's users set a current stream for their library. What names no stream works there, so that it comes
 * in the order of the producer's own work and is recorded in its graphs. Exchange tables of DLPack tell it, and
 * __cuda_array_interface__ does; it is asked anew for each call, since views may live longer than streams.
 */
#ifndef SVPY_CURRENT_H
#define SVPY_CURRENT_H

#include "base/state.h"
#include "objects/work.h"

struct svpy_view;

/* Memory as a call gets it. */
typedef struct {
    const sv_view *handle;
    int64_t stream;     /* as in svpy_view */
    svpy_work *work;    /* the same */
    PyObject *producer; /* that may tell the stream it works on; NULL: the memory is our own. Borrowed */
} svpy_side;

svpy_side svpy_side_of(const struct svpy_view *view);

/* 1; 0 where the producer does not tell it, or there is none; or -1 with an exception. */
int svpy_current_stream(struct svpy_state *state, const svpy_side *side, int64_t *out);

/* The streams whose work comes before what is done next on the memory: at most three. current: also what the producer
 * has put on its own stream, where the view is not ready after that anyway. Their count, or -1 with an exception. */
int svpy_list_streams(struct svpy_state *state, const svpy_side *side, bool current, int64_t streams[3]);

/* One stream after whose work the memory of a view is ready, or a mark of stream.h. 0, or -1 with an exception. */
int svpy_ready_stream(const struct svpy_view *view, int64_t *out);

/* Let a stream of a device wait for all of them. 0, or -1 with an exception. */
int svpy_wait_for_side(struct svpy_state *state, const sv_view *waiting, int64_t stream, const svpy_side *side,
                       bool current);

/* The stream of a library that is capturing a graph on a device, if it is the last that told its stream. 1, 0 or -1. */
int svpy_captured_stream(struct svpy_state *state, int32_t device_type, int32_t device_id, int64_t *out);

/* Whether a stream of the device of a view is captured; also where that cannot be found out. */
bool svpy_is_captured(const sv_view *view, int64_t stream);

/* Whether a stream is one of the device of a view, so that it can work on the memory. */
bool svpy_is_stream_of(const sv_view *view, int64_t stream);

#endif
