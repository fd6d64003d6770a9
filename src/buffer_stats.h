/* How much memory buffers own, by kind: what sv_memory_stats() tells. Counted with relaxed atomics, always. */
#ifndef SVI_BUFFER_STATS_H
#define SVI_BUFFER_STATS_H

#include "memory.h"

/* Each before the memory is freed, so that a new owner of the same address is counted after the old one. */
void svi_stats_made(sv_memory kind, int64_t nbytes);
void svi_stats_freed(sv_memory kind, int64_t nbytes, int sign); /* sign -1: it was not, after all */
void svi_stats_deferred(sv_memory kind, int64_t nbytes, int sign); /* sign -1: no longer */
void svi_stats_lost(sv_memory kind, int64_t nbytes);

/* What there is now of a kind: memory of buffers that live, memory that waits to be freed, and what was given up. */
struct svi_stats_left {
    int64_t live_count, live_bytes, deferred_count, deferred_bytes, lost_count;
};

struct svi_stats_left svi_stats_left(sv_memory kind);

#endif
