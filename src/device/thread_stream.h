/*
 * Streams that are remembered. Number 2 means another stream on each thread, so what is kept of it says whose it is.
 * The thread finds its own again. Any other thread finds number 1: the legacy default stream waits for the default
 * streams of all threads on its device, and they wait for it, so what comes after it comes after that work.
 */
#ifndef SVI_THREAD_STREAM_H
#define SVI_THREAD_STREAM_H

#include <stdint.h>

/* Of a number that this thread was given, or of what is remembered already. */
uintptr_t svi_stream_remember(uintptr_t stream);

/* The number by which this thread means it. */
uintptr_t svi_stream_recall(uintptr_t remembered);

#endif
