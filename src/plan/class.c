#include "plan/class.h"

const char *svi_class_name(int32_t plan_class)
{
    static const char *const names[SVI_CLASS_COUNT] = {
        [SVI_CLASS_EMPTY] = "empty",   [SVI_CLASS_CONTIGUOUS] = "contiguous", [SVI_CLASS_ROWS] = "rows",
        [SVI_CLASS_REPEAT] = "repeat", [SVI_CLASS_REVERSED] = "reversed",     [SVI_CLASS_TRANSPOSE] = "transpose",
        [SVI_CLASS_GATHER] = "gather", [SVI_CLASS_SCATTER] = "scatter",       [SVI_CLASS_STRIDED] = "strided",
        [SVI_CLASS_CAST] = "cast",
    };

    return plan_class >= 0 && plan_class < SVI_CLASS_COUNT ? names[plan_class] : "unknown";
}
