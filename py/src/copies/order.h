/*
 * How calls go in the order of streams: which stream a copy or a fill is put on, what that waits for, and whether the
 * call returns when it is enqueued. Who names no stream gets the one that the producer of the memory works on, as the
 * producer's own functions do.
 */
#ifndef SVPY_ORDER_H
#define SVPY_ORDER_H

#include "base/options.h"
#include "objects/view_struct.h"
#include "protocols/current.h"

/* The order of one call. */
typedef struct {
    int64_t given;  /* stream=, as svpy_stream() reads it */
    int blocks;     /* blocking=; -1: not said */
    uint32_t flags; /* SV_COPY bits; SV_COPY_BLOCKING is set by svpy_ordering_choose() */
    int64_t stream; /* that the work goes by; SVPY_NOTHING: on none. Set by the same */
    int64_t joined; /* the producer's stream that waits already for the work; SVPY_NOTHING at first */
} svpy_ordering;

/* stream= and blocking=. 0, or -1 with an exception. */
int svpy_ordering_read(PyObject *const *options, uint32_t flags, svpy_ordering *out);

/* What the sides decide; source is NULL for a fill. */
int svpy_ordering_choose(struct svpy_state *state, const svpy_side *target, const svpy_side *source, svpy_ordering *order);

/* Let the stream, or the host where that copies, wait for the work on both sides. */
int svpy_ordering_wait(struct svpy_state *state, const svpy_side *target, const svpy_side *source,
                    const svpy_ordering *order);

/* Both in turn. */
int svpy_ordering_begin(struct svpy_state *state, const svpy_side *target, const svpy_side *source, svpy_ordering *order);

/* After the work was put on the stream: what comes next on either side comes after it, and memory is kept until it is
 * done. followed: the view that target is of, or NULL. Cannot fail. */
void svpy_ordering_end(struct svpy_state *state, svpy_view *followed, const svpy_side *target, const svpy_side *source,
                    svpy_ordering *order);

/* Whether the host copies, and is done on return. */
int svpy_host_copies(const sv_view *target, const sv_view *source);

/* Which of the two views the stream of a copy is of; the target where no stream is read, or nobody copies. */
const sv_view *svpy_copy_owner(const sv_view *target, const sv_view *source);

#endif
