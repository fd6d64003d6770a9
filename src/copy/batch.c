#include "copy/batch.h"

#include <inttypes.h>
#include <stdio.h>

sv_status svi_batch_check(int64_t count, const void *array, const char *name)
{
    if (count < 0)
        return svi_fail(SV_ERROR_INVALID, "a count of %" PRId64, count);
    if (count > 0 && array == NULL)
        return svi_fail(SV_ERROR_NULL, "%s is NULL", name);
    return SV_OK;
}

/* Not inline: its message is on the stack of failures only. */
__attribute__((noinline)) sv_status svi_batch_fail(sv_status status, int64_t i, int64_t *failed)
{
    char message[512];

    snprintf(message, sizeof message, "%s", sv_last_message());
    if (failed != NULL)
        *failed = i;
    return svi_fail(status, "place %" PRId64 ": %s", i, message);
}
