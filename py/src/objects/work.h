/*
 * Work that calls without a stream put on memory of ours on a device. All views of the memory, and its Buffer, share one
 * struct, so that each finds what another one left under way. That work is always in the order of the memory's own
 * stream, on which it will be freed, whichever stream did it: streams of other libraries may end before the memory.
 */
#ifndef SVPY_WORK_H
#define SVPY_WORK_H

#include "base/python.h"

typedef struct svpy_work {
    Py_ssize_t count;
    int64_t stream; /* that the work is in the order of; SVPY_NOTHING: there is none */
} svpy_work;

/* NULL without an exception where there is no memory for it: calls then return when they are done. */
svpy_work *svpy_work_new(void);

/* NULL stays NULL. */
svpy_work *svpy_work_retain(svpy_work *work);
void svpy_work_release(svpy_work *work);

/* The stream of memory itself, of its device. */
int64_t svpy_home_stream(const sv_buffer *buffer);

/* The memory's own stream has work on the memory of a buffer, or waits for it. Cannot fail. */
void svpy_work_set(svpy_work *work, const sv_buffer *buffer, int64_t home);

#endif
