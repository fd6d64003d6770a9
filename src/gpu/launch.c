#include "gpu/launch.h"

struct svi_axis svi_axis_make(int64_t extent, int64_t dst, int64_t src)
{
    const uint64_t divisor = (uint64_t)extent;
    struct svi_axis axis = {.extent = (uint32_t)extent, .dst = dst, .src = src};
    uint64_t rest;

    while ((UINT64_C(1) << axis.shift) < divisor)
        axis.shift++;
    rest = (UINT64_C(1) << axis.shift) - divisor;
    axis.magic = (uint32_t)((rest << 32) / divisor + 1);
    axis.wide = (uint64_t)(((unsigned __int128)rest << 64) / divisor + 1);
    return axis;
}
