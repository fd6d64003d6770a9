/* How much memory buffers own, by kind: what sv_memory_stats() tells. Counted with relaxed atomics, always. */
#ifndef SVI_BUFFER_STATS_H
#define SVI_BUFFER_STATS_H

#include "backend/memory.h"

/* Each before the memory is freed, so that a new owner of the same address is counted after the old one. */
void svi_stats_made(sv_memory kind, int64_t nbytes);
void svi_stats_freed(sv_memory kind, int64_t nbytes);
void svi_stats_deferred(sv_memory kind, int64_t nbytes, int sign); /* sign -1: no longer */
void svi_stats_lost(sv_memory kind, int64_t nbytes);

#endif
