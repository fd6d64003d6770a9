#include "balance.h"

#include <inttypes.h>
#include <stdio.h>

#include "sv.h"

static int64_t count(sv_memory kind, int32_t stat)
{
    int64_t value = -1;

    return sv_memory_stats(kind, stat, &value) == SV_OK ? value : -1;
}

const char *balance_fault(void)
{
    static char text[160];

    for (sv_memory kind = SV_MEMORY_HOST; kind <= SV_MEMORY_FOREIGN; kind++) {
        const int64_t live = count(kind, SV_STAT_LIVE_COUNT), bytes = count(kind, SV_STAT_LIVE_BYTES);
        const int64_t deferred = count(kind, SV_STAT_DEFERRED_COUNT);

        if (live == 0 && bytes == 0 && deferred == 0 && count(kind, SV_STAT_DEFERRED_BYTES) == 0)
            continue;
        snprintf(text, sizeof text, "%" PRId64 " buffers of %" PRId64 " bytes of %s memory are left, %" PRId64
                 " wait to be freed", live, bytes, sv_memory_name(kind), deferred);
        return text;
    }
    return NULL;
}
