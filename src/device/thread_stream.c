#include "device/thread_stream.h"

#include <stdatomic.h>

enum { LEGACY = 1, THREAD = 2 };

/* No handle of a stream is an address up here, where the kernel is. The low bits are the number of a thread, which no
 * later thread has again; 0 when there are no more numbers: a thread that is never this one. */
static const uintptr_t mark = ~(UINTPTR_MAX >> 8), numbers = UINTPTR_MAX >> 9;

static atomic_uintptr_t threads;
static _Thread_local uintptr_t own;

static uintptr_t own_number(void)
{
    if (own == 0 && atomic_load_explicit(&threads, memory_order_relaxed) < numbers)
        own = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
    return own;
}

uintptr_t svi_stream_remember(uintptr_t stream)
{
    return stream == THREAD ? mark | own_number() : stream;
}

uintptr_t svi_stream_recall(uintptr_t remembered)
{
    if ((remembered & mark) != mark || (remembered & ~mark) > numbers)
        return remembered;
    return own != 0 && remembered == (mark | own) ? THREAD : LEGACY;
}
