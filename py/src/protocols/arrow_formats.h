/* Arrow's formats of what arrays have: numbers, and the dates and times that NumPy has as well. */
#ifndef SVPY_ARROW_FORMATS_H
#define SVPY_ARROW_FORMATS_H

#include "sv.h"

static const struct {
    const char *format;
    sv_dtype dtype;
} svpy_arrow_numbers[] = {
    {"c", SV_INT8},  {"C", SV_UINT8},  {"s", SV_INT16},   {"S", SV_UINT16},  {"i", SV_INT32},   {"I", SV_UINT32},
    {"l", SV_INT64}, {"L", SV_UINT64}, {"e", SV_FLOAT16}, {"f", SV_FLOAT32}, {"g", SV_FLOAT64},
};

/* Timestamps of no zone, and durations; dtype: in NumPy's words. */
static const struct {
    const char *format, *dtype;
} svpy_arrow_times[] = {
    {"tss:", "<M8[s]"}, {"tsm:", "<M8[ms]"}, {"tsu:", "<M8[us]"}, {"tsn:", "<M8[ns]"},
    {"tDs", "<m8[s]"},  {"tDm", "<m8[ms]"},  {"tDu", "<m8[us]"},  {"tDn", "<m8[ns]"},
};

/* Dates in milliseconds since 1970: the numbers of "tsm:". */
#define SVPY_ARROW_DATES "tdm"

enum {
    SVPY_ARROW_NUMBERS = sizeof svpy_arrow_numbers / sizeof *svpy_arrow_numbers,
    SVPY_ARROW_TIMES = sizeof svpy_arrow_times / sizeof *svpy_arrow_times
};

#endif
