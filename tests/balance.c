#include "balance.h"

#include <inttypes.h>
#include <stdio.h>

#include "buffer_stats.h"

const char *balance_fault(void)
{
    static char text[160];

    for (sv_memory kind = SV_MEMORY_HOST; kind <= SV_MEMORY_FOREIGN; kind++) {
        const struct svi_stats_left left = svi_stats_left(kind);

        if (left.live_count == 0 && left.live_bytes == 0 && left.deferred_count == 0 && left.deferred_bytes == 0)
            continue;
        snprintf(text, sizeof text, "%" PRId64 " buffers of %" PRId64 " bytes of %s memory are left, %" PRId64
                 " wait to be freed", left.live_count, left.live_bytes, sv_memory_name(kind), left.deferred_count);
        return text;
    }
    return NULL;
}
