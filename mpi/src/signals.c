/* Counts in memory of several processes. */
#include "signals.h"

#include <stdatomic.h>

void svm_signal_set(_Atomic uint64_t *signal, uint64_t count)
{
    atomic_store_explicit(signal, count, memory_order_release);
}

bool svm_signal_has(const _Atomic uint64_t *signal, uint64_t count)
{
    return atomic_load_explicit(signal, memory_order_acquire) >= count;
}
