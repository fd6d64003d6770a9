#include "memory/failure.h"

#include <string.h>

#include "base/lock.h"

enum { TEXT = 200 };

static struct {
    sv_status status;
    char text[TEXT];
} failure; /* with SVI_LOCK_FAILURE */

void svi_failure_remember(sv_status status)
{
    svi_lock(SVI_LOCK_FAILURE);
    if (failure.status == SV_OK) {
        const char *text = sv_last_message();
        size_t length = strlen(text);

        if (length >= TEXT)
            length = TEXT - 1;
        memcpy(failure.text, text, length);
        failure.text[length] = '\0';
        failure.status = status;
    }
    svi_unlock(SVI_LOCK_FAILURE);
}

sv_status svi_failure_tell(void)
{
    sv_status status;

    svi_lock(SVI_LOCK_FAILURE);
    status = failure.status;
    if (status != SV_OK)
        svi_fail(status, "memory is lost: %s", failure.text);
    failure.status = SV_OK;
    svi_unlock(SVI_LOCK_FAILURE);
    return status;
}
