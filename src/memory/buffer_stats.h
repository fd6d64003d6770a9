/* How much memory buffers own, by kind: what sv_memory_stats() tells. Counted with relaxed atomics, always. */
#ifndef SVI_BUFFER_STATS_H
#define SVI_BUFFER_STATS_H

#include "backend/memory.h"

/* Counts memory that a buffer owns from now on. */
void svi_stats_made(sv_memory kind, int64_t nbytes);

/* Called before the memory is freed, so that a new owner of its address is counted after the old one. */
void svi_stats_freed(sv_memory kind, int64_t nbytes);

/* Counts memory whose free is deferred from now on; with sign -1, that it no longer is. */
void svi_stats_deferred(sv_memory kind, int64_t nbytes, int sign);

/* Counts memory that a cache keeps from now on; with sign -1, that it no longer does. */
void svi_stats_cached(sv_memory kind, int64_t nbytes, int sign);

/* Counts memory that will never be freed. */
void svi_stats_lost(sv_memory kind, int64_t nbytes);

#endif
