/* Streams as views and Buffers keep them: number 2, the per-thread default stream, with the thread whose it is. */
#include "execution/thread_stream.h"

#include <stdatomic.h>

enum { LEGACY = 1, THREAD = 2 };

static const int64_t mark = INT64_C(1) << 62; /* no address, so no handle of a stream */

static _Atomic int64_t threads; /* that kept such a stream; no number is given twice */
static _Thread_local int64_t own;

int64_t svpy_remember(int64_t stream)
{
    if (stream != THREAD)
        return stream;
    if (own == 0)
        own = mark + atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
    return own;
}

int64_t svpy_recall(int64_t remembered)
{
    if (remembered < mark)
        return remembered;
    return remembered == own ? THREAD : LEGACY;
}
