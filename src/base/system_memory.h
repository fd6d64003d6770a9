/* How much memory this machine has. */
#ifndef SVI_SYSTEM_MEMORY_H
#define SVI_SYSTEM_MEMORY_H

#include <stdint.h>

/* In bytes: all of it, and what programs can still get without swapping. Each 0 where the system does not tell. */
void svi_system_memory(int64_t *total, int64_t *available);

#endif
