/* Which process this is. */
#ifndef SVI_PROCESS_H
#define SVI_PROCESS_H

#include <stdint.h>

/* Process numbers are used again; together with the time of the start they are not. Its unit is the system's. */
struct svi_process {
    int64_t id, start;
};

/* Asked anew each time, since a process that was forked is another one. */
struct svi_process svi_process_self(void);

#endif
