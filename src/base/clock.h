/* A monotonic clock, by which copies and loops are measured. */
#ifndef SVI_CLOCK_H
#define SVI_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds since an unspecified start. False: the system has no such clock. */
bool svi_clock(int64_t *nanoseconds);

#endif
