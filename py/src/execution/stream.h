/* Streams as callers name them, and waiting for their work. 0, or -1 with an exception. */
#ifndef SVPY_STREAM_H
#define SVPY_STREAM_H

#include "base/python.h"

/* What stands in the place of a stream. */
enum {
    SVPY_NOTHING = -1, /* there is no work to wait for */
    SVPY_ABSENT = -2,  /* no stream was named, and none is known */
    SVPY_THEIRS = -3   /* the one that the producer of the memory works on: protocols/current.h */
};

/* One import: its streams, and what it may do. */
struct svpy_streams {
    int64_t given;   /* as svpy_stream() reads it */
    int64_t ready;   /* of the view; SVPY_ABSENT: as given says */
    bool may_copy;   /* the memory is read once, so a copy of it will do */
    PyObject *array; /* what __array__() gave, which is viewed in place of the object; owned. NULL: the object is */
};

/* A stream as a caller names it: None, an int, what has __cuda_stream__, or what has a stream that has it. */
int svpy_stream(PyObject *object, int64_t *out);

/* Host memory has none. */
int svpy_has_streams(int32_t device_type);

/* What that means for memory of a device type: its default stream, where it has one, for SVPY_ABSENT and 0. */
int svpy_stream_on(int32_t device_type, int64_t given, int64_t *out);

/* The same of a number that another library tells, by DLPack or the CUDA array interface: those forbid 0. */
int svpy_stream_told(int32_t device_type, int64_t told, int64_t *out);

/* Raise what libsv says of a capture that cannot record a call. */
void svpy_raise_capture(void);

/* Let a stream of a device wait for another. What no capture can record, since it was put on a stream outside of it, the
 * host waits for: it is done before the graph runs. */
sv_status svpy_order_after(int32_t device_type, int32_t device_id, int64_t stream, int32_t other_type, int32_t other_id,
                           int64_t other);

/* Let stream wait for the work on the memory of a view, which another stream does. */
int svpy_wait(const sv_view *view, int64_t stream, int64_t kept);

/* The same of a stream of the device of waiting, another view. */
int svpy_wait_on(const sv_view *waiting, int64_t stream, const sv_view *view, int64_t kept);

/* Wait for the work on the memory of a view that the host shall read. */
int svpy_await_work(const sv_view *view, int64_t kept);

/* A stream for memory of a device type, None for its default. 0, or -1 with an exception. */
int svpy_stream_for(int32_t device_type, PyObject *object, uintptr_t *out);

#endif
