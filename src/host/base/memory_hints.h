/*
 * The prefetches and non-temporal stores of all loops. tests/abi/rules.py checks that there are no others. They are
 * single instructions; a build with SVI_TRACE calls a function before each, which a test defines.
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

/* The line of an address, to be read. */
SVI_INLINE void svi_prefetch(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at);
}

/* To be read once: with the NTA hint. */
SVI_INLINE void svi_prefetch_once(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at, 0, 0);
}

/* To L2: L1 is left to what is in use. */
SVI_INLINE void svi_prefetch_l2(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at, 0, 2);
}

/* To be written. */
SVI_INLINE void svi_prefetch_store(const void *at)
{
    svi_trace_prefetch(at);
    __builtin_prefetch(at, 1);
}

/* A non-temporal store of v, by the intrinsic for it, to which an address is a pointer to type. */
#define SVI_NT_STORE(intrinsic, type, dst, v) (svi_trace_nt_store(dst, sizeof(v)), intrinsic((type *)(dst), v))

#endif
