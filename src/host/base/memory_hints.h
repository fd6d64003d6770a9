/*
 * The prefetches and non-temporal stores of all loops; tests/abi/rules.py checks that there are no others. Each is a
 * single instruction. A build with SVI_TRACE calls a function of a test before each (tests/run/memory_hints).
 */
#ifndef SVI_HOST_MEMORY_HINTS_H
#define SVI_HOST_MEMORY_HINTS_H

#include "base/inline.h"

#ifdef SVI_TRACE
#include <stddef.h>

void svi_trace_prefetch(const void *at);
void svi_trace_nt_store(const void *at, size_t nbytes);
#else
#define svi_trace_prefetch(at) ((void)0)
#define svi_trace_nt_store(at, nbytes) ((void)0)
#endif

/* Prefetches the line of an address, to read it. */
SVI_INLINE void svi_prefetch(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at);
}

/* Prefetches a line that is read once, with the NTA hint. */
SVI_INLINE void svi_prefetch_once(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at, 0, 0);
}

/* Prefetches a line to L2, so that L1 keeps the lines in use. */
SVI_INLINE void svi_prefetch_l2(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at, 0, 2);
}

/* Prefetches a line to write it. */
SVI_INLINE void svi_prefetch_store(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at, 1);
}

/* A non-temporal store of v, by its intrinsic, which takes the address as a pointer to type. */
#define SVI_NT_STORE(intrinsic, type, dst, v) (svi_trace_nt_store(dst, sizeof(v)), intrinsic((type *)(dst), v))

#endif
