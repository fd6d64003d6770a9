/* Streams as views and Buffers keep them, with the thread whose per-thread default stream is meant. */
#ifndef SVPY_THREAD_STREAM_H
#define SVPY_THREAD_STREAM_H

#include "base/python.h"

/* What is kept of a stream. Number 2 is another stream on each thread: the thread that kept it finds 2 again, any other
 * one finds 1, the legacy default stream, which waits for the default streams of all threads. Marks stay. */
int64_t svpy_remember(int64_t stream);
int64_t svpy_recall(int64_t remembered);

#endif
