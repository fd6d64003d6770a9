/* Numbers of allocators that keep freed blocks. */
#ifndef SVI_SOURCE_CACHED_H
#define SVI_SOURCE_CACHED_H

#include "memory/allocator.h"

/* An SV_STAT_CACHED number of the nearest one, this one or one that it wraps; SV_ERROR_STATE where there is none. */
sv_status svi_cached_stats(const sv_allocator *allocator, int32_t stat, int64_t *value);

#endif
