#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

bool svi_clock(int64_t *nanoseconds)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return false;
    *nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    return true;
}
