/* The failure of a free that no call could tell: the next sv_memory_collect() does. */
#ifndef SVI_FAILURE_H
#define SVI_FAILURE_H

#include "base/status.h"

/* With the message of this thread. The first one stays until it is told. */
void svi_failure_remember(sv_status status);

/* What was remembered since the last call, with the message set; SV_OK when there was nothing. */
sv_status svi_failure_tell(void);

#endif
