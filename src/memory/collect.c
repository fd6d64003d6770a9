/* Frees that had to wait, done when the caller asks for them. */
#include <inttypes.h>

#include "device/backend_list.h"
#include "memory/cache_list.h"
#include "memory/failure.h"
#include "memory/storage.h"

sv_status sv_memory_collect(uint32_t flags, int64_t *left)
{
    const enum svi_effort effort = flags & SV_COLLECT_WAIT ? SVI_EFFORT_WAIT : SVI_EFFORT_FREE;

    if (flags & ~(uint32_t)SV_COLLECT_WAIT)
        return svi_fail(SV_ERROR_INVALID, "flags 0x%" PRIx32 ", only SV_COLLECT_WAIT is known", flags);
    svi_deferred_drain(svi_cpu, true, effort);
    svi_cache_list_trim(NULL, effort);
    for (const struct svi_backend *const *at = svi_backends; *at != NULL; at++)
        if ((*at)->driver != NULL)
            (*at)->driver->trim();
    SVI_TRY(svi_failure_tell());
    if (left != NULL)
        *left = svi_deferred_count();
    return SV_OK;
}
