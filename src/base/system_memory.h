/* The memory of this machine. */
#ifndef SVI_SYSTEM_MEMORY_H
#define SVI_SYSTEM_MEMORY_H

#include <stdint.h>

/* Bytes of all memory, and of the memory that programs can still get without swapping. 0: the system does not tell. */
void svi_system_memory(int64_t *total, int64_t *available);

#endif
